#include "core/planners/common/overflow.h"

#include "core/ir/digits.h"
#include "core/ir/occupied.h"
#include "core/plan/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace stowage {

namespace {

constexpr std::size_t named = 8; ///< buffers listed in a message

Bytes end(const Buffer& buffer, const Placement& placement)
{
    Bytes highest = placement.offset;
    for (const Bytes at : placement.offsets) highest = std::max(highest, at);
    return highest + buffer.size;
}

/// The step of `under`'s life at which most bytes of the loads are live; -1 when it has no live range.
Step maxLiveStep(const std::vector<Load>& loads, const Buffer& under)
{
    std::vector<std::pair<Step, Bytes>> changes;
    const Interval hull = under.hull();
    for (const Load& load : loads) {
        const Interval live = load.live.common(hull);
        if (live.empty()) continue;
        changes.emplace_back(live.begin, load.total());
        changes.emplace_back(live.end, -load.total());
    }
    std::sort(changes.begin(), changes.end());
    Step step = -1;
    Bytes live = 0;
    Bytes most = -1;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        live += changes[i].second;
        const bool settled = i + 1 == changes.size() || changes[i + 1].first != changes[i].first;
        if (settled && live > most &&
            std::any_of(under.live.begin(), under.live.end(), [&](const Interval& r) { return r.contains(changes[i].first); })) {
            most = live;
            step = changes[i].first;
        }
    }
    return step;
}

/// True if the buffer takes bytes of its own in every iteration in which it is live.
bool alwaysTakesItsBytes(const Buffer& buffer)
{
    bool once = false;
    forEachOccupied<stowage::Iterations::each>(buffer, [&](const Occupied& it) { once = once || it.when.loop != none; });
    return !once && buffer.mayShare.empty();
}

} // namespace

Diagnostic describeOverflow(const Problem& problem, const Plan& plan, PoolId pool, OtherPlans others)
{
    const Pool& in = problem.pools[static_cast<std::size_t>(pool)];
    std::vector<BufferId> here;
    BufferId highest = none;
    Bytes size = 0;
    for (std::size_t b = 0; b < plan.placements.size(); ++b) {
        if (plan.placements[b].pool != pool) continue;
        here.push_back(static_cast<BufferId>(b));
        if (const Bytes e = end(problem.buffers[b], plan.placements[b]); e > size) {
            size = e;
            highest = static_cast<BufferId>(b);
        }
    }
    const Bytes capacity = in.capacity.value_or(size);
    std::string message = fmt::format("{} needs {} bytes but has {}: {} {} short", in.name, grouped(size), grouped(capacity),
                                      grouped(size - capacity), size - capacity == 1 ? "byte" : "bytes");
    bool hopeless = others == OtherPlans::cannotFit; // what is live together is too much, and may lie nowhere else
    if (highest != none) {
        const Buffer& top = problem.buffers[static_cast<std::size_t>(highest)];
        const std::vector<Load> loads = occupied(problem, here, none); // with all slots, windows and carried values
        const Step step = maxLiveStep(loads, top);
        if (step < 0) {
            message += fmt::format("; '{}' ends highest", top.name);
        } else {
            std::vector<Bytes> held(problem.buffers.size(), 0);
            Bytes live = 0;
            for (const Load& load : loads) {
                if (!load.live.contains(step)) continue;
                held[static_cast<std::size_t>(load.buffer)] += load.total();
                live += load.total();
            }
            const auto heldBy = [&](BufferId b) { return held[static_cast<std::size_t>(b)]; };
            std::erase_if(here, [&](BufferId b) { return heldBy(b) == 0; });
            std::stable_sort(here.begin(), here.end(), [&](BufferId a, BufferId b) { return heldBy(a) > heldBy(b); });
            message += fmt::format(" under '{}'; at step {}, {} bytes are live there:", top.name, step, grouped(live));
            for (std::size_t i = 0; i < std::min(named, here.size()); ++i)
                message += fmt::format("{} '{}' ({})", i == 0 ? "" : ",", problem.buffers[static_cast<std::size_t>(here[i])].name,
                                       grouped(heldBy(here[i])));
            if (here.size() > named) message += fmt::format(" and {} more", here.size() - named);
            hopeless |= live > capacity && problem.axis != Axis::dag && std::all_of(here.begin(), here.end(), [&](BufferId b) {
                            const Buffer& each = problem.buffers[static_cast<std::size_t>(b)];
                            return alwaysTakesItsBytes(each) && problem.candidates(each).size() == 1;
                        });
        }
    }
    return {Severity::error,
            Code::overflow,
            std::move(message),
            {},
            fmt::format("give {} at least {} bytes, {}", in.name, grouped(size),
                        hopeless ? "or name a further pool" : "name a further pool, or try another planner")};
}

void tellThatNothingFits(const Problem& problem, Plan& plan)
{
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) {
        const auto& capacity = problem.pools[static_cast<std::size_t>(pool)].capacity;
        if (!capacity || plan.poolSize(problem, pool) <= *capacity) continue;
        const Diagnostic said = describeOverflow(problem, plan, pool);
        std::replace(plan.diagnostics.begin(), plan.diagnostics.end(), said,
                     describeOverflow(problem, plan, pool, OtherPlans::cannotFit));
    }
}

void withdrawProofs(const Problem& planned, const Plan& made, const Problem& problem, Plan& plan, std::string_view where)
{
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) {
        const auto& capacity = problem.pools[static_cast<std::size_t>(pool)].capacity;
        if (!capacity || plan.poolSize(problem, pool) <= *capacity) continue;
        const Diagnostic own = describeOverflow(problem, plan, pool);
        for (const OtherPlans others : {OtherPlans::mayFit, OtherPlans::cannotFit}) {
            const Diagnostic said = describeOverflow(planned, made, pool, others);
            std::replace(plan.diagnostics.begin(), plan.diagnostics.end(), said, own);
        }
    }
    std::erase_if(plan.diagnostics,
                  [](const Diagnostic& d) { return d.code == Code::infeasibleSet || d.code == Code::assignmentOptimal; });
    for (Diagnostic& d : plan.diagnostics)
        if (d.code == Code::autoMember || d.code == Code::localFirst) d.message = fmt::format("{}: {}", where, d.message);
}

} // namespace stowage

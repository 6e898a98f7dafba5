#include "core/planners/common/overflow.h"

#include "core/ir/digits.h"
#include "core/ir/occupied.h"
#include "core/plan/load.h"
#include "core/plan/one_iteration.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

namespace {

constexpr std::size_t named = 8;             ///< buffers listed in a message
constexpr std::size_t countedIterations = 8; ///< iterations in which early ranges are counted

/// One past the highest byte of the buffer; 0 if it has no bytes.
Bytes end(const Buffer& buffer, const Placement& placement)
{
    if (buffer.size == 0) return 0;
    Bytes highest = placement.offset;
    for (const Bytes at : placement.offsets) highest = std::max(highest, at);
    return highest + buffer.size;
}

/// The bytes that buffers hold while one buffer is live, in one iteration of each loop.
struct LiveMoment {
    std::vector<Load> loads; ///< with all slots, windows and carried values
    Step step = -1;          ///< the first one of those with most live bytes; -1 when the buffer has no live range
    Bytes live = -1;         ///< sum of the loads at `step`
};

/// The loads of the buffers `ids`, and the step of the life of `under` at which most bytes are live.
LiveMoment heaviestMoment(const Problem& problem, std::span<const BufferId> ids, const Buffer& under)
{
    LiveMoment moment{.loads = occupied(problem, ids, none)};
    std::vector<std::pair<Step, Bytes>> changes;
    const Interval hull = under.hull();
    for (const Load& load : moment.loads) {
        const Interval live = load.live.common(hull);
        if (live.empty()) continue;
        changes.emplace_back(live.begin, load.total());
        changes.emplace_back(live.end, -load.total());
    }
    std::sort(changes.begin(), changes.end());
    Bytes live = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        live += changes[i].second;
        const bool settled = i + 1 == changes.size() || changes[i + 1].first != changes[i].first;
        if (settled && live > moment.live &&
            std::any_of(under.live.begin(), under.live.end(), [&](const Interval& r) { return r.contains(changes[i].first); })) {
            moment.live = live;
            moment.step = changes[i].first;
        }
    }
    return moment;
}

/// The lowest iterations of the early ranges of `ids` that overlap the life of `under`, ascending. At most `countedIterations`.
std::vector<std::int32_t> earlyIterations(const Problem& problem, std::span<const BufferId> ids, const Buffer& under)
{
    std::set<std::int32_t> iterations;
    for (const BufferId id : ids) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
        if (!buffer.hasEarly()) continue;
        forEachOccupied<stowage::Iterations::each>(buffer, [&](const Occupied& it) {
            if (it.by != Occupying::live || it.when.loop == none || !it.steps.overlaps(under.hull())) return;
            iterations.insert(it.when.iteration);
            if (iterations.size() > countedIterations) iterations.erase(std::prev(iterations.end()));
        });
    }
    return {iterations.begin(), iterations.end()};
}

/// Bytes that each buffer holds at the moment's step, by buffer.
std::vector<Bytes> bytesHeld(const Problem& problem, const LiveMoment& moment)
{
    std::vector<Bytes> held(problem.buffers.size(), 0);
    for (const Load& load : moment.loads)
        if (load.live.contains(moment.step)) held[static_cast<std::size_t>(load.buffer)] += load.total();
    return held;
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
        LiveMoment heaviest = heaviestMoment(problem, here, top); // in the last iterations: a lower bound for all plans
        if (heaviest.live > capacity && problem.axis != Axis::dag) {
            const std::vector<Bytes> held = bytesHeld(problem, heaviest);
            hopeless |= std::all_of(here.begin(), here.end(), [&](BufferId b) {
                const Buffer& each = problem.buffers[static_cast<std::size_t>(b)];
                return held[static_cast<std::size_t>(b)] == 0 ||
                       (alwaysTakesItsBytes(each) && problem.candidates(each).size() == 1);
            });
        }
        for (const std::int32_t iteration : earlyIterations(problem, here, top)) {
            const Problem then = inIteration(problem, iteration);
            LiveMoment moment = heaviestMoment(then, here, then.buffers[static_cast<std::size_t>(highest)]);
            if (moment.live > heaviest.live) heaviest = std::move(moment);
        }
        if (heaviest.step < 0) {
            message += fmt::format("; '{}' ends highest", top.name);
        } else {
            const std::vector<Bytes> held = bytesHeld(problem, heaviest);
            const auto heldBy = [&](BufferId b) { return held[static_cast<std::size_t>(b)]; };
            std::erase_if(here, [&](BufferId b) { return heldBy(b) == 0; });
            std::stable_sort(here.begin(), here.end(), [&](BufferId a, BufferId b) { return heldBy(a) > heldBy(b); });
            message +=
                fmt::format(" under '{}'; at step {}, {} bytes are live there:", top.name, heaviest.step, grouped(heaviest.live));
            for (std::size_t i = 0; i < std::min(named, here.size()); ++i)
                message += fmt::format("{} '{}' ({})", i == 0 ? "" : ",", problem.buffers[static_cast<std::size_t>(here[i])].name,
                                       grouped(heldBy(here[i])));
            if (here.size() > named) message += fmt::format(" and {} more", here.size() - named);
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

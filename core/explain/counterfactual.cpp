#include "core/explain/counterfactual.h"

#include "core/explain/support_chain.h"
#include "core/ir/parsed_number.h"
#include "core/plan/check.h"
#include "core/plan/one_iteration.h"
#include "core/plan/report.h"
#include "core/planners/exact/pool_search.h"
#include "core/planners/exact/refine.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace stowage {

namespace {

bool known(const Problem& problem, BufferId id)
{
    return id >= 0 && at(id) < problem.buffers.size();
}

std::vector<Interval> cut(std::span<const Interval> live, Interval to)
{
    std::vector<Interval> ranges;
    for (const Interval& range : live)
        if (range.overlaps(to)) ranges.push_back(range.common(to));
    return ranges;
}

std::vector<BufferId> membersOf(const Problem& problem, const Plan& plan, PoolId pool)
{
    std::vector<BufferId> members;
    for (BufferId id = 0; known(problem, id) && at(id) < plan.placements.size(); ++id)
        if (plan.placements[at(id)].pool == pool && problem.buffers[at(id)].size > 0) members.push_back(id);
    return members;
}

// Above this number of buffers in a pool, the neighbour lists of the exact search need too much memory, as in `auto`. The quick
// heuristics are used instead, and fewer changes are tried, because one change takes 0.1 s for 30,000 buffers.
constexpr std::size_t maxSearched = 4'000, fewestTried = 8;

std::size_t changesTried(const Problem& problem, const CounterfactualLimits& limits)
{
    const std::size_t n = std::max<std::size_t>(1, problem.buffers.size());
    return n <= maxSearched ? limits.candidates
                            : std::min(limits.candidates, std::max(fewestTried, limits.candidates * maxSearched / n));
}

/// The time for one node grows with the number of buffers. More buffers get fewer nodes, so that the time stays about the same.
std::uint64_t nodesFor(std::uint64_t nodes, std::size_t members)
{
    constexpr std::size_t whole = 1'000;
    return members <= whole ? nodes : std::max<std::uint64_t>(100, nodes * whole / members);
}

/// The smallest layout of the members that was found, starting from `start` if it is given; with its plan if it is smaller than
/// `start`.
struct Found {
    Bytes size = 0, lower = 0;
    std::optional<Plan> better;
};

/// Uses the exact search with `share` of the nodes; for more than `maxSearched` members, the heuristics, which prove nothing.
/// `start`: a plan of the problem, or null.
Expected<Found> replan(const Problem& problem, PoolId pool, std::span<const BufferId> members, const Plan* start,
                       const CounterfactualLimits& limits, std::uint64_t share)
{
    Found found;
    if (members.size() > maxSearched) {
        PlanContext context;
        context.seed = limits.seed;
        context.cancel = limits.cancel;
        auto plan = exact::bestOfHeuristics(problem, context);
        if (!plan) return plan.error();
        found.size = plan->poolSize(problem, pool);
        const bool same =
            std::all_of(members.begin(), members.end(), [&](BufferId id) { return plan->placements[at(id)].pool == pool; });
        if (!same || !check(problem, *plan, 1).valid())
            return failure(Code::noAnswer, "the heuristics found no plan for the changed problem");
        if (start && start->poolSize(problem, pool) <= found.size)
            found.size = start->poolSize(problem, pool);
        else
            found.better = *std::move(plan);
        return found;
    }
    exact::PoolLimits own;
    own.nodes = nodesFor(limits.nodesEach * share, members.size());
    own.seed = limits.seed;
    own.stop = [&limits] { return limits.cancel.stop_requested(); };
    exact::PoolLayout layout;
    const auto nodes = exact::minimisePool(problem, pool, members, start, own, layout);
    if (!nodes) return nodes.error();
    found.size = layout.size;
    if (!differsByIteration(problem)) found.lower = layout.lower; // the bound of the search holds for fixed offsets only
    if (start && layout.size < start->poolSize(problem, pool)) {
        found.better = *start;
        exact::apply(layout, pool, *found.better);
    }
    return found;
}

/// Byte-steps that the change removes: the cost of the change.
Bytes cost(const Problem& problem, const Change& change)
{
    const Buffer& buffer = problem.buffers[at(change.buffer)];
    switch (change.kind) {
    case Change::Kind::size: return buffer.size - change.size;
    case Change::Kind::live: return buffer.size;
    case Change::Kind::inPlace:
    case Change::Kind::slots:
    case Change::Kind::scale:
    case Change::Kind::tile: break;
    }
    return 0;
}

/// True if the bytes of a binding are, or may be, in `buffer`.
bool isIn(const TensorBinding& binding, BufferId buffer)
{
    const auto inside = [&](const TensorBinding& part) { return isIn(part, buffer); };
    return binding.buffer == buffer || std::ranges::any_of(binding.first, inside) || std::ranges::any_of(binding.choices, inside);
}

/// True if the op at `step` reads `earlier` and writes `later`, which is no scratch; also if the ops are not known.
bool oneOpUses(const Run* run, Step step, BufferId earlier, BufferId later)
{
    if (!run || !run->program) return true;
    const Lowering& lowering = *run->lowering;
    if (step < 0 || at(step) >= lowering.steps.size() || lowering.steps[at(step)].op == none) return false;
    const StepInfo& info = lowering.steps[at(step)];
    const Op& op = run->program->functions[at(info.function)].ops[at(info.op)];
    const std::vector<TensorBinding>& bindings = lowering.instances[at(info.instance)].bindings;
    const auto has = [&](const std::vector<TensorId>& tensors, BufferId buffer) {
        return std::ranges::any_of(tensors, [&](TensorId tensor) { return isIn(bindings[at(tensor)], buffer); });
    };
    return has(op.inputs, earlier) && has(op.outputs, later) && !has(op.temps, later);
}

/// True if `later` may be written over `earlier`. They are live together only at one step, the last one of `earlier` and the
/// first one of `later`. Buffers of a single step are scratch or results of one op, so `earlier` is live before it. Nobody needs
/// the contents of `earlier` afterwards: no next run, no reader of results, and no next iteration.
bool couldFollow(const Problem& problem, BufferId earlierId, BufferId laterId, const Run* run)
{
    const Buffer &earlier = problem.buffers[at(earlierId)], &later = problem.buffers[at(laterId)];
    const Step step = later.hull().begin;
    if (earlier.live.empty() || later.live.empty() || earlier.hull().begin >= step || earlier.hull().end != step + 1)
        return false;
    if (earlier.pin || later.pin || earlier.unique || later.unique || earlier.isCarried() || later.isCarried()) return false;
    const BufferKind kind = earlier.kind;
    if (kind == BufferKind::constant || kind == BufferKind::variable || kind == BufferKind::output) return false;
    if (later.kind == BufferKind::constant || later.kind == BufferKind::variable) return false;
    if (kind == BufferKind::input && later.kind == BufferKind::output) return false; // as in the lowering
    for (std::size_t l = 0; l < problem.loops.size(); ++l)
        if (problem.loops[l].live.contains(step) && !isInside(problem, earlier.loop, static_cast<LoopId>(l))) return false;
    return oneOpUses(run, step, earlierId, laterId);
}

/// Adds the changes of one buffer: live ranges without `step`, and half the size.
void addOwnChanges(const Problem& problem, BufferId id, Step step, std::vector<Change>& all)
{
    const Buffer& buffer = problem.buffers[at(id)];
    if (step >= 0 && problem.axis != Axis::dag && !buffer.isCarried())
        for (const Interval keep : {Interval{0, step}, Interval{step + 1, buffer.hull().end}})
            if (std::vector<Interval> live = cut(buffer.live, keep); !live.empty() && live != buffer.live)
                all.push_back(Change::ofLive(id, std::move(live)));
    if (buffer.size > 1) all.push_back(Change::ofSize(id, (buffer.size + 1) / 2));
}

bool mayShareAlready(const Buffer& buffer, BufferId other)
{
    return std::find(buffer.mayShare.begin(), buffer.mayShare.end(), other) != buffer.mayShare.end();
}

/// The first changes that may help, those of large buffers first. O(n log n) and the buffers that begin where one ends.
std::vector<Change> candidates(const Problem& problem, const Plan& plan, PoolId pool, const CounterfactualLimits& limits)
{
    const std::size_t most = changesTried(problem, limits);
    const CliqueCertificate bound = lowerBound(problem, plan, pool);
    std::vector<BufferId> concerned = bound.buffers;
    // Also the buffers that support the highest byte: if the plan is above its bound, one of these has to change.
    const SupportChain chain = SupportFinder(problem, plan).highest(pool);
    for (const SupportLink& link : chain.links) concerned.push_back(link.buffer);
    std::sort(concerned.begin(), concerned.end());
    concerned.erase(std::unique(concerned.begin(), concerned.end()), concerned.end());
    std::stable_sort(concerned.begin(), concerned.end(),
                     [&](BufferId a, BufferId b) { return problem.buffers[at(a)].size > problem.buffers[at(b)].size; });

    // A chain may hold every buffer, so those that may follow one are found by the step at which they begin, not among all.
    const auto beginOf = [&](BufferId id) { return problem.buffers[at(id)].hull().begin; };
    std::vector<BufferId> byBegin = concerned;
    std::stable_sort(byBegin.begin(), byBegin.end(), [&](BufferId a, BufferId b) { return beginOf(a) < beginOf(b); });
    std::vector<Change> all;
    for (const BufferId id : concerned) {
        if (all.size() >= most) break;
        const Buffer& buffer = problem.buffers[at(id)];
        if (bound.step >= 0 && problem.axis != Axis::dag) {
            const Step begin = buffer.hull().end - 1; // see `couldFollow`
            for (auto other = std::ranges::lower_bound(byBegin, begin, {}, beginOf);
                 other != byBegin.end() && beginOf(*other) == begin && all.size() < most; ++other)
                if (id != *other && couldFollow(problem, id, *other, limits.run) && !mayShareAlready(buffer, *other))
                    all.push_back(Change::inPlaceOf(*other, id));
        }
        addOwnChanges(problem, id, bound.step, all);
    }
    if (all.size() > most) all.resize(most);
    return all;
}

/// True if tensors or buffers of unknown size are left out, so that nothing is proved of the plans of the whole.
bool isPartial(const Problem& problem, const CounterfactualLimits& limits)
{
    return !problem.unknownSizes.empty() || (limits.run && limits.run->report.partial);
}

void sortByMerit(const Problem& problem, std::vector<Counterfactual>& found)
{
    std::stable_sort(found.begin(), found.end(), [&](const Counterfactual& a, const Counterfactual& b) {
        if (a.size != b.size) return a.size < b.size;
        if (a.bound != b.bound) return a.bound < b.bound;
        return cost(problem, a.change) < cost(problem, b.change);
    });
}

} // namespace

RankedChanges withoutChange(const Problem& problem, Plan& plan, PoolId pool, const CounterfactualLimits& limits)
{
    // All other results are compared with this one, so that it gets more work than each of them.
    constexpr std::uint64_t share = 10;
    RankedChanges ranked;
    ranked.unchanged = plan.poolSize(problem, pool);
    Bytes bound = lowerBound(problem, plan, pool).bytes;
    if (bound < ranked.unchanged) {
        if (auto found = replan(problem, pool, membersOf(problem, plan, pool), &plan, limits, share)) {
            bound = std::max(bound, found->lower);
            if (found->better && found->better->poolSize(problem, pool) < ranked.unchanged &&
                check(problem, *found->better, 1).valid()) {
                plan = *std::move(found->better);
                ranked.unchanged = plan.poolSize(problem, pool);
            }
        }
    }
    ranked.unchangedSmallest = bound >= ranked.unchanged && !isPartial(problem, limits);
    return ranked;
}

Expected<Counterfactual> counterfactual(const Problem& problem, const Plan& plan, const Change& change,
                                        const CounterfactualLimits& limits)
{
    if (change.kind == Change::Kind::tile)
        return failure(Code::notSingle, "a tile is not a single buffer", {}, "plan the changed problem instead");
    auto other = changed(problem, change);
    if (!other) return other.error();
    if (at(change.buffer) >= plan.placements.size() || !plan.placements[at(change.buffer)].placed())
        return failure(Code::notPlaced, fmt::format("'{}' is not placed", problem.buffers[at(change.buffer)].name), {},
                       "plan the problem first");
    const PoolId pool = plan.placements[at(change.buffer)].pool;
    Counterfactual result;
    result.change = change;
    result.bound = lowerBound(*other, plan, pool).bytes;
    const bool stillValid = check(*other, plan, 1).valid();
    const auto found = replan(*other, pool, membersOf(*other, plan, pool), stillValid ? &plan : nullptr, limits, 1);
    if (!found) {
        // The search cannot take this problem: keep the given plan if it is valid.
        if (!stillValid) return found.error();
        result.size = plan.poolSize(*other, pool);
    } else {
        result.size = stillValid ? std::min(found->size, plan.poolSize(*other, pool)) : found->size;
        result.bound = std::max(result.bound, found->lower);
    }
    result.smallest = result.bound >= result.size && !isPartial(problem, limits);
    return result;
}

RankedChanges bestSingleChanges(const Problem& problem, const Plan& plan, PoolId pool, const CounterfactualLimits& limits)
{
    if (!check(problem, plan, 1).valid()) return {};
    Plan best = plan;
    RankedChanges ranked = withoutChange(problem, best, pool, limits);
    const Bytes bound = lowerBound(problem, plan, pool).bytes;
    for (const Change& change : candidates(problem, plan, pool, limits)) {
        if (limits.cancel.stop_requested()) break;
        const auto result = counterfactual(problem, best, change, limits);
        if (result && (result->size < ranked.unchanged || result->bound < bound)) ranked.changes.push_back(*result);
    }
    sortByMerit(problem, ranked.changes);
    return ranked;
}

RankedChanges changesOfBuffer(const Problem& problem, const Plan& plan, BufferId buffer, const CounterfactualLimits& limits)
{
    if (!known(problem, buffer) || at(buffer) >= plan.placements.size() || !plan.placements[at(buffer)].placed() ||
        !check(problem, plan, 1).valid())
        return {};
    const PoolId pool = plan.placements[at(buffer)].pool;
    Plan best = plan;
    RankedChanges ranked = withoutChange(problem, best, pool, limits);
    std::vector<Change> all;
    const Buffer& self = problem.buffers[at(buffer)];
    const CliqueCertificate bound = lowerBound(problem, plan, pool);
    addOwnChanges(problem, buffer, bound.step, all);
    if (bound.step >= 0 && problem.axis != Axis::dag)
        for (const BufferId other : membersOf(problem, plan, pool)) {
            if (all.size() >= changesTried(problem, limits)) break;
            if (other == buffer || mayShareAlready(self, other)) continue;
            if (couldFollow(problem, buffer, other, limits.run)) all.push_back(Change::inPlaceOf(other, buffer));
            if (couldFollow(problem, other, buffer, limits.run)) all.push_back(Change::inPlaceOf(buffer, other));
        }
    for (const Change& change : all) {
        if (limits.cancel.stop_requested()) break;
        if (const auto result = counterfactual(problem, best, change, limits)) ranked.changes.push_back(*result);
    }
    sortByMerit(problem, ranked.changes);
    return ranked;
}

Expected<Change> parseChange(const Problem& problem, std::string_view text)
{
    const auto wrong = [&](std::string_view clause) {
        return failure(Code::badChange, fmt::format("the change '{}' {}", text, clause), {},
                       "write size:NAME=BYTES, live:NAME=3-7,9-12 or in-place:NAME=OTHER");
    };
    const auto numberIn = [](std::string_view digits, std::int64_t& to) {
        const auto number = parsedNumber<std::int64_t>(digits);
        to = number.value_or(to);
        return number.has_value();
    };
    const auto buffer = [&](std::string_view name) {
        for (std::size_t id = 0; id < problem.buffers.size(); ++id)
            if (problem.buffers[id].name == name) return static_cast<BufferId>(id);
        return none;
    };
    const std::size_t colon = text.find(':'), equals = text.rfind('=');
    if (colon == std::string_view::npos || equals == std::string_view::npos || equals < colon)
        return wrong("is not KIND:NAME=VALUE");
    const std::string_view kind = text.substr(0, colon), name = text.substr(colon + 1, equals - colon - 1),
                           value = text.substr(equals + 1);
    Change change;
    change.buffer = buffer(name);
    if (change.buffer == none) return wrong(fmt::format("names '{}', which is not a buffer", name));
    if (kind == "size") {
        if (!numberIn(value, change.size) || change.size < 1) return wrong("has no size of 1 byte or more after '='");
        return change;
    }
    if (kind == "in-place") {
        change.kind = Change::Kind::inPlace;
        change.other = buffer(value);
        if (change.other == none) return wrong(fmt::format("names '{}', which is not a buffer", value));
        if (change.other == change.buffer) return wrong("puts a buffer in place of itself");
        return change;
    }
    if (kind != "live") return wrong(fmt::format("is of the kind '{}'", kind));
    change.kind = Change::Kind::live;
    for (std::size_t begin = 0; begin <= value.size();) {
        const std::size_t end = std::min(value.find(',', begin), value.size());
        const std::string_view range = value.substr(begin, end - begin);
        const std::size_t dash = range.find('-');
        Interval interval;
        if (dash == std::string_view::npos || !numberIn(range.substr(0, dash), interval.begin) ||
            !numberIn(range.substr(dash + 1), interval.end))
            return wrong(fmt::format("has '{}', which is not a range", range));
        if (interval.begin >= interval.end || (!change.live.empty() && interval.begin < change.live.back().end))
            return wrong("has ranges that are empty or out of order; they are half-open");
        change.live.push_back(interval);
        begin = end + 1;
    }
    return change;
}

} // namespace stowage

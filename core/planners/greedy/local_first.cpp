#include "core/planners/greedy/local_first.h"

#include "core/ir/checked.h"
#include "core/ir/occupied.h"
#include "core/plan/recorder.h"
#include "core/plan/report.h"
#include "core/planners/common/buffer_table.h"
#include "core/planners/common/can_plan.h"
#include "core/planners/common/one_pool.h"
#include "core/planners/greedy/greedy_by_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace stowage {

namespace {

/// Sorted, and what overlaps or touches made one.
std::vector<Interval> merged(std::vector<Interval> ranges)
{
    std::sort(ranges.begin(), ranges.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    std::vector<Interval> result;
    for (const Interval& range : ranges) {
        if (!result.empty() && range.begin <= result.back().end)
            result.back().end = std::max(result.back().end, range.end);
        else
            result.push_back(range);
    }
    return result;
}

/// The ids by their numbers in `to`, ascending, each once.
std::vector<BufferId> renumbered(std::span<const BufferId> ids, const std::vector<BufferId>& to)
{
    std::vector<BufferId> result;
    for (const BufferId id : ids) result.push_back(to[at(id)]);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// The internal buffers of one operator with the same candidates, and where they lie in their block.
struct Block {
    ScopeId scope = none;
    std::vector<BufferId> members; ///< ascending
    BufferId outer = none;         ///< the block as a buffer of the outer problem
    Bytes size = 0;
    Plan plan;
};

class LocalFirst : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = cannotPlan(info_, problem, options)) return *error;
        if (const BufferTable table(problem); table.error()) return *table.error();
        PlanContext quiet = context;
        quiet.recorder = nullptr;
        quiet.publish = nullptr;
        std::vector<Block> blocks = blocksOf(problem);
        Plan result;
        for (Block& block : blocks) {
            const Problem inside = innerProblem(problem, block);
            quiet.workLimit = context.workLeft(result.work);
            auto inner = greedyBySize()->plan(inside, {}, quiet);
            if (!inner) return inner;
            block.plan = *std::move(inner);
            block.size = block.plan.poolSize(inside, 0);
            note(block.plan, result);
        }
        std::vector<BufferId> to; // the outer buffer of each one
        auto outer = outerProblem(problem, blocks, to);
        if (!outer) return std::move(outer).error();
        quiet.workLimit = context.workLeft(result.work);
        auto plan = greedyBySize()->plan(*outer, {}, quiet);
        if (!plan) return plan;
        note(*plan, result);
        result.planner = info_.name;
        result.options = options;
        result.seed = context.seed;
        result.placements.resize(problem.buffers.size());
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) result.placements[b] = plan->placements[at(to[b])];
        for (const Block& block : blocks) setInside(plan->placements[at(block.outer)], block, result);
        result.diagnostics = std::move(plan->diagnostics);
        result.diagnostics.push_back(gained(problem, *outer, blocks));
        if (context.recorder) record(problem, result, *context.recorder);
        return result;
    }

private:
    static void note(const Plan& part, Plan& whole)
    {
        whole.work += part.work;
        if (whole.stoppedBy == StoppedBy::complete) whole.stoppedBy = part.stoppedBy;
    }

    static std::vector<Block> blocksOf(const Problem& problem)
    {
        std::map<std::pair<ScopeId, std::vector<PoolId>>, std::vector<BufferId>> groups;
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            const Buffer& buffer = problem.buffers[b];
            // A pin is a place in the pool and no place in a block, and who shares with nobody has nothing to do there.
            if (buffer.scope == none || buffer.pin || buffer.unique || buffer.size == 0) continue;
            groups[{buffer.scope, problem.candidates(buffer)}].push_back(static_cast<BufferId>(b));
        }
        std::vector<Block> blocks;
        for (auto& [key, members] : groups) blocks.push_back({key.first, std::move(members), none, 0, {}});
        return blocks;
    }

    static Problem innerProblem(const Problem& problem, const Block& block)
    {
        Pool pool;
        for (const PoolId candidate : problem.candidates(problem.buffers[at(block.members.front())]))
            pool.alignment = checkedLcm(pool.alignment, problem.pools[at(candidate)].alignment).value_or(pool.alignment);
        return inOnePool(problem, block.members, std::move(pool));
    }

    /// Blocks after the other buffers, all live as seen from outside the operators.
    static Expected<Problem> outerProblem(const Problem& problem, std::vector<Block>& blocks, std::vector<BufferId>& to)
    {
        Problem outer;
        outer.axis = problem.axis;
        outer.loops = problem.loops;
        outer.pools = problem.pools;
        to.assign(problem.buffers.size(), none);
        for (const Block& block : blocks)
            for (const BufferId b : block.members) to[at(b)] = -2;
        BufferId next = 0;
        for (BufferId& b : to)
            if (b == none) b = next++;
        for (Block& block : blocks) {
            block.outer = next++;
            for (const BufferId b : block.members) to[at(b)] = block.outer;
        }
        std::vector<Interval> calls;
        for (const Scope& scope : problem.scopes) calls.insert(calls.end(), scope.live.begin(), scope.live.end());
        calls = merged(std::move(calls));

        outer.buffers.resize(static_cast<std::size_t>(next));
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            const Buffer& from = problem.buffers[b];
            if (!outside(blocks, to[b])) continue;
            Buffer& buffer = outer.buffers[at(to[b])];
            buffer = from;
            buffer.scope = none;
            buffer.conflicts = renumbered(from.conflicts, to);
            buffer.mayShare.clear();
            for (const BufferId other : from.mayShare)
                if (outside(blocks, to[at(other)])) buffer.mayShare.push_back(to[at(other)]);
            std::sort(buffer.mayShare.begin(), buffer.mayShare.end());
            extend(buffer, calls);
        }
        for (const Block& block : blocks) {
            Buffer& buffer = outer.buffers[at(block.outer)];
            buffer.size = block.size;
            buffer.pools = problem.candidates(problem.buffers[at(block.members.front())]);
            std::vector<Interval> live = problem.scopes[at(block.scope)].live;
            for (const BufferId b : block.members) {
                const Buffer& member = problem.buffers[at(b)];
                const auto common = checkedLcm(buffer.alignment, member.alignment);
                if (!common)
                    return failure(
                        Code::addressOverflow,
                        fmt::format("the alignments of the buffers of operator '{}' have no common multiple below 2^62",
                                    problem.scopes[at(block.scope)].name));
                buffer.alignment = *common;
                forEachOccupied(member, [&](const Occupied& it) { live.push_back(it.steps); });
                for (const BufferId other : renumbered(member.conflicts, to))
                    if (other != block.outer) buffer.conflicts.push_back(other);
            }
            std::sort(buffer.conflicts.begin(), buffer.conflicts.end());
            buffer.conflicts.erase(std::unique(buffer.conflicts.begin(), buffer.conflicts.end()), buffer.conflicts.end());
            buffer.live = merged(std::move(live));
        }
        return outer;
    }

    static bool outside(const std::vector<Block>& blocks, BufferId outer)
    {
        return blocks.empty() || outer < blocks.front().outer; // they are numbered after all others
    }

    /// Live over the whole of each call in which anything of it is.
    static void extend(Buffer& buffer, const std::vector<Interval>& calls)
    {
        std::vector<Interval> entered;
        forEachOccupied(buffer, [&](const Occupied& it) {
            auto call = std::lower_bound(calls.begin(), calls.end(), it.steps.begin,
                                         [](const Interval& c, Step begin) { return c.end <= begin; });
            for (; call != calls.end() && call->begin < it.steps.end; ++call) entered.push_back(*call);
        });
        if (entered.empty()) return;
        widenWindows(buffer); // inside an operator parts of a buffer are not told apart
        buffer.live.insert(buffer.live.end(), entered.begin(), entered.end());
        buffer.live = merged(std::move(buffer.live));
    }

    static void setInside(const Placement& where, const Block& block, Plan& result)
    {
        for (std::size_t i = 0; i < block.members.size(); ++i) {
            Placement placement = block.plan.placements[i];
            placement.pool = where.pool;
            placement.offset += where.offset;
            for (Bytes& offset : placement.offsets) offset += where.offset;
            result.placements[at(block.members[i])] = std::move(placement);
        }
    }

    static Diagnostic gained(const Problem& problem, const Problem& outer, const std::vector<Block>& blocks)
    {
        if (blocks.empty())
            return {Severity::note,
                    Code::noOperators,
                    "the problem names no operators with buffers of their own, so no operator is planned first",
                    {},
                    {}};
        return {Severity::note,
                Code::localFirst,
                fmt::format("with liveness by operator no plan is below {} bytes; by step it would be {} bytes",
                            lowerBound(outer, none).bytes, lowerBound(problem, none).bytes),
                {},
                "plan everything at once with another planner"};
    }

    static void record(const Problem& problem, const Plan& plan, StepRecorder& recorder)
    {
        const std::uint16_t inside = recorder.reason(StepRule::insideOperator);
        const std::uint16_t between = recorder.reason(StepRule::betweenOperators);
        for (std::size_t b = 0; b < plan.placements.size(); ++b)
            recorder.add({StepKind::place, problem.buffers[b].scope == none ? between : inside, static_cast<BufferId>(b),
                          plan.placements[b].pool, plan.placements[b].offset});
    }

    PlannerInfo info_ = {
        .name = "local-first",
        .summary = "Shares inside each operator first, then between operators: the baseline for unified planning.",
        .source = "Apache TVM before unified planning: StorageRewrite, then GraphPlanMemory",
        .options = {},
        .takes = {},
        .lowering = {},
    };
};

} // namespace

std::shared_ptr<const Planner> localFirst()
{
    return std::make_shared<LocalFirst>();
}

} // namespace stowage

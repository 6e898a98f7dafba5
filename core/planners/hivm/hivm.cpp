#include "core/planners/hivm/hivm.h"

#include "core/ir/checked.h"
#include "core/plan/pins.h"
#include "core/planners/common/can_plan.h"
#include "core/planners/hivm/advice.h"
#include "core/planners/hivm/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

using hivm::Level;

constexpr std::uint64_t longestSearch = 4'000'000; ///< places looked at by one search with rollback

class HivmPlanner : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = cannotPlan(info_, problem, options)) return *error;
        if (const auto confined = withPinsConfined(problem)) return plan(*confined, options, context);
        auto assigned = buffersByPool(problem);
        if (!assigned) return std::move(assigned).error();
        const std::vector<std::vector<BufferId>>& byPool = *assigned;
        const hivm::MemoryOptions scope = scopeOptions(options, context);
        hivm::Effort effort(context, longestSearch);

        Plan plan;
        plan.planner = info_.name;
        plan.options = options;
        plan.seed = context.seed;
        plan.placements.resize(problem.buffers.size());
        plan.levels.resize(problem.buffers.size());
        for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) {
            const std::vector<BufferId>& buffers = byPool[static_cast<std::size_t>(p)];
            if (buffers.empty()) continue;
            const auto planned = hivm::planMemory(problem, p, buffers, scope, effort, context.recorder);
            if (!planned) return planned.error();
            // Buffers without bytes lie anywhere where bytes are reused.
            for (const BufferId b : buffers) plan.placements[static_cast<std::size_t>(b)] = emptyPlace(problem, b, p);
            settle(problem, *planned, plan);
            tell(problem, *planned, scope, context, !effort.stopped(), plan.diagnostics);
        }
        plan.work = std::max<std::uint64_t>(effort.work(), problem.buffers.size());
        if (effort.stopped()) plan.stoppedBy = *effort.stopped();
        return plan;
    }

    [[nodiscard]] std::optional<hivm::Overflow> overflowOf(const Problem& problem, PoolId pool, OptionValues options,
                                                           const PlanContext& context) const
    {
        if (const auto confined = withPinsConfined(problem)) return overflowOf(*confined, pool, options, context);
        std::erase_if(options, [&](const auto& option) {
            return std::none_of(info_.options.begin(), info_.options.end(),
                                [&](const OptionSpec& known) { return known.name == option.first; });
        });
        const auto byPool = buffersByPool(problem);
        if (!byPool || pool < 0 || static_cast<std::size_t>(pool) >= byPool->size() || checkOptions(info_, options))
            return std::nullopt;
        const hivm::MemoryOptions scope = scopeOptions(options, context);
        hivm::Effort effort(context, longestSearch);
        const auto planned = hivm::planMemory(problem, pool, (*byPool)[static_cast<std::size_t>(pool)], scope, effort, nullptr);
        if (!planned || planned->fits || effort.stopped()) return std::nullopt;
        return hivm::explainOverflow(problem, *planned, scope, context);
    }

private:
    static Expected<std::vector<std::vector<BufferId>>> buffersByPool(const Problem& problem)
    {
        std::vector<std::vector<BufferId>> byPool(problem.pools.size());
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            const std::vector<PoolId> candidates = problem.candidates(problem.buffers[b]);
            if (candidates.empty())
                return failure(Code::noPool,
                               fmt::format("there is no workspace pool that '{}' could go to", problem.buffers[b].name), {},
                               "add a workspace pool, or name pools for it");
            byPool[static_cast<std::size_t>(poolFor(problem, problem.buffers[b], candidates))].push_back(
                static_cast<BufferId>(b));
        }
        return byPool;
    }

    hivm::MemoryOptions scopeOptions(const OptionValues& options, const PlanContext& context) const
    {
        hivm::MemoryOptions scope;
        scope.largestFirst = optionValue(info_, options, "plan-memory-strategy") == "largest-first";
        scope.documentLevels = optionValue(info_, options, "levels") == "document";
        scope.workspaceReuse = optionFlag(info_, options, "enable-global-workspace-reuse");
        scope.attempts = optionInteger(info_, options, "attempts");
        scope.seed = context.seed;
        return scope;
    }

    /// The first candidate that could hold it by itself, else the last one. Ascend's buffers name one memory each.
    static PoolId poolFor(const Problem& problem, const Buffer& buffer, const std::vector<PoolId>& candidates)
    {
        for (const PoolId p : candidates) {
            const auto& capacity = problem.pools[static_cast<std::size_t>(p)].capacity;
            if (!capacity || buffer.size <= *capacity / buffer.slots) return p;
        }
        return candidates.back();
    }

    static Placement emptyPlace(const Problem& problem, BufferId b, PoolId pool)
    {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(b)];
        Placement place;
        place.pool = pool;
        place.offset = buffer.pin.value_or(0);
        if (buffer.slots > 1) {
            place.offsets.assign(static_cast<std::size_t>(buffer.slots), place.offset);
            place.rotations.push_back({buffer.loop, buffer.slots, false});
        }
        return place;
    }

    /// The addresses of a buffer are those of its slots in order, then those that an upgrade gave.
    static void settle(const Problem& problem, const hivm::MemoryPlan& scope, Plan& plan)
    {
        for (std::size_t e = 0; e < scope.entries.size(); ++e) {
            const hivm::Entry& entry = scope.entries[e];
            if (entry.slot > 0) continue;
            std::vector<Bytes> offsets{scope.layout.offsets[e]};
            for (const std::int32_t other : entry.others)
                offsets.push_back(scope.layout.offsets[static_cast<std::size_t>(other)]);
            offsets.insert(offsets.end(), scope.layout.extras[e].begin(), scope.layout.extras[e].end());
            Placement& place = plan.placements[static_cast<std::size_t>(entry.buffer)];
            place = {scope.pool, offsets.front(), {}, {}};
            plan.levels[static_cast<std::size_t>(entry.buffer)] = scope.layout.levels[e];
            if (offsets.size() == 1) continue;
            place.rotations.push_back(
                {problem.buffers[static_cast<std::size_t>(entry.buffer)].loop, static_cast<std::int32_t>(offsets.size()), false});
            place.offsets = offsets;
        }
    }

    static Bytes bits(Bytes bytes) { return checkedMultiply(bytes, 8).value_or(maxBytes); }

    /// "red0, red1 and 3 more", or "none".
    static std::string namesAt(const Problem& problem, const hivm::MemoryPlan& scope, Level level)
    {
        std::string names;
        std::size_t count = 0;
        for (std::size_t e = 0; e < scope.entries.size(); ++e) {
            if (scope.layout.levels[e] != level || scope.entries[e].slot > 0) continue;
            if (++count <= 6)
                names += fmt::format("{}{}", count == 1 ? "" : ", ",
                                     problem.buffers[static_cast<std::size_t>(scope.entries[e].buffer)].name);
        }
        if (count == 0) return "none";
        return count > 6 ? fmt::format("{} and {} more", names, count - 6) : names;
    }

    static void tell(const Problem& problem, const hivm::MemoryPlan& scope, const hivm::MemoryOptions& options,
                     const PlanContext& context, bool ended, Diagnostics& diagnostics)
    {
        const Pool& pool = problem.pools[static_cast<std::size_t>(scope.pool)];
        if (pool.core == CoreMemory::operand)
            diagnostics.push_back(warning(Code::compilerPlansNot,
                                          fmt::format("{} is planned here, but the compiler refuses buffers in it", pool.name)));
        if (!scope.fits) {
            if (ended) diagnostics.push_back(hivm::describe(problem, hivm::explainOverflow(problem, scope, options, context)));
            return;
        }
        const std::size_t any = scope.placedAt(Level::any);
        const std::size_t upgraded = scope.placedAt(Level::upgraded);
        const std::size_t otherLoop = scope.placedAt(Level::otherLoop);
        if (any + upgraded + otherLoop == 0 || !pool.capacity) return;
        diagnostics.push_back(warning(Code::reuseAcrossPipes,
                                      fmt::format("{} is reused across pipes, which may stall them: without that {} bits would "
                                                  "be needed while {} bits are available; "
                                                  "placed at level 2: {}; level 1: {}; level 0: {}",
                                                  pool.name, bits(scope.withoutStalls), bits(*pool.capacity),
                                                  namesAt(problem, scope, Level::otherLoop),
                                                  namesAt(problem, scope, Level::upgraded), namesAt(problem, scope, Level::any)),
                                      {}, "drop a multi-buffer, or make tiles smaller, to need less"));
        if (scope.layout.rollbacks > 0)
            diagnostics.push_back(
                {Severity::note,
                 Code::rollbacks,
                 fmt::format("{}: {} rollback{}{}", pool.name, scope.layout.rollbacks, scope.layout.rollbacks == 1 ? "" : "s",
                             scope.layout.split ? ", and a restart that keeps covered bounds apart" : ""),
                 {},
                 {}});
    }

    PlannerInfo info_ = {
        .name = "hivm",
        .summary = "Ascend's PlanMemory: end to end if that fits, else reuse by levels 3 to 0 with rollback, for each pool.",
        .source = "AscendNPU-IR, 2025 to 2026",
        .options =
            {{.name = "mem-plan-mode",
              .type = OptionType::choice,
              .defaultValue = "both",
              .description =
                  "local-mem-plan: memories on the chip alone; global-work-space-plan: workspaces in global memory alone (used "
                  "by the "
                  "lowering, which leaves the others out); both: as the compiler's pipeline, which runs the pass in either mode.",
              .choices = {"both", "local-mem-plan", "global-work-space-plan"}},
             {.name = "enable-global-workspace-reuse",
              .type = OptionType::boolean,
              .defaultValue = "false",
              .description = "Buffers of one workspace share bytes when they are not live together.",
              .choices = {}},
             {.name = "restrict-inplace-as-isa",
              .type = OptionType::boolean,
              .defaultValue = "false",
              .description = "Only what the instructions themselves allow is merged in place (used by the lowering).",
              .choices = {}},
             {.name = "plan-memory-strategy",
              .type = OptionType::choice,
              .defaultValue = "default",
              .description = "largest-first: in the unified buffer, by size inside each class of buffers.",
              .choices = {"default", "largest-first"}},
             {.name = "disable-tightly-coupled-buffer-reuse",
              .type = OptionType::boolean,
              .defaultValue = "false",
              .description = "A tightly coupled buffer of the function's own core shares with nothing (used by the lowering).",
              .choices = {}},
             {.name = "simt-vf-dynamic-size",
              .type = OptionType::integer,
              .defaultValue = "216",
              .description = "KB of the unified buffer that SIMT and MIX functions of A5 have (used by the lowering).",
              .choices = {},
              .minimum = 1,
              .maximum = 65536},
             {.name = "levels",
              .type = OptionType::choice,
              .defaultValue = "current",
              .description = "current: levels 3, 2, 1, 0; document: without 2, as the compiler's document of 2025 has it.",
              .choices = {"current", "document"}},
             {.name = "attempts",
              .type = OptionType::integer,
              .defaultValue = "1",
              .description =
                  "Orders tried: the natural one (or one drawn from the seed), then drawn ones; the best plan is kept.",
              .choices = {},
              .minimum = 1,
              .maximum = 100000}},
        .takes = {.carried = false},
        .lowering = {},
    };
};

} // namespace

std::shared_ptr<const Planner> hivmPlanner()
{
    return std::make_shared<HivmPlanner>();
}

std::optional<hivm::Overflow> hivmOverflow(const Problem& problem, PoolId pool, const OptionValues& options,
                                           const PlanContext& context)
{
    return HivmPlanner().overflowOf(problem, pool, options, context);
}

} // namespace stowage

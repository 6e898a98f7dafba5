#include "app/session/planning.h"

#include "app/session/incumbent_checker.h"
#include "core/ir/digits.h"
#include "core/lower/options.h"
#include "core/plan/objective.h"
#include "core/planners/common/overflow.h"
#include "core/planners/pools/achieved.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace stowage {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// The planner's answer; what it throws becomes an error, as planners of others may.
Expected<Plan> guarded(const Planner& planner, const Problem& problem, const OptionValues& options, const PlanContext& context)
{
    const std::string& name = planner.info().name;
    try {
        return planner.plan(problem, options, context);
    } catch (const std::bad_alloc&) {
        return failure(Code::outOfMemory, fmt::format("planner {} ran out of memory", name), {}, "try a planner that needs less");
    } catch (const std::exception& exception) {
        return failure(Code::plannerFailed, fmt::format("planner {} failed: {}", name, exception.what()));
    }
}

Run prototypeOf(const LoweringCache::Answer& lowered, const PlanRequest& request)
{
    Run run;
    run.program = lowered.program;
    run.lowering = *lowered.lowering;
    run.targetName = request.target.name.toStdString();
    return run;
}

/// The first words of the note about the smallest capacity of a pool with which a plan was found. `more`: it is above the pool's.
std::string beginOfNote(const std::string& pool, bool more)
{
    return more ? fmt::format("the smallest capacity of {} with which a plan was found is ", pool)
                : fmt::format("another planner's plan fits into {}: ", pool);
}

/// Makes the changes that the request asks for, in a lowering of the run's own. Returns what could not be made.
Diagnostics makeChanges(Run& run, const std::vector<Change>& changes)
{
    Diagnostics left;
    if (changes.empty()) return left;
    auto lowering = std::make_shared<Lowering>(*run.lowering);
    for (const Change& wanted : changes) {
        const auto ids = withIds(lowering->problem, wanted);
        auto next = ids ? changed(lowering->problem, *ids) : Expected<Problem>(ids.error());
        if (!next) {
            const std::string& of = wanted.kind == Change::Kind::tile ? "loop " + wanted.names.loop : wanted.names.buffer;
            left.push_back({Severity::warning,
                            Code::changeLeftOut,
                            fmt::format("the change of {} was left out: {}", of, next.error().message),
                            {},
                            {}});
            continue;
        }
        lowering->problem = *std::move(next);
        lowering->fingerprint.changes.push_back(wanted);
    }
    run.lowering = std::move(lowering);
    return left;
}

/// Fixes buffers where the request says, in a lowering of the run's own. Returns what could not be kept.
Diagnostics pin(Run& run, const std::vector<PinRequest>& pins)
{
    Diagnostics left;
    if (pins.empty()) return left;
    auto lowering = std::make_shared<Lowering>(*run.lowering);
    Problem& problem = lowering->problem;
    std::map<std::string_view, std::size_t> byName;
    for (const PinRequest& wanted : pins) byName.emplace(wanted.buffer, problem.buffers.size());
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
        if (const auto found = byName.find(problem.buffers[i].name); found != byName.end()) found->second = i;
    std::map<std::size_t, PinRequest> kept; // by buffer: the order of the request is no difference
    for (const PinRequest& wanted : pins) {
        const auto leave = [&](const std::string& why) {
            left.push_back(
                {Severity::warning, Code::pinLeftOut, fmt::format("the pin of {} was left out: {}", wanted.buffer, why), {}, {}});
        };
        const std::size_t at = byName.at(wanted.buffer);
        const auto pool =
            std::find_if(problem.pools.begin(), problem.pools.end(), [&](const Pool& p) { return p.name == wanted.pool; });
        if (at == problem.buffers.size()) {
            leave("there is no such buffer in this lowering");
        } else if (pool == problem.pools.end()) {
            leave(fmt::format("there is no pool named '{}'", wanted.pool));
        } else {
            Buffer& buffer = problem.buffers[at];
            const auto id = static_cast<PoolId>(pool - problem.pools.begin());
            const Bytes alignment = problem.effectiveAlignment(buffer, id);
            if (wanted.offset < 0 || wanted.offset % alignment != 0) {
                leave(fmt::format("{} is not a multiple of its alignment, {}", wanted.offset, alignment));
                continue;
            }
            buffer.pin = wanted.offset;
            buffer.pools = {id};
            kept[at] = wanted;
        }
    }
    for (const auto& [buffer, request] : kept) lowering->fingerprint.pins.push_back(request);
    run.lowering = std::move(lowering);
    return left;
}

/// The better plans of a search as steps, for planners that record none of their own: each plan is what it moves, and then its
/// size. What moves leaves before anything comes, so that no step shows two buffers in one place.
class FoundPlans {
public:
    explicit FoundPlans(const Problem& problem) : problem_(problem), last_(problem.buffers.size()) {}

    /// From any thread of the planner. O(buffers * pools).
    void add(const Plan& plan)
    {
        const std::lock_guard lock(mutex_);
        const std::uint16_t why = steps_.reason(StepRule::betterPlan);
        const std::size_t count = std::min(last_.size(), plan.placements.size());
        const auto moves = [&](std::size_t i) { return plan.placements[i].placed() && plan.placements[i] != last_[i]; };
        for (std::size_t i = 0; i < count; ++i)
            if (moves(i) && last_[i].placed())
                steps_.add({StepKind::remove, why, static_cast<BufferId>(i), last_[i].pool, last_[i].offset});
        for (std::size_t i = 0; i < count; ++i) {
            if (!moves(i)) continue;
            const Placement& placement = plan.placements[i];
            steps_.add({StepKind::place, why, static_cast<BufferId>(i), placement.pool, placement.offset});
            last_[i] = placement;
        }
        steps_.add({StepKind::improve, 0, none, none, objectiveOf(problem_, plan).total});
    }
    [[nodiscard]] StepRecorder take() { return std::move(steps_); }

private:
    const Problem& problem_;
    std::mutex mutex_;
    std::vector<Placement> last_;
    StepRecorder steps_;
};

} // namespace

Expected<LowerOptions> lowerOptions(const PlannerInfo* planner, const PlanRequest& request, const Program* program)
{
    LowerOptions options;
    const auto setAll = [&](const auto& values) -> std::optional<Error> {
        for (const auto& [key, value] : values)
            if (auto error = options.set(key, value)) return error;
        return std::nullopt;
    };
    if (planner)
        if (auto error = setAll(planner->lowering)) return *std::move(error);
    if (program)
        if (auto error = setAll(program->lowering)) return *std::move(error);
    // An option of the planner that is one of the lowering, too: a compiler's switch is one thing, whichever part of ours obeys
    // it.
    if (planner && checkOptions(*planner, request.options) == std::nullopt)
        for (const OptionSpec& option : planner->options) {
            if (!lowering::isKernelOption(option.name)) continue;
            const std::string_view value = option.type != OptionType::boolean
                                               ? optionValue(*planner, request.options, option.name)
                                           : optionFlag(*planner, request.options, option.name) ? "on"
                                                                                                : "off";
            if (auto error = options.set(option.name, value)) return *std::move(error);
        }
    if (auto error = setAll(request.lowering)) return *std::move(error);
    options.alignment = request.alignment;
    options.pools = request.target.pools;
    return options;
}

Expected<std::shared_ptr<const Run>> runPlanner(const Planner& planner, const LoweringCache::Answer& lowered,
                                                const PlanRequest& request, const PlanContext& context, const IncumbentSink& sink)
{
    if (!lowered.lowering) return lowered.lowering.error();
    auto run = std::make_shared<Run>(prototypeOf(lowered, request));
    Diagnostics left = makeChanges(*run, request.changes);
    const Diagnostics unpinned = pin(*run, request.pins);
    left.insert(left.end(), unpinned.begin(), unpinned.end());
    const Problem& problem = run->problem();
    if (auto error = checkOptions(planner.info(), request.options)) return *std::move(error);
    if (auto error = checkCapabilities(planner.info(), problem)) return *std::move(error);

    const auto recorder = request.record ? std::make_shared<StepRecorder>() : nullptr;
    const auto begin = Clock::now();
    PlanContext inner = context;
    inner.publish = nullptr;
    inner.recorder = recorder.get();
    inner.seed = request.seed;
    inner.threads =
        recorder ? 1 : std::max(1U, request.threads); // in one thread the better plans come in the same order every time
    inner.workLimit = request.workLimit;
    if (request.timeLimitSeconds > 0)
        inner.deadline = begin + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(std::min(request.timeLimitSeconds, 1e9)));

    std::optional<IncumbentChecker> checker;
    if (sink) {
        checker.emplace(*run, begin, sink);
    }
    std::optional<FoundPlans> found;
    if (recorder) found.emplace(problem);
    if (checker || found)
        inner.publish = [&checker, &found](const Incumbent& incumbent) {
            if (checker) checker->submit(incumbent);
            if (found) found->add(incumbent.plan);
        };
    auto plan = guarded(planner, problem, request.options, inner);
    const double elapsedMs = millisecondsSince(begin);
    const std::size_t refused = checker ? checker->refused() : 0;
    checker.reset(); // it copies from *run, which changes below
    if (!plan) return std::move(plan).error();

    run->elapsedMs = elapsedMs;
    run->plan = *std::move(plan);
    if (run->plan.planner.empty()) run->plan.planner = planner.info().name;
    run->plan.placements.resize(problem.buffers.size()); // a planner of a plug-in may leave some out
    run->plan.diagnostics.insert(run->plan.diagnostics.end(), left.begin(), left.end());
    if (refused > 0)
        run->plan.diagnostics.push_back(
            {Severity::warning,
             Code::badIncumbent,
             fmt::format("{} published {} plans that are not valid; they were not shown", planner.info().name, refused),
             {},
             {}});
    run->report = evaluate(*run);
    if (run->report.status == Status::infeasible && run->report.verdict.valid()) tellThatNothingFits(problem, run->plan);
    if (found && recorder->steps().empty()) {
        found->add(run->plan);
        *recorder = found->take();
    }
    run->steps = recorder;
    if (run->report.verdict.overCapacity && run->report.verdict.valid())
        for (const AchievedCapacity& achieved : achievedCapacities(problem, run->plan, context)) {
            const Pool& pool = problem.pools[static_cast<std::size_t>(achieved.pool)];
            Diagnostic told;
            told.severity = Severity::note;
            told.code = Code::achievedCapacity;
            const Bytes more = achieved.bytes - pool.capacity.value_or(0);
            told.message =
                fmt::format("{}{} bytes, {} {} than it has ({})", beginOfNote(pool.name, more > 0), grouped(achieved.bytes),
                            grouped(std::abs(more)), more > 0 ? "more" : "less", achieved.planner);
            told.remedy =
                more > 0 ? fmt::format("--pool {}={}", pool.name, achieved.bytes) : fmt::format("--planner {}", achieved.planner);
            run->plan.diagnostics.push_back(std::move(told));
        }
    return std::shared_ptr<const Run>(std::move(run));
}

const Diagnostic* noteOfCapacity(const Run& run, PoolId pool)
{
    const std::string& name = run.problem().pools[static_cast<std::size_t>(pool)].name;
    const std::string more = beginOfNote(name, true), less = beginOfNote(name, false);
    const auto found = std::ranges::find_if(run.plan.diagnostics, [&](const Diagnostic& told) {
        return told.code == Code::achievedCapacity && (told.message.starts_with(more) || told.message.starts_with(less));
    });
    return found == run.plan.diagnostics.end() ? nullptr : &*found;
}

std::shared_ptr<const Run> fileRun(const FilePlan& filePlan, const LoweringCache::Answer& lowered, const Planner* planner,
                                   const PlanRequest& request)
{
    auto run = std::make_shared<Run>(prototypeOf(lowered, request));
    const Problem& problem = run->problem();
    Plan& plan = run->plan;
    plan.planner = filePlan.name;
    plan.placements.resize(problem.buffers.size());

    std::size_t placed = 0;
    if (!run->program)
        for (const FilePlan::Offset& at : filePlan.offsets) {
            if (at.tensor < 0 || static_cast<std::size_t>(at.tensor) >= plan.placements.size()) continue;
            Placement& placement = plan.placements[static_cast<std::size_t>(at.tensor)];
            const auto candidates = problem.candidates(problem.buffers[static_cast<std::size_t>(at.tensor)]);
            if (!placement.placed()) ++placed;
            placement.pool = candidates.empty() ? 0 : candidates.front();
            placement.offset = at.offset;
        }
    // A function may be expanded several times; the file knows each of its tensors once.
    for (const auto& [function, tensor, offset, offsets] : filePlan.offsets)
        for (const FunctionInstance& instance : run->lowering->instances) {
            if (instance.function != function || static_cast<std::size_t>(tensor) >= instance.bindings.size()) continue;
            const TensorBinding& binding = instance.bindings[static_cast<std::size_t>(tensor)];
            if (binding.buffer == none) continue;
            const auto buffer = static_cast<std::size_t>(binding.buffer);
            Placement& placement = plan.placements[buffer];
            if (placement.placed()) continue; // another view of the same bytes was first
            const auto candidates = problem.candidates(problem.buffers[buffer]);
            placement.pool = candidates.empty() ? 0 : candidates.front();
            placement.offset = offset - binding.delta;
            if (offsets.size() > 1) {
                for (const Bytes slot : offsets) placement.offsets.push_back(slot - binding.delta);
                placement.rotations = {{problem.buffers[buffer].loop, static_cast<std::int32_t>(offsets.size()), false}};
            }
            ++placed;
        }

    const std::size_t free = plan.placements.size() - placed;
    const bool toldOffsets = !filePlan.offsets.empty() || filePlan.sizes.empty();
    if (free > 0 && planner && toldOffsets) {
        Problem rest = problem;
        for (std::size_t i = 0; i < rest.buffers.size(); ++i) {
            if (!plan.placements[i].placed()) continue;
            rest.buffers[i].pin = plan.placements[i].offset;
            rest.buffers[i].pools = {plan.placements[i].pool};
        }
        if (auto filled = guarded(*planner, rest, {}, {}); filled && filled->placements.size() == plan.placements.size()) {
            for (std::size_t i = 0; i < plan.placements.size(); ++i)
                if (!plan.placements[i].placed()) plan.placements[i] = filled->placements[i];
            plan.diagnostics.push_back({Severity::note,
                                        Code::filePlanCompleted,
                                        fmt::format("the file places {} of {} buffers; {} placed the other {} around them",
                                                    placed, plan.placements.size(), planner->info().name, free),
                                        {},
                                        {}});
        }
    }
    run->report = evaluate(*run);
    for (const auto& [pool, size] : filePlan.sizes)
        for (PoolReport& report : run->report.pools)
            if (problem.pools[static_cast<std::size_t>(report.pool)].name == pool) report.size = std::max(report.size, size);
    if (!toldOffsets) {
        // It ran, so it holds; nothing says where anything lay. The bound is that of all buffers.
        run->report.status = Status::feasible;
        run->report.proof = ProofKind::claim;
        run->report.verdict = {};
        for (PoolReport& report : run->report.pools) {
            report.certificate = lowerBound(problem, report.pool);
            report.lowerBound = report.certificate.bytes;
        }
    }
    return run;
}

} // namespace stowage

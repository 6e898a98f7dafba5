#include "plugins/host/isolated_planner.h"

#include "core/plan/report.h"
#include "core/plan/run_failure.h"
#include "core/plan/verdict_words.h"
#include "plugins/api/plugin.h"
#include "plugins/external/answer.h"
#include "plugins/external/frames.h"
#include "plugins/external/guarded_process.h"
#include "plugins/host/import_messages.h"
#include "plugins/host/plan_messages.h"
#include "plugins/host/plugin_ledger.h"
#include "plugins/host/worker_process.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <limits>
#include <utility>

namespace stowage {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds tick = 20ms;
constexpr Milliseconds timeToAnswerCancel = 2s;
constexpr Milliseconds slack = 1s; ///< after that, until the limits of the process end it
constexpr Bytes plannerMemory = Bytes{8} << 30;
constexpr auto tellAuthor = "report it to the author of the plug-in";

/// Maximum number of bytes of one message, far above those of a plan. Better plans may be sent without a limit: each is taken and
/// left before the next is read.
std::size_t maxMessage(const Problem& problem)
{
    std::size_t bytes = std::size_t{64} << 20;
    for (const Buffer& buffer : problem.buffers) bytes += 1024 + 16 * static_cast<std::size_t>(std::max(buffer.slots, 1));
    return bytes;
}

/// Names a time that is not below that of workers that read files: the variable sets this one, too.
std::string raiseTime(Milliseconds timeout)
{
    return timeRemedy(std::max(timeout, defaultWorkerTime));
}

external::ProcessLimits processLimits(Bytes memory, Milliseconds timeout)
{
    return {memory,
            std::numeric_limits<Bytes>::max(),
            timeout + timeToAnswerCancel + slack,
            {memoryRemedy(memory), {}, raiseTime(timeout)}};
}

/// The same judgement as for programs: complete, in range, without overlaps; and no word of theirs is a proof.
Expected<Plan> accepted(const Problem& problem, Plan plan)
{
    external::Answer answer(problem);
    if (plan.placements.size() > problem.buffers.size())
        return runFailed(RunFailure::unknownBuffer, "it places more buffers than the problem has");
    plan.placements.resize(problem.buffers.size());
    for (std::size_t b = 0; b < plan.placements.size(); ++b) {
        const Placement& placement = plan.placements[b];
        if (!placement.placed()) continue;
        if (placement.pool < 0 || at(placement.pool) >= problem.pools.size())
            return runFailed(RunFailure::notUnderstood,
                             "it places '" + problem.buffers[b].name + "' in a pool that the problem does not have");
        std::vector<external::AnsweredOffset> offsets{{external::AnsweredOffset::Kind::value, placement.offset}};
        for (const Bytes offset : placement.offsets) offsets.push_back({external::AnsweredOffset::Kind::value, offset});
        answer.place(problem.buffers[b].name, problem.pools[at(placement.pool)].name, offsets);
    }
    if (answer.error()) return *answer.error();
    if (auto wrong = external::judged(problem, plan)) return *std::move(wrong);
    for (Certificate& claim : plan.claims)
        if (const auto* search = std::get_if<SearchCertificate>(&claim))
            claim = ForeignClaim{search->pool, search->bytes,
                                 std::string(wordOf(search->infeasible ? Status::infeasible : Status::optimal))};
    return plan;
}

class IsolatedRun {
public:
    IsolatedRun(const IsolatedLibrary& library, const PlannerInfo& info, const Problem& problem, const PlanContext& context,
                const UserLimits& limits)
        : library_(library),
          info_(info),
          problem_(problem),
          context_(context),
          timeout_(std::max(library.timeout, limits.time.value_or(Milliseconds(0)))),
          memory_(std::max(plannerMemory, limits.memory.value_or(Bytes{0}))),
          process_({library.worker.toStdString(), "--memory-limit", std::to_string(4 * memory_)}, QDir::tempPath(),
                   processLimits(memory_, timeout_)),
          reader_(maxMessage(problem))
    {
    }

    ~IsolatedRun()
    {
        process_.end(Milliseconds(0));
        if (process_.killedWhileRunning())
            PluginLedger().forgetMarksOf(process_.pid());
        else
            PluginLedger().keepMarksOf(process_.pid());
    }
    IsolatedRun(const IsolatedRun&) = delete;
    IsolatedRun& operator=(const IsolatedRun&) = delete;

    Expected<Plan> run(const OptionValues& options)
    {
        PlanOrder order{library_.path.toStdString(), info_.name,       problem_, options, context_.seed,
                        context_.workLimit,          context_.threads, 0};
        if (context_.deadline) { // `timeout_` alone is not told: with a deadline, planners of the core search until it
            const auto left = std::chrono::duration_cast<Milliseconds>(*context_.deadline - Clock::now());
            order.deadlineMs = std::max<std::int64_t>(1, std::min(left, timeout_).count());
        }
        if (auto error = process_.start()) return std::move(*error);
        send(frame::planOrder, toArchive(order));
        for (;;) {
            auto frame = next();
            if (!frame) return std::move(frame).error();
            if (*frame && (*frame)->type == frame::incumbent) {
                publish((*frame)->payload);
            } else if (*frame && (*frame)->type == frame::planned) {
                auto plan = fromArchive<Plan>((*frame)->payload);
                if (!plan) return runFailed(RunFailure::notUnderstood, "the worker's answer is damaged");
                return answered(*std::move(plan));
            } else if (*frame && (*frame)->type == frame::error) {
                auto error = fromArchive<Diagnostic>((*frame)->payload);
                if (!error) return runFailed(RunFailure::notUnderstood, "the worker's answer is damaged");
                return failedWith(*std::move(error));
            }
            if (context_.cancel.stop_requested()) stop(RunFailure::cancelled);
            if (context_.deadline && Clock::now() >= *context_.deadline) stop(RunFailure::timedOut);
            if (!stopped_ && process_.elapsed() >= timeout_) {
                timeOver_ = true;
                stop(RunFailure::timedOut);
            }
            if (stopped_ && Clock::now() >= stopAt_)
                return withoutPlan("it gave no plan within 2 s of being asked to stop, and was ended");
        }
    }

private:
    void send(std::string_view type, std::string_view payload)
    {
        process_.write(frameHeader(type, payload.size()));
        process_.write(payload);
    }
    void stop(RunFailure why)
    {
        if (stopped_) return;
        stopped_ = why;
        stopAt_ = Clock::now() + timeToAnswerCancel;
        send(frame::cancel, {});
    }
    /// The error of a planner that was asked to stop and has no plan.
    [[nodiscard]] Error withoutPlan(std::string message) const
    {
        std::string remedy;
        if (timeOver_)
            remedy = raiseTime(timeout_);
        else if (stopped_ == RunFailure::timedOut)
            remedy = "give it more time with --time-limit";
        return runFailed(*stopped_, std::move(message), std::move(remedy));
    }

    /// An error after its time is the end of that time, unless it has a reason of its own: a code or a remedy.
    [[nodiscard]] Error failedWith(Error error) const
    {
        const auto failed = runFailureOf(error);
        const bool ownReason = failed ? *failed != RunFailure::cancelled : !error.remedy.empty();
        return ownReason || stopped_ != RunFailure::timedOut ? std::move(error) : withoutPlan(std::move(error.message));
    }

    Expected<Plan> answered(Plan plan)
    {
        if (!stopped_ && process_.elapsed() >= timeout_) timeOver_ = true; // it looked at the clock itself
        // It was cancelled because its time was over.
        if (stopped_ == RunFailure::timedOut && plan.stoppedBy == StoppedBy::cancelled) plan.stoppedBy = StoppedBy::deadline;
        if (timeOver_ && plan.stoppedBy == StoppedBy::deadline)
            plan.diagnostics.push_back(warning(
                Code::timedOut, "its time was over, and it was stopped: this is the plan that it had", {}, raiseTime(timeout_)));
        return accepted(problem_, std::move(plan));
    }

    /// The next frame; nothing when none came in a tick.
    Expected<std::optional<Frame>> next()
    {
        for (bool waited = false;; waited = true) {
            auto frame = reader_.next();
            if (!frame)
                return runFailed(frame.error().code == Code::frameTooLarge ? RunFailure::tooMuchOutput
                                                                           : RunFailure::notUnderstood,
                                 frame.error().message, tellAuthor);
            if (*frame) return frame;
            if (ended_) {
                if (process_.exitStatus() == outOfMemoryStatus)
                    return runFailed(RunFailure::tooMuchMemory, "it needs more memory than allowed", memoryRemedy(memory_));
                if (auto error = process_.verdict()) return *std::move(error);
                return runFailed(RunFailure::exitedEarly, "it ended before it answered" + process_.lastWords());
            }
            if (waited) return std::optional<Frame>();
            std::string bytes;
            if (auto error = process_.pump(tick, bytes)) return std::move(*error);
            if (!process_.running()) {
                ended_ = true;
                if (auto error = process_.pump(1ms, bytes)) return std::move(*error);
            }
            reader_.append(bytes);
        }
    }

    void publish(const std::string& payload)
    {
        if (!context_.publish) return;
        auto incumbent = fromArchive<Incumbent>(payload);
        if (!incumbent || incumbent->plan.placements.size() != problem_.buffers.size()) return;
        incumbent->bound = 0; // its word for a bound is no bound
        context_.publish(*incumbent);
    }

    const IsolatedLibrary& library_;
    const PlannerInfo& info_;
    const Problem& problem_;
    const PlanContext& context_;
    Milliseconds timeout_;
    Bytes memory_;
    external::GuardedProcess process_;
    FrameReader reader_;
    bool ended_ = false;
    bool timeOver_ = false; ///< stopped, because `timeout_` was over
    std::optional<RunFailure> stopped_;
    Clock::time_point stopAt_;
};

class IsolatedPlanner final : public Planner {
public:
    IsolatedPlanner(IsolatedLibrary library, PlannerInfo info, external::OutcomeSink outcome)
        : library_(std::move(library)), info_(std::move(info)), outcome_(std::move(outcome))
    {
    }
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = checkOptions(info_, options)) return *std::move(error);
        if (!QFileInfo(library_.worker).isExecutable())
            return failure(Code::workerMissing, "there is no worker to run the planner in", {library_.worker.toStdString()},
                           "reinstall Stowage");
        const auto limits = userLimits();
        if (!limits) return limits.error();
        auto plan = IsolatedRun(library_, info_, problem, context, *limits).run(options);
        if (outcome_) outcome_(plan ? std::nullopt : std::optional<Error>(plan.error()));
        if (!plan) {
            Error error = std::move(plan).error();
            error.message = info_.name + ": " + error.message;
            return error;
        }
        plan->planner = info_.name;
        plan->options = options;
        plan->seed = context.seed;
        return plan;
    }

private:
    IsolatedLibrary library_;
    PlannerInfo info_;
    external::OutcomeSink outcome_;
};

class InProcessPlanner final : public Planner {
public:
    InProcessPlanner(LibraryLoader load, PlannerInfo info) : load_(std::move(load)), info_(std::move(info)) {}
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        const auto plugin = load_();
        if (!plugin) return plugin.error();
        try {
            for (const auto& planner : (*plugin)->planners()) {
                if (planner->info().name != info_.name) continue;
                auto plan = planner->plan(problem, options, context);
                return plan ? accepted(problem, *std::move(plan)) : plan;
            }
        } catch (...) {
            return runFailed(RunFailure::crashed, info_.name + ": it threw an exception");
        }
        return failure(Code::unknownPlanner,
                       "the library does not bring the planner '" + info_.name + "' that its metadata names");
    }

private:
    LibraryLoader load_;
    PlannerInfo info_;
};

} // namespace

std::shared_ptr<const Planner> isolatedPlanner(IsolatedLibrary library, PlannerInfo info, external::OutcomeSink outcome)
{
    return std::make_shared<IsolatedPlanner>(std::move(library), std::move(info), std::move(outcome));
}

std::shared_ptr<const Planner> inProcessPlanner(LibraryLoader load, PlannerInfo info)
{
    return std::make_shared<InProcessPlanner>(std::move(load), std::move(info));
}

} // namespace stowage

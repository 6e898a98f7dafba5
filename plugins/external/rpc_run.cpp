#include "plugins/external/rpc_run.h"

#include "core/io/json_writer.h"
#include "core/io/text.h"
#include "plugins/external/answer.h"
#include "plugins/external/command_line.h"
#include "plugins/external/frames.h"
#include "plugins/external/guarded_process.h"
#include "plugins/external/rpc_messages.h"

#include <QTemporaryDir>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace stowage::external {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds timeToInitialize = 15s; ///< interpreters start slowly on a busy machine
constexpr Milliseconds timeToAnswerCancel = 2s;
constexpr Milliseconds graceOfShutdown = 300ms;
constexpr Milliseconds slack = 1s; ///< more for a program that sends messages without an end
constexpr auto whenStopped = "its time was over, and it was stopped: this is the last complete plan that it gave";
constexpr auto whenEnded = "its time was over, and it ended: this is the last complete plan that it sent";
constexpr qint64 initializeId = 1;
constexpr qint64 planId = 2;

/// The limits of the process end it last: this run asks it to stop when its time is over.
ProcessLimits processLimits(const Manifest& manifest)
{
    ProcessLimits limits = limitsOf(manifest);
    limits.time += timeToAnswerCancel + 2 * slack;
    return limits;
}

class RpcRun {
public:
    RpcRun(const Manifest& manifest, const Problem& problem, const OptionValues& options, const PlanContext& context)
        : manifest_(manifest),
          problem_(problem),
          options_(options),
          context_(context),
          process_(commandLine(manifest, {{"dir", manifest.folder}, {"seed", std::to_string(context.seed)}}), folder_.path(),
                   processLimits(manifest)),
          reader_(static_cast<std::size_t>(manifest.output))
    {
    }

    Expected<Plan> run()
    {
        if (auto error = process_.start()) return std::move(*error);
        if (auto error = initialize()) return std::move(*error);
        auto plan = ask();
        if (process_.running() && !stopped_) {
            send(R"({"jsonrpc":"2.0","method":"shutdown"})");
            process_.closeInput();
        }
        process_.end(plan && !stopped_ ? graceOfShutdown : Milliseconds(0));
        return plan;
    }

private:
    void send(const std::string& message)
    {
        process_.write(fmt::format("Content-Length: {}\r\n\r\n", message.size()));
        process_.write(message);
    }

    /// Takes in what the program writes, for at most `wait`. Errors: a limit was exceeded.
    std::optional<Error> listen(Milliseconds wait)
    {
        std::string bytes;
        auto error = process_.pump(wait, bytes);
        reader_.append(bytes);
        listened_ = Clock::now();
        return error;
    }

    /// The next message; nothing when none came in a tick. The limits of the program are looked at every tick, also while
    /// messages wait: a message may take long to work through.
    Expected<std::optional<QJsonObject>> next()
    {
        if (!ended_ && Clock::now() - listened_ >= tick)
            if (auto error = listen(1ms)) return std::move(*error);
        for (bool waited = false;; waited = true) {
            auto frame = reader_.next();
            if (!frame) {
                if (frame.error().code == Code::frameTooLarge)
                    return runFailed(RunFailure::tooMuchOutput, "it says too much: " + frame.error().message,
                                     limitsOf(manifest_).remedies.output);
                return rpcNotUnderstood(frame.error().message);
            }
            if (*frame) {
                auto message = rpcMessage((*frame)->payload);
                if (!message) return std::move(message).error();
                return std::optional(*std::move(message));
            }
            if (ended_) return ended();
            if (waited) return std::optional<QJsonObject>();
            if (auto error = listen(tick)) return std::move(*error);
            if (!process_.running()) {
                ended_ = true;
                if (auto error = listen(1ms)) return std::move(*error);
            }
        }
    }

    [[nodiscard]] Error ended() const
    {
        if (auto error = process_.verdict()) return *error;
        return runFailed(RunFailure::exitedEarly, "it ended before it answered" + process_.lastWords());
    }

    std::optional<Error> initialize()
    {
        send(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"initialize","params":{{"protocol":{},"stowage":"{}"}}}})",
                         initializeId, protocolVersion, STOWAGE_VERSION));
        const auto until = Clock::now() + std::min(timeToInitialize, manifest_.timeout);
        for (;;) {
            auto message = next();
            if (!message) return std::move(message).error();
            if (context_.cancel.stop_requested()) return runFailed(RunFailure::cancelled, "it was cancelled");
            if (!*message || !rpcAnswers(**message, initializeId)) {
                if (*message)
                    if (auto error = rpcStrayResponse(**message)) return error;
                const bool deadline = context_.deadline && Clock::now() >= *context_.deadline;
                if (deadline || Clock::now() > until)
                    return runFailed(RunFailure::timedOut, "it did not answer 'initialize'" + process_.lastWords(),
                                     deadline ? "give it more time with --time-limit" : "");
                continue;
            }
            const auto takes = rpcWelcome(**message);
            if (!takes) return takes.error();
            cancels_ = (*takes)[std::size_t(Capability::cancel)];
            return unsupported(manifest_, *takes, problem_);
        }
    }

    [[nodiscard]] std::string planRequest() const
    {
        io::JsonWriter out; // of the small parts; the problem is text already
        out.object(io::JsonWriter::compact, [&] {
            PlannerInfo info;
            info.options = manifest_.options;
            for (const OptionSpec& spec : manifest_.options) switch (spec.type) {
                case OptionType::boolean: out.field(spec.name, optionFlag(info, options_, spec.name)); break;
                case OptionType::integer: out.field(spec.name, optionInteger(info, options_, spec.name)); break;
                case OptionType::number: out.field(spec.name, optionNumber(info, options_, spec.name)); break;
                case OptionType::text:
                case OptionType::choice: out.field(spec.name, optionValue(info, options_, spec.name)); break;
                }
        });
        std::string request = fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"plan","params":{{"options":{},"seed":{})",
                                          planId, std::move(out).text(), context_.seed);
        if (context_.deadline) {
            const auto left = std::min(std::chrono::duration_cast<Milliseconds>(*context_.deadline - Clock::now()),
                                       manifest_.timeout - process_.elapsed());
            request += fmt::format(R"(,"deadline_ms":{})", std::max<std::int64_t>(1, left.count()));
        }
        if (context_.workLimit > 0) request += fmt::format(R"(,"work_limit":{})", context_.workLimit);
        request += R"(,"problem":)";
        request += io::writeProblemJson(problem_);
        request += "}}";
        return request;
    }

    /// The reason to ask it to stop now; no value if there is none, or it was asked already.
    std::optional<StoppedBy> reasonToStop()
    {
        if (stopped_) return std::nullopt;
        if (context_.cancel.stop_requested()) return StoppedBy::cancelled;
        if ((context_.deadline && Clock::now() >= *context_.deadline) || late()) return StoppedBy::deadline;
        return std::nullopt;
    }

    /// Takes in what it has written so far, and asks it to stop. Errors: those of `listen`.
    std::optional<Error> stop(StoppedBy why)
    {
        auto error = listen(1ms);
        arrivedUnasked_ = reader_.arrived();
        stopped_ = why;
        stopAt_ = Clock::now() + (cancels_ ? timeToAnswerCancel : Milliseconds(0));
        if (cancels_) send(fmt::format(R"({{"jsonrpc":"2.0","method":"cancel","params":{{"id":{}}}}})", planId));
        return error;
    }

    /// True once: when the time in the manifest is over, unless it was stopped before.
    bool late()
    {
        if (stopped_ || process_.elapsed() < manifest_.timeout) return false;
        return timeOver_ = true;
    }

    Expected<Plan> ask()
    {
        send(planRequest());
        for (;;) {
            auto message = next();
            if (!message) return lost(std::move(message).error());
            if (*message && rpcAnswers(**message, planId)) {
                if (context_.deadline) {
                    if (late()) stopped_ = StoppedBy::deadline; // it was told when, and looked at the clock itself
                } else if (timeOver_ && reader_.taken() <= arrivedUnasked_) {
                    stopped_.reset(); // it was done before it was asked, and only read late
                    timeOver_ = false;
                }
                return answer(**message);
            }
            if (*message) {
                if (auto error = rpcStrayResponse(**message)) return *std::move(error);
                notified(**message);
            }
            if (const auto why = reasonToStop()) {
                if (auto error = stop(*why)) return lost(*std::move(error));
                continue; // with the messages that had arrived by then
            }
            // Messages that have arrived are read first, for a while: one may be the answer.
            if (stopped_ && Clock::now() >= stopAt_ + (*message ? slack : Milliseconds(0))) return unanswered();
        }
    }

    /// It was asked to stop, and has said nothing.
    [[nodiscard]] Expected<Plan> unanswered()
    {
        if (best_ && (!cancels_ || timeOver_)) return unfinished();
        return withoutPlan(cancels_ ? "it did not answer 'cancel' within 2 s, and was ended"
                                    : "it gave no plan in time, and cannot be asked for one");
    }

    /// The error of a program that was asked to stop and has no plan.
    [[nodiscard]] Error withoutPlan(std::string message) const
    {
        if (stopped_ == StoppedBy::cancelled) return runFailed(RunFailure::cancelled, std::move(message));
        return runFailed(RunFailure::timedOut, std::move(message),
                         timeOver_ ? limitsOf(manifest_).remedies.time : "give it more time with --time-limit");
    }

    /// A limit of the process was exceeded, or it ended. If that is because it is to stop, its last plan counts.
    Expected<Plan> lost(Error error)
    {
        const auto failed = runFailureOf(error);
        if (best_ && failed == RunFailure::exitedEarly) {
            if (const auto why = reasonToStop()) stopped_ = why; // it looked at the clock itself
            if (stopped_) return finished(*std::move(best_), whenEnded);
        }
        if (timeOver_ && best_ && failed == RunFailure::timedOut) return unfinished();
        return error;
    }

    Plan unfinished()
    {
        return finished(*std::move(best_), cancels_ ? "it did not answer 'cancel' within 2 s, and was ended; this is the last "
                                                      "complete plan that it sent"
                                                    : whenStopped);
    }

    Expected<Plan> answer(const QJsonObject& message)
    {
        if (auto error = rpcError(message)) {
            if (stopped_ && best_) return finished(*std::move(best_));
            const auto failed = runFailureOf(*error);
            if (stopped_ && (!failed || *failed == RunFailure::cancelled)) return withoutPlan(std::move(error->message));
            return *std::move(error);
        }
        auto plan = rpcPlan(message, problem_);
        if (!plan) return plan;
        return finished(*std::move(plan));
    }

    /// `text` is that of the warning if the time in the manifest is over.
    Plan finished(Plan plan, const char* text = whenStopped)
    {
        plan.stoppedBy = stopped_.value_or(StoppedBy::complete);
        plan.work = work_;
        if (timeOver_) plan.diagnostics.push_back(warning(Code::timedOut, text, {}, limitsOf(manifest_).remedies.time));
        if (badPartials_ > 0)
            plan.diagnostics.push_back(
                {Severity::warning,
                 Code::badIncumbent,
                 fmt::format("partial plans that were not valid, and not shown: {}; the first: {}", badPartials_, firstBad_),
                 {},
                 {}});
        return plan;
    }

    void notified(const QJsonObject& message)
    {
        if (const auto work = rpcProgress(message)) {
            work_ = std::max(work_, *work);
            if (best_ && context_.publish) context_.publish({*best_, 0, work_});
        } else if (auto plan = rpcPartialPlan(message, problem_)) {
            partial(*std::move(plan));
        }
    }

    void partial(Expected<Plan> plan)
    {
        if (!plan) {
            if (badPartials_++ == 0) firstBad_ = plan.error().message;
            return;
        }
        // It may tell only what changed: the rest stays where it was told before.
        if (shown_)
            for (std::size_t b = 0; b < plan->placements.size(); ++b)
                if (!plan->placements[b].placed()) plan->placements[b] = shown_->placements[b];
        shown_ = *std::move(plan);
        shown_->planner = manifest_.id;
        if (const auto wrong = judged(problem_, *shown_)) {
            if (runFailureOf(*wrong) != RunFailure::missingBuffer) return; // what changed meets what stayed
            if (context_.publish) context_.publish({*shown_, 0, work_});   // drawn as far as it goes
            return;
        }
        best_ = shown_;
        if (context_.publish) context_.publish({*shown_, 0, work_}); // its word for a bound is no bound
    }

    const Manifest& manifest_;
    const Problem& problem_;
    const OptionValues& options_;
    const PlanContext& context_;
    QTemporaryDir folder_;
    GuardedProcess process_;
    FrameReader reader_;
    Clock::time_point listened_; ///< when the output and the limits of the program were looked at last
    bool ended_ = false;
    bool cancels_ = false;
    std::optional<StoppedBy> stopped_;
    bool timeOver_ = false; ///< stopped, because the time in the manifest is over
    Clock::time_point stopAt_;
    std::uint64_t arrivedUnasked_ = 0; ///< bytes of it that had arrived before it was asked to stop
    std::uint64_t work_ = 0;
    std::optional<Plan> shown_; ///< the last partial plan, laid over those before
    std::optional<Plan> best_;  ///< the last complete one
    std::size_t badPartials_ = 0;
    std::string firstBad_;
};

} // namespace

Expected<Plan> planByRpc(const Manifest& manifest, const Problem& problem, const OptionValues& options,
                         const PlanContext& context)
{
    return RpcRun(manifest, problem, options, context).run();
}

} // namespace stowage::external

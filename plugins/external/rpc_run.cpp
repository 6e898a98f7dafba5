#include "plugins/external/rpc_run.h"

#include "core/io/code_text.h"
#include "core/io/json_writer.h"
#include "core/io/text.h"
#include "plugins/external/answer.h"
#include "plugins/external/command_line.h"
#include "plugins/external/external_planner.h"
#include "plugins/external/frames.h"
#include "plugins/external/guarded_process.h"
#include "plugins/external/placements_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace stowage::external {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds tick = 20ms;            ///< how often cancel and limits are looked at
constexpr Milliseconds timeToInitialize = 15s; ///< interpreters start slowly on a busy machine
constexpr Milliseconds timeToAnswerCancel = 2s;
constexpr Milliseconds graceOfShutdown = 300ms;
constexpr qint64 initializeId = 1;
constexpr qint64 planId = 2;

QString key(const char* name)
{
    return QString::fromLatin1(name);
}

Error notUnderstood(const std::string& message)
{
    return runFailed(RunFailure::notUnderstood, "its message cannot be understood: " + message,
                     "'plugin-check' shows what the messages have to be");
}

class RpcRun {
public:
    RpcRun(const Manifest& manifest, const Problem& problem, const OptionValues& options, const PlanContext& context)
        : manifest_(manifest),
          problem_(problem),
          options_(options),
          context_(context),
          process_(commandLine(manifest, {{"dir", manifest.folder}, {"seed", std::to_string(context.seed)}}), folder_.path(),
                   {manifest.memory, manifest.output, manifest.timeout}),
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

    /// The next message; nothing when none came in a tick.
    Expected<std::optional<QJsonObject>> next()
    {
        for (bool waited = false;; waited = true) {
            auto frame = reader_.next();
            if (!frame) {
                if (frame.error().code == Code::frameTooLarge)
                    return runFailed(RunFailure::tooMuchOutput, "it says too much: " + frame.error().message,
                                     "raise output_mb in the manifest if the answer is really that large");
                return notUnderstood(frame.error().message);
            }
            if (*frame) {
                QJsonParseError wrong;
                const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString((*frame)->payload), &wrong);
                if (!document.isObject())
                    return notUnderstood(fmt::format("{} (byte {})", wrong.errorString().toStdString(), wrong.offset));
                return std::optional(document.object());
            }
            if (ended_) return ended();
            if (waited) return std::optional<QJsonObject>();
            std::string bytes;
            if (auto error = process_.pump(tick, bytes)) return std::move(*error);
            if (!process_.running()) {
                ended_ = true;
                if (auto error = process_.pump(1ms, bytes)) return std::move(*error);
            }
            reader_.append(bytes);
        }
    }

    [[nodiscard]] Error ended() const
    {
        if (auto error = process_.verdict()) return *error;
        return runFailed(RunFailure::exitedEarly, "it ended before it answered" + process_.lastWords());
    }

    /// The answer to request `id`, when the message is that.
    [[nodiscard]] static bool answers(const QJsonObject& message, qint64 id)
    {
        return !message.contains(key("method")) && message.value(key("id")).toInteger(-1) == id;
    }
    [[nodiscard]] static std::optional<Error> errorOf(const QJsonObject& message)
    {
        if (!message.contains(key("error"))) return std::nullopt;
        const QJsonObject error = message.value(key("error")).toObject();
        const std::string text = error.value(key("message")).toString().left(500).toStdString();
        const std::string code = error.value(key("data")).toObject().value(key("code")).toString().left(64).toStdString();
        Error known = failure(Code::plannerFailed, {});
        io::setCode(known, code);
        if (const auto failed = runFailureOf(known)) return runFailed(*failed, "it says: " + text);
        const std::string told = "it gave up: " + text;
        return code.empty() ? failure(Code::plannerFailed, told) : foreignFailure({code}, told);
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
            if (!*message) {
                if (Clock::now() > until)
                    return runFailed(RunFailure::timedOut, "it did not answer 'initialize'" + process_.lastWords());
                continue;
            }
            if (!answers(**message, initializeId)) continue;
            if (auto error = errorOf(**message)) return error;
            return welcome((*message)->value(key("result")).toObject());
        }
    }

    std::optional<Error> welcome(const QJsonObject& result)
    {
        const QJsonValue spoken = result.value(key("protocol"));
        if (spoken.toInteger(-1) != protocolVersion)
            return runFailed(RunFailure::protocolVersion,
                             spoken.isDouble()
                                 ? fmt::format("it speaks protocol {}, this host speaks {}", spoken.toDouble(), protocolVersion)
                                 : "it does not say which protocol it speaks",
                             "install a version of the plug-in that speaks it");
        CapabilitySet takes{};
        const QJsonArray list = result.value(key("capabilities")).toArray();
        for (const auto& entry : list)
            for (std::size_t c = 0; c < capabilityCount; ++c)
                if (entry.toString().toStdString() == toText(static_cast<Capability>(c))) takes[c] = true;
        cancels_ = takes[std::size_t(Capability::cancel)];
        return unsupported(manifest_, takes, problem_);
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
            const auto left = std::chrono::duration_cast<Milliseconds>(*context_.deadline - Clock::now());
            request += fmt::format(R"(,"deadline_ms":{})", std::max<std::int64_t>(1, left.count()));
        }
        if (context_.workLimit > 0) request += fmt::format(R"(,"work_limit":{})", context_.workLimit);
        request += R"(,"problem":)";
        request += io::writeProblemJson(problem_);
        request += "}}";
        return request;
    }

    /// Asks it to stop, once.
    void stop(StoppedBy why)
    {
        if (stopped_) return;
        stopped_ = why;
        stopAt_ = Clock::now() + (cancels_ ? timeToAnswerCancel : Milliseconds(0));
        if (cancels_) send(fmt::format(R"({{"jsonrpc":"2.0","method":"cancel","params":{{"id":{}}}}})", planId));
    }

    Expected<Plan> ask()
    {
        send(planRequest());
        for (;;) {
            auto message = next();
            if (!message) return std::move(message).error();
            if (*message && answers(**message, planId)) return answer(**message);
            if (*message) notified(**message);
            if (context_.cancel.stop_requested()) stop(StoppedBy::cancelled);
            if (context_.deadline && Clock::now() >= *context_.deadline) stop(StoppedBy::deadline);
            if (stopped_ && Clock::now() >= stopAt_) return unanswered();
        }
    }

    /// It was asked to stop, and has said nothing.
    [[nodiscard]] Expected<Plan> unanswered()
    {
        if (!cancels_ && best_) return finished(*std::move(best_));
        const bool user = stopped_ == StoppedBy::cancelled;
        return runFailed(user ? RunFailure::cancelled : RunFailure::timedOut,
                         cancels_ ? "it did not answer 'cancel' within 2 s, and was ended"
                                  : "it gave no plan in time, and cannot be asked for one",
                         user ? std::string() : "give it more time with --time-limit");
    }

    Expected<Plan> answer(const QJsonObject& message)
    {
        if (auto error = errorOf(message)) {
            if (stopped_ && best_) return finished(*std::move(best_));
            if (stopped_ == StoppedBy::cancelled && !runFailureOf(*error))
                return runFailed(RunFailure::cancelled, error->message);
            return *std::move(error);
        }
        const QJsonObject result = message.value(key("result")).toObject();
        Answer placed(problem_);
        placeAll(result, placed);
        auto plan = placed.plan(false);
        if (!plan) return plan;
        const QJsonObject claim = result.value(key("claim")).toObject();
        const std::string status = claim.value(key("status")).toString().left(64).toStdString();
        const AnsweredOffset bound = offsetOf(claim.value(key("lower_bound")));
        if (!status.empty() || bound.kind == AnsweredOffset::Kind::value)
            plan->claims.emplace_back(ForeignClaim{none, std::max<Bytes>(0, bound.value), status});
        return finished(*std::move(plan));
    }

    Plan finished(Plan plan)
    {
        plan.stoppedBy = stopped_.value_or(StoppedBy::complete);
        plan.work = work_;
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
        const QString method = message.value(key("method")).toString();
        const QJsonObject params = message.value(key("params")).toObject();
        if (method == key("progress")) {
            const QJsonValue work = params.contains(key("work")) ? params.value(key("work")) : params.value(key("iteration"));
            work_ = std::max(work_, static_cast<std::uint64_t>(std::max<qint64>(0, work.toInteger(0))));
            if (best_ && context_.publish) context_.publish({*best_, 0, work_});
        } else if (method == key("partialPlan")) {
            partial(params);
        }
    }

    void partial(const QJsonObject& params)
    {
        Answer placed(problem_);
        placeAll(params, placed);
        auto plan = placed.plan(true);
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
    bool ended_ = false;
    bool cancels_ = false;
    std::optional<StoppedBy> stopped_;
    Clock::time_point stopAt_;
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

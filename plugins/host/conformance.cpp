#include "plugins/host/conformance.h"

#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/plan/run_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace stowage {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Call = ConformanceCase::Call;

constexpr auto cancelAfter = 50ms;
constexpr auto shortDeadline = 300ms;

/// What is wrong with a plan, if something is; a capacity that is exceeded is no fault.
std::optional<std::string> fault(const Problem& problem, const Plan& plan)
{
    if (plan.placements.size() != problem.buffers.size()) return "the plan has another number of buffers than the problem";
    const Verdict verdict = check(problem, plan);
    for (const Violation& violation : verdict.violations)
        if (violation.kind != ViolationKind::overCapacity) return describe(problem, violation);
    return std::nullopt;
}

/// A planner that refuses a problem before it plans says which part of it it cannot take.
bool isRefusal(const Error& error)
{
    return error.code == Code::notSupported || error.code == Code::notTabular;
}

ConformanceResult judged(const ConformanceCase& it, const Expected<Plan>& plan)
{
    ConformanceResult result{it.name, ConformanceOutcome::failed, {}, 0};
    if (!plan) {
        const auto failed = runFailureOf(plan.error());
        const bool stopped = (it.call == Call::cancelAtOnce && failed == RunFailure::cancelled) ||
                             (it.call == Call::shortDeadline && failed == RunFailure::timedOut);
        const bool said = it.mayFail && (!failed || failed == RunFailure::exitedEarly);
        result.outcome = isRefusal(plan.error()) ? ConformanceOutcome::refused
                         : stopped || said       ? ConformanceOutcome::passed
                                                 : ConformanceOutcome::failed;
        result.message = failed ? fmt::format("{}: {}", toText(*failed), plan.error().message) : plan.error().message;
        return result;
    }
    if (auto wrong = fault(it.problem, *plan)) {
        result.message = *std::move(wrong);
        return result;
    }
    const Report report = evaluate(it.problem, *plan);
    result.outcome = ConformanceOutcome::passed;
    result.message = fmt::format("{} bytes, bound {}", report.totalSize(), report.totalBound());
    return result;
}

/// Requests a stop when the user does, or when the time of a case is over.
class CaseClock {
public:
    CaseClock(const std::stop_token& user, std::chrono::milliseconds time)
        : user_(user, Request{this}), thread_([this, time](const std::stop_token& ended) {
              std::mutex mutex;
              std::condition_variable_any wake;
              std::unique_lock lock(mutex);
              wake.wait_for(lock, ended, time, [&] { return ended.stop_requested(); });
              if (ended.stop_requested()) return;
              over_ = true;
              stop_.request_stop();
          })
    {
    }
    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
    [[nodiscard]] bool over() const { return over_; }

private:
    struct Request {
        CaseClock* clock;
        void operator()() const { clock->stop_.request_stop(); }
    };

    std::stop_source stop_;
    std::atomic<bool> over_ = false;
    std::stop_callback<Request> user_;
    std::jthread thread_;
};

ConformanceResult run(const Planner& planner, const ConformanceCase& it, const std::stop_token& cancel)
{
    PlanContext context;
    context.cancel = cancel;
    context.seed = 1;
    if (it.call == Call::shortDeadline) context.deadline = Clock::now() + shortDeadline;
    const auto begin = Clock::now();
    if (it.call == Call::cancelAtOnce) {
        std::stop_source stop;
        context.cancel = stop.get_token();
        Expected<Plan> plan = Plan{};
        {
            const std::jthread asked([&] { plan = planner.plan(it.problem, {}, context); });
            std::this_thread::sleep_for(cancelAfter);
            stop.request_stop();
        }
        ConformanceResult result = judged(it, plan);
        if (Clock::now() - begin > cancelAfter + timeToStop) {
            result.outcome = ConformanceOutcome::failed;
            result.message = "it stopped later than two seconds after the cancel";
        }
        return result;
    }
    if (it.call == Call::atTheSameTime) {
        Expected<Plan> other = Plan{};
        std::optional<Expected<Plan>> own;
        {
            const std::jthread second([&] { other = planner.plan(it.problem, {}, context); });
            own = planner.plan(it.problem, {}, context);
        }
        const ConformanceResult result = judged(it, *own);
        return result.outcome == ConformanceOutcome::passed ? judged(it, other) : result;
    }
    const auto plan = planner.plan(it.problem, {}, context);
    ConformanceResult result = judged(it, plan);
    if (it.call == Call::shortDeadline && Clock::now() - begin > shortDeadline + timeToStop) {
        result.outcome = ConformanceOutcome::failed;
        result.message = "it stopped later than two seconds after its deadline";
    }
    if (it.call == Call::twice && plan && planner.info().deterministic) {
        const auto again = planner.plan(it.problem, {}, context);
        if (!again || again->placements != plan->placements) {
            result.outcome = ConformanceOutcome::failed;
            result.message = "the same seed gave another plan, and it says that it is deterministic";
        }
    }
    return result;
}

} // namespace

std::vector<ConformanceResult> checkConformance(const Planner& planner, const std::stop_token& cancel,
                                                const std::function<void(const ConformanceResult&)>& done,
                                                std::chrono::milliseconds caseTime)
{
    std::vector<ConformanceResult> results;
    for (const ConformanceCase& it : conformanceCases()) {
        if (cancel.stop_requested()) break;
        const auto begin = Clock::now();
        const std::chrono::milliseconds time = it.call == Call::twice ? 2 * caseTime : caseTime;
        CaseClock clock(cancel, time); // not const: its thread changes it
        ConformanceResult result = run(planner, it, clock.token());
        if (clock.over()) {
            result.outcome = ConformanceOutcome::failed;
            result.message = fmt::format("it did not end within {} s, and was asked to stop", double(time.count()) / 1000);
        }
        result.elapsedMs = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        if (done) done(result);
        results.push_back(std::move(result));
    }
    return results;
}

} // namespace stowage

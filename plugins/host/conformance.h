// The conformance kit for authors of planners: small problems, each with one feature in which planners fail often, and checks of
// their plans.
#pragma once

#include "core/plan/planner.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

/// One problem of the kit.
struct ConformanceCase {
    std::string name; ///< the feature: "touching live ranges"
    Problem problem;  ///< checked
    enum class Call {
        plain,
        cancelAtOnce,  ///< cancelled 50 ms after the start
        shortDeadline, ///< with a deadline of 0.3 s
        twice,         ///< twice with the same seed; both plans must be the same
        atTheSameTime, ///< on two threads at the same time
    } call = Call::plain;
    bool mayFail = false; ///< no plan fits, so an error of the planner passes, too
};

/// All cases, at least 20; the same ones in each call.
[[nodiscard]] std::vector<ConformanceCase> conformanceCases();

enum class ConformanceOutcome {
    passed,
    refused, ///< the planner declares that it does not support the feature, which is allowed
    failed,
};

struct ConformanceResult {
    std::string name;
    ConformanceOutcome outcome = ConformanceOutcome::failed;
    std::string message; ///< the reason of a failure or a refusal; for a passed case the size and the bound
    double elapsedMs = 0;
};

/// Time in which a planner that is asked to stop has to answer: two seconds, and some for a busy machine.
inline constexpr std::chrono::milliseconds timeToStop{3'000};

/// Maximum time for a run in the kit, for a planner whose runs may take `timeout`: that time, or a minute if that is longer, and
/// the time to stop, so that the planner's own limit ends the run.
[[nodiscard]] constexpr std::chrono::milliseconds conformanceTime(std::chrono::milliseconds timeout = {})
{
    return std::max(timeout, std::chrono::milliseconds(60'000)) + timeToStop;
}

/// Runs the planner on all cases, in order, and calls `done` after each case. Stops early when `cancel` is requested. A planner
/// that takes longer than `caseTime` for a case is asked to stop, and fails the case; two runs may take twice that time.
std::vector<ConformanceResult> checkConformance(const Planner& planner, const std::stop_token& cancel,
                                                const std::function<void(const ConformanceResult&)>& done = {},
                                                std::chrono::milliseconds caseTime = conformanceTime());

} // namespace stowage

// The conformance kit for authors of planners: small problems, each with one thing that planners get wrong, and what the answer
// has to be.
#pragma once

#include "core/plan/planner.h"

#include <functional>
#include <string>
#include <vector>

namespace stowage {

/// One problem of the kit.
struct ConformanceCase {
    std::string name; ///< what it has: "touching live ranges"
    Problem problem;  ///< checked
    enum class Call {
        plain,
        cancelAtOnce,  ///< the cancel comes 50 ms after the start
        shortDeadline, ///< 0.3 s
        twice,         ///< the same seed twice: the same plan
        atTheSameTime, ///< on two threads
    } call = Call::plain;
    bool mayFail = false; ///< no plan fits: an error in the planner's own words is as good as a plan
};

/// At least 20, the same ones every time.
[[nodiscard]] std::vector<ConformanceCase> conformanceCases();

enum class ConformanceOutcome {
    passed,
    refused, ///< it says before planning that it cannot take this: allowed
    failed,
};

struct ConformanceResult {
    std::string name;
    ConformanceOutcome outcome = ConformanceOutcome::failed;
    std::string message; ///< why refused or failed; of passed ones the size and the bound
    double elapsedMs = 0;
};

/// Runs the planner on all cases, in order; `done` is told after each. Stops early when `cancel` says so.
std::vector<ConformanceResult> checkConformance(const Planner& planner, const std::stop_token& cancel,
                                                const std::function<void(const ConformanceResult&)>& done = {});

} // namespace stowage

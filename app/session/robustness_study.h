// How much a planner's result depends on its seed and on small changes of sizes: the study that both programs make.
#pragma once

#include "app/session/session.h"
#include "core/explain/robustness.h"

#include <atomic>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

struct RobustnessRequest {
    std::string planner;
    OptionValues options;
    RobustnessOptions which;
    std::uint64_t workLimit = 0;                      ///< of each planning; 0: the planner's own
    std::shared_ptr<std::atomic<int>> done = nullptr; ///< counts plannings that have ended; null: nobody asks
};

/// Plans the problem of `run` again and again; stops early, with what it has, when `cancel` says so. Errors: a planner that is
/// not known here ("no-planner"), and those of the planner.
Expected<std::vector<RobustnessSample>> studyRobustness(const PlannerRegistry& planners, const Run& run,
                                                        const RobustnessRequest& request, const std::stop_token& cancel);

} // namespace stowage

// The study, for the window and the command line, of how much a planner's result depends on its seed and on small changes of
// sizes.
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
    std::shared_ptr<std::atomic<int>> done = nullptr; ///< counts finished plannings; may be null
    double timeLimitSeconds = 0;                      ///< of each planning; 0: none
    unsigned threads = 1;                             ///< maximum of each planning
};

/// Plans the problem of `run` repeatedly. When `cancel` is set, returns the samples so far. Errors: an unknown planner
/// ("no-planner"), and those of the planner.
Expected<std::vector<RobustnessSample>> studyRobustness(const PlannerRegistry& planners, const Run& run,
                                                        const RobustnessRequest& request, const std::stop_token& cancel);

} // namespace stowage

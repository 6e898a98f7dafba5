// The request for a planning, its progress, and the run that results.
#pragma once

#include "app/session/model.h"
#include "core/ir/change.h"
#include "core/lower/element_alignment.h"
#include "core/plan/planner.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// All inputs of one planning.
struct PlanRequest {
    int model = 0;
    std::string function;         ///< empty: the model's entry
    std::string planner = "auto"; ///< "auto" means the default planner
    OptionValues options;
    OptionValues lowering;              ///< `--lower`; missing options have the planner's defaults
    Target target;                      ///< no pools: the model's own
    Bytes alignment = elementAlignment; ///< `--alignment`
    std::vector<Change>
        changes; ///< by names; applied in order after the lowering. A change that cannot be applied gives a warning
    std::vector<PinRequest> pins; ///< a pin that cannot be kept (unknown buffer or pool, not aligned) gives a warning
    std::uint64_t seed = 0;
    unsigned threads = 2;        ///< maximum of the planner; the plan is the same for any count
    double timeLimitSeconds = 0; ///< 0: none
    std::uint64_t workLimit = 0; ///< 0: the planner's own
    bool record = false;         ///< records the planner's steps
};

struct RunEntry {
    int id = 0;
    int model = 0;
    PlanRequest request;
    std::shared_ptr<const Run> run;
    int job = 0; ///< job that planned it; 0: not planned here (a file's plan)
};

enum class JobState { queued, running, finished, failed, cancelled };

/// The progress of a planning.
struct JobStatus {
    int id = 0;
    int model = 0;
    std::string planner;
    JobState state = JobState::queued;
    double elapsedMs = 0;
    std::uint64_t work = 0;
    Bytes best = 0; ///< total size of the incumbent; 0 without one
    Bytes bound = 0;
    std::optional<Error> error;
};

/// Called on a thread of its own with each better plan that the core's checker found valid, or with a part of a plan (some
/// buffers are not placed, the status is `undecided`) without violations. At most 60 calls a second; of plans that arrive faster
/// only the latest is passed on.
using IncumbentSink = std::function<void(std::shared_ptr<const Run> run, const Incumbent& incumbent)>;

} // namespace stowage

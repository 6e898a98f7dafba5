// What is asked for when a model is planned, how far the planning is, and the run that comes of it.
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

/// Everything that one planning depends on.
struct PlanRequest {
    int model = 0;
    std::string function;         ///< empty: the model's entry
    std::string planner = "auto"; ///< "auto" means the default planner
    OptionValues options;
    OptionValues lowering;              ///< `--lower`; what is missing is the planner's default
    Target target;                      ///< without pools: the model's own
    Bytes alignment = elementAlignment; ///< `--alignment`
    std::vector<Change>
        changes; ///< by names; made after the lowering, in order; what cannot be made is left out, and the plan says so
    std::vector<PinRequest>
        pins; ///< what cannot be kept (no such buffer or memory, not aligned) is left out, and the plan says so
    std::uint64_t seed = 0;
    unsigned threads = 2;        ///< that the planner may use; the plan is the same for any number
    double timeLimitSeconds = 0; ///< 0: none
    std::uint64_t workLimit = 0; ///< 0: the planner's own
    bool record = false;         ///< keep the planner's steps
};

struct RunEntry {
    int id = 0;
    int model = 0;
    PlanRequest request;
    std::shared_ptr<const Run> run;
    int job = 0; ///< that planned it; 0: it was made elsewhere (a file's plan)
};

enum class JobState { queued, running, finished, failed, cancelled };

/// What is known of a planning under way.
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

/// Called with each better plan that the core's checker found valid, or with a part of a plan (some buffers are not placed, and
/// the status is `undecided`) in which nothing is wrong, from a thread of its own, at most 60 times a second; when
/// they come faster, the latest wins.
using IncumbentSink = std::function<void(std::shared_ptr<const Run> run, const Incumbent& incumbent)>;

} // namespace stowage

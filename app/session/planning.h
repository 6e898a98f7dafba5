// One planning, from a model and a request to a checked run, on the calling thread. Only incumbents are checked on another
// thread.
#pragma once

#include "app/session/lowering_cache.h"
#include "app/session/plan_request.h"

namespace stowage {

/// The lowering options of a request: the planner's defaults, replaced by those that the program (may be null) states, replaced
/// by those of the request.
Expected<LowerOptions> lowerOptions(const PlannerInfo* planner, const PlanRequest& request, const Program* program);

/// Plans a lowered input. `sink` receives incumbents; `context.publish` is not used.
Expected<std::shared_ptr<const Run>> runPlanner(const Planner& planner, const LoweringCache::Answer& lowered,
                                                const PlanRequest& request, const PlanContext& context,
                                                const IncumbentSink& sink);

/// The note of `runPlanner` about a pool whose capacity the plan exceeds: the smallest capacity with which a plan was found. Null
/// if there is none.
[[nodiscard]] const Diagnostic* noteOfCapacity(const Run& run, PoolId pool);

/// The plan in a model's file, as a run. `planner` places the tensors that the file leaves free between the others; a diagnostic
/// of the plan gives their count.
std::shared_ptr<const Run> fileRun(const FilePlan& plan, const LoweringCache::Answer& lowered, const Planner* planner,
                                   const PlanRequest& request);

} // namespace stowage

// One planning, from a model and a request to a checked run. No threads but the checker of incumbents.
#pragma once

#include "app/session/lowering_cache.h"
#include "app/session/plan_request.h"

namespace stowage {

/// The lowering that a request asks for: the planner's defaults, then what the program (may be null) is meant for, then what the
/// request says.
Expected<LowerOptions> lowerOptions(const PlannerInfo* planner, const PlanRequest& request, const Program* program);

/// Plans what was lowered. `context.publish` is not used.
Expected<std::shared_ptr<const Run>> runPlanner(const Planner& planner, const LoweringCache::Answer& lowered,
                                                const PlanRequest& request, const PlanContext& context,
                                                const IncumbentSink& sink);

/// A plan that the model's file brings along, as a run. Tensors that the file leaves free are placed round the others by
/// `planner`; a diagnostic of the plan says how many.
std::shared_ptr<const Run> fileRun(const FilePlan& plan, const LoweringCache::Answer& lowered, const Planner* planner,
                                   const PlanRequest& request);

} // namespace stowage

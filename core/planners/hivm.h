// Ascend's PlanMemory.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Plans the memories of an Ascend core as the compiler's PlanMemory pass does: core/planners/hivm/scope_plan.h for each of them, workspace
/// arguments end to end or by level 0. Every buffer goes to its first candidate pool that could hold
/// it alone. What does not fit is said in the compiler's own
/// words, with what is live, how often multi-buffering multiplies it, and which changes would help. The recorder gets the level of each
/// placement as its reason (`hivm::levelOf`), and every rollback. After AscendNPU-IR (2025 to 2026); deterministic in natural order, where
/// the compiler draws orders.
std::shared_ptr<const Planner> hivmPlanner();

} // namespace stowage

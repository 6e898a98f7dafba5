// Ascend's PlanMemory.
#pragma once

#include "core/plan/planner.h"
#include "core/planners/hivm/advice.h"

namespace stowage {

/// Plans the memories of an Ascend core as the compiler's PlanMemory pass does: core/planners/hivm/memory_plan.h for each of
/// them, workspace arguments end to end or by level 0. Every buffer goes to its first candidate pool that could hold it alone.
/// What does not fit is said in the compiler's own words, with what is live, how often multi-buffering multiplies it, and which
/// changes would help. The plan says the level of each buffer, the recorder that of each placement, and every rollback. After
/// AscendNPU-IR (2025 to 2026); deterministic in natural order, where the compiler draws orders.
std::shared_ptr<const Planner> hivmPlanner();

/// Why `pool` of a checked problem overflows when this planner plans it with `options` (those that it does not have are passed
/// over), and what helps. Nothing when it does not overflow, or a limit of the context ends it first.
[[nodiscard]] std::optional<hivm::Overflow> hivmOverflow(const Problem& problem, PoolId pool, const OptionValues& options,
                                                         const PlanContext& context);

} // namespace stowage

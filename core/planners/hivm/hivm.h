// The planner of Ascend's compiler, PlanMemory.
#pragma once

#include "core/plan/planner.h"
#include "core/planners/hivm/advice.h"

namespace stowage {

/// Plans the pools of an Ascend core like the compiler's PlanMemory pass: each pool by core/planners/hivm/memory_plan.h,
/// workspace arguments end to end or at level 0. A buffer goes to its first candidate pool that is large enough for it alone. The
/// diagnostic of an overflow has the compiler's message, the live buffers with their slots, and changes that would help. The plan
/// has the level of each buffer; the recorder gets the level of each placement, and every rollback. After AscendNPU-IR (2025 to
/// 2026). Deterministic: it uses the natural order, where the compiler draws random ones.
std::shared_ptr<const Planner> hivmPlanner();

/// Explains why `pool` of a checked problem overflows when this planner plans it with `options` (unknown options are ignored),
/// and which changes help. No value when the pool does not overflow, or when a limit of the context ends the planning first.
[[nodiscard]] std::optional<hivm::Overflow> hivmOverflow(const Problem& problem, PoolId pool, const OptionValues& options,
                                                         const PlanContext& context);

} // namespace stowage

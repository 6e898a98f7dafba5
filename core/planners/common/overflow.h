// The diagnostic of a plan that does not fit.
#pragma once

#include "core/plan/plan.h"

#include <string_view>

namespace stowage {

/// States whether another plan may fit.
enum class OtherPlans : std::uint8_t { mayFit, cannotFit };

/// The diagnostic "overflow" for a pool whose size in `plan` exceeds its capacity: the bytes that are missing, the step at which
/// the largest number of bytes is live under the buffer that ends highest, and the buffers that hold most bytes there, with all
/// their slots and carried values. All bytes are of one iteration of each loop, so that they are live together. O(n log n); with
/// early ranges for each of at most 8 iterations.
[[nodiscard]] Diagnostic describeOverflow(const Problem& problem, const Plan& plan, PoolId pool,
                                          OtherPlans others = OtherPlans::mayFit);

/// For a problem without any plan that fits: removes the advice to try another planner from the diagnostics that
/// `describeOverflow` made for `plan`. O(pools * buffers).
void tellThatNothingFits(const Problem& problem, Plan& plan);

/// Adapts the diagnostics of `plan` for `problem`, which was converted from `made`, a plan for `planned`. That problem has more
/// conflicts, so what is proved for it need not hold for `problem`. Removes the buffers that do not fit there and the note that
/// all assignments were tried; begins other notes that may contain a proof with `where`, such as "with the loops unrolled"; and
/// describes pools that exceed their capacities for `problem`. O(pools * buffers).
void withdrawProofs(const Problem& planned, const Plan& made, const Problem& problem, Plan& plan, std::string_view where);

} // namespace stowage

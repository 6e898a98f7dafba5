// The diagnostic of a plan that does not fit.
#pragma once

#include "core/plan/plan.h"

namespace stowage {

/// States whether another plan may fit.
enum class OtherPlans : std::uint8_t { mayFit, cannotFit };

/// The diagnostic "overflow" for a pool whose size in `plan` exceeds its capacity: the bytes that are missing, the step at which
/// the largest number of bytes is live under the buffer that ends highest, and the largest buffers alive there. O(buffers).
[[nodiscard]] Diagnostic describeOverflow(const Problem& problem, const Plan& plan, PoolId pool,
                                          OtherPlans others = OtherPlans::mayFit);

/// For a problem without any plan that fits: removes the advice to try another planner from the diagnostics that
/// `describeOverflow` made for `plan`. O(pools * buffers).
void tellThatNothingFits(const Problem& problem, Plan& plan);

} // namespace stowage

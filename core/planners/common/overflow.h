// The diagnostic of a plan that does not fit.
#pragma once

#include "core/plan/plan.h"

namespace stowage {

/// The diagnostic "overflow" for a pool whose size in `plan` exceeds its capacity: the bytes that are missing, the step at which
/// the largest number of bytes is live under the buffer that ends highest, and the largest buffers alive there. O(buffers).
[[nodiscard]] Diagnostic describeOverflow(const Problem& problem, const Plan& plan, PoolId pool);

} // namespace stowage

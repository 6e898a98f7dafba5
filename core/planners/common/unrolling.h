// Lets any planner plan problems in which loops carry values.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Wraps `planner`. A problem with carried values is unrolled (core/plan/unroll.h) and planned, and the plan is converted to
/// rotating placements; other problems are passed on unchanged. Recorded steps and incumbents refer to the buffers of the
/// original problem. Certificates are dropped, because they hold for the unrolled problem only; notes say that they are about it
/// (`withdrawProofs`). When iterations of a buffer get different pools, the problem is planned again with the buffer restricted
/// to one of them.
std::shared_ptr<const Planner> unrolling(std::shared_ptr<const Planner> planner);

} // namespace stowage

// Any planner on problems in which loops carry values.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Plans such problems unrolled (core/plan/unroll.h) with `planner`, and gives the plan back with placements that rotate; others
/// go to it as they are. Recorded steps and incumbents speak of the buffers of the problem; certificates are dropped, as the
/// unrolled problem's are none for this one. Where iterations of a buffer end up in different pools, they are planned again
/// for one of these.
std::shared_ptr<const Planner> unrolling(std::shared_ptr<const Planner> planner);

} // namespace stowage

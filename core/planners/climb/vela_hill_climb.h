// Arm Vela's search, to compare with.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Starts from urgency order (`byUrgency`), each buffer at the lowest address. A round looks at the bottleneck, the buffer that
/// ends highest, at its neighbours, and at what each of these rests on down to the bottom of its pool; it exchanges two of them
/// in the order, at random, and keeps the new order when the plan is no larger. 500 rounds, or until the lower bound is reached.
/// The idea is Arm Vela's `hillclimb_allocation`; with several pools the bottleneck is that of the pool that is farthest over its
/// capacity, else of the largest one. With more than 16 million conflicting pairs only the start is planned, and a note says so.
std::shared_ptr<const Planner> velaHillClimb();

} // namespace stowage

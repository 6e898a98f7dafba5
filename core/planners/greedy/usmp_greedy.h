// The greedy planners of Apache TVM's unified static memory planner, as they shipped in 0.17, to compare with.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Each buffer above everything in conflict with it that lies in the pool already: no gap is filled, neither below nor between.
/// The first candidate pool in which it ends inside the size hint is taken. A neighbour ends where the original has it end, at
/// the next multiple of its own alignment. So where the original's plan is valid, ours is the same, but for what is repaired:
///
///  - a pool that one conflict has ruled out stays ruled out (in the original a later conflict brought it back, and buffers
///    overlapped unless they were lucky);
///  - an offset is a multiple of the buffer's own alignment as well as above the neighbour's end, rounded to the neighbour's;
///  - conflicts count both ways, whoever names them; sizes are 64 bits wide.
///
/// Order: size descending, number of conflicts descending, name descending.
std::shared_ptr<const Planner> usmpGreedyBySize();
/// Order: number of conflicts descending, size descending, name descending.
std::shared_ptr<const Planner> usmpGreedyByConflicts();

} // namespace stowage

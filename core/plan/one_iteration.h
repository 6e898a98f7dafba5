// A problem reduced to one iteration of each loop: proofs over fixed offsets rely on it.
#pragma once

#include "core/ir/problem.h"

namespace stowage {

/// The problem without the ranges that plans with rotating offsets need not keep apart. Every valid plan of `problem` holds,
/// in the same pools and bytes, a layout of the result with fixed offsets; so a proof that the result does not fit holds for the
/// problem.
///
/// That layout is the plan as it is in one iteration of each loop: the last one where the trip count is known and a buffer of the
/// loop is live after it, else the first. Two buffers that are live at one step are so in that iteration too, hence apart in it,
/// with these exceptions, which are left out:
///  - ranges that are `early`: live in one iteration only, which may be another;
///  - where the iteration is the last of two or more: the ranges of the loop's buffers before the loop (the first iteration's
///  values are there), and their pins (which bind the first iteration).
/// Buffers with several slots keep everything: all their offsets are taken at all times. The statement does not hold for problems
/// with carried values. O(buffers * (ranges * early + loops around)).
Problem ofOneIteration(Problem problem);

/// True when `ofOneIteration` changes the problem.
bool differsByIteration(const Problem& problem);

} // namespace stowage

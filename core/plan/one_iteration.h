// Reduces a problem to one iteration of each loop, for proofs with fixed offsets.
#pragma once

#include "core/ir/problem.h"

namespace stowage {

/// Removes the ranges that need not conflict in plans with rotating offsets. From every valid plan of `problem` follows a layout
/// of the result with fixed offsets, with the same pools and sizes. So a proof that the result does not fit also holds for
/// `problem`.
///
/// That layout has the offsets of one iteration of each loop: of the last iteration if the trip count is known and a buffer of
/// the loop is live after the loop, otherwise of the first. Two buffers that are live at one step are live in that iteration,
/// too, so their bytes are disjoint. The exceptions are removed from the result:
///  - early ranges: they are live in one iteration only, which may be another one;
///  - if the iteration is the last of two or more: the ranges of the loop's buffers before the loop (there they hold the
///  values of the first iteration), and their pins (which apply to the first iteration).
/// Buffers with several slots do not change, because they occupy all their offsets at all times. Not valid for problems with
/// carried values. O(buffers * (ranges * early + loops around)).
Problem ofOneIteration(Problem problem);

/// True if `ofOneIteration` changes the problem.
bool differsByIteration(const Problem& problem);

/// Reduces the problem to the moments in which all loops that early ranges name are in iteration `iteration`, or have ended after
/// that number of iterations. Early ranges of that iteration become live ranges in every iteration. Removed are the other early
/// ranges, the values that those loops carry across more iterations, and, if a loop has ended after 0 iterations, the ranges
/// after it of buffers of that loop. Other loops may be in any iteration. For sums of live bytes, not for plans.
/// O(buffers * (ranges * early + loops around)).
Problem inIteration(Problem problem, std::int32_t iteration);

/// Count of the early ranges of a buffer, which are live in one iteration only.
std::size_t earlyRanges(const Buffer& buffer);

/// Reduces the lifetime of `buffer` to the steps at which, in every plan, its value of iteration 0 of all loops around it is
/// live: a pin fixes the offset of that value only. Left out are early and carried ranges, which belong to other iterations, and
/// everything after a loop around the buffer that is known to have several iterations.
void keepFirstIteration(const Problem& problem, Buffer& buffer);

} // namespace stowage

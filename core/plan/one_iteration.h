// What of a problem holds in one and the same iteration of its loops: what a proof over fixed offsets may rely on.
#pragma once

#include "core/ir/problem.h"

namespace stowage {

/// The problem without what a plan need not keep apart when its offsets rotate with loops. Every valid plan of `problem` holds,
/// in the same pools and bytes, a layout of the result with fixed offsets; so what is proved not to fit for the result does not
/// fit at all.
///
/// That layout is the plan as it is in one iteration of each loop: the last one where the number of iterations is known and
/// something of the loop is live behind it, else the first. Two buffers that are live at one step are so in that iteration too,
/// hence apart in it, but for these, which are left out:
///  - ranges that are `early`: live in one iteration only, which may be another;
///  - where the iteration is the last of two or more, what a buffer of the loop has in front of it (its copy of the first
///    iteration is there) and its pin (that binds the first copy).
/// Buffers with several slots keep everything: all their offsets are taken at all times. Problems with carried copies are
/// returned all the same, but of them nothing is said. O(buffers * (ranges * early + loops around)).
Problem ofOneIteration(Problem problem);

/// True when that leaves something out.
bool differsByIteration(const Problem& problem);

} // namespace stowage

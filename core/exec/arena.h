// Executes a planned program on real arenas with checking bytes, and so finds buffers that overlap while both are in use.
//
// It shares no code with the planners or the checker. The bytes that a read has to find follow from the program alone; the
// address that it reads follows from the placements alone. A valid plan never fails. An invalid plan fails when two values
// overlap in an iteration or branch that is executed.
#pragma once

#include "core/exec/execution.h"
#include "core/ir/expected.h"
#include "core/lower/lower.h"
#include "core/plan/plan.h"

namespace stowage {

/// Executes the program on arenas of the planned sizes, with guard bytes around them. Inputs are filled before step 0. Each op
/// checks all bytes of its inputs, fills its temps and outputs with bytes of its own, and checks that its operands do not overlap
/// except where in-place is permitted. Carried values and results of regions are copied when source and target have different
/// addresses. The outputs and the guard bytes are checked at the end.
///
/// A loop with a rotating buffer runs 3 x repeat + 2 iterations, others `ExecuteOptions::iterations`. The number is shortened to
/// the trip count, or so that the last iteration has the same addresses as the last one of the whole loop. For an unknown trip
/// count the number changes from run to run and includes 0. The program is executed again until each branch of each case was
/// taken, at most 16 times. Errors: a placement that is missing or out of range, no memory, cancelled. O(bytes written and read).
Expected<ExecutionResult> execute(const Program& program, const Lowering& lowering, const Plan& plan,
                                  const ExecuteOptions& options = {});

/// The same for a problem without a program. Bytes are filled at the step at which they become occupied and checked when they
/// cease to be. This covers live ranges, the bytes of windows, carried values and all slots; a rotating buffer uses the offset of
/// its iteration. For problems without an order, and for unique buffers, the two buffers of each conflicting pair are filled one
/// after the other and the first is checked. Requires a checked problem. O(n log n + bytes).
Expected<ExecutionResult> execute(const Problem& problem, const Plan& plan, const ExecuteOptions& options = {});

} // namespace stowage

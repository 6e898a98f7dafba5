// Executes a planned program on real arenas with checking bytes, and so finds buffers that overlap while both are in use.
//
// It shares no code with the planners or the checker. The bytes that a read has to find follow from the program alone; the
// address that it reads follows from the placements alone. A valid plan never fails. An invalid plan fails when two values
// overlap in an iteration or branch that is executed.
#pragma once

#include "core/ir/expected.h"
#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <stop_token>

namespace stowage {

struct ExecuteOptions {
    std::int64_t iterations =
        3; ///< minimum number of iterations of each loop, at most its trip count; more for a loop that a buffer rotates with
    std::int64_t maxOps = 10'000'000; ///< maximum number of executed ops (for a problem: of stretches filled or checked), over
                                      ///< all runs and iterations
    Bytes maxBytes = Bytes{1} << 37;  ///< maximum number of bytes written and checked, over all runs
    Bytes maxArena =
        Bytes{2} << 30;     ///< maximum sum over the pools; larger pools are represented by fewer bytes (see `diagnostics`)
    std::uint64_t seed = 0; ///< chooses branches and contents
    std::stop_token cancel;
};

/// The first read that found wrong bytes.
struct Corruption {
    std::string reader; ///< name of the op; "the caller" for the check after the last op; empty for a problem, which has no ops
    std::string tensor; ///< the tensor that it read; empty when a guard byte beside the pool was overwritten
    BufferId buffer = none;
    BufferId overwrittenBy = none; ///< the buffer for which the first wrong byte was last written; none when it was never written
    std::string writer;            ///< the op that wrote it
    PoolId pool = none;
    Bytes low = 0; ///< the wrong bytes of the pool lie in [low, high); the first and the last byte are wrong
    Bytes high = 0;
    Step step = -1;
    std::vector<std::int64_t> iterations; ///< of the loops around the step, outermost first
};

struct ExecutionResult {
    std::optional<Corruption> corruption; ///< no value: every read found its bytes
    bool complete = true;                 ///< false: a limit ended the run early or left bytes unchecked (see `diagnostics`)
    std::int64_t runs = 0;                ///< executions of the whole program
    std::int64_t opsExecuted = 0;
    Bytes bytesChecked = 0;
    std::int64_t transfers = 0; ///< copies at the begin and end of regions and between iterations
    Bytes bytesTransferred = 0;
    Diagnostics diagnostics;
};

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

/// The corruption in one sentence: "'conv' reads 'h' in sram, where 'pool' wrote 'k' on [0x40, 0x80), at step 12 in iteration 3".
std::string describe(const Problem& problem, const Corruption& corruption);

} // namespace stowage

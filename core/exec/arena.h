// Runs a planned program on a real arena with checking bytes, which shows every overlap in time.
//
// It shares no code with the planners or the checker. The program alone says which bytes each read has to find; the placements
// alone say where the read looks. A valid plan always runs clean. An invalid plan is found when two values overlap in an
// iteration or branch that is run.
#pragma once

#include "core/ir/expected.h"
#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <stop_token>

namespace stowage {

struct ExecuteOptions {
    std::int64_t iterations = 3;      ///< minimum for each loop, or its trip count; more where a buffer rotates with it
    std::int64_t maxOps = 10'000'000; ///< executed ops (of a problem: pieces filled or checked), over all runs and iterations
    Bytes maxBytes = Bytes{1} << 37;  ///< bytes written and checked, over all runs
    Bytes maxArena = Bytes{2} << 30;  ///< sum over pools; larger ones are represented by fewer bytes (see `diagnostics`)
    std::uint64_t seed = 0;           ///< chooses branches and contents
    std::stop_token cancel;
};

/// The first read that found other bytes than those written for it.
struct Corruption {
    std::string reader; ///< op; "the caller" after the last one; empty for a problem, which has no ops
    std::string tensor; ///< what it read; empty when a write went beyond the pool
    BufferId buffer = none;
    BufferId overwrittenBy = none; ///< the buffer that the first wrong byte was last written for; none when it never was
    std::string writer;            ///< the op that did it
    PoolId pool = none;
    Bytes low = 0; ///< wrong bytes of the pool: [low, high), from the first wrong one to the last
    Bytes high = 0;
    Step step = -1;
    std::vector<std::int64_t> iterations; ///< of the loops around the step, outermost first
};

struct ExecutionResult {
    std::optional<Corruption> corruption; ///< nothing: every read found its bytes
    bool complete = true;                 ///< false: a limit stopped the run or left bytes unchecked (see `diagnostics`)
    std::int64_t runs = 0;                ///< passes through the program
    std::int64_t opsExecuted = 0;
    Bytes bytesChecked = 0;
    std::int64_t transfers = 0; ///< data moved where regions begin and end, and where iterations do
    Bytes bytesTransferred = 0;
    Diagnostics diagnostics;
};

/// Executes the program on arenas of the planned size with guard bytes around them. Inputs are filled before step 0; each op
/// checks all bytes of its inputs, fills its temps and outputs with bytes of its own, and checks that what it uses lies apart,
/// but for what it may write over; carried values and results of regions are copied where they do not lie in one place; the
/// outputs are checked at the end, and the guard bytes. Loops run 3 x repeat + 2 iterations where something rotates with them, a
/// few otherwise, shortened such that the last iteration is where that of the trip count would be; where the count is not known
/// it varies from run to run, none included. The program is run again until each branch of each case was taken (16 times at
/// most). Errors: a placement that is no place, no memory, cancelled. O(bytes written and read).
Expected<ExecutionResult> execute(const Program& program, const Lowering& lowering, const Plan& plan,
                                  const ExecuteOptions& options = {});

/// The same for a problem without a program. Whatever becomes live at a step is filled, and checked when it ceases to be: ranges,
/// windows by their bytes, what is carried into later iterations, all slots; rotating buffers where their iteration puts them.
/// Where no order is known, and for unique buffers, one of each pair that may not meet is filled after the other. Requires a
/// checked problem. O(n log n + bytes).
Expected<ExecutionResult> execute(const Problem& problem, const Plan& plan, const ExecuteOptions& options = {});

/// One sentence: "'conv' reads 'h' in sram, where 'pool' wrote 'k' on [0x40, 0x80), at step 12 in iteration 3".
std::string describe(const Problem& problem, const Corruption& corruption);

} // namespace stowage

// Runs a planned program on a real arena with checking bytes: the strongest test of a plan that there is.
#pragma once

#include "core/ir/expected.h"
#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <stop_token>

namespace stowage {

struct ExecuteOptions {
    std::int64_t defaultTripCount = 3; ///< for loops without a trip count
    std::int64_t maxTripCount = 64;    ///< longer loops run this many iterations
    std::int64_t maxOps = 10'000'000;  ///< executed ops, over all iterations
    Bytes maxArena = Bytes{4} << 30;   ///< sum over pools; sizes beyond it are scaled (see `scaled` in the result)
    std::uint64_t seed = 0;            ///< chooses branches
    std::stop_token cancel;
};

/// The first read that did not find what was written.
struct Corruption {
    std::string reader; ///< op
    std::string tensor;
    BufferId buffer = none;
    BufferId overwrittenBy = none; ///< the buffer whose write last touched the byte; none when never written
    std::string writer;            ///< the op that did it
    PoolId pool = none;
    Bytes address = 0;             ///< first wrong byte
    Step step = -1;
    std::vector<std::int64_t> iterations; ///< of the enclosing loops, outermost first
};

struct ExecutionResult {
    std::optional<Corruption> corruption; ///< nothing: every read found its bytes
    std::int64_t opsExecuted = 0;
    Bytes bytesChecked = 0;
    Diagnostics diagnostics;
};

/// Executes the program: inputs are filled before step 0; each op checks all bytes of its inputs, then fills its temps and outputs with
/// bytes derived from (tensor, iteration); carried values keep theirs; outputs are checked at the end. Addresses come from the placements only.
/// Every branch of a case runs at least once over the runs that `execute` makes (it repeats the program once for each branch at most 16 times).
Expected<ExecutionResult> execute(const Program& program, const Lowering& lowering, const Plan& plan, const ExecuteOptions& options = {});

/// The same for a problem without a program: each step writes what becomes live, and checks everything that is live.
Expected<ExecutionResult> execute(const Problem& problem, const Plan& plan, const ExecuteOptions& options = {});

std::string describe(const Problem& problem, const Corruption& corruption);

} // namespace stowage

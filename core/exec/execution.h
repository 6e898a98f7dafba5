// The options and the result of the execution of a plan.
#pragma once

#include "core/ir/diagnostic.h"
#include "core/ir/problem.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

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

/// The corruption in one sentence: "'conv' reads 'h' in sram, where 'pool' wrote 'k' on [0x40, 0x80), at step 12 in iteration 3".
std::string describe(const Problem& problem, const Corruption& corruption);

} // namespace stowage

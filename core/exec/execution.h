// The options and the result of the execution of a plan (core/exec/arena.h).
#pragma once

#include "core/ir/diagnostic.h"
#include "core/ir/problem.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

/// Limits and seed of an execution. A limit that is reached ends the execution: `ExecutionResult::complete` is false then.
struct ExecuteOptions {
    /// Number of iterations for which each loop runs, >= 1. A loop with a smaller trip count runs for its trip count; a loop in
    /// which a buffer rotates runs for more iterations, so that each of its offsets is used.
    std::int64_t iterations = 3;
    /// Maximum number of executed ops, over all runs and iterations. For a problem: of stretches of a buffer that are filled or
    /// checked.
    std::int64_t maxOps = 10'000'000;
    /// Maximum number of bytes that are written and checked, over all runs.
    Bytes maxBytes = Bytes{1} << 37;
    /// Maximum number of bytes to allocate for all pools together. If the pools are larger, one allocated byte stands for g bytes
    /// of a pool, where g is the greatest common divisor of all offsets and sizes. If that is not enough, only the lowest bytes
    /// of each pool are checked. A diagnostic of the result tells of either.
    Bytes maxArena = Bytes{2} << 30;
    /// Determines the branches that are taken and the contents of the buffers. The same seed gives the same execution.
    std::uint64_t seed = 0;
    std::stop_token cancel; ///< when it is requested, the execution ends with an error
};

/// The first read that found wrong bytes, or a guard byte beside a pool that was overwritten.
struct Corruption {
    /// Name of the op that reads; "the caller" for the check of the outputs after the last op; empty for a problem, which has no
    /// ops.
    std::string reader;
    std::string tensor;     ///< name of the tensor (for a problem: of the buffer) that is read; empty for a guard byte
    BufferId buffer = none; ///< the buffer that contains the tensor; none for a guard byte
    /// The buffer for which the first wrong byte was written last; none if the byte was never written.
    BufferId overwrittenBy = none;
    std::string writer; ///< name of the op that wrote the first wrong byte; empty for a problem, and if no op wrote the byte
    PoolId pool = none;
    /// All wrong bytes of the read lie in [low, high), counted from the start of the pool; the bytes `low` and `high - 1` are
    /// wrong. `low` is negative for a guard byte below the pool.
    Bytes low = 0;
    Bytes high = 0;
    Step step = -1;                       ///< of the read; -1 if it belongs to no step
    std::vector<std::int64_t> iterations; ///< current iteration of each loop around the step, from 0, outermost first
};

/// The result of an execution. Counts are sums over all runs.
struct ExecutionResult {
    std::optional<Corruption> corruption; ///< no value: every read that was checked found its bytes
    bool complete = true;         ///< false: a limit ended the execution, or left bytes unchecked; a diagnostic says which
    std::int64_t runs = 0;        ///< number of executions of the whole program
    std::int64_t opsExecuted = 0; ///< number of executed ops; for a problem, of stretches that were filled or checked
    Bytes bytesChecked = 0;
    std::int64_t transfers = 0; ///< number of copies: at the begin and the end of regions, and after iterations
    Bytes bytesTransferred = 0; ///< bytes of these copies
    Diagnostics diagnostics;
};

/// The corruption in one sentence: "'conv' reads 'h' in sram, where 'pool' wrote 'k' on [0x40, 0x80), at step 12 in iteration 3".
/// `problem` is the one that was executed.
std::string describe(const Problem& problem, const Corruption& corruption);

} // namespace stowage

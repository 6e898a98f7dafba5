// Writes the result of constant folding as `stowage.fold/1`.
#pragma once

#include "core/exec/fold_runtime.h"
#include "core/passes/fold_split.h"

#include <optional>
#include <span>
#include <string>

namespace stowage::io {

/// Planned sizes of the arenas of one function, in bytes: before and after folding, and of the functions that run once.
struct FoldArenas {
    std::optional<Bytes> before, after, compileTimeFold, runTimeFold;
};

/// The behaviour of the cache of constants in the first executions.
struct FoldRuns {
    CacheSharing sharing = CacheSharing::process;
    std::optional<Bytes> capacity;
    std::vector<Execution> executions; ///< by execution
};

struct FoldReport {
    const FoldedProgram* folded = nullptr; ///< not null
    FoldOptions options;
    std::vector<FoldArenas> arenas; ///< by function; may be empty
    std::vector<FoldRuns> runs;     ///< by function; may be empty
    Diagnostics diagnostics;
};

/// Writes these fields in addition to the published ones: in the document "mode", "threshold" and "postpone"; in an op "kind",
/// "explanation", "root_bytes" and "result_bytes"; in a folded tensor "made_by" and "read_by"; in a function "postponed",
/// "arguments" (for each new function, the positions of its arguments among the original ones), "arena", "cache" (its behaviour
/// in the first executions) and "moved" (bytes).
std::string writeFoldJson(const FoldReport& report);

} // namespace stowage::io

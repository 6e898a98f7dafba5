// What constant folding found, as `stowage.fold/1`.
#pragma once

#include "core/exec/fold_runtime.h"
#include "core/passes/fold_split.h"

#include <optional>
#include <span>
#include <string>

namespace stowage::io {

/// Sizes that a planner found for the arenas of one function: before, after, and of the functions that run once.
struct FoldArenas {
    std::optional<Bytes> before, after, compileTimeFold, runTimeFold;
};

/// What the cache did in the first executions.
struct FoldRuns {
    CacheSharing scope = CacheSharing::process;
    std::optional<Bytes> capacity;
    std::vector<Execution> executions; ///< one for each
};

struct FoldReport {
    const FoldedProgram* folded = nullptr; ///< not null
    FoldOptions options;
    std::vector<FoldArenas> arenas; ///< by function; may be empty
    std::vector<FoldRuns> runs;     ///< by function; may be empty
    Diagnostics diagnostics;
};

/// Besides the published fields: "mode", "threshold" and "postpone" of the document; of an op "kind", "explanation",
/// "root_bytes", "result_bytes"; of a folded tensor "made_by" and "read_by"; of a function "postponed", "arguments" (positions
/// of the original ones that each function takes), "arena", "cache" (what it did in the first runs), "moved" (bytes).
std::string writeFoldJson(const FoldReport& report);

} // namespace stowage::io

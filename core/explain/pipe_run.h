// Facts about a run for an Ascend core: kinds of reuse, stalls, and the reuse level at which each buffer was placed.
#pragma once

#include "core/explain/pipe_report.h"
#include "core/plan/reuse_level.h"
#include "core/plan/run.h"

#include <optional>

namespace stowage {

struct PipeAnalysis {
    PipeModel model;
    PipeReport report;
    std::int64_t iterations = 0; ///< maximum number of simulated iterations of each loop
};

/// The analysis of a run on Ascend's axis. No value for another axis, and without ops that run on a pipe.
[[nodiscard]] std::optional<PipeAnalysis> analysePipes(const Run& run, const PipeOptions& options = {});

/// The levels at which planner `hivm` placed the buffers of a run.
struct ReuseLevels {
    std::vector<std::optional<hivm::Level>> levels; ///< by buffer, of its first slot; no value for a buffer without bytes
    std::int64_t rollbacks = 0;                     ///< number of placements that were undone; 0 when no steps were recorded
};

/// The levels of a run. No value for the plan of another planner. O(buffers + steps).
[[nodiscard]] std::optional<ReuseLevels> reuseLevels(const Run& run);

/// Name of a level in one or two words: "level 3", "level 1", "sequential", "pinned".
[[nodiscard]] std::string_view shortName(hivm::Level level);
/// Meaning of a level: "on nothing that another pipe touches"; empty for a pin.
[[nodiscard]] std::string_view meaningOf(hivm::Level level);

} // namespace stowage

// Facts about a run on an Ascend core: reuse by kind, stalls, and the level at which each buffer was placed.
#pragma once

#include "core/explain/pipe_report.h"
#include "core/plan/reuse_level.h"
#include "core/plan/run.h"

#include <optional>

namespace stowage {

struct PipeAnalysis {
    PipeModel model;
    PipeReport report;
    std::int64_t iterations = 0; ///< simulated, of each loop at most
};

/// Of a run whose problem has Ascend's axis; nothing for others, and without ops that run on a pipe.
[[nodiscard]] std::optional<PipeAnalysis> analysePipes(const Run& run, const PipeOptions& options = {});

/// How planner `hivm` found the places of a run.
struct ReuseLevels {
    std::vector<std::optional<hivm::Level>> levels; ///< by buffer, of its first slot; nothing for one without bytes
    std::int64_t rollbacks = 0;                     ///< placements that were taken back, where steps were recorded
};

/// Nothing for a plan of another planner. O(buffers + steps).
[[nodiscard]] std::optional<ReuseLevels> reuseLevels(const Run& run);

/// "level 3", "level 1", "sequential", "pinned".
[[nodiscard]] std::string_view shortName(hivm::Level level);
/// What it means: "on nothing that another pipe touches"; empty for a pin.
[[nodiscard]] std::string_view meaningOf(hivm::Level level);

} // namespace stowage

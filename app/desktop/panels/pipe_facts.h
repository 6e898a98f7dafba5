// The facts of a buffer on hardware with pipes for the inspector: the level at which it was placed, the pipes that use it, the
// buffers whose bytes it reuses, and those that reuse its bytes.
#pragma once

#include "app/canvas/axis/pipe_lanes.h"

#include <QString>

#include <optional>
#include <vector>

namespace stowage {

/// A buffer that used the same bytes before, or uses them after.
struct ReuseNeighbour {
    BufferId other = none;
    bool before = false; ///< the other buffer is the earlier one
    ReuseKind kind = ReuseKind::samePipe;
    std::int64_t stall = 0; ///< in units of the simulated time
};

struct PipeFacts {
    QString level;           ///< "level 1"; empty if its planner records none
    QString levelMeans;      ///< "upgraded to the slots of a multi-buffer of the same loop"
    std::size_t slots = 1;   ///< count of slots in the plan
    std::int32_t wanted = 1; ///< count of requested slots
    QString writtenBy;       ///< pipes: "MTE2"; may be empty
    QString readBy;
    std::vector<ReuseNeighbour> neighbours; ///< the largest stall first
};

/// No value for a run without pipes. `scene` null: without pipes and neighbours. O(steps + ops + edges).
[[nodiscard]] std::optional<PipeFacts> pipeFactsOf(const Run& run, const PipeScene* scene, BufferId buffer);

} // namespace stowage

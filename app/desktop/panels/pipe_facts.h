// What the inspector says of a buffer on hardware with pipes: at which level it was placed, which pipes use it, whose bytes it
// takes over and who takes over its own.
#pragma once

#include "app/canvas/axis/pipe_lanes.h"

#include <QString>

#include <optional>
#include <vector>

namespace stowage {

/// A buffer that shares bytes with another one, one after the other.
struct ReuseNeighbour {
    BufferId other = none;
    bool before = false; ///< the other one held the bytes before
    ReuseKind kind = ReuseKind::samePipe;
    std::int64_t stall = 0; ///< in the simulated time
};

struct PipeFacts {
    QString level;           ///< "level 1"; empty when its planner records none
    QString levelMeans;      ///< "upgraded to the slots of a multi-buffer of the same loop"
    std::size_t slots = 1;   ///< that it has in the plan
    std::int32_t wanted = 1; ///< slots that it asks for
    QString writtenBy;       ///< pipes: "MTE2"; empty without any
    QString readBy;
    std::vector<ReuseNeighbour> neighbours; ///< the worst first
};

/// Nothing for a run without pipes. `scene` may be null: then there are no pipes and no neighbours. O(steps + ops + edges).
[[nodiscard]] std::optional<PipeFacts> pipeFactsOf(const Run& run, const PipeScene* scene, BufferId buffer);

} // namespace stowage

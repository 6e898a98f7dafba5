// Sums over the buffers in an area of a map. No Qt.
#pragma once

#include "app/canvas/axis/map_data.h"

#include <cstddef>
#include <vector>

namespace stowage {

struct AreaSums {
    std::vector<BufferId> buffers; ///< buffers that overlap the area, ascending, each once
    Bytes bytes = 0;               ///< sum of their sizes
    /// Bytes x steps that they occupy inside the area, counted twice where buffers overlap; exact below 2^53.
    double occupied = 0;
    double area = 0; ///< bytes x steps of the whole area

    /// Adds the sums of another area, which has no buffer in common with this one.
    void add(const AreaSums& other);
};

/// The sums of `box`. O(n log n) for n rectangles in it.
[[nodiscard]] AreaSums sumsIn(const MapData& map, const Problem& problem, const StepBytes& box);

} // namespace stowage

// What lies in an area of a map, summed up. No Qt.
#pragma once

#include "app/canvas/axis/map_data.h"

#include <cstddef>
#include <vector>

namespace stowage {

struct AreaSums {
    std::vector<BufferId> buffers; ///< that overlap the area, ascending, each once
    Bytes bytes = 0;               ///< sum of their sizes
    double occupied = 0; ///< bytes x steps that they occupy inside the area (twice where they overlap); exact below 2^53
    double area = 0;     ///< bytes x steps of the area

    /// Takes over what lies in another area, which has no buffer in common with this one.
    void add(const AreaSums& other);
};

/// O(n log n) in the rectangles met.
[[nodiscard]] AreaSums sumsIn(const MapData& map, const Problem& problem, const StepBytes& box);

} // namespace stowage

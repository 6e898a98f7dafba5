// What lies under the pointer. No Qt.
#pragma once

#include "app/canvas/axis/map_data.h"
#include "app/canvas/axis/pixel_axis.h"

#include <optional>
#include <vector>

namespace stowage {

/// The rectangle that holds the point (x, y) in pixels of the two axes (y grows with addresses). Where a broken plan puts
/// several, the one with the least area in bytes x steps, then the lowest buffer id. When there is none, the nearest one within
/// `tolerance` pixels, so that a buffer thinner than a pixel can be met; ties as before. O(log n + blocks met): microseconds at a
/// million buffers.
[[nodiscard]] std::optional<std::size_t> hitTest(const MapData& map, const PixelAxis& steps, const PixelAxis& addresses, double x,
                                                 double y, double tolerance = 3.0);

/// Buffers with a rectangle that overlaps `box`, ascending, each once.
[[nodiscard]] std::vector<BufferId> buffersIn(const MapData& map, const StepBytes& box);

/// Directions of the arrow keys.
enum class Direction { left, right, up, down };

/// The neighbour of a rectangle in a direction: the nearest one beyond that edge that shares steps (up, down) or bytes (left,
/// right) with it; without such a one the nearest by centre. Nothing at the rim.
[[nodiscard]] std::optional<std::size_t> neighbour(const MapData& map, std::size_t rect, Direction direction);

} // namespace stowage

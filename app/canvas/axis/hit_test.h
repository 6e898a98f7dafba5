// Finds the rectangle under the pointer. No Qt.
#pragma once

#include "app/canvas/axis/map_data.h"
#include "app/canvas/axis/pixel_axis.h"

#include <functional>
#include <optional>
#include <vector>

namespace stowage {

/// The rectangle that contains the point (x, y), in pixels of the two axes (y grows with addresses). If an invalid plan has
/// several there, the one with the smallest area in bytes x steps, then the lowest buffer id. If there is none, the nearest one
/// within `tolerance` pixels, so that buffers thinner than a pixel can be hit; ties as before. O(log n + blocks visited):
/// microseconds at a million buffers.
[[nodiscard]] std::optional<std::size_t> hitTest(const MapData& map, const PixelAxis& steps, const PixelAxis& addresses, double x,
                                                 double y, double tolerance = 3.0);

/// Buffers with a rectangle that overlaps `box`, ascending, each once.
[[nodiscard]] std::vector<BufferId> buffersIn(const MapData& map, const StepBytes& box);

/// Directions of the arrow keys.
enum class Direction { left, right, up, down };

/// The neighbour of a rectangle in a direction: the nearest one beyond that edge with common steps (up, down) or common bytes
/// (left, right); otherwise the one with the nearest centre. Only buffers that satisfy `passes` count; empty: all. No value at
/// the border of the map. O(rectangles beyond the edge).
[[nodiscard]] std::optional<std::size_t> neighbour(const MapData& map, std::size_t rect, Direction direction,
                                                   const std::function<bool(BufferId)>& passes = {});

} // namespace stowage

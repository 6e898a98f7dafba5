// Pictures of a report as SVG: the map of a memory, the bytes live over time, bars against bound and capacity. Each buffer has a
// hover title.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/axis/run_scene.h"

#include <cstddef>
#include <optional>
#include <string>

namespace stowage::report {

/// Rectangles with a hover title of their own; beyond that, and below half a pixel, buffers of a class become one shape, cell by
/// cell, so that every buffer is seen and the page stays small.
inline constexpr std::size_t maxTitled = 20'000;

/// The map of one memory with its legend. O(rectangles).
[[nodiscard]] std::string mapSvg(const RunScene& scene, const PoolScene& pool, const Colouring& colours);
/// Swatches of the classes that the memory's buffers have.
[[nodiscard]] std::string legend(const PoolScene& pool, const Colouring& colours);
/// Bytes live at each step, with peak, bound and capacity.
[[nodiscard]] std::string liveSvg(const PoolScene& pool, Step steps);

/// A bar of a size, with marks of bound and capacity; what is off the scale is cut with an arrow.
struct Bar {
    Bytes size = 0;
    Bytes bound = 0;
    std::optional<Bytes> capacity;
    std::optional<Bytes> before; ///< of the last run
    Bytes scale = 1;             ///< at the right end
};
[[nodiscard]] std::string headBar(const Bar& bar);  ///< wide, with words
[[nodiscard]] std::string tableBar(const Bar& bar); ///< 200 x 12

/// Patterns and their ids, once a page.
[[nodiscard]] std::string patterns();

} // namespace stowage::report

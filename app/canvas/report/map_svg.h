// Pictures of a report as SVG: the map of a pool with hover titles, live bytes over time, bars of size with bound and capacity.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/axis/run_scene.h"

#include <cstddef>
#include <optional>
#include <string>

namespace stowage::report {

/// Maximum count of rectangles with a hover title. With more rectangles, and for those below half a pixel, the buffers of a class
/// become one shape, cell by cell, so that every buffer is visible and the page stays small.
inline constexpr std::size_t maxTitled = 20'000;

struct MapSvg {
    std::string svg;
    std::size_t titled = 0; ///< rectangles with a hover title: all, or the largest ones (`maxTitled`)
};
/// The map of one pool. O(rectangles).
[[nodiscard]] MapSvg mapSvg(const RunScene& scene, const PoolScene& pool, const Colouring& colours);
/// Swatches of the classes of the pool's buffers.
[[nodiscard]] std::string legend(const PoolScene& pool, const Colouring& colours);
/// Live bytes by step, with peak, bound and capacity.
[[nodiscard]] std::string liveSvg(const PoolScene& pool, Step steps);

/// A bar of a size, with marks at bound and capacity; a bar longer than the scale is cut with an arrow.
struct Bar {
    Bytes size = 0;
    Bytes bound = 0;
    std::optional<Bytes> capacity;
    std::optional<Bytes> before; ///< size of the last run
    Bytes scale = 1;             ///< bytes at the right end
};
[[nodiscard]] std::string headBar(const Bar& bar);  ///< wide, with texts
[[nodiscard]] std::string tableBar(const Bar& bar); ///< 200 x 12

/// The definitions of hatch patterns; once in a page.
[[nodiscard]] std::string patterns();

} // namespace stowage::report

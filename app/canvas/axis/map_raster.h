// Paints the rectangles of a map into pixels without QPainter: ten times as fast, and rectangles thinner than a pixel add up
// exactly. No Qt.
#pragma once

#include "app/canvas/axis/map_data.h"
#include "app/canvas/axis/pixel_axis.h"
#include "app/canvas/axis/pixel_run.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

using Argb = std::uint32_t; ///< 0xAARRGGBB; opaque here

/// The style of one buffer: a colour class in the low four bits, and flags.
using BufferStyle = std::uint8_t;
inline constexpr BufferStyle styleClass = 0x0F;
inline constexpr BufferStyle styleDim = 0x10;    ///< excluded by the filter: painted at 22 %
inline constexpr BufferStyle styleHidden = 0x20; ///< its class is switched off in the legend
inline constexpr BufferStyle styleClique = 0x40; ///< member of the clique that proves the bound
inline constexpr BufferStyle styleHatch = 0x80;  ///< its class is hatched in the ink colour

/// The colours of a map, from the theme.
struct MapColours {
    std::array<Argb, 16> fill{}; ///< by colour class
    std::array<Argb, 16> ink{};  ///< by colour class: of the lines of a hatched class
    Argb well = 0;
    Argb free = 0;  ///< below the pool's top
    Argb hatch = 0; ///< lines over `free`
    Argb bad = 0;   ///< above the capacity
    Argb warn = 0;  ///< peak step, clique
    Argb grid = 0;  ///< marks of the steps

    friend bool operator==(const MapColours&, const MapColours&) = default;
};

/// The inputs of the picture of one map.
struct MapPicture {
    const MapData* map = nullptr;
    PixelAxis steps;
    PixelAxis addresses;
    std::span<const BufferStyle> styles; ///< by buffer
    MapColours colours;
    double ratio = 1;             ///< device pixels for each logical pixel
    std::optional<Interval> peak; ///< steps of the 12 % band; members of the clique get a bar there
    std::int64_t gridSpacing = 0; ///< steps between grid lines; 0: none
    bool buffers = true;          ///< false: only the background
};

/// An area of the picture, in absolute pixels of the two axes' grids (see `PixelAxis::origin`), so that it stays right while the
/// view is panned. `y` counts upwards.
struct PixelArea {
    std::int64_t x = 0;
    std::int64_t y = 0;
    int width = 0;
    int height = 0;

    friend bool operator==(const PixelArea&, const PixelArea&) = default;
};

/// The area that the axes show.
[[nodiscard]] PixelArea visibleArea(const MapPicture& picture);

/// The mark of a fallback: a triangle at the upper right with legs of `fallbackCorner` logical pixels, in rectangles of at least
/// `fallbackLeast` in both directions; in smaller ones a bar of width `fallbackBar` along the right edge.
inline constexpr double fallbackCorner = 8;
inline constexpr double fallbackLeast = 13;
inline constexpr double fallbackBar = 2;

/// The pixels that a rectangle covers with its padding, relative to the visible range and not clipped. The same for raster,
/// vector formats, outlines and labels.
struct RectPixels {
    PixelRun x;
    PixelRun y; ///< upwards
};
[[nodiscard]] RectPixels rectPixels(const MapData& map, const PixelAxis& steps, const PixelAxis& addresses, double ratio,
                                    std::size_t index);
[[nodiscard]] inline RectPixels rectPixels(const MapPicture& picture, std::size_t index)
{
    return rectPixels(*picture.map, picture.steps, picture.addresses, picture.ratio, index);
}

/// Paints one area. `pixels` holds area.height rows of `stride` pixels, the top row first. `stop` is called repeatedly; if it
/// returns true, the area stays unfinished, and the result is false. O(rectangles in the area + pixels).
bool paintArea(const MapPicture& picture, const PixelArea& area, Argb* pixels, std::ptrdiff_t stride,
               const std::function<bool()>& stop = {});

/// The sum of rectangles thinner than a pixel: colour x covered share.
struct Coverage {
    float red = 0;
    float green = 0;
    float blue = 0;
    float share = 0;
};

/// Sums the coverage of the rectangles of an area that are thinner than a pixel in at least one direction; exact up to the
/// rounding of a float. `sums` has area.width * area.height entries, the top row first. For the raster, the pyramid and tests.
void addCoverage(const MapPicture& picture, const PixelArea& area, std::span<Coverage> sums);

/// The opacity for a covered share: 0 for nothing, from 35 % for the smallest share to 100 %.
[[nodiscard]] inline float visibleShare(float share)
{
    return share <= 0 ? 0.0F : 0.35F + 0.65F * std::min(share, 1.0F);
}

[[nodiscard]] Argb mixArgb(Argb from, Argb to, float t);

/// Share of each pixel that the lines of a hatch at 45 degrees cover, by s = x - y ("/", rising) or x + y ("\", falling) in
/// absolute pixels; for s in [first, first + count). `spacing` and `width` are measured along a row, in pixels: whole ones give
/// lines without a blurred edge.
[[nodiscard]] std::vector<float> hatchShares(std::int64_t first, std::size_t count, double spacing, double width);

} // namespace stowage

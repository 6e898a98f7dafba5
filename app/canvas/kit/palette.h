// Colours of buffers in a theme: fill and ink of each colour class, and the same for the raster.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/axis/map_raster.h"
#include "app/canvas/kit/theme.h"

#include <QColor>

#include <array>
#include <span>
#include <vector>

namespace stowage {

struct Palette {
    std::array<QColor, colourClasses> fills;
    std::array<QColor, colourClasses> inks;
};

/// Categories have the buffer colours in their order ("Other" is slate); ordered measures have the ramp from 0.2 to 0.8.
[[nodiscard]] Palette paletteOf(const Theme& theme, ColourBy by);
[[nodiscard]] MapColours mapColours(const Theme& theme, const Palette& palette);

/// Styles for the raster: classes from `colouring`; classes in `hiddenClasses` (a bit each) are hidden; buffers not in `shown`
/// (by buffer; empty: all) are dimmed; members of `clique` are marked; hatched classes are hatched.
[[nodiscard]] std::vector<BufferStyle> bufferStyles(const Colouring& colouring, unsigned hiddenClasses,
                                                    const std::vector<bool>& shown, std::span<const BufferId> clique);

} // namespace stowage

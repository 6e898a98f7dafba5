// Colours of buffers in a theme: fill and ink of each colour class, and the same for the raster.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/axis/map_raster.h"
#include "app/canvas/kit/theme.h"

#include <QColor>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace stowage {

struct OpTrack;

struct Palette {
    std::array<QColor, colourClasses> fills;
    std::array<QColor, colourClasses> inks;
};

/// Categories have the buffer colours in their order ("Other" is slate); ordered measures have the ramp from 0.2 to 0.8.
[[nodiscard]] Palette paletteOf(const Theme& theme, ColourBy by);
/// The colours of an op's kind (into the track's kinds) beside a map: those of its class, or grey if no legend names the class
/// because no op of it makes a buffer.
struct OpColours {
    QColor fill;
    QColor ink;
};
[[nodiscard]] OpColours opColours(const Theme& theme, const OpTrack& track, std::size_t kind);
[[nodiscard]] MapColours mapColours(const Theme& theme, const Palette& palette);

/// Styles for the raster: classes from `colouring`; classes in `hiddenClasses` (a bit each) are hidden; buffers not in `shown`
/// (by buffer; empty: all) are dimmed; members of `clique` are marked; hatched classes are hatched.
[[nodiscard]] std::vector<BufferStyle> bufferStyles(const Colouring& colouring, unsigned hiddenClasses,
                                                    const std::vector<bool>& shown, std::span<const BufferId> clique);

} // namespace stowage

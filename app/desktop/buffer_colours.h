// The colour of a buffer outside the maps: swatches, graph nodes, thumbnails.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/kit/theme.h"
#include "core/plan/run.h"

#include <QColor>

#include <memory>

namespace stowage {

/// The colour of class `index`: categories from the palette, ordered classes from the ramp.
[[nodiscard]] QColor classColour(ColourBy by, std::size_t index, const Theme& theme);

/// Colour classes of one run, computed on first use.
class BufferColours {
public:
    /// Discards the classes if `run` is another one. The next `fill` is O(buffers).
    void setRun(std::shared_ptr<const Run> run);
    [[nodiscard]] QColor fill(BufferId buffer, const Theme& theme);

private:
    std::shared_ptr<const Run> run_;
    std::unique_ptr<Colouring> colouring_;
};

} // namespace stowage

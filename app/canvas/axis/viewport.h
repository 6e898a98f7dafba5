// What a map shows: steps across, addresses upwards, with one address axis for each strip. No Qt.
#pragma once

#include "app/canvas/axis/pixel_axis.h"
#include "core/ir/types.h"

#include <cstddef>
#include <vector>

namespace stowage {

/// The visible ranges alone: what history keeps and animation runs through.
struct ViewRange {
    AxisRange steps;
    std::vector<AxisRange> addresses; ///< by strip

    friend bool operator==(const ViewRange&, const ViewRange&) = default;
};

[[nodiscard]] ViewRange between(const ViewRange& from, const ViewRange& to, double t);

/// Step 0 at the left; address 0 at the bottom of each strip. Sizes are device pixels.
struct Viewport {
    PixelAxis steps;
    std::vector<PixelAxis> addresses; ///< by strip

    [[nodiscard]] ViewRange range() const;
    void show(const ViewRange& range);
    friend bool operator==(const Viewport&, const Viewport&) = default;
};

/// Where one has been, as a browser keeps it. Steps of one gesture that follow each other are one entry.
class ViewHistory {
public:
    /// Before a change: keeps the range that is left. With `merge` set, the change goes on from the last one (the same wheel, the
    /// same drag), and nothing is kept.
    void leave(const ViewRange& range, bool merge = false);
    [[nodiscard]] bool canGoBack() const { return !back_.empty(); }
    [[nodiscard]] bool canGoForward() const { return !forward_.empty(); }
    /// The range to go to; `now` becomes the way back. Requires that there is one.
    ViewRange goBack(const ViewRange& now);
    ViewRange goForward(const ViewRange& now);
    void clear();

    static constexpr std::size_t limit = 200; ///< entries kept; the oldest go first

private:
    std::vector<ViewRange> back_;
    std::vector<ViewRange> forward_;
};

} // namespace stowage

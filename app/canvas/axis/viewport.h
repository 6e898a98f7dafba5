// The visible range of a map: steps across, addresses upwards, with one address axis for each strip. No Qt.
#pragma once

#include "app/canvas/axis/pixel_axis.h"
#include "core/ir/types.h"

#include <cstddef>
#include <vector>

namespace stowage {

/// The visible ranges, for the history and for animations.
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

/// The history of visible ranges, as in a browser. Consecutive changes of one gesture are one entry.
class ViewHistory {
public:
    /// To be called before a change, with the old range. `merge`: the change continues the last one (the same wheel, the same
    /// drag) and adds no entry.
    void leave(const ViewRange& range, bool merge = false);
    [[nodiscard]] bool canGoBack() const { return !back_.empty(); }
    [[nodiscard]] bool canGoForward() const { return !forward_.empty(); }
    /// The range to show; `now` becomes the next forward (or backward) entry. Requires `canGoBack` or `canGoForward`.
    ViewRange goBack(const ViewRange& now);
    ViewRange goForward(const ViewRange& now);
    void clear();

    static constexpr std::size_t limit = 200; ///< maximum count of entries; the oldest are dropped

private:
    std::vector<ViewRange> back_;
    std::vector<ViewRange> forward_;
};

} // namespace stowage

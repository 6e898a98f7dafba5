// Outlines of many buffers: those in view, up to a limit, and a chip with the count.
#pragma once

#include "app/canvas/axis/map_data.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/shared_buffers.h"
#include "app/canvas/kit/theme.h"

#include <QRectF>
#include <QString>

#include <cstddef>
#include <cstdint>

namespace stowage {

/// Maximum count of rectangles of one map that are outlined: more cannot be told apart, and take longer than a frame.
inline constexpr std::size_t maxOutlined = 2000;

/// Calls `visit(rect)` for the rectangles of `buffers` that overlap `view`, at most `maxOutlined`. Returns whether these are all.
/// O(min(count of buffers, rectangles in the blocks that `view` meets)).
template <typename Visit>
bool forEachOutlined(const MapData& map, const SharedBuffers& buffers, const StepBytes& view, Visit&& visit)
{
    std::size_t visited = 0;
    const auto take = [&](std::size_t rect) {
        if (visited == maxOutlined) return false;
        ++visited;
        visit(rect);
        return true;
    };
    if (map.rects.countAtMost(view) < buffers.size()) {
        bool all = true;
        map.rects.forEach(view, [&](std::size_t rect) {
            if (buffers.contains(map.buffer[rect])) all = take(rect);
            return all;
        });
        return all;
    }
    for (const BufferId buffer : buffers)
        for (const std::uint32_t rect : map.rectsOf(buffer))
            if (map.rects[rect].overlaps(view) && !take(rect)) return false;
    return true;
}

/// Paints a chip with a count of buffers ("2,500 selected") at the left edge of `plot`, and moves `y`, its top, below it. If not
/// `all` of them are outlined, the chip says so where it has the room.
void paintOutlinedCount(DrawList& list, const Theme& theme, const QRectF& plot, double& y, std::size_t count, const QString& what,
                        bool all);
/// The chip of a selection, if there are outlines that could be taken for all of it.
void paintSelectedCount(DrawList& list, const Theme& theme, const QRectF& plot, double& y, const SharedBuffers& selection,
                        bool all);

} // namespace stowage

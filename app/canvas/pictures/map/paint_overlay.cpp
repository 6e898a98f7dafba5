// What the selection adds to a map: outlines, conflicts, the chain of supports, broken places.
#include "app/canvas/axis/label_fit.h"
#include "app/canvas/kit/outlined.h"
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>
#include <cmath>

namespace stowage::stack {

namespace {

constexpr double minOutline = 4; ///< a thin buffer gets an outline that can be seen

/// A round arrow downwards: the upper one rests on the lower one here. Not wider than the inset of labels on both sides.
void paintContact(DrawList& list, const Theme& theme, QPointF at)
{
    constexpr double border = 1;
    const QPointF c(list.snap(at.x()), list.snap(at.y()));
    list.add(draw::Disc{c, labelInset - border / 2, theme.well, theme.sel, border});
    list.add(draw::Line{QPolygonF{QPointF(c.x(), c.y() - 2.4), QPointF(c.x(), c.y() + 2.3)}, theme.sel, 1.2, Dash::solid});
    list.add(draw::Line{QPolygonF{QPointF(c.x() - 2, c.y() + 0.4), QPointF(c.x(), c.y() + 2.4), QPointF(c.x() + 2, c.y() + 0.4)},
                        theme.sel, 1.2, Dash::solid});
}

/// Chips, one below the other, with the counts of buffers that are selected or conflict, where an outline alone could mislead.
void paintCounts(DrawList& list, const StackState& state, const QRectF& plot, bool allSelected, bool allConflicting)
{
    double y = plot.top() + 4;
    paintSelectedCount(list, *state.theme, plot, y, state.area, allSelected);
    if (!allConflicting)
        paintOutlinedCount(list, *state.theme, plot, y, state.conflicting.size(), QStringLiteral("in conflict"), false);
}

} // namespace

void paintStripOverlay(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip)
{
    const Theme& theme = *state.theme;
    const StackGeometry geometry{state, layout};
    const RunScene& scene = *state.scene;
    const std::int32_t shown = state.strips[strip];
    const MapData& map = scene.pools[std::size_t(shown)].map;
    const QRectF& band = layout.strips[strip];
    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth(), band.height());
    const auto eachRect = [&](BufferId buffer, auto&& visit) {
        for (const std::uint32_t rect : map.rectsOf(buffer)) {
            const QRectF r = geometry.rectOf(strip, rect, minOutline);
            if (r.intersects(plot)) visit(r, rect);
        }
    };
    list.clip(plot);
    const StepBytes view = geometry.inView(strip);
    const bool allConflicting = !state.conflicts || forEachOutlined(map, state.conflicting, view, [&](std::size_t rect) {
        list.outline(geometry.rectOf(strip, rect, minOutline).adjusted(0.5, 0.5, -0.5, -0.5), theme.text2, 1, 1.5);
    });

    // Places where the checker found two buffers on the same bytes.
    for (const Violation& violation : scene.run->report.verdict.violations) {
        if (violation.kind == ViolationKind::overCapacity) continue;
        for (const BufferId buffer : {violation.first, violation.second})
            eachRect(buffer, [&](const QRectF& r, std::uint32_t) { list.outline(r.adjusted(1, 1, -1, -1), theme.bad, 2, 1.5); });
        if (violation.kind != ViolationKind::overlap) continue;
        eachRect(violation.first, [&](const QRectF& a, std::uint32_t) {
            eachRect(violation.second, [&](const QRectF& b, std::uint32_t) {
                const QRectF common = a & b;
                if (!common.isEmpty()) list.add(draw::Hatch{common, theme.bad, 5, true, plot.bottomLeft()});
            });
        });
    }

    if (state.reuse) paintReuse(list, state, layout, strip);

    const bool inThisStrip = scene.poolOf(state.selected) == shown;
    if (state.chain && inThisStrip)
        for (std::size_t i = 1; i < state.support.links.size(); ++i)
            for (const std::uint32_t rect : map.rectsOf(state.support.links[i].buffer)) {
                const bool sameSlot =
                    map.rects[rect].low >= state.support.links[i].offset &&
                    map.rects[rect].high <=
                        state.support.links[i].offset + scene.run->problem().buffers[std::size_t(map.buffer[rect])].size;
                const QRectF r = geometry.rectOf(strip, rect, minOutline);
                if (sameSlot && r.intersects(plot))
                    list.outline(r.adjusted(0.25, 0.25, -0.25, -0.25), theme.sel, 1.5, 1.5, Dash::chain);
            }
    const auto select = [&](const QRectF& r) {
        list.outline(r, theme.well, 4, 2);
        list.outline(r, theme.sel, 2, 1.5);
    };
    const bool allSelected =
        forEachOutlined(map, state.area, view, [&](std::size_t rect) { select(geometry.rectOf(strip, rect, minOutline)); });
    if (state.hovered != none && state.hovered != state.selected)
        eachRect(state.hovered, [&](const QRectF& r, std::uint32_t) {
            list.fill(r, withAlpha(theme.text, 0.12), 1.5);
            list.outline(r.adjusted(0.5, 0.5, -0.5, -0.5), theme.sel, 1, 1.5);
        });
    if (state.selected != none) eachRect(state.selected, [&](const QRectF& r, std::uint32_t) { select(r); });
    if (state.chain && inThisStrip && state.support.links.size() > 1) {
        list.unclip();
        list.clip(plot.adjusted(0, 0, labelInset, 0)); // an arrow at the end of the last step
        for (std::size_t i = 1; i < state.support.links.size(); ++i) {
            const SupportLink& upper = state.support.links[i - 1];
            const SupportLink& lower = state.support.links[i];
            if (lower.together.empty()) continue;
            // Where the last step ends that both live in, and one of them with it: labels keep off that edge.
            const double x = geometry.column(lower.together.end - 1, band).right();
            paintContact(list, theme, {x, geometry.y(strip, upper.offset)});
        }
    }
    // Outlines and arrows run over the chips of the reference lines, which are what a chain or a clique is measured by.
    if (state.selected != none || state.hovered != none || !state.area.empty()) paintStripChips(list, state, layout, strip);
    paintCounts(list, state, plot, allSelected, allConflicting);
    list.unclip();

    // The selected addresses, along the outer edge of the gutter.
    if (state.selected != none)
        for (const std::uint32_t rect : map.rectsOf(state.selected)) {
            const double top = std::max(band.top(), geometry.y(strip, map.rects[rect].high));
            const double bottom = std::min(band.bottom(), geometry.y(strip, map.rects[rect].low));
            if (bottom > top) list.fill({0, top, 3, std::max(2.0, bottom - top)}, theme.accent);
        }
}

} // namespace stowage::stack

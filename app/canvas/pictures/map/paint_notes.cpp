// Remarks: a flag at the place, and as much of the text as fits beside it.
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr double pole = 15;
constexpr double flagWidth = 9;
constexpr double flagHeight = 8;
constexpr double maxText = 168;

/// The foot of the flag, or nothing when it is out of view.
std::optional<QPointF> footOf(const StackState& state, const StackLayout& layout, const MapNote& note)
{
    const StackGeometry geometry{state, layout};
    const double x = geometry.x(note.step);
    if (x < layout.plotLeft || x > layout.plotRight) return std::nullopt;
    if (note.pool.empty())
        return layout.curve.isEmpty() ? std::nullopt : std::optional(QPointF(x, layout.curve.top() + pole + 2));
    for (std::size_t i = 0; i < layout.strips.size(); ++i) {
        if (state.scene->pools[std::size_t(state.strips[i])].map.poolName != note.pool) continue;
        const double y = geometry.y(i, note.address);
        if (y >= layout.strips[i].top() && y <= layout.strips[i].bottom())
            return QPointF(x, std::max(y, layout.strips[i].top() + pole + 2));
    }
    return std::nullopt;
}

} // namespace

QRectF noteBox(const StackState& state, const StackLayout& layout, const MapNote& note)
{
    const auto foot = footOf(state, layout, note);
    return foot ? QRectF(foot->x() - 2, foot->y() - pole - 1, flagWidth + 5, pole + 3) : QRectF();
}

namespace stack {

void paintNotes(DrawList& list, const StackState& state, const StackLayout& layout)
{
    const Theme& theme = *state.theme;
    for (const MapNote& note : state.notes) {
        const auto foot = footOf(state, layout, note);
        if (!foot) continue;
        const double x = list.snap(foot->x());
        const double y = list.snap(foot->y());
        const double room = std::min(maxText, layout.plotRight - x - flagWidth - 14);
        const QString text = room > 20 ? list.elided(Face::label, note.text, room) : QString();
        if (!text.isEmpty()) {
            const QRectF chip(x + flagWidth + 3, y - pole, list.width(Face::label, text) + 10, DrawList::chipHeight);
            list.fill(chip, theme.warnSoft, 3);
            list.text(Face::label, chip.left() + 5, chip.center().y(), text, theme.warn);
        }
        list.fill({x - 1, y - pole - 1, 4, pole + 2}, theme.well);
        list.fill({x, y - pole, 1.5, pole}, theme.warn);
        const QPolygonF flag{QPointF(x + 1.5, y - pole), QPointF(x + 1.5 + flagWidth, y - pole + flagHeight / 2),
                             QPointF(x + 1.5, y - pole + flagHeight)};
        list.add(draw::Area{flag, theme.warn});
        list.add(draw::Line{QPolygonF(flag) << flag.first(), theme.well, 1, Dash::solid});
    }
}

} // namespace stack

} // namespace stowage

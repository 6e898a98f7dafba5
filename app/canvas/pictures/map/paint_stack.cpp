#include "app/canvas/pictures/map/paint_stack.h"

#include "app/canvas/pictures/map/stack_parts.h"

namespace stowage {

bool paintStack(DrawList& list, const StackState& state, const StackLayout& layout, BodyMode mode, std::span<const QImage> bodies)
{
    const Theme& theme = *state.theme;
    list.fill(layout.all, theme.well);
    bool fellBack = false;
    if (!layout.curve.isEmpty()) stack::paintCurve(list, state, layout);
    if (state.scene->pools.empty()) { // where the rows are not
        const double y = layout.curve.isEmpty() ? layout.all.center().y() : layout.curve.center().y();
        list.text(Face::body, layout.plotLeft + layout.plotWidth() / 2, y, QStringLiteral("No buffer has a place in this plan."),
                  theme.text2, draw::Text::Align::centre);
    }
    if (!layout.ops.isEmpty()) stack::paintOps(list, state, layout);
    for (std::size_t i = 0; i < layout.strips.size(); ++i)
        fellBack |= stack::paintStrip(list, state, layout, i, mode, i < bodies.size() ? bodies[i] : QImage());
    if (!layout.rows.isEmpty()) stack::paintRows(list, state, layout);
    return fellBack;
}

void paintStackOverlay(DrawList& list, const StackState& state, const StackLayout& layout)
{
    const Theme& theme = *state.theme;
    if (state.cursor && *state.cursor >= 0 && *state.cursor < state.scene->steps) {
        // The cursor's column through all bands: a wash where it is wide, a line where it is not.
        const StackGeometry geometry{state, layout};
        list.clip({layout.plotLeft, 0, layout.plotWidth(), layout.all.height()});
        for (const QRectF& band : {layout.curve, layout.rows}) {
            if (band.isEmpty()) continue;
            const QRectF column = geometry.column(*state.cursor, band);
            list.fill(column, stack::withAlpha(theme.sel, column.width() >= 4 ? 0.08 : 0.5));
        }
        for (const QRectF& band : layout.strips) {
            const QRectF column = geometry.column(*state.cursor, band);
            list.fill(column, stack::withAlpha(theme.sel, column.width() >= 4 ? 0.08 : 0.5));
        }
        list.unclip();
    }
    for (std::size_t i = 0; i < layout.strips.size(); ++i) stack::paintStripOverlay(list, state, layout, i);
    if (!layout.rows.isEmpty()) stack::paintRowsOverlay(list, state, layout);
    stack::paintNotes(list, state, layout);
    stack::paintRuler(list, state, layout); // its tags follow the cursor
}

} // namespace stowage

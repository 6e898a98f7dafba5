// The ops along the steps: a code and a colour for each kind, which is grey where the legend has none.
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>

namespace stowage::stack {

namespace {

constexpr double cellHeight = 18;
constexpr double minForLongCode = 20; ///< logical pixels of a step for three letters
constexpr double minForCode = 14;     ///< for two; below it, colours alone
constexpr double minForGap = 4;
constexpr double tint = 0.26;

} // namespace

void paintOps(DrawList& list, const StackState& state, const StackLayout& layout)
{
    const Theme& theme = *state.theme;
    const QRectF& band = layout.ops;
    const OpTrack& track = state.scene->ops;
    list.fill(band, theme.panel);
    list.fill({layout.plotLeft, band.top(), 1, band.height()}, theme.line2);
    list.text(Face::labelStrong, 10, band.center().y(), QStringLiteral("Ops"), theme.text);
    list.text(Face::tick, layout.plotLeft - 8, band.center().y(), countText(std::int64_t(track.ops)), theme.text2,
              draw::Text::Align::right);

    const StackGeometry geometry{state, layout};
    const PixelAxis& axis = state.viewport.steps;
    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth() - 1, band.height());
    const double stepWidth = axis.scale() / state.ratio;
    const double top = band.top() + (band.height() - cellHeight) / 2;
    const auto fillOf = [&](std::int32_t kind) { return opColours(theme, track, std::size_t(kind)).fill; };
    const auto kindAt = [&](Step step) {
        return step >= 0 && std::size_t(step) < track.kindOf.size() ? track.kindOf[std::size_t(step)] : std::int32_t(none);
    };
    list.clip(plot);
    if (stepWidth >= minForGap) {
        const std::vector<Step> marked = selectedOpSteps(state);
        const Step last = std::min<Step>(axis.unitAt(axis.pixels()) + 1, Step(track.kindOf.size()));
        for (Step step = axis.unitAt(0); step < last; ++step) {
            const std::int32_t kind = kindAt(step);
            if (kind == none) continue;
            const QRectF cell(geometry.x(step), top,
                              std::max(1.0, geometry.x(step + 1) - geometry.x(step) - (stepWidth >= minForCode ? 2 : 1)),
                              cellHeight);
            const QRectF inner = stepWidth >= minForCode ? cell.translated(1, 0) : cell;
            const bool isMarked = std::binary_search(marked.begin(), marked.end(), step);
            list.fill(inner, isMarked ? fillOf(kind) : mix(theme.panel, fillOf(kind), stepWidth >= minForCode ? tint : 0.6),
                      stepWidth >= minForCode ? 3 : 0);
            if (isMarked && stepWidth >= minForCode) list.outline(inner.adjusted(0.25, 0.25, -0.25, -0.25), theme.sel, 1.5, 3);
            const QString code =
                QString::fromStdString((stepWidth >= minForLongCode ? track.codes : track.shortCodes)[std::size_t(kind)]);
            if (stepWidth >= minForCode && list.width(Face::code, code) <= inner.width() - 0.5)
                list.text(Face::code, inner.center().x(), inner.center().y(), code,
                          isMarked ? opColours(theme, track, std::size_t(kind)).ink : theme.text, draw::Text::Align::centre);
        }
    } else {
        // Runs of equal kinds, by the op at the left edge of each device pixel.
        std::int32_t running = none;
        int from = 0;
        for (int pixel = 0; pixel <= axis.pixels(); ++pixel) {
            const std::int32_t kind = pixel < axis.pixels() ? kindAt(axis.unitAt(pixel)) : std::int32_t(none);
            if (kind == running && pixel < axis.pixels()) continue;
            if (running != none)
                list.fill({layout.plotLeft + from / state.ratio, top, (pixel - from) / state.ratio, cellHeight},
                          mix(theme.panel, fillOf(running), 0.6));
            running = kind;
            from = pixel;
        }
    }
    list.unclip();
    list.horizontal(0, band.right(), band.bottom(), theme.line);
}

} // namespace stowage::stack

// Reuse across pipes on a map: an arrow from the buffer that held bytes to the one that takes them over.
#include "app/canvas/pictures/map/stack_parts.h"
#include "app/canvas/pictures/pipes/pipe_chart.h"

#include <algorithm>

namespace stowage::stack {

namespace {

constexpr double stub = 16;          ///< of an arrow that goes on in a later iteration
constexpr double least = 12;         ///< length of an arrow between neighbours
constexpr std::size_t maxCalm = 200; ///< edges on one pipe; beyond, only those of the selected buffer are drawn

} // namespace

void paintReuse(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip)
{
    const Theme& theme = *state.theme;
    const StackGeometry geometry{state, layout};
    const MapData& map = state.scene->pools[std::size_t(state.strips[strip])].map;
    const QRectF& band = layout.strips[strip];
    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth(), band.height());
    const PipeReport& report = state.reuse->report();
    const bool calm = std::size_t(report.count(ReuseKind::samePipe)) <= maxCalm;
    const bool chosen = state.selected != none;
    const auto isMeant = [&](const ReuseEdge& edge) {
        return chosen && (edge.from == state.selected || edge.to == state.selected);
    };
    // The worst kinds come first in the report: they are drawn last.
    for (const bool meant : {false, true})
        for (auto edge = report.edges.rbegin(); edge != report.edges.rend(); ++edge) {
            if (edge->pool != map.pool || isMeant(*edge) != meant) continue;
            if (!meant && edge->kind == ReuseKind::samePipe && !calm) continue;
            const double alpha = chosen && !meant ? 0.25 : 1;
            for (const std::uint32_t a : map.rectsOf(edge->from))
                for (const std::uint32_t b : map.rectsOf(edge->to)) {
                    const StepBytes& from = map.rects[a];
                    const StepBytes& to = map.rects[b];
                    const Bytes low = std::max(from.low, to.low);
                    const Bytes high = std::min(from.high, to.high);
                    if (low >= high) continue;
                    const double y = (geometry.y(strip, low) + geometry.y(strip, high)) / 2;
                    if (y < plot.top() || y > plot.bottom()) continue;
                    const double right = geometry.x(from.end);
                    const double left = geometry.x(to.begin);
                    if (from.end <= to.begin) {
                        const double slack = std::max(0.0, least - (left - right)) / 2;
                        paintReuseArrow(list, theme, {QPointF(right - slack, y), QPointF(left + slack, y)}, edge->kind, alpha);
                    } else {
                        // Round the loop: out on the right, in again on the left.
                        paintReuseArrow(list, theme, {QPointF(right - 3, y), QPointF(right + stub, y)}, edge->kind, alpha,
                                        Dash::stall);
                        paintReuseArrow(list, theme, {QPointF(left - stub, y), QPointF(left + 3, y)}, edge->kind, alpha,
                                        Dash::stall);
                    }
                }
        }
}

} // namespace stowage::stack

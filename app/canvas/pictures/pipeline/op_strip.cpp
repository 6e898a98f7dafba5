#include "app/canvas/pictures/pipeline/op_strip.h"

#include "app/canvas/axis/op_codes.h"
#include "app/canvas/pictures/pipeline/gantt.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace stowage {

namespace {

using Align = draw::Text::Align;
using pipeline::Ticks;

constexpr double sumsHeight = 18;
constexpr double codesHeight = 14;
constexpr double handleWidth = 6;
constexpr double handleHeight = 12;
constexpr double costHeight = 9; ///< of the digits above a bar, with a pixel on each side

/// The cost that a full bar stands for: the largest one, unless few ops tower above all others.
Ticks scaleOf(const PipelineData& data)
{
    std::vector<Ticks> costs;
    for (const StageFigures& stage : data.stages)
        for (const StageOp& op : stage.ops) costs.push_back(op.cost);
    if (costs.empty()) return 1;
    std::ranges::sort(costs);
    const Ticks usual = costs[(costs.size() - 1) * 9 / 10];
    return std::max<Ticks>(1, costs.back() > usual * 2 && usual > 0 ? usual + usual / 5 : costs.back());
}

QString signedMicro(Ticks ticks)
{
    return (ticks < 0 ? QStringLiteral("-") : QStringLiteral("+")) + microText(ticks < 0 ? -ticks : ticks);
}

/// The bar of an op, and the middle of its column.
struct OpBar {
    QRectF box;
    double middle = 0;
    Ticks cost = 0;
};

/// The texts of a cost in µs, longer first: with a tenth, and rounded where that keeps two digits.
QStringList costTexts(Ticks cost)
{
    QStringList texts{microText(cost)};
    if (const std::int64_t whole = std::llround(pipeline::toMicroseconds(cost)); whole >= 10) texts << countText(whole);
    return texts;
}

/// Where a text above a bar overhangs its column: between the borders beside it, in front of no other bar, and beside the texts
/// that are there already. Empty without such a place. `bars`: one for each column; `lines`: the borders, in any order.
QRectF overhanging(const OpBar& bar, double width, const OpStripLayout& layout, const std::vector<OpBar>& bars,
                   const std::vector<double>& lines, const std::vector<QRectF>& taken)
{
    double low = layout.plot.left(), high = layout.plot.right();
    for (const double line : lines) {
        if (line <= bar.middle) low = std::max(low, line + handleWidth);
        if (line > bar.middle) high = std::min(high, line - handleWidth);
    }
    if (high - low < width) return {};
    const QRectF place(std::clamp(bar.middle - width / 2, low, high - width), bar.box.top() - 6 - costHeight / 2, width,
                       costHeight);
    const QRectF apart = place.adjusted(-3, 0, 3, 0);
    const auto column = [&](double x) {
        return std::min(bars.size() - 1, std::size_t(std::max(0.0, (x - layout.plot.left()) / layout.opWidth)));
    };
    for (std::size_t i = column(place.left()); i <= column(place.right()); ++i)
        if (&bars[i] != &bar && bars[i].box.intersects(place)) return {};
    if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(apart); })) return {};
    return place;
}

/// The costs above their bars: those that fit their columns; and of the others those that are not below any of these, where
/// their neighbours leave room, so that the largest one does not go without.
void paintCosts(DrawList& list, const Theme& theme, const OpStripLayout& layout, const std::vector<OpBar>& bars,
                const std::vector<double>& lines)
{
    std::vector<QRectF> taken;
    std::vector<const OpBar*> without;
    Ticks largest = 0;
    const auto say = [&](const QRectF& place, const QString& text) {
        list.text(Face::code, place.center().x(), place.center().y(), text, theme.text2, Align::centre);
        taken.push_back(place);
    };
    for (const OpBar& bar : bars) {
        const QStringList texts = costTexts(bar.cost);
        const auto fits = [&](const QString& text) { return layout.opWidth >= list.width(Face::code, text) + 6; };
        const auto text = std::ranges::find_if(texts, fits);
        if (text == texts.end()) {
            without.push_back(&bar);
            continue;
        }
        const double width = list.width(Face::code, *text);
        say({bar.middle - width / 2, bar.box.top() - 6 - costHeight / 2, width, costHeight}, *text);
        largest = std::max(largest, bar.cost);
    }
    if (taken.empty())
        for (const OpBar& bar : bars) largest = std::max(largest, bar.cost);
    std::ranges::stable_sort(without, [](const OpBar* a, const OpBar* b) { return a->cost > b->cost; });
    for (const OpBar* bar : without) {
        if (bar->cost < largest) break;
        for (const QString& text : costTexts(bar->cost)) {
            const QRectF place = overhanging(*bar, list.width(Face::code, text), layout, bars, lines, taken);
            if (place.isEmpty()) continue;
            say(place, text);
            break;
        }
    }
}

void paintHandle(DrawList& list, double x, double top, const QColor& colour, const QColor& fill)
{
    const QRectF box(list.snap(x) - handleWidth / 2, top, handleWidth, handleHeight);
    list.fill(box, fill, 2);
    list.outline(box, colour, 1, 2);
}

} // namespace

OpStripLayout layOutOps(const PipelineData& data, const QRectF& area)
{
    OpStripLayout layout;
    layout.area = area;
    layout.plot = area.adjusted(stagesGutter, 16, -12, -sumsHeight - codesHeight - 2);
    layout.codes = {layout.plot.left(), layout.plot.bottom() + 2, layout.plot.width(), codesHeight};
    layout.sums = {layout.plot.left(), area.bottom() - sumsHeight, layout.plot.width(), sumsHeight};
    std::size_t ops = 0;
    for (const StageFigures& stage : data.stages) ops += stage.ops.size();
    layout.opWidth = ops > 0 ? layout.plot.width() / double(ops) : 0;
    std::size_t before = 0;
    for (std::size_t s = 0; s + 1 < data.stages.size(); ++s) {
        before += data.stages[s].ops.size();
        layout.borders.push_back(layout.x(before));
    }
    return layout;
}

QString movedText(std::size_t border, std::size_t from, std::size_t to)
{
    if (to == from) return QStringLiteral("as it is");
    const std::size_t first = std::min(from, to), last = std::max(from, to) - 1;
    const std::size_t stage = to < from ? border + 1 : border;
    if (first == last) return QStringLiteral("op %1 to stage %2").arg(first).arg(stage);
    return QStringLiteral("ops %1 to %2 to stage %3").arg(first).arg(last).arg(stage);
}

void paintOps(DrawList& list, const Theme& theme, const PipelineData& data, const OpStripLayout& layout, std::int32_t selected,
              std::int32_t hovered, const OpStripDrag* drag)
{
    list.fill(layout.area, theme.well);
    list.fill({layout.area.left(), layout.area.top(), stagesGutter, layout.area.height()}, theme.panel);
    list.text(Face::label, layout.area.left() + 10, layout.plot.top() + 2, QStringLiteral("op cost, µs"), theme.text2);
    list.text(Face::label, layout.area.left() + 10, layout.sums.center().y(), QStringLiteral("stage cost, µs"), theme.text2);
    const Ticks scale = scaleOf(data);
    const double floor = layout.plot.bottom();
    const double height = std::max(1.0, layout.plot.height() - 12);
    list.text(Face::tick, layout.plot.left() - 8, floor - height, microText(scale), theme.text2, Align::right);
    list.text(Face::tick, layout.plot.left() - 8, floor - 2, QStringLiteral("0"), theme.text2, Align::right);
    list.horizontal(layout.plot.left(), layout.plot.right(), floor - height, theme.grid);

    std::vector<std::string> kinds;
    for (const StageFigures& stage : data.stages)
        for (const StageOp& op : stage.ops) kinds.push_back(op.kind);
    std::vector<std::string> distinct = kinds;
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    const std::vector<std::string> codes = layout.opWidth >= 16 ? opCodes(distinct, 2) : std::vector<std::string>();

    // Where the stages end while a border is dragged.
    std::vector<std::size_t> begins{0};
    for (const StageFigures& stage : data.stages) begins.push_back(begins.back() + stage.ops.size());
    if (drag) begins[drag->border + 1] = drag->cut;

    std::size_t index = 0;
    std::vector<OpBar> bars;
    for (std::size_t s = 0; s < data.stages.size(); ++s)
        for (const StageOp& op : data.stages[s].ops) {
            const std::size_t now = std::size_t(std::upper_bound(begins.begin(), begins.end() - 1, index) - begins.begin()) - 1;
            const double left = layout.x(index);
            const double share = double(op.cost) / double(scale);
            const double bar = std::max(1.0, height * std::min(share, 1.12));
            const double width = std::max(layout.opWidth * 0.72, 0.5);
            const QRectF box(left + (layout.opWidth - width) / 2, floor - bar, width, bar);
            const bool lit = selected == std::int32_t(now);
            QColor fill = lit ? theme.accent : mix(theme.well, theme.buffers[9], 0.65);
            if (hovered == std::int32_t(index)) fill = mix(fill, theme.text, 0.25);
            list.fill(box, fill);
            if (now != s) list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme.accent, 1, 0, Dash::stall);
            if (share > 1.12) // off scale: a gap across the bar
                list.add(draw::Line{QPolygonF{QPointF(box.left() - 2, box.top() + 11), QPointF(box.right() + 2, box.top() + 6)},
                                    theme.well, 3});
            bars.push_back({box, left + layout.opWidth / 2, op.cost});
            if (!codes.empty()) {
                const auto code = std::size_t(std::ranges::lower_bound(distinct, kinds[index]) - distinct.begin());
                list.text(Face::code, left + layout.opWidth / 2, layout.codes.center().y(), QString::fromStdString(codes[code]),
                          theme.text3, Align::centre);
            }
            ++index;
        }
    list.horizontal(layout.plot.left(), layout.plot.right(), floor, theme.line2);
    std::vector<double> lines = layout.borders;
    if (drag) lines.push_back(layout.x(drag->cut));
    paintCosts(list, theme, layout, bars, lines);

    for (std::size_t s = 0; s + 1 < begins.size(); ++s) {
        const QRectF box(layout.x(begins[s]) + 1, layout.sums.top(), layout.x(begins[s + 1]) - layout.x(begins[s]) - 2,
                         layout.sums.height());
        const bool lit = selected == std::int32_t(s);
        list.fill(box, lit ? theme.accentSoft : theme.hover);
        const Ticks before = data.model.stages[s].cost;
        const Ticks cost = drag && drag->costs && s < drag->costs->size() ? (*drag->costs)[s] : before;
        const QString change = cost == before ? QString() : QStringLiteral(" ") + signedMicro(cost - before);
        const QColor changed = cost > before ? theme.warn : theme.ok;
        for (const QString& name : {QStringLiteral("stage %1  ").arg(s), QStringLiteral("%1  ").arg(s), QString()}) {
            const QString value = microText(cost);
            const double width = list.width(Face::label, name) + list.width(Face::tick, value) + list.width(Face::tick, change);
            if (width > box.width() - 6) continue;
            const double at = box.center().x() - width / 2;
            list.text(Face::label, at, box.center().y(), name, theme.text2);
            list.text(Face::tick, at + list.width(Face::label, name), box.center().y(), value, theme.text);
            list.text(Face::tick, at + width - list.width(Face::tick, change), box.center().y(), change, changed);
            break;
        }
    }

    for (std::size_t b = 0; b < layout.borders.size(); ++b) {
        const bool moves = drag && drag->border == b;
        list.vertical(layout.borders[b], layout.area.top() + 3, moves ? layout.codes.bottom() : layout.area.bottom(),
                      moves ? theme.text3 : theme.edge, 1, moves ? Dash::stall : Dash::solid);
        if (!moves) paintHandle(list, layout.borders[b], layout.area.top() + 2, theme.edge, theme.raised);
    }
    if (!drag) return;
    const double at = layout.x(drag->cut);
    list.vertical(at, layout.area.top() + 2, layout.area.bottom(), theme.accent, 1.5);
    paintHandle(list, at, layout.area.top() + 2, theme.accent, theme.accent);
    const QColor colour = drag->bad ? theme.bad : theme.warn;
    const double width = std::min(list.width(Face::label, drag->text) + 14, layout.plot.width());
    const double left = at - 10 - width >= layout.plot.left() ? at - 10 - width : std::min(at + 10, layout.plot.right() - width);
    const QRectF tag(left, layout.area.top() + 1, width, 18);
    list.fill(tag, drag->bad ? theme.badSoft : theme.warnSoft, 3);
    list.outline(tag.adjusted(0.5, 0.5, -0.5, -0.5), colour, 1, 3);
    list.text(Face::label, tag.left() + 7, tag.center().y(), list.elided(Face::label, drag->text, width - 12), colour);
}

} // namespace stowage

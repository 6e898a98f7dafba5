#include "app/canvas/pictures/pipeline/stage_graph.h"

#include "app/canvas/axis/names_apart.h"
#include "app/session/split_words.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double boxHeight = 100;
constexpr double endWidth = 46;

/// The longest way from a stage without inputs, in connections.
std::vector<std::size_t> ranksOf(const pipeline::PipelineModel& model)
{
    std::vector<std::size_t> ranks(model.stages.size(), 0);
    std::vector<std::size_t> missing(model.stages.size());
    std::vector<std::int32_t> free;
    for (std::size_t s = 0; s < model.stages.size(); ++s) {
        missing[s] = model.stages[s].inputs.size();
        if (missing[s] == 0) free.push_back(static_cast<std::int32_t>(s));
    }
    while (!free.empty()) {
        const std::int32_t s = free.back();
        free.pop_back();
        for (const std::int32_t c : model.stages[at(s)].outputs) {
            const std::int32_t to = model.connections[at(c)].to;
            ranks[at(to)] = std::max(ranks[at(to)], ranks[at(s)] + 1);
            if (--missing[at(to)] == 0) free.push_back(to);
        }
    }
    return ranks;
}

void paintArrow(DrawList& list, QPointF from, QPointF to, const QColor& colour)
{
    list.add(draw::Line{QPolygonF{from, to}, colour, 1.2});
    const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
    const auto corner = [&](double turn) { return to - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * 6; };
    list.add(draw::Area{QPolygonF{to, corner(0.45), corner(-0.45)}, colour});
}

void paintMemory(DrawList& list, const Theme& theme, const StageFigures& stage, const NumberFormat& numbers, const QRectF& box)
{
    const double left = box.left() + 10;
    const double width = box.width() - 20;
    const QRectF bar(left, box.bottom() - 30, width, 8);
    list.fill(bar, theme.hover);
    const pipeline::StageMemory& memory = stage.memory;
    const Bytes whole = std::max<Bytes>(1, stage.limit ? std::max(*stage.limit, memory.total()) : memory.total());
    const double arena = width * double(memory.arena) / double(whole);
    const double kept = width * double(memory.constants + memory.variables) / double(whole);
    list.fill({left, bar.top(), arena, bar.height()}, theme.buffers[0]);
    list.fill({left + arena, bar.top(), kept, bar.height()}, theme.buffers[9]);
    const bool over = stage.limit && memory.total() > *stage.limit;
    const QString used = bytesNumber(memory.total(), numbers);
    // A cut number is another number: the unit goes first, then the device's memory.
    QStringList texts{QStringLiteral("%1 %2").arg(used, unitText(numbers)), used};
    if (stage.limit) {
        const QString both = QStringLiteral("%1 / %2").arg(used, bytesNumber(*stage.limit, numbers));
        texts = QStringList{QStringLiteral("%1 %2").arg(both, unitText(numbers)), both} + texts;
    }
    for (const QString& text : texts) {
        if (list.width(Face::tick, text) > width - 34) continue;
        list.text(Face::tick, left, box.bottom() - 11, text, over ? theme.bad : theme.text2);
        break;
    }
    if (stage.limit && *stage.limit > 0)
        list.text(Face::tick, left + width, box.bottom() - 11,
                  QStringLiteral("%1 %").arg(std::llround(100.0 * double(memory.total()) / double(*stage.limit))),
                  over ? theme.bad : theme.text2, Align::right);
}

} // namespace

QString microText(pipeline::Ticks ticks)
{
    return QString::fromStdString(microsecondsText(pipeline::toMicroseconds(ticks)));
}

StageGraphLayout layOutStages(const PipelineData& data, const QRectF& area)
{
    StageGraphLayout layout;
    layout.area = area;
    const auto ranks = ranksOf(data.model);
    std::size_t columns = 1;
    for (const std::size_t rank : ranks) columns = std::max(columns, rank + 1);
    std::vector<std::size_t> inColumn(columns, 0);
    for (const std::size_t rank : ranks) ++inColumn[rank];
    const double room = area.width() - 2 * (endWidth + 14);
    const double column = room / double(columns);
    const double gap = std::clamp(column * 0.24, 14.0, 64.0);
    std::vector<std::size_t> placed(columns, 0);
    for (std::size_t s = 0; s < ranks.size(); ++s) {
        const std::size_t rank = ranks[s];
        const double row = area.height() / double(inColumn[rank]);
        const double height = std::min(boxHeight, row - 10);
        const double top = area.top() + row * double(placed[rank]++) + (row - height) / 2;
        const double left = area.left() + endWidth + 14 + column * double(rank) + gap / 2;
        layout.stages.emplace_back(std::round(left), std::round(top), std::round(column - gap), std::round(height));
    }
    const double middle = area.center().y();
    layout.input = {area.left() + 10, middle - 12, endWidth, 24};
    layout.output = {area.right() - endWidth - 10, middle - 12, endWidth, 24};
    return layout;
}

void paintStages(DrawList& list, const Theme& theme, const NumberFormat& numbers, const PipelineData& data,
                 const StageGraphLayout& layout, std::int32_t selected)
{
    const auto end = [&](const QRectF& box, const QString& text) {
        list.outline(box, theme.edge, 1, 4);
        list.text(Face::label, box.center().x(), box.center().y(), text, theme.text2, Align::centre);
    };
    end(layout.input, QStringLiteral("input"));
    end(layout.output, QStringLiteral("output"));
    for (std::size_t s = 0; s < data.stages.size(); ++s) {
        const QRectF& box = layout.stages[s];
        const QPointF left(box.left(), box.center().y());
        const QPointF right(box.right(), box.center().y());
        if (!data.model.stages[s].global.empty() || data.model.stages[s].inputs.empty())
            paintArrow(list, {layout.input.right(), layout.input.center().y()}, left, theme.line2);
        if (!data.model.stages[s].results.empty())
            paintArrow(list, right, {layout.output.left(), layout.output.center().y()}, theme.line2);
    }
    for (const pipeline::ConnectionModel& connection : data.model.connections) {
        const QRectF& from = layout.stages[at(connection.from)];
        const QRectF& to = layout.stages[at(connection.to)];
        const bool passes = to.left() - from.right() > from.width();
        // A connection that passes over boxes goes below them.
        if (passes) {
            const double y = std::min(std::max(from.bottom(), to.bottom()) + 8, layout.area.bottom() - 2);
            list.add(draw::Line{QPolygonF{QPointF(from.center().x(), from.bottom()), QPointF(from.center().x(), y),
                                          QPointF(to.left() - 8, y), QPointF(to.left() - 8, to.bottom() - 14)},
                                theme.line2, 1.2});
            paintArrow(list, {to.left() - 8, to.bottom() - 14}, {to.left(), to.bottom() - 14}, theme.line2);
            continue;
        }
        const QPointF a(from.right(), from.center().y());
        const QPointF b(to.left(), to.center().y());
        paintArrow(list, a, b, theme.edge);
        const double width = b.x() - a.x() - 4;
        const QPointF middle = (a + b) / 2;
        // A cut number is another number: without room for the unit it goes, without room for the number both.
        const auto say = [&](double y, const QStringList& texts, const QColor& colour) {
            for (const QString& text : texts) {
                if (list.width(Face::tick, text) > width) continue;
                list.text(Face::tick, middle.x(), y, text, colour, Align::centre);
                break;
            }
        };
        say(middle.y() - 9, {bytesNumber(connection.transferBytes, numbers)}, theme.text2);
        if (connection.transfer > 0)
            say(middle.y() + 10, {microText(connection.transfer) + QStringLiteral(" µs"), microText(connection.transfer)},
                theme.text3);
    }
    const std::int32_t slowest = data.slowest();
    std::vector<std::string_view> names;
    for (const StageFigures& stage : data.stages) names.push_back(stage.device);
    const NamesApart devices(names);
    for (std::size_t s = 0; s < data.stages.size(); ++s) {
        const QRectF& box = layout.stages[s];
        const StageFigures& stage = data.stages[s];
        const bool isSelected = selected == static_cast<std::int32_t>(s);
        list.fill(box, theme.raised, 6);
        list.outline(box, isSelected ? theme.sel : theme.line2, isSelected ? 2 : 1, 6);
        list.clip(box.adjusted(1, 1, -1, -1));
        const double l = box.left() + 10;
        const double r = box.right() - 10;
        const QString title = QStringLiteral("Stage %1").arg(s), device = QString::fromStdString(stage.device);
        list.text(Face::bodyStrong, l, box.top() + 15, title, theme.text);
        // A name that has no room beside the title stands beside the count of ops.
        const bool high = box.height() >= 70;
        const bool beside = !high || list.width(Face::bodyStrong, title) + 8 + list.width(Face::label, device) <= r - l;
        const QString ops = countedText(static_cast<std::int64_t>(stage.ops.size()), QStringLiteral("op"));
        // Without room for both, the count goes.
        const bool counted = beside || list.width(Face::label, ops) + 8 + list.width(Face::label, device) <= r - l;
        const double taken = beside ? list.width(Face::bodyStrong, title) + 8 : counted ? list.width(Face::label, ops) + 8 : 0;
        list.text(Face::label, r, box.top() + (beside ? 15 : 34), list.toldApart(Face::label, device, r - l - taken, devices),
                  theme.text2, Align::right);
        if (high) {
            if (counted) list.text(Face::label, l, box.top() + 34, ops, theme.text3);
            const pipeline::Ticks cost = data.model.stages[s].cost;
            const double share = data.predicted.period > 0 ? double(cost) / double(data.predicted.period) : 0;
            const bool sets = slowest == static_cast<std::int32_t>(s);
            const QString time = microText(cost) + QStringLiteral(" µs");
            const double room = r - l - list.width(Face::numberStrong, time) - 8;
            list.text(Face::numberStrong, l, box.top() + 52, time, theme.text);
            const QStringList notes = sets ? QStringList{QStringLiteral("sets the period"), QStringLiteral("slowest")}
                                           : QStringList{QStringLiteral("%1 busy").arg(shareText(share)), shareText(share)};
            for (const QString& note : notes) {
                if (list.width(Face::label, note) > room) continue;
                list.text(Face::label, r, box.top() + 52, note, sets ? theme.warn : theme.text2, Align::right);
                break;
            }
        }
        if (stage.planned && box.height() >= boxHeight - 1) paintMemory(list, theme, stage, numbers, box);
        list.unclip();
    }
}

} // namespace stowage

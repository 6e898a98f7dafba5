#include "app/canvas/pictures/pipeline/stage_graph.h"

#include "app/canvas/axis/names_apart.h"
#include "app/session/split_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double boxHeight = 100;
constexpr double endWidth = 46;
constexpr double boxMargin = 10; ///< beside the texts of a box
constexpr double lowBox = 70;    ///< height of a box below which it has one line
constexpr double linkMargin = 3; ///< beside the numbers between two boxes

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

/// The bytes of a stage, longest first. A cut number is another number: the unit goes first, then the device's memory.
std::array<QString, 4> memoryTexts(const StageFigures& stage, const NumberFormat& numbers)
{
    const QString used = bytesNumber(stage.memory.total(), numbers), unit = unitText(numbers);
    const QString both = stage.limit ? QStringLiteral("%1 / %2").arg(used, bytesNumber(*stage.limit, numbers)) : used;
    return {QStringLiteral("%1 %2").arg(both, unit), both, QStringLiteral("%1 %2").arg(used, unit), used};
}

/// `text`: its place in `memoryTexts`; past the end: none.
void paintMemory(DrawList& list, const Theme& theme, const StageFigures& stage, const NumberFormat& numbers, const QRectF& box,
                 std::size_t text)
{
    const double left = box.left() + boxMargin;
    const double width = box.width() - 2 * boxMargin;
    const QRectF bar(left, box.bottom() - 30, width, 8);
    list.fill(bar, theme.hover);
    const pipeline::StageMemory& memory = stage.memory;
    const Bytes whole = std::max<Bytes>(1, stage.limit ? std::max(*stage.limit, memory.total()) : memory.total());
    const double arena = width * double(memory.arena) / double(whole);
    const double kept = width * double(memory.constants + memory.variables) / double(whole);
    list.fill({left, bar.top(), arena, bar.height()}, theme.buffers[0]);
    list.fill({left + arena, bar.top(), kept, bar.height()}, theme.buffers[9]);
    const bool over = stage.limit && memory.total() > *stage.limit;
    if (const auto texts = memoryTexts(stage, numbers); text < texts.size())
        list.text(Face::tick, left, box.bottom() - 11, texts[text], over ? theme.bad : theme.text2);
    if (stage.limit && *stage.limit > 0)
        list.text(Face::tick, left + width, box.bottom() - 11,
                  QStringLiteral("%1 %").arg(std::llround(100.0 * double(memory.total()) / double(*stage.limit))),
                  over ? theme.bad : theme.text2, Align::right);
}

/// What the boxes say, the same in all of them: a part that one box has no room for is left out of all.
struct BoxTexts {
    bool beside = true;     ///< the name of the device beside the title, not beside the count of ops
    bool counted = true;    ///< the count of ops
    std::size_t note = 2;   ///< in `notesOf`; past the end: none
    bool noteAbove = false; ///< beside the count of ops, not beside the time
    std::size_t memory = 0; ///< in `memoryTexts`; past the end: none
};

QString titleOf(std::size_t stage)
{
    return QStringLiteral("Stage %1").arg(stage);
}

QString opsOf(const StageFigures& stage)
{
    return countedText(static_cast<std::int64_t>(stage.ops.size()), QStringLiteral("op"));
}

QString timeOf(const PipelineData& data, std::size_t stage)
{
    return microText(data.model.stages[stage].cost) + QStringLiteral(" µs");
}

bool setsPeriod(const PipelineData& data, std::size_t stage)
{
    return data.slowest() == static_cast<std::int32_t>(stage);
}

/// The share of the period, longer first.
std::array<QString, 2> notesOf(const PipelineData& data, std::size_t stage)
{
    if (setsPeriod(data, stage)) return {QStringLiteral("sets the period"), QStringLiteral("slowest")};
    const pipeline::Ticks period = data.predicted.period;
    const QString share = shareText(period > 0 ? double(data.model.stages[stage].cost) / double(period) : 0);
    return {QStringLiteral("%1 busy").arg(share), share};
}

BoxTexts boxTexts(const DrawList& list, const NumberFormat& numbers, const PipelineData& data, const StageGraphLayout& layout)
{
    // Whether a part fits all boxes that are high enough for it.
    const auto all = [&](double height, const auto& needed) {
        for (std::size_t s = 0; s < data.stages.size(); ++s)
            if (layout.stages[s].height() >= height && needed(s) > layout.stages[s].width() - 2 * boxMargin) return false;
        return true;
    };
    const auto device = [&](std::size_t s) { return list.width(Face::label, QString::fromStdString(data.stages[s].device)); };
    const auto ops = [&](std::size_t s) { return list.width(Face::label, opsOf(data.stages[s])); };
    BoxTexts texts;
    texts.beside = all(lowBox, [&](std::size_t s) { return list.width(Face::bodyStrong, titleOf(s)) + 8 + device(s); });
    texts.counted = texts.beside || all(lowBox, [&](std::size_t s) { return ops(s) + 6 + device(s); });
    for (std::size_t note = 0; note < 2 && texts.note == 2; ++note) {
        const auto wide = [&](std::size_t s) { return list.width(Face::label, notesOf(data, s)[note]) + 8; };
        const auto time = [&](std::size_t s) { return list.width(Face::numberStrong, timeOf(data, s)); };
        if (all(lowBox, [&](std::size_t s) { return time(s) + wide(s); }))
            texts.note = note;
        else if (texts.beside && all(lowBox, [&](std::size_t s) { return ops(s) + wide(s); }))
            texts.note = note, texts.noteAbove = true;
    }
    const auto tooWide = [&](std::size_t s) {
        return data.stages[s].planned ? list.width(Face::tick, memoryTexts(data.stages[s], numbers)[texts.memory]) + 34 : 0.0;
    };
    while (texts.memory < 4 && !all(boxHeight - 1, tooWide)) ++texts.memory;
    return texts;
}

/// What the connections between neighbours say above and below their lines: the same for all of them.
struct LinkTexts {
    std::size_t bytes = 2; ///< in `bytesOf`; past the end: none
    std::size_t time = 2;  ///< in `transferOf`; past the end: none
};

std::array<QString, 2> bytesOf(const pipeline::ConnectionModel& connection, const NumberFormat& numbers)
{
    const QString exact = bytesText(connection.transferBytes, numbers);
    return {exact, connection.transferBytes < 1024 ? exact : shortBytes(connection.transferBytes, numbers)};
}

std::array<QString, 2> transferOf(const pipeline::ConnectionModel& connection)
{
    const QString unit = QStringLiteral(" µs"), time = microText(connection.transfer) + unit;
    const std::int64_t whole = std::llround(pipeline::toMicroseconds(connection.transfer));
    return {time, whole >= 10 ? countText(whole) + unit : time};
}

/// True when a connection passes over boxes, and goes below them.
bool passesBoxes(const StageGraphLayout& layout, const pipeline::ConnectionModel& connection)
{
    const QRectF& from = layout.stages[at(connection.from)];
    return layout.stages[at(connection.to)].left() - from.right() > from.width();
}

LinkTexts linkTexts(const DrawList& list, const NumberFormat& numbers, const PipelineData& data, const StageGraphLayout& layout)
{
    const auto fits = [&](const QString& text, const pipeline::ConnectionModel& connection) {
        const double gap = layout.stages[at(connection.to)].left() - layout.stages[at(connection.from)].right();
        return passesBoxes(layout, connection) || list.width(Face::tick, text) + 2 * linkMargin <= gap;
    };
    LinkTexts texts;
    for (std::size_t i = 2; i-- > 0;) {
        const auto& all = data.model.connections;
        if (std::ranges::all_of(all, [&](const auto& each) { return fits(bytesOf(each, numbers)[i], each); })) texts.bytes = i;
        if (std::ranges::all_of(all, [&](const auto& each) { return each.transfer <= 0 || fits(transferOf(each)[i], each); }))
            texts.time = i;
    }
    return texts;
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
    const LinkTexts links = linkTexts(list, numbers, data, layout);
    for (const pipeline::ConnectionModel& connection : data.model.connections) {
        const QRectF& from = layout.stages[at(connection.from)];
        const QRectF& to = layout.stages[at(connection.to)];
        if (passesBoxes(layout, connection)) {
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
        const double x = (a.x() + b.x()) / 2, y = (a.y() + b.y()) / 2;
        if (links.bytes < 2)
            list.text(Face::tick, x, y - 9, bytesOf(connection, numbers)[links.bytes], theme.text2, Align::centre);
        if (links.time < 2 && connection.transfer > 0)
            list.text(Face::tick, x, y + 10, transferOf(connection)[links.time], theme.text3, Align::centre);
    }
    const BoxTexts texts = boxTexts(list, numbers, data, layout);
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
        const double l = box.left() + boxMargin;
        const double r = box.right() - boxMargin;
        const QString title = titleOf(s), ops = opsOf(stage);
        list.text(Face::bodyStrong, l, box.top() + 15, title, theme.text);
        const bool high = box.height() >= lowBox;
        const bool beside = !high || texts.beside;
        const double taken = beside          ? list.width(Face::bodyStrong, title) + 8
                             : texts.counted ? list.width(Face::label, ops) + 6
                                             : 0;
        list.text(Face::label, r, box.top() + (beside ? 15 : 34),
                  list.toldApart(Face::label, QString::fromStdString(stage.device), r - l - taken, devices), theme.text2,
                  Align::right);
        if (high) {
            if (texts.counted) list.text(Face::label, l, box.top() + 34, ops, theme.text3);
            list.text(Face::numberStrong, l, box.top() + 52, timeOf(data, s), theme.text);
            if (texts.note < 2)
                list.text(Face::label, r, box.top() + (texts.noteAbove ? 34 : 52), notesOf(data, s)[texts.note],
                          setsPeriod(data, s) ? theme.warn : theme.text2, Align::right);
        }
        if (stage.planned && box.height() >= boxHeight - 1) paintMemory(list, theme, stage, numbers, box, texts.memory);
        list.unclip();
    }
}

} // namespace stowage

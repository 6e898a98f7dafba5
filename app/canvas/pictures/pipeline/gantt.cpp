#include "app/canvas/pictures/pipeline/gantt.h"

#include "app/canvas/axis/names_apart.h"
#include "app/canvas/axis/ticks.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace stowage {

namespace {

using Align = draw::Text::Align;
using pipeline::FrameTimes;
using pipeline::Ticks;

constexpr double headHeight = 26;
constexpr double minLane = 26;
constexpr double linkHeight = 16;
constexpr double rulerHeight = 22;
constexpr double frameMargin = 4;      ///< beside the number of a frame
constexpr double minFrameMargin = 1.5; ///< the same where numbers stand in the middle
constexpr double swatchRoom = 34;      ///< beside the text of a kind of wait: its swatch, and the gap to the next

std::int64_t nanoseconds(Ticks ticks)
{
    return ticks / 1000;
}

double pixelOf(const GanttState& state, const GanttLayout& layout, Ticks time)
{
    return layout.plotLeft + state.axis.toPixel(nanoseconds(time)) / state.ratio;
}

enum class Wait { input, output, link, device };

struct Hatching {
    QColor colour;
    bool falling = false;
};

Hatching hatchingOf(const Theme& theme, Wait wait)
{
    switch (wait) {
    case Wait::input: return {theme.text3, false};
    case Wait::output: return {theme.warn, true};
    case Wait::link: return {theme.accent, false};
    case Wait::device: break;
    }
    return {theme.bad, false};
}

void paintWait(DrawList& list, const Theme& theme, const QRectF& box, Wait wait)
{
    if (box.width() < 1) return;
    const Hatching hatching = hatchingOf(theme, wait);
    list.add(draw::Hatch{box, hatching.colour, 5, hatching.falling, {}});
    if (box.width() >= 3) list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), hatching.colour, 1, 0, Dash::stall);
    const QString text = QStringLiteral("waits for input");
    if (wait != Wait::input || box.height() < 20 || box.width() < list.width(Face::label, text) + 16) return;
    const double width = list.width(Face::label, text) + 12;
    list.fill({box.center().x() - width / 2, box.center().y() - 9, width, 18}, theme.well, 3);
    list.text(Face::label, box.center().x(), box.center().y(), text, theme.text2, Align::centre);
}

class Painter {
public:
    Painter(DrawList& list, const GanttState& state, const GanttLayout& layout)
        : list_(list), state_(state), layout_(layout), theme_(*state.theme), data_(*state.data)
    {
    }

    void paint()
    {
        list_.fill(layout_.all, theme_.well);
        paintGutter();
        list_.clip({layout_.plotLeft, layout_.all.top(), layout_.plotRight - layout_.plotLeft, layout_.all.height()});
        paintGrid();
        paintPeriod();
        list_.unclip();
        list_.clip({layout_.plotLeft, layout_.body.top(), layout_.plotRight - layout_.plotLeft, layout_.body.height()});
        for (std::size_t s = 0; s < layout_.lanes.size(); ++s)
            if (layout_.lanes[s].intersects(layout_.body)) paintLane(s);
        paintLinks();
        list_.unclip();
        paintRuler();
    }

private:
    [[nodiscard]] static bool oneLine(const QRectF& lane) { return lane.height() < 40; } ///< without room for its share
    [[nodiscard]] double x(Ticks time) const { return pixelOf(state_, layout_, time); }
    [[nodiscard]] QRectF box(const QRectF& lane, Ticks from, Ticks to, double top, double bottom) const
    {
        const double left = std::max(x(from), layout_.plotLeft - 8);
        const double right = std::min(x(to), layout_.plotRight + 8);
        return {left, lane.top() + top, std::max(right - left, 0.0), lane.height() - top - bottom};
    }
    [[nodiscard]] bool inView(Ticks from, Ticks to) const { return x(to) >= layout_.plotLeft && x(from) <= layout_.plotRight; }

    void paintGutter()
    {
        const double width = layout_.plotLeft - layout_.all.left();
        list_.fill({layout_.all.left(), layout_.all.top(), width, layout_.all.height()}, theme_.panel);
        const bool shares = !layout_.lanes.empty() && !oneLine(layout_.lanes.front());
        list_.text(Face::label, layout_.all.left() + 10, layout_.head.center().y(),
                   shares ? QStringLiteral("Steady period: busy") : QStringLiteral("Steady period"), theme_.text2);
        const std::int32_t slowest = data_.slowest();
        std::vector<std::string_view> names;
        for (const StageFigures& stage : data_.stages) names.push_back(stage.device);
        const NamesApart devices(names);
        list_.clip(layout_.body);
        for (std::size_t s = 0; s < layout_.lanes.size(); ++s) {
            const QRectF& lane = layout_.lanes[s];
            if (!lane.intersects(layout_.body)) continue;
            const double left = layout_.all.left() + 10;
            const bool selected = state_.selected == static_cast<std::int32_t>(s);
            if (selected) {
                list_.fill({layout_.all.left(), lane.top(), width, lane.height()}, theme_.accentSoft);
                list_.fill({layout_.all.left(), lane.top(), 2, lane.height()}, theme_.accent);
            }
            const bool low = oneLine(lane);
            const double first = low ? lane.center().y() : lane.top() + 15;
            list_.horizontal(layout_.all.left(), layout_.all.right(), lane.top(), theme_.line);
            list_.text(Face::labelStrong, left, first, QStringLiteral("Stage %1").arg(s), theme_.text);
            list_.text(Face::label, layout_.plotLeft - 8, first,
                       list_.toldApart(Face::label, QString::fromStdString(data_.stages[s].device), width - 70, devices),
                       theme_.text2, Align::right);
            if (low) continue;
            const double share =
                data_.predicted.period > 0 ? double(data_.model.stages[s].cost) / double(data_.predicted.period) : 0;
            const QRectF bar(left, lane.top() + 29, width - 68, 5);
            list_.fill(bar, theme_.press);
            list_.fill({bar.left(), bar.top(), bar.width() * std::min(share, 1.0), bar.height()},
                       slowest == static_cast<std::int32_t>(s) ? theme_.warn : theme_.buffers[9]);
            list_.text(Face::tick, layout_.plotLeft - 8, lane.top() + 32, shareText(share), theme_.text2, Align::right);
        }
        for (std::size_t c = 0; c < layout_.links.size(); ++c) {
            if (layout_.links[c].isEmpty()) continue;
            const auto& connection = data_.model.connections[c];
            const auto name = [&](std::int32_t s) {
                const std::string& device = data_.stages[at(s)].device;
                return device.empty() ? QString::number(s) : QString::fromStdString(device);
            };
            const QStringList both{name(connection.from), name(connection.to)};
            list_.text(Face::tick, layout_.plotLeft - 8, layout_.links[c].center().y(),
                       list_.toldApart(Face::tick, both.join(QStringLiteral(" → ")), both, width - 16, devices), theme_.text3,
                       Align::right);
        }
        list_.unclip();
        list_.vertical(layout_.plotLeft - 1, layout_.all.top(), layout_.all.bottom(), theme_.line2);
    }

    void paintGrid()
    {
        for (const std::int64_t tick : ticksIn(state_.axis, stepTicks(state_.axis.scale() / state_.ratio, 80).major))
            list_.vertical(x(tick * 1000), layout_.all.top(), layout_.ruler.top(), theme_.grid);
    }

    /// A bracket over one steady period of the stage or link that sets it, and a band below.
    void paintPeriod()
    {
        const auto& predicted = data_.predicted;
        if (predicted.frames < 2 || predicted.period <= 0) return;
        const std::int32_t slowest = data_.slowest();
        const std::size_t s = slowest == none ? data_.stages.size() - 1 : at(slowest);
        const auto& frames = predicted.stages[s].frames;
        const std::size_t f = frames.size() / 2;
        if (f >= frames.size()) return;
        const double left = x(frames[f].start);
        const double right = x(frames[f].start + predicted.period);
        QColor band = theme_.warn;
        band.setAlphaF(0.07);
        list_.fill({left, layout_.head.bottom(), right - left, layout_.ruler.top() - layout_.head.bottom()}, band);
        const double y = layout_.head.bottom() - 5;
        list_.add(draw::Line{QPolygonF{QPointF(left, y + 4), QPointF(left, y), QPointF(right, y), QPointF(right, y + 4)},
                             theme_.warn, 1.2});
        QString text = QStringLiteral("period %1 µs").arg(microText(predicted.period));
        if (state_.measured && data_.measured && data_.measured->period > 0)
            text += QStringLiteral(", measured %1 µs, %2")
                        .arg(microText(data_.measured->period),
                             percentText(double(data_.measured->period) / double(predicted.period) - 1));
        const double first = layout_.plotLeft + 4, last = layout_.plotRight - list_.width(Face::tick, text) - 4;
        if (first <= last) // else it would be cut
            list_.text(Face::tick, std::clamp(left, first, last), layout_.head.top() + 9, text, theme_.warn);
    }

    void paintLane(std::size_t s)
    {
        const QRectF& lane = layout_.lanes[s];
        if (state_.prediction) {
            for (const FrameTimes& frame : data_.predicted.stages[s].frames) {
                if (!inView(frame.start - frame.stalls.input - frame.stalls.link - frame.stalls.device,
                            frame.finish + frame.stalls.output))
                    continue;
                Ticks at = frame.start - frame.stalls.device;
                paintWait(list_, theme_, box(lane, at, frame.start, 7, 7), Wait::device);
                paintWait(list_, theme_, box(lane, at - frame.stalls.link, at, 7, 7), Wait::link);
                at -= frame.stalls.link;
                paintWait(list_, theme_, box(lane, at - frame.stalls.input, at, 7, 7), Wait::input);
                paintWait(list_, theme_, box(lane, frame.finish, frame.finish + frame.stalls.output, 7, 7), Wait::output);
            }
            paintFrames(s, lane);
        }
        if (!state_.measured || !data_.measured || s >= data_.measured->stages.size()) return;
        // Most of what is measured is too thin to be seen one by one at first; then a line stands for many.
        double last = -1e9;
        for (const FrameTimes& frame : data_.measured->stages[s].frames) {
            if (!inView(frame.start, frame.finish)) continue;
            const QRectF outline = box(lane, frame.start, frame.finish, lane.height() / 2, 5);
            if (outline.right() < last + 1.5) continue;
            last = outline.right();
            list_.outline(outline.adjusted(0.5, 0.5, -0.5, -0.5), theme_.text, 1);
        }
    }

    /// What the frames of a stage have room for: the same for all of them, so that a narrow digit does not tell them apart.
    struct FrameRoom {
        std::optional<Face> face; ///< of the numbers; no value: no room for any
        bool times = false;
        double digit = 0;     ///< width of the widest digit
        bool centred = false; ///< numbers in the middle of their frames, not at the left
    };
    [[nodiscard]] FrameRoom roomIn(std::size_t s) const
    {
        const auto& frames = data_.predicted.stages[s].frames;
        double narrowest = 1e9;
        Ticks longest = 0;
        std::size_t last = 0;
        for (std::size_t f = 0; f < frames.size(); ++f) {
            if (!inView(frames[f].start, frames[f].finish)) continue;
            narrowest = std::min(narrowest, x(frames[f].finish) - x(frames[f].start) - 1);
            longest = std::max(longest, frames[f].finish - frames[f].start);
            last = f;
        }
        const double time = list_.width(Face::tick, microText(longest));
        FrameRoom room;
        for (const Face face : {Face::labelStrong, Face::code}) {
            double digit = 0;
            for (int d = 0; d < 10; ++d) digit = std::max(digit, list_.width(face, QString::number(d)));
            const double number = digit * double(QString::number(last).size());
            if (number + 2 * minFrameMargin > narrowest) continue;
            room = {face, number + time + 20 <= narrowest, digit, number + 2 * frameMargin > narrowest};
            break;
        }
        return room;
    }

    void paintFrames(std::size_t s, const QRectF& lane)
    {
        const auto& frames = data_.predicted.stages[s].frames;
        const FrameRoom room = roomIn(s);
        double drawnTo = -1e9;
        for (std::size_t f = 0; f < frames.size(); ++f) {
            if (!inView(frames[f].start, frames[f].finish)) continue;
            QRectF fill = box(lane, frames[f].start, frames[f].finish, 5, 5);
            if (fill.right() < drawnTo + 0.5) continue; // thinner than a pixel: its neighbour stands for it
            const std::size_t hue = f % 10;
            fill.adjust(0.5, 0, fill.width() > 2 ? -0.5 : 0, 0);
            drawnTo = fill.right();
            const bool hovered =
                state_.hoveredStage == static_cast<std::int32_t>(s) && state_.hoveredFrame == static_cast<std::int64_t>(f);
            list_.fill(fill, hovered ? mix(theme_.buffers[hue], theme_.text, 0.12) : theme_.buffers[hue], 1.5);
            if (state_.selected == static_cast<std::int32_t>(s) && state_.selectedFrame == static_cast<std::int64_t>(f))
                list_.outline(fill, theme_.sel, 2, 1.5);
            if (!room.face) continue;
            // A frame at a side of the plot says what its part in view has room for: a cut number is another number.
            const double line = fill.height() < 24 ? fill.center().y() : fill.top() + 11;
            const double left = std::max(fill.left(), layout_.plotLeft), right = std::min(fill.right(), layout_.plotRight);
            const QString number = QString::number(f);
            const double wide = room.digit * double(number.size());
            const double margin = room.centred ? minFrameMargin : frameMargin;
            if (right - left < wide + 2 * margin) continue;
            list_.text(*room.face, room.centred ? (left + right) / 2 : left + 5, line, number, theme_.bufferInks[hue],
                       room.centred ? Align::centre : Align::left);
            if (!room.times) continue;
            const QString time = microText(frames[f].finish - frames[f].start);
            if (right - left >= wide + list_.width(Face::tick, time) + 20)
                list_.text(Face::tick, right - 5, line, time, theme_.bufferInks[hue], Align::right);
        }
    }

    void paintLinks()
    {
        if (!state_.prediction) return;
        for (const pipeline::TransferTimes& transfer : data_.predicted.transfers) {
            const QRectF& lane = layout_.links[at(transfer.connection)];
            if (lane.isEmpty() || !inView(transfer.start, transfer.finish)) continue;
            QRectF fill = box(lane, transfer.start, transfer.finish, 4, 4);
            fill.setWidth(std::max(fill.width(), 1.0));
            list_.fill(fill, theme_.buffers[at(transfer.frame) % 10], 1.5);
        }
    }

    void paintRuler()
    {
        list_.fill(layout_.ruler, theme_.raised);
        list_.horizontal(layout_.ruler.left(), layout_.ruler.right(), layout_.ruler.top(), theme_.line2);
        list_.text(Face::tick, layout_.all.left() + 10, layout_.ruler.center().y(), QStringLiteral("time, µs"), theme_.text2);
        list_.clip({layout_.plotLeft, layout_.ruler.top(), layout_.plotRight - layout_.plotLeft, layout_.ruler.height()});
        const TickSpacing spacing = stepTicks(state_.axis.scale() / state_.ratio, 80);
        for (const std::int64_t tick : ticksIn(state_.axis, spacing.major)) {
            const double at = x(tick * 1000);
            list_.vertical(at, layout_.ruler.top(), layout_.ruler.top() + 6, theme_.line2);
            const QString text = spacing.major % 1000 == 0 ? countText(tick / 1000) : microText(tick * 1000);
            if (at + 4 + list_.width(Face::tick, text) <= layout_.plotRight) // a cut number is another number
                list_.text(Face::tick, at + 4, layout_.ruler.center().y() + 1, text, theme_.text2);
        }
        list_.unclip();
    }

    DrawList& list_;
    const GanttState& state_;
    const GanttLayout& layout_;
    const Theme& theme_;
    const PipelineData& data_;
};

} // namespace

GanttLayout layOut(const GanttState& state, const QRectF& area, double maxLane, double scroll)
{
    GanttLayout layout;
    layout.all = area;
    layout.plotLeft = area.left() + stagesGutter;
    layout.plotRight = std::max(area.right() - 12, layout.plotLeft + 1);
    layout.head = {area.left(), area.top(), area.width(), headHeight};
    const std::size_t stages = state.data->stages.size();
    // Links lie below the stage that they leave.
    std::vector<std::vector<std::size_t>> below(stages);
    std::size_t links = 0;
    for (std::size_t c = 0; c < state.data->model.connections.size(); ++c)
        if (state.data->model.connections[c].transfer > 0) {
            below[at(state.data->model.connections[c].from)].push_back(c);
            ++links;
        }
    layout.links.resize(state.data->model.connections.size());
    const double height = std::max(0.0, area.height() - headHeight - rulerHeight);
    const double room = height - linkHeight * double(links);
    const double lane = std::floor(std::clamp(room / double(std::max<std::size_t>(stages, 1)), minLane, maxLane));
    layout.content = lane * double(stages) + linkHeight * double(links);
    layout.body = {area.left(), layout.head.bottom(), area.width(), std::min(height, layout.content)};
    double y = layout.body.top() - std::clamp(scroll, 0.0, std::max(0.0, layout.content - layout.body.height()));
    for (std::size_t s = 0; s < stages; ++s) {
        layout.lanes.emplace_back(area.left(), y, area.width(), lane);
        y += lane;
        for (const std::size_t c : below[s]) {
            layout.links[c] = {area.left(), y, area.width(), linkHeight};
            y += linkHeight;
        }
    }
    layout.ruler = {area.left(), layout.body.bottom(), area.width(), rulerHeight};
    layout.all.setBottom(layout.ruler.bottom());
    return layout;
}

void fitAxis(GanttState& state, const GanttLayout& layout)
{
    Ticks end = state.data->predicted.total;
    if (state.data->measured) end = std::max(end, state.data->measured->total);
    const std::int64_t high = std::max<std::int64_t>(nanoseconds(end) + nanoseconds(end) / 64, 1);
    const int pixels = std::max(1, static_cast<int>((layout.plotRight - layout.plotLeft) * state.ratio));
    if (state.axis.high() != high) {
        state.axis = PixelAxis(0, high, 20, pixels);
        state.axis.fit();
    } else {
        state.axis.resize(pixels);
    }
}

GanttHit hitGantt(const GanttState& state, const GanttLayout& layout, QPointF point)
{
    for (std::size_t s = 0; s < layout.lanes.size(); ++s) {
        if (!layout.lanes[s].contains(point) || !layout.body.contains(point)) continue;
        GanttHit hit{static_cast<std::int32_t>(s), none};
        if (point.x() < layout.plotLeft) return hit;
        const std::int64_t time = state.axis.unitAt((point.x() - layout.plotLeft) * state.ratio) * 1000;
        const auto& frames = state.data->predicted.stages[s].frames;
        const auto after =
            std::upper_bound(frames.begin(), frames.end(), time, [](Ticks t, const FrameTimes& f) { return t < f.start; });
        if (after != frames.begin() && time < (after - 1)->finish + 1000) hit.frame = after - frames.begin() - 1;
        return hit;
    }
    return {};
}

std::optional<CardText> ganttCard(const GanttState& state, const GanttHit& hit)
{
    if (hit.stage == none || hit.frame == none) return std::nullopt;
    const auto& frame = state.data->predicted.stages[at(hit.stage)].frames[at(hit.frame)];
    CardText card;
    card.title = QStringLiteral("frame %1 at stage %2").arg(hit.frame).arg(hit.stage);
    card.titleIsNumber = false;
    card.caption = QStringLiteral("%1 to %2 µs").arg(microText(frame.start), microText(frame.finish));
    const std::array waits{std::pair{QStringLiteral("waited for input"), frame.stalls.input},
                           std::pair{QStringLiteral("waited for the link"), frame.stalls.link},
                           std::pair{QStringLiteral("waited for the device"), frame.stalls.device},
                           std::pair{QStringLiteral("output full"), frame.stalls.output}};
    for (const auto& [text, wait] : waits)
        if (wait > 0) card.lines.push_back({{}, text, microText(wait) + QStringLiteral(" µs"), false});
    if (state.data->measured && at(hit.stage) < state.data->measured->stages.size() &&
        at(hit.frame) < state.data->measured->stages[at(hit.stage)].frames.size()) {
        const auto& seen = state.data->measured->stages[at(hit.stage)].frames[at(hit.frame)];
        card.lines.push_back({{},
                              QStringLiteral("measured"),
                              QStringLiteral("%1 to %2 µs").arg(microText(seen.start), microText(seen.finish)),
                              false});
    }
    return card;
}

void paintGantt(DrawList& list, const GanttState& state, const GanttLayout& layout)
{
    Painter(list, state, layout).paint();
}

namespace {

struct WaitEntry {
    Wait wait;
    QString text;
    Ticks sum = 0;
};

/// In the order of the legend.
std::array<WaitEntry, 4> waitsOf(const PipelineData& data)
{
    pipeline::Stalls sums;
    for (const auto& stage : data.predicted.stages) {
        sums.input += stage.stalls.input;
        sums.output += stage.stalls.output;
        sums.link += stage.stalls.link;
        sums.device += stage.stalls.device;
    }
    std::array<WaitEntry, 4> entries{WaitEntry{Wait::input, QStringLiteral("input"), sums.input},
                                     WaitEntry{Wait::output, QStringLiteral("output full"), sums.output},
                                     WaitEntry{Wait::link, QStringLiteral("link"), sums.link},
                                     WaitEntry{Wait::device, QStringLiteral("device busy"), sums.device}};
    for (WaitEntry& entry : entries) entry.text += QStringLiteral(" ") + microText(entry.sum);
    return entries;
}

QString waitsTitle()
{
    return QStringLiteral("waits, µs");
}

} // namespace

double waitsWidth(const DrawList& list, const GanttState& state)
{
    double width = list.width(Face::label, waitsTitle());
    for (const WaitEntry& entry : waitsOf(*state.data))
        if (entry.sum > 0) width += list.width(Face::label, entry.text) + swatchRoom;
    return width;
}

void paintWaits(DrawList& list, const GanttState& state, double left, double right, double y)
{
    const auto entries = waitsOf(*state.data);
    std::array<std::size_t, 4> largestFirst{0, 1, 2, 3};
    std::ranges::stable_sort(largestFirst, [&](std::size_t a, std::size_t b) { return entries[a].sum > entries[b].sum; });
    double room = right - left - list.width(Face::label, waitsTitle());
    std::array<bool, 4> shown{};
    for (const std::size_t i : largestFirst) {
        room -= list.width(Face::label, entries[i].text) + swatchRoom;
        if (room < 0) break; // never a smaller wait without the larger ones
        shown[i] = true;
    }
    if (!shown[largestFirst[0]]) return;
    for (std::size_t i = entries.size(); i-- > 0;) {
        if (!shown[i]) continue;
        const double width = list.width(Face::label, entries[i].text);
        list.text(Face::label, right - width, y, entries[i].text, state.theme->text2);
        paintWait(list, *state.theme, {right - width - 18, y - 6, 13, 12}, entries[i].wait);
        right -= width + swatchRoom;
    }
    list.text(Face::label, right, y, waitsTitle(), state.theme->text3, Align::right);
}

} // namespace stowage

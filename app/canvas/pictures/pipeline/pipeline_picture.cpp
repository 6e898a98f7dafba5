#include "app/canvas/pictures/pipeline/pipeline_picture.h"

#include "app/canvas/axis/ticks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double summaryHeight = 30;
constexpr double graphHeight = 126;
constexpr double partHead = 26;
constexpr double leastStrip = 104;
constexpr double usualStrip = 150;
constexpr double usualLane = 64;
constexpr double highestLane = 120;
constexpr double lanesFrame = 48; ///< head and ruler of the stages over time
constexpr double holdDistance = 6;

const QStringList& offAndOn()
{
    static const QStringList names{QStringLiteral("off"), QStringLiteral("on")};
    return names;
}

std::vector<BufferId> united(std::vector<BufferId> buffers)
{
    std::ranges::sort(buffers);
    buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
    return buffers;
}

void paintPartHead(DrawList& list, const Theme& theme, const QRectF& box, const QString& title, const QString& note)
{
    list.fill(box, theme.panel);
    list.horizontal(box.left(), box.right(), box.top(), theme.line);
    list.horizontal(box.left(), box.right(), box.bottom() - 1, theme.line);
    list.text(Face::bodyStrong, box.left() + 10, box.center().y(), title, theme.text);
    list.text(Face::label, box.left() + 20 + list.width(Face::bodyStrong, title), box.center().y(), note, theme.text3);
}

} // namespace

// --- what is shown -------------------------------------------------------------------------------------------------------

std::optional<Error> PipelinePicture::whyNot(const PictureSource& source)
{
    const auto* subject = dynamic_cast<const PipelineSubject*>(source.subject.get());
    if (subject && subject->data && !subject->data->stages.empty()) return std::nullopt;
    return failure(Code::noDevices, "The model is not split into stages.", {}, "choose devices");
}

PictureJob PipelinePicture::prepare(const PictureSource& source) const
{
    return {0, [run = source.run,
                subject = std::dynamic_pointer_cast<const PipelineSubject>(source.subject)](const std::stop_token&) {
                auto made = std::make_shared<Scene>();
                made->run = run;
                made->subject = subject;
                return made;
            }};
}

bool PipelinePicture::take(std::shared_ptr<const PictureScene> scene)
{
    const std::shared_ptr<const Scene> before = std::move(scene_);
    scene_ = std::static_pointer_cast<const Scene>(std::move(scene));
    gantt_.data = scene_ ? scene_->subject->data.get() : nullptr;
    gantt_.hoveredStage = none;
    gantt_.hoveredFrame = none;
    hoveredOp_ = none;
    drag_.reset();
    if (!scene_ || gantt_.selected >= std::int32_t(data().stages.size())) gantt_.selected = none;
    const bool same = before && scene_ && before->subject->data->predicted.total == data().predicted.total &&
                      before->subject->data->stages.size() == data().stages.size();
    if (!same) gantt_.axis = {};
    return same;
}

PictureChange PipelinePicture::setMarks(const PictureMarks& marks, bool)
{
    marks_ = marks;
    return PictureChange::nothing;
}

std::vector<PictureOption> PipelinePicture::options() const
{
    if (!scene_ || !data().measured) return {};
    return {{QStringLiteral("prediction"), QStringLiteral("Prediction"), offAndOn(), offAndOn()[gantt_.prediction ? 1 : 0],
             QStringLiteral("The simulated frames, filled, with the waits between them")},
            {QStringLiteral("measured"), QStringLiteral("Measured"), offAndOn(), offAndOn()[gantt_.measured ? 1 : 0],
             QStringLiteral("The frames of the measured run, as outlines over the prediction")}};
}

PictureChange PipelinePicture::set(const QString& id, const QString& value)
{
    bool* const option = id == u"prediction" ? &gantt_.prediction : id == u"measured" ? &gantt_.measured : nullptr;
    if (!option || !offAndOn().contains(value)) return PictureChange::unknown;
    return std::exchange(*option, value == u"on") == *option ? PictureChange::nothing : PictureChange::paint;
}

// --- layout --------------------------------------------------------------------------------------------------------------

void PipelinePicture::layOut(QSizeF size, double ratio)
{
    size_ = size;
    gantt_.theme = &theme();
    gantt_.ratio = ratio;
    const double width = size.width();
    bool anyOps = false;
    for (const StageFigures& stage : data().stages) anyOps = anyOps || !stage.ops.empty();

    // The stages over time come first, then the strip that borders are dragged in, then the graph, then higher lanes.
    GanttLayout low = stowage::layOut(gantt_, {0, 0, width, 0});
    const double least = lanesFrame + std::min(low.content, 190.0);
    double rest = size.height() - summaryHeight - partHead - least;
    const bool strip = anyOps && rest >= partHead + leastStrip;
    if (strip) rest -= partHead + leastStrip;
    const bool graph = rest >= graphHeight;
    if (graph) rest -= graphHeight;
    const auto lanesUpTo = [&](double lane) {
        const double wanted = lanesFrame + stowage::layOut(gantt_, {0, 0, width, 1e6}, lane).content - least;
        return std::clamp(wanted, 0.0, std::max(0.0, rest));
    };
    double more = lanesUpTo(usualLane);
    const double stripMore = strip ? std::clamp(rest - more, 0.0, usualStrip - leastStrip) : 0.0;
    rest -= stripMore;
    more = lanesUpTo(highestLane);

    summary_ = {0, 0, width, summaryHeight};
    double y = summaryHeight;
    graph_ = {};
    if (graph) {
        graph_ = layOutStages(data(), {0, y, width, graphHeight});
        y += graphHeight;
    }
    lanesHead_ = {0, y, width, partHead};
    y += partHead;
    const double lanes = std::max(0.0, std::min(least + more, size.height() - y));
    layout_ = stowage::layOut(gantt_, {0, y, width, lanes}, highestLane, scroll_);
    scroll_ = std::clamp(scroll_, 0.0, std::max(0.0, layout_.content - layout_.body.height()));
    fitAxis(gantt_, layout_);
    y = layout_.all.bottom();
    opsHead_ = {};
    ops_ = {};
    if (strip) {
        opsHead_ = {0, y, width, partHead};
        y += partHead;
        ops_ = layOutOps(data(), {0, y, width, std::min(leastStrip + stripMore, size.height() - y)});
    }
}

PictureParts PipelinePicture::parts() const
{
    PictureParts parts;
    parts.plotLeft = layout_.plotLeft;
    parts.plotRight = layout_.plotRight;
    const double hidden = layout_.content - layout_.body.height();
    if (hidden > 0.5) {
        PictureScroll scroll;
        scroll.box = layout_.body;
        scroll.names = {layout_.body.left(), layout_.body.top(), layout_.plotLeft - layout_.body.left(), layout_.body.height()};
        scroll.content = layout_.content;
        scroll.at = scroll_;
        scroll.wheel = false;
        scroll.bar = true;
        parts.scrolls = {scroll};
    }
    return parts;
}

void PipelinePicture::show(const ViewRange& range, bool)
{
    gantt_.axis.show(range.steps);
}

void PipelinePicture::scrollTo(std::size_t, double y)
{
    scroll_ = y;
}

// --- painting ------------------------------------------------------------------------------------------------------------

void PipelinePicture::paintSummary(DrawList& list) const
{
    const PipelineSubject& subject = *scene_->subject;
    const PipelineData& shown = data();
    const double y = summary_.center().y();
    list.fill(summary_, theme().base);
    list.horizontal(summary_.left(), summary_.right(), summary_.bottom() - 1, theme().line);
    double right = summary_.right() - 10;
    const auto chip = [&](const QString& text, const QColor& colour, const QColor& fill) {
        right = list.chip(right, y - DrawList::chipHeight / 2, text, colour, fill).left() - 12;
    };
    const pipeline::Ticks value = subject.byLatency ? subject.latency : shown.predicted.period;
    const QString objective = subject.byLatency ? QStringLiteral("latency") : QStringLiteral("period");
    if (subject.proved)
        chip(QStringLiteral("proved: no split has a smaller %1").arg(objective), theme().ok, theme().okSoft);
    else if (subject.bound && *subject.bound > 0)
        chip(QStringLiteral("bound %1 µs, gap %2")
                 .arg(microText(*subject.bound), percentText(double(value) / double(*subject.bound) - 1)),
             theme().warn, theme().warnSoft);

    Bytes memory = 0;
    bool planned = true;
    for (const StageFigures& stage : shown.stages) {
        memory += stage.memory.total();
        planned = planned && stage.planned;
    }
    struct Word {
        QString name, value, unit;
        QColor colour;
    };
    std::vector<Word> words{
        {QStringLiteral("period"), microText(shown.predicted.period), QStringLiteral("µs"), theme().text},
        {QStringLiteral("latency"), microText(subject.latency > 0 ? subject.latency : shown.predicted.firstLatency),
         QStringLiteral("µs"), theme().text},
        {QStringLiteral("throughput"),
         shown.predicted.period > 0 ? countText(std::llround(1e6 / pipeline::toMicroseconds(shown.predicted.period)))
                                    : QStringLiteral("any"),
         QStringLiteral("frames/s"), theme().text}};
    if (shown.measured && shown.measured->period > 0 && shown.predicted.period > 0)
        words.push_back(
            {QStringLiteral("measured"), microText(shown.measured->period),
             QStringLiteral("µs, %1").arg(percentText(double(shown.measured->period) / double(shown.predicted.period) - 1)),
             theme().text});
    if (planned) words.push_back({QStringLiteral("memory"), bytesNumber(memory, numbers()), unitText(numbers()), theme().text});
    words.push_back({countedText(std::int64_t(shown.stages.size()), QStringLiteral("stage")), {}, {}, theme().text2});
    double x = summary_.left() + 10;
    for (const Word& word : words) {
        const double width = list.width(Face::label, word.name) + 6 + list.width(Face::bodyNumber, word.value) + 4 +
                             list.width(Face::label, word.unit);
        if (x + width > right) break;
        list.text(Face::label, x, y, word.name, theme().text2);
        x += list.width(Face::label, word.name) + 6;
        list.text(Face::bodyNumber, x, y, word.value, word.colour);
        x += list.width(Face::bodyNumber, word.value) + 4;
        list.text(Face::label, x, y, word.unit, theme().text3);
        x += list.width(Face::label, word.unit) + 18;
    }
}

bool PipelinePicture::paint(DrawList& list, BodyMode)
{
    gantt_.theme = &theme();
    list.fill(QRectF(QPointF(), size_), theme().well);
    paintSummary(list);
    if (!graph_.stages.empty()) paintStages(list, theme(), numbers(), data(), graph_, gantt_.selected);
    const QString note =
        QStringLiteral("%1, %2 µs predicted")
            .arg(countedText(data().predicted.frames, QStringLiteral("frame")), microText(data().predicted.total));
    const QString title = QStringLiteral("Stages over time");
    paintPartHead(list, theme(), lanesHead_, title, note);
    const double taken = list.width(Face::bodyStrong, title) + list.width(Face::label, note) + 40;
    paintWaits(list, gantt_, lanesHead_.left() + taken, lanesHead_.right() - 12, lanesHead_.center().y());
    GanttState still = gantt_; // what is hovered is marked in the overlay
    still.hoveredStage = none;
    still.hoveredFrame = none;
    paintGantt(list, still, layout_);
    const double hidden = layout_.content - layout_.body.height();
    if (hidden > 0.5) { // a scroll bar
        const double high = std::max(20.0, layout_.body.height() * layout_.body.height() / layout_.content);
        const double top = layout_.body.top() + (layout_.body.height() - high) * scroll_ / hidden;
        list.fill({layout_.body.right() - 8, top, 6, high}, theme().press, 3);
    }
    if (ops_.area.isEmpty()) return false;
    paintPartHead(list, theme(), opsHead_, QStringLiteral("Ops by cost"),
                  movable() ? QStringLiteral("on the device of the stage; drag a border, Esc puts it back")
                            : QStringLiteral("on the device of the stage"));
    paintOps(list, theme(), data(), ops_, gantt_.selected, none, nullptr);
    return false;
}

void PipelinePicture::paintOverlay(DrawList& list) const
{
    if (drag_) {
        const auto& cuts = scene_->subject->cuts;
        const auto change = drag_->effect.period - data().predicted.period;
        bool bad = false;
        QString text = movedText(drag_->border, cuts[drag_->border], drag_->cut);
        if (drag_->cut != cuts[drag_->border]) {
            text += QStringLiteral(": period %1 µs, %2%3 · latency %4 µs")
                        .arg(microText(drag_->effect.period), change < 0 ? QStringLiteral("-") : QStringLiteral("+"),
                             microText(change < 0 ? -change : change), microText(drag_->effect.latency));
            for (std::size_t s = drag_->border; s < drag_->border + 2 && s < drag_->memories.size(); ++s) {
                const StageFigures& stage = data().stages[s];
                const bool over = stage.limit && drag_->memories[s].total() > *stage.limit;
                bad = bad || over;
                text += QStringLiteral(" · %1 %2").arg(nameText(stage.device), bytesText(drag_->memories[s].total(), numbers()));
                if (over) text += QStringLiteral(" of %1: does not fit").arg(bytesNumber(*stage.limit, numbers()));
            }
        }
        const OpStripDrag moved{drag_->border, drag_->cut, &drag_->effect.costs, text, bad};
        paintOps(list, theme(), data(), ops_, gantt_.selected, none, &moved);
        return;
    }
    const auto op = hoveredOp_ != none ? hoveredOp_ : opOf(marks_.selected);
    if (op != none && !ops_.area.isEmpty()) {
        const QRectF column(ops_.x(std::size_t(op)) + 0.5, ops_.plot.top(), ops_.opWidth - 1,
                            ops_.codes.bottom() - ops_.plot.top());
        list.outline(column, hoveredOp_ != none ? theme().text2 : theme().sel, 1, 2);
    }
    if (gantt_.hoveredStage != none && gantt_.hoveredFrame != none) {
        const auto& frames = data().predicted.stages[std::size_t(gantt_.hoveredStage)].frames;
        if (std::size_t(gantt_.hoveredFrame) < frames.size()) {
            const auto& frame = frames[std::size_t(gantt_.hoveredFrame)];
            const auto x = [&](pipeline::Ticks time) {
                return std::clamp(layout_.plotLeft + gantt_.axis.toPixel(time / 1000) / gantt_.ratio, layout_.plotLeft,
                                  layout_.plotRight);
            };
            const QRectF& lane = layout_.lanes[std::size_t(gantt_.hoveredStage)];
            list.clip(layout_.body);
            list.outline(QRectF(QPointF(x(frame.start), lane.top() + 5), QPointF(x(frame.finish), lane.bottom() - 5)),
                         theme().sel, 1, 1.5);
            list.unclip();
        }
    }
    if (area_) {
        QColor soft = theme().accent;
        soft.setAlphaF(0.12F);
        list.fill(*area_, soft);
        list.outline(*area_, theme().accent);
    }
}

// --- pointer -------------------------------------------------------------------------------------------------------------

std::int32_t PipelinePicture::borderAt(QPointF at) const
{
    if (!movable() || !ops_.area.contains(at)) return none;
    for (std::size_t b = 0; b < ops_.borders.size(); ++b)
        if (std::abs(at.x() - ops_.borders[b]) <= holdDistance) return std::int32_t(b);
    return none;
}

std::int32_t PipelinePicture::opAt(QPointF at) const
{
    if (ops_.area.isEmpty() || ops_.opWidth <= 0 || at.y() < ops_.area.top() || at.y() >= ops_.codes.bottom() ||
        at.x() < ops_.plot.left() || at.x() >= ops_.plot.right())
        return none;
    std::size_t count = 0;
    for (const StageFigures& stage : data().stages) count += stage.ops.size();
    const auto op = std::int32_t((at.x() - ops_.plot.left()) / ops_.opWidth);
    return op < std::int32_t(count) ? op : none;
}

std::int32_t PipelinePicture::stageOf(std::int32_t op) const
{
    std::int32_t before = 0;
    for (std::size_t s = 0; s < data().stages.size(); ++s) {
        before += std::int32_t(data().stages[s].ops.size());
        if (op < before) return std::int32_t(s);
    }
    return none;
}

std::vector<BufferId> PipelinePicture::buffersOf(std::int32_t op) const
{
    const auto& buffers = scene_->subject->buffers;
    return op != none && std::size_t(op) < buffers.size() ? buffers[std::size_t(op)] : std::vector<BufferId>();
}

std::vector<BufferId> PipelinePicture::buffersOfStage(std::int32_t stage) const
{
    std::vector<BufferId> all;
    std::int32_t op = 0;
    for (std::int32_t s = 0; s <= stage; ++s)
        for (std::size_t i = 0; i < data().stages[std::size_t(s)].ops.size(); ++i, ++op)
            if (s == stage) {
                const auto own = buffersOf(op);
                all.insert(all.end(), own.begin(), own.end());
            }
    return united(std::move(all));
}

std::int32_t PipelinePicture::opOf(BufferId buffer) const
{
    if (buffer == none) return none;
    const auto& buffers = scene_->subject->buffers;
    for (std::size_t o = 0; o < buffers.size(); ++o)
        if (std::ranges::binary_search(buffers[o], buffer)) return std::int32_t(o);
    return none;
}

PictureHit PipelinePicture::hit(QPointF at) const
{
    PictureHit hit;
    hit.keepsSelection = true;
    const auto onBox = [&](std::int32_t stage, std::int64_t frame, const QRectF& box) {
        hit.kind = frame == none ? onStage : onFrame;
        hit.item = (std::int64_t(stage) << 32) + frame + 1;
        hit.box = box;
        hit.acts = true;
    };
    for (std::size_t s = 0; s < graph_.stages.size(); ++s)
        if (graph_.stages[s].contains(at)) {
            onBox(std::int32_t(s), none, graph_.stages[s]);
            return hit;
        }
    if (const std::int32_t border = borderAt(at); border != none) {
        hit.kind = onBorder;
        hit.item = border;
        hit.holds = true;
        hit.box = QRectF(ops_.borders[std::size_t(border)] - 4, ops_.area.top(), 8, ops_.area.height());
        return hit;
    }
    if (const std::int32_t op = opAt(at); op != none) {
        hit.kind = onOp;
        hit.item = op;
        hit.chosen = buffersOf(op);
        hit.keepsSelection = hit.chosen.empty();
        if (!hit.chosen.empty()) hit.buffer = hit.chosen.front();
        hit.box = QRectF(ops_.x(std::size_t(op)), ops_.plot.top(), ops_.opWidth, ops_.plot.height());
        return hit;
    }
    if (const GanttHit lane = hitGantt(gantt_, layout_, at); lane.stage != none) {
        onBox(lane.stage, lane.frame, layout_.lanes[std::size_t(lane.stage)]);
        if (lane.frame != none) {
            const auto& frame = data().predicted.stages[std::size_t(lane.stage)].frames[std::size_t(lane.frame)];
            const double left = layout_.plotLeft + gantt_.axis.toPixel(frame.start / 1000) / gantt_.ratio;
            const double right = layout_.plotLeft + gantt_.axis.toPixel(frame.finish / 1000) / gantt_.ratio;
            hit.box.setLeft(std::max(left, layout_.plotLeft));
            hit.box.setRight(std::min(right, layout_.plotRight));
        }
    }
    return hit;
}

std::optional<CardText> PipelinePicture::card(const PictureHit& hit) const
{
    CardText card;
    card.titleIsNumber = false;
    const auto line = [&](const QString& caption, const QString& value) { card.lines.push_back({{}, caption, value, false}); };
    const auto us = [](pipeline::Ticks ticks) { return microText(ticks) + QStringLiteral(" µs"); };
    if (hit.kind == onFrame) return ganttCard(gantt_, {std::int32_t(hit.item >> 32), (hit.item & 0xffffffff) - 1});
    if (hit.kind == onStage) {
        const auto s = std::size_t(hit.item >> 32);
        const StageFigures& stage = data().stages[s];
        card.title = stage.device.empty() ? QStringLiteral("Stage %1").arg(s)
                                          : QStringLiteral("Stage %1 on %2").arg(s).arg(nameText(stage.device));
        card.caption = countedText(std::int64_t(stage.ops.size()), QStringLiteral("op"));
        line(QStringLiteral("cost"), us(data().model.stages[s].cost));
        line(QStringLiteral("busy"), us(data().predicted.stages[s].busy));
        line(QStringLiteral("waits"), us(data().predicted.stages[s].stalls.total()));
        if (stage.planned) line(QStringLiteral("memory"), bytesText(stage.memory.total(), numbers()));
        return card;
    }
    if (hit.kind == onOp) {
        const std::int32_t stage = stageOf(std::int32_t(hit.item));
        std::int64_t index = hit.item;
        for (std::int32_t s = 0; s < stage; ++s) index -= std::int64_t(data().stages[std::size_t(s)].ops.size());
        const StageOp& op = data().stages[std::size_t(stage)].ops[std::size_t(index)];
        card.title = nameText(op.name);
        card.caption = nameText(op.kind);
        line(QStringLiteral("op"), QString::number(hit.item));
        line(QStringLiteral("stage"), QString::number(stage));
        line(QStringLiteral("cost"), us(op.cost));
        return card;
    }
    return std::nullopt;
}

bool PipelinePicture::hover(const PictureHit& hit)
{
    const GanttHit before{gantt_.hoveredStage, gantt_.hoveredFrame};
    GanttHit now;
    if (hit.kind == onFrame) now = {std::int32_t(hit.item >> 32), (hit.item & 0xffffffff) - 1};
    const std::int32_t op = hit.kind == onOp ? std::int32_t(hit.item) : none;
    const std::int32_t opBefore = std::exchange(hoveredOp_, op);
    gantt_.hoveredStage = now.stage;
    gantt_.hoveredFrame = now.frame;
    return !(before == now) || opBefore != op;
}

PictureChange PipelinePicture::press(const PictureHit& hit, Qt::KeyboardModifiers)
{
    if (hit.kind != onStage && hit.kind != onFrame) return PictureChange::nothing;
    const auto stage = std::int32_t(hit.item >> 32);
    gantt_.selected = gantt_.selected == stage ? none : stage;
    return PictureChange::paint;
}

std::optional<std::vector<BufferId>> PipelinePicture::areaTo(QPointF from, QPointF to)
{
    const bool lanes = layout_.body.contains(from) && from.x() >= layout_.plotLeft;
    const bool strip = !ops_.area.isEmpty() && ops_.area.contains(from);
    if (!lanes && !strip) return std::nullopt;
    const QRectF within = lanes ? layout_.body : ops_.area;
    const QRectF area = QRectF(from, to).normalized() & within;
    area_ = area;
    std::vector<BufferId> inside;
    const auto add = [&](const std::vector<BufferId>& buffers) { inside.insert(inside.end(), buffers.begin(), buffers.end()); };
    if (lanes) {
        for (std::size_t s = 0; s < layout_.lanes.size(); ++s)
            if (layout_.lanes[s].intersects(area)) add(buffersOfStage(std::int32_t(s)));
    } else {
        for (double x = std::max(area.left(), ops_.plot.left()); x <= std::min(area.right(), ops_.plot.right() - 1);
             x += ops_.opWidth)
            add(buffersOf(opAt({x, ops_.plot.center().y()})));
        add(buffersOf(opAt({area.right(), ops_.plot.center().y()})));
    }
    return united(std::move(inside));
}

bool PipelinePicture::takeHold(QPointF at)
{
    const std::int32_t border = borderAt(at);
    if (border == none) return false;
    const std::size_t cut = scene_->subject->cuts[std::size_t(border)];
    const auto effect = scene_->subject->effect(std::size_t(border), cut);
    if (!effect) return false;
    drag_ = Drag{std::size_t(border), cut, *effect, {}};
    return true;
}

void PipelinePicture::moveTo(QPointF at)
{
    if (!drag_ || ops_.opWidth <= 0) return;
    const auto& cuts = scene_->subject->cuts;
    std::size_t count = 0;
    for (const StageFigures& stage : data().stages) count += stage.ops.size();
    const std::int64_t low = drag_->border > 0 ? std::int64_t(cuts[drag_->border - 1]) + 1 : 1;
    const std::int64_t high =
        drag_->border + 1 < cuts.size() ? std::int64_t(cuts[drag_->border + 1]) - 1 : std::int64_t(count) - 1;
    const std::int64_t wanted = std::clamp<std::int64_t>(std::llround((at.x() - ops_.plot.left()) / ops_.opWidth), low, high);
    // The nearest place where a cut is allowed.
    for (std::int64_t away = 0; away <= high - low; ++away)
        for (const std::int64_t cut : {wanted - away, wanted + away}) {
            if (cut < low || cut > high) continue;
            if (drag_->sameAs(drag_->border, std::size_t(cut))) return;
            const auto effect = scene_->subject->effect(drag_->border, std::size_t(cut));
            if (!effect) continue;
            drag_ = Drag{drag_->border, std::size_t(cut), *effect, {}};
            if (moved_) moved_(drag_->border, drag_->cut);
            return;
        }
}

bool PipelinePicture::setMemories(std::size_t border, std::size_t cut, std::vector<pipeline::StageMemory> memories)
{
    if (!drag_ || !drag_->sameAs(border, cut)) return false;
    drag_->memories = std::move(memories);
    return true;
}

bool PipelinePicture::drop()
{
    dropped_ = std::exchange(drag_, std::nullopt);
    return dropped_ && dropped_->cut != scene_->subject->cuts[dropped_->border];
}

void PipelinePicture::letGo()
{
    drag_.reset();
}

// --- where to go ---------------------------------------------------------------------------------------------------------

std::optional<PictureAim> PipelinePicture::selectionAim() const
{
    const std::int32_t op = opOf(marks_.selected);
    const std::int32_t stage = op != none ? stageOf(op) : gantt_.selected;
    if (stage == none) return std::nullopt;
    const auto& frames = data().predicted.stages[std::size_t(stage)].frames;
    if (frames.empty()) return std::nullopt;
    PictureAim aim;
    const auto& middle = frames[frames.size() / 2];
    aim.across = Interval{middle.start / 1000, middle.finish / 1000 + 1};
    aim.fit = true;
    return aim;
}

/// One steady period.
std::optional<PictureAim> PipelinePicture::peakAim() const
{
    const std::int32_t slowest = data().slowest();
    const auto& frames = data().predicted.stages[slowest == none ? 0 : std::size_t(slowest)].frames;
    if (frames.empty()) return std::nullopt;
    PictureAim aim;
    const pipeline::Ticks start = frames[frames.size() / 2].start;
    aim.across = Interval{start / 1000, (start + std::max<pipeline::Ticks>(data().predicted.period, 1000)) / 1000 + 1};
    aim.fit = true;
    return aim;
}

std::optional<PictureAim> PipelinePicture::neighbourAim(Direction direction) const
{
    const auto count = std::int32_t(scene_->subject->buffers.size());
    const std::int32_t from = opOf(marks_.selected);
    const bool back = direction == Direction::left || direction == Direction::up;
    const bool stages = direction == Direction::up || direction == Direction::down;
    for (std::int32_t op = from == none ? 0 : from + (back ? -1 : 1); op >= 0 && op < count;
         op += from != none && back ? -1 : 1) {
        if (stages && from != none && stageOf(op) == stageOf(from)) continue;
        const auto buffers = buffersOf(op);
        const auto found = std::ranges::find_if(buffers, [&](BufferId id) { return marks_.passes(id) && id != marks_.selected; });
        if (found == buffers.end()) continue;
        PictureAim aim;
        aim.select = *found;
        return aim;
    }
    return std::nullopt;
}

} // namespace stowage

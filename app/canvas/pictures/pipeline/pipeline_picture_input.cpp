// What is under the pointer in the picture of a pipeline, what a drag moves, and where the keys go.
#include "app/canvas/pictures/pipeline/pipeline_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr double holdDistance = 6; ///< from a border, logical pixels

std::vector<BufferId> united(std::vector<BufferId> buffers)
{
    std::ranges::sort(buffers);
    buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
    return buffers;
}

} // namespace

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
        hit.chosen = SharedBuffers(buffersOf(op));
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
    const std::int64_t frame = hit.kind == onFrame ? (hit.item & 0xffffffff) - 1 : std::int64_t(none);
    const bool again = gantt_.selected == stage && gantt_.selectedFrame == frame;
    selectStage(again ? std::int32_t(none) : stage, again ? std::int64_t(none) : frame);
    if (selected_) selected_();
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

std::optional<std::vector<BufferId>> PipelinePicture::areaOfView()
{
    return areaTo({std::max(layout_.body.left(), layout_.plotLeft), layout_.body.top()}, layout_.body.bottomRight());
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

std::optional<PictureAim> PipelinePicture::neighbourAim(Direction direction, const BufferTest& selectable) const
{
    const auto count = std::int32_t(scene_->subject->buffers.size());
    const std::int32_t from = opOf(marks_.selected);
    const bool back = direction == Direction::left || direction == Direction::up;
    const bool stages = direction == Direction::up || direction == Direction::down;
    for (std::int32_t op = from == none ? 0 : from + (back ? -1 : 1); op >= 0 && op < count;
         op += from != none && back ? -1 : 1) {
        if (stages && from != none && stageOf(op) == stageOf(from)) continue;
        const auto buffers = buffersOf(op);
        const auto found = std::ranges::find_if(
            buffers, [&](BufferId id) { return marks_.passes(id) && selectable(id) && id != marks_.selected; });
        if (found == buffers.end()) continue;
        PictureAim aim;
        aim.select = *found;
        return aim;
    }
    return std::nullopt;
}

} // namespace stowage

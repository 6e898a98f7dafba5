// What is under a point of the fold picture, and where the selection, the peak and neighbours are.
#include "app/canvas/pictures/fold/fold_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace stowage {

// --- pointer -------------------------------------------------------------------------------------------------------------

std::vector<BufferId> FoldPicture::buffersOf(OpId op) const
{
    std::vector<BufferId> buffers;
    if (op == none) return buffers;
    const auto& bindings = scene_->run->lowering->instances.front().bindings;
    for (const TensorId tensor : scene_->sheet.function().ops[std::size_t(op)].outputs)
        if (std::size_t(tensor) < bindings.size() && bindings[std::size_t(tensor)].buffer != none)
            buffers.push_back(bindings[std::size_t(tensor)].buffer);
    std::ranges::sort(buffers);
    buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
    return buffers;
}

PictureHit FoldPicture::hit(QPointF at) const
{
    PictureHit hit;
    const FoldSheet& sheet = scene_->sheet;
    if (panelHeight() > 0 && !sheet.samples.empty() && panel(thresholds).contains(at)) {
        const QRectF curve = curveBox();
        const double share = (at.x() - curve.left()) / std::max(1.0, curve.width());
        const auto last = std::int64_t(foldThresholds.size()) - 1;
        hit.kind = onThreshold;
        hit.item = std::clamp<std::int64_t>(std::llround(share * double(last)), 0, last);
        hit.keepsSelection = hit.acts = true;
        hit.box = QRectF(at.x() - 4, curve.top(), 8, curve.height());
        return hit;
    }
    if (!canvas().contains(at)) {
        hit.keepsSelection = true;
        return hit;
    }
    for (const FoldColumn* column : {&columns_.before, &columns_.once, &columns_.after})
        for (const FoldNode& node : column->nodes) {
            if (!box(node).contains(at)) continue;
            OpId meant = node.op;
            if (meant == none) { // what makes the folded tensor
                const TensorId tensor = sheet.split().fold.folded[std::size_t(node.kept)].tensor;
                const auto& ops = sheet.function().ops;
                for (std::size_t i = 0; i < ops.size(); ++i)
                    if (std::ranges::find(ops[i].outputs, tensor) != ops[i].outputs.end()) meant = OpId(i);
            }
            if (meant == none) continue;
            hit.kind = onOp;
            hit.item = meant;
            hit.box = box(node);
            hit.chosen = SharedBuffers(buffersOf(meant));
            hit.keepsSelection = hit.chosen.empty();
            if (!hit.chosen.empty()) hit.buffer = hit.chosen.front();
            return hit;
        }
    return hit;
}

bool FoldPicture::hover(const PictureHit& hit)
{
    const OpId now = hit.kind == onOp ? OpId(hit.item) : none;
    return std::exchange(hovered_, now) != now;
}

PictureChange FoldPicture::press(const PictureHit& hit, Qt::KeyboardModifiers)
{
    if (hit.kind != onThreshold) return PictureChange::nothing;
    return set(QStringLiteral("threshold"), QString::number(foldThresholds[std::size_t(hit.item)]));
}

std::optional<CardText> FoldPicture::card(const PictureHit& hit) const
{
    CardText card;
    card.titleIsNumber = false;
    const auto line = [&](const QString& caption, const QString& value = {}) {
        card.lines.push_back({{}, caption, value, false});
    };
    const FoldSheet& sheet = scene_->sheet;
    if (hit.kind == onThreshold) {
        const FoldSample& sample = sheet.samples[std::size_t(hit.item)];
        card.title = QStringLiteral("Threshold %1").arg(QString::number(sample.threshold));
        line(QStringLiteral("saved in a run"), bytesText(sample.saved, numbers()));
        line(QStringLiteral("ops saved"), countText(sample.savedOps));
        line(QStringLiteral("kept between runs"), bytesText(sample.persistent, numbers()));
        return card;
    }
    if (hit.kind != onOp) return std::nullopt;
    const Op& shown = sheet.function().ops[std::size_t(hit.item)];
    const OpFold& fold = sheet.split().fold.ops[std::size_t(hit.item)];
    card.title = QString::fromStdString(shown.name);
    card.caption = QString::fromStdString(explain(fold, asked_.options.threshold));
    const auto level = toText(fold.level);
    line(QStringLiteral("const-ness"), QString::fromUtf8(level.data(), qsizetype(level.size())));
    line(QStringLiteral("kind"), QString::fromStdString(shown.kind));
    line(QStringLiteral("result"), bytesText(fold.resultBytes, numbers()));
    if (fold.rootBytes > 0) line(QStringLiteral("its constant tensors"), bytesText(fold.rootBytes, numbers()));
    return card;
}

std::optional<std::vector<BufferId>> FoldPicture::areaTo(QPointF from, QPointF to)
{
    if (!canvas().contains(from)) return std::nullopt;
    const QRectF area = QRectF(from, to).normalized() & canvas();
    const QPointF origin = place(0, 0);
    area_ = QRectF((area.topLeft() - origin) / scale(), (area.bottomRight() - origin) / scale());
    std::vector<BufferId> inside;
    for (const FoldColumn* column : {&columns_.before, &columns_.once, &columns_.after})
        for (const FoldNode& node : column->nodes) {
            if (!box(node).intersects(area)) continue;
            const std::vector<BufferId> buffers = buffersOf(node.op);
            inside.insert(inside.end(), buffers.begin(), buffers.end());
        }
    std::ranges::sort(inside);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
    return inside;
}

// --- where to go ---------------------------------------------------------------------------------------------------------

template <typename Meant>
QRectF FoldPicture::boxesOf(const Meant& meant, bool first) const
{
    QRectF all;
    for (const FoldColumn* column : {&columns_.before, &columns_.once, &columns_.after}) {
        for (const FoldNode& node : column->nodes)
            if (node.op != none && meant(node.op)) all |= QRectF(node.x, node.y, columns_.boxWidth, columns_.boxHeight);
        if (first) break;
    }
    return all;
}

void FoldPicture::aimAt(PictureAim& aim, const QRectF& meant) const
{
    if (meant.isEmpty()) return;
    const QRectF wide = meant.adjusted(-160, -90, 160, 90);
    const auto unit = [&](double value) {
        return std::clamp<std::int64_t>(std::llround((value + offset_.x()) * axisGrid), 0, across_.high() - 1);
    };
    aim.across = Interval{unit(wide.left()), unit(wide.right()) + 1};
    const auto up = [&](double y) {
        return std::clamp<std::int64_t>(down_.high() - std::llround((y + offset_.y()) * axisGrid), 0, down_.high());
    };
    aim.up = {{0, up(wide.bottom()), up(wide.top()) + 1}};
    aim.fit = true;
}

std::optional<PictureAim> FoldPicture::selectionAim() const
{
    if (marks_.selected == none) return std::nullopt;
    const QRectF meant = boxesOf([&](OpId id) { return std::ranges::binary_search(buffersOf(id), marks_.selected); }, false);
    if (meant.isEmpty()) return std::nullopt;
    PictureAim aim;
    aimAt(aim, meant);
    return aim;
}

std::optional<PictureAim> FoldPicture::peakAim() const
{
    const PoolReport* most = nullptr;
    for (const PoolReport& pool : scene_->run->report.pools)
        if (!most || pool.liveAtPeak > most->liveAtPeak) most = &pool;
    if (!most || most->peakStep < 0) return std::nullopt;
    PictureAim aim;
    aim.cursor = most->peakStep;
    const auto& steps = scene_->run->lowering->steps;
    if (std::size_t(most->peakStep) < steps.size() && steps[std::size_t(most->peakStep)].instance == 0)
        aimAt(aim, boxesOf([&](OpId id) { return id == steps[std::size_t(most->peakStep)].op; }, true));
    return aim;
}

std::optional<PictureAim> FoldPicture::neighbourAim(Direction direction, const BufferTest& selectable) const
{
    const auto& nodes = columns_.before.nodes;
    const auto passing = [&](const FoldNode& node) {
        const std::vector<BufferId> buffers = buffersOf(node.op);
        const auto found = std::ranges::find_if(buffers, [&](BufferId id) { return marks_.passes(id) && selectable(id); });
        return found == buffers.end() ? none : *found;
    };
    const FoldNode* from = nullptr;
    if (marks_.selected != none)
        for (const FoldNode& node : nodes)
            if (!from && std::ranges::binary_search(buffersOf(node.op), marks_.selected)) from = &node;
    const FoldNode* next = nullptr;
    double best = 0;
    for (const FoldNode& node : nodes) {
        if (&node == from || passing(node) == none) continue;
        const QPointF by = from ? QPointF(node.x - from->x, node.y - from->y) : QPointF(node.x, node.y);
        // Along the direction it counts once, across it three times: the next box of the row, not one far above it.
        const bool level = direction == Direction::left || direction == Direction::right;
        const bool back = direction == Direction::left || direction == Direction::up;
        const double on = (level ? by.x() : by.y()) * (back ? -1 : 1);
        if (from && on <= 1) continue;
        const double distance = from ? on + 3 * std::abs(level ? by.y() : by.x()) : std::hypot(by.x(), by.y());
        if (next && distance >= best) continue;
        next = &node;
        best = distance;
    }
    if (!next) return std::nullopt;
    PictureAim aim;
    aim.select = passing(*next);
    aimAt(aim, QRectF(next->x, next->y, columns_.boxWidth, columns_.boxHeight));
    aim.fit = false;
    return aim;
}

} // namespace stowage

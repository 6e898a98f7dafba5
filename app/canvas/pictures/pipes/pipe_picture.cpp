#include "app/canvas/pictures/pipes/pipe_picture.h"

#include "app/canvas/pictures/scene_cache.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stowage {

namespace {

struct ArrowOption {
    const char* id;
    const char* label;
    const char* tip;
};
constexpr std::array<ArrowOption, reuseKinds> arrowOptions{
    ArrowOption{"same-pipe", "Same pipe", "The pipe works in order anyway: nothing is waited for"},
    ArrowOption{"cross-pipe", "Cross pipe", "One pipe waits for another one to be done with the bytes"},
    ArrowOption{"breaks", "Breaks", "A double buffer waits for another pipe sooner than its own slots would"}};

QStringList iterationChoices()
{
    QStringList all;
    for (const std::int64_t count : {1, 2, 4, 8, 16, 32, 64}) all << countedText(count, QStringLiteral("iteration"));
    return all;
}

QString onOff(bool on)
{
    return on ? QStringLiteral("on") : QStringLiteral("off");
}

} // namespace

// --- what is shown -------------------------------------------------------------------------------------------------------

std::optional<Error> PipePicture::whyNot(const PictureSource& source)
{
    if (auto why = whyNoRun(source)) return why;
    if (const std::string why = whyNoPipes(*source.run); !why.empty())
        return failure(Code::noPipes, why, {},
                       "draw a kernel whose ops name pipes, planned with --lower order=hivm (in the window: Program, order)");
    return std::nullopt;
}

PictureJob PipePicture::prepare(const PictureSource& source) const
{
    return {std::max(source.run->problem().buffers.size(), pipeWork(*source.run, simulated_)),
            [run = source.run, options = simulated_, scenes = source.scenes](const std::stop_token&) {
                auto made = std::make_shared<Scene>();
                made->run = run;
                if (options == PipeOptions{}) {
                    // The simulation that map and inspector use, too.
                    made->shared = scenes->scene(run);
                    made->pipes = made->shared->pipes();
                } else {
                    made->pipes = makePipeScene(run, options);
                }
                if (!made->pipes || made->pipes->lanes.empty())
                    made->error = failure(Code::noPipes, "No op of this kernel runs on a pipe.");
                return made;
            }};
}

bool PipePicture::take(std::shared_ptr<const PictureScene> scene)
{
    const bool any = scene_ != nullptr;
    scene_ = std::static_pointer_cast<const Scene>(std::move(scene));
    state_.scene = this->scene();
    state_.hoveredSpan = state_.hoveredEdge = none;
    state_.scroll = 0;
    current_ = none;
    area_.reset();
    return any && scene_ && state_.axis.high() == scene_->pipes->report().time;
}

PictureChange PipePicture::setMarks(const PictureMarks& marks, bool)
{
    marks_ = marks;
    const std::size_t count = scene_ ? scene_->run->problem().buffers.size() : 0;
    const auto known = [&](BufferId id) { return id >= 0 && std::size_t(id) < count; };
    state_.selected = known(marks.selected) ? marks.selected : BufferId(none);
    state_.others = marks.selection.size() > 1 ? marks.selection : SharedBuffers();
    state_.cursor = marks.cursor;
    state_.shown = marks_.shown && marks_.shown->size() == count ? marks_.shown.get() : nullptr;
    // Another selection from elsewhere means another execution.
    if (current_ != none && scene_ && bufferOf(current_) != state_.selected) current_ = none;
    return PictureChange::nothing;
}

std::vector<PictureOption> PipePicture::options() const
{
    std::vector<PictureOption> all;
    all.push_back({QStringLiteral("iterations"), QStringLiteral("Simulate"), iterationChoices(),
                   countedText(simulated_.iterations, QStringLiteral("iteration")),
                   QStringLiteral("Iterations of each loop, or its trip count where that is less")});
    for (std::size_t kind = 0; kind < arrowOptions.size(); ++kind) {
        const ArrowOption& option = arrowOptions[kind];
        all.push_back({QLatin1String(option.id),
                       QLatin1String(option.label),
                       {onOff(false), onOff(true)},
                       onOff(state_.arrows[kind]),
                       QLatin1String(option.tip)});
    }
    return all;
}

PictureChange PipePicture::set(const QString& id, const QString& value)
{
    if (id == u"iterations") {
        const std::int64_t wanted = value.section(u' ', 0, 0).toLongLong();
        if (wanted < 1 || wanted > 1'000'000) return PictureChange::unknown;
        return std::exchange(simulated_.iterations, wanted) == wanted ? PictureChange::nothing : PictureChange::scene;
    }
    for (std::size_t kind = 0; kind < arrowOptions.size(); ++kind)
        if (id == QLatin1String(arrowOptions[kind].id) && (value == u"on" || value == u"off")) {
            state_.arrows[kind] = value == u"on";
            return PictureChange::paint;
        }
    return PictureChange::unknown;
}

// --- layout --------------------------------------------------------------------------------------------------------------

void PipePicture::layOut(QSizeF size, double ratio)
{
    state_.theme = &theme();
    state_.numbers = numbers();
    state_.ratio = ratio;
    layout_ = stowage::layOut(state_, size);
    fitAxis(state_, layout_);
    state_.scroll = std::clamp(state_.scroll, 0.0, listOverhang(state_, layout_));
}

PictureParts PipePicture::parts() const
{
    PictureParts parts;
    parts.plotLeft = layout_.plotLeft;
    parts.plotRight = layout_.plotRight;
    if (!layout_.list.isEmpty()) {
        PictureScroll list;
        list.box = layout_.list;
        list.content = layout_.list.height() + listOverhang(state_, layout_);
        list.at = state_.scroll;
        parts.scrolls = {list};
    }
    return parts;
}

void PipePicture::show(const ViewRange& range, bool)
{
    state_.axis.show(range.steps);
}

void PipePicture::scrollTo(std::size_t, double y)
{
    state_.scroll = std::clamp(y, 0.0, listOverhang(state_, layout_));
}

QRectF PipePicture::lanesArea() const
{
    if (layout_.lanes.empty()) return {};
    return {layout_.plotLeft, layout_.lanes.front().top(), layout_.plotWidth(),
            layout_.lanes.back().bottom() - layout_.lanes.front().top()};
}

// --- painting ------------------------------------------------------------------------------------------------------------

bool PipePicture::paint(DrawList& list, BodyMode)
{
    state_.theme = &theme();
    state_.numbers = numbers();
    paintPipes(list, state_, layout_);
    return false;
}

void PipePicture::paintOverlay(DrawList& list) const
{
    paintPipesOverlay(list, state_, layout_);
    if (!area_) return;
    const double left = geometry().x(std::int64_t(area_->left()));
    const double right = geometry().x(std::int64_t(area_->right()));
    const QRectF box = list.snapped(QRectF(QPointF(left, area_->top()), QPointF(right, area_->bottom())) & lanesArea());
    if (box.isEmpty()) return;
    QColor wash = theme().accent;
    wash.setAlphaF(0.14F);
    list.fill(box, wash);
    list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme().accent, 1);
}

// --- pointer -------------------------------------------------------------------------------------------------------------

PipeHit PipePicture::pipeHit(const PictureHit& hit) const
{
    PipeHit found;
    found.what = PipeHit::What(hit.kind & 0xF);
    found.cause = LaneWait((hit.kind >> 4) & 0xF);
    found.lane = hit.kind >> 8;
    found.span = std::int32_t(hit.item >> 32) - 1;
    found.edge = std::int32_t(hit.item & 0xFFFFFFFF) - 1;
    return found;
}

BufferId PipePicture::bufferOf(std::int32_t span) const
{
    const PipeOp& op = scene_->pipes->opOf(span);
    return !op.writes.empty() ? op.writes.front() : !op.reads.empty() ? op.reads.front() : BufferId(none);
}

PictureHit PipePicture::hit(QPointF at) const
{
    PictureHit hit;
    const PipeHit found = hitPipes(state_, layout_, at);
    hit.kind = std::int32_t(found.what) | std::int32_t(found.cause) << 4 | std::max(0, found.lane) << 8;
    hit.item = (std::int64_t(found.span) + 1) << 32 | (std::int64_t(found.edge) + 1);
    if (found.what == PipeHit::What::nothing) {
        hit.keepsSelection = !lanesArea().contains(at);
        return hit;
    }
    hit.acts = true;
    if (found.edge != none) {
        // Who waits first, then whom for.
        hit.buffer = scene_->pipes->report().edges[std::size_t(found.edge)].to;
    } else {
        hit.buffer = bufferOf(found.span);
        hit.step = scene_->pipes->opOf(found.span).step;
    }
    if (hit.buffer != none) hit.chosen = {hit.buffer};
    if (found.what != PipeHit::What::edge && found.lane != none && found.span != none) {
        const PipeSpan& span = scene_->pipes->span(found.span);
        const bool op = found.what == PipeHit::What::op;
        hit.box = geometry().box(std::size_t(found.lane), op ? span.begin : span.begin - span.stall,
                                 op ? scene_->pipes->endOf(found.span) : span.begin);
    }
    return hit;
}

std::optional<CardText> PipePicture::card(const PictureHit& hit) const
{
    return pipeCard(state_, pipeHit(hit));
}

bool PipePicture::hover(const PictureHit& hit)
{
    const PipeHit found = pipeHit(hit);
    const std::int32_t span = found.what == PipeHit::What::op ? found.span : std::int32_t(none);
    const std::int32_t edge = found.what == PipeHit::What::nothing ? std::int32_t(none) : found.edge;
    const bool other = span != state_.hoveredSpan || edge != state_.hoveredEdge;
    state_.hoveredSpan = span;
    state_.hoveredEdge = edge;
    return other;
}

PictureChange PipePicture::press(const PictureHit& hit, Qt::KeyboardModifiers)
{
    const PipeHit found = pipeHit(hit);
    current_ = found.edge == none ? found.span : std::int32_t(none);
    return PictureChange::nothing;
}

std::optional<std::vector<BufferId>> PipePicture::areaTo(QPointF from, QPointF to)
{
    const QRectF area = lanesArea();
    if (!area.contains(from)) return std::nullopt;
    const QRectF box = QRectF(from, to).normalized() & area;
    const std::int64_t begin = timeAt(box.left());
    const std::int64_t end = timeAt(box.right()) + 1;
    area_ = QRectF(QPointF(double(begin), box.top()), QPointF(double(end), box.bottom()));
    return std::vector<BufferId>();
}

std::optional<std::vector<BufferId>> PipePicture::areaOfView()
{
    const QRectF lanes = lanesArea();
    return areaTo(lanes.topLeft(), lanes.bottomRight());
}

std::optional<std::vector<BufferId>> PipePicture::endArea()
{
    if (!area_ || !scene_) return std::nullopt;
    const auto begin = std::int64_t(area_->left()), end = std::int64_t(area_->right());
    std::vector<BufferId> inside;
    for (std::size_t i = 0; i < layout_.lanes.size(); ++i) {
        if (layout_.lanes[i].top() >= area_->bottom() || layout_.lanes[i].bottom() <= area_->top()) continue;
        const auto& ops = scene_->pipes->lanes[i].ops;
        for (auto op = std::ranges::upper_bound(ops, begin, {}, &LaneOp::end); op != ops.end() && op->begin < end; ++op) {
            const PipeOp& what = scene_->pipes->opOf(op->span);
            inside.insert(inside.end(), what.writes.begin(), what.writes.end());
            inside.insert(inside.end(), what.reads.begin(), what.reads.end());
        }
    }
    std::ranges::sort(inside);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
    return inside;
}

// --- where to go ---------------------------------------------------------------------------------------------------------

PictureAim PipePicture::aimAt(std::int32_t span) const
{
    PictureAim aim;
    aim.select = bufferOf(span);
    aim.cursor = scene_->pipes->opOf(span).step;
    aim.across = Interval{scene_->pipes->span(span).begin - scene_->pipes->span(span).stall, scene_->pipes->endOf(span)};
    return aim;
}

std::optional<PictureAim> PipePicture::selectionAim() const
{
    PictureAim aim;
    if (current_ != none) {
        aim.across = aimAt(current_).across;
        return aim;
    }
    // The executions of the op at the cursor, else those that touch the selected buffer.
    const PipeScene& pipes = *scene_->pipes;
    for (std::size_t i = 0; i < pipes.report().spans.size(); ++i) {
        const auto span = std::int32_t(i);
        const bool meant = state_.selected != none ? pipes.touches(span, state_.selected)
                                                   : state_.cursor && pipes.opOf(span).step == *state_.cursor;
        if (!meant) continue;
        const Interval own{pipes.span(span).begin, pipes.endOf(span)};
        aim.across = aim.across ? Interval{std::min(aim.across->begin, own.begin), std::max(aim.across->end, own.end)} : own;
    }
    return aim.across ? std::optional(aim) : std::nullopt;
}

std::optional<PictureAim> PipePicture::peakAim() const
{
    const auto& spans = scene_->pipes->report().spans;
    if (spans.empty()) return std::nullopt;
    const auto longest = std::ranges::max_element(spans, {}, &PipeSpan::stall);
    if (longest->stall <= 0) return std::nullopt;
    current_ = std::int32_t(longest - spans.begin());
    PictureAim aim = aimAt(current_);
    aim.fit = true;
    return aim;
}

std::optional<PictureAim> PipePicture::neighbourAim(Direction direction, const BufferTest& selectable) const
{
    const PipeScene& pipes = *scene_->pipes;
    const auto& lanes = pipes.lanes;
    if (lanes.empty()) return std::nullopt;
    const auto passes = [&](std::int32_t span) { return marks_.passes(bufferOf(span)) && selectable(bufferOf(span)); };
    std::int32_t next = none;
    if (current_ == none) {
        // The first one in view.
        const std::int64_t first = state_.axis.unitAt(0);
        for (const PipeLane& lane : lanes) {
            auto at = std::ranges::upper_bound(lane.ops, first, {}, &LaneOp::end);
            while (at != lane.ops.end() && !passes(at->span)) ++at;
            if (at != lane.ops.end() && (next == none || at->begin < pipes.span(next).begin)) next = at->span;
        }
    } else {
        const std::int32_t lane = pipes.laneOf(pipes.opOf(current_).pipes.front());
        const std::int64_t begin = pipes.span(current_).begin;
        if (direction == Direction::left || direction == Direction::right) {
            const auto& ops = lanes[std::size_t(lane)].ops;
            auto at = std::ranges::lower_bound(ops, begin, {}, &LaneOp::begin);
            if (direction == Direction::left) {
                while (at != ops.begin() && next == none)
                    if (passes((--at)->span)) next = at->span;
            } else if (at != ops.end()) {
                while (++at != ops.end() && next == none)
                    if (passes(at->span)) next = at->span;
            }
        } else {
            const std::int32_t way = direction == Direction::up ? -1 : 1;
            for (std::int32_t other = lane + way; other >= 0 && std::size_t(other) < lanes.size() && next == none; other += way) {
                std::int64_t best = 0;
                for (const LaneOp& op : lanes[std::size_t(other)].ops) {
                    const std::int64_t distance = op.begin < begin ? begin - op.begin : op.begin - begin;
                    if (next != none && op.begin > begin && distance >= best) break;
                    if (!passes(op.span) || (next != none && distance >= best)) continue;
                    next = op.span;
                    best = distance;
                }
            }
        }
    }
    if (next == none) return std::nullopt;
    current_ = next;
    PictureAim aim = aimAt(next);
    aim.across->begin = pipes.span(next).begin;
    return aim;
}

QString PipePicture::spoken() const
{
    const PipeReport& report = scene()->report();
    QStringList kinds;
    for (const ReuseKind kind : {ReuseKind::samePipe, ReuseKind::crossPipe, ReuseKind::breaksDoubleBuffer})
        kinds << QStringLiteral("%1 %2").arg(reuseText(kind), countText(report.count(kind)));
    return QStringLiteral("bytes taken over: %1; simulated time %2, stalls %3, in %4")
        .arg(kinds.join(QStringLiteral(", ")), countText(report.time), countText(report.stall()), timeUnit(*scene()));
}

} // namespace stowage

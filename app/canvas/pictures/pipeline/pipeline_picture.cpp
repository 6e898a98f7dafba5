#include "app/canvas/pictures/pipeline/pipeline_picture.h"

#include "app/canvas/axis/ticks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double summaryHeight = 30;
constexpr double partHead = 26;
constexpr double minStrip = 104;
constexpr double usualStrip = 150;
constexpr double usualLane = 64;
constexpr double highestLane = 120;
constexpr double lanesFrame = 48; ///< head and ruler of the stages over time

const QStringList& offAndOn()
{
    static const QStringList names{QStringLiteral("off"), QStringLiteral("on")};
    return names;
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
    const bool strip = anyOps && rest >= partHead + minStrip;
    if (strip) rest -= partHead + minStrip;
    const bool graph = rest >= stageGraphHeight;
    if (graph) rest -= stageGraphHeight;
    const auto lanesUpTo = [&](double lane) {
        const double wanted = lanesFrame + stowage::layOut(gantt_, {0, 0, width, 1e6}, lane).content - least;
        return std::clamp(wanted, 0.0, std::max(0.0, rest));
    };
    double more = lanesUpTo(usualLane);
    const double stripMore = strip ? std::clamp(rest - more, 0.0, usualStrip - minStrip) : 0.0;
    rest -= stripMore;
    more = lanesUpTo(highestLane);

    summary_ = {0, 0, width, summaryHeight};
    double y = summaryHeight;
    graph_ = {};
    if (graph) {
        graph_ = layOutStages(data(), {0, y, width, stageGraphHeight});
        y += stageGraphHeight;
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
        ops_ = layOutOps(data(), {0, y, width, std::min(minStrip + stripMore, size.height() - y)});
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

std::vector<PipelinePicture::Word> PipelinePicture::summaryWords() const
{
    const PipelineSubject& subject = *scene_->subject;
    const PipelineData& shown = data();
    Bytes memory = 0;
    bool planned = true;
    for (const StageFigures& stage : shown.stages) {
        memory += stage.memory.total();
        planned = planned && stage.planned;
    }
    std::vector<Word> words{
        {QStringLiteral("period"), microText(shown.predicted.period), QStringLiteral("µs")},
        {QStringLiteral("latency"), microText(subject.latency > 0 ? subject.latency : shown.predicted.firstLatency),
         QStringLiteral("µs")},
        {QStringLiteral("throughput"),
         shown.predicted.period > 0 ? countText(std::llround(1e6 / pipeline::toMicroseconds(shown.predicted.period)))
                                    : QStringLiteral("any"),
         QStringLiteral("frames/s")}};
    if (shown.measured && shown.measured->period > 0 && shown.predicted.period > 0)
        words.push_back(
            {QStringLiteral("measured"), microText(shown.measured->period),
             QStringLiteral("µs, %1").arg(percentText(double(shown.measured->period) / double(shown.predicted.period) - 1))});
    if (planned) words.push_back({QStringLiteral("memory"), bytesNumber(memory, numbers()), unitText(numbers())});
    words.push_back({countedText(std::int64_t(shown.stages.size()), QStringLiteral("stage")), {}, {}});
    return words;
}

QString PipelinePicture::proofText() const
{
    const PipelineSubject& subject = *scene_->subject;
    if (subject.proved)
        return QStringLiteral("proved: no split has a smaller %1")
            .arg(subject.byLatency ? QStringLiteral("latency") : QStringLiteral("period"));
    if (!subject.bound || *subject.bound <= 0) return {};
    const pipeline::Ticks value = subject.byLatency ? subject.latency : data().predicted.period;
    return QStringLiteral("bound %1 µs, gap %2")
        .arg(microText(*subject.bound), percentText(double(value) / double(*subject.bound) - 1));
}

QString PipelinePicture::spoken() const
{
    QStringList texts;
    for (const Word& word : summaryWords())
        texts << (word.value.isEmpty() ? word.name : QStringLiteral("%1 %2 %3").arg(word.name, word.value, word.unit));
    if (const QString proof = proofText(); !proof.isEmpty()) texts << proof;
    return texts.join(QStringLiteral("; "));
}

void PipelinePicture::paintSummary(DrawList& list) const
{
    const double y = summary_.center().y();
    list.fill(summary_, theme().base);
    list.horizontal(summary_.left(), summary_.right(), summary_.bottom() - 1, theme().line);
    double right = summary_.right() - 10;
    if (const QString proof = proofText(); !proof.isEmpty()) {
        const bool proved = scene_->subject->proved;
        right = list.chip(right, y - DrawList::chipHeight / 2, proof, proved ? theme().ok : theme().warn,
                          proved ? theme().okSoft : theme().warnSoft)
                    .left() -
                12;
    }
    double x = summary_.left() + 10;
    for (const Word& word : summaryWords()) {
        const double width = list.width(Face::label, word.name) + 6 + list.width(Face::bodyNumber, word.value) + 4 +
                             list.width(Face::label, word.unit);
        if (x + width > right) break;
        list.text(Face::label, x, y, word.name, theme().text2);
        x += list.width(Face::label, word.name) + 6;
        list.text(Face::bodyNumber, x, y, word.value, theme().text);
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
    const QString title = QStringLiteral("Stages over time");
    const QString frames = countedText(data().predicted.frames, QStringLiteral("frame"));
    const double wide = lanesHead_.width() - 40 - 12 - list.width(Face::bodyStrong, title) - waitsWidth(list, gantt_);
    QString note = QStringLiteral("%1, %2 µs predicted").arg(frames, microText(data().predicted.total));
    if (list.width(Face::label, note) > wide) note = list.width(Face::label, frames) <= wide ? frames : QString();
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

} // namespace stowage

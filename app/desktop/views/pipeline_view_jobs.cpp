// What the view of a pipeline has done in the background: the split, a border's memories, the trade-off, a configuration's
// stages.
#include "app/desktop/panels/pipeline_pane.h"
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/workspace.h"
#include "app/session/split_words.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTimer>

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

constexpr std::size_t curvePoints = 60;
constexpr int curveEveryMs = 200;

/// Buffers that each operator of the program's entry writes in a run; empty when the run is of something else.
std::vector<std::vector<BufferId>> buffersByOp(const Run* run, const Program& program, const pipeline::CutMap& map)
{
    std::vector<std::vector<BufferId>> buffers;
    if (!run || !run->lowering || run->program.get() != &program || run->lowering->instances.empty() ||
        run->lowering->instances.front().function != program.entry)
        return buffers;
    const auto& bindings = run->lowering->instances.front().bindings;
    for (const OpId op : map.ops()) {
        auto& own = buffers.emplace_back();
        for (const TensorId tensor : map.function().ops[std::size_t(op)].outputs)
            if (std::size_t(tensor) < bindings.size() && bindings[std::size_t(tensor)].buffer != none)
                own.push_back(bindings[std::size_t(tensor)].buffer);
        std::ranges::sort(own);
        own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    return buffers;
}

} // namespace

void PipelineView::readConfigured(const QString& path)
{
    configuredJob_.start([path](const std::stop_token&) { return configuredStages(path); },
                         [this, model = model_](const Expected<ConfiguredStages>& stages) {
                             if (!stages) {
                                 if (model == model_) failure_ = stages.error().message;
                             } else if (!setups_.contains(model)) {
                                 setups_[model] = {stages->devices, pipeline::Objective::period, stages->placement};
                                 if (model == model_) ask();
                             }
                             refresh();
                         });
}

void PipelineView::ask()
{
    const Setup& wanted = setup();
    if (!program_ || wanted.devices.devices.empty()) {
        stop_.request_stop();
        splitJob_.drop();
        slow_->stop();
        cancel_->hide();
        answer_.reset();
        study_.reset();
        canvas()->setSource({});
        return;
    }
    const bool same = study_ && studied_ == program_ && studiedSetup_.devices == wanted.devices &&
                      studiedSetup_.objective == wanted.objective && !stop_.stop_requested();
    if (!same) {
        stop_.request_stop(); // what is under way is of no use any more
        stop_ = std::stop_source();
        study_.reset();
    }
    StudyRequest request;
    request.program = program_;
    request.name = workspace().model() ? workspace().model()->name.toStdString() : std::string();
    request.devices = wanted.devices;
    request.objective = wanted.objective;
    request.cancel = stop_.get_token();
    if (!same) planned_ = std::make_shared<std::atomic<std::size_t>>(0);
    request.progress = [planned = planned_](std::size_t plannings) { planned->store(plannings); };
    studied_ = program_;
    studiedSetup_ = wanted;
    slow_->start();
    say({});
    splitJob_.start(
        [request = std::move(request), study = study_, placement = wanted.placement, frames = frames_,
         queue = queue_](const std::stop_token&) {
            Outcome outcome;
            outcome.placement = placement;
            outcome.study = study ? study : std::make_shared<PipelineStudy>(request);
            outcome.answer = placement ? outcome.study->placed(*placement, frames, queue) : outcome.study->best(frames, queue);
            return outcome;
        },
        [this](const Outcome& outcome) {
            take(outcome);
            refresh();
        });
}

void PipelineView::cancelSplit()
{
    stop_.request_stop();
    splitJob_.drop();
    slow_->stop();
    cancel_->hide();
    say(tr("cancelled"));
    refresh();
}

void PipelineView::take(const Outcome& outcome)
{
    if (!splitting()) {
        slow_->stop();
        cancel_->hide();
    }
    if (!outcome.answer) return;
    say({});
    const Expected<StudyAnswer>& answer = *outcome.answer;
    failure_.clear();
    if (!answer) {
        answer_.reset();
        failure_ = answer.error().message;
        canvas()->setSource({});
        Q_EMIT answered();
        return;
    }
    const bool other = study_ != outcome.study;
    study_ = outcome.study;
    if (!answer->data) {
        const std::string why = misfitText(answer->split);
        if (outcome.placement && answer_ && answer_->data) {
            // A border that does not fit goes back: the stages stay as they are shown.
            if (!takeBack()) {
                Setup before = setup();
                before.placement = placementOf(answer_->split.stages);
                setups_[model_] = before;
            }
            say(QString::fromStdString(why), true);
            Q_EMIT answered();
            return;
        }
        answer_ = *answer;
        failure_ = why;
        canvas()->setSource({});
        Q_EMIT answered();
        return;
    }
    answer_ = *answer;
    showAnswer();
    if (other) askCurve();
    Q_EMIT answered();
}

std::string PipelineView::misfitText(const pipeline::Split& split) const
{
    const auto size = [this](Bytes bytes) { return bytesText(bytes, numbers_).toStdString(); };
    const auto lines = misfitLines(split, study_->map(), setup().devices, size);
    if (lines.empty()) return splitVerdict(split);
    return fmt::format("{}: {}.", verdictWord(VerdictKind::doesNotFit), lines.front());
}

void PipelineView::showAnswer()
{
    if (!answer_ || !answer_->data || !study_) return;
    auto subject = std::make_shared<PipelineSubject>();
    subject->data = answer_->data;
    if (const auto run = measured_.find(model_);
        run != measured_.end() && run->second->stages.size() == answer_->data->stages.size()) {
        auto both = std::make_shared<PipelineData>(*answer_->data);
        both->measured = *run->second;
        subject->data = std::move(both);
    }
    subject->cuts = placementOf(answer_->split.stages).cuts;
    subject->latency = answer_->split.latency;
    subject->bound = answer_->split.bound;
    subject->proved = answer_->split.status == pipeline::PartitionStatus::optimal;
    subject->byLatency = setup().objective == pipeline::Objective::latency;
    subject->buffers = buffersByOp(shownRun_.get(), *program_, study_->map());
    subject->effect = [this](std::size_t border, std::size_t cut) { return effectOf(border, cut); };
    PictureSource source;
    source.run = shownRun_;
    source.program = program_;
    source.subject = std::move(subject);
    source.scenes = workspace().scenes();
    const auto shown = std::static_pointer_cast<const PipelineSubject>(source.subject)->data;
    canvas()->setSource(std::move(source));
    shown_ = shown;
    pane_->showSplit(setup().devices, shown, placementOf(answer_->split.stages), answer_->split.latency, true);
    tellFocus();
    pipelinePicture().selectStage(workspace().pipeline().selected().stage, workspace().pipeline().selected().frame);
}

void PipelineView::askCurve()
{
    curveJob_.drop();
    if (!pane_->showsTradeOff() || !study_ || pane_->isHidden()) return;
    pane_->setTradeOff(std::nullopt, tr("Finding the splits that no other beats in both; another chart ends the search."));
    const bool byBytes = pane_->chart() == PipelinePane::MemoryCurve;
    // Points show as they come, the latest ones a few times a second at most.
    using Points = std::vector<pipeline::TradeOffPoint>;
    curveJob_.start(
        [request = study_->request(), byBytes, view = QPointer<PipelineView>(this)](const std::stop_token& token) mutable {
            request.cancel = token; // a study of its own: borders are planned meanwhile
            QElapsedTimer last;
            return PipelineStudy(request)
                .tradeOff(byBytes, curvePoints,
                          [&](const Points& points) {
                              if (last.isValid() && last.elapsed() < curveEveryMs) return;
                              last.start();
                              QMetaObject::invokeMethod(
                                  qApp,
                                  [view, token, points] {
                                      if (view && !token.stop_requested() && view->curveJob_.running())
                                          view->pane_->setTradeOff(points, {});
                                  },
                                  Qt::QueuedConnection);
                          })
                .points;
        },
        [this](const Points& points) { pane_->setTradeOff(points, {}); });
}

// --- borders -------------------------------------------------------------------------------------------------------------

std::optional<BorderEffect> PipelineView::effectOf(std::size_t border, std::size_t cut) const
{
    if (!study_ || !answer_ || !study_->map().allowed(cut)) return std::nullopt;
    StagePlacement placement = placementOf(answer_->split.stages);
    if (border >= placement.cuts.size()) return std::nullopt;
    placement.cuts[border] = cut;
    const pipeline::Split moved = study_->timesOf(placement);
    BorderEffect effect{moved.period, moved.latency, {}};
    for (const pipeline::SplitStage& stage : moved.stages) effect.costs.push_back(stage.cost);
    return effect;
}

void PipelineView::planBorder(std::size_t border, std::size_t cut)
{
    if (memoriesJob_.running()) { // the latest wins
        plansNext_ = std::pair(border, cut);
        return;
    }
    StagePlacement placement = placementOf(answer_->split.stages);
    placement.cuts[border] = cut;
    memoriesJob_.start([study = study_, placement](const std::stop_token&) { return study->memoriesOf(placement); },
                       [this, border, cut](const std::vector<pipeline::StageMemory>& memories) {
                           if (pipelinePicture().setMemories(border, cut, memories)) canvas()->update();
                           const auto next = std::exchange(plansNext_, std::nullopt);
                           if (next && pipelinePicture().drag() && pipelinePicture().drag()->sameAs(next->first, next->second))
                               planBorder(next->first, next->second);
                       });
}

void PipelineView::borderDropped()
{
    const auto& drop = pipelinePicture().dropped();
    if (!drop || !answer_) return;
    Setup next = setup();
    next.placement = placementOf(answer_->split.stages);
    next.placement->cuts[drop->border] = drop->cut;
    change(next, tr("Move a border"));
}

} // namespace stowage

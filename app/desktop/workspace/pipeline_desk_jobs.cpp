// What is done in the background for a pipeline: the split, a border's memories, the trade-off, a configuration's stages.
#include "app/desktop/workspace.h"
#include "app/desktop/workspace/pipeline_desk.h"
#include "app/session/split_words.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

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

/// Whether the stages are stages of the program on the devices. Those of a session, or of a file that was read again, may be of
/// another program. `fileCuts`: cuts of the model's file, which are allowed in any case.
bool canBePlaced(const StagePlacement& placement, const PipelineStudy& study, const std::vector<std::size_t>& fileCuts)
{
    const pipeline::CutMap& map = study.map();
    const auto isCut = [&](std::size_t cut) {
        return cut <= map.size() && (map.allowed(cut) || std::ranges::find(fileCuts, cut) != fileCuts.end());
    };
    const auto isDevice = [count = std::int64_t(study.devices().devices.size())](std::int32_t device) {
        return device >= 0 && device < count;
    };
    return placement.devices.size() == placement.cuts.size() + 1 && std::ranges::is_sorted(placement.cuts) &&
           std::ranges::all_of(placement.cuts, isCut) && std::ranges::all_of(placement.devices, isDevice);
}

} // namespace

// --- the split -----------------------------------------------------------------------------------------------------------

void PipelineDesk::readConfigured(const QString& path)
{
    configuredJob_.start(
        [path](const std::stop_token&) { return configuredStages(path); },
        [this, model = model_](const Expected<ConfiguredStages>& stages) {
            ModelEdits& edits = workspace_.edits();
            if (stages && workspace_.session().model(model))
                edits.putPipelineOfFile(model, {stages->devices, pipeline::Objective::period, stages->placement});
            if (stages || edits.pipelineOf(model))
                ask();
            else
                failure_ = stages.error().message;
            Q_EMIT changed();
        });
}

void PipelineDesk::ask()
{
    if (configuredJob_.running()) return; // asked again with the stages of the file
    const Setup& wanted = setup();
    if (!program_ || wanted.devices.devices.empty()) {
        stop_.request_stop();
        splitJob_.drop();
        endWaiting();
        answer_.reset();
        study_.reset();
        renewShown();
        return;
    }
    const bool same = studiesSetup();
    if (!same) {
        stop_.request_stop(); // what is under way is of no use any more
        stop_ = std::stop_source();
    }
    StudyRequest request;
    request.program = program_;
    request.name = workspace_.model() ? workspace_.model()->name.toStdString() : std::string();
    request.devices = wanted.devices;
    request.objective = wanted.objective;
    request.cancel = stop_.get_token();
    if (!same) planned_ = std::make_shared<std::atomic<std::size_t>>(0);
    request.progress = [planned = planned_](std::size_t plannings) { planned->store(plannings); };
    const PipelineSetup* ofFile = workspace_.edits().pipelineOfFile(model_);
    splitJob_.start(
        [request = std::move(request), study = same ? study_ : nullptr, placement = wanted.placement, frames = frames_,
         queue = queue_,
         fileCuts = ofFile && ofFile->placement ? ofFile->placement->cuts : std::vector<std::size_t>()](const std::stop_token&) {
            Outcome outcome;
            outcome.study = study ? study : std::make_shared<PipelineStudy>(request);
            if (placement && canBePlaced(*placement, *outcome.study, fileCuts)) outcome.placement = placement;
            outcome.placementLeft = placement && !outcome.placement;
            outcome.answer =
                outcome.placement ? outcome.study->placed(*outcome.placement, frames, queue) : outcome.study->best(frames, queue);
            return outcome;
        },
        [this](const Outcome& outcome) {
            take(outcome);
            Q_EMIT changed();
        });
    slowTimer_->start();
    say({});
}

void PipelineDesk::cancelSplit()
{
    stop_.request_stop();
    splitJob_.drop();
    endWaiting();
    say(tr("cancelled"));
}

void PipelineDesk::take(const Outcome& outcome)
{
    if (!splitting()) endWaiting();
    if (!outcome.answer) return;
    say({});
    if (outcome.placementLeft) {
        Setup best = setup();
        best.placement.reset();
        workspace_.edits().putPipeline(model_, std::move(best));
        say(tr("The chosen stages do not fit this model, so the best ones are shown."));
    }
    const Expected<StudyAnswer>& answer = *outcome.answer;
    failure_.clear();
    if (!answer) {
        answer_.reset();
        failure_ = answer.error().message;
        renewShown();
        Q_EMIT answered();
        return;
    }
    if (!answer->data) {
        const std::string why = misfitText(answer->split, outcome.study->map());
        if (outcome.placement && shown_) {
            // A border that does not fit goes back: the stages stay as they are shown.
            if (!takeBack()) {
                Setup before = setup();
                before.placement = placement();
                workspace_.edits().putPipeline(model_, std::move(before));
            }
            say(QString::fromStdString(why), true);
            Q_EMIT answered();
            return;
        }
        study_ = outcome.study;
        answer_ = *answer;
        failure_ = why;
        renewShown();
        Q_EMIT answered();
        return;
    }
    const bool other = study_ != outcome.study;
    study_ = outcome.study;
    answer_ = *answer;
    renewShown();
    if (other) Q_EMIT studied();
    Q_EMIT answered();
}

bool PipelineDesk::studiesSetup() const
{
    if (!study_) return false;
    const StudyRequest& studied = study_->request();
    const Setup& wanted = setup();
    return studied.program == program_ && studied.devices == wanted.devices && studied.objective == wanted.objective &&
           !studied.cancel.stop_requested();
}

std::string PipelineDesk::misfitText(const pipeline::Split& split, const pipeline::CutMap& map) const
{
    const auto size = [this](Bytes bytes) { return bytesText(bytes, numbers_).toStdString(); };
    const auto lines = misfitLines(split, map, setup().devices, size);
    if (lines.empty()) return splitVerdict(split);
    return fmt::format("{}: {}.", verdictWord(VerdictKind::doesNotFit), lines.front());
}

void PipelineDesk::renewShown()
{
    shown_ = answer_ && study_ ? answer_->data : nullptr;
    if (const auto run = measured_.find(model_);
        shown_ && run != measured_.end() && run->second.run->stages.size() == shown_->stages.size()) {
        auto both = std::make_shared<PipelineData>(*shown_);
        both->measured = *run->second.run;
        shown_ = std::move(both);
    }
    Q_EMIT shownChanged();
}

StagePlacement PipelineDesk::placement() const
{
    return answer_ ? placementOf(answer_->split.stages) : StagePlacement{};
}

bool PipelineDesk::byLatency() const
{
    return study_ && study_->request().objective == pipeline::Objective::latency;
}

std::shared_ptr<const PipelineSubject> PipelineDesk::subject(const Run* run) const
{
    if (!shown_) return nullptr;
    auto subject = std::make_shared<PipelineSubject>();
    subject->data = shown_;
    subject->cuts = placement().cuts;
    subject->latency = answer_->split.latency;
    subject->bound = answer_->split.bound;
    subject->proved = answer_->split.status == pipeline::PartitionStatus::optimal;
    subject->byLatency = byLatency();
    subject->buffers = buffersByOp(run, *program_, study_->map());
    subject->effect = [this](std::size_t border, std::size_t cut) { return effectOf(border, cut); };
    return subject;
}

// --- what is asked beside it ---------------------------------------------------------------------------------------------

bool PipelineDesk::findCurve(bool byBytes)
{
    curveJob_.drop();
    if (!studiesSetup()) return false;
    // Points are told as they come, the latest ones a few times a second at most.
    using Points = std::vector<pipeline::TradeOffPoint>;
    curveJob_.start(
        [request = study_->request(), byBytes, desk = QPointer<PipelineDesk>(this)](const std::stop_token& token) mutable {
            request.cancel = token; // a study of its own: borders are planned meanwhile
            QElapsedTimer last;
            return PipelineStudy(request)
                .tradeOff(byBytes, curvePoints,
                          [&](const Points& points) {
                              if (last.isValid() && last.elapsed() < curveEveryMs) return;
                              last.start();
                              QMetaObject::invokeMethod(
                                  qApp,
                                  [desk, token, points] {
                                      if (desk && !token.stop_requested() && desk->curveJob_.running())
                                          Q_EMIT desk->curveFound(points);
                                  },
                                  Qt::QueuedConnection);
                          })
                .points;
        },
        [this](const Points& points) { Q_EMIT curveFound(points); });
    return true;
}

std::optional<BorderEffect> PipelineDesk::effectOf(std::size_t border, std::size_t cut) const
{
    if (!study_ || !answer_ || !study_->map().allowed(cut)) return std::nullopt;
    StagePlacement moved = placement();
    if (border >= moved.cuts.size()) return std::nullopt;
    moved.cuts[border] = cut;
    const pipeline::Split split = study_->timesOf(moved);
    BorderEffect effect{split.period, split.latency, {}};
    for (const pipeline::SplitStage& stage : split.stages) effect.costs.push_back(stage.cost);
    return effect;
}

void PipelineDesk::planBorder(std::size_t border, std::size_t cut, const std::function<bool(std::size_t, std::size_t)>& wanted)
{
    if (memoriesJob_.running()) { // the latest wins
        plansNext_ = std::pair(border, cut);
        return;
    }
    StagePlacement moved = placement();
    if (!studiesSetup() || border >= moved.cuts.size()) return;
    moved.cuts[border] = cut;
    memoriesJob_.start([study = study_, moved](const std::stop_token&) { return study->memoriesOf(moved); },
                       [this, border, cut, wanted](const std::vector<pipeline::StageMemory>& memories) {
                           Q_EMIT memoriesFound(border, cut, memories);
                           const auto next = std::exchange(plansNext_, std::nullopt);
                           if (next && wanted(next->first, next->second)) planBorder(next->first, next->second, wanted);
                       });
}

} // namespace stowage

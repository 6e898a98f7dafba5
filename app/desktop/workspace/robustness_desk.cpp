#include "app/desktop/workspace/robustness_desk.h"

#include "app/canvas/kit/number_text.h"
#include "app/desktop/workspace.h"

#include <utility>

namespace stowage {

namespace {

/// Whether they are the same, also when one was read again.
bool samePrograms(const std::shared_ptr<const Program>& a, const std::shared_ptr<const Program>& b)
{
    return a == b || (a && b && *a == *b);
}

bool sameProblems(const Run& a, const Run& b)
{
    if (!samePrograms(a.program, b.program)) return false;
    return a.lowering == b.lowering || (a.lowering->fingerprint == b.lowering->fingerprint && a.problem() == b.problem());
}

} // namespace

RobustnessDesk::RobustnessDesk(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {}

void RobustnessDesk::setRun(const std::shared_ptr<const Run>& run)
{
    const int model = workspace_.modelId();
    const bool other = workspace_.models().successor(model_) != model || (run && (!last_ || !sameProblems(*run, *last_)));
    run_ = run;
    if (run || other) last_ = run;
    model_ = model;
    if (other) {
        job_.drop();
        told_.clear();
        failed_ = false;
        setRows({});
    }
    Q_EMIT changed();
}

std::string RobustnessDesk::planner() const
{
    if (!chosen_.empty()) return chosen_;
    if (run_ && workspace_.session().planners().find(run_->plan.planner)) return run_->plan.planner;
    return workspace_.planners().focus();
}

void RobustnessDesk::choosePlanner(const std::string& name)
{
    chosen_ = name;
    Q_EMIT changed();
}

void RobustnessDesk::refuse(const QString& why)
{
    told_ = why;
    failed_ = true;
    Q_EMIT changed();
}

PlanRequest RobustnessDesk::request(std::uint64_t seed) const
{
    PlanRequest request = studied_;
    request.model = workspace_.models().successor(studied_.model);
    request.seed = seed;
    return request;
}

bool RobustnessDesk::plansWhatWasStudied() const
{
    const Model* model = workspace_.session().model(workspace_.models().successor(studied_.model));
    return model && run_ && samePrograms(model->program, run_->program);
}

PlanRequest RobustnessDesk::chosenRequest() const
{
    // The setup of the shown run, which may have been edited since.
    const RunEntry* shown = workspace_.session().run(workspace_.shownRun());
    PlanRequest request = shown && shown->run == run_ ? shown->request : workspace_.plannings().request(planner());
    request.planner = planner();
    request.options = workspace_.planners().options(request.planner);
    request.timeLimitSeconds = 0; // how far a planner gets in a time is not the same again
    request.record = false;
    return request;
}

void RobustnessDesk::start(int seeds, int otherSizes, double percent, std::uint64_t workLimit)
{
    if (running() || !run_) return;
    if (!workspace_.session().planners().find(planner()) || seeds + otherSizes < 1)
        return refuse(tr("Nothing to plan: choose at least one seed or one other set of sizes."));
    done_ = std::make_shared<std::atomic<int>>(0);
    wanted_ = seeds + otherSizes;
    failed_ = false;
    told_.clear();
    PlanRequest planning = chosenRequest();
    planning.workLimit = workLimit;
    RobustnessRequest study{planning.planner, planning.options, {seeds, otherSizes, percent}, workLimit, done_};
    job_.start(
        [run = run_, &planners = workspace_.session().planners(), study = std::move(study),
         planning = std::move(planning)](const std::stop_token& token) {
            auto samples = studyRobustness(planners, *run, study, token);
            return Outcome{std::move(samples), run, planning, study.which.percent, token.stop_requested()};
        },
        [this](const Outcome& outcome) { take(outcome); });
    Q_EMIT changed();
}

void RobustnessDesk::take(const Outcome& outcome)
{
    if (last_ && outcome.of->lowering->fingerprint == last_->lowering->fingerprint) {
        if (!outcome.samples) return refuse(QString::fromStdString(outcome.samples.error().message));
        SpreadRow seeds{tr("Seeds"), tr("the problem itself"), {}};
        SpreadRow sizes{tr("Other sizes"), tr("each ± %1 % at most").arg(outcome.percent), {}};
        for (const RobustnessSample& sample : *outcome.samples) (sample.perturbed ? sizes : seeds).samples.push_back(sample);
        std::vector<SpreadRow> rows;
        if (!seeds.samples.empty()) rows.push_back(std::move(seeds));
        if (!sizes.samples.empty()) rows.push_back(std::move(sizes));
        const QString planner = QString::fromStdString(outcome.request.planner);
        told_ = outcome.stopped
                    ? tr("%1, stopped after %2 of %3 plannings").arg(planner).arg(outcome.samples->size()).arg(wanted_)
                    : tr("%1, %2").arg(planner, countedText(std::int64_t(outcome.samples->size()), tr("planning")));
        if (!rows.empty()) told_ += tr(". Click a seed to plan with it.");
        studied_ = outcome.request;
        setRows(std::move(rows));
    }
    Q_EMIT changed();
}

void RobustnessDesk::setRows(std::vector<SpreadRow> rows)
{
    rows_ = std::move(rows);
    Q_EMIT rowsChanged();
}

} // namespace stowage

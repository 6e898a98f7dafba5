#include "app/desktop/workspace.h"

#include "app/canvas/axis/move_check.h"
#include "app/desktop/kept_notes.h"

#include <algorithm>
#include <utility>

namespace stowage {

Workspace::Workspace(Session& session, QObject* parent)
    : QObject(parent),
      session_(session),
      models_(session, this),
      planners_(session, this),
      edits_(session, models_, planners_, this),
      plannings_(session, models_, edits_, planners_, this),
      shown_(session, selection_, models_, plannings_, this),
      sessions_(*this),
      beside_(*this, this)
{
    listenToSession();
    listenToParts();
}

void Workspace::listenToSession()
{
    connect(&session_, &Session::modelOpened, this, &Workspace::onOpened);
    connect(&session_, &Session::openFailed, this, [this](int id, const QString& path, const Error& error) {
        const auto again = models_.again(id);
        if (error.code == Code::planAlone && !path.isEmpty()) {
            models_.leftOut(id);
            beside_.takePlan(id, path, error);
        } else {
            models_.failed(id, path, error);
        }
        if (again) edits_.readingFailed(again->model, again->edit);
        beside_.judgeTaken();
        placeWaiting();
    });
    connect(&session_, &Session::modelClosed, this, &Workspace::onClosed);
    connect(&session_, &Session::jobChanged, this, &Workspace::onJob);
    connect(&session_, &Session::incumbent, &shown_, &ShownRun::onIncumbent);
    connect(&session_, &Session::runAdded, this, &Workspace::onRunAdded);
    connect(&session_, &Session::runRemoved, this, [this](int id) {
        plannings_.forgetRun(id);
        shown_.onRemoved(id);
    });
}

void Workspace::listenToParts()
{
    connect(&models_, &OpenModels::changed, this, &Workspace::modelsChanged);
    connect(&models_, &OpenModels::noticed, this, &Workspace::noticed);
    connect(&planners_, &PlannerChoice::changed, this, &Workspace::planningChanged);
    connect(&edits_, &ModelEdits::setupChanged, this, [this] {
        plannings_.leaveOldSetups(modelId());
        Q_EMIT targetChanged();
        plan();
    });
    connect(&edits_, &ModelEdits::notesChanged, this, &Workspace::notesChanged);
    connect(&edits_, &ModelEdits::programGiven, &plannings_, &Plannings::drop);
    connect(&edits_, &ModelEdits::programChanged, this, [this](int id) {
        Q_EMIT questionsChanged();
        if (id != modelId()) return;
        selection_.clear(); // buffers may be numbered otherwise
        plan();
    });
    connect(&plannings_, &Plannings::changed, this, &Workspace::jobsChanged);
    connect(&plannings_, &Plannings::askedAlone, &shown_, &ShownRun::follow);
    connect(&plannings_, &Plannings::ended, &shown_, &ShownRun::onEnded);
    connect(&plannings_, &Plannings::noticed, this, &Workspace::noticed);
    connect(&shown_, &ShownRun::changed, this, &Workspace::contextChanged);
    connect(&shown_, &ShownRun::listChanged, this, &Workspace::runsChanged);
    connect(&beside_, &PlansBeside::runtimeLogChanged, this, &Workspace::runtimeLogChanged);
    for (const auto about : {&Workspace::modelsChanged, &Workspace::modelChanged, &Workspace::targetChanged,
                             &Workspace::planningChanged, &Workspace::contextChanged, &Workspace::runtimeLogChanged})
        connect(this, about, this, &Workspace::questionsChanged);
}

// --- models ------------------------------------------------------------------------------------------------------------

void Workspace::open(const QString& path, const OpenIntent& intent, const OpenOptions& options)
{
    // The runs of a saved model join those of an open one, whose edits stay; where they fit none, it is a model of its own.
    const std::vector<int> known = models_.openOf(path, intent, options);
    const auto taker =
        std::ranges::find_if(known, [&](int id) { return !intent.session || sessions_.addRuns(id, *intent.session); });
    if (taker == known.end())
        models_.open(path, intent, options);
    else if (intent.front)
        setModel(*taker);
}

void Workspace::openSuite(const QString& path)
{
    if (path != suite_) {
        setRegression(nullptr);
        suiteIsRead_ = false;
    }
    suite_ = path;
    suiteAsked_ = true;
    Q_EMIT suiteChanged();
    Q_EMIT viewWanted(QStringLiteral("regression"));
}

void Workspace::restoreSuite(const QString& path)
{
    if (path == suite_) return;
    setRegression(nullptr);
    suite_ = path;
    suiteAsked_ = suiteIsRead_ = false;
    Q_EMIT suiteChanged();
}

void Workspace::suiteIsBeingRead()
{
    suiteIsRead_ = true;
    Q_EMIT suiteReading();
}

void Workspace::setRegression(std::shared_ptr<const Regression> regression)
{
    if (regression == regression_) return;
    regression_ = std::move(regression);
    Q_EMIT regressionChanged();
}

void Workspace::reload(int id)
{
    models_.read(id, models_.optionsAsked(id));
}

void Workspace::closeModel(int id)
{
    plannings_.cancelOf(id);
    session_.close(id);
}

void Workspace::setModel(int id)
{
    if (id == modelId() || models_.opening().contains(id)) return;
    shown_.leave(modelId());
    models_.setCurrent(id);
    (void)undoStack(); // undo is about this model from here on
    planners_.tickFor(id, model());
    const RunEntry* entry = shown_.enter(id);
    if (entry) planners_.adoptFocus(entry->request.planner); // its options, not those of the other model's planner
    Q_EMIT modelChanged();
    Q_EMIT targetChanged();
    Q_EMIT runsChanged();
    Q_EMIT planningChanged();
    shown_.show(entry);
    shown_.selectAsBefore(id);
    if (toPlan_.erase(id) > 0) plan();
}

void Workspace::setTarget(int id, const Target& target)
{
    edits_.giveTarget(id, target);
    if (id == modelId()) return;
    plannings_.leaveOldSetups(id);
    toPlan_.insert(id);
    Q_EMIT targetChanged();
}

void Workspace::onOpened(int id)
{
    const auto kept = models_.savedOf(id);
    if (const Model* opened = session_.model(id); opened && !kept && !models_.again(id) && beside_.mayBeBeside(*opened)) {
        waiting_.push_back(id);
        return placeWaiting();
    }
    if (!kept || !sessions_.hasToCheck(id, *kept)) return place(id);
    sessions_.check(id, kept, [this, id] { place(id); });
    Q_EMIT modelsChanged(); // its file is watched from here on
}

void Workspace::place(int id)
{
    const int front = modelId();
    const OpenModels::Arrival arrival = models_.arrived(id);
    std::shared_ptr<const SessionModel> kept; // of a saved session
    bool toFront = true;
    if (const int before = arrival.before) {
        tellDropped(id, edits_.hand(before, id));
        beside_.hand(before, id);
        planners_.hand(before, id);
        zooms_.hand(before, id);
        toFront = front == before || front == 0;
        if (toFront)
            setModel(id);
        else
            toPlan_.insert(id);
        closeModel(before);
    } else if (const Model* opened = session_.model(id)) {
        edits_.putNotes(id, KeptNotes::of(opened->path));
    }
    if (arrival.intent) {
        if (!arrival.intent->target.isEmpty()) {
            if (auto target = session_.target(arrival.intent->target)) {
                ModelSetup setup = edits_.setupOf(id);
                setup.target = *target;
                setup.origin = TargetOrigin::chosen;
                edits_.putSetup(id, std::move(setup));
            } else {
                report({tr("The target %1 was not found").arg(arrival.intent->target), target.error(), {}, {}, {}});
            }
        }
        kept = arrival.intent->session;
        if (kept) {
            toFront = arrival.intent->front || front == 0;
            sessions_.restore(id, *kept);
            if (!kept->runtimeLog.empty()) beside_.restoreRuntimeLog(QString::fromStdString(kept->runtimeLog), id);
        }
        if (!arrival.intent->planners.empty()) planners_.bring(id, arrival.intent->planners);
        Q_EMIT planningChanged();
    }
    if (!kept) edits_.assumeTarget(id);
    const bool asked = !kept && (beside_.askWhatTableIs(id) || beside_.layBesideOthers(id));
    if (toFront && !asked) setModel(id);
    Q_EMIT modelsChanged();
    if (modelId() == id && !kept) plan();
    beside_.judgeTaken();
    placeWaiting();
}

void Workspace::placeWaiting()
{
    for (const auto& [id, path] : models_.opening())
        if (models_.savedOf(id)) return;
    for (const int id : std::exchange(waiting_, {}))
        if (session_.model(id)) place(id); // else it was closed meanwhile
}

void Workspace::tellDropped(int id, DroppedEdits dropped)
{
    if (dropped == DroppedEdits::nothing) return;
    const Model& model = *session_.model(id);
    const bool ofOps = dropped == DroppedEdits::ofOps;
    Notice notice{(ofOps ? tr("%1 is without the edits of its ops") : tr("%1 is without its steps of undo")).arg(model.name),
                  {},
                  {},
                  {},
                  {}};
    notice.what.severity = Severity::warning;
    notice.what.message = ofOps ? "The file now holds another program, so the edits of its ops are gone, and all steps of undo "
                                  "with them."
                                : "The file now holds another program. Steps of undo would bring back the earlier one, so all of "
                                  "them are gone.";
    notice.what.where.file = model.path.toStdString();
    report(notice);
}

void Workspace::onClosed(int id)
{
    const auto again = models_.again(id); // a reading that was cancelled
    models_.closed(id);
    edits_.forget(id);
    toPlan_.erase(id);
    shown_.forget(id);
    beside_.forget(id);
    planners_.forget(id);
    zooms_.forget(id);
    if (id == modelId()) {
        const std::vector<int> left = models_.ids();
        const auto other = std::ranges::find_if(left, [&](int candidate) { return candidate != id; });
        models_.setCurrent(0);
        shown_.forgetId();
        setModel(other == left.end() ? 0 : *other);
        if (!modelId()) {
            selection_.clear();
            shown_.show(nullptr);
            Q_EMIT modelChanged();
            Q_EMIT targetChanged();
            Q_EMIT runsChanged();
        }
    }
    models_.cancelSuccessorsOf(id);
    if (again) edits_.readingFailed(again->model, again->edit);
    Q_EMIT modelsChanged();
    beside_.judgeTaken(); // a reading that was cancelled is closed, too
    placeWaiting();
}

void Workspace::setPin(const PinRequest& pin)
{
    edits_.setPin(pin, tr("Pin %1 at %2").arg(QString::fromStdString(pin.buffer), addressText(pin.offset, numbers_)));
}

void Workspace::refusePin(const Run& run, BufferId buffer)
{
    Notice notice;
    notice.title = tr("Not pinned");
    notice.what.severity = Severity::note;
    notice.what.code = Code::pinLeftOut;
    if (buffer < 0 || std::size_t(buffer) >= std::min(run.problem().buffers.size(), run.plan.placements.size())) {
        notice.what.message = "No buffer is selected.";
        notice.what.remedy = "select a buffer in the map or in a table first";
    } else {
        const auto why = whyFixed(run, buffer, run.plan.placements[std::size_t(buffer)].pool);
        if (!why) return;
        notice.what.message = fixedText(*why, run, buffer);
        notice.what.remedy = *why == Fixed::notPlaced ? "choose a plan that places it" : "select another buffer";
    }
    report(notice);
}

// --- plannings and runs ------------------------------------------------------------------------------------------------

void Workspace::onJob(const JobStatus& status)
{
    if (plannings_.follow(status))
        if (const RunEntry* best = shown_.atEnd()) {
            planners_.adoptFocus(best->request.planner);
            shown_.show(best);
            Q_EMIT planningChanged();
        }
    Q_EMIT jobsChanged();
}

void Workspace::onRunAdded(int id, int job)
{
    const RunEntry* added = session_.run(id);
    if (added && plannings_.take(*added, job)) shown_.onAdded(*added, job);
}

void Workspace::showRun(int id)
{
    const RunEntry* entry = session_.run(id);
    if (!entry || models_.opening().contains(entry->model)) return;
    if (entry->model != modelId()) setModel(entry->model);
    planners_.adoptFocus(entry->request.planner);
    shown_.choose(*entry);
    Q_EMIT planningChanged();
}

void Workspace::showNeighbourRun(int delta)
{
    if (const RunEntry* entry = shown_.neighbour(delta)) showRun(entry->id);
}

void Workspace::setNumbers(const NumberFormat& numbers)
{
    if (numbers == numbers_) return;
    numbers_ = numbers;
    Q_EMIT contextChanged();
}

ViewContext Workspace::context() const
{
    ViewContext context;
    context.run = run();
    for (const RunEntry* entry : runs()) context.runs.push_back(entry->run);
    context.numbers = numbers_;
    return context;
}

} // namespace stowage

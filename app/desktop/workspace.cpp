#include "app/desktop/workspace.h"

#include "app/desktop/kept_notes.h"
#include "app/session/plan_as_input.h"
#include "app/session/targets.h"
#include "core/explain/ranking.h"
#include "core/io/input_file.h"

#include <QFileInfo>
#include <QUndoCommand>

#include <algorithm>
#include <tuple>
#include <utility>

namespace stowage {

// --- construction ------------------------------------------------------------------------------------------------------

Workspace::Workspace(Session& session, QObject* parent) : QObject(parent), session_(session)
{
    // Ticked at first: the default, and quick ones of several systems to compare it with. Their results are there before anyone
    // has chosen.
    for (const std::string& name : {session_.defaultPlanner(), std::string("greedy-by-size"), std::string("greedy-by-breadth"),
                                    std::string("tflm-greedy"), std::string("best-fit-decreasing"), std::string("naive")})
        if (session_.planners().find(name)) ticked_.insert(name);
    if (!session_.planners().all().empty()) focus_ = session_.planners().all().front()->info().name;

    connect(&session_, &Session::openStarted, this, [this](int id, const QString& path) {
        opening_[id] = path;
        Q_EMIT modelsChanged();
    });
    connect(&session_, &Session::modelOpened, this, &Workspace::onOpened);
    connect(&session_, &Session::openFailed, this, &Workspace::onOpenFailed);
    connect(&session_, &Session::modelClosed, this, &Workspace::onClosed);
    connect(&session_, &Session::jobChanged, this, &Workspace::onJob);
    connect(&session_, &Session::incumbent, this, &Workspace::onIncumbent);
    connect(&session_, &Session::runAdded, this, &Workspace::onRunAdded);
    connect(&session_, &Session::runRemoved, this, [this](int id) {
        std::erase_if(searches_, [id](const Search& search) { return search.run == id; });
        if (id == shown_) {
            const RunEntry* best = bestRun();
            chosen_ = false;
            show(best ? best->id : 0, best ? best->run : nullptr);
        }
        Q_EMIT runsChanged();
    });
    connect(&selection_, &SelectionModel::filterChanged, this, &Workspace::renewMask);
}

Workspace::~Workspace()
{
    laying_.request_stop();
}

// --- models ------------------------------------------------------------------------------------------------------------

void Workspace::open(const QString& path, const OpenIntent& intent, const OpenOptions& options)
{
    // A file that is open already is shown, not read twice.
    for (const int id : session_.models()) {
        const Model* open = session_.model(id);
        if (open && !open->path.isEmpty() && QFileInfo(open->path).absoluteFilePath() == QFileInfo(path).absoluteFilePath() &&
            options.importer.isEmpty() && options.bindings.empty() && options.importOptions.empty()) {
            setModel(id);
            return;
        }
    }
    dismissFailure([&] {
        const auto known = std::ranges::find(failures_, path, &OpenFailure::path);
        return known == failures_.end() ? -1 : known->id;
    }());
    const int id = session_.open(path, options);
    if (!intent.target.isEmpty() || !intent.planners.empty() || intent.session) intents_[id] = intent;
}

void Workspace::openSuite(const QString& path)
{
    suite_ = path;
    Q_EMIT suiteChanged();
    Q_EMIT viewWanted(QStringLiteral("regression"));
}

void Workspace::openText(const QString& name, const QByteArray& text)
{
    session_.openText(name, text);
}

void Workspace::reload(int id)
{
    const Model* current = session_.model(id);
    if (current && !current->path.isEmpty()) read(id, current->options);
}

std::string Workspace::hashOf(int id) const
{
    const auto known = hashes_.find(id);
    return known == hashes_.end() ? std::string() : known->second;
}

void Workspace::read(int id, const OpenOptions& options)
{
    const Model* current = session_.model(id);
    if (!current || current->path.isEmpty()) return;
    // The model stays until its successor is there: a file that has become unreadable loses nothing.
    const QString path = current->path;
    replaces_[session_.open(path, options)] = id;
}

int Workspace::successor(int id) const
{
    for (auto next = successors_.find(id); next != successors_.end(); next = successors_.find(id)) id = next->second;
    return id;
}

void Workspace::closeModel(int id)
{
    std::vector<int> own; // a job that is cancelled leaves `jobs_` at once
    for (const auto& [job, status] : jobs_)
        if (status.model == id) own.push_back(job);
    for (const int job : own) session_.cancel(job);
    session_.close(id);
}

const Model* Workspace::model() const
{
    return model_ ? session_.model(model_) : nullptr;
}

void Workspace::setModel(int id)
{
    if (id == model_) return;
    if (model_) {
        states_[model_].shown = shown_;
        states_[model_].selected = selection_.buffers();
    }
    model_ = id;
    (void)undoStack(); // undo is about this model from here on
    tickForKernel();
    selection_.clear();
    chosen_ = false;
    const RunEntry* entry = nullptr;
    if (id) {
        entry = session_.run(states_[id].shown);
        chosen_ = entry != nullptr;
        if (!entry) entry = bestRun();
    }
    Q_EMIT modelChanged();
    Q_EMIT targetChanged();
    Q_EMIT runsChanged();
    show(entry ? entry->id : 0, entry ? entry->run : nullptr);
    if (id) selection_.selectMany(states_[id].selected);
}

void Workspace::onOpened(int id)
{
    opening_.erase(id);
    if (const Model* opened = session_.model(id); opened && !opened->path.isEmpty()) hashes_[id] = fileHash(opened->path);
    const int front = model_;
    std::shared_ptr<const SessionModel> kept; // of a saved session
    bool toFront = true;
    if (const auto old = replaces_.find(id); old != replaces_.end()) {
        const int before = old->second;
        replaces_.erase(old);
        successors_[before] = id;
        for (auto& [reading, place] : replaces_)
            if (place == before) place = id; // what is still being read takes the place of this one
        states_[id] = states_[before];
        states_[id].shown = 0;
        states_[id].selected.clear();
        edits_[id] = std::move(edits_[before]); // they find the model by `successor`
        toFront = front == before || front == 0;
        if (toFront) setModel(id);
        closeModel(before);
    } else if (const Model* opened = session_.model(id)) {
        states_[id].notes = KeptNotes::of(opened->path);
    }
    if (const auto intent = intents_.find(id); intent != intents_.end()) {
        if (!intent->second.target.isEmpty()) {
            if (auto target = session_.target(intent->second.target))
                states_[id].setup.target = *target;
            else
                report({tr("The target %1 was not found").arg(intent->second.target), target.error(), {}, {}, {}});
        }
        kept = intent->second.session;
        if (kept) {
            toFront = intent->second.front || front == 0;
            restore(id, *kept);
        }
        if (!intent->second.planners.empty()) ticked_ = {intent->second.planners.begin(), intent->second.planners.end()};
        intents_.erase(intent);
        Q_EMIT planningChanged();
    }
    if (const Model* opened = session_.model(id); opened && !kept && states_[id].setup.target.pools.empty())
        if (auto target = assumedTarget(*opened)) {
            states_[id].assumedTarget = target->name;
            states_[id].setup.target = *std::move(target);
        }
    const bool asked = !kept && (askWhatTableIs(id) || layBesideOthers(id));
    if (toFront && !asked) setModel(id);
    Q_EMIT modelsChanged();
    if (model_ == id && !kept) plan();
}

bool Workspace::askWhatTableIs(int opened)
{
    for (const int other : session_.models()) {
        const Model* first = session_.model(opened);
        const Model* second = session_.model(other);
        if (!first || !second || other == opened || !first->options.importer.isEmpty()) continue;
        PlanSign sign = planSign(*first, *second);
        int table = opened, model = other;
        if (sign == PlanSign::noPlan && (sign = planSign(*second, *first)) != PlanSign::noPlan) std::swap(table, model);
        if (sign == PlanSign::noPlan) continue;
        const Error why = planAmongInputs(*session_.model(table), *session_.model(model), sign);
        Notice notice{tr("%1: a plan or a problem?").arg(session_.model(table)->name), why, {}, {}, {}};
        notice.what.remedy.clear();
        notice.choices.push_back({tr("Judge it as a plan"), [this, table, model] { judgeAsPlan(table, model); }});
        notice.choices.push_back({tr("Plan it as a problem"), [this, table] {
                                      setModel(table);
                                      if (!run()) plan();
                                  }});
        report(notice);
        return table == opened; // a model that comes after its table is shown
    }
    return false;
}

void Workspace::judgeAsPlan(int table, int model)
{
    const Model* source = session_.model(table);
    if (!source || !session_.model(model)) return;
    setModel(model);
    const std::string path = source->path.toStdString();
    const QString name = source->name;
    const auto text = io::readFile(path);
    auto judged =
        text ? judgePlan(session_, *session_.model(model), request({}), *text, path) : Expected<JudgedPlan>(text.error());
    if (!judged) {
        report({tr("%1 is not a plan of %2").arg(name, session_.model(model)->name), judged.error(), {}, source->path, {}});
        return;
    }
    closeModel(table);
    setModel(model);
    auto run = std::make_shared<Run>(*judged->run);
    run->plan.planner = name.toStdString();
    PlanRequest asked = request(run->plan.planner);
    const int id = session_.addRun(asked, std::move(run));
    showRun(id);
}

void Workspace::onOpenFailed(int id, const QString& path, const Error& error)
{
    opening_.erase(id);
    intents_.erase(id);
    replaces_.erase(id);
    std::erase_if(failures_, [&](const OpenFailure& old) { return !path.isEmpty() && old.path == path; });
    failures_.push_back({id, path, error});
    Q_EMIT modelsChanged();
    reportFailures(false);
}

void Workspace::seeFailures()
{
    for (OpenFailure& failure : failures_) failure.seen = true;
}

void Workspace::reportFailures(bool all)
{
    std::vector<OpenFailure> told = failures_;
    if (!all) std::erase_if(told, &OpenFailure::seen);
    if (told.empty()) return;
    const OpenFailure& last = told.back();
    Notice notice{tr("%1 was not opened").arg(QFileInfo(last.path).fileName()), last.error, {}, last.path, {}};
    if (told.size() > 1) {
        // One list for all of them: each says which file it is about.
        notice.title = tr("%1 files were not opened").arg(told.size());
        for (const OpenFailure& failure : told) {
            Diagnostic what = failure.error;
            what.message = QFileInfo(failure.path).fileName().toStdString() + ": " + what.message;
            if (&failure == &told.front())
                notice.what = std::move(what);
            else
                notice.more.push_back(std::move(what));
        }
    }
    report(notice);
}

void Workspace::dismissFailure(int id)
{
    if (std::erase_if(failures_, [id](const OpenFailure& failure) { return id == 0 || failure.id == id; }) > 0)
        Q_EMIT modelsChanged();
}

void Workspace::cancelOpening(int id)
{
    if (!opening_.contains(id)) return;
    intents_.erase(id);
    replaces_.erase(id);
    session_.close(id); // `onClosed` follows
}

void Workspace::onClosed(int id)
{
    opening_.erase(id);
    hashes_.erase(id);
    states_.erase(id);
    edits_.erase(id);
    if (id == model_) {
        const std::vector<int> left = session_.models();
        const auto other = std::ranges::find_if(left, [&](int candidate) { return candidate != id; });
        model_ = 0;
        shown_ = 0;
        setModel(other == left.end() ? 0 : *other);
        if (!model_) {
            selection_.clear();
            show(0, nullptr);
            Q_EMIT modelChanged();
            Q_EMIT targetChanged();
            Q_EMIT runsChanged();
        }
    }
    std::vector<int> again; // a model that is closed does not come back when its file has been read again
    for (const auto& [reading, place] : replaces_)
        if (place == id) again.push_back(reading);
    for (const int reading : again) cancelOpening(reading);
    Q_EMIT modelsChanged();
}

// --- planners ----------------------------------------------------------------------------------------------------------

std::vector<std::string> Workspace::tickedPlanners() const
{
    std::vector<std::string> names;
    for (const auto& planner : session_.planners().all())
        if (ticked(planner->info().name)) names.push_back(planner->info().name);
    return names;
}

void Workspace::setTicked(const std::string& planner, bool on)
{
    if (planner == kernelPlanner) {
        kernelTickSettled_ = true;
        tickedForKernel_ = false;
    }
    if (on ? !ticked_.insert(planner).second : ticked_.erase(planner) == 0) return;
    Q_EMIT planningChanged();
}

void Workspace::setAllTicked(bool on)
{
    ticked_.clear();
    kernelTickSettled_ = true;
    tickedForKernel_ = false;
    if (on)
        for (const auto& planner : session_.planners().all()) ticked_.insert(planner->info().name);
    Q_EMIT planningChanged();
}

void Workspace::tickForKernel()
{
    const Model* current = model();
    if (kernelTickSettled_ || !current || !session_.planners().find(kernelPlanner)) return;
    const bool kernel = isAscendKernel(*current);
    if (kernel && ticked_.insert(kernelPlanner).second)
        tickedForKernel_ = true;
    else if (!kernel && std::exchange(tickedForKernel_, false))
        ticked_.erase(kernelPlanner);
    else
        return;
    Q_EMIT planningChanged();
}

void Workspace::setFocusPlanner(const std::string& planner)
{
    if (planner == focus_) return;
    focus_ = planner;
    Q_EMIT planningChanged();
}

// --- planning ----------------------------------------------------------------------------------------------------------

PlanRequest Workspace::request(const std::string& planner) const
{
    PlanRequest request;
    request.model = model_;
    request.planner = planner;
    request.options = options(planner);
    request.target = target();
    request.alignment = alignment();
    request.lowering = lowering();
    request.pins = pins();
    request.changes = changes();
    request.seed = seed_;
    if (const auto found = session_.planners().find(planner); found && found->info().anytime)
        request.timeLimitSeconds = timeLimit_;
    return request;
}

int Workspace::start(const std::string& planner, bool record)
{
    PlanRequest wanted = request(planner);
    wanted.record = record || planner == kernelPlanner; // its steps tell what was rolled back
    for (const auto& [job, request] : requests_)
        if (sameRequest(request, wanted) && request.record >= wanted.record) return job; // under way already
    if (jobs_.empty()) {
        batch_.start();
        batchSize_ = 0;
    }
    ++batchSize_;
    std::erase_if(searches_, [&](const Search& search) { return search.given && sameRequest(search.request, wanted); });
    const int id = session_.plan(wanted);
    searches_.push_back({id, wanted, 0, false, false, {}});
    requests_[id] = wanted;
    if (!jobs_.contains(id)) {
        JobStatus status;
        status.id = id;
        status.model = model_;
        status.planner = planner;
        jobs_[id] = status;
    }
    return id;
}

void Workspace::follow(int job)
{
    followed_ = job;
    if (shown_) before_ = shown_; // else an incumbent
}

void Workspace::plan()
{
    if (!model_) return;
    const std::vector<std::string> planners = tickedPlanners();
    for (const std::string& planner : planners) {
        const int job = start(planner);
        if (planners.size() == 1) follow(job);
    }
    Q_EMIT jobsChanged();
}

void Workspace::planOnly(const std::string& planner, bool followed)
{
    if (!model_) return;
    const int job = start(planner);
    if (followed) follow(job);
    Q_EMIT jobsChanged();
}

void Workspace::planRecorded(const std::string& planner)
{
    if (!model_) return;
    start(planner, true);
    Q_EMIT jobsChanged();
}

std::string Workspace::searching() const
{
    const Search* found = nullptr;
    for (const Search& search : searches_) {
        if (search.run || search.given || search.request.model != model_ || search.samples.empty()) continue;
        if (!found || (showsIncumbent() && search.request.planner == run_->plan.planner)) found = &search;
    }
    return found ? found->request.planner : std::string();
}

const std::vector<SearchSample>* Workspace::search(int run) const
{
    const std::string planner = run ? std::string() : searching();
    if (!run && planner.empty()) return nullptr;
    for (const Search& search : searches_) {
        if (search.samples.empty() || search.request.model != model_) continue;
        if (run ? search.run == run : !search.run && !search.given && search.request.planner == planner) return &search.samples;
    }
    return nullptr;
}

double Workspace::progress() const
{
    if (jobs_.empty() || batchSize_ == 0) return 1;
    double done = double(batchSize_ - std::min(batchSize_, jobs_.size()));
    for (const auto& [id, status] : jobs_) {
        const auto request = requests_.find(id);
        const double limit = request == requests_.end() ? 0 : request->second.timeLimitSeconds * 1000;
        if (limit > 0) done += std::min(1.0, status.elapsedMs / limit);
    }
    return done / double(batchSize_);
}

QString Workspace::progressText() const
{
    const auto running = std::ranges::find_if(jobs_, [](const auto& job) { return job.second.state == JobState::running; });
    if (running == jobs_.end()) return tr("%1 waiting").arg(countedText(std::int64_t(jobs_.size()), tr("planner")));
    const JobStatus& status = running->second;
    QString text = QStringLiteral("%1, %2").arg(QString::fromStdString(status.planner), durationText(status.elapsedMs));
    if (status.best > 0) text += tr(", best %1").arg(bytesText(status.best, numbers_));
    if (status.bound > 0) text += tr(", bound %1").arg(bytesText(status.bound, numbers_));
    if (jobs_.size() > 1) text += tr(", %1 more").arg(jobs_.size() - 1);
    return text;
}

void Workspace::cancel()
{
    session_.cancelAll();
}

void Workspace::onJob(const JobStatus& status)
{
    const auto search = std::ranges::find(searches_, status.id, &Search::job);
    if (status.state == JobState::queued || status.state == JobState::running) {
        jobs_[status.id] = status;
        constexpr std::size_t maxSamples = 50'000;
        if (search != searches_.end() && status.best > 0 && search->samples.size() < maxSamples) {
            const SearchSample sample{status.elapsedMs, status.work, status.best, status.bound};
            if (search->samples.empty() || search->samples.back() != sample) search->samples.push_back(sample);
        }
        Q_EMIT jobsChanged();
        return;
    }
    jobs_.erase(status.id);
    requests_.erase(status.id);
    if (search != searches_.end()) {
        if (status.state == JobState::cancelled)
            search->given = true;
        else if (!search->run)
            searches_.erase(search);
    }
    if (status.id == followed_) {
        const RunEntry* before = session_.run(before_);
        if (showsFollowed() && before && before->model == model_) show(before->id, before->run); // it has no result
        followed_ = 0;
    }
    if (status.state == JobState::failed && status.error)
        report({tr("%1 did not plan").arg(QString::fromStdString(status.planner)), *status.error, {}, {}});
    if (jobs_.empty()) {
        dropLeftRuns();
        batchMs_ = double(batch_.nsecsElapsed()) / 1e6;
        // Also after a cancel that left an incumbent without a result.
        if (const RunEntry* best = !chosen_ || showsIncumbent() ? bestRun() : nullptr) {
            focus_ = best->request.planner;
            show(best->id, best->run);
            Q_EMIT planningChanged();
        }
    }
    Q_EMIT jobsChanged();
}

void Workspace::onIncumbent(int job, const std::shared_ptr<const Run>& run)
{
    const auto status = jobs_.find(job);
    if (status == jobs_.end() || status->second.model != model_) return;
    const RunEntry* current = session_.run(shown_);
    const bool samePlanner = current && current->request.planner == status->second.planner;
    // Who has chosen no run looks at the best there is: a search that gets ahead of it is followed.
    const bool whole = run->report.status != Status::undecided; // else a part of a plan, whose size says nothing
    const bool ahead = run_ && !chosen_ && whole && isBetter(*run, *run_);
    if (job != followed_ && showsFollowed()) return;
    if (run_ && !showsIncumbent() && !samePlanner && !ahead && job != followed_) return;
    incumbentOf_ = job;
    show(0, run);
}

void Workspace::onRunAdded(int id, int job)
{
    const RunEntry* added = session_.run(id);
    if (!added) return;
    const auto search = job ? std::ranges::find(searches_, job, &Search::job) : searches_.end();
    if (search != searches_.end()) {
        if (search->unwanted) {
            searches_.erase(search);
            session_.removeRun(id);
            return;
        }
        search->run = id;
        const Report& report = added->run->report;
        search->samples.push_back(
            {std::max(added->run->elapsedMs, search->samples.empty() ? 0.0 : search->samples.back().ms),
             std::max(added->run->plan.work, search->samples.empty() ? std::uint64_t{0} : search->samples.back().work),
             report.totalSize(), report.totalBound()});
    }
    std::vector<int> replaced;
    for (const RunEntry& entry : session_.runs())
        if (entry.id != id && sameRequest(entry.request, added->request)) replaced.push_back(entry.id);
    if (added->model == model_) {
        const RunEntry* current = session_.run(shown_);
        const bool asked = job == followed_ && showsFollowed();
        chosen_ |= asked && session_.run(before_); // who asks for one more planner looks at its result
        const bool incumbentOfIt = asked || (showsIncumbent() && run_->plan.planner == added->request.planner);
        if (!run_ || incumbentOfIt || (current && current->request.planner == added->request.planner)) show(id, added->run);
    }
    for (const int old : replaced) session_.removeRun(old);
    Q_EMIT runsChanged();
}

} // namespace stowage

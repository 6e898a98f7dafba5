#include "app/session/session.h"

#include "app/session/file_hash.h"
#include "app/session/inbox.h"
#include "app/session/native_exporters.h"
#include "app/session/planning.h"
#include "app/session/reader.h"
#include "app/session/recent_files.h"
#include "app/session/run_order.h"
#include "app/session/targets.h"
#include "app/session/task_pool.h"
#include "app/session/verdicts.h"
#include "core/explain/ranking.h"
#include "plugins/host/isolated_exporter.h"
#include "plugins/host/plugin_host.h"

#include <QFileInfo>
#include <QMetaType>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <utility>

namespace stowage {

namespace {

using Clock = std::chrono::steady_clock;

bool everythingPlaced(const Plan& plan)
{
    return std::all_of(plan.placements.begin(), plan.placements.end(), [](const Placement& p) { return p.placed(); });
}

} // namespace

class Session::Private {
public:
    Private(Session* session, const PluginSettings& plugins) : q(session), reader(plugins), inbox(session) {}

    struct Job {
        std::shared_ptr<const Model> model;
        PlanRequest request;
        std::stop_source stop;
        JobStatus status;
        Clock::time_point created = Clock::now();
        bool given = false; ///< given up by `cancel`
    };

    [[nodiscard]] std::shared_ptr<const Planner> plannerOf(const PlanRequest& request) const
    {
        auto found = requirePlanner(request);
        return found ? *std::move(found) : nullptr;
    }
    [[nodiscard]] Expected<std::shared_ptr<const Planner>> requirePlanner(const PlanRequest& request) const
    {
        const std::string name = request.planner == "auto" ? defaultPlanner() : request.planner;
        if (auto ours = own.find(name)) return ours; // without looking for plug-ins
        auto found = all().require(name);
        if (found) return found;
        if (const PluginRow* row = reader.plugins().plannerRow(name))
            return failure(
                Code::pluginRefused,
                fmt::format("the plug-in of planner '{}' is {}: {}", name, toText(row->state), row->reason.toStdString()),
                Position{.file = row->path.toStdString()}, row->remedy.toStdString());
        return found;
    }
    /// With the planners of plug-ins.
    [[nodiscard]] const PlannerRegistry& all() const
    {
        std::call_once(lookedForPlanners, [this] {
            planners = own;
            for (auto& planner : reader.plugins().planners(reader.worker())) (void)planners.add(std::move(planner));
        });
        return planners;
    }
    [[nodiscard]] std::string defaultPlanner() const
    {
        for (const char* name : {"auto", "greedy-by-size"})
            if (own.find(name)) return name;
        return own.all().empty() ? "auto" : own.all().front()->info().name;
    }
    Expected<LoweringCache::Answer> lowered(const Model& model, const PlanRequest& request, const PlannerInfo* planner) const
    {
        const auto options = lowerOptions(planner, request, model.program.get());
        if (!options) return options.error();
        auto answer = lowerings.get(model, request.function, *options);
        if (!answer.lowering) return answer.lowering.error();
        return answer;
    }
    Expected<std::shared_ptr<const Run>> plan(const Model& model, const PlanRequest& request, const PlanContext& context,
                                              const IncumbentSink& sink) const
    {
        const auto planner = requirePlanner(request);
        if (!planner) return planner.error();
        const auto answer = lowered(model, request, &(*planner)->info());
        if (!answer) return answer.error();
        return runPlanner(**planner, *answer, request, context, sink);
    }

    [[nodiscard]] std::vector<std::shared_ptr<const Run>> fileRuns(const Model& model, const PlanRequest& request) const;
    int openInBackground(const QString& path, std::function<Expected<Model>(const std::stop_token&)> read);
    void handle(ModelRead& letter);
    void handle(const JobStarted& letter);
    void handle(const JobImproved& letter);
    void handle(const JobEnded& letter);
    void report(Job& job, JobState state);
    int addRun(const PlanRequest& request, std::shared_ptr<const Run> run, int job = 0);

    Session* q;
    PlannerRegistry own = PlannerRegistry::builtIn(); ///< with those that were added
    mutable PlannerRegistry planners;                 ///< see `all`
    mutable std::once_flag lookedForPlanners;
    Reader reader;
    mutable LoweringCache lowerings;

    // of the session's thread only
    int nextId = 1;
    std::map<int, std::shared_ptr<const Model>> models;
    std::map<int, std::pair<QString, std::stop_source>> opening; ///< path
    std::map<int, Job> jobs;
    std::vector<RunEntry> runs;

    Inbox inbox;
    TaskPool openers{2}; // the pools go first: their tasks use all of the above
    TaskPool workers = planningPool();
};

Session::Session(QObject* parent) : Session(PluginSettings(), parent) {}

Session::Session(const PluginSettings& plugins, QObject* parent) : QObject(parent), d(std::make_unique<Private>(this, plugins))
{
    qRegisterMetaType<Error>("stowage::Error");
    qRegisterMetaType<JobStatus>("stowage::JobStatus");
    qRegisterMetaType<std::shared_ptr<const Run>>("std::shared_ptr<const stowage::Run>");
}

Session::~Session()
{
    for (auto& [id, job] : d->jobs) job.stop.request_stop();
    for (auto& [id, file] : d->opening) file.second.request_stop();
    d.reset(); // waits for the threads, while this object can still be knocked at
}

const PlannerRegistry& Session::planners() const
{
    return d->all();
}

std::size_t Session::ownPlanners() const
{
    return d->own.all().size();
}

std::vector<std::shared_ptr<const Planner>> Session::plannersOf(const PluginRow& row) const
{
    return stowage::plannersOf(row, d->reader.worker());
}

std::optional<Error> Session::addPlanner(std::shared_ptr<const Planner> planner)
{
    return d->own.add(std::move(planner));
}

std::string Session::defaultPlanner() const
{
    return d->defaultPlanner();
}

std::vector<std::shared_ptr<const Exporter>> Session::exporters(const std::stop_token& cancel) const
{
    std::vector<std::shared_ptr<const Exporter>> all = nativeExporters();
    for (const PluginRow& row : plugins().rows())
        for (auto& exporter : exportersOf(row, d->reader.worker(), cancel))
            if (std::ranges::none_of(all, [&](const auto& known) { return known->info().name == exporter->info().name; }))
                all.push_back(std::move(exporter));
    return all;
}

std::vector<ImporterInfo> Session::importers() const
{
    return d->reader.importers();
}

const PluginHost& Session::plugins() const
{
    return d->reader.plugins();
}

std::vector<Target> Session::targets() const
{
    return installedTargets();
}

Expected<Target> Session::target(const QString& nameOrFile) const
{
    return findTarget(nameOrFile);
}

// --- blocking -------------------------------------------------------------------------------------------------------------

Expected<Model> Session::read(const QString& path, const OpenOptions& options, const std::stop_token& cancel) const
{
    return d->reader.read(path, options, cancel);
}

Expected<Model> Session::readText(const QString& name, const QByteArray& text, const OpenOptions& options,
                                  const std::stop_token& cancel) const
{
    return d->reader.readBytes(name, text, options, cancel);
}

Expected<Rewritten> Session::rewrite(const Model& model, const std::string& pass, const OptionValues& passOptions,
                                     std::span<const std::shared_ptr<const Run>> runs, const std::stop_token& cancel) const
{
    return d->reader.rewrite(model, pass, passOptions, runs, cancel);
}

std::vector<std::string> Session::functions(const Model& model)
{
    if (!model.options.function.isEmpty() && !model.program) return {model.options.function.toStdString()};
    if (!model.program) {
        std::vector<std::string> names;
        for (const auto& [name, problem] : model.problems) names.push_back(name);
        return names.empty() ? std::vector<std::string>{std::string()} : names;
    }
    const Program& program = *model.program;
    if (!model.options.function.isEmpty()) return {program.main().name};
    std::set<FunctionId> called;
    for (const Function& function : program.functions)
        for (const Op& op : function.ops)
            if (op.control == Control::call) called.insert(op.callee);
    std::vector<std::string> names{program.main().name};
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
        const auto id = static_cast<FunctionId>(i);
        const auto& tensors = program.functions[i].tensors; // a kernel's vector functions, for example, have nothing to plan
        const bool plannable = std::any_of(tensors.begin(), tensors.end(), [](const Tensor& tensor) { return tensor.planned; });
        if (id != program.entry && !called.contains(id) && plannable) names.push_back(program.functions[i].name);
    }
    return names;
}

Expected<std::shared_ptr<const Run>> Session::planNow(const Model& model, const PlanRequest& request,
                                                      const std::stop_token& cancel, const IncumbentSink& improved) const
{
    PlanContext context;
    context.cancel = cancel;
    return d->plan(model, request, context, improved);
}

Expected<std::shared_ptr<const Run>> Session::planNow(const Model& model, const PlanRequest& request,
                                                      const PlanContext& context) const
{
    IncumbentSink sink;
    if (context.publish)
        sink = [&context](const std::shared_ptr<const Run>&, const Incumbent& incumbent) { context.publish(incumbent); };
    return d->plan(model, request, context, sink);
}

Expected<std::shared_ptr<const Lowering>> Session::lowerNow(const Model& model, const PlanRequest& request) const
{
    const auto planner = d->plannerOf(request);
    const auto answer = d->lowered(model, request, planner ? &planner->info() : nullptr);
    if (!answer) return answer.error();
    return *answer->lowering;
}

std::vector<std::shared_ptr<const Run>> Session::Private::fileRuns(const Model& model, const PlanRequest& request) const
{
    std::vector<std::shared_ptr<const Run>> made;
    if (model.filePlans.empty()) return made;
    const auto planner = plannerOf(request);
    const auto answer = lowered(model, request, planner ? &planner->info() : nullptr);
    if (!answer) return made;
    const auto filler = own.find("greedy-by-size");
    // Of several problems of a file, a plan is for one.
    std::size_t wanted = 0;
    while (wanted + 1 < model.problems.size() && model.problems[wanted].second != model.problem) ++wanted;
    for (std::size_t i = 0; i < model.problems.size(); ++i)
        if (model.problems[i].first == request.function) wanted = i;
    for (const FilePlan& plan : model.filePlans)
        if (model.problems.empty() || static_cast<std::size_t>(plan.problem) == wanted)
            made.push_back(fileRun(plan, *answer, filler.get(), request));
    return made;
}

std::vector<std::shared_ptr<const Run>> Session::fileRuns(const Model& model, const PlanRequest& request) const
{
    return d->fileRuns(model, request);
}

// --- models ---------------------------------------------------------------------------------------------------------------

int Session::Private::openInBackground(const QString& path, std::function<Expected<Model>(const std::stop_token&)> read)
{
    const int id = nextId++;
    std::stop_source stop;
    opening.emplace(id, std::pair(path, stop));
    openers.start(0, [this, id, token = stop.get_token(), read = std::move(read)] {
        ModelRead letter{id, failure(Code::cancelled, "opening was given up"), {}};
        if (!token.stop_requested()) {
            try {
                letter.result = read(token);
                if (letter.result) {
                    letter.result->id = id;
                    PlanRequest request;
                    request.model = id;
                    if (auto target = assumedTarget(*letter.result)) request.target = *std::move(target);
                    letter.fileRuns = fileRuns(*letter.result, request);
                }
            } catch (const std::bad_alloc&) {
                letter.result = failure(Code::outOfMemory, "there is not enough memory to open it");
            }
        }
        inbox.post(std::move(letter));
    });
    Q_EMIT q->openStarted(id, path);
    return id;
}

int Session::open(const QString& path, const OpenOptions& options, bool hashed)
{
    return d->openInBackground(path, [p = d.get(), path, options, hashed](const std::stop_token& cancel) {
        auto model = p->reader.read(path, options, cancel);
        if (model && hashed) model->sha256 = fileHash(path, cancel);
        return model;
    });
}

int Session::openText(const QString& name, const QByteArray& text)
{
    return d->openInBackground({}, [p = d.get(), name, text](const std::stop_token& cancel) -> Expected<Model> {
        auto model = p->reader.readBytes(name, text, {}, cancel);
        if (model) model->path.clear();
        return model;
    });
}

void Session::Private::handle(ModelRead& letter)
{
    const auto waiting = opening.find(letter.model);
    if (waiting == opening.end()) return; // given up
    const QString path = waiting->second.first;
    opening.erase(waiting);
    if (!letter.result) {
        Q_EMIT q->openFailed(letter.model, path, letter.result.error());
        return;
    }
    const auto model = std::make_shared<const Model>(*std::move(letter.result));
    models.emplace(letter.model, model);
    if (!model->path.isEmpty()) q->addRecentFile(model->path);
    Q_EMIT q->modelOpened(letter.model);
    for (auto& run : letter.fileRuns) {
        PlanRequest request;
        request.model = letter.model;
        request.planner = run->plan.planner;
        if (auto target = assumedTarget(*model)) request.target = *std::move(target);
        Q_EMIT q->runAdded(addRun(request, std::move(run)), 0);
    }
}

void Session::close(int model)
{
    if (const auto waiting = d->opening.find(model); waiting != d->opening.end()) {
        waiting->second.second.request_stop();
        d->opening.erase(waiting);
        Q_EMIT modelClosed(model);
        return;
    }
    const auto found = d->models.find(model);
    if (found == d->models.end()) return;
    std::vector<int> under; // a listener may start or cancel others meanwhile
    for (const auto& [id, job] : d->jobs)
        if (job.request.model == model) under.push_back(id);
    for (const int job : under) cancel(job);
    clearRuns(model);
    d->lowerings.forget(*found->second);
    d->models.erase(found);
    Q_EMIT modelClosed(model);
}

void Session::setProgram(int model, std::shared_ptr<const Program> program)
{
    const auto found = d->models.find(model);
    if (found == d->models.end() || !found->second->program || !program) return;
    d->lowerings.forget(*found->second);
    found->second = std::make_shared<const Model>(withProgram(*found->second, std::move(program)));
}

std::vector<int> Session::models() const
{
    std::vector<int> ids;
    for (const auto& [id, model] : d->models) ids.push_back(id);
    return ids;
}

const Model* Session::model(int id) const
{
    const auto found = d->models.find(id);
    return found != d->models.end() ? found->second.get() : nullptr;
}

// --- jobs -----------------------------------------------------------------------------------------------------------------

int Session::plan(const PlanRequest& request)
{
    const int id = d->nextId++;
    Private::Job& job = d->jobs[id];
    job.request = request;
    if (job.request.planner == "auto") job.request.planner = defaultPlanner();
    job.status = {id, request.model, job.request.planner, JobState::queued, 0, 0, 0, 0, std::nullopt};
    const auto model = d->models.find(request.model);
    if (model == d->models.end()) {
        d->inbox.post(JobEnded{id, failure(Code::noSuchModel, "the model that was to be planned is not open")});
        return id;
    }
    job.model = model->second;

    const auto planner = d->plannerOf(job.request);
    const int priority = planner && planner->info().anytime ? 1 : 0; // what is quick goes first
    d->workers.start(priority, [p = d.get(), id, model = job.model, wanted = job.request, token = job.stop.get_token()] {
        if (token.stop_requested()) {
            p->inbox.post(JobEnded{id, failure(Code::cancelled, "the planning was cancelled before it began")});
            return;
        }
        p->inbox.post(JobStarted{id});
        PlanContext context;
        context.cancel = token;
        const IncumbentSink sink = [p, id](std::shared_ptr<const Run> run, const Incumbent& incumbent) {
            p->inbox.post(JobImproved{id, std::move(run), incumbent.bound, incumbent.work});
        };
        try {
            p->inbox.post(JobEnded{id, p->plan(*model, wanted, context, sink)});
        } catch (const std::bad_alloc&) {
            p->inbox.post(JobEnded{id, failure(Code::outOfMemory, "there is not enough memory to plan it")});
        }
    });
    d->report(job, JobState::queued);
    return id;
}

void Session::Private::report(Job& job, JobState state)
{
    job.status.state = state;
    job.status.elapsedMs = std::chrono::duration<double, std::milli>(Clock::now() - job.created).count();
    Q_EMIT q->jobChanged(JobStatus(job.status));
}

void Session::Private::handle(const JobStarted& letter)
{
    const auto found = jobs.find(letter.job);
    if (found == jobs.end() || found->second.given) return;
    found->second.created = Clock::now();
    report(found->second, JobState::running);
}

void Session::Private::handle(const JobImproved& letter)
{
    const auto found = jobs.find(letter.job);
    if (found == jobs.end() || found->second.given) return;
    JobStatus& status = found->second.status;
    if (everythingPlaced(letter.run->plan)) { // the size of a part says nothing
        status.best = letter.run->report.totalSize();
        status.bound = std::max(letter.bound, letter.run->report.totalBound());
    }
    status.work = letter.work;
    report(found->second, JobState::running);
    Q_EMIT q->incumbent(letter.job, letter.run);
}

void Session::Private::handle(const JobEnded& letter)
{
    const auto found = jobs.find(letter.job);
    if (found == jobs.end()) return;
    Job job = std::move(found->second);
    jobs.erase(found);

    const bool kept = letter.result && models.contains(job.request.model) &&
                      (!job.given || (everythingPlaced((*letter.result)->plan) && (*letter.result)->report.verdict.valid()));
    if (kept) {
        const Run& run = **letter.result;
        job.status.best = run.report.totalSize();
        job.status.bound = run.report.totalBound();
        job.status.work = run.plan.work;
        const int id = addRun(job.request, *letter.result, letter.job);
        if (!job.model->path.isEmpty() && job.request.changes.empty()) { // changed buffers are not those of the file
            // The best of the runs of this setup, not the last one to end.
            const Run* best = &run;
            for (const RunEntry& entry : runs)
                if (entry.model == job.request.model && sameSetup(entry.request, job.request) && ranksBefore(*entry.run, *best))
                    best = entry.run.get();
            RecentFiles::planned(job.model->path, QString::fromStdString(std::string(verdictWord(*best))),
                                 best->report.totalSize());
            Q_EMIT q->recentFilesChanged();
        }
        Q_EMIT q->runAdded(id, letter.job);
    }
    if (job.given) return; // was reported when it was cancelled
    if (!letter.result) job.status.error = letter.result.error();
    report(job, letter.result ? JobState::finished : JobState::failed);
}

void Session::cancel(int job)
{
    const auto found = d->jobs.find(job);
    if (found == d->jobs.end() || std::exchange(found->second.given, true)) return;
    found->second.stop.request_stop();
    d->report(found->second, JobState::cancelled);
}

void Session::cancelAll()
{
    std::vector<int> ids;
    for (const auto& [id, job] : d->jobs) ids.push_back(id);
    for (const int id : ids) cancel(id);
}

std::vector<JobStatus> Session::jobs() const
{
    std::vector<JobStatus> statuses;
    for (const auto& [id, job] : d->jobs) {
        if (job.given) continue;
        statuses.push_back(job.status);
        statuses.back().elapsedMs = std::chrono::duration<double, std::milli>(Clock::now() - job.created).count();
    }
    return statuses;
}

void Session::drain()
{
    for (Letter& letter : d->inbox.take()) std::visit([this](auto& content) { d->handle(content); }, letter);
}

// --- runs -----------------------------------------------------------------------------------------------------------------

int Session::Private::addRun(const PlanRequest& request, std::shared_ptr<const Run> run, int job)
{
    const int id = nextId++;
    runs.push_back({id, request.model, request, std::move(run), job});
    return id;
}

int Session::addRun(const PlanRequest& request, std::shared_ptr<const Run> run)
{
    const int id = d->addRun(request, std::move(run));
    Q_EMIT runAdded(id, 0);
    return id;
}

const std::vector<RunEntry>& Session::runs() const
{
    return d->runs;
}

const RunEntry* Session::run(int id) const
{
    const auto found = std::find_if(d->runs.begin(), d->runs.end(), [id](const RunEntry& entry) { return entry.id == id; });
    return found != d->runs.end() ? &*found : nullptr;
}

void Session::removeRun(int id)
{
    if (std::erase_if(d->runs, [id](const RunEntry& entry) { return entry.id == id; }) > 0) Q_EMIT runRemoved(id);
}

void Session::clearRuns(int model)
{
    std::vector<int> ids;
    for (const RunEntry& entry : d->runs)
        if (entry.model == model) ids.push_back(entry.id);
    for (const int id : ids) removeRun(id);
}

// --- recent files ---------------------------------------------------------------------------------------------------------

std::vector<RecentFile> Session::recentFiles() const
{
    return RecentFiles::list();
}

void Session::addRecentFile(const QString& path)
{
    RecentFiles::opened(path);
    Q_EMIT recentFilesChanged();
}

void Session::clearRecentFiles()
{
    RecentFiles::clear();
    Q_EMIT recentFilesChanged();
}

} // namespace stowage

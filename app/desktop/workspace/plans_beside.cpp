#include "app/desktop/workspace/plans_beside.h"

#include "app/desktop/workspace/workspace_access.h"
#include "app/session/laid_plan.h"
#include "app/session/native_path.h"
#include "app/session/plan_as_input.h"
#include "app/session/verdicts.h"
#include "core/io/input_file.h"

#include <QFileInfo>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace stowage {

namespace {

constexpr auto runtimeLogImporter = "tflm-log";

/// Files about a model that are no model themselves.
bool isAboutAModel(const Model& model)
{
    static constexpr std::array names{"tflm-log", "vela-log", "memory-profile", "hivm-memory-info"};
    return std::ranges::any_of(names, [&](const char* name) { return model.importer == QLatin1String(name); });
}

/// Files that are a problem of their own with a plan, and may be another tool's view of a model, too.
bool mayBeAboutAModel(const Model& model)
{
    static constexpr std::array names{"xla", "iree", "dsa-solver", "executorch"};
    return std::ranges::any_of(names, [&](const char* name) { return model.importer == QLatin1String(name); });
}

bool isRuntimeLog(const Model& model)
{
    return model.importer == QLatin1String(runtimeLogImporter);
}

bool tellsOffsets(const Model& model)
{
    return std::ranges::any_of(model.filePlans, [](const FilePlan& plan) { return !plan.offsets.empty(); });
}

} // namespace

struct PlansBeside::Laying {
    int source = 0;
    int model = 0;     ///< that it is laid beside; 0: there is none
    bool asks = false; ///< the source may stay a model of its own: the user says
    PlanRequest request;
    std::shared_ptr<const LaidPlan> laid; ///< null for a log that has totals only
};

PlansBeside::PlansBeside(WorkspaceAccess& desk, QObject* parent) : QObject(parent), desk_(desk) {}

PlansBeside::~PlansBeside() = default;

void PlansBeside::hand(int before, int next)
{
    if (const auto log = logs_.find(before); log != logs_.end()) logs_[next] = log->second;
    if (const auto wanted = wantedLogs_.find(before); wanted != wantedLogs_.end()) wantedLogs_[next] = wanted->second;
}

PlanRequest PlansBeside::requestFor(int model) const
{
    const ModelSetup& setup = desk_.edits().setupOf(model);
    PlanRequest request;
    request.model = model;
    request.target = setup.target;
    request.alignment = setup.alignment;
    request.lowering = setup.lowering;
    return request;
}

std::vector<int> PlansBeside::currentFirst() const
{
    std::vector<int> models = desk_.models().ids();
    std::stable_partition(models.begin(), models.end(), [this](int id) { return id == desk_.models().current(); });
    return models;
}

// --- a plan of Stowage ---------------------------------------------------------------------------------------------------

struct PlansBeside::Judging {
    PlanRequest request;
    JudgedPlan judged;
};

void PlansBeside::takePlan(int id, const QString& path, const Error& error)
{
    taken_.push_back({id, path, error});
}

void PlansBeside::judgeTaken()
{
    if (taken_.empty() || !desk_.models().opening().empty()) return;
    for (const TakenPlan& plan : std::exchange(taken_, {})) {
        if (desk_.session().models().empty())
            desk_.models().failed(plan.id, plan.path, plan.error);
        else
            judgeFile(plan.path);
    }
}

void PlansBeside::judgeFile(const QString& path)
{
    std::vector<std::pair<Model, PlanRequest>> models;
    for (const int id : currentFirst()) models.emplace_back(*desk_.session().model(id), requestFor(id));
    jobs_.start(
        [&session = desk_.session(), models = std::move(models), path](const std::stop_token& stop) -> Expected<Judging> {
            const auto text = io::readFile(nativePath(path), {}, [stop] { return stop.stop_requested(); });
            if (!text) return text.error();
            std::optional<Judging> best;
            std::optional<Error> refused;
            for (const auto& [model, request] : models) {
                if (stop.stop_requested()) return failure(Code::cancelled, "opening was given up");
                auto judged = judgePlan(session, model, request, *text, nativePath(path));
                if (!judged) {
                    if (!refused) refused = std::move(judged).error();
                } else if (!best || judged->run->mismatches.size() < best->judged.run->mismatches.size()) {
                    best = Judging{request, *std::move(judged)};
                }
                if (best && best->judged.run->mismatches.empty()) break;
            }
            if (!best) return *std::move(refused);
            return *std::move(best);
        },
        [this, path](const Expected<Judging>& judging) { onJudged(path, judging); });
}

void PlansBeside::onJudged(const QString& path, const Expected<Judging>& judging)
{
    const QString name = QFileInfo(path).fileName();
    if (!judging) return desk_.report({tr("%1 was not opened").arg(name), judging.error(), {}, path, {}});
    const Model* model = desk_.session().model(judging->request.model);
    if (!model) return; // closed meanwhile
    auto run = std::make_shared<Run>(*judging->judged.run);
    PlanRequest asked = judging->request;
    asked.planner = run->plan.planner = name.toStdString();
    Notice notice{tr("%1 is shown as a run of %2").arg(name, model->name), {}, judging->judged.diagnostics, {}, {}};
    notice.good = run->report.verdict.valid();
    notice.what.severity = notice.good ? Severity::note : Severity::error;
    notice.what.message = verdictLine(*run) + '.';
    desk_.showRun(desk_.session().addRun(asked, std::move(run)));
    desk_.report(notice);
}

// --- a log of the runtime ----------------------------------------------------------------------------------------------

std::shared_ptr<const Model> PlansBeside::runtimeLog(int model) const
{
    const auto log = logs_.find(model);
    return log == logs_.end() ? nullptr : log->second;
}

QString PlansBeside::runtimeLogPath(int model) const
{
    if (const auto log = runtimeLog(model)) return log->path;
    const auto wanted = wantedLogs_.find(model);
    return wanted == wantedLogs_.end() ? QString() : wanted->second;
}

void PlansBeside::setRuntimeLog(std::shared_ptr<const Model> log)
{
    const int model = desk_.models().current();
    if (!model) return;
    const bool wanted = wantedLogs_.erase(model) > 0; // the user chose this one, or none
    if (!wanted && runtimeLog(model) == log) return;
    logs_[model] = std::move(log);
    Q_EMIT runtimeLogChanged();
}

void PlansBeside::openRuntimeLog(const QString& path)
{
    readLog(path, desk_.models().current(), LogOf::user);
}

void PlansBeside::restoreRuntimeLog(const QString& path, int model)
{
    wantedLogs_[model] = path;
    readLog(path, model, LogOf::session);
}

void PlansBeside::readLogAgain(int model)
{
    if (const auto log = runtimeLog(model)) readLog(log->path, model, LogOf::user);
}

bool PlansBeside::wantsLog(int model, const QString& path) const
{
    const auto wanted = wantedLogs_.find(desk_.models().successor(model)); // the model's file may have been read again
    return wanted != wantedLogs_.end() && wanted->second == path;
}

void PlansBeside::leaveOutLog(int model, const QString& path)
{
    if (!wantsLog(model, path)) return;
    wantedLogs_.erase(desk_.models().successor(model));
    Q_EMIT runtimeLogChanged();
}

void PlansBeside::readLog(const QString& path, int model, LogOf from)
{
    jobs_.start([&session = desk_.session(), path](const std::stop_token& stop) { return session.read(path, {}, stop); },
                [this, path, model, from](Expected<Model> read) {
                    const int taker = desk_.models().successor(model);            // the model's file may have been read again
                    if (!desk_.session().model(taker)) return;                    // closed meanwhile
                    if (from == LogOf::session && !wantsLog(model, path)) return; // the user chose another one, or none
                    if (read && isRuntimeLog(*read)) {
                        logs_[taker] = std::make_shared<const Model>(*std::move(read));
                        wantedLogs_.erase(taker);
                        Q_EMIT runtimeLogChanged();
                        return;
                    }
                    Notice notice{tr("%1 was not opened").arg(QFileInfo(path).fileName()), {}, {}, path, {}};
                    if (read)
                        notice.what = failure(
                            Code::wrongFormat, "this is not a log of a runtime's memory plan", {path.toStdString(), 0, 0, -1},
                            "build the runtime with TF_LITE_SHOW_MEMORY_USE, or with the RecordingMicroInterpreter");
                    else
                        notice.what = read.error();
                    if (from == LogOf::session) {
                        notice.holds = [this, model, path] { return wantsLog(model, path); };
                        notice.choices.push_back({tr("Leave it out"), [this, model, path] { leaveOutLog(model, path); }});
                    }
                    desk_.report(notice);
                });
}

// --- a table of offsets --------------------------------------------------------------------------------------------------

bool PlansBeside::askWhatTableIs(int opened)
{
    for (const int other : desk_.models().ids()) {
        const Model* first = desk_.session().model(opened);
        const Model* second = desk_.session().model(other);
        if (!first || !second || other == opened || !first->options.importer.isEmpty()) continue;
        PlanSign sign = planSign(*first, *second);
        int table = opened, model = other;
        if (sign == PlanSign::noPlan && (sign = planSign(*second, *first)) != PlanSign::noPlan) std::swap(table, model);
        if (sign == PlanSign::noPlan) continue;
        const Error why = planAmongInputs(*desk_.session().model(table), *desk_.session().model(model), sign);
        Notice notice{tr("%1: a plan or a problem?").arg(desk_.session().model(table)->name), why, {}, {}, {}};
        notice.what.remedy.clear();
        notice.holds = [this, table, model] { return desk_.session().model(table) && desk_.session().model(model); };
        notice.choices.push_back({tr("Judge it as a plan"), [this, table, model] { judgeAsPlan(table, model); }});
        notice.choices.push_back({tr("Plan it as a problem"), [this, table] {
                                      if (!desk_.session().model(table)) return; // closed meanwhile
                                      desk_.setModel(table);
                                      if (!desk_.shown().run()) desk_.plannings().plan();
                                  }});
        desk_.report(notice);
        return table == opened; // a model that comes after its table is shown
    }
    return false;
}

void PlansBeside::judgeAsPlan(int table, int model)
{
    const Model* source = desk_.session().model(table);
    if (!source || !desk_.session().model(model)) return;
    desk_.setModel(model);
    const std::string path = source->path.toStdString();
    const QString name = source->name;
    const auto text = io::readFile(path);
    auto judged = text ? judgePlan(desk_.session(), *desk_.session().model(model), desk_.plannings().request({}), *text, path)
                       : Expected<JudgedPlan>(text.error());
    if (!judged) {
        desk_.report(
            {tr("%1 is not a plan of %2").arg(name, desk_.session().model(model)->name), judged.error(), {}, source->path, {}});
        return;
    }
    desk_.closeModel(table);
    desk_.setModel(model);
    auto run = std::make_shared<Run>(*judged->run);
    run->plan.planner = name.toStdString();
    PlanRequest asked = desk_.plannings().request(run->plan.planner);
    const int id = desk_.session().addRun(asked, std::move(run));
    desk_.showRun(id);
}

// --- plans of other tools ------------------------------------------------------------------------------------------------

bool PlansBeside::mayBeBeside(const Model& model) const
{
    return (isAboutAModel(model) || mayBeAboutAModel(model)) && !byThemselves_.contains(model.path) &&
           (tellsOffsets(model) || isRuntimeLog(model));
}

bool PlansBeside::layBesideOthers(int opened)
{
    const Model* fresh = desk_.session().model(opened);
    if (!fresh) return false;
    const auto aboutModels = [this](const Model& model) { return mayBeBeside(model); };
    struct Pair {
        Model source;
        Model model;
        PlanRequest request;
    };
    std::vector<Pair> pairs;
    const auto add = [&](int source, int model) {
        pairs.push_back({*desk_.session().model(source), *desk_.session().model(model), requestFor(model)});
    };
    std::vector<int> others = currentFirst();
    std::erase(others, opened);
    const bool isSource = aboutModels(*fresh);
    for (const int other : others) {
        const Model& open = *desk_.session().model(other);
        if (isSource && !isAboutAModel(open) && open.importer != fresh->importer)
            add(opened, other);
        else if (!isAboutAModel(*fresh) && aboutModels(open) && open.importer != fresh->importer)
            add(other, opened);
    }
    if (pairs.empty()) return false;

    jobs_.start(
        [&session = desk_.session(), pairs = std::move(pairs), opened, isSource](const std::stop_token& stop) {
            Laying laying;
            laying.source = isSource ? opened : 0;
            for (const auto& [source, model, request] : pairs) {
                if (stop.stop_requested()) break; // nobody waits for the answer
                auto laid = layBeside(session, model, source, request, stop);
                const bool totals = isRuntimeLog(source) && !tellsOffsets(source) && model.importer == QLatin1String("tflite");
                if (!laid && !totals) continue;
                laying.source = source.id;
                laying.model = model.id;
                laying.request = request;
                // What is a model of its own as well, or was opened as one before, is asked about.
                laying.asks = !isSource || !isAboutAModel(source);
                if (laid) laying.laid = std::make_shared<const LaidPlan>(*std::move(laid));
                break;
            }
            return laying;
        },
        [this](const Laying& laying) { onLaid(laying); });
    return isSource;
}

void PlansBeside::keepByItself(int id)
{
    const Model* model = desk_.session().model(id);
    if (!model) return;
    byThemselves_.insert(model->path);
    desk_.setModel(id);
    if (!desk_.shown().run()) desk_.plannings().plan();
}

void PlansBeside::onLaid(const Laying& laying)
{
    const Model* found = desk_.session().model(laying.source);
    if (!found) return; // closed meanwhile
    const Model source = *found;
    if (!laying.model || !desk_.session().model(laying.model)) {
        desk_.setModel(source.id);
        if (!desk_.shown().run()) desk_.plannings().plan();
        return;
    }
    const QString model = desk_.session().model(laying.model)->name;
    const auto lay = [this, laying, source, model] {
        if (!desk_.session().model(laying.model)) return;
        if (desk_.session().model(source.id)) desk_.closeModel(source.id);
        desk_.setModel(laying.model);
        if (isRuntimeLog(source)) setRuntimeLog(std::make_shared<const Model>(source));
        Notice notice{tr("%1 is shown beside %2").arg(source.name, model), {}, {}, {}, {}};
        notice.what.severity = Severity::note;
        notice.good = true;
        if (laying.laid) {
            auto run = std::make_shared<Run>(*laying.laid->run);
            run->plan.planner = source.name.toStdString();
            PlanRequest asked = laying.request;
            asked.planner = run->plan.planner;
            notice.good = run->report.verdict.valid();
            notice.what.message = describe(*laying.laid) + ". " + verdictLine(*run) + '.';
            notice.more = laying.laid->diagnostics;
            if (!notice.good) notice.what.severity = Severity::error;
            const int id = desk_.session().addRun(asked, std::move(run));
            notice.choices.push_back({tr("Show this plan"), [this, id] { desk_.showRun(id); }});
        } else {
            notice.what.message = "The log has totals only: its tail is counted in Fit.";
        }
        notice.choices.push_back({tr("Open it as a model"), [this, source] {
                                      byThemselves_.insert(source.path);
                                      desk_.open(source.path, {}, {});
                                  }});
        desk_.report(notice);
    };
    if (!laying.asks) return lay();
    Notice notice{tr("%1: a plan of %2?").arg(source.name, model), {}, {}, {}, {}};
    notice.what.message = laying.laid ? describe(*laying.laid) : std::string();
    notice.holds = [this, id = source.id] { return desk_.session().model(id) != nullptr; };
    notice.choices.push_back({tr("Show it beside %1").arg(model), lay});
    notice.choices.push_back({tr("Keep it as a model"), [this, id = source.id] { keepByItself(id); }});
    desk_.report(notice);
}

} // namespace stowage

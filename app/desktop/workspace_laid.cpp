// Plans of other tools beside an open model: a log, a dump or a profile that is opened while its model is open becomes a run of
// the model.
#include "app/desktop/workspace.h"

#include "app/session/laid_plan.h"
#include "app/session/verdicts.h"

#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrentRun>

#include <algorithm>
#include <array>
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

struct Workspace::Laying {
    int source = 0;
    int model = 0;     ///< that it is laid beside; 0: there is none
    bool asks = false; ///< the source may stay a model of its own: the user says
    PlanRequest request;
    std::shared_ptr<const LaidPlan> laid; ///< null for a log that has totals only
};

std::shared_ptr<const Model> Workspace::runtimeLog() const
{
    const auto state = states_.find(model_);
    return state == states_.end() ? nullptr : state->second.log;
}

void Workspace::setRuntimeLog(std::shared_ptr<const Model> log)
{
    if (!model_ || states_[model_].log == log) return;
    states_[model_].log = std::move(log);
    Q_EMIT runtimeLogChanged();
}

void Workspace::openRuntimeLog(const QString& path)
{
    auto* watcher = new QFutureWatcher<std::shared_ptr<const Expected<Model>>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path, model = model_] {
        watcher->deleteLater();
        const auto read = watcher->result();
        if (model != model_) return;
        if (*read && isRuntimeLog(**read)) return setRuntimeLog(std::make_shared<const Model>(**read));
        const QString title = tr("%1 was not opened").arg(QFileInfo(path).fileName());
        if (!*read) return report({title, read->error(), {}, path, {}});
        report({title,
                failure(Code::wrongFormat, "this is no log of a runtime's memory plan", {path.toStdString(), 0, 0, -1},
                        "build the runtime with TF_LITE_SHOW_MEMORY_USE, or with the RecordingMicroInterpreter"),
                {},
                path,
                {}});
    });
    watcher->setFuture(QtConcurrent::run([&session = session_, path, stop = laying_.get_token()] {
        return std::make_shared<const Expected<Model>>(session.read(path, {}, stop));
    }));
    background_.addFuture(QFuture<void>(watcher->future()));
}

bool Workspace::layBesideOthers(int opened)
{
    const Model* fresh = session_.model(opened);
    if (!fresh) return false;
    const auto aboutModels = [&](const Model& model) {
        return (isAboutAModel(model) || mayBeAboutAModel(model)) && !byThemselves_.contains(model.path) &&
               (tellsOffsets(model) || isRuntimeLog(model));
    };
    struct Pair {
        Model source;
        Model model;
        PlanRequest request;
    };
    std::vector<Pair> pairs;
    const auto add = [&](int source, int model) {
        const Setup& setup = states_[model].setup;
        PlanRequest request;
        request.model = model;
        request.target = setup.target;
        request.alignment = setup.alignment;
        request.lowering = setup.lowering;
        pairs.push_back({*session_.model(source), *session_.model(model), std::move(request)});
    };
    std::vector<int> others = session_.models();
    std::erase(others, opened);
    std::stable_partition(others.begin(), others.end(),
                          [this](int id) { return id == model_; }); // the one that is worked on first
    const bool isSource = aboutModels(*fresh);
    for (const int other : others) {
        const Model& open = *session_.model(other);
        if (isSource && !isAboutAModel(open) && open.importer != fresh->importer)
            add(opened, other);
        else if (!isAboutAModel(*fresh) && aboutModels(open) && open.importer != fresh->importer)
            add(other, opened);
    }
    if (pairs.empty()) return false;

    auto* watcher = new QFutureWatcher<Laying>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        onLaid(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run([&session = session_, pairs = std::move(pairs), opened, isSource] {
        Laying laying;
        laying.source = isSource ? opened : 0;
        for (const auto& [source, model, request] : pairs) {
            auto laid = layBeside(session, model, source, request);
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
    }));
    background_.addFuture(QFuture<void>(watcher->future()));
    return isSource;
}

void Workspace::keepByItself(int id)
{
    const Model* model = session_.model(id);
    if (!model) return;
    byThemselves_.insert(model->path);
    setModel(id);
    if (!run()) plan();
}

void Workspace::onLaid(const Laying& laying)
{
    const Model* found = session_.model(laying.source);
    if (!found) return; // closed meanwhile
    const Model source = *found;
    if (!laying.model || !session_.model(laying.model)) {
        setModel(source.id);
        if (!run()) plan();
        return;
    }
    const QString model = session_.model(laying.model)->name;
    const auto lay = [this, laying, source, model] {
        if (!session_.model(laying.model)) return;
        if (session_.model(source.id)) closeModel(source.id);
        setModel(laying.model);
        if (isRuntimeLog(source)) setRuntimeLog(std::make_shared<const Model>(source));
        Notice notice{tr("%1 lies beside %2").arg(source.name, model), {}, {}, {}, {}};
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
            const int id = session_.addRun(asked, std::move(run));
            notice.choices.push_back({tr("Show this plan"), [this, id] { showRun(id); }});
        } else {
            notice.what.message = "The log has totals only: its tail is counted in Fit.";
        }
        notice.choices.push_back({tr("Open it by itself"), [this, source] {
                                      byThemselves_.insert(source.path);
                                      open(source.path);
                                  }});
        report(notice);
    };
    if (!laying.asks) return lay();
    Notice notice{tr("%1: a plan of %2?").arg(source.name, model), {}, {}, {}, {}};
    notice.what.message = laying.laid ? describe(*laying.laid) : std::string();
    notice.choices.push_back({tr("Lay it beside %1").arg(model), lay});
    notice.choices.push_back({tr("Keep it as a model"), [this, id = source.id] { keepByItself(id); }});
    report(notice);
}

} // namespace stowage

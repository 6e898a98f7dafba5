// What both programs do: open inputs, choose a target, plan, keep runs. The command line drives it synchronously, the
// window listens to its signals. No GUI type here.
#pragma once

#include "core/ir/change.h"
#include "core/lower/element_alignment.h"
#include "core/plan/run.h"
#include "core/planners/registry.h"
#include "plugins/api/exporter.h"
#include "plugins/api/importer.h"
#include "plugins/api/rewriter.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

class PluginHost;
struct PluginRow;
struct PluginSettings;

/// A named set of memories.
struct Target {
    QString name;
    QString description;
    QString source;       ///< where its figures are from
    QString runtime = {}; ///< "tflm" or "executorch", where one is known to run on it; else empty
    std::vector<Pool> pools;
};

/// How a file is to be read.
struct OpenOptions {
    QString importer; ///< empty: found by contents
    QString function; ///< empty: the entry, or all
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::vector<std::pair<std::string, std::string>> importOptions;
};

/// An opened input. Immutable; edits make a new one under the same id.
struct Model {
    int id = 0;
    QString path;     ///< as opened; empty for pasted text
    QByteArray bytes; ///< of what cannot be read from `path` again (standard input, pasted text); else empty
    QString name;     ///< short, for lists
    QString importer;
    OpenOptions options;
    std::shared_ptr<const Program> program; ///< null when the input was a problem
    std::shared_ptr<const Problem> problem; ///< null when the input was a program; of several the first
    /// Of a file with several problems (the devices of a snapshot) all of them by name; they are what `functions` names. Else
    /// empty.
    std::vector<std::pair<std::string, std::shared_ptr<const Problem>>> problems;
    std::vector<std::shared_ptr<const CallStacks>> calls; ///< of `problems`; null where the file knows none
    std::vector<FilePlan> filePlans;
    std::vector<FreeDimension> freeDimensions; ///< that `options.bindings` leave open
    Diagnostics diagnostics;
};

/// Where buffer `id` of `run`, a planning of a problem of `model`, was asked for: frames of the call stack, the innermost first.
/// Empty where the file does not know.
[[nodiscard]] std::vector<std::string> callStackOf(const Model& model, const Run& run, BufferId id);

/// Everything that one planning depends on.
struct PlanRequest {
    int model = 0;
    std::string function;         ///< empty: the model's entry
    std::string planner = "auto"; ///< "auto" means the default planner
    OptionValues options;
    OptionValues lowering;              ///< `--lower`; what is missing is the planner's default
    Target target;                      ///< without pools: the model's own
    Bytes alignment = elementAlignment; ///< `--alignment`
    std::vector<Change>
        changes; ///< by names; made after the lowering, in order; what cannot be made is left out, and the plan says so
    std::vector<PinRequest>
        pins; ///< what cannot be kept (no such buffer or memory, not aligned) is left out, and the plan says so
    std::uint64_t seed = 0;
    unsigned threads = 2;        ///< that the planner may use; the plan is the same for any number
    double timeLimitSeconds = 0; ///< 0: none
    std::uint64_t workLimit = 0; ///< 0: the planner's own
    bool record = false;         ///< keep the planner's steps
};

struct RunEntry {
    int id = 0;
    int model = 0;
    PlanRequest request;
    std::shared_ptr<const Run> run;
    int job = 0; ///< that planned it; 0: it was made elsewhere (a file's plan)
};

enum class JobState { queued, running, finished, failed, cancelled };

/// What is known of a planning under way.
struct JobStatus {
    int id = 0;
    int model = 0;
    std::string planner;
    JobState state = JobState::queued;
    double elapsedMs = 0;
    std::uint64_t work = 0;
    Bytes best = 0; ///< total size of the incumbent; 0 without one
    Bytes bound = 0;
    std::optional<Error> error;
};

/// Called with each better plan that the core's checker found valid, or with a part of a plan (some buffers are not placed, and
/// the status is `undecided`) in which nothing is wrong, from a thread of its own, at most 60 times a second; when
/// they come faster, the latest wins.
using IncumbentSink = std::function<void(std::shared_ptr<const Run> run, const Incumbent& incumbent)>;

class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);
    explicit Session(const PluginSettings& plugins, QObject* parent = nullptr);
    ~Session() override;

    /// Ours, then those of usable plug-ins: the first call looks for plug-ins.
    [[nodiscard]] const PlannerRegistry& planners() const;
    /// How many of them are ours.
    [[nodiscard]] std::size_t ownPlanners() const;
    /// Adds a planner of a plug-in. Before the first planning; an error when the name is taken.
    std::optional<Error> addPlanner(std::shared_ptr<const Planner> planner);
    /// The planners that one plug-in brings.
    [[nodiscard]] std::vector<std::shared_ptr<const Planner>> plannersOf(const PluginRow& row) const;
    /// `auto` when there is one, else the best of the simple ones.
    [[nodiscard]] std::string defaultPlanner() const;
    [[nodiscard]] std::vector<ImporterInfo> importers() const;
    /// Writers of foreign formats: ours, then those of usable plug-ins. `cancel` ends those that run elsewhere.
    [[nodiscard]] std::vector<std::shared_ptr<const Exporter>> exporters(const std::stop_token& cancel = {}) const;
    /// Plugins found, usable or refused.
    [[nodiscard]] const PluginHost& plugins() const;
    [[nodiscard]] std::vector<Target> targets() const; ///< installed ones
    /// A target by name, or from a file.
    [[nodiscard]] Expected<Target> target(const QString& nameOrFile) const;

    // --- blocking, for the command line and tests; may be called from several threads ---------------------------------
    Expected<Model> read(const QString& path, const OpenOptions& options = {}, const std::stop_token& cancel = {}) const;
    /// The same for bytes at hand; `name` stands for the path in messages.
    Expected<Model> readText(const QString& name, const QByteArray& text, const OpenOptions& options = {},
                             const std::stop_token& cancel = {}) const;
    /// The functions that a program is planned by: those that no other calls, the entry first. One empty name for a problem.
    static std::vector<std::string> functions(const Model& model);
    /// Lowers, plans and evaluates on the calling thread. `improved` may be null.
    Expected<std::shared_ptr<const Run>> planNow(const Model& model, const PlanRequest& request,
                                                 const std::stop_token& cancel = {}, const IncumbentSink& improved = {}) const;
    /// The same for who has a context: of it, `cancel` and `publish` count; the rest is in the request.
    Expected<std::shared_ptr<const Run>> planNow(const Model& model, const PlanRequest& request,
                                                 const PlanContext& context) const;
    /// Lowers without planning (info, convert). An empty planner name means the core's defaults.
    Expected<std::shared_ptr<const Lowering>> lowerNow(const Model& model, const PlanRequest& request) const;
    /// The model's file with the plans of `runs` in it, one run for each function that was planned; the rest of it byte for byte.
    /// Done in the worker by the plugin that read it. Errors: a run that is not valid or does not fit ("not-valid"), and those of
    /// `WorkerClient::rewrite`.
    Expected<Rewritten> rewrite(const Model& model, const std::string& pass, const OptionValues& passOptions,
                                std::span<const std::shared_ptr<const Run>> runs, const std::stop_token& cancel = {}) const;
    /// The plans that the model's file brings along, as runs.
    std::vector<std::shared_ptr<const Run>> fileRuns(const Model& model, const PlanRequest& request) const;

    // --- in the background, for the window -----------------------------------------------------------------------
    /// Opens in the background; `modelOpened` or `openFailed` follows. Returns the id that the model will have.
    int open(const QString& path, const OpenOptions& options = {});
    int openText(const QString& name, const QByteArray& text);
    /// Closes a model with its jobs and runs, or gives up opening it.
    void close(int model);
    [[nodiscard]] std::vector<int> models() const;
    [[nodiscard]] const Model* model(int id) const;

    /// Puts another program in the place of a model's, as an edit of it: ids of functions, ops and tensors must mean the same.
    /// What is being planned goes on with the one before. Nothing when the model is not open, or has no program.
    void setProgram(int model, std::shared_ptr<const Program> program);

    /// Plans in the background on a pool of threads; `jobChanged`, `incumbent` and `runAdded` follow. Returns the job's id.
    int plan(const PlanRequest& request);
    /// The job is gone at once; when the planner then hands over a valid plan (its best so far), that becomes a run all the same.
    void cancel(int job);
    void cancelAll();
    [[nodiscard]] std::vector<JobStatus> jobs() const; ///< queued and running ones
    [[nodiscard]] const std::vector<RunEntry>& runs() const;
    [[nodiscard]] const RunEntry* run(int id) const;
    /// Keeps a plan that was made elsewhere (a file's) as a run; `runAdded` follows. Returns its id.
    int addRun(const PlanRequest& request, std::shared_ptr<const Run> run);
    void removeRun(int id);
    void clearRuns(int model);

    // --- recent files (kept between starts) ------------------------------------------------------------------------
    struct Recent {
        QString path;
        QString verdict; ///< the word of its last planning's verdict (`verdictWord`); may be empty
        Bytes size = 0;
        qint64 openedAt = 0; ///< seconds since 1970
    };
    [[nodiscard]] std::vector<Recent> recentFiles() const;
    void clearRecentFiles();

Q_SIGNALS:
    void openStarted(int model, const QString& path);
    void modelOpened(int model);
    void openFailed(int model, const QString& path, const stowage::Error& error);
    void modelClosed(int model);
    void jobChanged(const stowage::JobStatus& status);
    /// A better plan of a running job, already checked; or a part of one, whose status is `undecided`. At most 60 a second.
    void incumbent(int job, std::shared_ptr<const stowage::Run> run);
    /// `job`: the planning that ends with this run; 0 for a plan that was made elsewhere.
    void runAdded(int run, int job);
    void runRemoved(int run);
    void recentFilesChanged();

private:
    /// Takes over what the background threads left.
    Q_INVOKABLE void drain();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace stowage

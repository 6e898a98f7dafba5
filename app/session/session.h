// The functions shared by the window and the command line: opening inputs, choosing a target, planning, keeping runs. The command
// line calls the blocking functions; the window uses the background ones and their signals. No GUI types here.
#pragma once

#include "app/session/model.h"
#include "app/session/plan_request.h"
#include "app/session/recent_files.h"
#include "core/planners/registry.h"
#include "plugins/api/exporter.h"
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

class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);
    explicit Session(const PluginSettings& plugins, QObject* parent = nullptr);
    ~Session() override;

    /// The built-in planners, then those of usable plug-ins. The first call searches for plug-ins.
    [[nodiscard]] const PlannerRegistry& planners() const;
    /// Count of built-in planners.
    [[nodiscard]] std::size_t ownPlanners() const;
    /// Adds a planner of a plug-in. To be called before the first planning. Errors: the name is taken.
    std::optional<Error> addPlanner(std::shared_ptr<const Planner> planner);
    /// The planners of one plug-in.
    [[nodiscard]] std::vector<std::shared_ptr<const Planner>> plannersOf(const PluginRow& row) const;
    /// `auto` if it exists, else the best of the simple planners.
    [[nodiscard]] std::string defaultPlanner() const;
    [[nodiscard]] std::vector<ImporterInfo> importers() const;
    /// The built-in exporters, then those of usable plug-ins. `cancel` ends exporters that run in another process.
    [[nodiscard]] std::vector<std::shared_ptr<const Exporter>> exporters(const std::stop_token& cancel = {}) const;
    /// The plugins that were found, usable or refused.
    [[nodiscard]] const PluginHost& plugins() const;
    [[nodiscard]] std::vector<Target> targets() const; ///< the installed ones
    /// A target by name, or from a file.
    [[nodiscard]] Expected<Target> target(const QString& nameOrFile) const;

    // --- blocking, for the command line and tests; may be called from several threads ---------------------------------
    Expected<Model> read(const QString& path, const OpenOptions& options = {}, const std::stop_token& cancel = {}) const;
    /// The same for the contents of a file; `name` replaces the path in messages.
    Expected<Model> readText(const QString& name, const QByteArray& text, const OpenOptions& options = {},
                             const std::stop_token& cancel = {}) const;
    /// The functions of a program that are planned: those that no other function calls, the entry first. One empty name for a
    /// problem.
    static std::vector<std::string> functions(const Model& model);
    /// The function that `request` plans, as `functions` names it.
    static std::string functionOf(const Model& model, const PlanRequest& request)
    {
        return request.function.empty() ? functions(model).front() : request.function;
    }
    /// Lowers, plans and evaluates on the calling thread. `improved` may be null.
    Expected<std::shared_ptr<const Run>> planNow(const Model& model, const PlanRequest& request,
                                                 const std::stop_token& cancel = {}, const IncumbentSink& improved = {}) const;
    /// The same with a context, of which only `cancel` and `publish` are used.
    Expected<std::shared_ptr<const Run>> planNow(const Model& model, const PlanRequest& request,
                                                 const PlanContext& context) const;
    /// Lowers without planning (for `info` and `convert`). An empty planner name means the core's default lowering options.
    Expected<std::shared_ptr<const Lowering>> lowerNow(const Model& model, const PlanRequest& request) const;
    /// The model's file with the plans of `runs` in it, one run for each planned function; all other bytes stay the same. Runs in
    /// the worker, in the plugin that read the file. Errors: a run that is not valid or does not fit ("not-valid"), and those of
    /// `WorkerClient::rewrite`.
    Expected<Rewritten> rewrite(const Model& model, const std::string& pass, const OptionValues& passOptions,
                                std::span<const std::shared_ptr<const Run>> runs, const std::stop_token& cancel = {}) const;
    /// The plans in the model's file, as runs.
    std::vector<std::shared_ptr<const Run>> fileRuns(const Model& model, const PlanRequest& request) const;

    // --- in the background, for the window -----------------------------------------------------------------------
    /// Opens in the background; `modelOpened` or `openFailed` follows. `hashed`: the model gets the hash of the file, too.
    /// Returns the id that the model will have.
    int open(const QString& path, const OpenOptions& options = {}, bool hashed = false);
    int openText(const QString& name, const QByteArray& text);
    /// Closes a model with its jobs and runs, or cancels its opening.
    void close(int model);
    [[nodiscard]] std::vector<int> models() const;
    [[nodiscard]] const Model* model(int id) const;

    /// Replaces a model's program with an edited one, in which ids of functions, ops and tensors have the same meaning. Running
    /// jobs continue with the old program. No effect if the model is not open, or has no program.
    void setProgram(int model, std::shared_ptr<const Program> program);

    /// Plans in the background on a pool of threads; `jobChanged`, `incumbent` and `runAdded` follow. Returns the job's id.
    int plan(const PlanRequest& request);
    /// Cancels a job, which leaves the list immediately. If the planner then returns a valid plan (its best so far), that still
    /// becomes a run.
    void cancel(int job);
    void cancelAll();
    [[nodiscard]] std::vector<JobStatus> jobs() const; ///< the queued and running ones
    [[nodiscard]] const std::vector<RunEntry>& runs() const;
    [[nodiscard]] const RunEntry* run(int id) const;
    /// Adds a plan that was not planned here (a file's) as a run; `runAdded` follows. Returns its id.
    int addRun(const PlanRequest& request, std::shared_ptr<const Run> run);
    void removeRun(int id);
    void clearRuns(int model);

    // --- recent files (kept between starts) ------------------------------------------------------------------------
    [[nodiscard]] std::vector<RecentFile> recentFiles() const;
    /// Adds a file that is opened otherwise than as a model, such as a saved session of the window.
    void addRecentFile(const QString& path);
    void clearRecentFiles();

Q_SIGNALS:
    void openStarted(int model, const QString& path);
    void modelOpened(int model);
    void openFailed(int model, const QString& path, const stowage::Error& error);
    void modelClosed(int model);
    void jobChanged(const stowage::JobStatus& status);
    /// A better plan of a running job, already checked; or a part of a plan, with the status `undecided`. At most 60 a second.
    void incumbent(int job, std::shared_ptr<const stowage::Run> run);
    /// `job`: the job that ended with this run; 0 for a plan that was not planned here.
    void runAdded(int run, int job);
    void runRemoved(int run);
    void recentFilesChanged();

private:
    /// Processes the letters of the background threads.
    Q_INVOKABLE void drain();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace stowage

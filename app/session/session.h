// What both programs do: open inputs, choose a target, plan, keep runs. The command line drives it synchronously, the
// window listens to its signals. No GUI type here.
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
    [[nodiscard]] std::vector<RecentFile> recentFiles() const;
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

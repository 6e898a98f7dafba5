// Plans for an open model, of Stowage and of other tools: a plan, a log, a dump or a profile that is opened while its model is
// open becomes a run of the model.
#pragma once

#include "app/desktop/background_job.h"
#include "app/session/session.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace stowage {

class WorkspaceAccess;

class PlansBeside : public QObject {
    Q_OBJECT

public:
    PlansBeside(WorkspaceAccess& desk, QObject* parent);
    ~PlansBeside() override;

    /// The runtime's log of a model, whose scratch and tail a fit counts. Null without one.
    [[nodiscard]] std::shared_ptr<const Model> runtimeLog(int model) const;
    /// The path of the log that the model is to have, also while it is being read or when it cannot be read. Empty without one.
    [[nodiscard]] QString runtimeLogPath(int model) const;
    void setRuntimeLog(std::shared_ptr<const Model> log); ///< of the current model
    /// Reads a log in the background and sets it for the current model; an error becomes a notice.
    void openRuntimeLog(const QString& path);
    /// The same for the log of a saved model, which stays the one that the model is to have when it cannot be read.
    void restoreRuntimeLog(const QString& path, int model);
    void readLogAgain(int model); ///< no effect without a log

    /// Keeps a file of a plan (`stowage.plan/1`) until `judgeTaken`. `id` and `error` are those of the failure to open it as a
    /// model.
    void takePlan(int id, const QString& path, const Error& error);
    /// Unless something is still being opened: checks the plans that were taken, in the background. Each becomes a run of the
    /// open model that it contradicts least, the current one before others; without an open model it is a file that was not
    /// opened.
    void judgeTaken();

    /// Asks the user about a table that looks like a plan of another open model; false if it does not.
    bool askWhatTableIs(int opened);
    /// Checks the table that was opened as `table` as a plan of `model`, shows its run there, and closes the table.
    void judgeAsPlan(int table, int model);
    /// Whether an opened file may be another tool's plan of a model, or a log about one.
    [[nodiscard]] bool mayBeBeside(const Model& model) const;
    /// Checks in the background whether an opened file is another tool's plan of another open model, or the other way round, and
    /// applies it. True if `opened` may be such a plan, and has to wait for the result.
    bool layBesideOthers(int opened);

    /// Whether a file is being read or checked as a plan or a log of an open model.
    [[nodiscard]] bool running() const { return jobs_.running(); }

    /// Moves the log of `before` to `next`, its successor after its file was read again.
    void hand(int before, int next);
    void forget(int model)
    {
        logs_.erase(model);
        wantedLogs_.erase(model);
    }

Q_SIGNALS:
    void runtimeLogChanged();

private:
    struct TakenPlan {
        int id = 0;
        QString path;
        Error error;
    };
    struct Judging;
    struct Laying;
    [[nodiscard]] PlanRequest requestFor(int model) const; ///< for the model as it is set up now
    [[nodiscard]] std::vector<int> currentFirst() const;   ///< the open models, the one that is worked on first
    enum class LogOf : std::uint8_t { user, session }; ///< who names a log: that of a session is taken only while it is wanted
    void readLog(const QString& path, int model, LogOf from);
    /// Whether the log of the model's session is to be at `path`, and is not there yet.
    [[nodiscard]] bool wantsLog(int model, const QString& path) const;
    void leaveOutLog(int model, const QString& path); ///< no effect if `wantsLog` is false
    void judgeFile(const QString& path);
    void onJudged(const QString& path, const Expected<Judging>& judging);
    void onLaid(const Laying& laying);
    void keepByItself(int id);

    WorkspaceAccess& desk_;
    std::map<int, std::shared_ptr<const Model>> logs_; ///< by model: the runtime's log
    std::map<int, QString> wantedLogs_;                ///< by model without a log: the path of that of its session
    std::vector<TakenPlan> taken_;
    std::set<QString> byThemselves_; ///< files that are not plans of another model
    BackgroundJobs jobs_;
};

} // namespace stowage

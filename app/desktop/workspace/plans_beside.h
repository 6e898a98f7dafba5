// Plans of other tools beside an open model: a log, a dump or a profile that is opened while its model is open becomes a run of
// the model.
#pragma once

#include "app/desktop/background_job.h"
#include "app/session/session.h"

#include <QObject>
#include <QString>

#include <map>
#include <memory>
#include <set>

namespace stowage {

class WorkspaceAccess;

class PlansBeside : public QObject {
    Q_OBJECT

public:
    PlansBeside(WorkspaceAccess& desk, QObject* parent);
    ~PlansBeside() override;

    /// The log of the runtime with a model: a fit counts its scratch and tail. Null: there is none.
    [[nodiscard]] std::shared_ptr<const Model> runtimeLog(int model) const;
    void setRuntimeLog(std::shared_ptr<const Model> log); ///< of the model that is worked on
    /// Reads a log in the background and sets it; what is wrong with it becomes a notice.
    void openRuntimeLog(const QString& path);

    /// Asks what a table is meant for that looks like a plan of another open model; false when nothing does.
    bool askWhatTableIs(int opened);
    /// Judges the table that was opened as `table` as a plan of `model`: its run is shown there, and the table is closed.
    void judgeAsPlan(int table, int model);
    /// Looks in the background whether a file that was opened is another tool's plan of another open model, or the other way
    /// round, and lays it beside. True when `opened` may be such a plan, and is to wait for the answer.
    bool layBesideOthers(int opened);

    /// `next` takes the place of `before`: its file was read again.
    void hand(int before, int next);
    void forget(int model) { logs_.erase(model); }

Q_SIGNALS:
    void runtimeLogChanged();

private:
    struct Laying;
    void onLaid(const Laying& laying);
    void keepByItself(int id);

    WorkspaceAccess& desk_;
    std::map<int, std::shared_ptr<const Model>> logs_; ///< of the runtime, by model
    std::set<QString> byThemselves_;                   ///< files that are not to be laid beside a model
    BackgroundJobs jobs_;
};

} // namespace stowage

// The state of the Robustness view: studies in the background how much a planner's result depends on its seed and on small
// changes of sizes.
#pragma once

#include "app/canvas/pictures/robustness/robustness_picture.h"
#include "app/desktop/background_job.h"
#include "app/session/robustness_study.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace stowage {

class Workspace;

class RobustnessDesk : public QObject {
    Q_OBJECT

public:
    explicit RobustnessDesk(Workspace& workspace, QObject* parent = nullptr);

    /// Sets the shown run, which is of the current model. Results of another model, program or problem are discarded; those of
    /// another plan of the same problem are kept, also after the model's file was read again. Null (nothing is planned yet): the
    /// next run decides.
    void setRun(const std::shared_ptr<const Run>& run);
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    /// The chosen planner, else that of the run.
    [[nodiscard]] std::string planner() const;
    void choosePlanner(const std::string& name);

    /// Starts the plannings in the background; no effect while they run, and without a run. `workLimit` 0: the planner's own.
    void start(int seeds, int otherSizes, double percent, std::uint64_t workLimit);
    /// Stops the study; results so far are shown.
    void cancel() { job_.stop(); }
    [[nodiscard]] bool running() const { return job_.running(); }
    [[nodiscard]] int done() const { return done_ ? int(*done_) : 0; } ///< count of finished plannings
    [[nodiscard]] int wanted() const { return wanted_; }

    [[nodiscard]] const std::vector<SpreadRow>& rows() const { return rows_; }
    /// The request that gives a planning of `rows` with this seed and unchanged sizes again: planner, options, work limit and
    /// setup of the study, whatever has been chosen since, for the successor of a model whose file was read again. Requires rows.
    [[nodiscard]] PlanRequest request(std::uint64_t seed) const;
    /// Whether `request` would plan the program that was studied. Not after the ops were edited, until there is a plan of them.
    [[nodiscard]] bool plansWhatWasStudied() const;
    [[nodiscard]] const QString& told() const { return told_; } ///< result or error
    [[nodiscard]] bool failed() const { return failed_; }
    /// Shows the reason why a request cannot be executed.
    void refuse(const QString& why);

Q_SIGNALS:
    void changed();
    void rowsChanged();

private:
    struct Outcome {
        Expected<std::vector<RobustnessSample>> samples;
        std::shared_ptr<const Run> of;
        PlanRequest request;
        double percent = 0;
        bool stopped = false;
    };
    /// The request to plan the problem of the shown run with the chosen planner.
    [[nodiscard]] PlanRequest chosenRequest() const;
    void take(const Outcome& outcome);
    void setRows(std::vector<SpreadRow> rows);

    Workspace& workspace_;
    std::shared_ptr<const Run> run_;
    std::shared_ptr<const Run> last_; ///< `run_`, or the run before it was null
    int model_ = 0;                   ///< of `last_`, when it was set
    std::string chosen_;              ///< planner; empty: that of the run
    std::vector<SpreadRow> rows_;
    PlanRequest studied_; ///< request of the plannings in `rows_`, except for the seed
    QString told_;
    bool failed_ = false;
    BackgroundJob job_{WhenGone::wait}; ///< because it uses the session's planners
    std::shared_ptr<std::atomic<int>> done_;
    int wanted_ = 0;
};

} // namespace stowage

// The plannings, from their start until their run is removed: their requests, their progress, and the course of each search.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/replay/search_curve.h"
#include "app/desktop/workspace/model_edits.h"

#include <QElapsedTimer>
#include <QObject>

#include <map>
#include <string>
#include <vector>

namespace stowage {

/// A planner that ended with an error.
struct PlanFailure {
    int model = 0;
    std::string planner;
    Error error;
};

class Plannings : public QObject {
    Q_OBJECT

public:
    Plannings(Session& session, const OpenModels& models, ModelEdits& edits, const PlannerChoice& planners, QObject* parent);

    // --- to plan -----------------------------------------------------------------------------------------------------
    /// The request for a planner, with the current model and its setup.
    [[nodiscard]] PlanRequest request(const std::string& planner) const;
    void plan(); ///< starts the ticked planners
    /// The same for an open model, whether it is the current one or not, with the planners that are ticked for it; if none is,
    /// with the default planner.
    void plan(int model);
    /// Starts one planner. `follow`: emits `askedAlone`, so that its incumbents (also parts of a plan) and its result are shown;
    /// if it ends without a result, the run that was shown before.
    void planOnly(const std::string& planner, bool follow = true);
    /// The same for a request with a setup, options and limits of its own.
    void planOnly(PlanRequest wanted, bool follow = true);
    /// Starts one planner and records its steps, for replay.
    void planRecorded(const std::string& planner);
    void cancel();
    void cancelOf(int model);
    /// Cancels the plannings of a model, and discards their results.
    void drop(int model);
    /// Cancels the plannings of a model for another setup than the one that it has now.
    void leaveOldSetups(int model);

    // --- running -----------------------------------------------------------------------------------------------------
    [[nodiscard]] bool busy() const { return !jobs_.empty(); }
    [[nodiscard]] const std::map<int, JobStatus>& jobs() const { return jobs_; } ///< running jobs of all models
    /// The progress of the current batch (all planners started since none was running): 0 to 1, and in words.
    [[nodiscard]] double progress() const;
    [[nodiscard]] QString progressText(const NumberFormat& numbers) const;
    [[nodiscard]] double batchMs() const { return batchMs_; } ///< wall time of the last finished batch, in milliseconds
    /// Processes a status of a job. True if it was the last running one; only then the runs of setups in between during typing
    /// are removed, so that there is always a plan to show.
    bool follow(const JobStatus& status);
    /// Processes an added run. False if it is no longer wanted; then it was removed.
    bool take(const RunEntry& added, int job);
    void forgetRun(int run);
    /// The planners that ended with an error since the ticked planners were started for the model, in the order of their ends.
    [[nodiscard]] std::vector<PlanFailure> failuresOf(int model) const;

    // --- how a search goes -------------------------------------------------------------------------------------------
    /// The planner whose running search has samples: `preferred` if it is among them, else the first. Empty without one.
    [[nodiscard]] std::string searching(const std::string& preferred) const;
    /// The course of the search for a run, or (run 0) of the running search of `planner`. Null if nothing was recorded.
    [[nodiscard]] const std::vector<SearchSample>* search(int run, const std::string& planner) const;

Q_SIGNALS:
    void changed();
    void failuresChanged();
    void askedAlone(int job); ///< its incumbents and result are to be shown
    void ended(int job);      ///< the job has ended; its run, if any, was added before
    void noticed(const stowage::Notice& notice);

private:
    /// A planning, from its start until its run is gone.
    struct Search {
        int job = 0;
        PlanRequest request;
        int run = 0;               ///< 0: none yet
        bool given = false;        ///< cancelled
        bool unwanted = false;     ///< its setup is no longer current, and its results are discarded
        bool ofOldProgram = false; ///< so are those of a program that was replaced, whatever the setup
        std::vector<SearchSample> samples;
    };

    [[nodiscard]] PlanRequest requestOf(int model, const std::string& planner) const;
    void planWith(int model, const std::vector<std::string>& planners); ///< nothing without a model
    int start(PlanRequest wanted, bool record = false);                 ///< returns the job, which may be running already
    void dropLeftRuns();
    /// Removes the failures of a planner with the model; empty: of all planners.
    void dropFailures(int model, const std::string& planner);

    Session& session_;
    const OpenModels& models_;
    ModelEdits& edits_;
    const PlannerChoice& planners_;
    std::map<int, JobStatus> jobs_;
    std::map<int, PlanRequest> requests_; ///< by job of `jobs_`
    std::vector<Search> searches_;
    std::vector<PlanFailure> failures_;
    QElapsedTimer batch_;
    std::size_t batchSize_ = 0;
    double batchMs_ = 0;
};

} // namespace stowage

// Plannings, from their start until their run is gone: what is asked for, what is under way, how far it is, and how each search
// went.
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

class Plannings : public QObject {
    Q_OBJECT

public:
    Plannings(Session& session, const OpenModels& models, ModelEdits& edits, const PlannerChoice& planners, QObject* parent);

    // --- to plan -----------------------------------------------------------------------------------------------------
    /// For the model that is worked on as its setup is now.
    [[nodiscard]] PlanRequest request(const std::string& planner) const;
    void plan(); ///< the ticked planners
    /// One planner. `follow`: `askedAlone` is signalled, so that what it hands over meanwhile is shown, also parts of a plan, and
    /// its result; when it ends without one, the run that was shown before.
    void planOnly(const std::string& planner, bool follow = true);
    /// Keeps its steps, for replay.
    void planRecorded(const std::string& planner);
    void cancel();
    void cancelOf(int model);
    /// Gives up what is planned of a model: its result is dropped, too.
    void drop(int model);
    /// Gives up plannings of the model that is worked on for another setup than the one in force.
    void leaveOldSetups();

    // --- under way ---------------------------------------------------------------------------------------------------
    [[nodiscard]] bool busy() const { return !jobs_.empty(); }
    [[nodiscard]] const std::map<int, JobStatus>& jobs() const { return jobs_; } ///< of all models
    /// Of the planners started since nothing was under way: 0 … 1, and in words.
    [[nodiscard]] double progress() const;
    [[nodiscard]] QString progressText(const NumberFormat& numbers) const;
    [[nodiscard]] double batchMs() const { return batchMs_; } ///< wall time of the last finished batch
    /// Takes over what the session says of a job. True when it was the last one under way: runs of setups that were passed
    /// through while something was typed are dropped then, not before, so that there is always a plan to show.
    bool follow(const JobStatus& status);
    /// Takes a run that was added. False when nobody wants it any more: it is gone then.
    bool take(const RunEntry& added, int job);
    void forgetRun(int run);

    // --- how a search goes -------------------------------------------------------------------------------------------
    /// The planner whose search is under way and has told something: `preferred` if it is among them, else the first one. Empty
    /// without one.
    [[nodiscard]] std::string searching(const std::string& preferred) const;
    /// How the search for a run went, or (run 0) how that of `planner` goes. Null when nothing was kept.
    [[nodiscard]] const std::vector<SearchSample>* search(int run, const std::string& planner) const;

Q_SIGNALS:
    void changed();
    void askedAlone(int job); ///< what it hands over is to be shown
    void ended(int job);      ///< it is no longer under way; a run of it was added before, if there is one
    void noticed(const stowage::Notice& notice);

private:
    /// A planning, from its start until its run is gone.
    struct Search {
        int job = 0;
        PlanRequest request;
        int run = 0;           ///< 0: not there yet
        bool given = false;    ///< cancelled
        bool unwanted = false; ///< its setup has been left: what it still hands over is dropped
        std::vector<SearchSample> samples;
    };

    int start(const std::string& planner, bool record = false); ///< returns the job, also of one that is under way already
    void dropLeftRuns();

    Session& session_;
    const OpenModels& models_;
    ModelEdits& edits_;
    const PlannerChoice& planners_;
    std::map<int, JobStatus> jobs_;
    std::map<int, PlanRequest> requests_; ///< of `jobs_`
    std::vector<Search> searches_;
    QElapsedTimer batch_;
    std::size_t batchSize_ = 0;
    double batchMs_ = 0;
};

} // namespace stowage

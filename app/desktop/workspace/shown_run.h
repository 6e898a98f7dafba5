// The runs of the model that is worked on: their order, the one that is shown, and what a filter leaves of it.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/selection_model.h"
#include "app/desktop/workspace/plannings.h"

#include <QObject>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace stowage {

class ShownRun : public QObject {
    Q_OBJECT

public:
    ShownRun(Session& session, SelectionModel& selection, const OpenModels& models, const Plannings& plannings, QObject* parent);

    // --- all of the model --------------------------------------------------------------------------------------------
    [[nodiscard]] std::vector<const RunEntry*> runs() const;               ///< smallest first
    [[nodiscard]] const RunEntry* runOf(const std::string& planner) const; ///< the latest, or null
    /// Runs for the setup as it is now go before those for another. Of a kernel's plans that fit, the one by its own planner:
    /// what is smallest may make pipes wait. Null without any.
    [[nodiscard]] const RunEntry* best() const;
    /// The run `delta` places after the shown one in the order of `runs`, kept inside it; null without any.
    [[nodiscard]] const RunEntry* neighbour(int delta) const;
    /// Removes all of them.
    void clear();

    // --- the one that is shown ---------------------------------------------------------------------------------------
    [[nodiscard]] int id() const { return id_; } ///< 0: none, or an incumbent
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    [[nodiscard]] bool showsIncumbent() const { return run_ && id_ == 0; }
    /// What is shown, or would be shown, of a model; null: nothing is planned.
    [[nodiscard]] std::shared_ptr<const Run> runOfModel(int model) const;
    /// The same as an entry that was chosen there before; 0: none was.
    [[nodiscard]] int idOfModel(int model) const;
    void show(int id, std::shared_ptr<const Run> run);
    void show(const RunEntry* entry) { show(entry ? entry->id : 0, entry ? entry->run : nullptr); }
    /// The user picked a run: better ones do not take its place.
    void choose(const RunEntry& entry);
    /// Shows what a job hands over whatever else there is, until it ends or another run is chosen.
    void follow(int job);
    /// What is to be shown when all plannings have ended, null to leave what is there. Also after a cancel that left an incumbent
    /// without a result.
    [[nodiscard]] const RunEntry* atEnd() const { return !chosen_ || showsIncumbent() ? best() : nullptr; }
    /// Selects the buffer that reaches highest in a pool (none: the largest pool), so that what it rests on says why the pool is
    /// that high. Nothing without one.
    void selectTop(PoolId pool);

    // --- models come and go ------------------------------------------------------------------------------------------
    /// Another model is worked on from here on: keeps what was shown and selected of the one before.
    void leave(int model);
    /// What was shown of the model before, or its best run; `select` then selects what was selected.
    [[nodiscard]] const RunEntry* enter(int model);
    void selectAsBefore(int model);
    void putShown(int model, int run) { kept_[model].shown = run; }
    void forget(int model) { kept_.erase(model); }
    void forgetId() { id_ = 0; }

    // --- runs come and go --------------------------------------------------------------------------------------------
    void onIncumbent(int job, const std::shared_ptr<const Run>& run);
    void onAdded(const RunEntry& added, int job);
    void onEnded(int job);
    void onRemoved(int run);

Q_SIGNALS:
    void changed();     ///< another run is shown
    void listChanged(); ///< runs came or went

private:
    struct Kept {
        int shown = 0;
        std::vector<BufferId> selected;
    };
    [[nodiscard]] bool showsFollowed() const { return followed_ && showsIncumbent() && incumbentOf_ == followed_; }
    void renewMask();

    Session& session_;
    SelectionModel& selection_;
    const OpenModels& models_;
    const Plannings& plannings_;
    std::map<int, Kept> kept_; ///< by model
    int id_ = 0;
    bool chosen_ = false; ///< the user picked the run that is shown
    std::shared_ptr<const Run> run_;
    int followed_ = 0;    ///< the job whose incumbents are shown whatever else there is
    int before_ = 0;      ///< the run that was shown before them
    int incumbentOf_ = 0; ///< the job of the last incumbent that was shown
    BackgroundJob maskJob_;
};

} // namespace stowage

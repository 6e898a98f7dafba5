// The runs of the current model: their order, the shown run, and the result of the filter for it.
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
    [[nodiscard]] const RunEntry* runOf(const std::string& planner) const; ///< the latest run, or null
    /// The best run: of the current setup first. Of a kernel's fitting plans that of Ascend's planner, because the smallest one
    /// may stall pipes. Null without runs.
    [[nodiscard]] const RunEntry* best() const;
    /// The run `delta` places after the shown one in the order of `runs`, clamped; null without runs.
    [[nodiscard]] const RunEntry* neighbour(int delta) const;
    /// Removes all runs.
    void clear();

    // --- the one that is shown ---------------------------------------------------------------------------------------
    [[nodiscard]] int id() const { return id_; } ///< 0: none, or an incumbent
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    [[nodiscard]] bool showsIncumbent() const { return run_ && id_ == 0; }
    /// The run that is shown, or would be shown, of a model; null without runs.
    [[nodiscard]] std::shared_ptr<const Run> runOfModel(int model) const;
    /// The id of the run that was shown of a model before; 0: none.
    [[nodiscard]] int idOfModel(int model) const;
    void show(int id, std::shared_ptr<const Run> run);
    void show(const RunEntry* entry) { show(entry ? entry->id : 0, entry ? entry->run : nullptr); }
    /// Shows a run that the user has chosen; better ones do not replace it.
    void choose(const RunEntry& entry);
    /// Shows the incumbents of a job in preference to runs, until it ends or another run is chosen.
    void follow(int job);
    /// The run to show when all plannings have ended; null: keep the shown one. Also after a cancel that left an incumbent
    /// without a result.
    [[nodiscard]] const RunEntry* atEnd() const { return !chosen_ || showsIncumbent() ? best() : nullptr; }
    /// Selects the highest buffer of a pool (`none`: of the largest pool), so that its chain of supports explains the size of the
    /// pool. No effect without one.
    void selectTop(PoolId pool);

    // --- models come and go ------------------------------------------------------------------------------------------
    /// To be called when the current model changes: saves what was shown and selected of `model`.
    void leave(int model);
    /// The run that was shown of the model before, or its best run; `selectAsBefore` restores the selection, if the shown run has
    /// the buffers that were selected.
    [[nodiscard]] const RunEntry* enter(int model);
    void selectAsBefore(int model);
    /// Sets the run that `enter` returns, as if the user had chosen it; 0: none.
    void putShown(int model, int run);
    void forget(int model) { kept_.erase(model); }
    void forgetId() { id_ = 0; }

    // --- runs come and go --------------------------------------------------------------------------------------------
    void onIncumbent(int job, const std::shared_ptr<const Run>& run);
    void onAdded(const RunEntry& added, int job);
    void onEnded(int job);
    void onRemoved(int run);

Q_SIGNALS:
    void changed();     ///< another run is shown
    void listChanged(); ///< runs were added or removed

private:
    struct Kept {
        int shown = 0;       ///< 0: none, or an incumbent
        bool chosen = false; ///< the user has chosen it
        std::vector<BufferId> selected;
        std::shared_ptr<const Lowering> lowering; ///< to which the ids in `selected` belong; null: none are selected
    };
    [[nodiscard]] bool showsFollowed() const { return followed_ && showsIncumbent() && incumbentOf_ == followed_; }
    void renewMask();

    Session& session_;
    SelectionModel& selection_;
    const OpenModels& models_;
    const Plannings& plannings_;
    std::map<int, Kept> kept_; ///< by model
    int id_ = 0;
    bool chosen_ = false; ///< the user has chosen the shown run
    std::shared_ptr<const Run> run_;
    int followed_ = 0;    ///< job whose incumbents are shown in preference to runs
    int before_ = 0;      ///< run that was shown before its incumbents
    int incumbentOf_ = 0; ///< job of the last shown incumbent
    BackgroundJob maskJob_;
};

} // namespace stowage

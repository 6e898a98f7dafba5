// The comparison of runs of the model: the runs in the maps, the pool of the maps, and the difference of two runs.
#pragma once

#include "app/desktop/background_job.h"
#include "core/explain/plan_difference.h"
#include "core/plan/run.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

class Workspace;
struct RunEntry;

class ComparedRuns : public QObject {
    Q_OBJECT

public:
    explicit ComparedRuns(Workspace& workspace, QObject* parent = nullptr);

    static constexpr int maxMaps = 4;

    /// To be called after runs were added or removed, or the current model changed. `room`: count of maps for which there is
    /// room.
    void renew(int room);
    void setRoom(int room);
    /// Ids of the runs in the maps, from the left: the picked ones, else the shown one and the best of the others.
    [[nodiscard]] const std::vector<int>& shown() const { return shown_; }
    /// Null for a run that the model does not have.
    [[nodiscard]] const RunEntry* entry(int run) const;
    [[nodiscard]] int count() const { return count_; } ///< count of maps if no runs are picked
    /// Sets the count of maps, 2 to 4; clears the picked runs.
    void setCount(int count);
    /// Adds a run to the maps or removes it. At most `maxMaps`: a further one replaces the last.
    void toggle(int run);
    /// Picks the latest runs of these planners, also if they are still being planned. Of two planners, the difference is that of
    /// the second from the first.
    void pickPlanners(std::vector<std::string> planners);

    /// The pool of the maps in a run; `none` if it has no pool of that name.
    [[nodiscard]] PoolId poolOf(const Run& run) const;
    [[nodiscard]] const std::string& poolName() const { return poolName_; }
    void choosePool(const std::string& name);

    /// The run whose plan the difference shows, and the run that it is compared with; null with fewer than two runs.
    [[nodiscard]] const std::shared_ptr<const Run>& here() const { return here_; }
    [[nodiscard]] const std::shared_ptr<const Run>& there() const { return there_; }
    [[nodiscard]] int chosenHere() const { return hereRun_; } ///< id; 0: not chosen
    [[nodiscard]] int chosenThere() const { return thereRun_; }
    void chooseHere(int run);
    void chooseThere(int run);
    /// The difference of the two, computed in the background; no value before the first.
    [[nodiscard]] const std::optional<PlanDifference>& difference() const { return difference_; }

Q_SIGNALS:
    void changed();           ///< the runs or the pool of the maps
    void differenceChanged(); ///< another difference, or none

private:
    /// Runs with equal keys take each other's place in the maps: a planning with other pins, or with edited pools of the same
    /// target, replaces the one before.
    struct Key {
        std::string planner;
        Fingerprint lowering; ///< without pins and pools
        std::string target;
        friend bool operator==(const Key&, const Key&) = default;
    };
    [[nodiscard]] std::vector<int> chosen();
    void choose();
    void choosePoolByItself();
    void compare();
    [[nodiscard]] static Key keyOf(const RunEntry& entry);

    Workspace& workspace_;
    int model_ = 0;
    int room_ = maxMaps;
    std::string poolName_;
    bool poolChosen_ = false;                 ///< by the user; false: the pool with the most buffers of all runs
    std::vector<Key> picked_;                 ///< runs picked for the maps; empty: the first runs
    std::vector<std::string> pickedPlanners_; ///< planners whose latest runs are in the maps; precedes `picked_`
    std::vector<int> shown_;
    int count_ = 3;
    int hereRun_ = 0;
    int thereRun_ = 0;
    std::optional<PlanDifference> difference_;
    std::shared_ptr<const Run> here_, there_; ///< of the shown difference, or the one being computed
    BackgroundJobs jobs_;
};

} // namespace stowage

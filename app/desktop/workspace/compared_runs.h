// Which runs of the model are compared: those in the maps, the pool that the maps show, and what moved between two of them.
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

    /// After runs were added or went, or another model is worked on. `room`: maps that there is room for.
    void renew(int room);
    void setRoom(int room);
    /// Ids of the runs in the maps, from the left: those picked, else the shown one and the best of the others.
    [[nodiscard]] const std::vector<int>& shown() const { return shown_; }
    /// Null for a run that the model does not have.
    [[nodiscard]] const RunEntry* entry(int run) const;
    [[nodiscard]] int count() const { return count_; } ///< maps that are shown when nothing is picked
    /// Maps beside each other, 2 to 4; what was picked is forgotten.
    void setCount(int count);
    /// Shows a run in the maps or leaves it out. Four at most: a fifth takes the place of the last.
    void toggle(int run);
    /// The latest runs of these planners, as soon as they are there; two of them are those of the difference, the second drawn.
    void pickPlanners(std::vector<std::string> planners);

    /// The pool of the maps in a run; none where it has no pool of that name.
    [[nodiscard]] PoolId poolOf(const Run& run) const;
    [[nodiscard]] const std::string& poolName() const { return poolName_; }
    void choosePool(const std::string& name);

    /// The plan that is drawn, and the one that it is compared with; null with fewer than two runs.
    [[nodiscard]] const std::shared_ptr<const Run>& here() const { return here_; }
    [[nodiscard]] const std::shared_ptr<const Run>& there() const { return there_; }
    [[nodiscard]] int chosenHere() const { return hereRun_; } ///< id; 0: not chosen
    [[nodiscard]] int chosenThere() const { return thereRun_; }
    void chooseHere(int run);
    void chooseThere(int run);
    /// What moved between them: found in the background; nothing before the first one is there.
    [[nodiscard]] const std::optional<PlanDifference>& difference() const { return difference_; }

Q_SIGNALS:
    void changed();           ///< other runs or another pool in the maps
    void differenceChanged(); ///< another one, or none

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
    bool poolChosen_ = false;                 ///< by the user; else the one with the most buffers of all runs
    std::vector<Key> picked_;                 ///< runs picked for the maps; empty: the first ones
    std::vector<std::string> pickedPlanners_; ///< whose latest runs are in the maps; goes before `picked_`
    std::vector<int> shown_;
    int count_ = 3;
    int hereRun_ = 0;
    int thereRun_ = 0;
    std::optional<PlanDifference> difference_;
    std::shared_ptr<const Run> here_, there_; ///< of the difference that is shown or under way
    BackgroundJobs jobs_;
};

} // namespace stowage

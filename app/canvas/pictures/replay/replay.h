// The recorded steps of a search as states that can be visited in any order: the placement of every buffer after each step. No
// Qt.
#pragma once

#include "core/plan/reuse_level.h"
#include "core/plan/run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// The sizes of the pools after a step; if several steps share a sample, after the last of them.
struct ReplayHeight {
    std::size_t step = 0; ///< count of steps
    Bytes height = 0;     ///< sum over the pools of the highest occupied byte + 1
    Bytes best = 0;       ///< the smallest total that the search had reported (an `improve` step); 0: none yet

    friend bool operator==(const ReplayHeight&, const ReplayHeight&) = default;
};

/// Goes forward by applying steps, and backward from saved states. `place` places a buffer, `remove` removes it, `improve`
/// reports a better total, `reject` and `note` change nothing. Steps with levels (of planner `hivm`) refer to one slot each: a
/// buffer of several slots is placed slot by slot, and removed slot by slot. The same holds for a rotating buffer if that leads
/// to the offsets of the plan: its slots follow in the order of their placement. If it does not, the steps refer to the first
/// slot, and the others move with it.
class Replay {
public:
    /// O(steps + buffers * saved states). Requires a run with recorded steps; steps with unknown buffers or pools are ignored.
    explicit Replay(std::shared_ptr<const Run> run);

    [[nodiscard]] const std::shared_ptr<const Run>& source() const { return run_; }
    [[nodiscard]] std::size_t steps() const;
    [[nodiscard]] std::size_t at() const { return at_; }
    /// Goes to the state after the first `step` steps, at most all. O(steps since a saved state).
    void seek(std::size_t step);
    [[nodiscard]] const std::vector<Placement>& placements() const { return placements_; }
    /// The state as a run that can be shown like any other: its report has the sizes of the pools and the bounds and capacities
    /// of the source, but no verdict. O(buffers).
    [[nodiscard]] std::shared_ptr<const Run> frame() const;
    /// The step before this state; null at the beginning.
    [[nodiscard]] const RecordedStep* last() const;
    /// The last step in words.
    struct Told {
        std::string what;   ///< "places conv1 at 0x400"
        std::string chosen; ///< reason for choosing this buffer, if the planner chose among several just before; else empty
        std::string why;    ///< reason for the place or the action; may be empty
    };
    [[nodiscard]] Told tell() const;
    /// The last step in one text: "places conv1 at 1,024: the lowest gap". Empty at the beginning.
    [[nodiscard]] std::string describe() const;
    /// The level at which step `number` (from 0) placed a buffer; no value for other steps, and for planners without levels.
    /// O(1).
    [[nodiscard]] std::optional<hivm::Level> levelOf(std::size_t number) const;
    [[nodiscard]] bool hasLevels() const { return slotwise_; }
    /// Whether step `number` is a rollback. O(1).
    [[nodiscard]] bool isRollback(std::size_t number) const;
    [[nodiscard]] std::size_t rollbacks() const; ///< count of rollbacks; O(steps)
    /// The next step after `at`, or the last one before it, of this kind; the end (or 0) if there is none. O(steps).
    [[nodiscard]] std::size_t find(StepKind kind, bool forward) const;

    /// Heights over the steps, at most `maxHeights` samples; if there are more steps, each sample has the maximum of its steps,
    /// so that no peak is lost.
    [[nodiscard]] const std::vector<ReplayHeight>& heights() const { return heights_; }
    /// The maximum size of a pool over all steps.
    [[nodiscard]] Bytes maxOf(PoolId pool) const
    {
        return pool >= 0 && std::size_t(pool) < most_.size() ? most_[std::size_t(pool)] : 0;
    }
    static constexpr std::size_t maxHeights = 4000;

private:
    [[nodiscard]] bool valid(const RecordedStep& step) const;
    void apply(const RecordedStep& step);
    void survey();
    [[nodiscard]] std::string describeSlot(const RecordedStep& step, const std::string& name, const std::string& where) const;

    std::shared_ptr<const Run> run_;
    std::vector<Placement> placements_;
    std::size_t at_ = 0;
    std::size_t between_ = 1; ///< steps between two saved states
    struct Spot {
        PoolId pool = none;
        Bytes offset = 0;
        RareList<Bytes> slots; ///< the slots, if there are several and steps refer to slots
    };
    void setSlots(std::size_t buffer, std::vector<Bytes> offsets);
    void findSlotwise();

    bool slotwise_ = false;
    std::vector<bool> bySlot_;            ///< by buffer: whether each of its steps places one slot
    std::vector<std::vector<Spot>> kept_; ///< saved states, after k * `between_` steps
    std::vector<ReplayHeight> heights_;
    std::vector<Bytes> most_;
};

} // namespace stowage

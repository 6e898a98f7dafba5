// The recorded steps of a search as states that can be looked at in any order: where every buffer lay after each step. No Qt.
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

/// How high the pools were after a step: the last of those that share a sample.
struct ReplayHeight {
    std::size_t step = 0; ///< number of steps taken
    Bytes height = 0;     ///< sum over the pools of the highest occupied byte + 1
    Bytes best = 0;       ///< the smallest total that the search had reported (an `improve` step); 0: none yet

    friend bool operator==(const ReplayHeight&, const ReplayHeight&) = default;
};

/// Forward by applying steps, backward from states kept now and then. `place` puts a buffer (from wherever it lay), `remove`
/// takes it away, `improve` tells of a better total, `reject` and `note` change nothing. Steps that name levels (of planner
/// `hivm`) are about one slot each: a buffer of several slots is placed several times, and taken away slot by slot. So is a
/// buffer that rotates, where that ends with the offsets of the plan: its slots come one after the other, as they were placed.
/// Where it does not, the steps are about the first slot, and all others move with it.
class Replay {
public:
    /// O(steps + buffers * states kept). Requires a run with recorded steps; steps about buffers or pools that do not exist are
    /// passed over.
    explicit Replay(std::shared_ptr<const Run> run);

    [[nodiscard]] const std::shared_ptr<const Run>& source() const { return run_; }
    [[nodiscard]] std::size_t steps() const;
    [[nodiscard]] std::size_t at() const { return at_; }
    /// Goes to the state after the first `step` steps, at most all. O(steps between it and a kept state).
    void seek(std::size_t step);
    [[nodiscard]] const std::vector<Placement>& placements() const { return placements_; }
    /// The state as a run that can be shown like any other: its report has the pools' sizes and the source's bounds and
    /// capacities, and no verdict. O(buffers).
    [[nodiscard]] std::shared_ptr<const Run> frame() const;
    /// The step that led here; null at the beginning.
    [[nodiscard]] const RecordedStep* last() const;
    /// What the last step did and why, apart.
    struct Told {
        std::string what;   ///< "places conv1 at 0x400"
        std::string chosen; ///< why it was this one's turn, where the planner chose among several just before; else empty
        std::string why;    ///< why there, or why that; may be empty
    };
    [[nodiscard]] Told tell() const;
    /// What the last step did, for people: "places conv1 at 1,024: the lowest gap". Empty at the beginning.
    [[nodiscard]] std::string describe() const;
    /// At which level step `number` (from 0) placed a buffer; nothing where it did something else, or of a planner without
    /// levels. O(1).
    [[nodiscard]] std::optional<hivm::Level> levelOf(std::size_t number) const;
    [[nodiscard]] bool hasLevels() const { return slotwise_; }
    /// True when step `number` takes back a place that was found before. O(1).
    [[nodiscard]] bool isRollback(std::size_t number) const;
    [[nodiscard]] std::size_t rollbacks() const; ///< of all steps; O(steps)
    /// The next step after `at` (or, backwards, the one before) that is of `kind`; the end (or 0) without one. O(steps).
    [[nodiscard]] std::size_t find(StepKind kind, bool forward) const;

    /// Heights over the steps, at most `maxHeights` of them: where there are more, each has the greatest height of its part, so
    /// that none is lost.
    [[nodiscard]] const std::vector<ReplayHeight>& heights() const { return heights_; }
    /// The greatest size of a pool at any step, by pool.
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
    std::size_t between_ = 1; ///< steps from one kept state to the next
    struct Spot {
        PoolId pool = none;
        Bytes offset = 0;
        RareList<Bytes> slots; ///< more than one of them, where steps are about slots
    };
    void setSlots(std::size_t buffer, std::vector<Bytes> offsets);
    void findSlotwise();

    bool slotwise_ = false;
    std::vector<bool> bySlot_;            ///< by buffer: its steps place one slot each
    std::vector<std::vector<Spot>> kept_; ///< after k * `between_` steps
    std::vector<ReplayHeight> heights_;
    std::vector<Bytes> most_;
};

} // namespace stowage

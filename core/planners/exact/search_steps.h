// Records the steps of the exact search: placements, their removal, and better layouts.
#pragma once

#include "core/plan/plan.h"
#include "core/plan/recorder.h"

#include <cstdint>
#include <span>
#include <vector>

namespace stowage::exact {

/// How a search for a layout within a capacity ends.
enum class Outcome : std::uint8_t { found, impossible, limit, stopped };

/// Writes steps to a recorder. After `maxMoves` placements and removals only better layouts are recorded, and a note says so,
/// because a search may make millions of them. After every step, the recorded buffers lie where the search had placed them at
/// that point; the first slot represents all slots of a buffer. When a layout replaces another one, all removals are recorded
/// before all placements, so that buffers do not overlap in between.
class SearchSteps {
public:
    static constexpr std::size_t maxMoves = 200'000;

    /// `problem` and `recorder` must outlive this object. At first no buffer is shown as placed.
    SearchSteps(const Problem& problem, StepRecorder& recorder);

    /// Records `plan` as the best plan so far. O(buffers).
    void better(const Plan& plan, StepRule why);
    /// The same for one pool; other pools stay as shown. `slots` as in `enter`; `offsets` in bytes, by position in `slots`.
    void better(PoolId pool, std::span<const BufferId> slots, std::span<const Bytes> offsets, StepRule why);

    /// The next searches place `slots`, each given by its buffer; a buffer with several slots is listed once for each. Offsets
    /// are in units of `unit` bytes.
    void enter(PoolId pool, std::span<const BufferId> slots, Bytes unit);
    /// A search for a layout of `capacity` units begins: removes its slots.
    void begin(std::int64_t capacity);
    /// Places a slot, given by its position in the `slots` of `enter`, at an offset in units.
    void place(std::int32_t slot, std::int64_t offset, StepRule why);
    /// Removes a slot.
    void remove(std::int32_t slot);
    /// Rejects the last offset of a slot: it must lie higher, because the search found no layout with that offset.
    void refuse(std::int32_t slot);
    /// The current search ends. Until `maxMoves`, a note tells how.
    void end(Outcome outcome);

private:
    struct Spot {
        PoolId pool = none;
        Bytes offset = 0;
        friend bool operator==(const Spot&, const Spot&) = default;
    };
    /// False beyond `maxMoves`.
    bool moves();
    void note(StepRule rule, std::int64_t number = 0);
    void put(BufferId buffer, Spot spot, std::uint16_t reason);
    void takeAway(BufferId buffer, std::uint16_t reason);
    void show(const std::vector<Spot>& wanted, std::uint16_t reason);
    void improve();

    const Problem& problem_;
    StepRecorder& recorder_;
    std::vector<Spot> shown_; ///< by buffer
    std::size_t moved_ = 0;
    bool silent_ = false;
    // Of the pool that is searched.
    PoolId pool_ = none;
    Bytes unit_ = 1;
    std::vector<BufferId> slots_;
    std::vector<std::uint8_t> first_; ///< by slot: true for the first slot of its buffer
};

} // namespace stowage::exact

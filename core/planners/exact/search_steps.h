// The recorded steps of the exact search: every placement tried and taken back, and every better layout.
#pragma once

#include "core/plan/plan.h"
#include "core/plan/recorder.h"

#include <cstdint>
#include <span>
#include <vector>

namespace stowage::exact {

/// How a search for a layout inside a capacity ends.
enum class Outcome : std::uint8_t { found, impossible, limit, stopped };

/// Writes steps to a recorder. A search may take back millions of placements, so after `maxMoves` of
/// them only better layouts are recorded, and a note says so. After every prefix of the steps the buffers shown lie where the
/// search had them at that point; of a multi-buffer the first slot stands for all. A layout replaces another in two sweeps, first
/// what leaves, then what comes, so that no step shows two buffers in one place that the search did not put there.
class SearchSteps {
public:
    static constexpr std::size_t maxMoves = 200'000;

    /// Both outlive the steps. Nothing is shown as placed yet.
    SearchSteps(const Problem& problem, StepRecorder& recorder);

    /// Shows all of `plan`, with its size as the best so far. O(buffers).
    void better(const Plan& plan, StepRule why);
    /// The same for one pool: the others stay as they are shown. `slots` as in `enter`; `offsets` by position in it, in bytes.
    void better(PoolId pool, std::span<const BufferId> slots, std::span<const Bytes> offsets, StepRule why);

    /// The next searches place these slots, each given by its buffer (one of several slots stands there once for each, in turn).
    /// Their offsets count in `unit` bytes.
    void enter(PoolId pool, std::span<const BufferId> slots, Bytes unit);
    /// A search for a layout of `capacity` units begins: what it is to place leaves.
    void begin(std::int64_t capacity);
    /// A slot, by its position in the `slots` of `enter`, gets an offset in its units.
    void place(std::int32_t slot, std::int64_t offset, StepRule why);
    /// A placement is taken back.
    void remove(std::int32_t slot);
    /// It lies higher than it just did: with it there is no layout.
    void refuse(std::int32_t slot);
    /// The search that began last ends; a note says how, until `maxMoves`.
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
    // Of the searched pool.
    PoolId pool_ = none;
    Bytes unit_ = 1;
    std::vector<BufferId> slots_;
    std::vector<std::uint8_t> first_; ///< by slot: it is the first of its buffer
};

} // namespace stowage::exact

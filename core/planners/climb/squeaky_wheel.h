// Orders of placement in which buffers that ended too high come earlier in the next pass.
#pragma once

#include "core/ir/checked.h"
#include "core/ir/random.h"
#include "core/planners/placement/placement_engine.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace stowage {

/// Places all buffers greedily, moves buffers that ended too high to the front of the order, and repeats (squeaky wheel
/// optimisation, Joslin & Clements 1999). On large inputs few steps are nearly full, and few buffers compete there, so that a few
/// passes often succeed where no fixed order does: `bench/idealloc`'s pangu goes from 0.8 % above its bound to the bound
/// in two passes of 19,000 buffers.
///
/// One track is one order with one gap rule. Tracks are independent while they run, so they may run in any number of threads.
/// Between runs, `halve` drops the worse tracks.
class SqueakyWheel {
public:
    /// True when all buffers go to the only workspace pool.
    static bool applies(const Problem& problem);

    /// All outlive it. `bound`: a lower bound in bytes; a track that reaches it ends. Of the context, cancel and deadline
    /// count.
    SqueakyWheel(const BufferTable& table, const PlanContext& context, Bytes bound, std::uint64_t seed);

    [[nodiscard]] std::size_t tracks() const { return tracks_.size(); }
    /// Places all buffers `passes` times on one track; fewer times when the bound is reached or `cancelled` is set. Different
    /// tracks may run at the same time. Deterministic in (table, seed, the track's passes so far) unless stopped.
    void run(std::size_t track, std::uint64_t passes, const std::atomic<bool>& cancelled);
    /// Keeps the better half of the tracks, at least two.
    void halve();
    /// Adds a track that begins with the order of offsets of `plan`, which places everything.
    void adopt(const Plan& plan);

    /// The smallest size of a track so far; `maxBytes` before its first pass.
    [[nodiscard]] Bytes bestOf(std::size_t track) const { return tracks_[track]->bestSize.total; }
    [[nodiscard]] bool closed(std::size_t track) const { return bestOf(track) <= bound_; }
    /// Placements tried by a track that was not dropped.
    [[nodiscard]] std::uint64_t workOf(std::size_t track) const { return tracks_[track]->work; }
    /// The best plan of a track that has finished a pass.
    [[nodiscard]] Expected<Plan> planOf(std::size_t track, const PlannerInfo& info, const OptionValues& options) const;

private:
    struct Track {
        Track(std::vector<BufferId> start, GapRule gap, std::uint64_t seed) : order(std::move(start)), rule(gap), dice(seed) {}
        std::vector<BufferId> order;
        GapRule rule;
        Dice dice;
        std::unique_ptr<PlacementEngine> engine; ///< made with the first pass
        PlacementEngine::Layout best;
        std::vector<BufferId> bestOrder;
        Objective bestSize = Objective::worst();
        std::uint64_t work = 0;
        int idle = 0; ///< passes since the last better one
    };
    void blame(Track& track) const;
    [[nodiscard]] Bytes endOf(const PlacementEngine::Layout& layout, BufferId id) const;

    const BufferTable& table_;
    PlanContext context_;
    Bytes bound_;
    std::uint64_t seed_;
    std::uint64_t made_ = 0; ///< tracks ever made
    std::vector<std::unique_ptr<Track>> tracks_;
};

} // namespace stowage

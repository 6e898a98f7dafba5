// The improver of one pool: new layouts by the beam, and cones of the best ones, in turns.
#pragma once

#include "core/planners/improve/beam.h"
#include "core/planners/improve/cones.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace stowage::improve {

/// Looks for ever lower layouts of one pool, for as long as it is let. It works in episodes, each of which has about twice the
/// work of the one before: whole layouts by the beam, each with another target and softness, then cones of the best one. Every
/// other episode takes cones of the best layout of all instead of a new one.
///
/// Where all sections are full, an optimal layout wastes nothing, and cones of a layout that wastes something hardly lead to it.
/// There most of the work goes to new layouts, which have to be lower than the best one, and every other new target is the bound.
/// `pin_n401` of `bench/tight` becomes optimal after 0.6e9 to 1.7e9 entries, within 6 s (each of 6 seeds); before this rule only
/// 1 seed of 3 had done so after 3e9.
class PoolImprover {
public:
    /// `start`: a valid layout of `instance`, in units. `instance` outlives it. Requires at least one section. `lane`, >= 0,
    /// tells improvers of one pool apart, so that they do unlike things: lane 0 builds its first layout without jitter and never
    /// raises the price of a layout by a cone, the others do both.
    PoolImprover(const Instance& instance, std::vector<std::int32_t> start, std::uint64_t seed, int lane = 0);

    /// Goes on until `work` more table entries are read (1 to 3 ns each), the bound is reached, or `stop`, which is asked every
    /// few milliseconds. Deterministic in (instance, start, seed, the work of each call, layouts adopted) unless stopped. A call
    /// may exceed its work by a run of the beam; the next ones then do less.
    void run(std::uint64_t work, const std::function<bool()>& stop);
    /// Takes over a layout of another search, if it is lower than the best one.
    void adopt(const std::vector<std::int32_t>& offsets);

    [[nodiscard]] const std::vector<std::int32_t>& best() const { return best_; }
    [[nodiscard]] std::int32_t height() const { return height_; } ///< of the best one, in units
    [[nodiscard]] bool closed() const { return height_ <= bound_; }
    [[nodiscard]] std::uint64_t work() const { return beam_.work() + cones_.work(); }

private:
    void build(const std::function<bool()>& stop);
    void nextEpisode();
    void setShares(bool anew);
    [[nodiscard]] std::int32_t heightOf(const std::vector<std::int32_t>& offsets) const;
    void keep(const std::vector<std::int32_t>& offsets, std::int32_t height);

    const Instance& instance_;
    std::int32_t bound_;
    bool full_; ///< nearly every section is as full as the bound
    Dice dice_;
    Beam beam_;
    Cones cones_;
    std::vector<std::int32_t> best_;
    std::int32_t height_;
    std::uint64_t due_ = 0; ///< work that all calls so far allow

    int lane_;

    // The episode.
    int episode_ = 0;
    int builds_ = 0;
    std::uint64_t firstBuild_ = 0; ///< work of the first one of all
    std::uint64_t share_ = 0;      ///< work of the builds of this episode
    std::uint64_t buildUntil_ = 0, conesUntil_ = 0;
    std::int32_t width_ = 1;
    std::vector<std::int32_t> built_; ///< the lowest one of the episode
    std::int32_t builtHeight_ = 0;
    std::int32_t goodTarget_ = 0;
    double goodSoftness_ = 0;
    bool inCones_ = false;
};

} // namespace stowage::improve

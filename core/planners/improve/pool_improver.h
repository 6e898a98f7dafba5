// Improves the layout of one pool: alternates between new layouts (Beam) and changes of the best ones (Cones).
#pragma once

#include "core/planners/improve/beam.h"
#include "core/planners/improve/cones.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace stowage::improve {

/// Searches for lower layouts of one pool, in episodes. Each episode has about twice the work of the one before. It builds new
/// layouts with the beam, each with another target and softness, then improves the best of them by cones. Every other episode
/// improves the best layout of all episodes instead of a new one.
///
/// If all sections are full, an optimal layout has no unused bytes, and cones of another layout hardly ever lead to it. Then most
/// of the work goes to new layouts, which must be lower than the best one, and every other target is the lower bound. With this
/// rule, `pin_n401` of `bench/tight` becomes optimal after 0.6e9 to 1.7e9 entries, within 6 s (each of 6 seeds); before, 1 seed
/// of 3 was optimal after 3e9 entries.
class PoolImprover {
public:
    /// `start`: a valid layout of `instance`, in units. `instance` must outlive this object. Requires at least one section.
    /// `lane` >= 0 diversifies the improvers of one pool: lane 0 builds its first layout without jitter, and its cones never
    /// raise the price; the other lanes use jitter and a tolerance.
    PoolImprover(const Instance& instance, std::vector<std::int32_t> start, std::uint64_t seed, int lane = 0);

    /// Runs until `work` more table entries are read (1 to 3 ns each), the lower bound is reached, or `stop` returns true; it is
    /// asked every few milliseconds. Unless stopped, deterministic in (instance, start, seed, work of each call, adopted
    /// layouts). A call may exceed its work by one run of the beam; later calls then do less.
    void run(std::uint64_t work, const std::function<bool()>& stop);
    /// Takes over a layout of another search if it is lower than the best one.
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
    bool full_; ///< almost every section has the load of the bound
    Dice dice_;
    Beam beam_;
    Cones cones_;
    std::vector<std::int32_t> best_;
    std::int32_t height_;
    std::uint64_t due_ = 0; ///< work granted by all calls so far

    int lane_;

    // The current episode.
    int episode_ = 0;
    int builds_ = 0;
    std::uint64_t firstBuild_ = 0; ///< work of the first build of all
    std::uint64_t share_ = 0;      ///< work of the builds of this episode
    std::uint64_t buildUntil_ = 0, conesUntil_ = 0;
    std::int32_t width_ = 1;
    std::vector<std::int32_t> built_; ///< the lowest layout of the episode
    std::int32_t builtHeight_ = 0;
    std::int32_t goodTarget_ = 0;
    double goodSoftness_ = 0;
    bool inCones_ = false;
};

} // namespace stowage::improve

// Improves a complete layout: takes a cone of buffers off it and fills the gap anew.
#pragma once

#include "core/ir/random.h"
#include "core/planners/improve/instance.h"
#include "core/planners/improve/slack_score.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace stowage::improve {

/// A complete layout and its price: the sum over all sections of SlackScore with the section's top as its open place, relative to
/// a target a little below the height. A step takes off some buffers at the top of a stretch of time together with everything
/// above them, so that what stays is closed downwards, fills the gap by a beam, and keeps the result unless the price rises by
/// more than a tolerance.
class Cones {
public:
    /// `instance` outlives it. `bound`: no layout is lower, in units, > 0. `tolerance` >= 0: most by which a step may raise the
    /// price, in prices of slack 0; each step draws its own limit, mostly a small one. The height never rises by it.
    Cones(const Instance& instance, std::int32_t bound, double tolerance, std::uint64_t seed);

    /// Goes on from this complete layout. O(sections covered).
    void start(std::vector<std::int32_t> offsets);
    /// One step. `stop` ends it early, without an effect.
    void step(const std::function<bool()>& stop);

    [[nodiscard]] std::int32_t height() const { return height_; }
    [[nodiscard]] const std::vector<std::int32_t>& offsets() const { return offsets_; }
    /// Table entries read so far, as for Beam.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    void renewTops();
    [[nodiscard]] SectionRange randomStretch();
    void takeOff(SectionRange stretch, std::size_t most);
    bool refill(const std::function<bool()>& stop);
    void turnOver();

    const Instance& instance_;
    std::int32_t bound_;
    double tolerance_;
    Dice dice_;
    SlackScore price_;
    bool turns_ = true;                             ///< a layout may be turned upside down: there are no pins
    std::vector<std::vector<std::int32_t>> covers_; ///< buffers, by section
    std::vector<std::int32_t> offsets_, tops_;      ///< by buffer; by section
    std::int32_t height_ = 0;
    int idle_ = 0;                      ///< steps since the last lower price
    std::vector<std::int32_t> off_;     ///< the buffers of the cone, ascending
    std::vector<char> isOff_, seen_;    ///< by buffer
    std::vector<std::int32_t> indexOf_; ///< scratch of Instance::part
    std::vector<std::int32_t> newTops_;
    std::vector<std::int64_t> sums_;
    std::uint64_t work_ = 0;
};

} // namespace stowage::improve

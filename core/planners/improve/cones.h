// Improves a complete layout: removes a cone of buffers from it and fills the space again.
#pragma once

#include "core/ir/random.h"
#include "core/planners/improve/instance.h"
#include "core/planners/improve/slack_score.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace stowage::improve {

/// Local search on a complete layout. Its price is the sum of SlackScore over all sections, with the top of a section as its open
/// place, relative to a target slightly below the height. A step removes a cone: some buffers at the top of a range of sections,
/// and all buffers above them. A beam search places the removed buffers again, above the remaining ones. The step is undone if
/// the price rises by more than a tolerance.
class Cones {
public:
    /// `instance` must outlive this object. `bound`: lower bound of the height, in units, > 0. `tolerance` >= 0: maximum rise of
    /// the price in a step, in units of the price of slack 0; each step draws a random limit below it, usually a small one. The
    /// height never rises.
    Cones(const Instance& instance, std::int32_t bound, double tolerance, std::uint64_t seed);

    /// Sets the current layout, which must be complete. O(sections covered).
    void start(std::vector<std::int32_t> offsets);
    /// Makes one step. If `stop` returns true, the step ends early without an effect.
    void step(const std::function<bool()>& stop);

    [[nodiscard]] std::int32_t height() const { return height_; }
    [[nodiscard]] const std::vector<std::int32_t>& offsets() const { return offsets_; }
    /// Number of table entries read so far, as in Beam.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    void renewTops();
    [[nodiscard]] SectionRange randomStretch();
    void takeOff(SectionRange stretch, std::size_t maxCount);
    bool refill(const std::function<bool()>& stop);
    void turnOver();

    const Instance& instance_;
    std::int32_t bound_;
    double tolerance_;
    Dice dice_;
    SlackScore price_;
    bool turns_ = true;                             ///< layouts may be mirrored (top to bottom), because there are no pins
    std::vector<std::vector<std::int32_t>> covers_; ///< buffers, by section
    std::vector<std::int32_t> offsets_, tops_;      ///< offsets by buffer, tops by section
    std::int32_t height_ = 0;
    int idle_ = 0;                      ///< steps since the price last fell
    std::vector<std::int32_t> off_;     ///< the buffers of the cone, ascending
    std::vector<char> isOff_, seen_;    ///< by buffer
    std::vector<std::int32_t> indexOf_; ///< scratch of Instance::part
    std::vector<std::int32_t> newTops_;
    std::vector<std::int64_t> sums_;
    std::uint64_t work_ = 0;
};

} // namespace stowage::improve

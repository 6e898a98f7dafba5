#include "core/planners/improve/cones.h"

#include "core/planners/improve/beam.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace stowage::improve {

namespace {

constexpr double softness = 0.01;
constexpr double targetShare = 0.99;          ///< target relative to the height
constexpr std::int32_t minCone = 20;          ///< buffers
constexpr int coneDoublings = 4;              ///< maximum number of doublings of the size of a cone: up to 320 buffers
constexpr std::int32_t widthTimesCone = 1600; ///< width of the beam times buffers in the cone
constexpr std::int32_t maxWidth = 80;
constexpr double refillJitter = 0.3;
constexpr int patience = 50; ///< steps

std::int32_t targetOf(std::int32_t height, std::int32_t bound)
{
    return std::max(bound, static_cast<std::int32_t>(height * targetShare));
}

/// `least` times a power of 2 with a random exponent in [0, doublings]; without std::exp, whose result differs between machines.
double randomTimes(double least, double doublings, Dice& dice)
{
    double exponent = doublings * (static_cast<double>(dice() >> 11) * 0x1p-53);
    for (; exponent >= 1; --exponent) least *= 2;
    return least * (1 + exponent); // linear interpolation between powers
}

} // namespace

Cones::Cones(const Instance& instance, std::int32_t bound, double tolerance, std::uint64_t seed)
    : instance_(instance),
      bound_(bound),
      tolerance_(tolerance),
      dice_(seed),
      price_(bound, softness),
      covers_(at(instance.sections)),
      isOff_(instance.sizes.size(), 0),
      seen_(instance.sizes.size(), 0),
      indexOf_(instance.sizes.size(), -1),
      newTops_(at(instance.sections), 0),
      sums_(at(instance.sections), 0)
{
    for (std::int32_t i = 0; i < instance.count(); ++i) {
        turns_ &= instance.pins[at(i)] < 0;
        for (const SectionRange& range : instance.rangesOf(i))
            for (std::int32_t s = range.begin; s < range.end; ++s) covers_[at(s)].push_back(i);
    }
}

void Cones::start(std::vector<std::int32_t> offsets)
{
    offsets_ = std::move(offsets);
    idle_ = 0;
    renewTops();
    price_ = SlackScore(targetOf(height_, bound_), softness);
}

void Cones::renewTops()
{
    tops_.assign(at(instance_.sections), 0);
    height_ = 0;
    for (std::int32_t i = 0; i < instance_.count(); ++i) {
        const std::int32_t top = offsets_[at(i)] + instance_.sizes[at(i)];
        height_ = std::max(height_, top);
        for (const SectionRange& range : instance_.rangesOf(i)) {
            for (std::int32_t s = range.begin; s < range.end; ++s) tops_[at(s)] = std::max(tops_[at(s)], top);
            work_ += static_cast<std::uint64_t>(range.end - range.begin);
        }
    }
}

/// A random range around a section that is chosen by its price. Its length is between one section and half of all, uniform on a
/// logarithmic scale.
SectionRange Cones::randomStretch()
{
    std::int64_t sum = 0;
    for (std::int32_t s = 0; s < instance_.sections; ++s) sums_[at(s)] = sum += price_(price_.target() - tops_[at(s)]) + 1;
    work_ += at(instance_.sections);
    const auto chosen = static_cast<std::int64_t>(dice_.below(static_cast<std::size_t>(sum)));
    const auto centre = static_cast<std::int32_t>(std::upper_bound(sums_.begin(), sums_.end(), chosen) - sums_.begin());
    double doublings = 0;
    for (std::int32_t length = 2; length < instance_.sections; length *= 2) ++doublings;
    const auto length = static_cast<std::int32_t>(randomTimes(1, doublings, dice_));
    const std::int32_t begin = std::max(0, centre - static_cast<std::int32_t>(dice_.below(at(length))));
    return {begin, std::clamp(begin + length, centre + 1, instance_.sections)};
}

/// Removes buffers of the range, the highest first, each with all buffers above it, as long as at maxCount `maxCount` are
/// removed.
void Cones::takeOff(SectionRange stretch, std::size_t maxCount)
{
    std::vector<std::int32_t> here;
    for (std::int32_t s = stretch.begin; s < stretch.end; ++s)
        for (const std::int32_t i : covers_[at(s)]) {
            ++work_;
            if (seen_[at(i)]) continue;
            seen_[at(i)] = 1;
            here.push_back(i);
        }
    for (const std::int32_t i : here) seen_[at(i)] = 0;
    std::sort(here.begin(), here.end(), [&](std::int32_t a, std::int32_t b) {
        return offsets_[at(a)] != offsets_[at(b)] ? offsets_[at(a)] > offsets_[at(b)] : a < b;
    });
    off_.clear();
    for (const std::int32_t first : here) {
        if (isOff_[at(first)]) continue;
        const std::size_t before = off_.size();
        isOff_[at(first)] = 1;
        off_.push_back(first);
        for (std::size_t k = before; k < off_.size() && off_.size() <= maxCount; ++k) {
            const std::int32_t top = offsets_[at(off_[k])] + instance_.sizes[at(off_[k])];
            const std::span<const std::int32_t> neighbours = instance_.neighboursOf(off_[k]);
            work_ += neighbours.size();
            for (const std::int32_t other : neighbours)
                if (!isOff_[at(other)] && offsets_[at(other)] >= top) {
                    isOff_[at(other)] = 1;
                    off_.push_back(other);
                }
        }
        if (off_.size() <= maxCount) continue;
        for (std::size_t k = before; k < off_.size(); ++k) isOff_[at(off_[k])] = 0;
        off_.resize(before);
        if (before > 0) break;
    }
    std::sort(off_.begin(), off_.end());
}

/// Places the removed buffers again. True if the new layout was kept and has a lower price.
bool Cones::refill(const std::function<bool()>& stop)
{
    const Instance part = instance_.part(off_, indexOf_);
    std::vector<std::int32_t> floors(off_.size(), 0);
    for (std::size_t k = 0; k < off_.size(); ++k) // all remaining neighbours of the cone lie below it
        for (const std::int32_t other : instance_.neighboursOf(off_[k]))
            if (!isOff_[at(other)]) floors[k] = std::max(floors[k], offsets_[at(other)] + instance_.sizes[at(other)]);
    Beam beam(part, std::move(floors));
    BeamOptions options;
    options.target = price_.target();
    options.softness = softness;
    options.width = std::clamp(widthTimesCone / part.count(), 1, maxWidth);
    options.branches = 4;
    options.jitter = refillJitter;
    options.seed = dice_();
    options.below = height_ + 1;
    options.stop = stop;
    const auto filled = beam.run(options);
    work_ += beam.work() + part.neighbours.size();
    if (!filled) return false;

    for (std::int32_t& top : newTops_) top = 0;
    for (std::size_t k = 0; k < off_.size(); ++k)
        for (const SectionRange& range : instance_.rangesOf(off_[k]))
            for (std::int32_t s = range.begin; s < range.end; ++s)
                newTops_[at(s)] = std::max(newTops_[at(s)], (*filled)[k] + part.sizes[k]);
    std::int64_t change = 0;
    for (std::int32_t s = 0; s < instance_.sections; ++s)
        if (newTops_[at(s)] > 0) change += price_(price_.target() - newTops_[at(s)]) - price_(price_.target() - tops_[at(s)]);
    work_ += 2 * at(instance_.sections);
    if (change > 0) {
        if (tolerance_ <= 0) return false;
        const double random = static_cast<double>(dice_() >> 11) * 0x1p-53;
        if (static_cast<double>(change) > tolerance_ * static_cast<double>(SlackScore::one) * random * random * random)
            return false;
    }
    for (std::size_t k = 0; k < off_.size(); ++k) offsets_[at(off_[k])] = (*filled)[k];
    for (std::int32_t s = 0; s < instance_.sections; ++s)
        if (newTops_[at(s)] > 0) tops_[at(s)] = newTops_[at(s)];
    std::int32_t height = 0;
    for (std::int32_t i = 0; i < instance_.count(); ++i) height = std::max(height, offsets_[at(i)] + instance_.sizes[at(i)]);
    if (height < height_) {
        height_ = height;
        price_ = SlackScore(targetOf(height_, bound_), softness);
    }
    return change < 0;
}

/// Mirrors the layout (top to bottom) and moves all buffers down, so that other buffers are on top. With alignments the layout
/// may become higher; the search continues from it, because the owner keeps the best layout.
void Cones::turnOver()
{
    std::vector<std::int32_t> order(offsets_.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::int32_t i = 0; i < instance_.count(); ++i) offsets_[at(i)] = height_ - offsets_[at(i)] - instance_.sizes[at(i)];
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return offsets_[at(a)] != offsets_[at(b)] ? offsets_[at(a)] < offsets_[at(b)] : a < b;
    });
    for (const std::int32_t i : order) seen_[at(i)] = 0;
    for (const std::int32_t i : order) {
        std::int32_t floor = 0;
        for (const std::int32_t other : instance_.neighboursOf(i))
            if (seen_[at(other)]) floor = std::max(floor, offsets_[at(other)] + instance_.sizes[at(other)]);
        work_ += instance_.neighboursOf(i).size();
        offsets_[at(i)] = alignedUp(floor, instance_.alignments[at(i)]);
        seen_[at(i)] = 1;
    }
    std::fill(seen_.begin(), seen_.end(), 0);
    renewTops();
    price_ = SlackScore(targetOf(height_, bound_), softness);
}

void Cones::step(const std::function<bool()>& stop)
{
    const SectionRange stretch = randomStretch();
    takeOff(stretch, static_cast<std::size_t>(randomTimes(minCone, coneDoublings, dice_)));
    const bool lower = !off_.empty() && refill(stop);
    for (const std::int32_t i : off_) isOff_[at(i)] = 0;
    work_ += 100;
    idle_ = lower ? 0 : idle_ + 1;
    if (idle_ <= patience || !turns_) return;
    idle_ = 0;
    turnOver();
}

} // namespace stowage::improve

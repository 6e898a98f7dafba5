#include "core/planners/improve/pool_improver.h"

#include <algorithm>

namespace stowage::improve {

namespace {

constexpr std::int32_t noLayout = std::int32_t{1} << 30; ///< higher than all
constexpr std::uint64_t firstShare = 8;                  ///< work of the builds in the first episode, relative to the first build
constexpr std::uint64_t conesShare = 3;                  ///< work of cones relative to builds; the reverse if sections are full
constexpr double fullShare = 0.995; ///< mean load of sections, relative to the bound, from which sections count as full
constexpr int buildsOfWidth = 6;    ///< number of builds before the width doubles
constexpr double restartJitter = 0.1;
constexpr double tolerance = 0.3; ///< tolerance of Cones in all lanes except the first

double unit(Dice& dice)
{
    return static_cast<double>(dice() >> 11) * 0x1p-53;
}

bool isFull(const Instance& instance, std::int32_t bound)
{
    double sum = 0;
    for (std::int32_t i = 0; i < instance.count(); ++i)
        for (const SectionRange& range : instance.rangesOf(i))
            sum += static_cast<double>(instance.loads[static_cast<std::size_t>(i)]) * (range.end - range.begin);
    return sum >= fullShare * bound * instance.sections;
}

} // namespace

PoolImprover::PoolImprover(const Instance& instance, std::vector<std::int32_t> start, std::uint64_t seed, int lane)
    : instance_(instance),
      bound_(instance.heaviestSection()),
      full_(isFull(instance, bound_)),
      dice_(mix64(seed + 1)),
      beam_(instance),
      cones_(instance, std::max(1, bound_), lane > 0 ? tolerance : 0, mix64(seed + 2)),
      best_(std::move(start)),
      height_(heightOf(best_)),
      lane_(lane),
      builtHeight_(noLayout)
{
}

std::int32_t PoolImprover::heightOf(const std::vector<std::int32_t>& offsets) const
{
    std::int32_t height = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) height = std::max(height, offsets[i] + instance_.sizes[i]);
    return height;
}

void PoolImprover::keep(const std::vector<std::int32_t>& offsets, std::int32_t height)
{
    if (height >= height_) return;
    best_ = offsets;
    height_ = height;
}

void PoolImprover::adopt(const std::vector<std::int32_t>& offsets)
{
    keep(offsets, heightOf(offsets));
}

void PoolImprover::nextEpisode()
{
    ++episode_;
    builds_ = 0;
    width_ = 1;
    builtHeight_ = noLayout;
    inCones_ = false;
    share_ = episode_ == 1 ? firstShare * firstBuild_ : share_ * 2;
    setShares(full_ || episode_ % 2 == 1);
}

/// `anew`: the episode begins with new layouts.
void PoolImprover::setShares(bool anew)
{
    buildUntil_ = anew ? work() + share_ : 0;
    conesUntil_ = work() + (anew ? share_ : 0) + (full_ ? share_ / conesShare : share_ * conesShare);
}

void PoolImprover::build(const std::function<bool()>& stop)
{
    BeamOptions options;
    options.seed = dice_();
    options.stop = stop;
    options.below = full_ ? std::min(builtHeight_, height_) : builtHeight_;
    options.target = std::max(1, static_cast<std::int32_t>(bound_ * 1.02));
    if (builds_ > 0 || episode_ > 1 || lane_ > 0) {
        options.jitter = restartJitter;
        if (builds_ % buildsOfWidth == 0 && builds_ > 0 && static_cast<std::uint64_t>(2 * width_) * firstBuild_ <= share_ / 4)
            width_ *= 2;
        if (dice_.chance(50) && goodTarget_ > 0) {
            options.target = static_cast<std::int32_t>(goodTarget_ * (1 + 0.01 * (unit(dice_) - 0.5)));
            options.softness = goodSoftness_ * (0.82 + 0.4 * unit(dice_));
        } else {
            const std::int32_t highest = std::max(bound_, std::min(builtHeight_, height_));
            options.target = static_cast<std::int32_t>(bound_ + 0.7 * unit(dice_) * (highest - bound_));
            const double u = unit(dice_);
            options.softness = 0.006 + 0.028 * u * u;
            if (full_ && dice_.chance(50)) options.target = bound_;
        }
        options.target = std::max(1, options.target);
    }
    options.width = width_;
    ++builds_;
    const std::uint64_t before = beam_.work();
    const auto layout = beam_.run(options);
    if (firstBuild_ == 0) {
        firstBuild_ = beam_.work() - before + 1;
        share_ = firstShare * firstBuild_;
        setShares(true);
    }
    if (!layout) return;
    built_ = *layout;
    builtHeight_ = heightOf(built_);
    goodTarget_ = options.target;
    goodSoftness_ = options.softness;
    keep(built_, builtHeight_);
}

void PoolImprover::run(std::uint64_t work, const std::function<bool()>& stop)
{
    due_ += work;
    while (this->work() < due_ && !closed() && !stop()) {
        if (episode_ == 0 || (inCones_ && this->work() >= conesUntil_)) nextEpisode();
        if (!inCones_ && (firstBuild_ == 0 || this->work() < buildUntil_)) {
            build(stop);
            continue;
        }
        if (!inCones_) {
            inCones_ = true;
            cones_.start((full_ || episode_ % 2 == 1) && builtHeight_ < noLayout ? built_ : best_);
        }
        cones_.step(stop);
        keep(cones_.offsets(), cones_.height());
    }
}

} // namespace stowage::improve

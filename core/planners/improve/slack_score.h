// The score of a partial layout: the price of the slack in each section.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace stowage::improve {

/// The price of one section of a partial layout. A smaller sum over all sections is better. The slack of a section is the number
/// of bytes that may still be wasted in it: the target height - the lowest open place - the bytes still to place. With x = slack
/// / (softness * target), the price is exp(-x) for x >= 0. For x < 0 it rises steeply but stays finite, so that a search
/// continues if it cannot reach the target. Prices are fixed-point numbers, so sums do not depend on the order of addition.
class SlackScore {
public:
    static constexpr std::int64_t one = std::int64_t{1} << 20; ///< the price of slack 0

    /// `target` in units, > 0. `softness` > 0, about 0.005 to 0.05: losing this share of the target multiplies a price by e.
    SlackScore(std::int32_t target, double softness)
        : target_(target), scale_(static_cast<float>(perX / (softness * target))), prices_(table())
    {
    }

    [[nodiscard]] std::int32_t target() const { return target_; }
    [[nodiscard]] std::int64_t operator()(std::int32_t slack) const
    {
        const float place = std::clamp(static_cast<float>(slack) * scale_, static_cast<float>(-below), static_cast<float>(above));
        return prices_[static_cast<std::size_t>(static_cast<std::int32_t>(place) + below)];
    }

private:
    static constexpr std::int32_t perX = 64, below = 8 * perX, above = 20 * perX;
    static const std::int64_t* table();

    std::int32_t target_;
    float scale_;
    const std::int64_t* prices_;
};

} // namespace stowage::improve

#include "core/planners/improve/slack_score.h"

#include <array>

namespace stowage::improve {

const std::int64_t* SlackScore::table()
{
    // Computed by repeated multiplication, because std::exp differs between machines in the last digit.
    static const auto prices = [] {
        constexpr double step = 1.0157477085866857; // exp(1 / 64)
        std::array<std::int64_t, below + above + 1> made{};
        double power = 1; // exp(k / 64)
        for (std::int32_t k = 0; k <= above; ++k, power *= step) {
            const double x = static_cast<double>(k) / perX;
            made[static_cast<std::size_t>(below + k)] = static_cast<std::int64_t>(one / power + 0.5);
            if (k > 0 && k <= below)
                made[static_cast<std::size_t>(below - k)] = static_cast<std::int64_t>(one * (power + 1.5 * x) + 0.5);
        }
        return made;
    }();
    return prices.data();
}

} // namespace stowage::improve

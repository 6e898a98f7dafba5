// The spread of a planner's results over seeds and slightly changed sizes.
#pragma once

#include "core/plan/planner.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

struct RobustnessOptions {
    int seeds = 8;      ///< number of plannings of the unchanged problem, with seeds 0, 1, …
    int perturbed = 8;  ///< number of plannings with randomly changed sizes
    double percent = 5; ///< largest change of a size, up or down, in percent; 0 to 90
};

/// The result of one planning.
struct RobustnessSample {
    std::uint64_t seed = 0;
    bool perturbed = false;
    Bytes size = 0;  ///< of all pools
    Bytes bound = 0; ///< of all pools
    bool valid = false;
    bool fits = false;       ///< inside all capacities
    std::size_t changed = 0; ///< number of buffers with another size than in the problem; 0 unless `perturbed`

    [[nodiscard]] double ratio() const { return bound > 0 ? double(size) / double(bound) : 1.0; }
};

/// What several plannings come to, as size / bound: 1 is the bound.
struct SpreadFigures {
    double least = 1;
    double median = 1; ///< of an even number the lower one of the two in the middle
    double most = 1;
    std::size_t valid = 0;   ///< plannings that the checker found valid: only they count above
    std::size_t fitting = 0; ///< of these, inside all capacities
    std::size_t atBound = 0; ///< of these, as small as the bound

    friend bool operator==(const SpreadFigures&, const SpreadFigures&) = default;
};
/// O(n log n). Nothing without a valid sample.
[[nodiscard]] std::optional<SpreadFigures> spreadFigures(std::span<const RobustnessSample> samples);

/// Plans the problem repeatedly. When the context stops it, returns the samples so far. A changed size stays a multiple of the
/// largest power of two that divides the original size and is at most the largest change. Sizes of pinned buffers and of buffers
/// with windows stay, and by chance some others. Deterministic. Errors: those of the planner.
Expected<std::vector<RobustnessSample>> robustness(const Problem& problem, const Planner& planner, const OptionValues& options,
                                                   const PlanContext& context, const RobustnessOptions& which = {});

} // namespace stowage

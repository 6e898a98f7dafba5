// The spread of a planner's results over seeds and slightly changed sizes.
#pragma once

#include "core/plan/planner.h"

#include <cstdint>
#include <vector>

namespace stowage {

struct RobustnessOptions {
    int seeds = 8;      ///< plannings of the problem itself with seeds 0, 1, …
    int perturbed = 8;  ///< plannings of problems whose sizes were changed at random
    double percent = 5; ///< by at most so much, up or down; 0 to 90
};

/// One planning.
struct RobustnessSample {
    std::uint64_t seed = 0;
    bool perturbed = false;
    Bytes size = 0;  ///< of all pools
    Bytes bound = 0; ///< of all pools
    bool valid = false;
    bool fits = false; ///< inside all capacities

    [[nodiscard]] double ratio() const { return bound > 0 ? double(size) / double(bound) : 1.0; }
};

/// Plans again and again; stops early, with what it has, when the context says so. Sizes stay multiples of the largest power of
/// two that divided them, pins stay where they are. Deterministic. Errors: those of the planner.
Expected<std::vector<RobustnessSample>> robustness(const Problem& problem, const Planner& planner, const OptionValues& options,
                                                   const PlanContext& context, const RobustnessOptions& which = {});

} // namespace stowage

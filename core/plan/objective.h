// The objective of planners: bytes above the capacities first, then bytes in total.
#pragma once

#include "core/ir/types.h"

#include <compare>
#include <limits>
#include <optional>

namespace stowage {

struct Plan;
struct Problem;

/// The objective of a plan; the smaller one is better. Each pool may be 2^62 bytes large, so that sums may not fit into 64 bits:
/// they stop at `saturated`, which bounds and proofs never reach.
struct Objective {
    static constexpr Bytes saturated = std::numeric_limits<Bytes>::max();

    Bytes excess = 0; ///< above the capacities, summed over pools; at most `saturated`
    Bytes total = 0;  ///< the pools' sizes, summed; at most `saturated`

    friend auto operator<=>(const Objective&, const Objective&) = default;

    /// Larger than every plan's, to begin a search with.
    [[nodiscard]] static constexpr Objective worst() { return {saturated, saturated}; }
    /// Adds a pool of `size` bytes, with or without a capacity. Requires 0 <= size.
    void add(Bytes size, std::optional<Bytes> capacity);
    [[nodiscard]] bool fits() const { return excess == 0; }
    /// True when everything fits into `bound` bytes, a lower bound of the total: nothing is better then.
    [[nodiscard]] bool reaches(Bytes bound) const { return fits() && total <= bound && total < saturated; }
};

/// a + b of two numbers that are not negative; `Objective::saturated` where that does not fit.
[[nodiscard]] Bytes saturatedSum(Bytes a, Bytes b);

/// Of the sizes of the pools in which `plan` places something. O(buffers * pools).
[[nodiscard]] Objective objectiveOf(const Problem& problem, const Plan& plan);

} // namespace stowage

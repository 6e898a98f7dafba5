// The objective of planners: bytes above the capacities first, then bytes in total.
#pragma once

#include "core/ir/types.h"

#include <compare>
#include <limits>
#include <optional>

namespace stowage {

struct Plan;
struct Problem;

/// The objective of a plan; smaller is better. Pools may have up to 2^62 bytes, so sums can exceed 64 bits; then they are
/// `saturated`, a value that no bound or proof accepts.
struct Objective {
    static constexpr Bytes saturated = std::numeric_limits<Bytes>::max();

    Bytes excess = 0; ///< bytes above the capacities, over all pools; at most `saturated`
    Bytes total = 0;  ///< sizes of all pools, in bytes; at most `saturated`

    friend auto operator<=>(const Objective&, const Objective&) = default;

    /// Not smaller than the objective of any plan: the start of a search.
    [[nodiscard]] static constexpr Objective worst() { return {saturated, saturated}; }
    /// Adds a pool of `size` bytes, with or without a capacity. Requires 0 <= size.
    void add(Bytes size, std::optional<Bytes> capacity);
    [[nodiscard]] bool fits() const { return excess == 0; }
    /// True if the plan fits and its total is at most `bound`, a lower bound of the total: then no plan is better.
    [[nodiscard]] bool reaches(Bytes bound) const { return fits() && total <= bound && total < saturated; }
};

/// a + b for a, b >= 0; `Objective::saturated` on overflow.
[[nodiscard]] Bytes saturatedSum(Bytes a, Bytes b);

/// The objective of `plan`, over the pools that it uses. O(buffers * pools).
[[nodiscard]] Objective objectiveOf(const Problem& problem, const Plan& plan);

} // namespace stowage

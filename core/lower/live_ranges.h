// Live ranges of a storage, from the steps that touch it.
#pragma once

#include "core/lower/expansion.h"

#include <span>
#include <vector>

namespace stowage::lowering {

/// A use of a storage: one step, or all steps of something that keeps it live throughout.
struct Touch {
    std::int32_t begin = 0;
    std::int32_t end = 0; ///< if equal to `begin`: needed up to that step, but not at the step itself
    PathId path = 0;      ///< the innermost path that all of the steps are on
};

/// The steps between a touch and a later touch that a run can reach from it. A run goes through one branch of a case: a storage
/// that is touched before and on one branch is not live on the others. `touches` must not be empty; they are reordered.
/// The result is ascending, disjoint and not adjacent. O(t log t + t d) for t touches and cases nested d deep.
std::vector<Interval> liveRanges(const Expansion& expansion, std::span<Touch> touches);

/// The union of two such lists. Linear.
std::vector<Interval> unite(std::span<const Interval> a, std::span<const Interval> b);

} // namespace stowage::lowering

// Search over assignments of buffers to pools and over offsets together.
#pragma once

#include "core/plan/planner.h"

#include <cstdint>
#include <functional>

namespace stowage::exact {

struct JointLimits {
    std::uint64_t nodes = 0;    ///< 0: none
    bool fitOnly = false;       ///< stop at the first plan inside all capacities
    std::function<bool()> stop; ///< asked beside the context, as often
    // Pruning rules, each sound by itself, and off for a test that compares.
    bool bound = true; ///< leave an assignment whose most loaded steps are no better than the best plan: no layout is below them
    bool remember = true; ///< solve the same set of buffers in the same pool once
};

struct JointResult {
    bool improved = false;
    bool complete = false; ///< every assignment was searched or excluded, so that no plan is better
    std::uint64_t nodes = 0;
    StoppedBy stoppedBy = StoppedBy::complete;
};

/// Improves `plan` over all assignments of buffers to their candidate pools. Branches on the pool of one buffer after the other,
/// the largest first, the pool that the plan has first; a branch ends where the most loaded steps of the pools, which no layout
/// can be below, are no better than the best plan. Each pool of a complete assignment is solved by `minimisePool`, once for each
/// set of buffers. Exponential in the buffers that have a choice: meant for some dozens, beyond that a search that ends with its
/// limit. Publishes each improvement. Errors: what the pools' searches cannot take.
Expected<JointResult> searchJointly(const Problem& problem, Plan& plan, const JointLimits& limits, const PlanContext& context);

} // namespace stowage::exact

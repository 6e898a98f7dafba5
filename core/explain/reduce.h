// Reduces a problem that has a property to a small problem that still has it.
#pragma once

#include "core/ir/problem.h"

#include <cstdint>
#include <functional>
#include <span>

namespace stowage {

/// The property: true for a problem that has it. Called with checked problems. Has to be deterministic.
using Shows = std::function<bool(const Problem&)>;

struct ReduceOptions {
    std::uint64_t tests = 0; ///< maximum number of calls of the property; 0: no limit
    bool simplify =
        true; ///< also remove details of single buffers: pins, gaps, windows, conflicts, alignment, slots, candidate pools
    std::function<bool()> stop; ///< called before each call of the property; true stops
    std::function<void(std::size_t buffers, std::uint64_t tests)> progress; ///< called after each call of the property
};

struct ReduceResult {
    Problem problem;
    std::uint64_t tests = 0; ///< questions asked
    bool minimal = false;    ///< removing any single buffer would lose the property
    bool stopped = false;    ///< ended by `stop` or by the limit on calls
};

/// The problem with the buffers `keep` (ascending ids) only. References to other buffers are removed; pools, loops and scopes
/// stay.
Problem subproblem(const Problem& problem, std::span<const BufferId> keep);

/// Delta debugging (ddmin, Zeller & Hildebrandt, 2002). First removes groups of buffers that begin at about the same time, in
/// ever smaller groups, until no single buffer can be removed. Then simplifies the buffers one detail at a time, removes pools
/// that no buffer names, and renumbers the steps so that a live range begins or ends at each. A change that loses the property is
/// undone, so that the result always has it. Requires a `problem` with the property. Deterministic when `shows` is. Calls the
/// property O(n^2) times at worst, and O(k log n) times when k of n buffers are needed, independently of each other.
ReduceResult reduceProblem(const Problem& problem, const Shows& shows, const ReduceOptions& options = {});

} // namespace stowage

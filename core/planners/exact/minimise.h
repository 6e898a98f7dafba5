// Finds the smallest layout of one pool, with a proof if the search completes.
#pragma once

#include "core/plan/planner.h"
#include "core/planners/exact/skyline_search.h"

#include <functional>
#include <vector>

namespace stowage::exact {

/// The best layout known for one pool, and a proved lower bound of its size. In units of the instance.
struct Bracket {
    std::vector<std::int32_t> offsets; ///< of the best layout known
    std::int32_t best = 0;             ///< size of that layout
    std::int32_t lower = 0;            ///< proved: no layout is smaller
    [[nodiscard]] bool closed() const { return lower >= best; }
};

struct MinimiseLimits {
    std::uint64_t nodes = 0;     ///< 0: none
    std::int32_t goodEnough = 0; ///< stop when `best` is at most this
    std::function<bool()> stop;  ///< asked every few hundred nodes; true stops the search
    bool spent = false; ///< the work limit is used up: the first layouts are all that is tried, and `stop` does not end them
    std::function<void(const Bracket&, std::uint64_t nodes)> improved; ///< called after each better layout or bound
    SearchSteps* steps = nullptr;                                      ///< records the steps of the search; may be null
};

/// The largest sum of loads in one section: a lower bound of the size, in units. O(sections covered).
std::int32_t sectionBound(const Instance& instance);

/// A first layout: places the buffers in descending order of `preference`, each at its lowest feasible offset. Respects pins,
/// alignments and all conflicts, but no capacity. O(conflicts log conflicts).
std::vector<std::int32_t> firstFit(const Instance& instance, std::span<const double> preference);

/// Narrows `bracket` until it is closed or a limit is reached; returns the nodes searched. A run that ends without a layout
/// raises the lower bound, a run that finds a layout lowers the best size.
///
/// Two searches alternate. The first one searches at the proved lower bound, which is reachable in most instances; its runs grow
/// from pass to pass, and from the second pass on it gives most of its nodes to many short runs that look ahead
/// (`Strategy::lookAhead`). The second one searches at sizes below the best known; it gets a third of the nodes at first and most
/// of them after some passes. It sweeps downwards over some dozen sizes, independent of whether the size before was reached, and
/// each sweep has longer runs than the one before. The reason for the sweep: how fast an order reaches a size hardly depends on
/// how small the size is (MiniMalloc's D: one order takes 14,000 nodes to reach 1,007,616 bytes, and more than 20,000 nodes for
/// each of the seven sizes above it).
///
/// Deterministic in (instance, seed, limits).
std::uint64_t minimise(const Instance& instance, const Problem& problem, std::uint64_t seed, const MinimiseLimits& limits,
                       Bracket& bracket);

} // namespace stowage::exact

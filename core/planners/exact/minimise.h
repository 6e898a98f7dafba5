// From a layout of one pool to the smallest one, with a proof where the search ends.
#pragma once

#include "core/plan/planner.h"
#include "core/planners/exact/skyline_search.h"

#include <functional>
#include <vector>

namespace stowage::exact {

/// The state of knowledge about one pool: a layout, and the proof that none is smaller than `lower`. In units of the instance.
struct Bracket {
    std::vector<std::int32_t> offsets; ///< of the best layout known
    std::int32_t best = 0;             ///< its size
    std::int32_t lower = 0;            ///< proved: nothing smaller exists
    [[nodiscard]] bool closed() const { return lower >= best; }
};

struct MinimiseLimits {
    std::uint64_t nodes = 0;                                           ///< 0: none
    std::int32_t goodEnough = 0;                                       ///< stop as soon as `best` is at most this
    std::function<bool()> stop;                                        ///< asked every few hundred nodes
    std::function<void(const Bracket&, std::uint64_t nodes)> improved; ///< after each better layout or bound
    SearchSteps* steps = nullptr;                                      ///< told what the search does
};

/// The largest sum of sizes in one section: a lower bound, in units. O(sections covered).
std::int32_t sectionBound(const Instance& instance);

/// The lowest place for each buffer in the order of `preference`, largest first: a first layout. O(conflicts log conflicts).
/// Ignores nothing but the capacity: pins, alignments and all conflicts hold.
std::vector<std::int32_t> firstFit(const Instance& instance, std::span<const double> preference);

/// Narrows `bracket` until it is closed or a limit is met; returns the nodes searched. First a pass of short runs at the proved
/// bound itself, which mostly can be reached; then that goes on with longer ones in turn with a second search for sizes below the
/// best known, which gets a third of the nodes at first and most of them after some passes. That one sweeps downwards from the
/// best, a pass of turns at each of some dozen sizes, whether the size before was reached or not, and each sweep has longer runs
/// than the last: which size an order happens to reach quickly has little to do with how small it is (MiniMalloc's D: 1,007,616
/// bytes take one order 14,000 nodes, while the seven sizes above it take more than 20,000 in each). A run that ends without a
/// layout raises the bound, one that finds a layout lowers the best. From its second pass on the search at the bound gives most
/// of its nodes to many short runs that look ahead (`Strategy::lookAhead`). Deterministic in (instance, seed, limits).
std::uint64_t minimise(const Instance& instance, const Problem& problem, std::uint64_t seed, const MinimiseLimits& limits,
                       Bracket& bracket);

} // namespace stowage::exact

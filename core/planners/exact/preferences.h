// The orders in which the search tries buffers.
#pragma once

#include "core/planners/exact/instance.h"
#include "core/planners/exact/skyline_search.h"

#include <cstdint>
#include <vector>

namespace stowage::exact {

/// One order for the search, and its share of the nodes of a pass.
struct Attempt {
    std::vector<double> preference; ///< by buffer; larger values are tried first
    std::int32_t urgentFirst = 2;
    double share = 1.0; ///< relative to the node limit of one attempt
    std::int32_t lookAhead = 0;

    [[nodiscard]] Strategy strategy() const { return {preference, urgentFirst, lookAhead}; }
};

/// The attempts of a sequence of restarts, in passes. The run time of the search has a heavy-tailed distribution over the orders
/// (Gomes, Selman, Kautz 1998): one order may solve in a few hundred nodes an instance that another one does not solve in a
/// million. So each pass tries all orders, and has a larger node limit than the pass before. The search remembers refuted states,
/// so a pass does not repeat the work of earlier ones.
///
/// The first four orders are the same in each pass: load of the fullest section, then lifetime; early begin, then size; late end,
/// then size; sections covered, then size. The other four get half or a quarter of the nodes, and from the second pass on random
/// noise that grows from pass to pass.
///
/// The orders were chosen among 18 orders with five thresholds for urgent sections, on the eleven MiniMalloc instances at their
/// capacity: one of the first four solves each instance except A within 5,000 nodes, the fifth solves A. On 200 generated
/// problems of other kinds (sizes lognormal or powers of two; lifetimes even, skewed or nested; rectangles cut into 60) at their
/// bounds, each of the eight orders decides 193 to 197 within 5,000 nodes, so there the choice hardly matters. Deterministic in
/// (instance, seed).
class Preferences {
public:
    Preferences(const Instance& instance, const Problem& problem, std::uint64_t seed);
    /// Number of attempts in a pass.
    [[nodiscard]] std::size_t attempts() const { return basic_.size(); }
    /// Attempt `which` of pass number `pass`. O(n).
    [[nodiscard]] Attempt attempt(std::uint64_t pass, std::size_t which) const;
    /// The attempt of look-ahead run `run`: the first order (load of the fullest section, then lifetime), from the second run on
    /// with random noise of 10 % of the ranks. O(n).
    [[nodiscard]] Attempt ahead(std::uint64_t run) const;

private:
    void disturb(Attempt& attempt, double spread, std::uint64_t run) const;

    std::vector<Attempt> basic_;
    std::uint64_t seed_;
};

} // namespace stowage::exact

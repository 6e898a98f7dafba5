// Orders in which the search tries buffers.
#pragma once

#include "core/planners/exact/instance.h"
#include "core/planners/exact/skyline_search.h"

#include <cstdint>
#include <vector>

namespace stowage::exact {

/// One order to search in, and its share of the nodes that a pass gives to each.
struct Attempt {
    std::vector<double> preference; ///< by buffer, larger is tried first
    std::int32_t urgentFirst = 2;
    double share = 1.0;
    std::int32_t lookAhead = 0;

    [[nodiscard]] Strategy strategy() const { return {preference, urgentFirst, lookAhead}; }
};

/// The attempts of a restart sequence, in passes. The search's run time is heavy-tailed in the order (Gomes, Selman, Kautz 1998):
/// an instance that one order does not solve in a million nodes another one solves in a few hundred. So a pass tries each order
/// for a short while, and the next pass tries them for longer; as refuted states are remembered, it goes on where the last pass
/// left off.
///
/// The first four orders come back unchanged in each pass (load of the fullest section, then lifetime; early begin, then size;
/// late end, then size; sections covered, then size). They were chosen on the eleven MiniMalloc instances at their capacity, of
/// 18 orders with five thresholds for urgent sections: each but A is solved within 5,000 nodes by one of the four, A by the
/// fifth. On 200 generated problems of other kinds (sizes lognormal or powers of two, lifetimes even, skewed or nested,
/// rectangles cut into 60 pieces) at their bounds each of the eight orders decides 193 to 197 within 5,000 nodes, so there the
/// choice matters little either way. The others get half or a quarter of the nodes, and noise from the second pass on that grows
/// from pass to pass. Deterministic in (instance, seed).
class Preferences {
public:
    Preferences(const Instance& instance, const Problem& problem, std::uint64_t seed);
    /// Attempts in a pass.
    [[nodiscard]] std::size_t attempts() const { return basic_.size(); }
    /// Attempt `which` of pass number `pass`. O(n).
    [[nodiscard]] Attempt attempt(std::uint64_t pass, std::size_t which) const;
    /// Run `run` of those that look ahead: the first order (load of the fullest section, then lifetime), with noise of 10 % of
    /// the ranks from the second run on. O(n).
    [[nodiscard]] Attempt ahead(std::uint64_t run) const;

private:
    void disturb(Attempt& attempt, double spread, std::uint64_t run) const;

    std::vector<Attempt> basic_;
    std::uint64_t seed_;
};

} // namespace stowage::exact

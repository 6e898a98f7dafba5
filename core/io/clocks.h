// Lifetimes of several threads or streams, as vector clocks.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"

#include <cstddef>
#include <vector>

namespace stowage::io {

/// When a buffer is in use: one entry for each thread or stream, each in [0, 2^62]. Both events belong to it.
struct Clock {
    std::vector<std::int64_t> first; ///< of the event that makes it
    std::vector<std::int64_t> last;  ///< entry by entry the largest of all its uses
};

/// The order that live ranges show, one of those that agree with all clocks.
enum class ShownOrder {
    ofClocks, ///< that of the sums of their entries
    asGiven,  ///< that of the live ranges that are there: the caller has an order, and its clocks agree with it
};

/// As many conflicts as a problem without an order may be completed by.
inline constexpr std::size_t maxClockConflicts = 50'000'000;

/// Buffers of a partial order, by buffer: two conflict unless the last event of one is at most the first of the other in every
/// entry, and less in one. The problem's axis becomes `dag`, conflicts are added to those that are there, and the live ranges
/// show one order of the events (vector clocks: Mattern 1989, Fidge 1988). Errors, with the number of the buffer in
/// `Error::where.byte`: entries that are not as many as those of the first buffer, a last event before the first, more than
/// 2 * 10^9 comparisons or `maxConflicts` conflicts; the problem is of no use then. O(n^2 * entries).
[[nodiscard]] std::optional<Error> applyClocks(Problem& problem, const std::vector<Clock>& clocks,
                                               ShownOrder order = ShownOrder::ofClocks,
                                               std::size_t maxConflicts = maxClockConflicts);

} // namespace stowage::io

// Conflicts of buffers that several threads or streams use, from vector clocks.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"

#include <cstddef>
#include <vector>

namespace stowage::io {

/// When a buffer is in use: from its first to its last event, both included. A clock has one entry for each thread or stream,
/// each in [0, 2^62].
struct Clock {
    std::vector<std::int64_t> first; ///< clock of the event that writes it first
    std::vector<std::int64_t> last;  ///< the maximum over all its uses, entry by entry
};

/// Which of the orders that agree with all clocks the live ranges show.
enum class ShownOrder {
    ofClocks, ///< ascending sums of the entries
    asGiven,  ///< the order of the live ranges of the problem, which must agree with the clocks
};

/// Maximum number of conflicts that are added to a problem.
inline constexpr std::size_t maxClockConflicts = 50'000'000;

/// Adds the conflicts that follow from clocks, one clock for each buffer. Two buffers conflict unless the last clock of one
/// happens before the first clock of the other: no entry is larger, and one is smaller (vector clocks: Mattern 1989, Fidge 1988).
/// The axis of the problem becomes `dag`, and the live ranges show one possible order of the events. Errors, with the number of
/// the buffer in `Error::where.byte`: another number of entries than the first buffer has; a last event before the first; more
/// than 2 * 10^9 comparisons or `maxConflicts` conflicts. After an error the problem is unusable. O(n^2 * entries).
[[nodiscard]] std::optional<Error> applyClocks(Problem& problem, const std::vector<Clock>& clocks,
                                               ShownOrder order = ShownOrder::ofClocks,
                                               std::size_t maxConflicts = maxClockConflicts);

} // namespace stowage::io

// Lifetimes of several threads or streams, as vector clocks.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"

#include <vector>

namespace stowage::io {

/// When a buffer is in use: one entry for each thread or stream, each in [0, 2^62]. Both events belong to it.
struct Clock {
    std::vector<std::int64_t> first; ///< of the event that makes it
    std::vector<std::int64_t> last;  ///< entry by entry the largest of all its uses
};

/// Buffers of a partial order, by buffer: two conflict unless the last event of one is at most the first of the other in every
/// entry, and less in one. The problem's axis becomes `dag`, conflicts are added to those that are there, and the live ranges
/// show one order of the events that agrees with all clocks (that of their sums; Mattern 1989, Fidge 1988). Errors, with the
/// number of the buffer in `Error::where.byte`: entries that are not as many as those of the first buffer, a last event before
/// the first, more than 2 * 10^9 comparisons or 5 * 10^7 conflicts. O(n^2 * entries).
[[nodiscard]] std::optional<Error> applyClocks(Problem& problem, const std::vector<Clock>& clocks);

} // namespace stowage::io

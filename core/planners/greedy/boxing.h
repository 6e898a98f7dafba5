// Boxing: small buffers are packed into boxes, boxes into larger ones, until all are of about one height.
#pragma once

#include "core/plan/planner.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace stowage {

class BufferTable;

/// For very large inputs. Buchsbaum, Karloff, Kenyon, Reingold and Thorup (OPT versus LOAD in dynamic storage allocation, 2003)
/// prove that small buffers can be boxed with little loss; idealloc (Lamprakos et al. 2025) made a planner of it. Here, in rounds
/// of different coarseness:
///
///  1. Buffers of about one height (within a factor 1 + coarseness) are boxed, the smallest heights first. Buffers that are live
///     at the middle step of a stretch are sorted by begin and cut into chunks. Inside a chunk they are sorted by end, and k at a
///     time make a box, so that a box lives hardly longer than its buffers. Buffers that live before or after the step are boxed
///     in the same way, apart. A box of k buffers has k times their height and joins the next heights.
///  2. Boxes of the greatest height are coloured as intervals: the earliest begin first, in the lowest free row. The rows are as
///     many as boxes live at once, which is optimal for equal heights.
///  3. All buffers are placed by first fit, in the order of the offsets that the boxes give them. First fit closes the gaps that
///     boxes leave, and keeps the other rules of the problem (alignment, gaps, conflicts, pins, pools).
///
/// The result is the smallest plan of all rounds. For each class of heights in a round O(n log n), and the time of the placement.
std::shared_ptr<const Planner> boxing();

/// Steps 1 and 2 of a round: all buffers of `table`, in the order of the offsets that boxing gives them. `coarseness` > 0: how
/// different the heights may be that are boxed together; `pile` >= 2: number of buffers in a box. Asks `stop` once for each class
/// of heights, and in a class whenever it has looked at some thousands of buffers. Stopped: empty.
[[nodiscard]] std::vector<BufferId> boxedOrder(const BufferTable& table, double coarseness, std::size_t pile,
                                               const std::function<bool()>& stop);

} // namespace stowage

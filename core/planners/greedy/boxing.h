// Boxing: small buffers are packed into boxes, boxes into larger ones, until all are of about one height.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// For very large inputs. Buchsbaum, Karloff, Kenyon, Reingold and Thorup (OPT versus LOAD in dynamic storage allocation, 2003)
/// prove that what is thin can be boxed with little loss; idealloc (Lamprakos et al. 2025) made a planner of it. Here, in rounds
/// of different coarseness:
///
///  1. From the thinnest heights up, what has about one height (within a factor 1 + coarseness) is boxed: around the middle step
///     of a stretch, those that are live there are taken by begin in chunks and inside a chunk by end, k at a time, so that a box
///     lives hardly longer than what is in it; those that live before or after the step are boxed by themselves. A box of k has
///     the height of k and joins the next heights.
///  2. What has come to the greatest height is coloured as intervals, the earliest begin first in the lowest free row: as many
///     rows as are live at once, which is optimal for equal heights.
///  3. Everything is placed in the order of the offsets that it would have so, by first fit, which closes what the boxes leave
///     open and keeps whatever the problem has besides sizes and ranges (alignment, gaps, conflicts, pins, pools).
///
/// The smallest plan of all rounds. O(n log^2 n) a round and the placement.
std::shared_ptr<const Planner> boxing();

} // namespace stowage

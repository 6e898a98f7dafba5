// The logs that prove something of several pools together. Shares no code with the search.
#pragma once

#include "core/plan/proof/proved.h"

namespace stowage {

/// Verifies a log of `stowage-pool-proof/1`, which proves that no plan has everything inside the capacities, or of
/// `stowage-sum-proof/1`, which proves that no such plan takes TOTAL bytes or fewer in all pools together. Either is a text of
/// lines:
///
///     stowage-pool-proof 1     or     stowage-sum-proof 1
///                                     total TOTAL
///     | b            branch on the pool of buffer b, which has a choice: its candidates one after the other, in their order
///     # p t          pool p needs at least what has been put into it and is live at step t; what may share, or is live there
///                    in early iterations only, does not count
///     ~ p b          pool p needs at least the slots of buffer b side by side, and b at its pin
///     { p            the lines up to '}' are a proof of another kind: what has been put into pool p exceeds its capacity
///     { p BYTES      the same with a capacity in bytes
///     }
///     + t            refuted: what is live at step t, in whichever pool, is more than the total, or than all capacities together
///
/// Buffers and pools are numbers from 0 in the order of the problem. A buffer without a choice is in its pool from the start.
/// What a pool needs holds for all that is put into it later, so it is kept until the branch that it was found in is left. A
/// choice is refuted, and the next one taken, as soon as a pool needs more than its capacity, or all together need more than the
/// total. A log of the first kind has only lines between two branches that refute.
///
/// The argument. Every plan puts every buffer somewhere, so where each choice is refuted there is no plan. At a moment at which
/// step t runs what counts there lies apart, pool by pool; hence a pool is at least as large as the sum in it, and all pools
/// together as the sum of all.
///
/// Errors: the first line that does not follow, with its number. O(lines * (buffers + pools)) and what the proofs inside take;
/// memory O(buffers + depth * pools).
///
/// The result names no pool; its capacity is that of all pools together, or the total. `checkInside` verifies the proofs between
/// braces.
Expected<ProvedImpossible> checkPoolProof(const Problem& problem, std::string_view log, ProofCheck* checkInside);

} // namespace stowage

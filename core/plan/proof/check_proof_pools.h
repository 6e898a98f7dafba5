// Checks the logs of proofs about several pools together. Shares no code with the search.
#pragma once

#include "core/plan/proof/proved.h"

namespace stowage {

/// Checks a log of `stowage-pool-proof/1`, which proves that no plan fits into the capacities, or of `stowage-sum-proof/1`, which
/// proves that no such plan takes TOTAL bytes or fewer in all pools together. Both are texts of these lines:
///
///     stowage-pool-proof 1     or     stowage-sum-proof 1
///                                     total TOTAL
///     | b            branch on the pool of buffer b, which has several candidates: one after the other, in their order
///     # p t          pool p needs at least the bytes of its buffers live at step t; buffers that may share, or are live there
///                    in single iterations only (early ranges), do not count
///     ~ p b          pool p needs at least all slots of buffer b end to end, and b at its pin
///     { p            the lines up to '}' are a proof of another kind: the buffers in pool p do not fit into its capacity
///     { p BYTES      the same with a capacity in bytes
///     }
///     + t            refuted: the bytes live at step t in all pools exceed the total, or the sum of the capacities
///
/// Buffers and pools are numbered from 0 in the order of the problem. A buffer with one candidate is in it from the start. A
/// bound of a pool stays valid when more buffers are added, so it is kept until the end of its branch. A choice is refuted, and
/// the next one begins, when the bound of a pool exceeds its capacity, or the sum of the bounds exceeds the total. In a log of
/// `stowage-pool-proof/1`, every line except '|' must refute a choice.
///
/// The argument: every plan is one of the choices of pools, so if all choices are refuted, no plan exists. The buffers that count
/// at step t are disjoint in each pool; so a pool is at least as large as their sum, and all pools together are as large as the
/// sum of all.
///
/// Errors: the first line that does not follow from the lines before it, with its number. O(lines * (buffers + pools)), plus the
/// time of the inner proofs; memory O(buffers + depth * pools).
///
/// `checkInside` checks the proofs between braces. The result has no pool; its capacity is the sum of all capacities, or the
/// total.
Expected<ProvedImpossible> checkPoolProof(const Problem& problem, std::string_view log, ProofCheck* checkInside);

} // namespace stowage

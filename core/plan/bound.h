// Lower bounds of pools with proofs, and the check of such proofs.
#pragma once

#include "core/plan/plan.h"

namespace stowage {

/// A lower bound for one pool with its proof: the largest sum of sizes of buffers that can only go to `pool` and conflict
/// pairwise. With live ranges: the most loaded step, tightened by alignment where that is sound (the top is not rounded). With
/// explicit conflicts also a greedy clique. Slots and carried values count, a window with its bytes only, of buffers that may
/// share the largest. A pinned buffer bounds its pool by its end. With `pool` = none: all buffers, for the sum of all pools. O(n
/// log n + conflicts).
CliqueCertificate lowerBound(const Problem& problem, PoolId pool);
/// The same for the buffers that `plan` put into `pool`.
CliqueCertificate lowerBound(const Problem& problem, const Plan& plan, PoolId pool);
/// True when the certificate's members conflict pairwise (with a step: all of them occupy bytes at that step), can go to no other
/// pool than the certificate's, and need at least its bytes. O(members^2) at most.
bool recheck(const Problem& problem, const CliqueCertificate& certificate);
/// The same, but the members need not be confined to the pool: `plan` puts them there.
bool recheck(const Problem& problem, const Plan& plan, const CliqueCertificate& certificate);

} // namespace stowage

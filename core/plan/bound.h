// Computes lower bounds of pools with certificates, and checks certificates.
#pragma once

#include "core/plan/plan.h"

namespace stowage {

/// A lower bound for one pool with its certificate: a large sum of sizes of buffers whose only candidate is `pool` and which all
/// conflict. With live ranges, it is the load of the most loaded step, increased by alignment where that is sound (the topmost
/// buffer is not rounded up). With explicit conflicts, also a greedily found clique. Slots and carried values count; a window
/// counts with its bytes only; of buffers that may share, only the largest counts. The end of a pinned buffer is a bound, too.
/// `pool` = none: all buffers, for the sum of all pools. O(n log n + conflicts).
CliqueCertificate lowerBound(const Problem& problem, PoolId pool);
/// The same for the buffers that `plan` places in `pool`.
CliqueCertificate lowerBound(const Problem& problem, const Plan& plan, PoolId pool);
/// Checks a certificate. True if its buffers all conflict (if it names a step: all occupy bytes at that step), have no candidate
/// except its pool, and need at least its bytes. At most O(members^2).
bool recheck(const Problem& problem, const CliqueCertificate& certificate);
/// The same, but the buffers may have other candidates: `plan` must place them in the certificate's pool.
bool recheck(const Problem& problem, const Plan& plan, const CliqueCertificate& certificate);

} // namespace stowage

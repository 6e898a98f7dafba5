// The logs that prove that several memories together are too small. Shares no code with the search.
#pragma once

#include "core/plan/check_proof.h"

namespace stowage {

/// Verifies a log of `stowage-pool-proof/1`, a text of lines:
///
///     stowage-pool-proof 1
///     | b            branch on the pool of buffer b, which has a choice: its candidates one after the other, in the order of the problem
///     # p t          refuted: of what has been put into pool p, more is live at step t than fits; what may share, or is live there in early iterations
///                    only, does not count
///     { p            refuted: the lines up to '}' are a proof of another kind that what has been put into pool p does not fit
///     }
///
/// Buffers and pools are numbers from 0 in the order of the problem. A buffer without a choice is in its pool from the start. Every plan puts every buffer
/// somewhere, so where each choice is refuted there is no plan. Errors: the first line that does not follow, with its number. O(lines * buffers) and what
/// the proofs inside take.
///
/// The result names no pool; its capacity is that of all pools together.
Expected<ProvedImpossible> checkPoolProof(const Problem& problem, std::string_view log);

} // namespace stowage

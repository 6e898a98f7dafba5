// Checks the log of a search that proved that no layout exists. Shares no code with the search.
#pragma once

#include "core/plan/proof/proved.h"

#include <cstddef>
#include <string_view>

namespace stowage {

constexpr std::size_t maxLoggedSlots = 5000; ///< maximum number of slots in a problem with a checkable log

/// Checks a log. core/plan/proof/check_proof_pairs.h describes logs of `stowage-pair-proof/1` (windows),
/// core/plan/proof/check_proof_pools.h those of several pools. A log of `stowage-proof/1` is a text of these lines:
///
///     stowage-proof 1
///     pool NAME
///     capacity BYTES
///     copies N     number of slots of the buffers whose only candidate is the pool; numbered from 0 in the problem's order
///     ? i          branch on slot i: first, it lies at its release; after that is refuted, it lies higher
///     = i          slot i lies at its release, because no unplaced slot can reach into that place
///     ! i t        slot i lies at its release, because no other slot can fill step t
///     @ i j …      continue with only these unplaced slots; none of the others conflicts with them
///     ^ i          refuted: slot i ends above the capacity
///     - i          refuted: slot i must lie higher than its release, but no slot can block that place
///     *            refuted: every unplaced slot must lie higher than its release, so above another unplaced one
///     # t          refuted: the unplaced slots live at step t cannot begin low enough for their bytes
///
/// The argument: if a layout exists, consider the one with the smallest sum of offsets. No slot in it can be moved to a lower
/// free place. The *release* of a slot is the lowest aligned offset above all its placed neighbours (slots in conflict with it).
/// A slot is placed only if no unplaced neighbour can lie entirely below its release. So no unplaced slot lies below a placed
/// neighbour, and each lies at its release or higher. If a slot lies higher, an unplaced neighbour blocks its release, and the
/// slot lies above the lowest possible end of its unplaced neighbours. At a step t the unplaced slots need U bytes above the
/// lowest begin among them, so that begin is at most capacity - U. Pinned slots are placed from the start, and releases skip
/// them.
///
/// If offsets may rotate with loops, the log proves that one iteration has no layout (core/plan/one_iteration.h), so no plan
/// exists.
///
/// Errors: the first line that does not follow from the lines before it, with its number; problems with windows, carried values
/// or buffers that may share, for which the argument does not hold. O(lines * slots * neighbours) in the worst case; memory
/// O(slots^2).
Expected<ProvedImpossible> checkProof(const Problem& problem, std::string_view log);

} // namespace stowage

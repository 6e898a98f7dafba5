// Verifies the log of a search that found no layout. Shares no code with the search.
#pragma once

#include "core/plan/proof/proved.h"

#include <cstddef>
#include <string_view>

namespace stowage {

constexpr std::size_t maxLoggedSlots = 5000; ///< of a problem whose log can be checked

/// Verifies a log. One of `stowage-pair-proof/1` (windows) is told in core/plan/proof/check_proof_pairs.h, those of several pools
/// are in core/plan/proof/check_proof_pools.h; what follows is one of `stowage-proof/1`, a text of lines:
///
///     stowage-proof 1
///     pool NAME
///     capacity BYTES
///     copies N     the slots of the buffers that have the pool as their only candidate, numbered from 0 in the problem's order
///     ? i          branch on slot i: first it lies at its release, then, after that is refuted, it lies higher
///     = i          slot i lies at its release, as nothing unplaced can reach into that place
///     ! i t        slot i lies at its release, as nothing else can fill step t
///     @ i j …      of the unplaced slots look at these only; none of the others conflicts with them
///     ^ i          refuted: slot i ends above the capacity
///     - i          refuted: slot i is to lie higher than its release, but nothing is left that could be in its way
///     *            refuted: every slot that waits is to lie higher than its release, hence above another one that waits
///     # t          refuted: what is unplaced and live at step t cannot begin low enough for its bytes
///
/// The argument. If there is a layout, there is one of smallest sum of offsets, and in that none can be moved to a lower place
/// that is free. A slot is placed only when no unplaced neighbour (a slot in conflict with it) can lie wholly below its
/// *release*, the lowest aligned offset above all placed neighbours; so no unplaced slot ever lies below a placed neighbour, and
/// each lies at its release or higher. One that lies higher has an unplaced neighbour in the way, and lies above the lowest top
/// that one can have. At a step t the unplaced need U bytes above the lowest begin among them, so that is at most capacity - U.
/// Pinned slots are placed from the start, and a release jumps over them.
///
/// Where a plan may rotate with loops, it is one iteration that has no layout (core/plan/one_iteration.h), hence no plan has.
///
/// Errors: the first line that does not follow, with its number; problems with windows, carried values or buffers that may share,
/// for which the argument does not hold. O(lines * slots * neighbours) in the worst case; memory O(slots^2).
Expected<ProvedImpossible> checkProof(const Problem& problem, std::string_view log);

} // namespace stowage

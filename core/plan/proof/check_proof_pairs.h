// Checks the logs of a search over pairs of buffers, for problems with windows. Shares no code with the search.
#pragma once

#include "core/ir/checked.h"
#include "core/plan/proof/proved.h"

namespace stowage {

constexpr std::size_t maxLoggedPairSlots = 2000;
/// Largest size, pin, alignment and capacity, so that sums of three cannot overflow.
constexpr Bytes largestLogged = maxBytes / 8;
constexpr std::size_t maxLoggedDepth = 10'000; ///< maximum nesting of branches: at most 160 MB of offsets

/// Checks a log of `stowage-pair-proof/1`, a text of these lines:
///
///     stowage-pair-proof 1
///     pool NAME
///     capacity BYTES
///     copies N     the number of slots, as in `stowage-proof/1`
///     # t          refuted before any branch: more bytes than the capacity are occupied at step t
///     / i j k      branch on range k of those of offset(j) - offset(i) at which slots i < j collide, from 0, ascending:
///                  first j lies above it, then, after that is refuted, below
///     \ i j k      the same, first below
///
/// The argument: a range is open, low < offset(j) - offset(i) < high; in every layout the difference is at least high, or at most
/// low. Each alternative is a lower bound of one offset relative to the other. A set of such inequalities has a smallest solution
/// (also with alignments, because rounding up is monotone). A state is refuted if an offset of this solution is above the highest
/// one that the capacity or a pin allows; no line is needed for that. Slots of one buffer are interchangeable, except for a
/// pinned first slot, so they may be ordered by address.
///
/// Loops as in `stowage-proof/1`. Errors: the first line that does not follow from the lines before it, with its number; problems
/// with carried values or buffers that may share; more slots, larger sizes or deeper branches than the limits above. O(lines *
/// slots * ranges) in most cases; memory O(slots + depth * slots).
Expected<ProvedImpossible> checkPairProof(const Problem& problem, std::string_view log);

} // namespace stowage

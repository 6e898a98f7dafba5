// The logs that a search over pairs of buffers writes, for problems with windows. Shares no code with the search.
#pragma once

#include "core/ir/checked.h"
#include "core/plan/proof/proved.h"

namespace stowage {

constexpr std::size_t maxLoggedPairSlots = 2000;
constexpr Bytes largestLogged = maxBytes / 8;  ///< of a size, pin, alignment or capacity, so that sums of three need no check
constexpr std::size_t maxLoggedDepth = 10'000; ///< branches one inside the other: 160 MB of offsets at most

/// Verifies a log of `stowage-pair-proof/1`, a text of lines:
///
///     stowage-pair-proof 1
///     pool NAME
///     capacity BYTES
///     copies N     the number of slots, as in `stowage-proof/1`
///     # t          refuted before any branch: what is occupied at step t is more than the capacity
///     / i j k      branch on range k of those of offset(j) - offset(i) at which slots i < j collide, from 0, ascending:
///                  first j lies above it, then, after that is refuted, below
///     \ i j k      the same, first below
///
/// The argument. A range is open, low < offset(j) - offset(i) < high; in every layout the difference is high or more, or low or
/// less. Either says that one of the two begins at least so far above the other, and with such statements alone there is a least
/// offset for every slot (alignment keeps that: rounding up is monotone). A state is refuted when one of these least offsets is
/// above the highest that the capacity or the pin allows; so its lines end there by themselves. Slots of one buffer are alike,
/// but for a pinned first one, and may be taken in order of address.
///
/// Loops as in `stowage-proof/1`. Errors: the first line that does not follow, with its number; problems with carried values or
/// buffers that may share; more slots, larger sizes or deeper branches than the limits below. O(lines * slots * ranges) in most
/// cases; memory O(slots + depth * slots).
Expected<ProvedImpossible> checkPairProof(const Problem& problem, std::string_view log);

} // namespace stowage

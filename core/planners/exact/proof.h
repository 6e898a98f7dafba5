// Logs of searches that found nothing, for a checker that does not trust the search.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"

#include <cstdint>
#include <functional>
#include <string>

namespace stowage::exact {

/// A log in the form that `checkProof` reads, which proves that the buffers that can only go to `pool` do not fit into `capacity` bytes. Tries the
/// search's orders in turn, with `nodeLimit` nodes each (a log takes about ten bytes a node); without its memory of refuted states, of which
/// no line could tell. Where a buffer has windows it is the log of a search over pairs. Errors: they do fit; no order ended inside the limit; carried copies or
/// buffers that may share.
Expected<std::string> writeProof(const Problem& problem, PoolId pool, Bytes capacity, std::uint64_t nodeLimit,
                                 const std::function<bool()>& stop = {});

/// A log for `checkProof` that proves that no choice of pools has everything inside the capacities, of at most `nodeLimit` choices and, for each pool of a whole
/// choice, as many nodes. Errors: as above, and a choice for which every pool suffices.
Expected<std::string> writePoolProof(const Problem& problem, std::uint64_t nodeLimit, const std::function<bool()>& stop = {});

} // namespace stowage::exact

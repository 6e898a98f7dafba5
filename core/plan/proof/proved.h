// The result of checking the log of a search that proved that no layout exists.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"

#include <cstdint>
#include <string_view>

namespace stowage {

/// What a valid log proves: the buffers whose only candidate is `pool` do not fit into `capacity` bytes of it; or all buffers do
/// not fit into all pools.
struct ProvedImpossible {
    PoolId pool = none; ///< none: all pools, with every choice of pools
    Bytes capacity = 0;
    bool together = false;   ///< true: every plan within the capacities takes more than `capacity` bytes in all pools together
    std::uint64_t steps = 0; ///< lines of the log
};

/// Checks a log of any kind, as `checkProof` (core/plan/proof/check_proof.h) does. For checkers of logs that contain other logs.
using ProofCheck = Expected<ProvedImpossible>(const Problem& problem, std::string_view log);

} // namespace stowage

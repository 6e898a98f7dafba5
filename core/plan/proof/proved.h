// What a log of a search that found no layout proves.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"

#include <cstdint>
#include <string_view>

namespace stowage {

/// What a verified log proves: the buffers that can go to no other pool do not fit into `capacity` bytes of `pool`, or all
/// buffers not into all pools.
struct ProvedImpossible {
    PoolId pool = none; ///< none: all of them, whichever buffer goes where
    Bytes capacity = 0;
    bool together = false;   ///< not even where each is inside its capacity: together they take more than `capacity` bytes
    std::uint64_t steps = 0; ///< lines of the log
};

/// Verifies a log of any kind: `checkProof` (core/plan/proof/check_proof.h), for verifiers of logs that have logs inside.
using ProofCheck = Expected<ProvedImpossible>(const Problem& problem, std::string_view log);

} // namespace stowage

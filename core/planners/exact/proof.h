// Logs of searches that found nothing, for a checker that does not trust the search.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/plan/report.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stowage::exact {

/// Why no log about the buffers that can only go to `pool` can be checked, or nothing: carried values, buffers that may share, a
/// name that takes several lines, or more and larger ones than the checker takes. O(buffers).
std::optional<Error> cannotBeLogged(const Problem& problem, PoolId pool);

/// A log in the form that `checkProof` reads, which proves that the buffers that can only go to `pool` do not fit into `capacity`
/// bytes. Tries the search's orders in turn, with `nodeLimit` nodes each (a log takes about ten bytes a node); without its memory
/// of refuted states, of which no line could tell. Where a buffer has windows it is the log of a search over pairs. What differs
/// by iteration is left out (core/plan/one_iteration.h), as the checker does. Errors: `fits`: they do; `no-proof`: no order ended
/// inside the limit; what `cannotBeLogged` says.
Expected<std::string> writeProof(const Problem& problem, PoolId pool, Bytes capacity, std::uint64_t nodeLimit,
                                 const std::function<bool()>& stop = {});

/// A log for `checkProof` that proves that no choice of pools has everything inside the capacities, of at most `nodeLimit`
/// choices and, for each pool of a whole choice, as many nodes. Errors: as above.
Expected<std::string> writePoolProof(const Problem& problem, std::uint64_t nodeLimit, const std::function<bool()>& stop = {});

/// A log that proves that no plan inside the capacities takes `total` bytes or fewer in all pools together, with the same limits
/// and errors.
Expected<std::string> writeSumProof(const Problem& problem, Bytes total, std::uint64_t nodeLimit,
                                    const std::function<bool()>& stop = {});

/// As an error of a log: what a search cannot represent has none.
Error noLog(const Error& why);

/// The logs that prove the bounds of a report.
struct PlanProof {
    std::string logs; ///< one after the other, each with its head
    struct Refuted {
        PoolId pool = none; ///< none: all of them
        Bytes bytes = 0;    ///< the size that is proved impossible; 0 with all pools: their capacities
    };
    std::vector<Refuted> refuted; ///< by log
};

/// Why a plan is optimal or infeasible, for `checkProof`: that no pool can be smaller, that one is too small, or the same of all
/// pools where buffers have a choice. Limits as above, for each log. Errors: the report claims neither; and as above.
Expected<PlanProof> writePlanProof(const Problem& problem, const Report& report, std::uint64_t nodeLimit,
                                   const std::function<bool()>& stop = {});

} // namespace stowage::exact

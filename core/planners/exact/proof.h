// Writes logs of searches that prove that no layout exists, for an independent checker.
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

/// Why the checker cannot check a log about the buffers whose only candidate is `pool`: carried values, buffers that may share, a
/// name with line breaks, or too many or too large buffers. No value if it can. O(buffers).
std::optional<Error> cannotBeLogged(const Problem& problem, PoolId pool);

/// A log for `checkProof`, which proves that the buffers whose only candidate is `pool` do not fit into `capacity` bytes. Tries
/// the orders of the search in turn, with `nodeLimit` nodes each (about ten bytes of log for each node), without the memory of
/// refuted states, which a log cannot express. With windows it is the log of a `PairSearch`. Ranges that differ between
/// iterations are left out (core/plan/one_iteration.h), as in the checker. Errors: `fits`: the buffers fit; `no-proof`: no order
/// completed within the limit; the errors of `cannotBeLogged`.
Expected<std::string> writeProof(const Problem& problem, PoolId pool, Bytes capacity, std::uint64_t nodeLimit,
                                 const std::function<bool()>& stop = {});

/// A log for `checkProof`, which proves that no assignment of buffers to pools fits into the capacities. Limits: `nodeLimit`
/// choices, and `nodeLimit` nodes for each pool of a complete assignment. Errors as above.
Expected<std::string> writePoolProof(const Problem& problem, std::uint64_t nodeLimit, const std::function<bool()>& stop = {});

/// A log that proves that no plan within the capacities takes `total` bytes or fewer in all pools together. Limits and errors as
/// above.
Expected<std::string> writeSumProof(const Problem& problem, Bytes total, std::uint64_t nodeLimit,
                                    const std::function<bool()>& stop = {});

/// The error of a log for an error of the search: a problem that the search does not support has no log.
Error noLog(const Error& why);

/// The logs that prove the bounds of a report.
struct PlanProof {
    std::string logs; ///< the logs, one after the other, each with its header
    struct Refuted {
        PoolId pool = none; ///< none: all pools together
        Bytes bytes = 0;    ///< the size that is proved impossible; 0 for all pools: their capacities
    };
    std::vector<Refuted> refuted; ///< by log
};

/// Logs for `checkProof` that prove the status `optimal` or `infeasible` of a report: that no pool can be smaller, or that a pool
/// is too small; if buffers have several candidates, the same for all pools together. Limits as above, for each log. Errors: the
/// report has another status; and as above.
Expected<PlanProof> writePlanProof(const Problem& problem, const Report& report, std::uint64_t nodeLimit,
                                   const std::function<bool()>& stop = {});

} // namespace stowage::exact

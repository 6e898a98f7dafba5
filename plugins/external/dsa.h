// Writes problems, with reuse penalties, in the open JSON of dynamic storage allocation problems, and reads solutions (schema
// version 1 of dsa-solver and PyPTO).
#pragma once

#include "core/plan/plan.h"
#include "core/plan/run_failure.h"
#include "core/planners/hivm/pipe_aware.h"

#include <string>
#include <string_view>
#include <vector>

namespace stowage::external {

/// How the document describes pairs of buffers that different pipes touch.
enum class PipeReuse : std::uint8_t {
    price,  ///< by a reuse penalty of the pair's price, with the reason `cross_pipe`
    forbid, ///< by a separation, with the reason `target_hazard`
    ignore, ///< not at all
};

struct DsaProblem {
    std::string text;
    /// The problem's buffer for each buffer of the document, by its number there. A buffer with n slots is n buffers there.
    std::vector<BufferId> buffers;
    std::vector<PipePair> pairs; ///< pairs of buffers that different pipes touch
};

/// Writes the problem. Explicit conflicts and unique buffers become separations, pairs that may share become temporal exclusions,
/// and pins stay pins. The objective has the terms excess over the capacity, reuse cost and peak, in this order; without a
/// capacity, the peak comes before the reuse cost. Requires a checked problem without windows. O(n log n); O(n^2) with buffers
/// that pipes touch or that are unique.
[[nodiscard]] DsaProblem writeDsaProblem(const Problem& problem, PipeReuse reuse);

/// Reads a solution: a placement for each buffer of the document `asked`, by numbers of buffers and pools. Errors of
/// `RunFailure`.
[[nodiscard]] Expected<Plan> readDsaSolution(std::string_view text, const Problem& problem, const DsaProblem& asked);

} // namespace stowage::external

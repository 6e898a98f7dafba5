// The open JSON of dynamic storage allocation problems (schema version 1, as dsa-solver and PyPTO have it): problems out, with
// reuse penalties, and solutions in.
#pragma once

#include "core/plan/plan.h"
#include "core/plan/run_failure.h"
#include "core/planners/hivm/pipe_aware.h"

#include <string>
#include <string_view>
#include <vector>

namespace stowage::external {

/// How pairs of buffers that different pipes touch are told.
enum class PipeReuse : std::uint8_t {
    price,  ///< a reuse penalty of the pair's price, reason `cross_pipe`
    forbid, ///< a separation, reason `target_hazard`
    ignore,
};

struct DsaProblem {
    std::string text;
    /// By id of the document's buffers: the problem's buffer. A buffer with several slots is as many buffers there.
    std::vector<BufferId> buffers;
    std::vector<PipePair> pairs; ///< of different pipes
};

/// Explicit conflicts and unique buffers become separations, pairs that may share become temporal exclusions, pins stay. Of the
/// terms of the objective a capacity comes first, then the reuse cost, then the peak; without a capacity the peak before the
/// cost. Requires a checked problem without windows. O(n log n); O(n^2) with buffers that pipes touch or that are unique.
[[nodiscard]] DsaProblem writeDsaProblem(const Problem& problem, PipeReuse reuse);

/// A solution document: placements by numbers of buffers and pools.
[[nodiscard]] Expected<Plan> readDsaSolution(std::string_view text, const Problem& problem, const DsaProblem& asked);

} // namespace stowage::external

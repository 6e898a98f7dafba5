// Applies the plan of another tool (from a log, a dump, a profile, a program) to an open model: matches its buffers to the
// model's tensors, and checks the plan on the model's problem.
#pragma once

#include "app/session/session.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

/// The key by which the buffers of the other tool's plan were matched to the model's.
enum class MatchedBy : std::uint8_t {
    place, ///< the line and column of their allocations (foreign_plan.h)
    name,  ///< names of tensors
    order, ///< the order of the model's tensors, if all sizes agree after rounding: for a runtime's log, which has numbers only
    shape, ///< size, first and last step
};
[[nodiscard]] std::string_view toText(MatchedBy by); ///< "name"

struct LaidPlan {
    std::shared_ptr<const Run> run; ///< the plan on the model's problem, with the core's verdict
    MatchedBy by = MatchedBy::name;
    std::size_t matched = 0; ///< count of buffers of the plan that are tensors of the model
    std::size_t besides = 0; ///< count of other buffers of the plan, such as scratch of kernels
    std::size_t aliases = 0; ///< count of pairs of tensors with common bytes because one is a view of the other, or in place
    Diagnostics diagnostics;
};

/// "32 tensors matched by order, 27 more buffers, 2 aliases".
[[nodiscard]] std::string describe(const LaidPlan& laid);

/// Applies the plan in `source` to the function of `model` that `request` names. Sizes may be rounded up to a multiple of at most
/// 512 bytes. Two tensors may have common bytes if one is a view of the other, or may be written over the other where that one
/// dies (aliases); other common bytes are overlaps, and the verdict names the pair. Tensors that `source` does not place are
/// placed between the others, and a note gives their count. Buffers of a runtime's log that are not tensors (scratch of kernels)
/// become part of the problem, which then has no program. Errors: no offsets in `source`; a plan of another model (fewer than
/// half of its buffers are found); another size; cancelled. O(n log n).
[[nodiscard]] Expected<LaidPlan> layBeside(const Session& session, const Model& model, const Model& source,
                                           const PlanRequest& request, const std::stop_token& cancel = {});

/// By time unit of a runtime's log: the steps of the run. They differ because TensorFlow Lite Micro counts no time for leaving a
/// sub-graph. Never empty.
[[nodiscard]] std::vector<Interval> stepsOfTimes(const Run& run);

} // namespace stowage

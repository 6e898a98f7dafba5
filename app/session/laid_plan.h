// The plan of another tool (from a log, a dump, a profile, a program) for an open model: its buffers are matched to the model's
// tensors, and the plan is judged on the model.
#pragma once

#include "app/session/session.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace stowage {

/// How the buffers of the other tool's plan were found among the model's.
enum class MatchedBy : std::uint8_t {
    place, ///< the line and column of their allocations (foreign_plan.h)
    name,  ///< names of tensors
    order, ///< the model's order of tensors, all sizes equal after rounding: a runtime's log, which has numbers only
    shape, ///< size, first and last step
};
[[nodiscard]] std::string_view toText(MatchedBy by); ///< "name"

struct LaidPlan {
    std::shared_ptr<const Run> run; ///< the plan on the model's problem, with the core's verdict
    MatchedBy by = MatchedBy::name;
    std::size_t matched = 0; ///< buffers of the plan that are tensors of the model
    std::size_t besides = 0; ///< other buffers of the plan, such as scratch of kernels
    std::size_t aliases = 0; ///< pairs of tensors that lie on common bytes because one is a view of the other, or written over it
    Diagnostics diagnostics;
};

/// "32 tensors matched by order, 27 more buffers, 2 aliases".
[[nodiscard]] std::string describe(const LaidPlan& laid);

/// The plan that `source` brings, for the function of `model` that `request` names. Sizes may be rounded up (to 512 bytes at
/// most). Tensors that are views of one another, or of which one may be written over the other that dies there, may lie on common
/// bytes: aliases. Any other common bytes are overlaps, and the verdict names the pair. Tensors that the source does not place
/// are placed round the others, and a note says how many. Buffers of a runtime's log that are no tensors (scratch of kernels) are
/// part of the problem then, which has no program. Errors: the source gives no offsets; a plan of another model (fewer than half
/// of its buffers are found); another size. O(n log n).
[[nodiscard]] Expected<LaidPlan> layBeside(const Session& session, const Model& model, const Model& source,
                                           const PlanRequest& request);

/// The steps of each unit of a runtime's clock: TensorFlow Lite Micro does not count the leaving of a sub-graph. Never empty.
[[nodiscard]] std::vector<Interval> stepsOfTimes(const Run& run);

} // namespace stowage

// Decides whether a CSV with offsets, opened beside a model, is a plan of the model or a problem with pins. In doubt the user
// decides.
#pragma once

#include "app/session/session.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace stowage {

/// The sign by which a table that was opened beside a model is taken for a plan of it.
enum class PlanSign : std::uint8_t {
    noPlan,         ///< the table is a problem
    placesEveryRow, ///< every row has an offset, and the model's buffers are not placed yet
    namesTensors,   ///< all ids are tensors of the model's program, or buffers of the model's problem, which is placed in part
};

/// The sign that `table`, opened as a problem beside `model`, is a plan of `model`. `noPlan` if `table` was not read from a CSV,
/// or if `model` is a table whose rows are all placed. O(rows + tensors).
[[nodiscard]] PlanSign planSign(const Model& table, const Model& model);

/// An error that explains how to open the table as a plan of `model` and how as a problem. Requires a `sign` other than `noPlan`.
[[nodiscard]] Error planAmongInputs(const Model& table, const Model& model, PlanSign sign);

struct JudgedPlan {
    std::shared_ptr<const Run> run;
    Diagnostics diagnostics; ///< of reading the plan
};
/// The plan in `text` (a CSV with offsets, or `stowage.plan/1` JSON) as a run of the function `request.function` of `model`, with
/// the core's verdict. Lowering options of the request replace those in the text. `path` names the text in messages. Errors:
/// those of lowering and of reading.
[[nodiscard]] Expected<JudgedPlan> judgePlan(const Session& session, const Model& model, PlanRequest request,
                                             std::string_view text, const std::string& path);

} // namespace stowage

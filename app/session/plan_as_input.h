// A CSV with offsets may be a problem with pins, or a plan: which one is meant, beside a model, is the user's to say.
#pragma once

#include "app/session/session.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace stowage {

/// Why a table that was opened beside `model` is taken for a plan of it.
enum class PlanSign : std::uint8_t {
    noPlan,         ///< it is a problem like any other
    placesEveryRow, ///< every row has an offset, and the model's buffers are still to be placed
    namesTensors,   ///< its ids are all tensors of the model's program, or buffers of the model's problem and placed in part
};

/// Whether `table`, opened as a problem beside `model`, looks like a plan of `model`. `none` when `table` was not read from a
/// CSV, or when `model` is a table of which every row is placed as well. O(rows + tensors).
[[nodiscard]] PlanSign planSign(const Model& table, const Model& model);

/// The error that names both ways: as a plan of `model`, or as a problem. `sign` is not `none`.
[[nodiscard]] Error planAmongInputs(const Model& table, const Model& model, PlanSign sign);

struct JudgedPlan {
    std::shared_ptr<const Run> run;
    Diagnostics diagnostics; ///< of reading it
};
/// The plan in `text` (a CSV with offsets, or our plan JSON) for `request.function` of `model`: lowered as the text says, then
/// as the request does, and judged by the core. `path` stands for the text in messages. Errors: those of lowering and of reading.
[[nodiscard]] Expected<JudgedPlan> judgePlan(const Session& session, const Model& model, PlanRequest request,
                                             std::string_view text, const std::string& path);

} // namespace stowage

// Reads answers in JSON: the list "placements", and documents that contain it.
#pragma once

#include "plugins/external/answer.h"

class QJsonObject;
class QJsonValue;

namespace stowage::external {

/// Reads an offset from a JSON number. A number with a fraction is `notANumber`.
[[nodiscard]] AnsweredOffset offsetOf(const QJsonValue& value);

/// Adds each entry of the list "placements" of `object` to the answer: [{"buffer", "pool", "offset" | "offsets"}]. Other fields
/// of an entry are ignored. A missing list or field, or a field of another type, becomes the error of the answer.
void placeAll(const QJsonObject& object, Answer& answer);

/// The plan of a `stowage.plan/1` document. Errors of `RunFailure`: no document, and those of `placeAll` and `Answer::plan`.
/// O(n log n).
[[nodiscard]] Expected<Plan> readJsonAnswer(std::string_view text, const Problem& problem);

} // namespace stowage::external

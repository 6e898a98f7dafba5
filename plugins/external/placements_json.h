// Answers in JSON: the list "placements", and documents that have it.
#pragma once

#include "plugins/external/answer.h"

class QJsonObject;
class QJsonValue;

namespace stowage::external {

/// An offset as JSON has it.
[[nodiscard]] AnsweredOffset offsetOf(const QJsonValue& value);

/// Hands the list "placements" of `object` to the answer: [{"buffer", "pool", "offset" | "offsets"}]; other fields of an entry do
/// not count. What is not so is the answer's error.
void placeAll(const QJsonObject& object, Answer& answer);

/// The plan of a `stowage.plan/1` document. Errors of `RunFailure`: no document, and those of `placeAll` and `Answer::plan`.
/// O(n log n).
[[nodiscard]] Expected<Plan> readJsonAnswer(std::string_view text, const Problem& problem);

} // namespace stowage::external

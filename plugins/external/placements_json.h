// "placements" of a JSON answer.
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

} // namespace stowage::external

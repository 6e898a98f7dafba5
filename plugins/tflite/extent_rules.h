// Extents of results that follow from those of operands, for axes that the file leaves open.
#pragma once

#include "plugins/tflite/model.h"

#include <cstdint>
#include <optional>

namespace stowage::tflite {

/// The extent of an axis of the only result of `op`, where the known extents of operands and of the result's other axes decide
/// it: element-wise operators, convolutions and poolings in two dimensions, fully connected layers, reshapes, transpositions with
/// one open axis, concatenations, look-ups in tables. No value for other operators, and where an extent is missing. Requires an
/// axis of the result. O(operands).
[[nodiscard]] std::optional<std::int64_t> followingExtent(const Subgraph& graph, const OperatorInfo& op, Index axis);

/// Whether the rows (axis 0) of `result`, which `op` makes, are those of its operands, so that both have the batch there.
/// Requires that axis 0 of the result is open and no extent follows for it. False where the rows may be others: operators that
/// select rows by data, such as WHERE, or that reorder axes; custom ones; reshapes of an unknown number of elements; fully
/// connected layers that join axes; and a result with fewer axes than the first operand, if that has another open axis. O(rank).
[[nodiscard]] bool keepsRows(const Subgraph& graph, const OperatorInfo& op, const TensorInfo& result);

/// Whether the elements of an operand are the shape of the result, as of FILL. No shape of an operand tells its rows then.
[[nodiscard]] bool takesShapeAsOperand(const OperatorInfo& op);

} // namespace stowage::tflite

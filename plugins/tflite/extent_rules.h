// Extents of results that follow from those of operands, for axes that the file leaves open.
#pragma once

#include "plugins/tflite/model.h"

#include <cstdint>
#include <optional>

namespace stowage::tflite {

/// The extent of an axis of the only result of `op`, where the known extents of operands and of the result's other axes decide
/// it: element-wise operators, convolutions and poolings in two dimensions, fully connected layers, reshapes, transpositions with
/// a constant permutation or one open axis, concatenations, look-ups in tables. No value for other operators, and where an extent
/// is missing. Requires an axis of the result. O(operands).
[[nodiscard]] std::optional<std::int64_t> followingExtent(const Subgraph& graph, const OperatorInfo& op, Index axis);

/// Whether the file leaves axis 0 open.
[[nodiscard]] bool hasOpenRows(const TensorInfo& tensor);

/// Whether the rows (axis 0) of `result`, which `op` makes, are those of its operands, so that both have the batch there.
/// Requires that axis 0 of the result is open, that no extent follows for it, and that each operand with open rows has the batch.
/// True only for operators that are known to keep the rows of an operand, and for those that take a shape as operand. What cuts,
/// pads, splits or repeats keeps them where constant operands say that it leaves axis 0 as it is; a reduction that loses axes, if
/// the operand has no other open axis; a reshape, if the number of elements is known. O(rank).
[[nodiscard]] bool keepsRows(const Subgraph& graph, const OperatorInfo& op, const TensorInfo& result);

/// Whether the elements of an operand are the shape of the result, as of FILL. No shape of an operand tells its rows then.
[[nodiscard]] bool takesShapeAsOperand(const OperatorInfo& op);

} // namespace stowage::tflite

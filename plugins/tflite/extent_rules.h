// Extents of results that follow from those of operands, for axes that the file leaves open.
#pragma once

#include "plugins/tflite/model.h"

#include <cstdint>
#include <optional>

namespace stowage::tflite {

/// The extent of an axis of the only result of `op`, where the known extents of operands and of the result's other axes decide
/// it: element-wise operators, convolutions and poolings in two dimensions, fully connected layers, reshapes, concatenations,
/// look-ups in tables. No value for other operators, and where an extent is missing. Requires an axis of the result. O(operands).
[[nodiscard]] std::optional<std::int64_t> followingExtent(const Subgraph& graph, const OperatorInfo& op, Index axis);

/// Whether the rows of what `op` makes (axis 0) are those of its operands, so that both have the batch there. False for operators
/// that select rows by data, such as WHERE, that reorder axes, and for custom ones.
[[nodiscard]] bool keepsRows(const OperatorInfo& op);

} // namespace stowage::tflite

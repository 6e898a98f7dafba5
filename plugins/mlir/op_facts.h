// What an op of MLIR does, as planning and folding ask for it.
#pragma once

#include "core/passes/fold_traits.h"

#include <mlir/IR/Operation.h>
#include <mlir/IR/Value.h>

#include <vector>

namespace stowage::mlirfile {

/// `tensor.empty`: a shape without a value.
bool isEmptyTensor(mlir::Value value);
/// A destination whose old value the op does not read: only its type counts.
bool isUnreadDestination(mlir::OpOperand& operand);
/// What the op reads: its operands without unread destinations, then what its regions read of the values around.
std::vector<mlir::Value> readValues(mlir::Operation* op);
/// Results that may take the place of an operand: an old destination value that is read and replaced.
std::vector<std::pair<mlir::Value, mlir::Value>> overwritable(mlir::Operation* op);

/// See `FoldTraits`. The result of a destination-style op is a value of its own: writing it is no effect.
FoldTraits traitsOf(mlir::Operation* op);

/// The dimensions of the result that a broadcast adds; nothing for other ops. `linalg.broadcast`, and a `linalg.generic` that
/// only hands its operand on.
std::optional<llvm::SmallVector<std::int64_t>> broadcastDimensions(mlir::Operation* op);

} // namespace stowage::mlirfile

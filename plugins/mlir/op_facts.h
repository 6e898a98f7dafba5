// Facts of ops of MLIR that planning and folding need.
#pragma once

#include "core/passes/fold_traits.h"

#include <mlir/IR/Operation.h>
#include <mlir/IR/Value.h>

#include <optional>
#include <utility>
#include <vector>

namespace stowage::mlirfile {

/// Whether the value is made by `tensor.empty`, and so has a shape but no contents.
bool isEmptyTensor(mlir::Value value);
/// Whether the operand is a destination whose old value the op does not read.
bool isUnreadDestination(mlir::OpOperand& operand);
/// The values that the op reads: its operands without unread destinations, then the outer values that its regions read.
std::vector<mlir::Value> readValues(mlir::Operation* op);
/// The values that the op or an op in its regions writes to or frees. No value: it is not known, so that it may be any of them.
std::optional<std::vector<mlir::Value>> writtenValues(mlir::Operation* op);
/// Pairs of a result and the operand whose bytes it may take: a destination whose old value is read and replaced.
std::vector<std::pair<mlir::Value, mlir::Value>> overwritable(mlir::Operation* op);

/// Whether the op is read as a loop or a branch, with its regions. Any other op is one step, with or without regions.
bool isStructured(mlir::Operation* op);
/// Whether the op is a loop whose iterations may run at once.
bool isParallelLoop(mlir::Operation* op);
/// Whether the op around the region is known to run the ops of the region one after the other, each at most once at a time.
bool runsInOrder(mlir::Region& region);
/// The innermost op around `op`, inside of the function, that does not run its regions one op after the other: a parallel loop,
/// an op with regions of several blocks, an op that is not known. Null if there is none: then each op of the region runs at most
/// once at a time. O(depth).
mlir::Operation* unorderedAround(mlir::Operation* op);

/// The innermost loop around `op`, inside of the function; null if there is none. O(depth).
mlir::Operation* loopAround(mlir::Operation* op);
/// Whether the op only ends lifetimes: `memref.dealloc`, and `bufferization.dealloc` without results.
bool isEndOfLifetimes(mlir::Operation* op);
/// Calls `visit` for the ops below `root` that belong to the same function, each before the ops in its regions. Ops below that
/// are isolated from `root` (functions, modules) are left out.
mlir::WalkResult walkOwnOps(mlir::Operation* root, llvm::function_ref<mlir::WalkResult(mlir::Operation*)> visit);

/// See `FoldTraits`. Writing the destination of a destination-style op is not an effect, because its result is a value of its
/// own.
FoldTraits traitsOf(mlir::Operation* op);

/// The dimensions that a broadcast (`linalg.broadcast`, or a `linalg.generic` that yields its operand unchanged) adds to its
/// operand; no value for other ops.
std::optional<llvm::SmallVector<std::int64_t>> broadcastDimensions(mlir::Operation* op);

} // namespace stowage::mlirfile

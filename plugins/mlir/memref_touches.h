// The allocation that a memref belongs to, and the op that uses it first.
#pragma once

#include <mlir/IR/Operation.h>
#include <mlir/IR/Value.h>

#include <llvm/ADT/DenseMap.h>

namespace stowage::mlirfile {

/// The value that owns the storage of `value`: follows views, casts and `bufferization.to_memref`/`to_tensor` back to their
/// source.
mlir::Value storageOf(mlir::Value value);
/// Whether the op makes storage of its own: `memref.alloc`, `memref.alloca`, and views of an arena at constant offsets
/// (arena_form.h).
bool isAllocation(mlir::Operation* op);
/// The first op of the allocation's block that uses it, directly or inside one of its regions; null if there is none.
mlir::Operation* firstTouch(mlir::Operation* allocation);

} // namespace stowage::mlirfile

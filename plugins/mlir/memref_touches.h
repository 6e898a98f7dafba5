// Which allocation a memref leads to, and which op touches it first.
#pragma once

#include <mlir/IR/Operation.h>
#include <mlir/IR/Value.h>

#include <llvm/ADT/DenseMap.h>

namespace stowage::mlirfile {

/// The value that owns the storage: through views, casts and `bufferization.to_memref`/`to_tensor`. Itself for anything else.
mlir::Value storageOf(mlir::Value value);
/// `memref.alloc` and `memref.alloca`, and views of an arena at constant offsets (arena_form.h) stand for storage of their own.
bool isAllocation(mlir::Operation* op);
/// The op of the allocation's own block that touches it first, itself or in a region of it; null when nobody does.
mlir::Operation* firstTouch(mlir::Operation* allocation);

} // namespace stowage::mlirfile

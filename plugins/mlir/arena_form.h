// The form that a static memory planner produces: one arena of bytes, and views of it at constant offsets.
//
//     %arena = memref.alloc() {alignment = 64} : memref<8192xi8>
//     %c4096 = arith.constant 4096 : index
//     %a = memref.view %arena[%c4096][] : memref<8192xi8> to memref<32x32xf32>
//
// LLVM's static memory planner of the bufferization dialect writes this form. It is read as a plan, and written by
// plan_rewrite.h.
#pragma once

#include <mlir/IR/Operation.h>

#include <llvm/ADT/DenseSet.h>

#include <cstdint>
#include <optional>

namespace stowage::mlirfile {

/// The arenas of a module, found once: an arena has as many users as the module has buffers. O(ops + uses of the arenas); a query
/// takes O(1).
class Arenas {
public:
    /// The arenas in the regions of `root`.
    explicit Arenas(mlir::Operation* root);

    /// Whether the op allocates a one-dimensional memref of bytes whose only uses are views at constant offsets, at least one.
    [[nodiscard]] bool contains(mlir::Operation* op) const { return arenas_.contains(op); }
    /// Whether the op is a view of an arena at a constant offset.
    [[nodiscard]] bool hasView(mlir::Operation* op) const;

private:
    llvm::DenseSet<mlir::Operation*> arenas_;
};

/// The offset of a view, in bytes. Requires `Arenas::hasView`.
[[nodiscard]] std::int64_t arenaOffset(mlir::Operation* op);

} // namespace stowage::mlirfile

// Copies that go on after the op that starts them. Their memrefs are in use until another op has waited for them.
#pragma once

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Value.h>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <utility>
#include <vector>

namespace stowage::mlirfile {

/// Two ways to wait are known:
///
///  - by a tag: `memref.dma_start` and `affine.dma_start`, with their `dma_wait`. A wait ends one copy, and copies with one
///    element of a tag end in any order. In a block, they have all ended as soon as the element has as many waits as starts.
///    Where waits are missing, one for a tag of the same storage elsewhere may be the one that ends the copy, also an earlier one
///    of a loop around both.
///  - by a token: ops with a result of type `!async.token`, `!async.value`, `!gpu.async.token` or `!nvgpu.device.async.token`,
///    with `async.await`, `gpu.wait` and `nvgpu.device_async_wait`. The wait may be for a token that another op made of theirs.
///
/// A wait counts where the memref is visible. Where it may be left out, by a branch for example, it holds the memref and does not
/// end the copy.
struct InFlight {
    /// By op of the program: memrefs of copies that the op, or an op in its regions, may end.
    llvm::DenseMap<mlir::Operation*, llvm::SmallVector<mlir::Value, 2>> heldUntil;
    /// Memrefs of copies of which no wait is known that ends them, each with the op that starts the copy.
    std::vector<std::pair<mlir::Value, mlir::Operation*>> unfinished;
};

/// `storageOf`: the memref of which a value is a view, or the value itself. O(ops * (depth + log ops)). Of a copy whose block has
/// too few waits, a tag with more than 64 waits elsewhere is as one without any.
[[nodiscard]] InFlight findInFlight(mlir::ModuleOp module, llvm::function_ref<mlir::Value(mlir::Value)> storageOf);

} // namespace stowage::mlirfile

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
///  - by a tag: `memref.dma_start` and `affine.dma_start`, with their `dma_wait` (tag_waits.h).
///  - by a token: ops with a result of type `!async.token`, `!async.value`, `!gpu.async.token` or `!nvgpu.device.async.token`,
///    with `async.await`, `gpu.wait` and `nvgpu.device_async_wait`. The wait may be for a token that another op made of theirs.
///
/// A wait counts where the memref is visible. Where it may be left out, by a branch for example, it holds the memref and does not
/// end the copy. A memref from outside of a loop is live over the whole loop: so a copy may go on into the next iteration.
struct InFlight {
    /// By op of the program: memrefs of copies that the op, or an op in its regions, may end.
    llvm::DenseMap<mlir::Operation*, llvm::SmallVector<mlir::Value, 2>> heldUntil;
    /// Memrefs of copies of which no wait is known that ends them, each with the op that starts the copy.
    std::vector<std::pair<mlir::Value, mlir::Operation*>> unfinished;
};

/// `storageOf`: the memref of which a value is a view, or the value itself. O(ops * (depth + log ops)). A token with more than 64
/// ops that hand it on is followed through the first ones only.
[[nodiscard]] InFlight findInFlight(mlir::ModuleOp module, llvm::function_ref<mlir::Value(mlir::Value)> storageOf);

} // namespace stowage::mlirfile

// The waits after which a copy has ended that `memref.dma_start` or `affine.dma_start` starts with an element of a tag.
#pragma once

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Operation.h>
#include <mlir/IR/Value.h>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

namespace stowage::mlirfile {

/// Copies on one element of a tag end in any order. A wait returns when one of them has ended, and does not tell which one: it
/// may be a copy that another block or another iteration has started. So there is one rule:
///
///     When a run has passed as many waits as starts, all copies that it has started have ended.
///
/// It holds for one element, because each wait has taken the end of another copy. It holds for a set of elements, because no
/// element has more waits than starts: if the sums are equal, the numbers of each element are. So elements that may be the same
/// one are counted together, in one set: those of an allocation, apart from elements that differ in an index which is a constant
/// in each op on the allocation; and all elements of a function whose memref may have another name (arguments, globals, results
/// of `arith.select`, allocations that such ops are given).
///
/// The copies in flight, starts minus waits, are counted along the text. This is right for each run as long as an iteration of a
/// loop leaves the number unchanged, and the branches of an op change it alike. After an op for which this is not so, and after
/// one whose regions are not known to run in order, the number is unknown. In a parallel loop it is unknown; after the loop it is
/// known. A tag that a block allocates is new in each run of that block, so its copies are counted from the begin of the block,
/// also within a parallel loop or regions of unknown order. Arguments and globals have no copy in flight when a function begins
/// that the module does not call. In functions that it calls, and in those with calls and unknown ops, nothing is known of
/// arguments and globals.
class TagWaits {
public:
    using StorageOf = llvm::function_ref<mlir::Value(mlir::Value)>;

    /// `storageOf`: the memref of which a value is a view, or the value itself. O(ops * (depth + log ops)).
    TagWaits(mlir::ModuleOp module, StorageOf storageOf);

    /// Whether the op starts a copy with a tag.
    [[nodiscard]] static bool isStart(mlir::Operation* op);
    /// The op after which the copy of `start` has ended in each run: a wait after it, in its block or in a block around it, or a
    /// parallel loop around it. Null if none is known.
    [[nodiscard]] mlir::Operation* endOf(mlir::Operation* start) const { return ends_.lookup(start); }

private:
    llvm::DenseMap<mlir::Operation*, mlir::Operation*> ends_;
};

} // namespace stowage::mlirfile

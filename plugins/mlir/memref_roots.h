// The allocations that a memref may stand for, and the op that uses an allocation first.
//
// Most memrefs are an allocation, or a view of one. Others stand for one of several allocations, and the run decides which one:
// the result of `arith.select`, results and arguments of the regions of `scf.if`, `scf.for` and `scf.while`, results of calls.
// Such a memref has no bytes of its own. All allocations that it may stand for have to be kept as long as it is used.
#pragma once

#include "plugins/mlir/arena_form.h"
#include "plugins/mlir/in_flight.h"
#include "plugins/mlir/value_sizes.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Value.h>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

namespace stowage::mlirfile {

/// The memrefs of a module. They are followed once; afterwards the module must not change while it is asked.
class MemrefRoots {
public:
    using Values = llvm::SmallVector<mlir::Value, 2>;

    /// Near-linear in the ops and uses of the module, plus the number of roots of all memrefs with several, times the depth of
    /// the regions.
    explicit MemrefRoots(mlir::ModuleOp module);

    [[nodiscard]] bool isArena(mlir::Operation* op) const { return arenas_.contains(op); }
    [[nodiscard]] bool isArenaView(mlir::Operation* op) const { return arenas_.hasView(op); }
    /// Whether the op makes storage of its own: `memref.alloc`, `memref.alloca`, and views of an arena at constant offsets
    /// (arena_form.h).
    [[nodiscard]] bool isAllocation(mlir::Operation* op) const;

    /// The value that `value` is a view of: follows views, casts and `bufferization.to_memref`/`to_tensor` back to their source,
    /// which is `value` itself where there is none.
    [[nodiscard]] mlir::Value storageOf(mlir::Value value) const;
    /// The values whose bytes `value` may have: allocations, arguments of the function, results of ops that make memory. One of
    /// them is the storage of `value` itself if it has bytes of its own. An op that is not known counts as both: its result has
    /// bytes of its own, and may have those of the operands. Values that are not visible where `value` is are left out, except
    /// for allocations (see `leaving`). Empty if nothing of this is known. At most `maxRoots` allocations: see `isLost`.
    [[nodiscard]] Values rootsOf(mlir::Value value) const;
    /// Whether `rootsOf` leaves out a value: one that is not visible, or an allocation beyond `maxRoots`.
    [[nodiscard]] bool hasHiddenRoots(mlir::Value value) const { return hidden_.contains(storageOf(value)); }
    /// Whether `rootsOf` leaves out an allocation beyond `maxRoots`.
    [[nodiscard]] bool hasLostRoots(mlir::Value value) const { return crowded_.contains(storageOf(value)); }
    /// Whether the memref has no bytes of its own.
    [[nodiscard]] bool isAlias(mlir::Value value) const;

    /// The allocations inside the op that its results or the arguments of its regions may stand for, so that they are used
    /// outside of their region, in the order of the text. If they leave several ops, the outermost one counts. Allocations whose
    /// uses cannot be followed leave the op in the body of the function, unless they are in a loop.
    [[nodiscard]] llvm::ArrayRef<mlir::Operation*> leaving(mlir::Operation* op) const;
    /// Whether an argument of a region around the allocation may stand for it: the next iteration of a loop uses it, while it
    /// makes another one.
    [[nodiscard]] bool isCarried(mlir::Operation* allocation) const { return carried_.contains(allocation); }
    /// An op after which the uses of the allocation cannot be followed, because it makes a number of its address, for example;
    /// null if there is none.
    [[nodiscard]] mlir::Operation* exposedBy(mlir::Operation* allocation) const { return exposed_.lookup(allocation); }
    /// Whether a memref that may stand for more than `maxRoots` allocations may stand for this one, too, and `rootsOf` does not
    /// list it there: then `exposedBy` is the op around this memref, and the allocation may be used before `firstTouch`.
    [[nodiscard]] bool isLost(mlir::Operation* allocation) const { return lost_.contains(allocation); }
    static constexpr std::size_t maxRoots = 64;
    /// The memrefs of copies in flight that the op may end (`InFlight::heldUntil`), so that they are in use until it has run. Of
    /// a copy without an end `exposedBy` is the op that starts it.
    [[nodiscard]] llvm::ArrayRef<mlir::Value> heldUntil(mlir::Operation* op) const;

    /// The first op of the allocation's block that uses it, under any name, directly or inside one of its regions; null if there
    /// is none. The end of its lifetime is no use.
    [[nodiscard]] mlir::Operation* firstTouch(mlir::Operation* allocation) const { return firstTouch_.lookup(allocation); }

private:
    class Follower;

    /// The operand whose storage `value` has; null if it is no view.
    [[nodiscard]] mlir::Value viewedBy(mlir::Value value) const;
    /// Whether the op takes no step: a view, a choice, the end of a lifetime.
    [[nodiscard]] bool isQuiet(mlir::Operation* op) const;
    /// Finds `firstTouch_`.
    void findFirstTouches(mlir::ModuleOp module);

    Arenas arenas_;
    InFlight inFlight_;
    llvm::DenseMap<mlir::Value, Values> roots_; ///< of the memrefs that stand for other values
    llvm::DenseSet<mlir::Value> hidden_, crowded_;
    llvm::DenseMap<mlir::Operation*, llvm::SmallVector<mlir::Operation*, 2>> leaving_;
    llvm::DenseSet<mlir::Operation*> carried_, lost_;
    llvm::DenseMap<mlir::Operation*, mlir::Operation*> exposed_, firstTouch_;
};

} // namespace stowage::mlirfile

#include "plugins/mlir/memref_touches.h"

#include "plugins/mlir/arena_form.h"

#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

#include <llvm/ADT/SmallPtrSet.h>

namespace stowage::mlirfile {

namespace {

/// The operand whose storage the op's result has; null when it is no view.
mlir::Value viewed(mlir::Operation* op)
{
    if (isArenaView(op)) return {};
    if (llvm::isa<mlir::memref::CastOp, mlir::memref::ReinterpretCastOp, mlir::memref::SubViewOp, mlir::memref::ViewOp,
                  mlir::memref::ExpandShapeOp, mlir::memref::CollapseShapeOp, mlir::memref::ReshapeOp, mlir::memref::TransposeOp,
                  mlir::memref::MemorySpaceCastOp, mlir::memref::AssumeAlignmentOp, mlir::bufferization::ToMemrefOp,
                  mlir::bufferization::ToTensorOp>(op))
        return op->getOperand(0);
    return {};
}

} // namespace

mlir::Value storageOf(mlir::Value value)
{
    while (mlir::Operation* op = value.getDefiningOp()) {
        const mlir::Value source = viewed(op);
        if (!source) break;
        value = source;
    }
    return value;
}

bool isAllocation(mlir::Operation* op)
{
    return isArenaView(op) || (llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp>(op) && !isArena(op));
}

mlir::Operation* firstTouch(mlir::Operation* allocation)
{
    mlir::Operation* first = nullptr;
    llvm::SmallVector<mlir::Value> values(allocation->getResults());
    llvm::SmallPtrSet<mlir::Operation*, 8> seen;
    while (!values.empty()) {
        const mlir::Value value = values.pop_back_val();
        for (mlir::Operation* user : value.getUsers()) {
            if (!seen.insert(user).second || llvm::isa<mlir::memref::DeallocOp>(user)) continue;
            if (viewed(user)) {
                values.append(user->result_begin(), user->result_end());
                continue;
            }
            mlir::Operation* top = allocation->getBlock()->findAncestorOpInBlock(*user);
            if (top && (!first || top->isBeforeInBlock(first))) first = top;
        }
    }
    return first;
}

} // namespace stowage::mlirfile

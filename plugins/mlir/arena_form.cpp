#include "plugins/mlir/arena_form.h"

#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/Matchers.h>

namespace stowage::mlirfile {

namespace {

std::optional<std::int64_t> constantOffset(mlir::memref::ViewOp view)
{
    llvm::APInt offset;
    if (!mlir::matchPattern(view.getByteShift(), mlir::m_ConstantInt(&offset)) || offset.isNegative()) return std::nullopt;
    return offset.getSExtValue();
}

/// O(users).
bool allocatesArena(mlir::Operation* op)
{
    if (!llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp>(op)) return false;
    const auto type = llvm::cast<mlir::MemRefType>(op->getResult(0).getType());
    if (type.getRank() != 1 || !type.getElementType().isInteger(8) || !type.hasStaticShape()) return false;
    bool any = false;
    for (mlir::Operation* user : op->getUsers()) {
        if (llvm::isa<mlir::memref::DeallocOp>(user)) continue;
        auto view = llvm::dyn_cast<mlir::memref::ViewOp>(user);
        if (!view || !constantOffset(view) || !view.getType().hasStaticShape()) return false;
        any = true;
    }
    return any;
}

} // namespace

Arenas::Arenas(mlir::Operation* root)
{
    root->walk([&](mlir::Operation* op) {
        if (allocatesArena(op)) arenas_.insert(op);
    });
}

bool Arenas::hasView(mlir::Operation* op) const
{
    auto view = llvm::dyn_cast<mlir::memref::ViewOp>(op);
    mlir::Operation* source = view ? view.getSource().getDefiningOp() : nullptr;
    return source && contains(source);
}

std::int64_t arenaOffset(mlir::Operation* op)
{
    return *constantOffset(llvm::cast<mlir::memref::ViewOp>(op));
}

} // namespace stowage::mlirfile

// Facts about the functions of a module that follow from the functions that they call, or that call them.
#pragma once

#include "plugins/mlir/memref_roots.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringSet.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>

namespace stowage::mlirfile {

class CalledFunctions {
public:
    /// O(ops of the functions).
    CalledFunctions(llvm::ArrayRef<mlir::func::FuncOp> functions, const MemrefRoots& memrefs);

    /// Whether the function, or one that it calls at any depth, has an allocation.
    [[nodiscard]] bool allocates(llvm::StringRef name) const { return allocating_.contains(name); }
    /// Whether a plan that has the calls of the function in place has several that may run at once: it is called in a parallel
    /// loop that is read as a loop, directly or by another function.
    [[nodiscard]] bool runsAtOnce(llvm::StringRef name) const { return atOnce_.contains(name); }

private:
    llvm::StringSet<> allocating_, atOnce_;
};

} // namespace stowage::mlirfile

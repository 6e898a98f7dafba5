#include "plugins/mlir/called_functions.h"

#include "plugins/mlir/op_facts.h"

#include <llvm/ADT/StringMap.h>

#include <utility>
#include <vector>

namespace stowage::mlirfile {

namespace {

using CallEdges = llvm::StringMap<std::vector<llvm::StringRef>>;

/// Adds the functions `from`, and all that the edges lead to from there.
void spread(std::vector<llvm::StringRef> from, const CallEdges& edges, llvm::StringSet<>& to)
{
    while (!from.empty()) {
        const llvm::StringRef name = from.back();
        from.pop_back();
        if (!to.insert(name).second) continue;
        const auto next = edges.find(name);
        if (next != edges.end()) from.insert(from.end(), next->second.begin(), next->second.end());
    }
}

/// Whether the op lies in regions that are read, so that it is an op of the program.
bool isReadByItself(mlir::Operation* op)
{
    for (mlir::Operation* around = op->getParentOp(); around && !llvm::isa<mlir::func::FuncOp>(around);
         around = around->getParentOp())
        if (!isStructured(around)) return false;
    return true;
}

} // namespace

CalledFunctions::CalledFunctions(llvm::ArrayRef<mlir::func::FuncOp> functions, const MemrefRoots& memrefs)
{
    CallEdges callers, callees; // callees: of calls that are ops of the program
    std::vector<llvm::StringRef> allocating, atOnce;
    for (mlir::func::FuncOp function : functions) {
        const llvm::StringRef name = function.getName();
        bool any = false;
        walkOwnOps(function, [&](mlir::Operation* op) {
            any = any || memrefs.isAllocation(op);
            auto call = llvm::dyn_cast<mlir::func::CallOp>(op);
            if (!call) return mlir::WalkResult::advance();
            const llvm::StringRef callee = call.getCallee();
            callers[callee].push_back(name);
            if (isReadByItself(op)) {
                if (unorderedAround(op))
                    atOnce.push_back(callee);
                else
                    callees[name].push_back(callee);
            }
            return mlir::WalkResult::advance();
        });
        if (any) allocating.push_back(name);
    }
    spread(std::move(allocating), callers, allocating_);
    spread(std::move(atOnce), callees, atOnce_);
}

} // namespace stowage::mlirfile

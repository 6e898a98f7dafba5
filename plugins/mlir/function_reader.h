// Reads one function of a module as a function of the program.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/mlir/called_functions.h"
#include "plugins/mlir/memref_roots.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>

#include <set>
#include <string>
#include <vector>

namespace stowage::mlirfile {

/// The ops and values that the ops and tensors of a function of the program were read from.
struct ReadFunction {
    mlir::func::FuncOp function;
    std::vector<mlir::Operation*> ops; ///< by op id; null for an op that is not in the module
    std::vector<mlir::Value> values;   ///< by tensor id: the first value that is this tensor
};

/// The name of each value in the text, without '%'; empty if it has none.
using ValueNames = llvm::DenseMap<mlir::Value, std::string>;

/// An allocation is a tensor, and so are arguments, tensors and scalars. A memref that stands for one of several allocations
/// (memref_roots.h) is no tensor: what uses it uses all of them. An allocation that cannot have one place in a plan is a tensor
/// of unknown size, with a warning: in parallel loops there are several at a time, for example. So a plan without it is partial.
/// An allocation whose uses cannot be followed is live until the function ends.
class FunctionReader {
public:
    struct Context {
        const std::string& path;
        const ValueNames& names;
        const llvm::StringMap<FunctionId>& functions; ///< the functions that are read, by name
        const MemrefRoots& memrefs;
        const CalledFunctions& calls;
        Diagnostics& diagnostics;
        bool planIo = false;
    };
    FunctionReader(const Context& context, mlir::func::FuncOp function, Function& to, ReadFunction& back, FilePlan& plan)
        : context_(context), function_(function), to_(to), back_(back), plan_(plan)
    {
    }
    void read();

private:
    void readArguments();
    void readBlock(mlir::Block& block, RegionId region);
    void readOp(mlir::Operation* op, RegionId region);
    void readLeaf(mlir::Operation* op, OpId id);
    /// Lists the inputs that the op may write to (core/ir/overwrites.h). `held`: the memrefs of copies that the op may end.
    void noteOverwrites(mlir::Operation* op, OpId id, llvm::ArrayRef<mlir::Value> held);
    void readLoop(mlir::Operation* op, OpId id);
    void readWhile(mlir::Operation* op, OpId id);
    void readBranch(mlir::Operation* op, OpId id);
    void readCall(mlir::Operation* op, OpId id);
    /// Reads an op that takes no step (a constant, a shape, a view, the end of a lifetime); false for other ops.
    bool readQuietly(mlir::Operation* op, RegionId region);
    /// Reads the allocations and calls in the regions of an op that is one step. `known`: its inputs, and what it makes.
    void readInside(mlir::Operation* op, OpId id, llvm::DenseSet<TensorId>& known);

    /// The tensor of an allocation, which `region` declares.
    TensorId declareAllocation(mlir::Operation* allocation, RegionId region);
    /// An op for an allocation, where its bytes exist before an op that uses them in its regions, or in no op at all.
    void addAllocationOp(TensorId made, RegionId region);
    /// The same for the allocations that `op` is the first to use.
    void addAllocationOps(mlir::Operation* op, RegionId region);
    /// Keeps an allocation out of the plan if no single place can hold it; whether it did.
    bool keepOutUnplaceable(mlir::Operation* allocation, TensorId id);
    /// Lets an allocation in the second region of an `scf.if` take the bytes of the one that the first region yields in its
    /// place: only one of them exists at a time.
    void shareWithOtherBranch(mlir::Operation* allocation, TensorId id);
    /// Warns of an allocation whose size is not known because of its layout.
    void warnOfLayout(mlir::Operation* allocation, TensorId id);
    /// Keeps an allocation out of the plan. "'name' (1,024 B) `why`: it is not planned".
    void keepOut(TensorId id, Code code, const std::string& why, std::string remedy = {});
    /// The same for the allocations that a returned memref may stand for, if there are several.
    void keepOutReturned(mlir::Value value);

    OpId addOp(mlir::Operation* op, RegionId region, const std::string& kind);
    RegionId addRegion(OpId owner, RegionRole role);
    TensorId addTensor(mlir::Value value, RegionId region, TensorKind kind, Owns owns = Owns::no);
    /// The one tensor of a value, where there can only be one. A value without a tensor (an empty tensor that is read, one of
    /// several allocations) gets it here.
    TensorId tensorOf(mlir::Value value);
    TensorId rootTensor(mlir::Value root);
    TensorId own(mlir::Value value, RegionId region); ///< a new tensor for a result or a block argument
    void addOutputs(mlir::Operation* op, OpId id, RegionId region);
    std::string uniqueName(std::string name, llvm::StringMap<int>& used);
    std::string nameOf(mlir::Value value) const;
    Op& op(OpId id) { return to_.ops[at(id)]; }
    Tensor& tensor(TensorId id) { return to_.tensors[at(id)]; }

    const Context& context_;
    mlir::func::FuncOp function_;
    Function& to_;
    ReadFunction& back_;
    FilePlan& plan_;
    llvm::DenseMap<mlir::Value, TensorId> tensors_;
    llvm::DenseSet<TensorId> shared_; ///< allocations whose bytes one of the other branch takes
    std::vector<TensorId> lasting_;   ///< allocations that are live until the function ends
    llvm::DenseMap<mlir::Operation*, llvm::SmallVector<TensorId, 1>> madeBy_; ///< allocations by the op that uses them first
    llvm::StringMap<int> tensorNames_, opNames_;
    std::set<std::string> unsizedTypes_; ///< types of elements without a fixed size, of which a warning tells
};

} // namespace stowage::mlirfile

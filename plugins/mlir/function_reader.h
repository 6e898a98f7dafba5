// Reads one function of a module as a function of the program.
#pragma once

#include "plugins/api/importer.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>

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

class FunctionReader {
public:
    struct Context {
        const std::string& path;
        const ValueNames& names;
        const llvm::StringMap<FunctionId>& functions; ///< the functions that are read, by name
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
    void readLoop(mlir::Operation* op, OpId id);
    void readWhile(mlir::Operation* op, OpId id);
    void readBranch(mlir::Operation* op, OpId id);
    void readCall(mlir::Operation* op, OpId id);
    void declareAllocation(mlir::Operation* op, RegionId region);
    /// Reads an op that takes no step (a constant, a shape, a view, the end of a lifetime); false for other ops.
    bool readQuietly(mlir::Operation* op, RegionId region);

    OpId addOp(mlir::Operation* op, RegionId region, const std::string& kind);
    RegionId addRegion(OpId owner, RegionRole role);
    TensorId addTensor(mlir::Value value, RegionId region, TensorKind kind);
    /// The tensor of a value. A value without one (an empty tensor that is read) gets it here.
    TensorId tensorOf(mlir::Value value);
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
    llvm::DenseMap<mlir::Operation*, llvm::SmallVector<TensorId, 1>> madeBy_; ///< allocations by the op that uses them first
    llvm::StringMap<int> tensorNames_, opNames_;
};

} // namespace stowage::mlirfile

// One function of a module as a function of the program.
#pragma once

#include "plugins/api/importer.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>

#include <string>
#include <vector>

namespace stowage::mlirfile {

/// One function of the program.
struct ReadFunction {
    mlir::func::FuncOp function;
    std::vector<mlir::Operation*> ops; ///< by op id; null for an op that is not in the module
    std::vector<mlir::Value> values;   ///< by tensor id: the value that it was first met as
};

/// The name of each value in the text, without '%'; empty where it has none.
using ValueNames = llvm::DenseMap<mlir::Value, std::string>;

class FunctionReader {
public:
    struct Context {
        const std::string& path;
        const ValueNames& names;
        const llvm::StringMap<FunctionId>& functions; ///< those that are read, by name
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
    /// Ops that make no step: constants, shapes, views, ends of lifetimes.
    bool readQuietly(mlir::Operation* op, RegionId region);

    OpId addOp(mlir::Operation* op, RegionId region, const std::string& kind);
    RegionId addRegion(OpId owner, RegionRole role);
    TensorId addTensor(mlir::Value value, RegionId region, TensorKind kind);
    /// The tensor that a value is, made when it is met as an operand for the first time (an empty tensor that is read).
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
    llvm::DenseMap<mlir::Operation*, llvm::SmallVector<TensorId, 1>> madeBy_; ///< allocations by the op that touches them first
    llvm::StringMap<int> tensorNames_, opNames_;
};

} // namespace stowage::mlirfile

// The body of an element-wise op as a scalar program of core/exec.
#pragma once

#include "core/exec/scalar_program.h"

#include <mlir/IR/Block.h>
#include <mlir/IR/Operation.h>

#include <llvm/ADT/DenseMap.h>

#include <optional>

namespace stowage::mlirfile {

/// The element type of the interpreter; no value for a type that it does not support. `index` has 64 bits.
std::optional<Element> elementOf(mlir::Type type);
/// The bits of an integer or float attribute; no value for others.
std::optional<std::uint64_t> bitsOfScalar(mlir::Attribute attribute);
/// The bits of the result of a constant op; no value for other values.
std::optional<std::uint64_t> constantBits(mlir::Value value);

class ScalarBody {
public:
    explicit ScalarBody(mlir::Block* block) : block_(block) {}

    /// Makes this argument of the block the next input of the program.
    void addInput(mlir::Value argument);
    /// Makes this argument of the block the coordinate in the given dimension of the result.
    void addPosition(mlir::Value argument, std::int32_t dimension) { positions_.emplace_back(argument, dimension); }
    /// Translates the ops that the yielded value number `result` needs. Outer values that are not constants become further inputs
    /// and are appended to `captured`. `loopToResult`: by loop, the dimension of the result that it runs over. False for an op
    /// that the interpreter does not support.
    bool translate(llvm::ArrayRef<std::int64_t> loopToResult, llvm::SmallVectorImpl<mlir::Value>& captured, unsigned result = 0);
    /// Translates a single op, whose operands are the inputs. False as above.
    bool translateOp(mlir::Operation* op);

    ScalarProgram program() && { return std::move(program_); }

private:
    bool add(mlir::Operation* op, llvm::ArrayRef<std::int64_t> loopToResult);

    mlir::Block* block_;
    ScalarProgram program_;
    llvm::DenseMap<mlir::Value, std::int32_t> registers_;
    llvm::SmallVector<std::pair<mlir::Value, std::int32_t>> positions_;
};

} // namespace stowage::mlirfile

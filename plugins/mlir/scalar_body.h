// The body of an element-wise op as a scalar program of core/exec.
#pragma once

#include "core/exec/scalar_program.h"

#include <mlir/IR/Block.h>
#include <mlir/IR/Operation.h>

#include <llvm/ADT/DenseMap.h>

#include <optional>

namespace stowage::mlirfile {

/// Nothing for a type that the interpreter does not have. `index` has 64 bits.
std::optional<Element> elementOf(mlir::Type type);
/// The bits of an integer or float attribute; nothing for others.
std::optional<std::uint64_t> bitsOfScalar(mlir::Attribute attribute);
/// The same of a value that a constant op gives.
std::optional<std::uint64_t> constantBits(mlir::Value value);

class ScalarBody {
public:
    explicit ScalarBody(mlir::Block* block) : block_(block) {}

    /// The next input is this argument of the block.
    void addInput(mlir::Value argument);
    /// This argument of the block is the loop's position in that dimension of the result.
    void addPosition(mlir::Value argument, std::int32_t dimension) { positions_.emplace_back(argument, dimension); }
    /// Translates the block up to what it yields as `result`. `captured`: values from outside that are no constants; they become
    /// further inputs. False for an op that the interpreter does not have. `loopToResult`: which dimension of the result a loop
    /// is.
    bool translate(llvm::ArrayRef<std::int64_t> loopToResult, llvm::SmallVectorImpl<mlir::Value>& captured, unsigned result = 0);
    /// A single op whose operands are the inputs.
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

// Evaluates ops on literals: translates an op of MLIR for the interpreter of core/exec, and its result back.
#pragma once

#include "core/exec/fold_interpreter.h"

#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Operation.h>

#include <functional>
#include <optional>
#include <vector>

namespace stowage::mlirfile {

/// Whether the interpreter supports the op, its types and its shapes, whatever the values of its operands.
bool canEvaluate(mlir::Operation* op);

/// The value of the op's only result. `valueOf` gives the value of an operand, or null if it is unknown. `shape`, for an
/// element-wise op that was moved in front of a broadcast, replaces the shapes of all operands and of the result. Errors:
/// "not-supported".
Expected<mlir::ElementsAttr> evaluate(mlir::Operation* op, const std::function<mlir::Attribute(mlir::Value)>& valueOf,
                                      const llvm::SmallVector<std::int64_t>* shape = nullptr);

/// The computation of one result of an op.
struct Computation {
    LoopNest nest;
    std::vector<mlir::Value> operands;
    bool copies = false; ///< no nest: the result has the bytes of the only operand
};

/// No value for an op, a type or a shape that the interpreter does not support. `whole`: also supports what running a whole
/// function needs: reductions, several results, scalars. Without it, as for folding, those have no value.
std::optional<Computation> computationOf(mlir::Operation* op, unsigned result, bool whole);
/// The value of a literal, or of a scalar as a tensor without dimensions. A splat gets the shape `shape` if that is given. No
/// value for other attributes.
std::optional<ConstantTensor> tensorOf(mlir::Attribute attribute, const std::vector<std::int64_t>* shape = nullptr);
/// The shape of a tensor type; empty for a scalar.
std::vector<std::int64_t> shapeOf(mlir::Type type);

} // namespace stowage::mlirfile

// Ops on literals, computed now: from an op of MLIR to what the interpreter of core/exec runs, and back.
#pragma once

#include "core/exec/fold_interpreter.h"

#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Operation.h>

#include <functional>
#include <optional>
#include <vector>

namespace stowage::mlirfile {

/// Whether the interpreter knows the op, its types and its shapes. The operands' values do not matter.
bool canEvaluate(mlir::Operation* op);

/// The value of the only result. `valueOf` gives the operands' values (null: not known). `shape`: of all operands and of the
/// result instead of their own, for an element-wise op that was moved in front of a broadcast. Errors: "not-supported".
Expected<mlir::ElementsAttr> evaluate(mlir::Operation* op, const std::function<mlir::Attribute(mlir::Value)>& valueOf,
                                      const llvm::SmallVector<std::int64_t>* shape = nullptr);

/// One result of an op as a nest, with the values that it reads, in the order of the nest's operands.
struct Computation {
    LoopNest nest;
    std::vector<mlir::Value> operands;
    bool copies = false; ///< no nest: the bytes of the only operand
};

/// Nothing for an op, a type or a shape that the interpreter does not know. `whole`: as much as it takes to run a function: ops
/// that add up, several results, scalars. Folding leaves those to the fold functions.
std::optional<Computation> computationOf(mlir::Operation* op, unsigned result, bool whole);
/// A literal, or a scalar as a tensor without dimensions. A splat takes `shape` where that is given. Nothing for other
/// attributes.
std::optional<ConstantTensor> tensorOf(mlir::Attribute attribute, const std::vector<std::int64_t>* shape = nullptr);
/// The shape of a tensor type; empty for a scalar.
std::vector<std::int64_t> shapeOf(mlir::Type type);

} // namespace stowage::mlirfile

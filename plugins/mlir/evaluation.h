// Ops on literals, computed now: from an op of MLIR to what the interpreter of core/exec runs, and back.
#pragma once

#include "core/ir/expected.h"

#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Operation.h>

#include <functional>

namespace stowage::mlirfile {

/// Whether the interpreter knows the op, its types and its shapes. The operands' values do not matter.
bool canEvaluate(mlir::Operation* op);

/// The value of the only result. `valueOf` gives the operands' values (null: not known). `shape`: of all operands and of the
/// result instead of their own, for an element-wise op that was moved in front of a broadcast. Errors: "not-supported".
Expected<mlir::ElementsAttr> evaluate(mlir::Operation* op, const std::function<mlir::Attribute(mlir::Value)>& valueOf,
                                      const llvm::SmallVector<std::int64_t>* shape = nullptr);

} // namespace stowage::mlirfile

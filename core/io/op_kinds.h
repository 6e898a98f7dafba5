// Derives the traits of ops from their names, and handles from element types. Readers of programs use it; the rest of core reads
// `Op::traits` and `Tensor::handle`.
#pragma once

#include "core/ir/program.h"

#include <string_view>

namespace stowage::io {

/// The traits of ops with the name `kind` in TFLite, ONNX, TVM, MLIR or program JSON. Case and "_" are ignored. An unknown name
/// gets the effect `computes` and the work `elementWise`; a name of an unknown ONNX domain ("my.domain:Op") gets the effect
/// `stateful`. The effect is never `unstated`. O(length of the name).
[[nodiscard]] OpTraits traitsOfKind(std::string_view kind);

/// Sets the traits of all ops whose effect is `unstated`, and marks tensors with the element types "resource" and "variant" (of
/// TFLite and program JSON) as handles. Every importer of programs calls it last. O(ops + tensors).
void stateTraits(Program& program);

} // namespace stowage::io

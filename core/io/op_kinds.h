// What ops do and which tensors are handles, by the names that formats give ops and element types. Readers of programs state it;
// the rest of core asks `Op::traits` and `Tensor::handle`.
#pragma once

#include "core/ir/program.h"

#include <string_view>

namespace stowage::io {

/// What an op of this name does. Names are those of TFLite, ONNX, TVM, MLIR and program JSON, in any case and with or without
/// "_". An unknown name computes element by element; a name of an unknown ONNX domain ("my.domain:Op") keeps a state. Never
/// `unstated`. O(length of the name).
[[nodiscard]] OpTraits traitsOfKind(std::string_view kind);

/// States the traits of all ops whose reader has not done so, by their names; and that tensors of the types "resource" and
/// "variant", as TFLite and program JSON call them, are handles. Every importer of programs calls it last. O(ops + tensors).
void stateTraits(Program& program);

} // namespace stowage::io

// The default alignment of tensors: the size of one element.
#pragma once

#include "core/ir/program.h"

#include <optional>

namespace stowage {

/// As `LowerOptions::alignment`: a tensor that the input gives no alignment lies at multiples of its element's size, and sizes
/// are not rounded. With `order=hivm`, and for problems, it is the same as 1.
inline constexpr Bytes elementAlignment = 0;

} // namespace stowage

namespace stowage::lowering {

/// `program` with an alignment of one element for each tensor that states none (alignment 1) and whose element type is known, so
/// that no f32 lies at an odd offset. Types below a byte count as one byte; of a complex number its parts are the elements. A
/// view at an offset, or a pin, that is no multiple of the element's size keeps its place. Nothing when no alignment changes.
/// Requires a verified program. Linear in the tensors and the length of their chains of views.
std::optional<Program> withElementAlignment(const Program& program);

} // namespace stowage::lowering

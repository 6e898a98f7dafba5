// Element type, shape and bytes of a value, from its type.
#pragma once

#include "core/ir/types.h"

#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Value.h>

#include <optional>
#include <string>
#include <vector>

namespace stowage::mlirfile {

struct ValueSize {
    std::string dtype;               ///< the element type by the project's name
    std::vector<std::int64_t> shape; ///< -1: dynamic
    std::optional<Bytes> bytes;      ///< no value: not known before the run
    std::optional<Bytes> element;    ///< from one element to the next; no value: elements of the type have no fixed size
};

/// Whether the type is one of an allocation: the elements that its layout skips are part of it.
enum class Owns : bool { no, yes };

/// The size of a value of the type: extents times element size. Elements lie apart as in LLVM's memory on 64-bit machines:
/// integers, floats and vectors take a power of two bytes, integers of more than 128 bits a multiple of 16 bytes. An allocation
/// with a strided layout has the bytes from its base to the end of its last element, and so have other memrefs if their strides
/// and offset are constants. The size is unknown if an extent is dynamic, or if the layout of an allocation neither has constant
/// strides nor permutes the dimensions.
[[nodiscard]] ValueSize sizeOf(mlir::Type type, Owns owns);

/// The alignment that an allocation of the type needs for elements whose name states no size (vectors, i24), a power of two. 1
/// for other types: the lowering aligns them by their names.
[[nodiscard]] Bytes elementAlignmentOf(mlir::Type type);

/// The elements from the base of a memref to the end of its last element: offset + sum of (extent - 1) * stride + 1, or 0 for an
/// empty one. No value if one of these is dynamic, if the layout has no strides, or beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t> spannedElements(mlir::MemRefType type);

/// Whether values of the type have bytes in memory: tensors and memrefs.
[[nodiscard]] bool isStorage(mlir::Type type);

/// Whether the value is a memref.
[[nodiscard]] inline bool isMemref(mlir::Value value)
{
    return llvm::isa<mlir::BaseMemRefType>(value.getType());
}

} // namespace stowage::mlirfile

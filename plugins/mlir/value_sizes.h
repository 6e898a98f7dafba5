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
};

/// Whether the type is one of an allocation: the elements that its layout skips are part of it.
enum class Owns : bool { no, yes };

/// The size of a value of the type: extents times element size. An allocation with a strided layout has the bytes from its base
/// to the end of its last element, and so have other memrefs if their strides and offset are constants. The size is unknown if an
/// extent is dynamic, or if the layout of an allocation neither has constant strides nor permutes the dimensions.
[[nodiscard]] ValueSize sizeOf(mlir::Type type, Owns owns);

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

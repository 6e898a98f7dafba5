#include "plugins/mlir/value_sizes.h"

#include "core/ir/checked.h"
#include "core/ir/dtype.h"

#include <llvm/Support/raw_ostream.h>

namespace stowage::mlirfile {

namespace {

/// The element type by the project's name. MLIR keeps a bit in a byte of its own.
std::string dtypeOf(mlir::Type type)
{
    if (type.isInteger(1)) return "bool";
    std::string name;
    llvm::raw_string_ostream out(name);
    type.print(out);
    return name;
}

/// The product of the extents; no value if one of them is dynamic, or beyond 64 bits.
std::optional<std::int64_t> elementsIn(const std::vector<std::int64_t>& shape)
{
    std::optional<std::int64_t> elements = 1;
    for (const std::int64_t extent : shape)
        elements = elements && extent >= 0 ? checkedMultiply(*elements, extent) : std::nullopt;
    return elements;
}

} // namespace

std::optional<std::int64_t> spannedElements(mlir::MemRefType type)
{
    llvm::SmallVector<std::int64_t> strides;
    std::int64_t offset = 0;
    if (mlir::failed(mlir::getStridesAndOffset(type, strides, offset))) return std::nullopt;
    const llvm::ArrayRef<std::int64_t> shape = type.getShape();
    if (llvm::is_contained(shape, std::int64_t{0})) return 0;
    if (mlir::ShapedType::isDynamic(offset) || offset < 0 || strides.size() != shape.size()) return std::nullopt;
    std::optional<std::int64_t> last = offset;
    for (std::size_t i = 0; i < strides.size() && last; ++i) {
        if (mlir::ShapedType::isDynamic(shape[i]) || mlir::ShapedType::isDynamic(strides[i]) || strides[i] < 0)
            return std::nullopt;
        const auto reach = checkedMultiply(shape[i] - 1, strides[i]);
        last = reach ? checkedAdd(*last, *reach) : std::nullopt;
    }
    return last ? checkedAdd(*last, 1) : std::nullopt;
}

ValueSize sizeOf(mlir::Type type, Owns owns)
{
    ValueSize size;
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
    const mlir::Type element = shaped ? shaped.getElementType() : type;
    size.dtype = dtypeOf(element);
    if (shaped && !shaped.hasRank()) return size;
    if (shaped)
        for (const std::int64_t extent : shaped.getShape())
            size.shape.push_back(mlir::ShapedType::isDynamic(extent) ? -1 : extent);
    auto memref = llvm::dyn_cast<mlir::MemRefType>(type);
    auto elements = elementsIn(size.shape);
    if (memref && elements && !memref.getLayout().isIdentity()) {
        const auto spanned = spannedElements(memref);
        if (spanned || (owns == Owns::yes && !memref.getLayout().getAffineMap().isPermutation())) elements = spanned;
    }
    const auto bits = dtypeBits(size.dtype);
    const auto bytes = bits && elements ? checkedMultiply((*bits + 7) / 8, *elements) : std::nullopt;
    if (bytes && *bytes <= maxBytes) size.bytes = bytes;
    return size;
}

bool isStorage(mlir::Type type)
{
    return llvm::isa<mlir::RankedTensorType, mlir::UnrankedTensorType, mlir::BaseMemRefType>(type);
}

} // namespace stowage::mlirfile

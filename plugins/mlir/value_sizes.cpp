#include "plugins/mlir/value_sizes.h"

#include "core/ir/checked.h"
#include "core/ir/dtype.h"

#include <llvm/Support/raw_ostream.h>

#include <bit>
#include <cstdint>

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

constexpr std::int64_t indexBits = 64;

/// The bytes from one number with this number of bits to the next.
std::int64_t storedBytes(std::int64_t bits)
{
    constexpr std::int64_t widest = 16; // beyond it an integer has no wider alignment
    const std::int64_t bytes = (bits + 7) / 8;
    return bytes <= widest ? static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes))) : alignUp(bytes, widest);
}

/// The last dimension is a vector of the machine, whose elements are packed; the others are an array of these.
std::optional<std::int64_t> vectorBytes(mlir::VectorType type)
{
    const mlir::Type element = type.getElementType();
    if (type.isScalable() || (!element.isIndex() && !element.isIntOrFloat())) return std::nullopt;
    const std::int64_t width = element.isIndex() ? indexBits : element.getIntOrFloatBitWidth();
    const llvm::ArrayRef<std::int64_t> shape = type.getShape();
    const auto bits = checkedMultiply(shape.empty() ? 1 : shape.back(), width);
    if (!bits || *bits > maxBytes) return std::nullopt;
    std::optional<std::int64_t> bytes = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>((*bits + 7) / 8)));
    for (std::size_t axis = 0; axis + 1 < shape.size() && bytes; ++axis) bytes = checkedMultiply(*bytes, shape[axis]);
    return bytes;
}

/// The bytes from one element to the next; no value for types without a fixed size.
std::optional<std::int64_t> elementBytes(mlir::Type type)
{
    if (type.isIndex()) return indexBits / 8;
    if (type.isIntOrFloat()) return storedBytes(type.getIntOrFloatBitWidth());
    if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
        const auto part = elementBytes(complex.getElementType());
        return part ? checkedMultiply(2, *part) : std::nullopt;
    }
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(type)) return vectorBytes(vector);
    return std::nullopt;
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
    size.element = elementBytes(element);
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
    const auto bytes = size.element && elements ? checkedMultiply(*size.element, *elements) : std::nullopt;
    if (bytes && *bytes <= maxBytes) size.bytes = bytes;
    return size;
}

Bytes elementAlignmentOf(mlir::Type type)
{
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
    if (!shaped || dtypeBits(dtypeOf(shaped.getElementType()))) return 1;
    const Bytes bytes = elementBytes(shaped.getElementType()).value_or(1);
    return bytes > 0 ? bytes & -bytes : 1;
}

bool isStorage(mlir::Type type)
{
    return llvm::isa<mlir::RankedTensorType, mlir::UnrankedTensorType, mlir::BaseMemRefType>(type);
}

} // namespace stowage::mlirfile

#include "plugins/tflite/tensor_types.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <array>

namespace stowage::tflite {
namespace {

/// By number, as the format counts them. A resource is a handle: 4 bytes in the arena, whatever it stands for.
constexpr auto types = std::to_array<ElementType>({
    {"f32", 32}, {"f16", 16}, {"i32", 32},  {"u8", 8},     {"i64", 64}, {"string", 0},    {"bool", 8},    {"i16", 16},
    {"c64", 64}, {"i8", 8},   {"f64", 64},  {"c128", 128}, {"u64", 64}, {"resource", 32}, {"variant", 0}, {"u32", 32},
    {"u16", 16}, {"i4", 4},   {"bf16", 16}, {"i2", 2},     {"u4", 4},   {"f8e4m3fn", 8},  {"f8e5m2", 8},
});

} // namespace

ElementType elementType(int code)
{
    if (code >= 0 && static_cast<std::size_t>(code) < types.size()) return types[static_cast<std::size_t>(code)];
    return {"?", 0};
}

TensorSize tensorSize(ElementType type, std::span<const std::int64_t> shape)
{
    if (type.bits == 0 || std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 0; })) return {};
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return {Bytes{0}, false};
    Bytes elements = 1;
    for (const std::int64_t extent : shape) {
        const auto product = checkedMultiply(elements, extent);
        if (!product || *product > maxBytes) return {std::nullopt, true};
        elements = *product;
    }
    if (type.bits < 8) return {alignUp(elements, 8 / type.bits) / (8 / type.bits), false};
    const auto bytes = checkedMultiply(elements, type.bits / 8);
    if (!bytes || *bytes > maxBytes) return {std::nullopt, true};
    return {*bytes, false};
}

} // namespace stowage::tflite

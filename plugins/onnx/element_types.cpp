#include "plugins/onnx/element_types.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stowage::onnxfile {

namespace {

struct ElementType {
    std::string_view name;
    std::int64_t bits = 0; ///< 0: not known
};

/// By number. Those from 17 on were added after version 1.12 of the library.
constexpr std::array<ElementType, 27> elementTypes = {{
    {"", 0},     {"f32", 32},   {"u8", 8},     {"i8", 8},       {"u16", 16},       {"i16", 16},   {"i32", 32},
    {"i64", 64}, {"string", 0}, {"bool", 8},   {"f16", 16},     {"f64", 64},       {"u32", 32},   {"u64", 64},
    {"c64", 64}, {"c128", 128}, {"bf16", 16},  {"f8e4m3fn", 8}, {"f8e4m3fnuz", 8}, {"f8e5m2", 8}, {"f8e5m2fnuz", 8},
    {"u4", 4},   {"i4", 4},     {"f4e2m1", 4}, {"f8e8m0", 8},   {"u2", 2},         {"i2", 2},
}};

const ElementType* find(std::int32_t type)
{
    if (type < 0 || static_cast<std::size_t>(type) >= elementTypes.size()) return nullptr;
    return &elementTypes[static_cast<std::size_t>(type)];
}

} // namespace

std::string elementName(std::int32_t type)
{
    const auto* found = find(type);
    return found ? std::string(found->name) : "type" + std::to_string(type);
}

std::optional<std::int64_t> elementBits(std::int32_t type)
{
    const auto* found = find(type);
    if (!found || found->bits == 0) return std::nullopt;
    return found->bits;
}

TensorSize sizeOf(const onnx::TypeProto& type)
{
    TensorSize size;
    switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: break;
    case onnx::TypeProto::kSparseTensorType: size.dtype = "sparse"; return size;
    case onnx::TypeProto::kSequenceType: size.dtype = "sequence"; return size;
    case onnx::TypeProto::kMapType: size.dtype = "map"; return size;
    case onnx::TypeProto::kOptionalType: size.dtype = "optional"; return size;
    case onnx::TypeProto::kOpaqueType: size.dtype = "opaque"; return size;
    default: return size;
    }
    const auto& tensor = type.tensor_type();
    size.dtype = elementName(tensor.elem_type());
    bool known = tensor.has_shape();
    for (const auto& dim : tensor.shape().dim()) {
        const bool isKnown = dim.has_dim_value() && dim.dim_value() >= 0;
        size.shape.push_back(isKnown ? dim.dim_value() : -1);
        known = known && isKnown;
    }
    const auto bits = elementBits(tensor.elem_type());
    if (!known || !bits) return size;
    if (std::find(size.shape.begin(), size.shape.end(), 0) != size.shape.end()) {
        size.bytes = 0;
        return size;
    }
    std::optional<Bytes> total = 1;
    for (const auto dim : size.shape)
        if (total) total = checkedMultiply(*total, dim);
    if (total && *bits >= 8) total = checkedMultiply(*total, *bits / 8);
    if (total && *bits < 8) total = *total / (8 / *bits) + (*total % (8 / *bits) != 0 ? 1 : 0);
    if (total && *total <= maxBytes)
        size.bytes = total;
    else
        size.tooLarge = true;
    return size;
}

} // namespace stowage::onnxfile

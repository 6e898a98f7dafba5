#include "core/ir/dtype.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stowage {

std::optional<int> dtypeBits(std::string_view name)
{
    static constexpr auto table = std::to_array<std::pair<std::string_view, int>>({
        {"i1", 1},       {"i2", 2},      {"i4", 4},      {"i8", 8},      {"i16", 16},      {"i32", 32},       {"i64", 64},
        {"u1", 1},       {"u2", 2},      {"u4", 4},      {"u8", 8},      {"u16", 16},      {"u32", 32},       {"u64", 64},
        {"f8", 8},       {"f16", 16},    {"bf16", 16},   {"f32", 32},    {"f64", 64},      {"index", 64},     {"bool", 8},
        {"c64", 64},     {"c128", 128},  {"int4", 4},    {"int8", 8},    {"int16", 16},    {"int32", 32},     {"int64", 64},
        {"uint4", 4},    {"uint8", 8},   {"uint16", 16}, {"uint32", 32}, {"uint64", 64},   {"float16", 16},   {"float32", 32},
        {"float64", 64}, {"double", 64}, {"float", 32},  {"half", 16},   {"bfloat16", 16}, {"complex64", 64}, {"complex128", 128},
        {"f8E4M3FN", 8}, {"f8E5M2", 8},  {"tf32", 32},   {"si8", 8},     {"si16", 16},     {"si32", 32},      {"si64", 64},
        {"ui8", 8},      {"ui16", 16},   {"ui32", 32},   {"ui64", 64},
    });
    const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == name; });
    if (found == table.end()) return std::nullopt;
    return found->second;
}

std::optional<Bytes> tensorBytes(std::string_view dtype, std::span<const std::int64_t> shape)
{
    const auto bits = dtypeBits(dtype);
    if (!bits || std::any_of(shape.begin(), shape.end(), [](std::int64_t dimension) { return dimension < 0; }))
        return std::nullopt;
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
    std::optional<Bytes> elements = 1;
    for (const std::int64_t dimension : shape) {
        elements = checkedMultiply(*elements, dimension);
        if (!elements) return std::nullopt;
    }
    // Computes groups of eight elements separately, so that elements * bits cannot overflow before the division by 8.
    const auto groups = checkedMultiply(*elements / 8, *bits);
    if (!groups) return std::nullopt;
    const auto bytes = checkedAdd(*groups, (*elements % 8 * *bits + 7) / 8);
    if (!bytes || *bytes > maxBytes) return std::nullopt;
    return bytes;
}

} // namespace stowage

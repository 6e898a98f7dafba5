#include "plugins/tvm/tvm_types.h"

#include "core/ir/checked.h"
#include "core/ir/parsed_number.h"

#include <array>

namespace stowage::tvm {

namespace {

/// The whole of `text` as a number from 1 to 4096.
std::optional<int> small(std::string_view text)
{
    const auto value = parsedNumber<int>(text);
    return value && *value >= 1 && *value <= 4096 ? value : std::nullopt;
}

} // namespace

std::optional<Bytes> elementBytes(std::string_view dtype)
{
    int lanes = 1;
    std::string_view scalar = dtype;
    if (const auto x = dtype.rfind('x'); x != std::string_view::npos && x > 0) {
        const auto given = small(dtype.substr(x + 1));
        if (!given) return std::nullopt;
        lanes = *given;
        scalar = dtype.substr(0, x);
    }
    if (scalar == "bool") return lanes;
    for (const std::string_view kind : std::array<std::string_view, 4>{"bfloat", "float", "uint", "int"}) {
        if (!scalar.starts_with(kind)) continue;
        const auto bits = small(scalar.substr(kind.size()));
        if (!bits) return std::nullopt;
        return (Bytes{*bits} * lanes + 7) / 8;
    }
    return std::nullopt;
}

std::optional<Bytes> tensorBytes(std::string_view dtype, std::span<const std::int64_t> shape)
{
    const auto element = elementBytes(dtype);
    if (!element) return std::nullopt;
    Bytes bytes = *element;
    for (const std::int64_t dimension : shape) {
        if (dimension < 0) return std::nullopt;
        const auto product = checkedMultiply(bytes, dimension);
        if (!product || *product > maxBytes) return std::nullopt;
        bytes = *product;
    }
    return bytes;
}

} // namespace stowage::tvm

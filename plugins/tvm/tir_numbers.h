// Numbers and shapes in TIR expressions.
#pragma once

#include "plugins/tvm/tir_module.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace stowage::tvm {

/// The whole number that an expression is, bare or in a cast (T.int64(4)); nothing for anything else.
inline std::optional<std::int64_t> number(const Expression& given)
{
    const Expression& expression = bare(given);
    if (expression.kind == Expression::Kind::call && expression.operands.size() == 2)
        return number(expression.operands[1]); // T.int64(4)
    if (expression.kind != Expression::Kind::number) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(expression.text.data(), expression.text.data() + expression.text.size(), value);
    if (error != std::errc() || end != expression.text.data() + expression.text.size()) return std::nullopt;
    return value;
}

/// Extents; -1 where they are no numbers.
inline std::vector<std::int64_t> extents(const Expression& given)
{
    std::vector<std::int64_t> shape;
    if (given.kind != Expression::Kind::list) return {number(given).value_or(-1)};
    for (const Expression& extent : given.operands) shape.push_back(number(extent).value_or(-1));
    return shape;
}

/// A call that makes a buffer.
inline bool isAllocation(std::string_view callee)
{
    return callee == "allocate" || callee == "alloc_buffer" || callee == "sblock_alloc_buffer";
}

} // namespace stowage::tvm

// Numbers and shapes in TIR expressions.
#pragma once

#include "core/ir/parsed_number.h"
#include "plugins/tvm/tir_module.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace stowage::tvm {

/// The value of an integer literal, bare or in a cast (T.int64(4)); no value for other expressions.
inline std::optional<std::int64_t> number(const Expression& given)
{
    const Expression& expression = bare(given);
    if (expression.kind == Expression::Kind::call && expression.operands.size() == 2)
        return number(expression.operands[1]); // T.int64(4)
    if (expression.kind != Expression::Kind::number) return std::nullopt;
    return parsedNumber<std::int64_t>(expression.text);
}

/// The extents of a shape, or of a single expression; -1 for an extent that is not an integer literal.
inline std::vector<std::int64_t> extents(const Expression& given)
{
    std::vector<std::int64_t> shape;
    if (given.kind != Expression::Kind::list) return {number(given).value_or(-1)};
    for (const Expression& extent : given.operands) shape.push_back(number(extent).value_or(-1));
    return shape;
}

/// Whether a function of this name makes a buffer.
inline bool isAllocation(std::string_view callee)
{
    return callee == "allocate" || callee == "alloc_buffer" || callee == "sblock_alloc_buffer";
}

} // namespace stowage::tvm

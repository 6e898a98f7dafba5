// Numbers and shapes in TIR expressions.
#pragma once

#include "core/ir/checked.h"
#include "core/ir/parsed_number.h"
#include "plugins/tvm/tir_module.h"

#include <algorithm>
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

/// The count of iterations of a loop over T.grid(a, b), T.serial(end), T.serial(begin, end, step=s), range(begin, end, step) and
/// similar calls, at most `maxBytes`. No value if a bound or the step is not an integer literal, if the step is 0, or if the
/// range runs backwards.
inline std::optional<std::int64_t> tripCount(const Expression& range)
{
    if (range.kind != Expression::Kind::call || range.operands.size() < 2) return std::nullopt;
    if (range.callee() == "grid") {
        std::int64_t trips = 1;
        for (std::size_t i = 1; i < range.operands.size(); ++i) {
            const auto extent = number(range.operands[i]);
            if (!extent || *extent < 0) return std::nullopt;
            trips = checkedMultiply(trips, *extent).value_or(maxBytes);
        }
        return std::min(trips, maxBytes);
    }
    const auto noBound = [](const Expression& argument) { // T.thread_binding(0, 32, "threadIdx.x"), annotations
        return bare(argument).kind == Expression::Kind::string || bare(argument).kind == Expression::Kind::dict;
    };
    std::size_t bounds = range.operands.size() - 1;
    while (bounds > 1 && noBound(range.operands[bounds])) --bounds;
    const auto first = bounds > 1 ? number(range.operands[1]) : std::optional<std::int64_t>(0);
    const auto past = number(range.operands[bounds > 1 ? 2 : 1]);
    const Expression* given = bounds > 2 ? &range.operands[3] : range.keyword("step");
    const auto step = given ? number(*given) : std::optional<std::int64_t>(1);
    if (!first || !past || !step || *first < 0 || *past < *first || *step < 1) return std::nullopt;
    const std::int64_t distance = *past - *first;
    return std::min(distance / *step + (distance % *step == 0 ? 0 : 1), maxBytes);
}

/// Whether a function of this name makes a buffer.
inline bool isAllocation(std::string_view callee)
{
    return callee == "allocate" || callee == "alloc_buffer" || callee == "sblock_alloc_buffer";
}

} // namespace stowage::tvm

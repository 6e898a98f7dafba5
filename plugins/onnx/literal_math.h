// Element-wise arithmetic on literals, with ONNX's broadcasting. An operation that leaves the range of its element type has no
// result: shape arithmetic that wraps round is a mistake of the file. Each result is rounded to its element type, as at run time.
#pragma once

#include "plugins/onnx/literal.h"

#include <optional>
#include <span>
#include <string_view>

namespace stowage::onnxfile {

/// The shape that both shapes broadcast to; no value if they do not, or if it exceeds the limits of literal.h.
std::optional<std::vector<std::int64_t>> broadcast(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b);

/// `kind` is an ONNX operator: Add, Sub, Mul, Div, Mod, Min, Max, And, Or, Equal, Less, LessOrEqual, Greater, GreaterOrEqual. No
/// value for another one.
std::optional<Literal> elementwise(std::string_view kind, const Literal& a, const Literal& b);

/// The same for operators of one input: Identity, Not, Neg, Abs, Floor, Ceil, Sqrt.
std::optional<Literal> elementwise(std::string_view kind, Literal value);

/// Converts to the element type `type` (onnx::TensorProto::DataType). Reals are truncated to integers.
std::optional<Literal> cast(const Literal& from, std::int32_t type);

/// `value` as an element of type `type`: a FLOAT has 32 bits. One operation on FLOATs that is computed in 64 bits and then
/// rounded so gives the correctly rounded result, also for Div and Sqrt.
inline double roundedTo(std::int32_t type, double value)
{
    return type == onnx::TensorProto::FLOAT ? static_cast<double>(static_cast<float>(value)) : value;
}

/// A tensor of shape `dims` whose elements are still to be appended.
inline Literal emptyLiteral(std::int32_t type, std::vector<std::int64_t> dims)
{
    Literal literal;
    literal.type = type;
    literal.dims = std::move(dims);
    return literal;
}

/// Appends the element `index` of `from`, which has the same element type.
inline void append(Literal& to, const Literal& from, std::size_t index)
{
    if (to.isReal())
        to.reals.push_back(from.reals[index]);
    else
        to.integers.push_back(from.integers[index]);
}

/// Calls `visit` with the coordinates of every element of `dims` in row-major order. Requires `literalElements(dims)`.
template <typename Visit>
void forEachElement(const std::vector<std::int64_t>& dims, Visit visit)
{
    for (const auto dim : dims)
        if (dim == 0) return;
    std::vector<std::int64_t> at(dims.size(), 0);
    for (;;) {
        visit(at);
        std::size_t axis = dims.size();
        while (axis > 0 && ++at[axis - 1] == dims[axis - 1]) at[--axis] = 0;
        if (axis == 0) return;
    }
}

/// Row-major index in a tensor of shape `dims` of the element at the last `dims.size()` coordinates of `at`. A dimension of 1 is
/// broadcast.
std::size_t indexOf(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& at);

} // namespace stowage::onnxfile

#include "plugins/onnx/literal_math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stowage::onnxfile {

namespace {

/// Whether every value fits the element type; shape arithmetic that wraps round is not one.
bool fits(std::int64_t value, std::int32_t type)
{
    switch (type) {
    case onnx::TensorProto::INT32:
        return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
    case onnx::TensorProto::INT16: return value >= -32768 && value <= 32767;
    case onnx::TensorProto::INT8: return value >= -128 && value <= 127;
    case onnx::TensorProto::UINT32: return value >= 0 && value <= std::numeric_limits<std::uint32_t>::max();
    case onnx::TensorProto::UINT16: return value >= 0 && value <= 65535;
    case onnx::TensorProto::UINT8: return value >= 0 && value <= 255;
    case onnx::TensorProto::UINT64: return value >= 0;
    case onnx::TensorProto::BOOL: return value == 0 || value == 1;
    case onnx::TensorProto::INT64: return true;
    default: return false;
    }
}

using Integer = std::optional<std::int64_t>;

Integer integerOf(std::string_view kind, std::int64_t a, std::int64_t b)
{
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    std::int64_t result = 0;
    if (kind == "Add") return __builtin_add_overflow(a, b, &result) ? Integer() : result;
    if (kind == "Sub") return __builtin_sub_overflow(a, b, &result) ? Integer() : result;
    if (kind == "Mul") return __builtin_mul_overflow(a, b, &result) ? Integer() : result;
    if (kind == "Div") return b == 0 || (a == lowest && b == -1) ? Integer() : Integer(a / b);
    if (kind == "Mod") { // the sign of the divisor, as fmod=0 asks for
        if (b == 0 || b == -1) return b == 0 ? Integer() : Integer(0);
        const std::int64_t rest = a % b;
        return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
    if (kind == "Min") return std::min(a, b);
    if (kind == "Max") return std::max(a, b);
    if (kind == "And") return std::int64_t(a != 0 && b != 0);
    if (kind == "Or") return std::int64_t(a != 0 || b != 0);
    if (kind == "Equal") return std::int64_t(a == b);
    if (kind == "Less") return std::int64_t(a < b);
    if (kind == "LessOrEqual") return std::int64_t(a <= b);
    if (kind == "Greater") return std::int64_t(a > b);
    if (kind == "GreaterOrEqual") return std::int64_t(a >= b);
    return std::nullopt;
}

std::optional<double> realOf(std::string_view kind, double a, double b)
{
    if (kind == "Add") return a + b;
    if (kind == "Sub") return a - b;
    if (kind == "Mul") return a * b;
    if (kind == "Div") return a / b;
    if (kind == "Min") return std::min(a, b);
    if (kind == "Max") return std::max(a, b);
    if (kind == "Equal") return a == b;
    if (kind == "Less") return a < b;
    if (kind == "LessOrEqual") return a <= b;
    if (kind == "Greater") return a > b;
    if (kind == "GreaterOrEqual") return a >= b;
    return std::nullopt;
}

constexpr std::array<std::string_view, 7> comparisons = {"Equal",          "Less", "LessOrEqual", "Greater",
                                                         "GreaterOrEqual", "And",  "Or"};
constexpr std::array<std::string_view, 7> arithmetic = {"Add", "Sub", "Mul", "Div", "Mod", "Min", "Max"};
constexpr std::array<std::string_view, 7> unaryMath = {"Identity", "Not", "Neg", "Abs", "Floor", "Ceil", "Sqrt"};

/// An empty tensor computes nothing, so what is not one of the operators has to be turned away by name.
bool isOneOf(std::string_view kind, std::span<const std::string_view> kinds)
{
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

} // namespace

std::size_t indexOf(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& at)
{
    std::size_t index = 0;
    const std::size_t skipped = at.size() - dims.size();
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
        index = index * static_cast<std::size_t>(dims[axis]) + static_cast<std::size_t>(dims[axis] == 1 ? 0 : at[axis + skipped]);
    return index;
}

std::optional<std::vector<std::int64_t>> broadcast(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b)
{
    std::vector<std::int64_t> result(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (left != right && left != 1 && right != 1) return std::nullopt;
        result[result.size() - 1 - i] = left == 1 ? right : left;
    }
    if (!literalElements(result)) return std::nullopt;
    return result;
}

std::optional<Literal> elementwise(std::string_view kind, const Literal& a, const Literal& b)
{
    const bool compares = isOneOf(kind, comparisons);
    if (a.type != b.type || (!compares && !isOneOf(kind, arithmetic))) return std::nullopt;
    const auto dims = broadcast(a.dims, b.dims);
    if (!dims) return std::nullopt;
    Literal result = emptyLiteral(compares ? std::int32_t(onnx::TensorProto::BOOL) : a.type, *dims);
    bool known = true;
    forEachElement(*dims, [&](const std::vector<std::int64_t>& at) {
        const std::size_t left = indexOf(a.dims, at);
        const std::size_t right = indexOf(b.dims, at);
        if (a.isReal()) {
            const auto value = realOf(kind, a.reals[left], b.reals[right]);
            known = known && value.has_value();
            if (result.isReal())
                result.reals.push_back(roundedTo(result.type, value.value_or(0)));
            else
                result.integers.push_back(value.value_or(0) != 0);
        } else {
            const auto value = integerOf(kind, a.integers[left], b.integers[right]);
            known = known && value && fits(*value, result.type);
            result.integers.push_back(value.value_or(0));
        }
    });
    if (!known) return std::nullopt;
    return result;
}

std::optional<Literal> elementwise(std::string_view kind, Literal value)
{
    if (!isOneOf(kind, unaryMath)) return std::nullopt;
    if (kind == "Identity") return value;
    if (kind == "Not" && value.type == onnx::TensorProto::BOOL) {
        for (auto& element : value.integers) element = element == 0;
        return value;
    }
    for (auto& element : value.reals) {
        if (kind == "Neg")
            element = -element;
        else if (kind == "Abs")
            element = std::fabs(element);
        else if (kind == "Floor")
            element = std::floor(element);
        else if (kind == "Ceil")
            element = std::ceil(element);
        else if (kind == "Sqrt")
            element = roundedTo(value.type, std::sqrt(element));
        else
            return std::nullopt;
    }
    for (auto& element : value.integers) {
        if (element == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
        if (kind == "Neg")
            element = -element;
        else if (kind == "Abs")
            element = element < 0 ? -element : element;
        else
            return std::nullopt;
        if (!fits(element, value.type)) return std::nullopt;
    }
    return value;
}

std::optional<Literal> cast(const Literal& from, std::int32_t type)
{
    Literal result = emptyLiteral(type, from.dims);
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (result.isReal()) {
            // An integer is rounded once: not to 64 bits first.
            const bool single = type == onnx::TensorProto::FLOAT && !from.isReal();
            result.reals.push_back(single ? static_cast<float>(from.integers[i]) : roundedTo(type, from.real(i)));
        } else if (type == onnx::TensorProto::BOOL) {
            result.integers.push_back(from.real(i) != 0);
        } else {
            if (from.isReal() && !(std::fabs(from.reals[i]) < 9e18)) return std::nullopt;
            const std::int64_t value = from.isReal() ? static_cast<std::int64_t>(from.reals[i]) : from.integers[i];
            if (!fits(value, type)) return std::nullopt;
            result.integers.push_back(value);
        }
    }
    return result;
}

} // namespace stowage::onnxfile

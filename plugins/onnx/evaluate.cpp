#include "plugins/onnx/evaluate.h"

#include "plugins/onnx/literal_math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>

namespace stowage::onnxfile {

namespace {

using Dims = std::vector<std::int64_t>;
using Result = std::optional<Literal>;

const onnx::AttributeProto* attribute(const onnx::NodeProto& node, std::string_view name)
{
    for (const auto& candidate : node.attribute())
        if (candidate.name() == name) return &candidate;
    return nullptr;
}

std::int64_t integerAttribute(const onnx::NodeProto& node, std::string_view name, std::int64_t otherwise)
{
    const auto* found = attribute(node, name);
    return found && found->has_i() ? found->i() : otherwise;
}

/// What an operator takes from an input since some version of it, and from an attribute before.
std::optional<Dims> inputOrAttribute(const onnx::NodeProto& node, std::span<const Operand> inputs, std::size_t index,
                                     std::string_view name)
{
    if (index < inputs.size() && inputs[index].type) { // given as an input
        const auto* contents = inputs[index].contents;
        if (!contents || contents->isReal()) return std::nullopt;
        return contents->integers;
    }
    if (const auto* found = attribute(node, name)) return Dims(found->ints().begin(), found->ints().end());
    return Dims{};
}

/// -1 is the last axis. Nothing when out of range.
std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank)
{
    const auto signedRank = static_cast<std::int64_t>(rank);
    if (axis < -signedRank || axis >= signedRank) return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + signedRank : axis);
}

/// A tensor of shape `dims` whose element at `at` is the one of `from` at `map(at)`.
template <typename Map>
Result pick(const Literal& from, Dims dims, Map map)
{
    if (!literalElements(dims)) return std::nullopt;
    Literal result = emptyLiteral(from.type, dims);
    forEachElement(dims, [&](const Dims& at) { append(result, from, indexOf(from.dims, map(at))); });
    return result;
}

Result shapeOf(const onnx::NodeProto& node, const onnx::TypeProto& type)
{
    const auto dims = staticShape(type);
    if (!dims) return std::nullopt;
    Literal result = emptyLiteral(onnx::TensorProto::INT64, {});
    if (node.op_type() == "Size") {
        std::int64_t size = 1;
        if (std::find(dims->begin(), dims->end(), 0) != dims->end()) size = 0;
        for (const auto dim : *dims)
            if (size != 0 && __builtin_mul_overflow(size, dim, &size)) return std::nullopt;
        result.integers = {size};
        return result;
    }
    const auto rank = static_cast<std::int64_t>(dims->size());
    const auto bound = [&](std::int64_t value) {
        return std::clamp<std::int64_t>(value < 0 && value >= -rank ? value + rank : value, 0, rank);
    };
    const std::int64_t begin = bound(integerAttribute(node, "start", 0));
    const std::int64_t end = bound(integerAttribute(node, "end", rank));
    for (std::int64_t i = begin; i < end; ++i) result.integers.push_back((*dims)[static_cast<std::size_t>(i)]);
    result.dims = {static_cast<std::int64_t>(result.integers.size())};
    return result;
}

Result gather(const onnx::NodeProto& node, const Literal& data, const Literal& indices)
{
    const auto axis = axisOf(integerAttribute(node, "axis", 0), data.dims.size());
    if (!axis || indices.isReal()) return std::nullopt;
    const std::int64_t extent = data.dims[*axis];
    for (const auto index : indices.integers)
        if (index < -extent || index >= extent) return std::nullopt;
    Dims dims(data.dims.begin(), data.dims.begin() + std::ptrdiff_t(*axis));
    dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
    dims.insert(dims.end(), data.dims.begin() + std::ptrdiff_t(*axis) + 1, data.dims.end());
    if (!literalElements(dims)) return std::nullopt;
    Literal result = emptyLiteral(data.type, dims);
    forEachElement(dims, [&](const Dims& at) {
        const auto middle = at.begin() + std::ptrdiff_t(*axis);
        const auto after = middle + std::ptrdiff_t(indices.dims.size());
        const std::int64_t index = indices.integers[indexOf(indices.dims, Dims(middle, after))];
        Dims from(at.begin(), middle);
        from.push_back(index < 0 ? index + extent : index);
        from.insert(from.end(), after, at.end());
        append(result, data, indexOf(data.dims, from));
    });
    return result;
}

Result concat(const onnx::NodeProto& node, std::span<const Operand> inputs)
{
    const Literal& first = *inputs[0].contents;
    const auto axis = axisOf(integerAttribute(node, "axis", 0), first.dims.size());
    if (!axis) return std::nullopt;
    Dims dims = first.dims;
    dims[*axis] = 0;
    for (const Operand& operand : inputs) {
        Dims others = operand.contents->dims;
        if (operand.contents->type != first.type || others.size() != dims.size()) return std::nullopt;
        const std::int64_t extent = std::exchange(others[*axis], dims[*axis]);
        if (others != dims) return std::nullopt;
        if (extent > std::int64_t(maxLiteralElements)) return std::nullopt; // of an empty tensor
        dims[*axis] += extent;
        if (dims[*axis] > std::int64_t(maxLiteralElements)) return std::nullopt;
    }
    if (!literalElements(dims)) return std::nullopt;
    Literal result = emptyLiteral(first.type, dims);
    forEachElement(dims, [&](const Dims& at) {
        Dims from = at;
        for (const Operand& operand : inputs) {
            const std::int64_t extent = operand.contents->dims[*axis];
            if (from[*axis] < extent) {
                append(result, *operand.contents, indexOf(operand.contents->dims, from));
                return;
            }
            from[*axis] -= extent;
        }
    });
    return result;
}

Result slice(const onnx::NodeProto& node, std::span<const Operand> inputs)
{
    const Literal& data = *inputs[0].contents;
    const auto starts = inputOrAttribute(node, inputs, 1, "starts");
    const auto ends = inputOrAttribute(node, inputs, 2, "ends");
    auto axes = inputOrAttribute(node, inputs, 3, "axes");
    auto steps = inputOrAttribute(node, inputs, 4, "steps");
    if (!starts || !ends || !axes || !steps || starts->size() != ends->size()) return std::nullopt;
    if (axes->empty()) {
        axes->resize(starts->size());
        std::iota(axes->begin(), axes->end(), 0);
    }
    if (steps->empty()) steps->assign(starts->size(), 1);
    if (axes->size() != starts->size() || steps->size() != starts->size()) return std::nullopt;

    Dims dims = data.dims;
    Dims from(dims.size(), 0);
    Dims stride(dims.size(), 1);
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const auto axis = axisOf((*axes)[i], dims.size());
        const std::int64_t step = (*steps)[i];
        if (!axis || step == 0 || step == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
        const std::int64_t extent = data.dims[*axis];
        if (extent == 0) continue;
        const auto bound = [&](std::int64_t value, std::int64_t low, std::int64_t high) {
            return std::clamp(value < 0 ? std::max(value, -extent - 1) + extent : value, low, high);
        };
        const std::int64_t begin = step > 0 ? bound((*starts)[i], 0, extent) : bound((*starts)[i], 0, extent - 1);
        const std::int64_t end = step > 0 ? bound((*ends)[i], 0, extent) : bound((*ends)[i], -1, extent - 1);
        const std::int64_t distance = step > 0 ? end - begin : begin - end;
        const std::int64_t size = step > 0 ? step : -step;
        dims[*axis] = distance <= 0 ? 0 : (distance - 1) / size + 1;
        from[*axis] = begin;
        stride[*axis] = step;
    }
    return pick(data, dims, [&](Dims at) {
        for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] = from[axis] + at[axis] * stride[axis];
        return at;
    });
}

Result reshaped(Literal value, Dims dims)
{
    const auto count = literalElements(dims);
    if (!count || *count != value.size()) return std::nullopt;
    value.dims = std::move(dims);
    return value;
}

Result unsqueeze(const onnx::NodeProto& node, std::span<const Operand> inputs)
{
    const Literal& data = *inputs[0].contents;
    const auto axes = inputOrAttribute(node, inputs, 1, "axes");
    if (!axes || axes->size() > 64) return std::nullopt;
    Dims dims(data.dims.size() + axes->size(), -1);
    for (const auto value : *axes) {
        const auto axis = axisOf(value, dims.size());
        if (!axis || dims[*axis] == 1) return std::nullopt;
        dims[*axis] = 1;
    }
    auto next = data.dims.begin();
    for (auto& dim : dims)
        if (dim == -1) dim = *next++;
    return reshaped(data, std::move(dims));
}

Result squeeze(const onnx::NodeProto& node, std::span<const Operand> inputs)
{
    const Literal& data = *inputs[0].contents;
    const auto axes = inputOrAttribute(node, inputs, 1, "axes");
    if (!axes) return std::nullopt;
    std::vector<bool> gone(data.dims.size(), false);
    for (std::size_t axis = 0; axes->empty() && axis < gone.size(); ++axis) gone[axis] = data.dims[axis] == 1;
    for (const auto value : *axes) {
        const auto axis = axisOf(value, data.dims.size());
        if (!axis || data.dims[*axis] != 1) return std::nullopt;
        gone[*axis] = true;
    }
    Dims dims;
    for (std::size_t axis = 0; axis < gone.size(); ++axis)
        if (!gone[axis]) dims.push_back(data.dims[axis]);
    return reshaped(data, std::move(dims));
}

Result reshape(const onnx::NodeProto& node, std::span<const Operand> inputs)
{
    const Literal& data = *inputs[0].contents;
    auto dims = inputOrAttribute(node, inputs, 1, "shape");
    if (!dims || dims->size() > 64) return std::nullopt;
    const bool zeroIsZero = integerAttribute(node, "allowzero", 0) != 0;
    std::int64_t known = 1;
    std::int64_t* rest = nullptr;
    for (std::size_t i = 0; i < dims->size(); ++i) {
        auto& dim = (*dims)[i];
        if (dim == 0 && !zeroIsZero) {
            if (i >= data.dims.size()) return std::nullopt;
            dim = data.dims[i];
        }
        if (dim == -1) {
            if (rest) return std::nullopt;
            rest = &dim;
        } else if (dim < 0 || __builtin_mul_overflow(known, dim, &known)) {
            return std::nullopt;
        }
    }
    if (rest) {
        if (known == 0) return std::nullopt;
        *rest = static_cast<std::int64_t>(data.size()) / known;
    }
    return reshaped(data, std::move(*dims));
}

Result transpose(const onnx::NodeProto& node, const Literal& data)
{
    const std::size_t rank = data.dims.size();
    std::vector<std::size_t> order(rank);
    if (const auto* permutation = attribute(node, "perm"); permutation && permutation->ints_size() > 0) {
        if (static_cast<std::size_t>(permutation->ints_size()) != rank) return std::nullopt;
        std::vector<bool> seen(rank, false);
        for (std::size_t i = 0; i < rank; ++i) {
            const auto axis = axisOf(permutation->ints(static_cast<int>(i)), rank);
            if (!axis || seen[*axis]) return std::nullopt;
            seen[*axis] = true;
            order[i] = *axis;
        }
    } else {
        for (std::size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
    }
    Dims dims(rank);
    for (std::size_t i = 0; i < rank; ++i) dims[i] = data.dims[order[i]];
    return pick(data, dims, [&](const Dims& at) {
        Dims from(rank);
        for (std::size_t i = 0; i < rank; ++i) from[order[i]] = at[i];
        return from;
    });
}

Result constantOfShape(const onnx::NodeProto& node, const Literal& shape)
{
    if (shape.isReal()) return std::nullopt;
    const auto count = literalElements(shape.integers);
    Literal value{onnx::TensorProto::FLOAT, {}, {}, {0.0}};
    if (const auto* given = attribute(node, "value")) {
        auto contents = given->has_t() ? literalOf(given->t()) : std::nullopt;
        if (!contents || contents->size() != 1) return std::nullopt;
        value = std::move(*contents);
    }
    if (!count) return std::nullopt;
    Literal result = emptyLiteral(value.type, shape.integers);
    for (std::size_t i = 0; i < *count; ++i) append(result, value, 0);
    return result;
}

Result range(const Literal& start, const Literal& limit, const Literal& delta)
{
    if (start.type != limit.type || start.type != delta.type || start.size() != 1 || limit.size() != 1 || delta.size() != 1)
        return std::nullopt;
    constexpr double exact = 9007199254740992.0; // 2^53
    if (std::fabs(start.real(0)) > exact || std::fabs(limit.real(0)) > exact) return std::nullopt;
    // As in ONNX's own shape inference: the difference is one of the element type, the quotient has 64 bits.
    const double count = std::ceil(roundedTo(start.type, limit.real(0) - start.real(0)) / delta.real(0));
    if (!(count <= double(maxLiteralElements))) return std::nullopt; // also: not a number
    Literal result = emptyLiteral(start.type, {count > 0 ? static_cast<std::int64_t>(count) : 0});
    for (std::int64_t i = 0; i < result.dims[0]; ++i) {
        if (result.isReal()) {
            const double distance = roundedTo(result.type, double(i) * delta.reals[0]);
            result.reals.push_back(roundedTo(result.type, start.reals[0] + distance));
        } else {
            std::int64_t value = 0;
            if (__builtin_mul_overflow(i, delta.integers[0], &value) || __builtin_add_overflow(value, start.integers[0], &value))
                return std::nullopt;
            result.integers.push_back(value);
        }
    }
    return result;
}

Result where(const Literal& condition, const Literal& yes, const Literal& no)
{
    if (condition.type != onnx::TensorProto::BOOL || yes.type != no.type) return std::nullopt;
    auto dims = broadcast(yes.dims, no.dims);
    if (dims) dims = broadcast(*dims, condition.dims);
    if (!dims) return std::nullopt;
    Literal result = emptyLiteral(yes.type, *dims);
    forEachElement(*dims, [&](const Dims& at) {
        const Literal& chosen = condition.integers[indexOf(condition.dims, at)] != 0 ? yes : no;
        append(result, chosen, indexOf(chosen.dims, at));
    });
    return result;
}

Result expand(const Literal& data, const Literal& shape)
{
    if (shape.isReal() || shape.integers.size() > 64) return std::nullopt;
    const auto dims = broadcast(data.dims, shape.integers);
    if (!dims) return std::nullopt;
    return pick(data, *dims, [&](const Dims& at) { return Dims(at.end() - std::ptrdiff_t(data.dims.size()), at.end()); });
}

/// Min and Max take any number of inputs.
Result foldElementwise(std::string_view kind, std::span<const Operand> inputs)
{
    Literal result = *inputs[0].contents;
    for (const Operand& operand : inputs.subspan(1)) {
        auto next = elementwise(kind, result, *operand.contents);
        if (!next) return std::nullopt;
        result = std::move(*next);
    }
    return result;
}

/// Over all elements: what `Shape` is reduced with.
Result reduceAll(const onnx::NodeProto& node, std::string_view kind, std::span<const Operand> inputs)
{
    const Literal& data = *inputs[0].contents;
    const auto axes = inputOrAttribute(node, inputs, 1, "axes");
    if (!axes || data.dims.size() != 1 || data.size() == 0 || integerAttribute(node, "noop_with_empty_axes", 0) != 0)
        return std::nullopt;
    for (const auto axis : *axes)
        if (axis != 0 && axis != -1) return std::nullopt;
    Literal result = emptyLiteral(data.type, {});
    append(result, data, 0);
    for (std::size_t i = 1; i < data.size(); ++i) {
        Literal element = emptyLiteral(data.type, {});
        append(element, data, i);
        auto next = elementwise(kind, result, element);
        if (!next) return std::nullopt;
        result = std::move(*next);
    }
    if (integerAttribute(node, "keepdims", 1) != 0) result.dims = {1};
    return result;
}

} // namespace

std::optional<std::vector<std::int64_t>> staticShape(const onnx::TypeProto& type)
{
    if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return std::nullopt;
    Dims dims;
    for (const auto& dim : type.tensor_type().shape().dim()) {
        if (!dim.has_dim_value() || dim.dim_value() < 0) return std::nullopt;
        dims.push_back(dim.dim_value());
    }
    return dims;
}

std::optional<Literal> evaluate(const onnx::NodeProto& node, int opset, std::span<const Operand> inputs)
{
    if (!node.domain().empty() || node.output_size() != 1) return std::nullopt;
    const std::string_view kind = node.op_type();
    if (kind == "Constant") return literalOf(node);
    if (inputs.empty()) return std::nullopt;
    if (kind == "Shape" || kind == "Size") return inputs[0].type ? shapeOf(node, *inputs[0].type) : std::nullopt;
    for (const Operand& operand : inputs)
        if (operand.type && !operand.contents) return std::nullopt;
    const auto given = [&](std::size_t count) {
        return inputs.size() >= count &&
               std::all_of(inputs.begin(), inputs.begin() + std::ptrdiff_t(count), [](const Operand& o) { return o.contents; });
    };
    if (!given(1)) return std::nullopt;
    const Literal& first = *inputs[0].contents;

    if (kind == "Concat") return given(inputs.size()) ? concat(node, inputs) : std::nullopt;
    if (kind == "Slice") return slice(node, inputs);
    if (kind == "Unsqueeze") return unsqueeze(node, inputs);
    if (kind == "Squeeze") return squeeze(node, inputs);
    if (kind == "Reshape") return reshape(node, inputs);
    if (kind == "Transpose") return transpose(node, first);
    if (kind == "Cast") return cast(first, static_cast<std::int32_t>(integerAttribute(node, "to", 0)));
    if (kind == "ConstantOfShape") return constantOfShape(node, first);
    if (kind == "ReduceProd") return reduceAll(node, "Mul", inputs);
    if (kind == "ReduceSum") return reduceAll(node, "Add", inputs);
    if (kind == "ReduceMin") return reduceAll(node, "Min", inputs);
    if (kind == "ReduceMax") return reduceAll(node, "Max", inputs);
    if (kind == "Min" || kind == "Max") return given(inputs.size()) ? foldElementwise(kind, inputs) : std::nullopt;
    if (inputs.size() == 1) return elementwise(kind, first);
    if (!given(2)) return std::nullopt;
    const Literal& second = *inputs[1].contents;
    if (kind == "Gather") return gather(node, first, second);
    if (kind == "Expand") return expand(first, second);
    if (given(3) && kind == "Range") return range(first, second, *inputs[2].contents);
    if (given(3) && kind == "Where") return where(first, second, *inputs[2].contents);
    // Before version 7, broadcasting had to be asked for and was aligned by an attribute.
    if (inputs.size() == 2 && opset >= 7 && integerAttribute(node, "fmod", 0) == 0) return elementwise(kind, first, second);
    return std::nullopt;
}

} // namespace stowage::onnxfile

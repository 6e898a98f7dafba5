#include "plugins/onnx/literal.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace stowage::onnxfile {

namespace {

static_assert(std::endian::native == std::endian::little, "raw_data is little endian and read without swapping");

template <typename T, typename Out>
bool readRaw(const std::string& raw, std::size_t count, std::vector<Out>& out)
{
    if (raw.size() != count * sizeof(T)) return false;
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, raw.data() + i * sizeof(T), sizeof(T));
        out.push_back(static_cast<Out>(value));
    }
    return true;
}

template <typename Field, typename Out>
bool readField(const Field& field, std::size_t count, std::vector<Out>& out)
{
    if (static_cast<std::size_t>(field.size()) != count) return false;
    out.reserve(count);
    for (const auto value : field) out.push_back(static_cast<Out>(value));
    return true;
}

bool readContents(const onnx::TensorProto& tensor, std::size_t count, Literal& literal)
{
    const bool raw = tensor.has_raw_data();
    const auto& bytes = tensor.raw_data();
    switch (tensor.data_type()) {
    case onnx::TensorProto::FLOAT:
        return raw ? readRaw<float>(bytes, count, literal.reals) : readField(tensor.float_data(), count, literal.reals);
    case onnx::TensorProto::DOUBLE:
        return raw ? readRaw<double>(bytes, count, literal.reals) : readField(tensor.double_data(), count, literal.reals);
    case onnx::TensorProto::INT64:
        return raw ? readRaw<std::int64_t>(bytes, count, literal.integers)
                   : readField(tensor.int64_data(), count, literal.integers);
    case onnx::TensorProto::INT32:
        return raw ? readRaw<std::int32_t>(bytes, count, literal.integers)
                   : readField(tensor.int32_data(), count, literal.integers);
    case onnx::TensorProto::INT16:
        return raw ? readRaw<std::int16_t>(bytes, count, literal.integers)
                   : readField(tensor.int32_data(), count, literal.integers);
    case onnx::TensorProto::INT8:
        return raw ? readRaw<std::int8_t>(bytes, count, literal.integers)
                   : readField(tensor.int32_data(), count, literal.integers);
    case onnx::TensorProto::UINT16:
        return raw ? readRaw<std::uint16_t>(bytes, count, literal.integers)
                   : readField(tensor.int32_data(), count, literal.integers);
    case onnx::TensorProto::UINT8:
    case onnx::TensorProto::BOOL:
        return raw ? readRaw<std::uint8_t>(bytes, count, literal.integers)
                   : readField(tensor.int32_data(), count, literal.integers);
    case onnx::TensorProto::UINT32:
        return raw ? readRaw<std::uint32_t>(bytes, count, literal.integers)
                   : readField(tensor.uint64_data(), count, literal.integers);
    case onnx::TensorProto::UINT64:
        return raw ? readRaw<std::uint64_t>(bytes, count, literal.integers)
                   : readField(tensor.uint64_data(), count, literal.integers);
    default: return false;
    }
}

template <typename Field>
Literal listOf(std::int32_t type, const Field& field)
{
    Literal literal;
    literal.type = type;
    literal.dims = {field.size()};
    if (literal.isReal())
        literal.reals.assign(field.begin(), field.end());
    else
        literal.integers.assign(field.begin(), field.end());
    return literal;
}

} // namespace

std::optional<std::size_t> literalElements(const std::vector<std::int64_t>& dims)
{
    if (dims.size() > maxLiteralRank) return std::nullopt;
    // A zero anywhere makes the tensor empty, however large the other dimensions are.
    std::size_t count = 1;
    for (const auto dim : dims) {
        if (dim < 0) return std::nullopt;
        if (dim == 0) count = 0;
    }
    if (count == 0) return count;
    for (const auto dim : dims) {
        if (static_cast<std::uint64_t>(dim) > maxLiteralElements) return std::nullopt;
        count *= static_cast<std::size_t>(dim);
        if (count > maxLiteralElements) return std::nullopt;
    }
    return count;
}

std::optional<Literal> literalOf(const onnx::TensorProto& tensor)
{
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return std::nullopt;
    Literal literal;
    literal.type = tensor.data_type();
    literal.dims.assign(tensor.dims().begin(), tensor.dims().end());
    const auto count = literalElements(literal.dims);
    if (!count || !readContents(tensor, *count, literal)) return std::nullopt;
    return literal;
}

std::optional<Literal> literalOf(const onnx::NodeProto& constant)
{
    for (const auto& attribute : constant.attribute()) {
        const auto& name = attribute.name();
        if (name == "value" && attribute.has_t()) return literalOf(attribute.t());
        if (name == "value_int" && attribute.has_i()) return Literal{onnx::TensorProto::INT64, {}, {attribute.i()}, {}};
        if (name == "value_float" && attribute.has_f()) return Literal{onnx::TensorProto::FLOAT, {}, {}, {double(attribute.f())}};
        if (name == "value_ints" && std::size_t(attribute.ints_size()) <= maxLiteralElements)
            return listOf(onnx::TensorProto::INT64, attribute.ints());
        if (name == "value_floats" && std::size_t(attribute.floats_size()) <= maxLiteralElements)
            return listOf(onnx::TensorProto::FLOAT, attribute.floats());
    }
    return std::nullopt;
}

onnx::TensorProto toTensor(const Literal& literal)
{
    onnx::TensorProto tensor;
    tensor.set_data_type(literal.type);
    for (const auto dim : literal.dims) tensor.add_dims(dim);
    for (std::size_t i = 0; i < literal.size(); ++i) {
        switch (literal.type) {
        case onnx::TensorProto::FLOAT: tensor.add_float_data(static_cast<float>(literal.reals[i])); break;
        case onnx::TensorProto::DOUBLE: tensor.add_double_data(literal.reals[i]); break;
        case onnx::TensorProto::INT64: tensor.add_int64_data(literal.integers[i]); break;
        case onnx::TensorProto::UINT32:
        case onnx::TensorProto::UINT64: tensor.add_uint64_data(static_cast<std::uint64_t>(literal.integers[i])); break;
        default: tensor.add_int32_data(static_cast<std::int32_t>(literal.integers[i])); break;
        }
    }
    return tensor;
}

} // namespace stowage::onnxfile

// Contents of small constant tensors, in one form for all element types. Shape arithmetic works on them.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace stowage::onnxfile {

/// Larger constants are taken for data, not for shapes.
inline constexpr std::size_t maxLiteralElements = 4096;
inline constexpr std::size_t maxLiteralRank = 64;

/// A tensor of numbers in row-major order. Integers and truth values are in `integers`, others in `reals`.
struct Literal {
    std::int32_t type = onnx::TensorProto::UNDEFINED; ///< onnx::TensorProto::DataType
    std::vector<std::int64_t> dims;                   ///< empty: a scalar
    std::vector<std::int64_t> integers;
    std::vector<double> reals;

    [[nodiscard]] std::size_t size() const { return isReal() ? reals.size() : integers.size(); }
    [[nodiscard]] bool isReal() const { return type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::DOUBLE; }
    [[nodiscard]] double real(std::size_t i) const { return isReal() ? reals[i] : static_cast<double>(integers[i]); }
};

/// The number of elements of a shape. No value if a dimension is negative, or the elements or dimensions exceed the limits above.
std::optional<std::size_t> literalElements(const std::vector<std::int64_t>& dims);

/// The contents of `tensor`. No value if they are in another file, were dropped, are too large, are not numbers, or do not match
/// the shape.
std::optional<Literal> literalOf(const onnx::TensorProto& tensor);

/// The value of a Constant node, from any of the attributes that may hold it.
std::optional<Literal> literalOf(const onnx::NodeProto& constant);

/// The same contents as a tensor whose shape, type and data agree. (The ONNX library reads past the end of a tensor whose data is
/// shorter than its shape says.)
onnx::TensorProto toTensor(const Literal& literal);

} // namespace stowage::onnxfile

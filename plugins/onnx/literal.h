// Contents of small constant tensors, in one form for all element types: what shape arithmetic is done on.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace stowage::onnxfile {

/// Larger constants are data, not shapes.
inline constexpr std::size_t maxLiteralElements = 4096;
inline constexpr std::size_t maxLiteralRank = 64;

/// A tensor of numbers in row-major order. Whole numbers and truth values are in `integers`, others in `reals`.
struct Literal {
    std::int32_t type = onnx::TensorProto::UNDEFINED; ///< onnx::TensorProto::DataType
    std::vector<std::int64_t> dims;                   ///< empty: a scalar
    std::vector<std::int64_t> integers;
    std::vector<double> reals;

    [[nodiscard]] std::size_t size() const { return isReal() ? reals.size() : integers.size(); }
    [[nodiscard]] bool isReal() const { return type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::DOUBLE; }
    [[nodiscard]] double real(std::size_t i) const { return isReal() ? reals[i] : static_cast<double>(integers[i]); }
};

/// The number of elements of a shape; nothing when a dimension is negative, or there are too many of either.
std::optional<std::size_t> literalElements(const std::vector<std::int64_t>& dims);

/// The contents of `tensor`; nothing when they are elsewhere, were dropped, are too large, are not numbers, or do not match the
/// shape.
std::optional<Literal> literalOf(const onnx::TensorProto& tensor);

/// The value of a node of kind Constant, whichever of its attributes holds it.
std::optional<Literal> literalOf(const onnx::NodeProto& constant);

/// The same contents as a tensor whose shape, type and data agree: the ONNX library reads past the end of one where they do not.
onnx::TensorProto toTensor(const Literal& literal);

} // namespace stowage::onnxfile

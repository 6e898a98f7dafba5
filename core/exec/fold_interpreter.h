// Computes constant tensors: an op on literals as a nest of loops over its result.
//
// Pack, unpack, transpose, broadcast, slice, fill and element-wise ops are one form: each element of the result is a scalar
// program of elements of the operands, whose positions are sums of terms of the result's position. A reshape copies bytes. An op
// that sums (a product of matrices) has further loops inside, whose body continues from the sum so far.
#pragma once

#include "core/exec/scalar_program.h"
#include "core/ir/expected.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

/// A dense tensor: elements in row-major order, each in `bytesOf(element)` bytes, little endian.
struct ConstantTensor {
    Element element = Element::f32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
};

/// coefficient * ((position[dimension] / divisor) % modulus); 0: no modulus.
struct IndexTerm {
    std::int32_t dimension = 0;
    std::int64_t coefficient = 1;
    std::int64_t divisor = 1;
    std::int64_t modulus = 0;
};

struct IndexSum {
    std::int64_t constant = 0;
    std::vector<IndexTerm> terms;
};

struct NestOperand {
    std::vector<IndexSum> index; ///< by dimension of the operand
    std::optional<std::uint64_t>
        outside; ///< the element's bits where the position is outside (padding); nothing: that is an error
};

struct LoopNest {
    Element element = Element::f32;  ///< of the result
    std::vector<std::int64_t> shape; ///< of the result: the bounds of the loops
    /// Bounds of loops inside those of the result, the last one innermost; their positions follow the result's. The last operand
    /// is what each element begins with (its position has terms of the result's only), and the body's last input what the
    /// iteration before has made: elements are summed in the order of compiled loops.
    std::vector<std::int64_t> reduction = {};
    std::vector<NestOperand> operands;
    ScalarProgram body; ///< as many inputs as operands
};

/// Computes the result. Errors: "bad-nest" when ranks or sizes do not fit, or a position is outside of an operand; nothing is
/// read there. O(iterations * (terms + instructions)).
Expected<ConstantTensor> runNest(const LoopNest& nest, std::span<const ConstantTensor* const> operands);

} // namespace stowage

// Computes constant tensors: executes an op on literals as a nest of loops over the elements of its result.
//
// Pack, unpack, transpose, broadcast, slice, fill and element-wise ops have one form: each element of the result is a scalar
// program on elements of the operands, and the position of each of these elements is a sum of terms of the result's position. A
// reshape copies bytes. An op with a sum (a matrix product) has further inner loops, whose body gets the sum so far as an input.
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

/// The value coefficient * ((position[dimension] / divisor) % modulus). A modulus of 0 means none.
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
        outside; ///< bits of the element for positions outside the operand (padding); no value: such a position is an error
};

struct LoopNest {
    Element element = Element::f32;  ///< of the result
    std::vector<std::int64_t> shape; ///< of the result: the bounds of the loops
    /// Bounds of inner loops for a reduction, the last one innermost; their positions follow those of the result. The last
    /// operand is the initial value of each element; its position has terms of the result's position only. The body's last input
    /// is the value after the previous inner iteration. Elements are summed in the order in which compiled loops would sum them.
    std::vector<std::int64_t> reduction = {};
    std::vector<NestOperand> operands;
    ScalarProgram body; ///< has one input for each operand
};

/// Computes the result. Errors ("bad-nest"): ranks or sizes that do not match; a position outside an operand without padding,
/// which is not read. O(iterations * (terms + instructions)).
Expected<ConstantTensor> runNest(const LoopNest& nest, std::span<const ConstantTensor* const> operands);

} // namespace stowage

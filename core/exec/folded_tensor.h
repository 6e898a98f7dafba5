// A tensor that constant folding keeps between runs: its shape, and its place in the persistent block.
#pragma once

#include "core/ir/types.h"

#include <string>
#include <vector>

namespace stowage {

/// The function in which an op of the original function is after folding.
enum class FoldPlace : std::uint8_t {
    entry,
    compileTimeFold,
    runTimeFold,
    evaluated, ///< none: its value is a literal
};

/// A folded tensor.
struct FoldedTensor {
    std::int64_t id = 0;    ///< numbered from 0 in each function
    TensorId tensor = none; ///< the tensor of the original function
    std::string name;
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides; ///< in elements, row-major
    Bytes offset = 0;                  ///< in the persistent block; a multiple of 64
    Bytes size = 0;
    FoldPlace madeIn = FoldPlace::runTimeFold;
    bool entryReads = true; ///< false: made by `compiletime_fold` for `runtime_fold` only
    bool runTimeFoldReads = false;

    friend bool operator==(const FoldedTensor&, const FoldedTensor&) = default;
};

/// Offsets of folded tensors are multiples of this number of bytes: a cache line.
inline constexpr Bytes foldedTensorAlignment = 64;

} // namespace stowage

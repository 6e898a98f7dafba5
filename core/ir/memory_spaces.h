// Pools that stand for memory spaces of the source (MLIR's memrefs have them).
#pragma once

#include "core/ir/program.h"

#include <algorithm>
#include <string_view>

namespace stowage {

/// The attribute of a tensor with the name of its memory space in the source; empty for the default space. The only candidate
/// pool of such a tensor stands for the space. If the target does not have this pool, the tensor may lie in any pool.
inline constexpr std::string_view memorySpaceAttribute = "memory-space";

[[nodiscard]] inline bool isOfMemorySpace(const Tensor& tensor)
{
    return !tensor.pools.empty() && attribute(tensor.attributes, memorySpaceAttribute);
}

/// Whether the pools of the program stand for memory spaces. Linear in the tensors.
[[nodiscard]] inline bool hasMemorySpaces(const Program& program)
{
    return std::any_of(program.functions.begin(), program.functions.end(), [](const Function& function) {
        return std::any_of(function.tensors.begin(), function.tensors.end(), isOfMemorySpace);
    });
}

} // namespace stowage

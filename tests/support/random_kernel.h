// Random kernels as Ascend's compiler has them before PlanMemory.
#pragma once

#include <cstdint>
#include <string>

namespace stowage::test {

/// The text of a function `@random` on an Ascend910B1: loops, ifs with and without else, carried buffers (in their place and
/// round two allocations), multi-buffered tiles, scratch, scalar operands and scalar accesses, inline broadcasts, casts between
/// widths, selects, subviews. Every buffer is written before it is read. The same seed gives the same text on every machine.
/// `size`: about how many ops.
std::string randomKernel(std::uint32_t seed, int size);

} // namespace stowage::test

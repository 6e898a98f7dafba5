// From which instruction to which the values of a method are in use.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <cstdint>
#include <vector>

namespace stowage::executorch {

/// One instruction as far as memory is concerned.
struct Touches {
    std::vector<std::int32_t> read;
    std::vector<std::int32_t> written;
    Step jump = none; ///< the instruction that it may go on with; none: it does not jump
};

/// A value's use.
struct Lifetime {
    Interval live;        ///< empty: no instruction and no interface names it
    bool written = false; ///< by an instruction, or as an input
};

/// Lifetimes by value. `inputs` are live from the start, `outputs` to the end. A jump back makes a loop of the instructions from
/// its target to itself (more than 256 are taken as one): what lives beyond it, or is read in it before it is written, lives
/// through all of it. All values are in [0, values), all jumps in [0, instructions]. O(touches + values).
std::vector<Lifetime> lifetimesOf(const std::vector<Touches>& instructions, std::size_t values,
                                  const std::vector<std::int32_t>& inputs, const std::vector<std::int32_t>& outputs);

} // namespace stowage::executorch

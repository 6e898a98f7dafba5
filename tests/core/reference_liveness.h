// Live ranges by the letter of the file-format contract, computed in the plainest way: a graph of steps, and a search from every
// step. Slow, and shares no code with core/lower.
#pragma once

#include "core/lower/lower.h"

namespace stowage::test {

/// The live ranges of every buffer of `lowering`, which must have been made from `program` without optional merging.
std::vector<std::vector<Interval>> referenceLiveness(const Program& program, const Lowering& lowering);

} // namespace stowage::test

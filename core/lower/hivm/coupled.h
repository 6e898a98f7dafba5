// Tightly coupled buffers of an Ascend kernel, and which of them may share bytes.
#pragma once

#include "core/ir/problem.h"
#include "core/ir/program.h"

namespace stowage::lowering {

/// A tightly coupled buffer (`Buffer::coupled`) is reached by the cube and the vector core, and shares with nothing: it is
/// unique. But two of different numbers may share when they are not live together here, and no function of the program uses both
/// at the same time: in each, the last op that touches one comes before the first that touches the other. Such a buffer is no
/// longer unique: it conflicts with every other buffer that could go to its memory, but for those. After AscendNPU-IR's
/// PlanMemory, which looks at the marks in all functions. O(functions * ops * operands + coupled * buffers).
void letCoupledShare(const Program& program, Problem& problem);

} // namespace stowage::lowering

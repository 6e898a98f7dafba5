// Lets tightly coupled buffers of an Ascend kernel share bytes.
#pragma once

#include "core/ir/problem.h"
#include "core/ir/program.h"

namespace stowage::lowering {

/// A tightly coupled buffer (`Buffer::coupled`) is reached by the cube core and the vector core. It is unique: it shares its
/// bytes with no buffer. As an exception, two coupled buffers with different numbers may share if they are not live together in
/// this problem, and if in each function of the program the last op that touches one comes before the first op that touches the
/// other. This function makes such a buffer no longer unique, and instead gives it explicit conflicts with every other buffer
/// that could lie in its pool. After AscendNPU-IR's PlanMemory, which looks at the marks in all functions. O(functions * ops *
/// operands + coupled * buffers).
void letCoupledShare(const Program& program, Problem& problem);

} // namespace stowage::lowering

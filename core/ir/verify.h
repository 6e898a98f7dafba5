// The verifier of programs: checks the properties that passes and the lowering rely on.
#pragma once

#include "core/ir/program.h"

namespace stowage {

/// The errors in `program`; empty: it may be lowered. Checked: indices are in range; names are unique; regions and ops form
/// trees; every tensor except variables is written at most once (single assignment), and read only where it is visible and after
/// it is written; inputs and constants are not written; aliases have no cycles and lie inside the viewed tensor; in-place pairs
/// name an input and an output of their op; loops, branches and calls have matching inputs and outputs; calls are not recursive;
/// sizes, alignments and multi-buffer counts are in range; the total size is below 2^62. O(program), no recursion on nesting
/// depth.
Diagnostics verify(const Program& program);

} // namespace stowage

// The program verifier: properties that every pass and the lowering rely on.
#pragma once

#include "core/ir/program.h"

namespace stowage {

/// Errors in `program`, worst first; empty: it may be lowered. Checked: indices in
/// range; unique names; regions and ops form trees; every tensor written at most once and by one region (single
/// assignment), read only where it is visible and after it is written; inputs, constants and variables not written (variables
/// excepted); aliases without cycles and inside the viewed tensor; in-place pairs name an input and an output of their op;
/// arities of loops, branches and calls; calls not recursive; sizes, alignments and multi-buffer counts in range; total size
/// below 2^62. O(program), no recursion on nesting depth.
Diagnostics verify(const Program& program);

} // namespace stowage

// Lowering in the order of Ascend's PlanMemory pass: its numbering of ops, its lifetimes, its aliases and its in-place merging.
//
// Source: AscendNPU-IR, bishengir/lib/Dialect/HIVM/Transforms/PlanMemory.cpp and its document; the facts are those of
// specs/hivm.md.
//
//  - Ops are numbered in pre-order (core/lower/hivm/axis.h); region ends count, as they are ops of the program.
//  - A buffer lives from the first op that writes it to the op after which it and all its aliases are dead, both included
//    (core/lower/hivm/lives.h). What flows round a loop, or out of a branch, is one buffer: tensors that are so connected share
//    one slot.
//  - `mem-plan-mode`, by the document: LOCAL_MEM_PLAN gives `memref.alloc` its addresses, GLOBAL_WORKSPACE_PLAN
//    `memref_ext.alloc_workspace`; what belongs to the other mode is left out. Its compiler runs the pass once in each mode,
//    which is what `both` stands for.
//  - A function of SIMT or MIX mode (`hivm.vf_mode`) has no more of the unified buffer than `simt-vf-dynamic-size` says; the rest
//    is the hardware's.
//  - In place (core/lower/hivm/in_place.h) what an op writes takes the slot of what dies at it. Without `inplace=allowed` nothing
//    is merged, but for what a plan in the file has merged: two at the same addresses (`pointer-cast`), the one dying where the
//    other is written.
//  - A memory on the chip without a capacity is told of: that of bt and fp is not published.
//
// Attributes that it reads. Of tensors: `unique`, `preload`, `coupled`, `pointer-cast`, `layout-offset`, `workspace-arg`,
// `vf-mode`. Of ops: `broadcast`, `transpose`, `scalars`. Pipes by their names ("MTE2", "V", …). Of a tensor without pools the
// only workspace pool takes care; with several that is an error, as in the compiler.
#pragma once

#include "core/lower/lower.h"

#include <string_view>

namespace stowage::lowering {

/// True for the names of memories on an Ascend core: ub, cbuf, cc, ca, cb, bt, fp.
[[nodiscard]] bool isAscendScope(std::string_view pool);

/// Requires a verified program. Plans the entry function, which calls none. Errors: a tensor that has no place to go to, more
/// than 2^24 numbers, sizes beyond 2^62. O(program log program + pairs of what is written and dies at one op).
Expected<Lowering> lowerHivm(const Program& program, const LowerOptions& options);

} // namespace stowage::lowering

// Lowering in the order of Ascend's PlanMemory pass: its numbering of ops, its lifetimes, its aliases and its in-place merging.
//
// Source: AscendNPU-IR, bishengir/lib/Dialect/HIVM/Transforms/PlanMemory.cpp and its document; the facts are those of
// specs/hivm.md.
//
//  - Ops are numbered in pre-order (core/lower/hivm/axis.h); region ends count, as they are ops of the program.
//  - A buffer lives from the first op that writes it to the op after which it and all its aliases are dead, both included
//    (core/lower/hivm/lives.h). Tensors that are connected by a loop's carried values or by a branch's results are aliases and
//    share one address.
//  - `mem-plan-mode`, by the document: LOCAL_MEM_PLAN gives `memref.alloc` its addresses, GLOBAL_WORKSPACE_PLAN
//    `memref_ext.alloc_workspace`; what belongs to the other mode is left out. Its compiler runs the pass once in each mode,
//    which is what `both` stands for.
//  - A function of SIMT or MIX mode (`hivm.vf_mode`) has `simt-vf-dynamic-size` of the unified buffer; the hardware uses the
//  rest.
//  - Each allocation has a place of its own first, in the order of first writes. The places of allocations that are one value are
//    folded (core/lower/hivm/lives.h), then those that are written in place: what an op writes takes the place of what dies at
//    it, where the op permits it (`Op::inPlace`) and neither is aliased, scratch, or chosen between. The result keeps that
//    place's position and size, with all lives and the largest number of slots. A store's multi-buffer does not lie on a
//    load's: that pair may share at level 0 only. Without `inplace=allowed` nothing is merged in place, but for what a plan in
//    the file has merged: two at the same addresses (`placed`), the one dying where the other is written.
//  - A pool on the core without a capacity gives a note.
//
// Further facts that importers state are in core/ir/kernel_marks.h. Pipes are identified by their names ("MTE2", "V", …). A
// tensor without a pool goes to the only workspace pool; with several workspace pools it is an error, as in the compiler.
#pragma once

#include "core/lower/lowering.h"

namespace stowage::lowering {

/// Lowers the entry function of a verified program; it must not call functions. Errors: a tensor without a possible pool, more
/// than 2^24 numbers, sizes beyond 2^62. O(program log program + pairs of buffers of which one is written and one dies at the
/// same op).
Expected<Lowering> lowerHivm(const Program& program, const LowerOptions& options);

} // namespace stowage::lowering

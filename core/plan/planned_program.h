// Program in, program out: the program with its plan written into it.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <optional>

namespace stowage {

/// The program of `run` with the offset of every tensor that owns a storage, each tensor's pool, the pools that were planned for,
/// and for each function the pools that it is handed: those that hold what it or a function called by it touches, in the
/// problem's order. Lowered again in the same way and planned by whatever planner, it gives the same plan.
///
/// Views, inputs and outputs of functions and regions have no offset of their own, as they lie in another tensor's storage.
/// Tensors that rotate with a loop have no single offset, and are not written; `rotating` counts their buffers, if it is not
/// null. Requires a run of a program. O(tensors of all instances).
[[nodiscard]] Program plannedProgram(const Run& run, std::size_t* rotating = nullptr);

/// Why one offset for each buffer cannot express the plan: a buffer of one slot rotates with a loop, or (in a program) carried or
/// chosen values stay in their buffers, which tensors with their own offsets would not. Nothing when it can. O(tensors of all
/// instances).
[[nodiscard]] std::optional<Error> notSaidByOffsets(const Run& run, bool program);

} // namespace stowage

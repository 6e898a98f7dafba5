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
/// Tensors whose copies rotate with a loop cannot be said by one offset, and stay free; `rotating` counts the buffers of the
/// latter, if it is not null. Requires a run of a program. O(tensors of all instances).
[[nodiscard]] Program plannedProgram(const Run& run, std::size_t* rotating = nullptr);

/// Why one offset for each buffer does not say what the plan says: a buffer of one slot rotates with a loop; in a program also
/// that tensors are carried round loops, or chosen, where they lie, which tensors with offsets of their own are not. Nothing when
/// it does. O(tensors of all instances).
[[nodiscard]] std::optional<Error> notSaidByOffsets(const Run& run, bool program);

} // namespace stowage

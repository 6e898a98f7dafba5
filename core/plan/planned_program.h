// Writes a plan into the program that was planned.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <optional>

namespace stowage {

/// The program of `run` with the offset of every tensor that owns storage, the pool of every tensor, the pools of the problem,
/// and for each function its pool arguments: the pools of all tensors that it or a function called by it accesses, in the order
/// of the problem. If the result is lowered with the same options, any planner gives the same plan, except for buffers that
/// rotate.
///
/// Views, and inputs and outputs of functions and regions, lie in the storage of other tensors and get no offset of their own.
/// Tensors that rotate with a loop have no single offset and get none; `slotsNotSaid` tells of them. Requires a run of a program.
/// O(tensors of all instances).
[[nodiscard]] Program plannedProgram(const Run& run);

/// Why the plan cannot be expressed with one offset for each buffer; no value if it can. Reasons: a buffer with one slot rotates
/// with a loop; or, with `program`, a carried or chosen value stays in its buffer without a copy, which offsets of tensors cannot
/// express. O(tensors of all instances).
[[nodiscard]] std::optional<Error> notSaidByOffsets(const Run& run, bool program);

/// A warning with the number of rotating buffers, for a plan that `notSaidByOffsets` accepts: their offsets are missing in a
/// program (`program`), and those of all slots but the first in a problem with pins. No value if no buffer rotates. O(buffers).
[[nodiscard]] std::optional<Diagnostic> slotsNotSaid(const Run& run, bool program);

} // namespace stowage

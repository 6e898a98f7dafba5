// Finds the outputs of cases, and of loops with exits, that may lie where their values lie.
#pragma once

#include "core/ir/program.h"
#include "core/ir/region_tree.h"
#include "core/lower/move_reason.h"

#include <map>

namespace stowage::lowering {

/// True for a case and for a loop with exits: the value of an output depends on the branch or exit that is taken.
[[nodiscard]] bool chooses(const Function& function, const Op& op);

/// For each output of a case or of a loop with exits in `function`: the reason why its value is copied; `none`: it may lie where
/// its values lie. `none` requires that the output is a whole tensor, that no op writes into it or has to overwrite it, and that
/// it is neither carried by a loop nor an output of a callee or of a body. It may be an output of a branch if the case's output
/// is such an output, too. Other tensors have no entry. Near-linear in the function, and O(ops) for each such output.
std::map<TensorId, MoveReason> copyReasons(const Program& program, const Function& function, const RegionTree& tree, bool entry);

} // namespace stowage::lowering

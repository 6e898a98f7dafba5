// Which outputs of cases, and of loops with exits, may lie where their values do.
#pragma once

#include "core/ir/program.h"
#include "core/ir/region_tree.h"
#include "core/lower/move_reason.h"

#include <map>

namespace stowage::lowering {

/// True for a case, and for a loop with exits: the value of an output depends on the way that is taken.
[[nodiscard]] bool chooses(const Function& function, const Op& op);

/// By tensor of `function`: the outputs of cases and of loops with exits, each with the reason why it is copied; `none`: it
/// may lie where its values do. Then they are whole, nothing writes into them, no op has to write over them, and nobody relies on
/// their place: no loop carries them, no callee and no body gives them out. A branch may, where what that gives is such an output
/// too. For all other tensors no entry. Near-linear, but O(ops) for each such output.
std::map<TensorId, MoveReason> copyReasons(const Program& program, const Function& function, const RegionTree& tree, bool entry);

} // namespace stowage::lowering

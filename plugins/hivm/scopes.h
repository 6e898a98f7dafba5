// The memories of Ascend chips as the compiler knows them: what a kernel that names its target is planned into when the user
// names none.
#pragma once

#include "core/ir/program.h"

#include <string_view>

namespace stowage::hivm {

/// Pools in the compiler's order (ub, cbuf, cc, ca, cb, bt, fp) of the chip that a target name stands for, in any case
/// ("Ascend910B1", "ascend950pr_950z"). For another name, or none, the pools have no capacity. The figures are those of
/// the target files (resources/targets/ascend*.json), which are compiled in.
std::vector<Pool> scopesOf(std::string_view target);

/// True when the name stands for a chip of the target files.
bool isKnownTarget(std::string_view target);

} // namespace stowage::hivm

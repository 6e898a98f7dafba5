// The pools of Ascend chips. A kernel that names its target is planned into these pools, unless the user names a target.
#pragma once

#include "core/ir/program.h"

#include <string_view>

namespace stowage::hivm {

/// Pools in the compiler's order (ub, cbuf, cc, ca, cb, bt, fp) of the chip that a target name stands for, in any case
/// ("Ascend910B1", "ascend950pr_950z"). For another name, or none, the pools have no capacity. The figures are those of
/// the target files (resources/targets/ascend*.json), which are compiled in.
std::vector<Pool> scopesOf(std::string_view target);

/// True if a target file describes a chip of this name.
bool isKnownTarget(std::string_view target);

} // namespace stowage::hivm

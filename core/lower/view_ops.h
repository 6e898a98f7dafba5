// Ops whose result is their input under another shape or type.
#pragma once

#include "core/ir/program.h"

namespace stowage::lowering {

/// True for ops that hand on their first input's bytes unchanged under another shape or type (in any case: reshape, Squeeze,
/// EXPAND_DIMS, …).
bool isView(const Op& op);

} // namespace stowage::lowering

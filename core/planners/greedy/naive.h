// The baseline: no byte is shared.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Buffers end to end in order of index, around the pins. O(n).
std::shared_ptr<const Planner> naive();

} // namespace stowage

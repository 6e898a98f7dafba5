// Plans whose pools have no wasted byte.
#pragma once

#include "core/plan/planner.h"

#include <cstdint>

namespace stowage::exact {

/// Puts a layout as high as the most bytes live at one step into each pool of `plan` for which `fillPerfectly` finds one; true when some pool became
/// smaller. Tried for pools that are larger than that, whose buffers have one live range each and neither pins, windows, explicit conflicts nor permissions to share,
/// and where at most a tenth of the rectangle is not live. `most`: work, as `fillPerfectly` counts it; adds what was used to `work`.
bool fillPools(const Problem& problem, Plan& plan, const PlanContext& context, std::uint64_t most, std::uint64_t& work);

} // namespace stowage::exact

// Plans whose pools have no wasted byte, or few.
#pragma once

#include "core/plan/planner.h"

#include <cstdint>

namespace stowage::exact {

/// Whether layouts that waste something are welcome.
enum class Waste : std::uint8_t { none, some };

/// Puts a layout as high as the most bytes live at one step into each pool of `plan` for which `fillPerfectly` finds one; true
/// when some pool became smaller. Tried for pools that are larger than that, whose buffers have one live range each and neither
/// pins, windows, explicit conflicts nor permissions to share, and where at most a tenth of the rectangle is not live. `most`:
/// work, as `fillPerfectly` counts it; adds what was used to `work`. With `Waste::some`, a pool for which none is found may get a
/// lower layout that wastes something (`fillCoarsely`, `fillNearly`).
bool fillPools(const Problem& problem, Plan& plan, const PlanContext& context, std::uint64_t most, Waste waste,
               std::uint64_t& work);

} // namespace stowage::exact

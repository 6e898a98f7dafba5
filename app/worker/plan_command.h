// Plans with a planner of a plug-in library.
#pragma once

#include "app/worker/channel.h"

#include <string_view>

namespace stowage::worker {

/// Executes an archived `PlanOrder`: sends incumbents, then the plan or an error. A frame `cancel`, or the end of the input, asks
/// the planner to stop.
void plan(Channel& channel, std::string_view archivedOrder);

} // namespace stowage::worker

// Plans with a planner of a library.
#pragma once

#include "app/worker/channel.h"

#include <string_view>

namespace stowage::worker {

/// Answers an archived PlanOrder: incumbents while it plans, then the plan or an error. A frame `cancel`, or the end of the
/// input, asks the planner to stop.
void plan(Channel& channel, std::string_view archivedOrder);

} // namespace stowage::worker

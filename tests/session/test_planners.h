// Planners that behave well, badly and slowly, for the tests of the session.
#pragma once

#include "core/plan/planner.h"

#include <atomic>
#include <chrono>
#include <memory>

namespace stowage::test {

/// Places end to end, and publishes a plan that is one byte tighter every `pause`, until it is stopped or `rounds` are over.
std::shared_ptr<const Planner> improvingPlanner(std::chrono::milliseconds pause, int rounds);
/// Rounds that all of these have gone through together.
std::atomic<int>& improvingRoundsDone();
/// Does not look at the stop token for this long.
std::shared_ptr<const Planner> deafPlanner(std::chrono::milliseconds time);
/// Publishes a plan in which everything lies at 0, then gives a good one.
std::shared_ptr<const Planner> lyingPlanner();
/// Publishes its plan buffer by buffer, one each `pause`, then gives it; the first part has an overlap when `lies`.
std::shared_ptr<const Planner> growingPlanner(std::chrono::milliseconds pause, bool lies);
/// Throws.
std::shared_ptr<const Planner> throwingPlanner();
/// Forgets the last buffer.
std::shared_ptr<const Planner> forgetfulPlanner();
/// Cannot take problems with pins.
std::shared_ptr<const Planner> choosyPlanner();

} // namespace stowage::test

// TVM's older planner, to compare with.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Walks through time and hands out storage tokens: a buffer takes a free token of at least its size and less than 16 times that,
/// the smallest such, else the largest free one of at least a sixteenth of its size, which grows; else a new one. A token is free
/// again when the buffer's last step has passed. At the end the tokens lie end to end, so a token belongs to one buffer at a time
/// and nothing lies across two. The idea is Apache TVM's `GraphPlanMemory` (its match range is the option `range`).
///
/// Beyond it: several pools (the first candidate that still has room), explicit conflicts, slots (a token each), pins (the tokens
/// go round them). Between first and last step a buffer keeps its token, gaps or not. O(n log n).
std::shared_ptr<const Planner> graphPlanMemory();

} // namespace stowage

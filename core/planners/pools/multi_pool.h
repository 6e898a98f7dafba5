// Which buffer goes to which memory.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Chooses pools and offsets together. What is made small is the option `minimise`: the bytes of all pools, the size of the slow
/// one, or the estimated time of all traffic (core/plan/traffic.h). Capacities come first, whatever the goal.
///
/// Few buffers: every assignment of buffers to pools that can still win is tried, each pool packed by the exact search, so the
/// result is optimal, and said to be when every packing was. Otherwise a local search: whole plans by first fit, each buffer in
/// the first pool of its preference that takes it; a step changes a buffer's preferred pool, or the place of a buffer at a pool's
/// top in the order. It starts from TVM's rule (first candidate that fits, by size), so it is never worse than that. Ours.
std::shared_ptr<const Planner> multiPool();

} // namespace stowage

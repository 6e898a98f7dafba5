// Planner that chooses the pool of each buffer.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Chooses pools and offsets together. The option `minimise` sets the goal: the bytes of all pools, the size of the slow pool, or
/// the estimated time of all traffic (core/plan/traffic.h). Capacities have priority over every goal.
///
/// With few buffers, every assignment of buffers to pools that can still be best is tried, and the exact search packs each pool;
/// the result is optimal, and is called so if every packing was proved optimal. Otherwise a local search: whole plans by first
/// fit, each buffer in the first pool of its preference that takes it; a step changes a buffer's preferred pool, or the place of
/// a buffer at a pool's top in the order. It starts from TVM's rule (first candidate that fits, by size), so it is never worse
/// than that. Ours.
std::shared_ptr<const Planner> multiPool();

} // namespace stowage

// Improves an order of placement by exchanging buffers below the top.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Starts from size order, placed by first fit. Each attempt takes a random buffer that ends at the top of a pool and exchanges
/// it in the order with a buffer placed before it: with one that it conflicts with, or in three of four cases with one that
/// conflicts with such a one. Smaller and equal plans are gone on from, larger ones now and then. Without progress it starts
/// again, from another order or from the best one shaken. The best plan of all is the answer; it stops at the lower bound.
///
/// The idea is Apache TVM's `hill_climb`, which does 500 attempts, starts once, and returns what it accepted last. With more than
/// 16 million conflicting pairs only the starting orders are tried, and a note says so.
std::shared_ptr<const Planner> hillClimb();

} // namespace stowage

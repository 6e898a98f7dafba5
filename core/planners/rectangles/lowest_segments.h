// Layouts with little waste, from the bottom up.
#pragma once

#include "core/planners/rectangles/aligned_parts.h"
#include "core/planners/rectangles/line_graph.h"

#include <vector>

namespace stowage::exact {

/// Offsets by part (-1: melted) of a layout of what is left of a line graph that is lower than `below`, the lowest that was found
/// within the limit; empty if none is. `work` grows by the parts and steps looked at.
///
/// The lowest stretch of the skyline is filled next, as in packing of strips (best fit of Burke, Kendall, Whitwell 2004), with
/// parts that live within it only; when there is none, the stretch is raised to its lower neighbour, and that is the waste. Which
/// part is best is a sum of five things with weights: it begins where the stretch begins, it ends where that ends, how much of it
/// it covers, its size, and whether it comes level with a neighbour. Weights are drawn anew each time, or near the best so far.
/// Deterministic.
std::vector<Bytes> fillLowestSegments(const LineGraph& graph, const AlignedParts& aligned, Bytes below, const FillLimits& limits,
                                      std::uint64_t& work);

} // namespace stowage::exact

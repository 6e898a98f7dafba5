// Writes graphs in the DOT format of Graphviz.
#pragma once

#include "core/ir/expected.h"
#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <string>

namespace stowage::io {

/// Maximum number of edges of an interference or allocation graph. A larger graph has no readable layout, and Graphviz needs more
/// than an hour for it.
inline constexpr std::size_t maxDotEdges = 200'000;

/// With a program: a directed graph of its ops, with a cluster for each region of a control op. The label of an edge is the
/// tensor with its size and, with a plan, its pool and offset. Constants are left out. Without a program (null):
/// `writeInterferenceDot`. O(program), or O(n log n + edges).
Expected<std::string> writeDot(const Program* program, const Lowering& lowering, const Plan* plan);

/// The undirected interference graph of the problem: a node for each buffer, with its placement if there is a plan. An error if
/// there are more than `maxDotEdges` edges. O(n log n + edges).
Expected<std::string> writeInterferenceDot(const Problem& problem, const Plan* plan);

/// The allocation graph of a plan (core/plan/allocation_graph.h), from left to right, with a cluster for each pool. The label of
/// an edge is its bytes and offset. An error if there are more than `maxDotEdges` edges. O((n + edges) log n).
Expected<std::string> writeAllocationDot(const Problem& problem, const Plan& plan);

} // namespace stowage::io

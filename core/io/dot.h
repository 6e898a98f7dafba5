// Graphs for Graphviz.
#pragma once

#include "core/ir/expected.h"
#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <string>

namespace stowage::io {

/// Edges that an interference graph may have at most; with more, no layout is readable, nor finished in an hour.
inline constexpr std::size_t maxDotEdges = 200'000;

/// With a program: a directed graph of its ops, one cluster for each region of a control op; edges carry tensors with their
/// sizes, and with a plan their pools and offsets. Constants are left out. Without a program (null): the undirected interference
/// graph of the problem; an error when it has more than `maxDotEdges` edges. O(program), or O(n log n + edges).
Expected<std::string> writeDot(const Program* program, const Lowering& lowering, const Plan* plan);

/// The undirected interference graph of the problem, also where there is a program: a node for each buffer, with a plan where it
/// lies.
Expected<std::string> writeInterferenceDot(const Problem& problem, const Plan* plan);

/// The allocation graph of a plan (core/plan/allocation_graph.h), from left to right, one cluster for each pool; edges carry
/// their bytes and offset. An error when there are more than `maxDotEdges` edges. O((n + edges) log n).
Expected<std::string> writeAllocationDot(const Problem& problem, const Plan& plan);

} // namespace stowage::io

// Messages between host and worker for a graph layout.
#pragma once

#include "plugins/host/archive.h"
#include "plugins/host/graph_layout.h"

namespace stowage {

namespace frame {
inline constexpr auto layoutOrder = "layout"; ///< to the worker: GraphSpec
inline constexpr auto layout = "laid-out";    ///< GraphLayout: the answer
} // namespace frame

constexpr GraphDirection lastEnumerator(GraphDirection)
{
    return GraphDirection::right;
}
constexpr GraphStyle lastEnumerator(GraphStyle)
{
    return GraphStyle::springs;
}

template <typename Archive, SameAs<GraphNode> T>
void fields(Archive& archive, T& value)
{
    auto& [width, height] = value;
    archive(width, height);
}

template <typename Archive, SameAs<GraphEdge> T>
void fields(Archive& archive, T& value)
{
    auto& [from, to] = value;
    archive(from, to);
}

template <typename Archive, SameAs<GraphSpec> T>
void fields(Archive& archive, T& value)
{
    auto& [nodes, edges, direction, nodeGap, rankGap, style] = value;
    archive(nodes, edges, direction, nodeGap, rankGap, style);
}

template <typename Archive, SameAs<GraphPoint> T>
void fields(Archive& archive, T& value)
{
    auto& [x, y] = value;
    archive(x, y);
}

template <typename Archive, SameAs<GraphCurve> T>
void fields(Archive& archive, T& value)
{
    auto& [points] = value;
    archive(points);
}

template <typename Archive, SameAs<GraphLayout> T>
void fields(Archive& archive, T& value)
{
    auto& [centres, curves, width, height] = value;
    archive(centres, curves, width, height);
}

} // namespace stowage

#include "app/desktop/graph/op_graph.h"

#include "app/canvas/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <utility>

namespace stowage {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("OpGraph", text); }

void sortUnique(std::vector<BufferId>& ids)
{
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// All ops, an edge from the last writer of a buffer to each op that reads it.
OpGraph wholeGraph(const Run& run)
{
    const Lowering& lowering = *run.lowering;
    OpGraph graph;
    std::vector<std::int32_t> writer(run.problem().buffers.size(), -1);
    std::map<std::pair<std::int32_t, std::int32_t>, BufferId> edges;
    for (std::size_t step = 0; step < lowering.steps.size(); ++step) {
        const StepInfo& info = lowering.steps[step];
        if (info.op == none) continue;
        const Op& op = run.program->functions[std::size_t(info.function)].ops[std::size_t(info.op)];
        if (info.instance < 0 || std::size_t(info.instance) >= lowering.instances.size()) continue;
        const auto& bindings = lowering.instances[std::size_t(info.instance)].bindings;
        const auto bufferOf = [&](TensorId tensor) {
            return tensor >= 0 && std::size_t(tensor) < bindings.size() ? bindings[std::size_t(tensor)].buffer : none;
        };
        const auto id = std::int32_t(graph.nodes.size());
        OpNode node;
        node.kind = QString::fromStdString(op.kind);
        node.name = QString::fromStdString(op.name);
        node.step = Step(step);
        for (const TensorId input : op.inputs) {
            const BufferId buffer = bufferOf(input);
            if (buffer == none) continue;
            node.touches.push_back(buffer);
            if (const std::int32_t from = writer[std::size_t(buffer)]; from >= 0 && from != id) {
                BufferId& through = edges.try_emplace({from, id}, buffer).first->second;
                if (run.problem().buffers[std::size_t(buffer)].size > run.problem().buffers[std::size_t(through)].size) through = buffer;
            }
        }
        for (const TensorId temp : op.temps)
            if (const BufferId buffer = bufferOf(temp); buffer != none) node.touches.push_back(buffer);
        for (const TensorId output : op.outputs) {
            const BufferId buffer = bufferOf(output);
            if (buffer == none) continue;
            node.writes.push_back(buffer);
            node.touches.push_back(buffer);
        }
        sortUnique(node.writes);
        sortUnique(node.touches);
        for (const BufferId buffer : node.writes) {
            node.bytes += run.problem().buffers[std::size_t(buffer)].size;
            writer[std::size_t(buffer)] = id;
        }
        graph.nodes.push_back(std::move(node));
    }
    for (const auto& [ends, buffer] : edges)
        graph.edges.push_back({ends.first, ends.second, buffer, run.problem().buffers[std::size_t(buffer)].size});
    graph.allOps = graph.nodes.size();
    return graph;
}

/// Only the nodes that `keep` marks.
OpGraph part(const OpGraph& graph, const std::vector<bool>& keep)
{
    OpGraph result;
    result.allOps = graph.allOps;
    std::vector<std::int32_t> where(graph.nodes.size(), -1);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!keep[i]) continue;
        where[i] = std::int32_t(result.nodes.size());
        result.nodes.push_back(graph.nodes[i]);
    }
    for (OpEdge edge : graph.edges) {
        edge.from = where[std::size_t(edge.from)];
        edge.to = where[std::size_t(edge.to)];
        if (edge.from >= 0 && edge.to >= 0) result.edges.push_back(edge);
    }
    return result;
}

std::vector<bool> within(const OpGraph& graph, BufferId buffer, int hops)
{
    std::vector<bool> inside(graph.nodes.size());
    std::vector<std::vector<std::int32_t>> neighbours(graph.nodes.size());
    for (const OpEdge& edge : graph.edges) {
        neighbours[std::size_t(edge.from)].push_back(edge.to);
        neighbours[std::size_t(edge.to)].push_back(edge.from);
    }
    std::vector<std::int32_t> front;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (std::ranges::binary_search(graph.nodes[i].touches, buffer)) inside[i] = true, front.push_back(std::int32_t(i));
    for (int hop = 1; hop < hops; ++hop) { // what touches the buffer is the first hop
        std::vector<std::int32_t> next;
        for (const std::int32_t node : front)
            for (const std::int32_t neighbour : neighbours[std::size_t(node)])
                if (!inside[std::size_t(neighbour)]) inside[std::size_t(neighbour)] = true, next.push_back(neighbour);
        front = std::move(next);
    }
    return inside;
}

OpGraph inBlocks(const OpGraph& graph, std::size_t blocks)
{
    OpGraph result;
    result.allOps = graph.allOps;
    result.blocks = true;
    const std::size_t length = (graph.nodes.size() + blocks - 1) / blocks;
    for (std::size_t first = 0; first < graph.nodes.size(); first += length) {
        const std::size_t end = std::min(graph.nodes.size(), first + length);
        OpNode block;
        block.step = graph.nodes[first].step;
        block.ops = end - first;
        std::map<QString, std::size_t> kinds;
        for (std::size_t i = first; i < end; ++i) {
            const OpNode& node = graph.nodes[i];
            ++kinds[node.kind];
            block.bytes += node.bytes;
            block.writes.insert(block.writes.end(), node.writes.begin(), node.writes.end());
            block.touches.insert(block.touches.end(), node.touches.begin(), node.touches.end());
        }
        sortUnique(block.writes);
        sortUnique(block.touches);
        block.kind = std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.second; })->first;
        block.name = tr("%1, steps %2 to %3").arg(countedText(std::int64_t(block.ops), tr("op"))).arg(block.step).arg(graph.nodes[end - 1].step);
        result.nodes.push_back(std::move(block));
    }
    std::map<std::pair<std::int32_t, std::int32_t>, OpEdge> edges;
    for (const OpEdge& edge : graph.edges) {
        const auto from = std::int32_t(std::size_t(edge.from) / length), to = std::int32_t(std::size_t(edge.to) / length);
        if (from == to) continue;
        OpEdge& joined = edges.try_emplace({from, to}, OpEdge{from, to, edge.buffer, 0}).first->second;
        if (edge.bytes > joined.bytes) joined.buffer = edge.buffer, joined.bytes = edge.bytes;
    }
    for (const auto& [ends, edge] : edges) result.edges.push_back(edge);
    return result;
}

} // namespace

OpGraph makeOpGraph(const Run& run, const OpGraphOptions& options)
{
    if (!run.program) return {};
    OpGraph graph = wholeGraph(run);
    if (options.hops > 0 && options.around != none) graph = part(graph, within(graph, options.around, options.hops));
    if (graph.nodes.size() > options.most) graph = inBlocks(graph, std::max<std::size_t>(1, options.blocks));
    return graph;
}

} // namespace stowage

#include "app/canvas/pictures/graph/run_graph.h"

#include "core/plan/allocation_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

void sortUnique(std::vector<BufferId>& ids)
{
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// All ops, an edge from the last writer of a buffer to each op that reads it, and from the op that makes a tensor of unknown
/// size to those that read it: it has no buffer, but the ops depend on each other all the same.
RunGraph wholeGraph(const Run& run)
{
    const Lowering& lowering = *run.lowering;
    RunGraph graph;
    std::vector<std::int32_t> writer(run.problem().buffers.size(), -1);
    std::map<std::pair<std::int32_t, std::int32_t>, BufferId> edges;
    std::map<std::pair<std::int32_t, TensorId>, std::int32_t> maker; ///< of tensors of unknown size, by instance
    for (const TensorRef& unknown : unknownSizes(run))
        for (std::size_t instance = 0; instance < lowering.instances.size(); ++instance)
            if (lowering.instances[instance].function == unknown.function)
                maker.try_emplace({std::int32_t(instance), unknown.tensor}, -1);
    std::set<std::pair<std::int32_t, OpId>> controls; // that have a node, by instance
    std::set<FunctionId> functions;
    for (std::size_t step = 0; step < lowering.steps.size(); ++step) {
        const StepInfo& info = lowering.steps[step];
        if (info.op == none) continue;
        functions.insert(info.function);
        const Op& op = run.program->functions[std::size_t(info.function)].ops[std::size_t(info.op)];
        if (info.instance < 0 || std::size_t(info.instance) >= lowering.instances.size()) continue;
        const auto& bindings = lowering.instances[std::size_t(info.instance)].bindings;
        const auto bufferOf = [&](TensorId tensor) {
            return tensor >= 0 && std::size_t(tensor) < bindings.size() ? bindings[std::size_t(tensor)].buffer : none;
        };
        // A loop of a kernel has a step at both ends.
        if (op.control != Control::leaf && !controls.emplace(info.instance, info.op).second) continue;
        const auto id = std::int32_t(graph.nodes.size());
        GraphItem node;
        node.kind = op.kind;
        node.name = op.name;
        node.step = Step(step);
        node.end = Step(step) + 1;
        for (const TensorId input : op.inputs) {
            const BufferId buffer = bufferOf(input);
            if (buffer == none) {
                if (const auto made = maker.find({info.instance, input}); made != maker.end() && made->second >= 0)
                    edges.try_emplace({made->second, id}, none);
                continue;
            }
            node.touches.push_back(buffer);
            if (const std::int32_t from = writer[std::size_t(buffer)]; from >= 0 && from != id) {
                BufferId& through = edges.try_emplace({from, id}, buffer).first->second;
                if (through == none ||
                    run.problem().buffers[std::size_t(buffer)].size > run.problem().buffers[std::size_t(through)].size)
                    through = buffer;
            }
        }
        for (const TensorId temp : op.temps)
            if (const BufferId buffer = bufferOf(temp); buffer != none) node.touches.push_back(buffer);
        for (const TensorId output : op.outputs) {
            const BufferId buffer = bufferOf(output);
            if (buffer == none) {
                if (const auto made = maker.find({info.instance, output}); made != maker.end()) made->second = id;
                continue;
            }
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
        graph.edges.push_back(
            {ends.first, ends.second, buffer, buffer == none ? 0 : run.problem().buffers[std::size_t(buffer)].size});
    for (const FunctionId function : functions) graph.all += run.program->functions[std::size_t(function)].ops.size();
    graph.all = std::max(graph.all, graph.nodes.size()); // of what is called several times, each call counts
    graph.apart = graph.all - graph.nodes.size();        // loops without a step of their own
    return graph;
}

/// Only the nodes that `keep` marks.
RunGraph part(const RunGraph& graph, const std::vector<bool>& keep)
{
    RunGraph result;
    result.all = graph.all;
    std::vector<std::int32_t> where(graph.nodes.size(), -1);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!keep[i]) continue;
        where[i] = std::int32_t(result.nodes.size());
        result.nodes.push_back(graph.nodes[i]);
    }
    for (GraphLink edge : graph.edges) {
        edge.from = where[std::size_t(edge.from)];
        edge.to = where[std::size_t(edge.to)];
        if (edge.from >= 0 && edge.to >= 0) result.edges.push_back(edge);
    }
    return result;
}

/// Without the ops that no edge joins to another, if there are more than `most` of them and others are joined.
RunGraph joined(RunGraph graph, std::size_t most)
{
    std::vector<bool> keep(graph.nodes.size());
    for (const GraphLink& edge : graph.edges) keep[std::size_t(edge.from)] = keep[std::size_t(edge.to)] = true;
    const auto apart = std::size_t(std::ranges::count(keep, false));
    if (apart <= most || graph.edges.empty()) return graph;
    graph = part(graph, keep);
    graph.apart = graph.all - graph.nodes.size();
    return graph;
}

std::vector<bool> within(const RunGraph& graph, BufferId buffer, int hops)
{
    std::vector<bool> inside(graph.nodes.size());
    std::vector<std::vector<std::int32_t>> neighbours(graph.nodes.size());
    for (const GraphLink& edge : graph.edges) {
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

RunGraph inBlocks(const RunGraph& graph, std::size_t blocks)
{
    RunGraph result;
    result.all = graph.all;
    result.shown = graph.nodes.size();
    result.blocks = true;
    const std::size_t length = (graph.nodes.size() + blocks - 1) / blocks;
    for (std::size_t first = 0; first < graph.nodes.size(); first += length) {
        const std::size_t end = std::min(graph.nodes.size(), first + length);
        GraphItem block;
        block.step = graph.nodes[first].step;
        block.ops = end - first;
        std::map<std::string, std::size_t> kinds;
        for (std::size_t i = first; i < end; ++i) {
            const GraphItem& node = graph.nodes[i];
            ++kinds[node.kind];
            block.bytes += node.bytes;
            block.writes.insert(block.writes.end(), node.writes.begin(), node.writes.end());
            block.touches.insert(block.touches.end(), node.touches.begin(), node.touches.end());
        }
        sortUnique(block.writes);
        sortUnique(block.touches);
        block.kind = std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.second; })->first;
        block.role = GraphItem::Role::block;
        block.end = graph.nodes[end - 1].end;
        block.name = fmt::format("{} ops, steps {} to {}", block.ops, block.step, block.end - 1);
        result.nodes.push_back(std::move(block));
    }
    std::map<std::pair<std::int32_t, std::int32_t>, GraphLink> edges;
    for (const GraphLink& edge : graph.edges) {
        const auto from = std::int32_t(std::size_t(edge.from) / length), to = std::int32_t(std::size_t(edge.to) / length);
        if (from == to) continue;
        GraphLink& joined = edges.try_emplace({from, to}, GraphLink{from, to, edge.buffer, 0}).first->second;
        if (edge.bytes > joined.bytes) joined.buffer = edge.buffer, joined.bytes = edge.bytes;
    }
    for (const auto& [ends, edge] : edges) result.edges.push_back(edge);
    return result;
}

/// The buffers that are drawn: those of workspace memories, near the one asked for, not too many.
class Chosen {
public:
    Chosen(const Run& run, const RunGraphOptions& options)
        : problem_(run.problem()), plan_(run.plan), proof_(problem_.buffers.size())
    {
        for (const PoolReport& pool : run.report.pools)
            for (const BufferId id : pool.certificate.buffers)
                if (id >= 0 && std::size_t(id) < proof_.size()) proof_[std::size_t(id)] = true;
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b)
            if (reused(plan_.placements[b].pool) && problem_.buffers[b].size > 0) ids_.push_back(BufferId(b));
        all_ = ids_.size();
        most_ = options.maxBuffers;
    }

    [[nodiscard]] bool reused(PoolId pool) const
    {
        return pool != none && problem_.pools[std::size_t(pool)].kind == PoolKind::workspace;
    }
    [[nodiscard]] std::size_t all() const { return all_; }
    [[nodiscard]] const std::vector<BufferId>& ids() const { return ids_; }
    [[nodiscard]] bool proof(BufferId id) const { return proof_[std::size_t(id)]; }

    /// Leaves what `neighbours(id, visit)` reaches from `around` in this number of hops.
    template <typename Neighbours>
    void near(BufferId around, int hops, Neighbours neighbours)
    {
        std::vector<bool> inside(problem_.buffers.size());
        std::vector<BufferId> front{around}, found{around};
        inside[std::size_t(around)] = true;
        for (int hop = 0; hop < hops && found.size() <= most_; ++hop) {
            std::vector<BufferId> next;
            for (const BufferId id : front)
                neighbours(id, [&](BufferId other) {
                    if (inside[std::size_t(other)]) return;
                    inside[std::size_t(other)] = true;
                    next.push_back(other);
                });
            found.insert(found.end(), next.begin(), next.end());
            front = std::move(next);
        }
        ids_ = std::move(found); // nearest first
        if (ids_.size() > most_) ids_.resize(most_);
        near_ = true;
    }

    /// Those that prove the bound, then the largest: what goes first when there is too much. Near a buffer, the nearest.
    void order()
    {
        if (near_) return;
        const auto key = [&](BufferId id) {
            return std::tuple(!proof_[std::size_t(id)], -problem_.buffers[std::size_t(id)].size, id);
        };
        std::ranges::sort(ids_, {}, key);
        if (ids_.size() > most_) ids_.resize(most_);
    }

    [[nodiscard]] GraphItem item(BufferId id) const
    {
        const Buffer& buffer = problem_.buffers[std::size_t(id)];
        GraphItem item;
        item.role = GraphItem::Role::buffer;
        item.name = buffer.name;
        item.step = buffer.hull().begin;
        item.end = buffer.hull().end;
        item.writes = {id};
        item.touches = {id};
        item.bytes = buffer.size;
        item.places = std::max<std::int32_t>(1, std::int32_t(plan_.placements[std::size_t(id)].offsets.size()));
        item.pool = plan_.placements[std::size_t(id)].pool;
        item.proof = proof_[std::size_t(id)];
        return item;
    }

private:
    const Problem& problem_;
    const Plan& plan_;
    std::vector<bool> proof_;
    std::vector<BufferId> ids_;
    std::size_t all_ = 0;
    std::size_t most_ = 0;
    bool near_ = false;
};

RunGraph interferenceOf(const Run& run, const RunGraphOptions& options)
{
    const Problem& problem = run.problem();
    Chosen chosen(run, options);
    if (options.hops > 0 && options.around != none) {
        const std::vector<BufferId> all = chosen.ids();
        chosen.near(options.around, options.hops, [&](BufferId id, const auto& visit) {
            for (const BufferId other : all)
                if (other != id && conflict(problem, id, other)) visit(other);
        });
    }
    chosen.order();
    // One after the other, until there would be too many edges.
    std::vector<std::pair<BufferId, BufferId>> pairs;
    std::vector<BufferId> kept;
    for (const BufferId id : chosen.ids()) {
        const std::size_t before = pairs.size();
        for (const BufferId other : kept)
            if (conflict(problem, id, other)) pairs.emplace_back(std::min(id, other), std::max(id, other));
        if (pairs.size() > options.maxEdges) {
            pairs.resize(before);
            break;
        }
        kept.push_back(id);
    }
    std::ranges::sort(kept, {}, [&](BufferId id) { return std::pair(problem.buffers[std::size_t(id)].hull().begin, id); });
    RunGraph graph;
    graph.kind = GraphKind::interference;
    graph.all = chosen.all();
    graph.shown = kept.size();
    std::vector<std::int32_t> where(problem.buffers.size(), -1);
    for (const BufferId id : kept) {
        where[std::size_t(id)] = std::int32_t(graph.nodes.size());
        graph.nodes.push_back(chosen.item(id));
    }
    for (const auto& [a, b] : pairs) {
        const auto [low, high] = std::minmax(where[std::size_t(a)], where[std::size_t(b)]);
        graph.edges.push_back({low, high, none, 0, 0});
    }
    std::ranges::sort(graph.edges, {}, [](const GraphLink& edge) { return std::pair(edge.from, edge.to); });
    return graph;
}

RunGraph allocationOf(const Run& run, const RunGraphOptions& options)
{
    const Problem& problem = run.problem();
    Chosen chosen(run, options);
    std::vector<AllocationGraph> pools;
    for (std::size_t p = 0; p < problem.pools.size(); ++p)
        if (chosen.reused(PoolId(p)))
            if (AllocationGraph pool = allocationGraph(problem, run.plan, PoolId(p)); !pool.buffers.empty())
                pools.push_back(std::move(pool));
    if (options.hops > 0 && options.around != none) {
        std::vector<std::vector<BufferId>> neighbours(problem.buffers.size());
        for (const AllocationGraph& pool : pools)
            for (const AllocationEdge& edge : pool.edges)
                if (edge.from >= 0 && edge.to >= 0) {
                    neighbours[std::size_t(edge.from)].push_back(edge.to);
                    neighbours[std::size_t(edge.to)].push_back(edge.from);
                }
        chosen.near(options.around, options.hops, [&](BufferId id, const auto& visit) {
            for (const BufferId other : neighbours[std::size_t(id)]) visit(other);
        });
    }
    chosen.order();
    std::vector<bool> kept(problem.buffers.size());
    std::size_t count = chosen.ids().size();
    for (const BufferId id : chosen.ids()) kept[std::size_t(id)] = true;
    const auto holds = [&](BufferId id) { return id < 0 || kept[std::size_t(id)]; };
    const auto edgesKept = [&] {
        std::size_t edges = 0;
        for (const AllocationGraph& pool : pools)
            for (const AllocationEdge& edge : pool.edges) edges += holds(edge.from) && holds(edge.to);
        return edges;
    };
    while (count > 8 && edgesKept() > options.maxEdges) // the last ones go, an eighth at a time
        for (std::size_t less = (count + 7) / 8; less > 0; --less) kept[std::size_t(chosen.ids()[--count])] = false;

    RunGraph graph;
    graph.kind = GraphKind::allocation;
    graph.all = chosen.all();
    graph.shown = count;
    for (const AllocationGraph& pool : pools) {
        if (std::ranges::none_of(pool.buffers, [&](BufferId id) { return kept[std::size_t(id)]; })) continue;
        std::map<BufferId, std::int32_t> where;
        const auto dummy = [&](BufferId id, GraphItem::Role role) {
            where[id] = std::int32_t(graph.nodes.size());
            GraphItem item;
            item.role = role;
            item.name = problem.pools[std::size_t(pool.pool)].name;
            item.bytes = pool.size;
            item.pool = pool.pool;
            graph.nodes.push_back(std::move(item));
        };
        dummy(allocationSource, GraphItem::Role::source);
        for (const BufferId id : pool.buffers) {
            if (!kept[std::size_t(id)]) continue;
            where[id] = std::int32_t(graph.nodes.size());
            graph.nodes.push_back(chosen.item(id));
        }
        dummy(allocationSink, GraphItem::Role::sink);
        for (const AllocationEdge& edge : pool.edges)
            if (holds(edge.from) && holds(edge.to))
                graph.edges.push_back({where[edge.from], where[edge.to], none, edge.bytes, edge.offset});
    }
    return graph;
}

} // namespace

RunGraph makeRunGraph(const Run& run, const RunGraphOptions& options)
{
    RunGraphOptions asked = options;
    if (asked.around < 0 || std::size_t(asked.around) >= run.problem().buffers.size()) asked.around = none;
    switch (asked.kind) {
    case GraphKind::interference: return interferenceOf(run, asked);
    case GraphKind::allocation: return allocationOf(run, asked);
    case GraphKind::computation: break;
    }
    if (!run.program) return {};
    RunGraph graph = wholeGraph(run);
    if (asked.hops > 0 && asked.around != none)
        graph = part(graph, within(graph, asked.around, asked.hops));
    else
        graph = joined(std::move(graph), asked.maxApart);
    graph.shown = graph.nodes.size();
    if (graph.nodes.size() > asked.most) graph = inBlocks(graph, std::max<std::size_t>(1, asked.blocks));
    return graph;
}

} // namespace stowage

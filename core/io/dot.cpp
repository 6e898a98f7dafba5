#include "core/io/dot.h"

#include "core/plan/allocation_graph.h"

#include <fmt/format.h>

#include <vector>

namespace stowage::io {

namespace {

std::string dotString(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
    }
    return out + '"';
}

std::string placeText(const Problem& problem, const Plan* plan, BufferId buffer, Bytes delta)
{
    if (!plan || buffer == none) return {};
    const Placement& placement = plan->placements[static_cast<std::size_t>(buffer)];
    if (!placement.placed()) return "\nnot placed";
    return fmt::format("\n{} {:#x}", problem.pools[static_cast<std::size_t>(placement.pool)].name, placement.offset + delta);
}

/// The graph of the ops of one function, with nested regions as clusters.
class OpGraph {
public:
    OpGraph(const Program& program, const Lowering& lowering, const Plan* plan)
        : function_(program.main()), lowering_(lowering), plan_(plan), writer_(function_.tensors.size(), none)
    {
        for (std::size_t op = 0; op < function_.ops.size(); ++op)
            for (const TensorId tensor : function_.ops[op].outputs)
                writer_[static_cast<std::size_t>(tensor)] = static_cast<OpId>(op);
    }

    std::string text()
    {
        out_ = fmt::format("digraph {} {{\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n"
                           "  edge [fontname=\"sans-serif\", fontsize=10];\n",
                           dotString(function_.name));
        sources(function_.body());
        // Regions of a file may be nested deeply: uses its own stack instead of recursion.
        struct Open {
            RegionId region;
            std::size_t next = 0;      ///< next op to write
            std::size_t nextInner = 0; ///< next region to open, of the previous op
        };
        std::vector<Open> open{{0}};
        while (!open.empty()) {
            Open& top = open.back();
            const Region& region = function_.regions[static_cast<std::size_t>(top.region)];
            if (top.next > 0) {
                const Op& last = function_.ops[static_cast<std::size_t>(region.ops[top.next - 1])];
                if (top.nextInner < last.regions.size()) {
                    const RegionId inner = last.regions[top.nextInner++];
                    beginCluster(inner, last);
                    open.push_back({inner});
                    continue;
                }
            }
            if (top.next == region.ops.size()) {
                if (open.size() > 1) out_ += "  }\n";
                open.pop_back();
                continue;
            }
            node(region.ops[top.next++]);
            top.nextInner = 0;
        }
        for (std::size_t op = 0; op < function_.ops.size(); ++op) edges(static_cast<OpId>(op));
        return out_ + "}\n";
    }

private:
    void sources(const Region& region)
    {
        for (const TensorId tensor : region.inputs)
            out_ += fmt::format("  t{} [shape=ellipse, label={}];\n", tensor, dotString(label(tensor)));
    }

    void beginCluster(RegionId id, const Op& owner)
    {
        static constexpr std::string_view roles[] = {"function", "condition", "body", "branch"};
        const Region& region = function_.regions[static_cast<std::size_t>(id)];
        out_ += fmt::format("  subgraph cluster_{} {{\n  label={};\n", id,
                            dotString(fmt::format("{} of {}", roles[static_cast<std::size_t>(region.role)], owner.name)));
        sources(region);
    }

    void node(OpId id)
    {
        const Op& op = function_.ops[static_cast<std::size_t>(id)];
        out_ += fmt::format("  o{} [label={}];\n", id, dotString(op.kind.empty() ? op.name : op.name + "\n" + op.kind));
    }

    void edges(OpId id)
    {
        for (const TensorId input : function_.ops[static_cast<std::size_t>(id)].inputs) {
            const Tensor& tensor = function_.tensors[static_cast<std::size_t>(input)];
            if (tensor.kind == TensorKind::constant) continue;
            const OpId writer = writer_[static_cast<std::size_t>(input)];
            const std::string from = writer != none ? fmt::format("o{}", writer) : fmt::format("t{}", input);
            out_ += fmt::format("  {} -> o{} [label={}];\n", from, id, dotString(label(input)));
        }
    }

    std::string label(TensorId id) const
    {
        const Tensor& tensor = function_.tensors[static_cast<std::size_t>(id)];
        std::string text = tensor.name;
        if (tensor.bytes) text += fmt::format("\n{} B", *tensor.bytes);
        const auto& bindings = lowering_.instances.front().bindings;
        if (static_cast<std::size_t>(id) < bindings.size()) {
            const TensorBinding& binding = bindings[static_cast<std::size_t>(id)];
            text += placeText(lowering_.problem, plan_, binding.buffer, binding.delta);
        }
        return text;
    }

    const Function& function_;
    const Lowering& lowering_;
    const Plan* plan_;
    std::vector<OpId> writer_; ///< by tensor
    std::string out_;
};

Expected<std::string> interferenceGraph(const Problem& problem, const Plan* plan)
{
    std::string out = fmt::format("graph {} {{\n  node [shape=box, fontname=\"sans-serif\"];\n", dotString(problem.name));
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Buffer& buffer = problem.buffers[i];
        out += fmt::format("  b{} [label={}];\n", i,
                           dotString(fmt::format("{}\n{} B{}", buffer.name, buffer.size,
                                                 placeText(problem, plan, static_cast<BufferId>(i), 0))));
    }
    const auto edges = interferingPairs(problem, maxDotEdges);
    if (!edges) return edges.error();
    for (const auto& [a, b] : *edges) out += fmt::format("  b{} -- b{};\n", a, b);
    return out + "}\n";
}

std::string allocationNode(PoolId pool, BufferId id)
{
    if (id == allocationSource) return fmt::format("source{}", pool);
    if (id == allocationSink) return fmt::format("sink{}", pool);
    return fmt::format("b{}", id);
}

} // namespace

Expected<std::string> writeAllocationDot(const Problem& problem, const Plan& plan)
{
    std::string out = fmt::format("digraph {} {{\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n"
                                  "  edge [fontname=\"sans-serif\", fontsize=10];\n",
                                  dotString(problem.name));
    std::size_t edges = 0;
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) {
        const AllocationGraph graph = allocationGraph(problem, plan, pool);
        if (graph.buffers.empty()) continue;
        edges += graph.edges.size();
        if (edges > maxDotEdges)
            return failure(Code::tooManyEdges, fmt::format("the allocation graph has more than {} edges", maxDotEdges), {},
                           "reduce the problem first, or write it as csv");
        const std::string& name = problem.pools[static_cast<std::size_t>(pool)].name;
        out += fmt::format("  subgraph cluster_{} {{\n  label={};\n", pool, dotString(fmt::format("{}, {} B", name, graph.size)));
        out += fmt::format("  source{0} [shape=ellipse, label=\"source\"];\n  sink{0} [shape=ellipse, label=\"sink\"];\n", pool);
        for (const BufferId id : graph.buffers) {
            const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
            const std::size_t places = plan.placements[static_cast<std::size_t>(id)].offsets.size();
            const std::string turns = places > 1 ? fmt::format("{} x ", places) : std::string();
            out += fmt::format("  b{} [label={}];\n", id, dotString(fmt::format("{}\n{}{} B", buffer.name, turns, buffer.size)));
        }
        for (const AllocationEdge& edge : graph.edges)
            out += fmt::format("  {} -> {} [label={}];\n", allocationNode(pool, edge.from), allocationNode(pool, edge.to),
                               dotString(fmt::format("{} B at {:#x}", edge.bytes, edge.offset)));
        out += "  }\n";
    }
    return out + "}\n";
}

Expected<std::string> writeInterferenceDot(const Problem& problem, const Plan* plan)
{
    return interferenceGraph(problem, plan);
}

Expected<std::string> writeDot(const Program* program, const Lowering& lowering, const Plan* plan)
{
    if (program) return OpGraph(*program, lowering, plan).text();
    return interferenceGraph(lowering.problem, plan);
}

} // namespace stowage::io

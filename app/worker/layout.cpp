#include "app/worker/layout.h"

#include "app/worker/long_edges.h"
#include "app/worker/springs.h"
#include "plugins/host/layout_messages.h"

#include <graphviz/gvc.h>

#include <algorithm>
#include <memory>
#include <string>

extern "C" gvplugin_library_t gvplugin_dot_layout_LTX_library;
extern "C" gvplugin_library_t gvplugin_neato_layout_LTX_library;

namespace stowage::worker {
namespace {

constexpr double pointsPerInch = 72;

/// Graphviz with its dot and neato layouts and nothing else: its other plugins bring in half a desktop, and take ten times as
/// long to load as a small graph to lay out.
class Graphviz {
public:
    Graphviz() : context_(gvContextPlugins(builtIn, false)) {}
    ~Graphviz() { gvFreeContext(context_); }
    Graphviz(const Graphviz&) = delete;
    Graphviz& operator=(const Graphviz&) = delete;

    GVC_t* get() const { return context_; }

private:
    static inline lt_symlist_t builtIn[] = {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
                                            {"gvplugin_neato_layout_LTX_library", &gvplugin_neato_layout_LTX_library},
                                            {nullptr, nullptr}};
    GVC_t* context_;
};

/// Graphviz takes strings that it may write to.
char* text(const char* literal)
{
    return const_cast<char*>(literal);
}

class DotGraph {
public:
    DotGraph(const GraphSpec& spec, const std::vector<bool>& isLong) : spec_(spec), graph_(agopen(text("g"), Agdirected, nullptr))
    {
        if (springs()) { // edges as long as a box is wide; boxes are moved apart afterwards
            double widest = 0;
            for (const GraphNode& node : spec.nodes) widest = std::max(widest, node.width);
            setDefault(AGEDGE, "len", inches(1.1 * widest));
            setDefault(AGRAPH, "overlap", "true");
            setDefault(AGRAPH, "splines", "none");
            setDefault(AGRAPH, "start", "1");
            setDefault(AGRAPH, "pack", "true");
        }
        setDefault(AGRAPH, "nodesep", inches(spec.nodeGap));
        setDefault(AGRAPH, "ranksep", inches(spec.rankGap));
        setDefault(AGNODE, "shape", "box");
        setDefault(AGNODE, "fixedsize", "true");
        setDefault(AGNODE, "label", "");
        setDefault(AGEDGE, "dir", "none"); // curves reach the box: tips are the painter's
        Agsym_t* const width = setDefault(AGNODE, "width", "0");
        Agsym_t* const height = setDefault(AGNODE, "height", "0");
        nodes_.reserve(spec.nodes.size());
        for (const GraphNode& node : spec.nodes) {
            nodes_.push_back(agnode(graph_, nullptr, 1));
            agxset(nodes_.back(), width, inches(node.width).data());
            agxset(nodes_.back(), height, inches(node.height).data());
        }
        edges_.reserve(spec.edges.size());
        for (std::size_t e = 0; e < spec.edges.size(); ++e) {
            const auto [from, to] = spec.edges[e];
            edges_.push_back(isLong[e] ? nullptr : agedge(graph_, node(from), node(to), nullptr, 1));
        }
    }
    ~DotGraph() { agclose(graph_); }
    DotGraph(const DotGraph&) = delete;
    DotGraph& operator=(const DotGraph&) = delete;

    Expected<GraphLayout> layOut(const Graphviz& graphviz)
    {
        if (gvLayout(graphviz.get(), graph_, springs() ? "neato" : "dot") != 0)
            return failure(Code::layoutFailed, "Graphviz could not lay the graph out");
        GraphLayout layout = result();
        gvFreeLayout(graphviz.get(), graph_);
        return layout;
    }

private:
    bool springs() const { return spec_.style == GraphStyle::springs; }
    static std::string inches(double points) { return std::to_string(points / pointsPerInch); }
    Agsym_t* setDefault(int kind, const char* name, std::string value) { return agattr(graph_, kind, text(name), value.data()); }
    Agnode_t* node(std::int32_t index) const { return nodes_[static_cast<std::size_t>(index)]; }

    /// Graphviz' y points up.
    GraphPoint point(pointf p) const
    {
        const boxf box = GD_bb(graph_);
        return {p.x - box.LL.x, box.UR.y - p.y};
    }

    GraphLayout result() const
    {
        GraphLayout layout;
        const boxf box = GD_bb(graph_);
        layout.width = box.UR.x - box.LL.x;
        layout.height = box.UR.y - box.LL.y;
        for (Agnode_t* const node : nodes_) layout.centres.push_back(point(ND_coord(node)));
        for (std::size_t e = 0; e < edges_.size(); ++e) layout.curves.push_back(edges_[e] ? curve(e) : GraphCurve());
        return layout;
    }

    GraphCurve curve(std::size_t edge) const
    {
        GraphCurve curve;
        if (const splines* const found = ED_spl(edges_[edge])) {
            const bezier& first = found->list[0];
            for (std::size_t i = 0; i < static_cast<std::size_t>(first.size); ++i) curve.points.push_back(point(first.list[i]));
        }
        const auto [from, to] = spec_.edges[edge];
        if (curve.points.size() % 3 == 1) return curve;
        const GraphPoint begin = point(ND_coord(node(from))); // Graphviz found no way: straight from box to box
        const GraphPoint end = point(ND_coord(node(to)));
        return {{begin, begin, end, end}};
    }

    const GraphSpec& spec_;
    Agraph_t* graph_;
    std::vector<Agnode_t*> nodes_;
    std::vector<Agedge_t*> edges_; ///< by edge; null for long ones
};

void transpose(GraphLayout& layout)
{
    for (GraphPoint& centre : layout.centres) std::swap(centre.x, centre.y);
    for (GraphCurve& curve : layout.curves) {
        for (GraphPoint& p : curve.points) std::swap(p.x, p.y);
    }
    std::swap(layout.width, layout.height);
}

} // namespace

Expected<GraphLayout> layOut(const GraphSpec& spec)
{
    if (spec.direction == GraphDirection::right && spec.style == GraphStyle::ranks) { // one direction to think about
        GraphSpec down = spec;
        down.direction = GraphDirection::down;
        for (GraphNode& node : down.nodes) std::swap(node.width, node.height);
        auto layout = layOut(down);
        if (layout) transpose(*layout);
        return layout;
    }
    const bool springs = spec.style == GraphStyle::springs;
    const std::vector<bool> isLong = springs ? std::vector<bool>(spec.edges.size(), false) : findLongEdges(spec);
    const Graphviz graphviz;
    auto layout = DotGraph(spec, isLong).layOut(graphviz);
    if (layout && springs)
        spreadBoxes(spec, *layout);
    else if (layout)
        routeLongEdges(spec, isLong, *layout);
    return layout;
}

void layOut(Channel& channel, std::string_view archivedSpec)
{
    const auto spec = fromArchive<GraphSpec>(archivedSpec);
    if (!spec) return channel.send(failure(Code::noOrder, "the order is damaged"));
    const auto layout = layOut(*spec);
    if (layout)
        channel.send(frame::layout, toArchive(*layout));
    else
        channel.send(layout.error());
}

} // namespace stowage::worker

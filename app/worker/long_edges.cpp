#include "app/worker/long_edges.h"
#include "core/ir/types.h"

#include <algorithm>
#include <cmath>

namespace stowage::worker {
namespace {

/// Longest way to each node (Kahn's order). Where a circle lets no node come next, the first that is left does.
std::vector<int> ranks(const GraphSpec& spec)
{
    const std::size_t count = spec.nodes.size();
    std::vector<int> waitingFor(count, 0);
    std::vector<std::vector<std::int32_t>> successors(count);
    for (const GraphEdge& edge : spec.edges) {
        if (edge.from == edge.to) continue;
        successors[at(edge.from)].push_back(edge.to);
        ++waitingFor[at(edge.to)];
    }
    std::vector<int> rank(count, 0);
    std::vector<bool> done(count, false);
    std::vector<std::size_t> ready;
    for (std::size_t node = count; node-- > 0;) {
        if (waitingFor[node] == 0) ready.push_back(node);
    }
    for (std::size_t next = 0;;) {
        if (ready.empty()) {
            while (next < count && done[next]) ++next;
            if (next == count) return rank;
            ready.push_back(next);
        }
        const std::size_t node = ready.back();
        ready.pop_back();
        if (done[node]) continue;
        done[node] = true;
        for (const std::int32_t to : successors[node]) {
            if (done[at(to)]) continue;
            rank[at(to)] = std::max(rank[at(to)], rank[node] + 1);
            if (--waitingFor[at(to)] == 0) ready.push_back(at(to));
        }
    }
}

/// Builds a curve from straight and bent pieces.
class Pen {
public:
    explicit Pen(GraphPoint start) { curve_.points.push_back(start); }

    void bend(GraphPoint first, GraphPoint second, GraphPoint end)
    {
        curve_.points.insert(curve_.points.end(), {first, second, end});
    }
    void line(GraphPoint end)
    {
        const GraphPoint start = curve_.points.back();
        bend({start.x + (end.x - start.x) / 3, start.y + (end.y - start.y) / 3},
             {start.x + 2 * (end.x - start.x) / 3, start.y + 2 * (end.y - start.y) / 3}, end);
    }
    /// A quarter of a turn whose tangents meet in `corner`.
    void turn(GraphPoint corner, GraphPoint end) { bend(corner, corner, end); }
    GraphCurve take() { return std::move(curve_); }

private:
    GraphCurve curve_;
};

/// Where a long edge runs beside the graph.
struct Lane {
    std::size_t edge = 0;
    double begin = 0; ///< y at which it comes out of the gap between ranks
    double end = 0;   ///< y at which it goes into another one
    std::size_t number = 0;

    [[nodiscard]] double top() const { return std::min(begin, end); }
    [[nodiscard]] double bottom() const { return std::max(begin, end); }
};

/// First free lane for each, from the top down.
std::size_t assignLanes(std::vector<Lane>& lanes, double gap)
{
    std::sort(lanes.begin(), lanes.end(),
              [](const Lane& a, const Lane& b) { return a.top() != b.top() ? a.top() < b.top() : a.edge < b.edge; });
    std::vector<double> freeFrom;
    for (Lane& lane : lanes) {
        const auto found = std::find_if(freeFrom.begin(), freeFrom.end(), [&](double y) { return y <= lane.top(); });
        lane.number = static_cast<std::size_t>(found - freeFrom.begin());
        if (found == freeFrom.end()) freeFrom.push_back(0);
        freeFrom[lane.number] = lane.bottom() + gap;
    }
    return freeFrom.size();
}

/// Makes room above and below for curves that go around the first or the last rank.
void fitHeight(GraphLayout& layout, const std::vector<Lane>& lanes)
{
    double top = 0;
    double bottom = layout.height;
    for (const Lane& lane : lanes) {
        top = std::min(top, lane.top());
        bottom = std::max(bottom, lane.bottom());
    }
    layout.height = bottom - top;
    if (top == 0) return;
    for (GraphPoint& centre : layout.centres) centre.y -= top;
    for (GraphCurve& curve : layout.curves) {
        for (GraphPoint& point : curve.points) point.y -= top;
    }
}

} // namespace

std::vector<bool> findLongEdges(const GraphSpec& spec)
{
    const std::vector<int> rank = ranks(spec);
    std::vector<bool> isLong;
    isLong.reserve(spec.edges.size());
    for (const GraphEdge& edge : spec.edges) isLong.push_back(std::abs(rank[at(edge.to)] - rank[at(edge.from)]) > maxSpan);
    return isLong;
}

void routeLongEdges(const GraphSpec& spec, const std::vector<bool>& isLong, GraphLayout& layout)
{
    const double gap = spec.rankGap / 2; // the middle between two ranks
    const double laneGap = std::max(4.0, spec.nodeGap / 2);
    std::vector<Lane> lanes;
    for (std::size_t e = 0; e < spec.edges.size(); ++e) {
        if (!isLong[e]) continue;
        const auto [from, to] = spec.edges[e];
        lanes.push_back({e, layout.centres[at(from)].y + spec.nodes[at(from)].height / 2 + gap,
                         layout.centres[at(to)].y - spec.nodes[at(to)].height / 2 - gap, 0});
    }
    if (lanes.empty()) return;
    const double firstLane = layout.width + laneGap;
    const std::size_t count = assignLanes(lanes, laneGap);

    for (const Lane& lane : lanes) {
        const auto [from, to] = spec.edges[lane.edge];
        const double xFrom = layout.centres[at(from)].x;
        const double xTo = layout.centres[at(to)].x;
        const double x = firstLane + static_cast<double>(lane.number) * laneGap;
        const double down = lane.end >= lane.begin ? 1 : -1;
        const double r = std::min({gap, laneGap, std::abs(lane.end - lane.begin) / 2});
        Pen pen({xFrom, lane.begin - gap});
        pen.turn({xFrom, lane.begin}, {xFrom + r, lane.begin});
        pen.line({x - r, lane.begin});
        pen.turn({x, lane.begin}, {x, lane.begin + down * r});
        pen.line({x, lane.end - down * r});
        pen.turn({x, lane.end}, {x - r, lane.end});
        pen.line({xTo + r, lane.end});
        pen.turn({xTo, lane.end}, {xTo, lane.end + gap});
        layout.curves[lane.edge] = pen.take();
    }
    layout.width = firstLane + static_cast<double>(count) * laneGap;
    fitHeight(layout, lanes);
}

} // namespace stowage::worker

#include "app/canvas/pictures/graph/graph_fold.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace stowage {

namespace {

constexpr double gap = 56; ///< between two columns
constexpr double lane = 5; ///< between two edges in it
constexpr int lanes = 7;
constexpr double margin = lane * lanes + 6; ///< above and below a column
constexpr int maxColumns = 40;
constexpr int piecesOfCurve = 10;
constexpr double muchLarger = 1.25; ///< for which a layout is changed
constexpr double gapOfPieces = 24;
constexpr double heightStep = 1.08; ///< from one height of columns that is tried to the next

void transpose(GraphLayout& layout)
{
    for (GraphPoint& centre : layout.centres) std::swap(centre.x, centre.y);
    for (GraphCurve& curve : layout.curves)
        for (GraphPoint& point : curve.points) std::swap(point.x, point.y);
    std::swap(layout.width, layout.height);
}

/// Heights at which no box lies: between two ranks, at the middle.
std::vector<double> breaks(const GraphSpec& spec, const GraphLayout& layout)
{
    std::vector<std::pair<double, double>> boxes;
    for (std::size_t i = 0; i < spec.nodes.size(); ++i)
        boxes.emplace_back(layout.centres[i].y - spec.nodes[i].height / 2, layout.centres[i].y + spec.nodes[i].height / 2);
    std::sort(boxes.begin(), boxes.end());
    std::vector<double> found;
    double end = boxes.empty() ? 0 : boxes.front().second;
    for (const auto& [low, high] : boxes) {
        if (low > end) found.push_back((low + end) / 2);
        end = std::max(end, high);
    }
    return found;
}

/// How large a layout is shown, in any unit.
double scaleOf(double width, double height, double aspect)
{
    return std::min(aspect / width, 1 / height);
}

/// Likewise in `columns` columns.
double scaleOf(const GraphLayout& layout, int columns, double aspect)
{
    const double width = layout.width * columns + gap * (columns - 1);
    const double height = layout.height / columns + (columns > 1 ? 2 * margin : 0);
    return scaleOf(width, height, aspect);
}

GraphPoint cubic(const GraphPoint& a, const GraphPoint& b, const GraphPoint& c, const GraphPoint& d, double t)
{
    const double s = 1 - t, w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t, w3 = t * t * t;
    return {w0 * a.x + w1 * b.x + w2 * c.x + w3 * d.x, w0 * a.y + w1 * b.y + w2 * c.y + w3 * d.y};
}

/// A chain of straight cubic pieces.
class Chain {
public:
    void to(const GraphPoint& end)
    {
        if (points_.empty()) {
            points_.push_back(end);
            return;
        }
        const GraphPoint start = points_.back();
        points_.push_back({start.x + (end.x - start.x) / 3, start.y + (end.y - start.y) / 3});
        points_.push_back({start.x + 2 * (end.x - start.x) / 3, start.y + 2 * (end.y - start.y) / 3});
        points_.push_back(end);
    }
    GraphCurve take() { return {std::move(points_)}; }

private:
    std::vector<GraphPoint> points_;
};

/// Where things are after the breaks.
struct Columns {
    std::vector<double> cuts; ///< where each column begins in the old layout, and where the last one ends
    double pitch = 0;         ///< from one to the next
    double height = 0;        ///< of the highest, with margins

    [[nodiscard]] std::size_t of(double y) const
    {
        const auto next = std::upper_bound(cuts.begin() + 1, cuts.end() - 1, y);
        return static_cast<std::size_t>(next - cuts.begin()) - 1;
    }
    [[nodiscard]] GraphPoint moved(const GraphPoint& p, std::size_t column) const
    {
        return {p.x + static_cast<double>(column) * pitch, p.y - cuts[column] + margin};
    }
};

GraphCurve broken(const GraphCurve& curve, const Columns& columns, int& nextLane)
{
    const auto& points = curve.points;
    if (points.size() < 4) return curve;
    double low = points.front().y, high = low;
    for (const GraphPoint& point : points) low = std::min(low, point.y), high = std::max(high, point.y);
    if (const std::size_t column = columns.of(low); column == columns.of(high)) {
        GraphCurve moved;
        for (const GraphPoint& point : points) moved.points.push_back(columns.moved(point, column));
        return moved;
    }
    const double side = gap / 2 + (nextLane - lanes / 2) * lane; ///< of the gap, from the column on its left
    const double out = margin - 4 - nextLane * lane;             ///< beyond the end of a column
    nextLane = (nextLane + 1) % lanes;
    Chain chain;
    GraphPoint before = points.front();
    std::size_t column = columns.of(before.y);
    chain.to(columns.moved(before, column));
    const auto visit = [&](const GraphPoint& point) {
        const std::size_t next = columns.of(point.y);
        while (column != next) { // through the gap, one column at a time
            const bool on = next > column;
            const double cut = columns.cuts[on ? column + 1 : column];
            const double share = point.y != before.y ? std::clamp((cut - before.y) / (point.y - before.y), 0.0, 1.0) : 0.0;
            const GraphPoint crossing{before.x + (point.x - before.x) * share, cut};
            const std::size_t other = on ? column + 1 : column - 1;
            const GraphPoint here = columns.moved(crossing, column), there = columns.moved(crossing, other);
            const double bend = static_cast<double>(std::min(column, other)) * columns.pitch + (columns.pitch - gap) + side;
            const double leave = on ? here.y + out : here.y - out, enter = on ? there.y - out : there.y + out;
            chain.to(here);
            chain.to({here.x, leave});
            chain.to({bend, leave});
            chain.to({bend, enter});
            chain.to({there.x, enter});
            chain.to(there);
            column = other;
        }
        chain.to(columns.moved(point, column));
        before = point;
    };
    for (std::size_t at = 1; at + 2 < points.size(); at += 3)
        for (int piece = 1; piece <= piecesOfCurve; ++piece)
            visit(cubic(points[at - 1], points[at], points[at + 1], points[at + 2], static_cast<double>(piece) / piecesOfCurve));
    return chain.take();
}

/// Nodes that edges join, whatever their direction, and the box around them and their edges.
struct Component {
    double left = 1e12, top = 1e12, right = -1e12, bottom = -1e12;
    double dx = 0, dy = 0; ///< by which it moves

    void cover(const GraphPoint& point, double aside = 0, double above = 0)
    {
        left = std::min(left, point.x - aside), right = std::max(right, point.x + aside);
        top = std::min(top, point.y - above), bottom = std::max(bottom, point.y + above);
    }
    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double height() const { return bottom - top; }
};

/// The pieces of a graph, which Graphviz sets side by side, below each other in columns, such that it is shown as large as can
/// be: the highest first, equal ones in the order of their nodes. Of a graph in one piece the layout comes back.
GraphLayout inPieces(const GraphSpec& spec, const GraphLayout& layout, double aspect)
{
    std::vector<std::size_t> joined(spec.nodes.size());
    std::iota(joined.begin(), joined.end(), std::size_t(0));
    const auto first = [&](std::size_t node) {
        while (joined[node] != node) node = joined[node] = joined[joined[node]];
        return node;
    };
    for (const GraphEdge& edge : spec.edges) {
        const std::size_t from = first(std::size_t(edge.from)), to = first(std::size_t(edge.to));
        joined[std::max(from, to)] = std::min(from, to);
    }
    std::map<std::size_t, Component> pieces; // by first node
    for (std::size_t i = 0; i < spec.nodes.size(); ++i)
        pieces[first(i)].cover(layout.centres[i], spec.nodes[i].width / 2, spec.nodes[i].height / 2);
    if (pieces.size() < 2) return layout;
    for (std::size_t e = 0; e < spec.edges.size(); ++e)
        for (const GraphPoint& point : layout.curves[e].points) pieces[first(std::size_t(spec.edges[e].from))].cover(point);
    std::vector<Component*> order;
    double sum = 0;
    for (auto& [node, piece] : pieces) {
        order.push_back(&piece);
        sum += piece.height() + gapOfPieces;
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Component* a, const Component* b) { return a->height() > b->height(); });
    /// Fills columns up to the height `most`; returns the size of all.
    const auto pack = [&](double most) {
        double x = 0, y = 0, wide = 0, high = 0;
        for (Component* piece : order) {
            if (y > 0 && y + piece->height() > most) {
                x += wide + gapOfPieces;
                y = wide = 0;
            }
            piece->dx = x - piece->left;
            piece->dy = y - piece->top;
            wide = std::max(wide, piece->width());
            high = std::max(high, y + piece->height());
            y += piece->height() + gapOfPieces;
        }
        return std::pair(x + wide, high);
    };
    double best = order.front()->height(), largest = 0;
    for (double most = best; most < sum * heightStep; most *= heightStep)
        if (const auto [wide, high] = pack(most); scaleOf(wide, high, aspect) > largest)
            best = most, largest = scaleOf(wide, high, aspect);
    GraphLayout packed = layout;
    std::tie(packed.width, packed.height) = pack(best);
    const auto move = [](GraphPoint& point, const Component& piece) { point.x += piece.dx, point.y += piece.dy; };
    for (std::size_t i = 0; i < spec.nodes.size(); ++i) move(packed.centres[i], pieces[first(i)]);
    for (std::size_t e = 0; e < spec.edges.size(); ++e)
        for (GraphPoint& point : packed.curves[e].points) move(point, pieces[first(std::size_t(spec.edges[e].from))]);
    return packed;
}

/// Broken into columns; as it is where that makes it not much larger.
GraphLayout inColumns(const GraphSpec& spec, const GraphLayout& layout, double aspect)
{
    int best = 1;
    for (int columns = 2; columns <= maxColumns; ++columns)
        if (scaleOf(layout, columns, aspect) > scaleOf(layout, best, aspect) * 1.02) best = columns;
    if (scaleOf(layout, best, aspect) < scaleOf(layout, 1, aspect) * muchLarger) return layout;

    const std::vector<double> free = breaks(spec, layout);
    Columns columns;
    columns.cuts = {0};
    columns.pitch = layout.width + gap;
    for (int column = 1; column < best; ++column) {
        const double wanted = layout.height * column / best;
        const auto after = std::lower_bound(free.begin(), free.end(), wanted);
        double nearest = -1;
        for (auto at : {after, after == free.begin() ? after : std::prev(after)})
            if (at != free.end() && *at > columns.cuts.back() &&
                (nearest < 0 || std::abs(*at - wanted) < std::abs(nearest - wanted)))
                nearest = *at;
        if (nearest > 0) columns.cuts.push_back(nearest);
    }
    columns.cuts.push_back(layout.height);
    if (columns.cuts.size() < 3) return layout;
    for (std::size_t i = 1; i < columns.cuts.size(); ++i)
        columns.height = std::max(columns.height, columns.cuts[i] - columns.cuts[i - 1] + 2 * margin);

    GraphLayout folded;
    for (const GraphPoint& centre : layout.centres) folded.centres.push_back(columns.moved(centre, columns.of(centre.y)));
    int nextLane = 0;
    for (const GraphCurve& curve : layout.curves) folded.curves.push_back(broken(curve, columns, nextLane));
    folded.width = columns.pitch * static_cast<double>(columns.cuts.size() - 1) - gap;
    folded.height = columns.height;
    return folded;
}

} // namespace

GraphLayout foldGraph(const GraphSpec& spec, const GraphLayout& layout, double aspect)
{
    if (spec.style == GraphStyle::springs || layout.width <= 0 || layout.height <= 0 || !(aspect > 0) ||
        layout.centres.size() != spec.nodes.size())
        return layout;
    if (spec.direction == GraphDirection::right) { // one direction to think about
        GraphSpec down = spec;
        down.direction = GraphDirection::down;
        for (GraphNode& node : down.nodes) std::swap(node.width, node.height);
        GraphLayout turned = layout;
        transpose(turned);
        turned = foldGraph(down, turned, 1 / aspect);
        transpose(turned);
        return turned;
    }
    const GraphLayout columns = inColumns(spec, layout, aspect);
    GraphLayout pieces = inPieces(spec, layout, aspect);
    const bool larger =
        scaleOf(pieces.width, pieces.height, aspect) > muchLarger * scaleOf(columns.width, columns.height, aspect);
    return larger ? pieces : columns;
}

} // namespace stowage

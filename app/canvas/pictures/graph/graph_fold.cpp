#include "app/canvas/pictures/graph/graph_fold.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace stowage {

namespace {

constexpr double minGap = 56;      ///< between two columns
constexpr double usualMargin = 41; ///< above and below a column, before its edges are known
constexpr double sideOfLanes = 14; ///< from a column to the first edge that passes it, and from the last one to the next column
constexpr double widestLane = 14, highestLane = 8;    ///< from one such edge to the next, beside a column and above or below it
constexpr double laneShare = 0.5, marginShare = 0.06; ///< of a column's width and height that edges may take, at the most
constexpr std::size_t maxLanes = 48;                  ///< beyond it, neighbours share one
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
    const double width = layout.width * columns + minGap * (columns - 1);
    const double height = layout.height / columns + (columns > 1 ? 2 * usualMargin : 0);
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

/// Edges of one node that pass from a column to its neighbour go together.
struct Passage {
    std::int32_t from = 0; ///< the node
    bool on = true;        ///< to the next column; else back
    friend auto operator<=>(const Passage&, const Passage&) = default;
};

/// The gap after a column. Its lanes are nested, so that edges from one column to the next cross no other there: of those that
/// leave the column further right, the lane is further left and turns nearer to the column's end.
struct Gap {
    std::map<Passage, double> passages;   ///< where they leave the column, the furthest to the right of each
    std::map<Passage, std::size_t> lanes; ///< from the left
    std::size_t count = 0;                ///< of lanes
    double width = minGap, pitch = 0;

    void assign(double columnWidth)
    {
        std::vector<std::pair<double, Passage>> order;
        for (const auto& [passage, x] : passages) order.emplace_back(-x, passage);
        std::sort(order.begin(), order.end());
        count = std::min(order.size(), maxLanes);
        for (std::size_t i = 0; i < order.size(); ++i) lanes[order[i].second] = i * count / order.size();
        const double room = std::max(minGap, columnWidth * laneShare) - 2 * sideOfLanes;
        pitch = count == 0 ? 0 : std::min(widestLane, room / static_cast<double>(count));
        width = std::max(minGap, 2 * sideOfLanes + pitch * static_cast<double>(count));
    }
    /// From the column.
    [[nodiscard]] double across(std::size_t lane) const
    {
        return width / 2 + pitch * (static_cast<double>(lane) + 0.5 - static_cast<double>(count) / 2);
    }
};

/// Where things are after the breaks.
struct Columns {
    std::vector<double> cuts; ///< where each column begins in the old layout, and where the last one ends
    std::vector<double> lefts;
    std::vector<Gap> gaps;
    double columnWidth = 0, margin = 0, laneHeight = 0;

    [[nodiscard]] std::size_t of(double y) const
    {
        const auto next = std::upper_bound(cuts.begin() + 1, cuts.end() - 1, y);
        return static_cast<std::size_t>(next - cuts.begin()) - 1;
    }
    [[nodiscard]] GraphPoint moved(const GraphPoint& p, std::size_t column) const
    {
        return {p.x + lefts[column], p.y - cuts[column] + margin};
    }

    /// Gives every edge its lanes, and the columns their places.
    void arrange(const GraphSpec& spec, const GraphLayout& layout);
};

/// Goes along a curve: `inside` gets its points with their column, `cross` the places where it passes from one column to its
/// neighbour. False for a curve inside one column, of which nothing is visited.
template <typename Inside, typename Cross>
bool walk(const GraphCurve& curve, const Columns& columns, const Inside& inside, const Cross& cross)
{
    const auto& points = curve.points;
    if (points.size() < 4) return false;
    double low = points.front().y, high = low;
    for (const GraphPoint& point : points) low = std::min(low, point.y), high = std::max(high, point.y);
    if (columns.of(low) == columns.of(high)) return false;
    GraphPoint before = points.front();
    std::size_t column = columns.of(before.y);
    inside(before, column);
    const auto visit = [&](const GraphPoint& point) {
        const std::size_t next = columns.of(point.y);
        while (column != next) { // one column at a time
            const bool on = next > column;
            const double cut = columns.cuts[on ? column + 1 : column];
            const double share = point.y != before.y ? std::clamp((cut - before.y) / (point.y - before.y), 0.0, 1.0) : 0.0;
            const std::size_t other = on ? column + 1 : column - 1;
            cross(GraphPoint{before.x + (point.x - before.x) * share, cut}, column, other);
            column = other;
        }
        inside(point, column);
        before = point;
    };
    for (std::size_t at = 1; at + 2 < points.size(); at += 3)
        for (int piece = 1; piece <= piecesOfCurve; ++piece)
            visit(cubic(points[at - 1], points[at], points[at + 1], points[at + 2], static_cast<double>(piece) / piecesOfCurve));
    return true;
}

void Columns::arrange(const GraphSpec& spec, const GraphLayout& layout)
{
    columnWidth = layout.width;
    gaps.assign(cuts.size() - 2, {});
    for (std::size_t e = 0; e < layout.curves.size(); ++e)
        walk(
            layout.curves[e], *this, [](const GraphPoint&, std::size_t) {},
            [&](const GraphPoint& crossing, std::size_t column, std::size_t other) {
                Gap& gap = gaps[std::min(column, other)];
                const auto [place, added] = gap.passages.emplace(Passage{spec.edges[e].from, other > column}, crossing.x);
                if (!added) place->second = std::max(place->second, crossing.x);
            });
    lefts = {0};
    std::size_t most = 1;
    for (Gap& gap : gaps) {
        gap.assign(columnWidth);
        most = std::max(most, gap.count);
        lefts.push_back(lefts.back() + columnWidth + gap.width);
    }
    double highest = 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) highest = std::max(highest, cuts[i] - cuts[i - 1]);
    const double nearest = usualMargin - 35;
    laneHeight = std::min(highestLane, std::max(35.0, highest * marginShare) / static_cast<double>(most));
    margin = nearest + laneHeight * static_cast<double>(most);
}

GraphCurve broken(const GraphCurve& curve, const Columns& columns, std::int32_t from)
{
    Chain chain;
    const bool passes = walk(
        curve, columns, [&](const GraphPoint& point, std::size_t column) { chain.to(columns.moved(point, column)); },
        [&](const GraphPoint& crossing, std::size_t column, std::size_t other) {
            const bool on = other > column;
            const std::size_t before = std::min(column, other);
            const Gap& gap = columns.gaps[before];
            const std::size_t lane = gap.lanes.at({from, on});
            const GraphPoint here = columns.moved(crossing, column), there = columns.moved(crossing, other);
            const double bend = columns.lefts[before] + columns.columnWidth + gap.across(lane);
            const auto away = [&](std::size_t lanes) { return 4 + columns.laneHeight * (static_cast<double>(lanes) + 0.5); };
            const double below = away(lane), above = away(gap.count - 1 - lane);
            const double leave = on ? here.y + below : here.y - above, enter = on ? there.y - above : there.y + below;
            chain.to(here);
            chain.to({here.x, leave});
            chain.to({bend, leave});
            chain.to({bend, enter});
            chain.to({there.x, enter});
            chain.to(there);
        });
    if (passes) return chain.take();
    if (curve.points.size() < 4) return curve;
    const std::size_t column = columns.of(curve.points.front().y);
    GraphCurve moved;
    for (const GraphPoint& point : curve.points) moved.points.push_back(columns.moved(point, column));
    return moved;
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
    columns.arrange(spec, layout);

    GraphLayout folded;
    for (const GraphPoint& centre : layout.centres) folded.centres.push_back(columns.moved(centre, columns.of(centre.y)));
    for (std::size_t e = 0; e < layout.curves.size(); ++e)
        folded.curves.push_back(broken(layout.curves[e], columns, spec.edges[e].from));
    folded.width = columns.lefts.back() + columns.columnWidth;
    for (std::size_t i = 1; i < columns.cuts.size(); ++i)
        folded.height = std::max(folded.height, columns.cuts[i] - columns.cuts[i - 1] + 2 * columns.margin);
    const bool larger = scaleOf(folded.width, folded.height, aspect) > scaleOf(layout.width, layout.height, aspect) * muchLarger;
    return larger ? folded : layout;
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

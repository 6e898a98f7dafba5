#include "app/worker/springs.h"

#include <algorithm>
#include <cmath>

namespace stowage::worker {
namespace {

constexpr int rounds = 120;
constexpr int maxRounds = 100 * rounds; ///< far more than ever needed: each hundred and twenty make more room
constexpr double aspect = 1.7;          ///< of the picture, as screens are
constexpr double airiness = 3;          ///< area of the picture for each of a box with the gap round it

/// By the principal axis of the points, and to a size that fills the picture evenly: neighbours stay neighbours, and long worms
/// get fat.
void layAcross(const GraphSpec& spec, std::vector<GraphPoint>& points)
{
    double x = 0, y = 0;
    for (const GraphPoint& p : points) x += p.x, y += p.y;
    const auto count = static_cast<double>(points.size());
    x /= count, y /= count;
    double xx = 0, xy = 0, yy = 0;
    for (const GraphPoint& p : points) xx += (p.x - x) * (p.x - x), xy += (p.x - x) * (p.y - y), yy += (p.y - y) * (p.y - y);
    const double angle = 0.5 * std::atan2(2 * xy, xx - yy), c = std::cos(angle), s = std::sin(angle);
    for (GraphPoint& p : points) p = {c * (p.x - x) + s * (p.y - y), c * (p.y - y) - s * (p.x - x)};
    double area = 0;
    for (const GraphNode& node : spec.nodes) area += airiness * (node.width + spec.nodeGap) * (node.height + spec.nodeGap);
    const auto extent = [&](double GraphPoint::*side) {
        const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                                     [&](const GraphPoint& a, const GraphPoint& b) { return a.*side < b.*side; });
        return std::max((*high).*side - (*low).*side, 1.0);
    };
    const double width = std::sqrt(area * aspect), acrossBy = std::clamp(width / extent(&GraphPoint::x), 0.3, 8.0);
    const double downBy = std::clamp(width / aspect / extent(&GraphPoint::y), 0.3, 4.0);
    for (GraphPoint& p : points) p = {p.x * acrossBy, p.y * downBy};
    // What comes first lies left, as time does.
    if (points.front().x > points.back().x)
        for (GraphPoint& p : points) p.x = -p.x;
}

/// One round; false when nothing was too close.
bool pushApart(const GraphSpec& spec, std::vector<GraphPoint>& points)
{
    bool moved = false;
    for (std::size_t a = 0; a < points.size(); ++a) {
        for (std::size_t b = a + 1; b < points.size(); ++b) {
            const double dx = points[b].x - points[a].x, dy = points[b].y - points[a].y;
            const double needX = (spec.nodes[a].width + spec.nodes[b].width) / 2 + spec.nodeGap - std::abs(dx);
            const double needY = (spec.nodes[a].height + spec.nodes[b].height) / 2 + spec.nodeGap - std::abs(dy);
            if (needX <= 0.01 || needY <= 0.01) continue;
            moved = true;
            if (needX < needY) {
                const double by = (dx >= 0 ? needX : -needX) / 2;
                points[a].x -= by, points[b].x += by;
            } else {
                const double by = (dy >= 0 ? needY : -needY) / 2;
                points[a].y -= by, points[b].y += by;
            }
        }
    }
    return moved;
}

} // namespace

void spreadBoxes(const GraphSpec& spec, GraphLayout& layout)
{
    std::vector<GraphPoint>& points = layout.centres;
    if (points.empty()) return;
    if (points.size() > 1) layAcross(spec, points);
    // Where pushing comes to no end, there is more room after a while.
    for (int round = 1; round < maxRounds && pushApart(spec, points); ++round)
        if (round % rounds == 0)
            for (GraphPoint& p : points) p = {p.x * 1.15, p.y * 1.15};
    double left = 1e300, top = 1e300, right = -1e300, bottom = -1e300;
    for (std::size_t i = 0; i < points.size(); ++i) {
        left = std::min(left, points[i].x - spec.nodes[i].width / 2);
        right = std::max(right, points[i].x + spec.nodes[i].width / 2);
        top = std::min(top, points[i].y - spec.nodes[i].height / 2);
        bottom = std::max(bottom, points[i].y + spec.nodes[i].height / 2);
    }
    for (GraphPoint& p : points) p = {p.x - left, p.y - top};
    layout.width = right - left;
    layout.height = bottom - top;
    layout.curves.clear();
    for (const GraphEdge& edge : spec.edges) {
        const GraphPoint from = points[static_cast<std::size_t>(edge.from)], to = points[static_cast<std::size_t>(edge.to)];
        layout.curves.push_back({{from, from, to, to}});
    }
}

} // namespace stowage::worker

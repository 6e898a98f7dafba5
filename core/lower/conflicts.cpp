#include "core/lower/conflicts.h"

#include "core/lower/live_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace stowage::lowering {

namespace {

constexpr std::size_t maxPairs = std::size_t{1} << 25;

/// A segment of a storage, with a bit for each point that comes after all of it.
struct Segment {
    const std::vector<Point>* points = nullptr;
    std::vector<std::uint64_t> after;

    [[nodiscard]] bool comesAfter(Point point) const
    {
        return (after[static_cast<std::size_t>(point) / 64] >> (static_cast<unsigned>(point) % 64) & 1U) != 0;
    }
};

struct Node {
    BufferId buffer = none;
    bool kept = false;
    std::vector<Interval> live; ///< in listed order
    std::vector<Segment> segments;
};

/// Both ascending and disjoint. O(a + b).
bool overlap(const std::vector<Interval>& a, const std::vector<Interval>& b)
{
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i].overlaps(b[j])) return true;
        if (a[i].end < b[j].end)
            ++i;
        else
            ++j;
    }
    return false;
}

class ConflictFinder {
public:
    ConflictFinder(const PartialOrder& order, const Storages& storages, const std::vector<BufferId>& bufferOf,
                   const Problem& problem)
        : order_(order)
    {
        for (std::size_t s = 0; s < storages.all.size(); ++s) {
            if (bufferOf[s] == none) continue;
            Node& node = nodes_.emplace_back();
            node.buffer = bufferOf[s];
            node.live = storages.all[s].live;
            for (const Early& early : storages.all[s].early)
                node.live = unite(node.live, {&early.live, 1}); // early ranges of carried values count in addition
            const BufferKind kind = problem.buffers[static_cast<std::size_t>(node.buffer)].kind;
            node.kept = kind == BufferKind::constant || kind == BufferKind::variable;
            for (const std::vector<Point>& points : storages.all[s].segments) {
                Segment& segment = node.segments.emplace_back();
                segment.points = &points;
                const std::span<const std::uint64_t> all = order.after(points.front());
                segment.after.assign(all.begin(), all.end());
                for (const Point point : points)
                    for (std::size_t w = 0; w < segment.after.size(); ++w) segment.after[w] &= order.after(point)[w];
            }
        }
    }

    /// False when there are too many.
    bool run(Problem& problem) const
    {
        std::size_t pairs = 0;
        for (std::size_t a = 0; a < nodes_.size(); ++a)
            for (std::size_t b = a + 1; b < nodes_.size(); ++b) {
                if (nodes_[a].buffer == nodes_[b].buffer || !conflict(nodes_[a], nodes_[b])) continue;
                if (++pairs > maxPairs) return false;
                problem.buffers[static_cast<std::size_t>(nodes_[a].buffer)].conflicts.push_back(nodes_[b].buffer);
                problem.buffers[static_cast<std::size_t>(nodes_[b].buffer)].conflicts.push_back(nodes_[a].buffer);
            }
        for (Buffer& buffer : problem.buffers) {
            std::sort(buffer.conflicts.begin(), buffer.conflicts.end());
            buffer.conflicts.erase(std::unique(buffer.conflicts.begin(), buffer.conflicts.end()), buffer.conflicts.end());
        }
        return true;
    }

private:
    bool conflict(const Node& a, const Node& b) const
    {
        // Steps are coarser than points: a copy at the end of a region belongs to the step of the op before it.
        if (a.kept || b.kept || overlap(a.live, b.live)) return true;
        return std::any_of(a.segments.begin(), a.segments.end(), [&](const Segment& x) {
            return std::any_of(b.segments.begin(), b.segments.end(), [&](const Segment& y) { return meet(x, y); });
        });
    }

    /// False when on every path and in every order one of the two ends before the other begins. At most O(points of x * points of
    /// y).
    bool meet(const Segment& x, const Segment& y) const
    {
        const auto follows = [](const Segment& first, const Segment& second) {
            return std::all_of(second.points->begin(), second.points->end(),
                               [&](Point point) { return first.comesAfter(point); });
        };
        if (follows(x, y) || follows(y, x)) return false;
        if (order_.inSeparateOps(x.points->front(), x.points->back(), y.points->front(), y.points->back())) return false;
        const auto apart = [&](const Segment& first, const Segment& second) {
            return std::all_of(first.points->begin(), first.points->end(), [&](Point p) {
                return std::all_of(second.points->begin(), second.points->end(),
                                   [&](Point q) { return order_.before(p, q) || order_.exclusive(p, q); });
            });
        };
        return !apart(x, y) && !apart(y, x);
    }

    const PartialOrder& order_;
    std::vector<Node> nodes_;
};

} // namespace

std::optional<Error> addConflicts(const PartialOrder& order, const Storages& storages, const std::vector<BufferId>& bufferOf,
                                  Problem& problem)
{
    if (ConflictFinder(order, storages, bufferOf, problem).run(problem)) return std::nullopt;
    return failure(Code::tooLarge, fmt::format("more than {} pairs of buffers conflict without an order", maxPairs), {},
                   "use --lower order=linear (in the window: Program, order)");
}

} // namespace stowage::lowering

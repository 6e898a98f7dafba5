#include "core/plan/allocation_graph.h"

#include "core/plan/offsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace stowage {

namespace {

/// The current holder of each byte of a pool.
class Holders {
public:
    explicit Holders(Bytes size)
    {
        if (size > 0) held_[0] = {size, allocationSource};
    }

    /// Makes `to` the holder of [low, high). Calls handed(from, low, high) for each range of bytes with one previous holder.
    template <typename Handed>
    void give(BufferId to, Bytes low, Bytes high, Handed handed)
    {
        cut(low);
        cut(high);
        auto held = held_.lower_bound(low);
        while (held != held_.end() && held->first < high) {
            if (held->second.holder != to) handed(held->second.holder, held->first, held->second.end);
            held = held_.erase(held);
        }
        held_[low] = {high, to};
    }

    template <typename Visit>
    void forEach(Visit visit) const
    {
        for (const auto& [low, held] : held_) visit(held.holder, low, held.end);
    }

private:
    struct Held {
        Bytes end = 0;
        BufferId holder = allocationSource;
    };

    void cut(Bytes where)
    {
        auto held = held_.upper_bound(where);
        if (held == held_.begin()) return;
        --held;
        if (held->first == where || held->second.end <= where) return;
        const Held rest = held->second;
        held->second.end = where;
        held_[where] = rest;
    }

    std::map<Bytes, Held> held_;
};

} // namespace

AllocationGraph allocationGraph(const Problem& problem, const Plan& plan, PoolId pool)
{
    AllocationGraph graph;
    graph.pool = pool;
    graph.size = plan.poolSize(problem, pool);
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        if (plan.placements[b].pool == pool && problem.buffers[b].size > 0) graph.buffers.push_back(static_cast<BufferId>(b));
    std::sort(graph.buffers.begin(), graph.buffers.end(), [&](BufferId a, BufferId b) {
        const auto key = [&](BufferId id) {
            const Interval hull = problem.buffers[at(id)].hull();
            return std::tuple(hull.begin, hull.end, id);
        };
        return key(a) < key(b);
    });
    std::vector<std::int64_t> rank(problem.buffers.size(), 0);
    for (std::size_t i = 0; i < graph.buffers.size(); ++i) rank[at(graph.buffers[i])] = static_cast<std::int64_t>(i);

    Holders holders(graph.size);
    for (const BufferId b : graph.buffers) {
        const Placement& placement = plan.placements[at(b)];
        const Bytes size = problem.buffers[at(b)].size;
        const auto take = [&](Bytes offset) {
            if (offset < 0 || offset > graph.size - size) return; // the plan is not valid
            holders.give(b, offset, offset + size, [&](BufferId from, Bytes low, Bytes high) {
                graph.edges.push_back({from, b, low, high - low});
            });
        };
        for (const Bytes offset : offsetsOf(placement)) take(offset);
    }
    holders.forEach([&](BufferId from, Bytes low, Bytes high) {
        graph.edges.push_back({from, allocationSink, low, high - low});
    });

    const auto order = [&](BufferId id) {
        return id == allocationSource ? std::int64_t{-1}
               : id == allocationSink ? static_cast<std::int64_t>(rank.size())
                                      : rank[at(id)];
    };
    std::sort(graph.edges.begin(), graph.edges.end(), [&](const AllocationEdge& a, const AllocationEdge& b) {
        return std::tuple(order(a.from), order(a.to), a.offset) < std::tuple(order(b.from), order(b.to), b.offset);
    });
    std::vector<AllocationEdge> merged;
    for (const AllocationEdge& edge : graph.edges) {
        if (!merged.empty() && merged.back().from == edge.from && merged.back().to == edge.to &&
            merged.back().offset + merged.back().bytes == edge.offset)
            merged.back().bytes += edge.bytes;
        else
            merged.push_back(edge);
    }
    graph.edges = std::move(merged);
    return graph;
}

Expected<std::vector<std::pair<BufferId, BufferId>>> interferingPairs(const Problem& problem, std::size_t maxPairs)
{
    // Pairs with overlapping hulls come from a sweep, pairs in explicit conflict from the lists of conflicts.
    std::vector<BufferId> order(problem.buffers.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) {
        return problem.buffers[at(a)].hull().begin < problem.buffers[at(b)].hull().begin;
    });
    std::vector<std::pair<BufferId, BufferId>> pairs;
    std::vector<BufferId> live;
    for (const BufferId i : order) {
        const Interval hull = problem.buffers[at(i)].hull();
        for (const BufferId other : problem.buffers[at(i)].conflicts)
            if (other > i) pairs.emplace_back(i, other);
        if (!hull.empty()) {
            std::erase_if(live, [&](BufferId other) { return problem.buffers[at(other)].hull().end <= hull.begin; });
            for (const BufferId other : live)
                if (conflict(problem, i, other)) pairs.emplace_back(std::min(i, other), std::max(i, other));
            live.push_back(i);
        }
        if (pairs.size() > 2 * maxPairs) break; // each pair occurs at most twice
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    if (pairs.size() > maxPairs)
        return failure(Code::tooManyEdges, fmt::format("the interference graph has more than {} edges", maxPairs), {},
                       "reduce the problem first, or write it as csv");
    return pairs;
}

} // namespace stowage

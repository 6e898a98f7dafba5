#include "core/plan/clique.h"

#include "core/plan/load.h"

#include <algorithm>
#include <numeric>

namespace stowage {

namespace {

/// Limits for the number of entries of conflict lists examined: relative to the size of the graph, and a minimum.
constexpr std::size_t budgetGraphs = 20;
constexpr std::size_t budgetLeast = 20'000'000;

/// The conflict graph of a set of buffers, by position in the set.
class Graph {
public:
    Graph(const Problem& problem, std::span<const BufferId> ids) : marks_(ids.size())
    {
        std::vector<std::int32_t> position(problem.buffers.size(), -1);
        for (std::size_t i = 0; i < ids.size(); ++i) position[static_cast<std::size_t>(ids[i])] = static_cast<std::int32_t>(i);
        for (const BufferId id : ids) {
            const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
            weights_.push_back(buffer.size * buffer.slots);
            first_.push_back(neighbours_.size());
            if (buffer.size == 0) continue;
            for (const BufferId other : buffer.conflicts)
                if (const std::int32_t at = position[static_cast<std::size_t>(other)];
                    at >= 0 && problem.buffers[static_cast<std::size_t>(other)].size > 0)
                    neighbours_.push_back(at);
        }
        first_.push_back(neighbours_.size());
        for (std::size_t v = 0; v < weights_.size(); ++v) {
            Bytes reach = weights_[v];
            for (std::size_t i = first_[v]; i < first_[v + 1]; ++i) reach += weight(neighbours_[i]);
            reach_.push_back(reach);
        }
        byReach_ = neighbours_;
        order(neighbours_, [&](std::int32_t x, std::int32_t y) { return heavier(x, y); });
        order(byReach_, [&](std::int32_t x, std::int32_t y) { return reach(x) != reach(y) ? reach(x) > reach(y) : x < y; });
    }

    [[nodiscard]] std::size_t edges() const { return neighbours_.size(); }
    [[nodiscard]] std::size_t size() const { return weights_.size(); }
    [[nodiscard]] Bytes weight(std::int32_t v) const { return weights_[static_cast<std::size_t>(v)]; }
    [[nodiscard]] bool heavier(std::int32_t a, std::int32_t b) const
    {
        return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
    }
    /// The weight of a buffer and all its neighbours: an upper bound of the weight of cliques that contain it.
    [[nodiscard]] Bytes reach(std::int32_t v) const { return reach_[static_cast<std::size_t>(v)]; }

    enum class Prefer : std::uint8_t { weight, reach };
    /// A clique: adds the vertices of `wanted`, in order, that conflict with all members so far, then the neighbours of the first
    /// member in the preferred order.
    std::vector<std::int32_t> grow(std::span<const std::int32_t> wanted, Prefer prefer)
    {
        ++round_;
        work_ = 0;
        std::vector<std::int32_t> members;
        const auto consider = [&](std::int32_t v) {
            Mark& mark = marks_[static_cast<std::size_t>(v)];
            if (mark.round != round_) mark = {round_, 0};
            if (mark.adjacent != static_cast<std::int32_t>(members.size()))
                return; // a member is not its own neighbour, so this excludes members, too
            members.push_back(v);
            for (const std::int32_t w : list(neighbours_, v)) {
                Mark& other = marks_[static_cast<std::size_t>(w)];
                if (other.round != round_) other = {round_, 0};
                ++other.adjacent;
            }
            work_ += list(neighbours_, v).size();
        };
        for (const std::int32_t v : wanted) consider(v);
        if (members.empty()) return members;
        const auto further = list(prefer == Prefer::weight ? neighbours_ : byReach_, members.front());
        for (const std::int32_t v : further) consider(v);
        work_ += further.size();
        return members;
    }
    /// Number of entries examined by the last `grow`.
    [[nodiscard]] std::size_t work() const { return work_; }

private:
    struct Mark {
        std::int32_t round = 0;
        std::int32_t adjacent = 0; ///< number of members in conflict with it
    };
    /// Sorts each list of neighbours. Sorts all vertices once, and appends them in that order to the lists of their neighbours,
    /// because conflicts are symmetric.
    template <typename Less>
    void order(std::vector<std::int32_t>& lists, const Less& less) const
    {
        std::vector<std::int32_t> sorted(weights_.size());
        std::iota(sorted.begin(), sorted.end(), 0);
        std::sort(sorted.begin(), sorted.end(), less);
        const std::vector<std::int32_t> before = lists;
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (const std::int32_t v : sorted)
            for (const std::int32_t w : list(before, v))
                if (std::size_t& to = next[static_cast<std::size_t>(w)]; to < first_[static_cast<std::size_t>(w) + 1])
                    lists[to++] = v;
    }

    [[nodiscard]] std::span<const std::int32_t> list(const std::vector<std::int32_t>& of, std::int32_t v) const
    {
        const std::size_t from = first_[static_cast<std::size_t>(v)];
        return std::span(of).subspan(from, first_[static_cast<std::size_t>(v) + 1] - from);
    }

    std::vector<Bytes> weights_, reach_;
    std::vector<std::size_t> first_;
    std::vector<std::int32_t> neighbours_; ///< neighbours of each vertex, the heaviest first
    std::vector<std::int32_t> byReach_;    ///< neighbours of each vertex, the largest reach first
    std::vector<Mark> marks_;
    std::int32_t round_ = 0;
    std::size_t work_ = 0;
};

} // namespace

std::vector<BufferId> heavyClique(const Problem& problem, std::span<const BufferId> ids)
{
    Graph graph(problem, ids);
    if (graph.edges() == 0) return {};

    std::vector<std::int32_t> best;
    Bytes most = -1;
    std::size_t spent = 0;
    const auto attempt = [&](std::span<const std::int32_t> wanted) {
        for (const auto prefer : {Graph::Prefer::weight, Graph::Prefer::reach}) {
            std::vector<std::int32_t> members = graph.grow(wanted, prefer);
            spent += graph.work() + 1;
            Bytes sum = 0;
            for (const std::int32_t v : members) sum += graph.weight(v);
            if (sum <= most) continue;
            most = sum;
            best = std::move(members);
        }
    };

    // The buffers that are live together at the most loaded step of the order shown.
    const std::vector<Load> loads = occupied(problem, ids, none);
    if (const Step step = heaviestStep(loads, false); step >= 0) {
        std::vector<BufferId> live;
        for (const Load& load : loads)
            if (load.live.contains(step)) live.push_back(load.buffer);
        std::sort(live.begin(), live.end());
        std::vector<std::int32_t> wanted;
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (std::binary_search(live.begin(), live.end(), ids[i])) wanted.push_back(static_cast<std::int32_t>(i));
        std::sort(wanted.begin(), wanted.end(), [&](std::int32_t a, std::int32_t b) { return graph.heavier(a, b); });
        attempt(wanted);
    }

    std::vector<std::int32_t> seeds(graph.size());
    std::iota(seeds.begin(), seeds.end(), 0);
    std::stable_sort(seeds.begin(), seeds.end(), [&](std::int32_t a, std::int32_t b) { return graph.reach(a) > graph.reach(b); });
    const std::size_t budget = std::max(budgetLeast, budgetGraphs * graph.edges());
    for (const std::int32_t seed : seeds) {
        if (spent > budget || graph.reach(seed) <= most) break; // no later seed has a larger upper bound
        attempt(std::span(&seed, 1));
    }

    std::vector<BufferId> clique;
    for (const std::int32_t v : best) clique.push_back(ids[static_cast<std::size_t>(v)]);
    for (const BufferId id : ids)
        if (problem.buffers[static_cast<std::size_t>(id)].unique) clique.push_back(id);
    std::sort(clique.begin(), clique.end());
    clique.erase(std::unique(clique.begin(), clique.end()), clique.end());
    return clique;
}

} // namespace stowage

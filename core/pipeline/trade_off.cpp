// Computes the points of the trade-off between the period and the bytes or the latency.
#include "core/pipeline/partition.h"
#include "core/pipeline/partition_search.h"

#include <optional>
#include <utility>

namespace stowage::pipeline {

using namespace searching;

namespace {

/// Finds the cheapest split for one period after the other, and keeps the known bytes of stages.
class Cheapest {
public:
    Cheapest(const PartitionProblem& problem, bool byBytes, const std::stop_token& cancel)
        : problem_(problem), byBytes_(byBytes && problem.bytes), cancel_(cancel), fits_(problem), search_(problem, fits_, cancel)
    {
        bytes_ = [this](std::size_t c, std::size_t begin, std::size_t end) {
            for (const auto& [known, bytes] : exact_[c * (problem_.ops + 1) + begin])
                if (known == end) return bytes;
            return problem_.bytes(static_cast<std::int32_t>(c), begin, end, false);
        };
        exact_.resize(search_.classes() * (problem.ops + 1));
    }

    [[nodiscard]] bool possible() const { return search_.states() <= maxStates && problem_.ops > 0; }
    [[nodiscard]] std::int64_t price(const Partition& p) const { return byBytes_ ? p.bytes : p.latency; }

    /// The split with the smallest price among those of at most this period. No value when none is below `limit`, or after a
    /// stop.
    std::optional<Partition> at(Ticks period, std::int64_t limit = never)
    {
        for (;;) {
            auto found = search_.shortest(period, byBytes_ ? &bytes_ : nullptr, limit);
            if (!found || cancel_.stop_requested()) return std::nullopt;
            // Starts with lower bounds. The true bytes are computed only for stages of the best split, until those of all its
            // stages are known.
            bool known = fits_.confirm(found->stages);
            for (const PartitionStage& stage : found->stages) {
                if (!byBytes_) break;
                auto& exact = exact_[static_cast<std::size_t>(stage.deviceClass) * (problem_.ops + 1) + stage.begin];
                if (std::ranges::find(exact, stage.end, &std::pair<std::size_t, std::int64_t>::first) != exact.end()) continue;
                const std::int64_t bound = problem_.bytes(stage.deviceClass, stage.begin, stage.end, false);
                const std::int64_t bytes = problem_.bytes(stage.deviceClass, stage.begin, stage.end, true);
                exact.emplace_back(stage.end, bytes);
                known = known && bytes == bound; // a bound that equals the true bytes changes nothing
            }
            if (known) return found;
        }
    }

private:
    const PartitionProblem& problem_;
    bool byBytes_;
    std::stop_token cancel_;
    FitTable fits_;
    Search search_;
    std::function<std::int64_t(std::size_t, std::size_t, std::size_t)> bytes_;
    std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> exact_; ///< by class and first op: ends and true bytes
};

/// A point, and the state of the search in the gap between it and the next point.
struct Node {
    Partition point;
    Ticks next = 0;      ///< for every period up to this one, the cheapest split is the next point or a later one
    bool halved = false; ///< half of the gap was found empty: next, the neighbour of this point is searched
    bool closed = false; ///< the gap contains no further point
};

} // namespace

TradeOff tradeOff(const PartitionProblem& problem, bool byBytes, std::size_t limit, const std::stop_token& cancel,
                  const std::function<void(const std::vector<Partition>&)>& told)
{
    TradeOff result;
    Cheapest cheapest(problem, byBytes, cancel);
    if (!cheapest.possible() || limit == 0) return result;
    std::vector<Node> nodes;
    const auto points = [&] {
        std::vector<Partition> list;
        for (const Node& node : nodes) list.push_back(node.point);
        return list;
    };
    const auto finish = [&](bool complete) {
        result.points = points();
        result.complete = complete;
        return std::move(result);
    };
    const auto tell = [&] {
        if (told) told(points());
    };
    auto first = cheapest.at(largestPeriod(problem));
    if (!first) return finish(!cancel.stop_requested());
    nodes.push_back({*std::move(first), 0, false, true});
    tell();
    const Partition best = partition(problem, Objective::period, cancel);
    auto last = best.stages.empty() ? std::nullopt : cheapest.at(best.period);
    if (!last) return finish(false);
    if (cheapest.price(*last) > cheapest.price(nodes.front().point)) {
        nodes.front().closed = false;
        nodes.front().next = last->period;
        nodes.push_back({*std::move(last), 0, false, true});
    } else {
        nodes.front().point = *std::move(last);
    }
    tell();
    for (;;) {
        // The widest gap, by period and price.
        std::size_t widest = nodes.size();
        double most = -1;
        for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
            if (nodes[i].next >= nodes[i].point.period - 1) nodes[i].closed = true;
            const double width = static_cast<double>(nodes[i].point.period - nodes[i + 1].point.period) *
                                 static_cast<double>(cheapest.price(nodes[i + 1].point) - cheapest.price(nodes[i].point));
            if (!nodes[i].closed && width > most) most = width, widest = i;
        }
        if (widest == nodes.size()) return finish(true);
        if (nodes.size() >= limit) return finish(false);
        Node& node = nodes[widest];
        const Ticks period = node.halved ? node.point.period - 1 : node.next + (node.point.period - node.next) / 2;
        auto found = cheapest.at(period, cheapest.price(nodes[widest + 1].point));
        if (cancel.stop_requested()) return finish(false);
        if (!found) { // the next point is the cheapest for all smaller periods of the gap
            node.next = period;
            node.halved = true;
            continue;
        }
        const std::int64_t price = cheapest.price(*found);
        if (price <= cheapest.price(node.point)) { // the same price at a smaller period: the point before is dominated
            node.point = *std::move(found);
            node.halved = false;
        } else {
            Node added{*std::move(found), node.next, false, false};
            node.next = period;
            node.halved = true;
            nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(widest) + 1, std::move(added));
        }
        tell();
    }
}

} // namespace stowage::pipeline

#include "core/planners/rectangles/line_arranger.h"

#include <algorithm>

namespace stowage::exact {

namespace {

constexpr std::size_t mostEntries = std::size_t{1} << 24; ///< of a tree: 64 MiB
constexpr int triesOfLine = 24, triesOfAll = 16;          ///< arrangements, for alignment

} // namespace

LineArranger::LineArranger(const LineGraph& graph, const FillLimits& limits, std::uint64_t most)
    : graph_(graph), limits_(limits), most_(most), known_(at(graph.events()))
{
    for (const LineGraph::Line& line : graph.lines())
        if (!line.ends.empty() && !line.begins.empty())
            known_[at(line.event)].push_back({{line.ends.begin(), line.ends.end()}, {line.begins.begin(), line.begins.end()}});
}

bool LineArranger::decide()
{
    if (!group()) return false;
    deepest_ = known_.size();
    failed_.clear();
    return true;
}

std::vector<Bytes> LineArranger::offsets(const AlignedParts& aligned)
{
    Dice dice(lines_.size());
    for (int tries = 0; tries < triesOfAll && tree_.work() < 2 * most_; ++tries) {
        if (limits_.stop && limits_.stop()) break;
        if (auto offsets = arrange(aligned, dice); !offsets.empty()) return offsets;
    }
    return {};
}

/// Puts a line's beginnings in the place of its ends; false when those cannot lie together.
bool LineArranger::pass(OrderTree::Node& tree, const LineEnds& line, std::size_t event)
{
    std::vector<OrderTree::Node> leaves;
    for (const std::int32_t p : line.begins) leaves.push_back(tree_.leaf(p));
    const auto gathered = tree_.gather(tree, line.ends, tree_.anyOrder(leaves));
    if (!gathered) {
        if (event >= deepest_) {
            deepest_ = event;
            failed_ = line.ends;
        }
        return false;
    }
    lines_.push_back(line);
    together_.push_back(gathered->together);
    tree = gathered->replaced;
    return true;
}

/// Finds groupings, event by event, of which some order of all parts permits each.
bool LineArranger::group()
{
    std::vector<OrderTree::Node> first;
    for (const std::int32_t p : graph_.lines().front().begins) first.push_back(tree_.leaf(p));
    std::vector<Level> levels{{tree_.anyOrder(first), 0, 0}};
    levels[0].nodes = tree_.size();
    while (levels.size() < known_.size() - 1) {
        if (tree_.work() > most_ || tree_.entries() > mostEntries || (limits_.stop && limits_.stop())) return false;
        const std::size_t event = levels.size(); // 0 is the left side
        Level& level = levels.back();
        tree_.forget(level.nodes);
        lines_.resize(level.lines);
        together_.resize(level.lines);
        if (level.next == 0) {
            const Groupings::Possible possible = [&](std::span<const std::int32_t> set) {
                return tree_.gather(level.tree, set, level.tree).has_value();
            };
            const auto &ends = graph_.openEnds(static_cast<std::int32_t>(event)),
                       &begins = graph_.openBegins(static_cast<std::int32_t>(event));
            level.groupings = Groupings(graph_, {ends.begin(), ends.end()}, {begins.begin(), begins.end()}, possible).all();
            tree_.forget(level.nodes);
            if (level.groupings.empty() && event >= deepest_) {
                deepest_ = event;
                failed_.assign(ends.begin(), ends.end());
            }
        }
        if (level.next == level.groupings.size()) {
            // Back to the latest event that put something here which ends now, or that was blamed by one which came back to
            // this.
            std::set<std::size_t> blamed = std::move(level.blamed);
            const auto blame = [&](const auto& ends) {
                for (const std::int32_t p : ends) blamed.insert(at(graph_.parts()[at(p)].beginEvent));
            };
            blame(graph_.openEnds(static_cast<std::int32_t>(event)));
            for (const LineEnds& line : known_[event]) blame(line.ends);
            do levels.pop_back();
            while (!levels.empty() && !blamed.contains(levels.size()));
            if (levels.empty()) return false;
            blamed.erase(levels.size());
            levels.back().blamed.merge(blamed);
            continue;
        }
        const Grouping& grouping = level.groupings[level.next++];
        OrderTree::Node tree = level.tree;
        const auto passes = [&](const LineEnds& line) { return pass(tree, line, event); };
        if (!std::all_of(known_[event].begin(), known_[event].end(), passes)) {
            level.next = level.groupings.size(); // whatever the rest
            continue;
        }
        if (std::all_of(grouping.begin(), grouping.end(), passes)) levels.push_back({tree, tree_.size(), lines_.size()});
    }
    last_ = levels.back().tree;
    return true;
}

/// Backwards in time: in the order of what is live before a line, the parts that end on it are where those are that begin.
/// Where alignment matters, some orders are tried for each line; empty when none will do.
std::vector<Bytes> LineArranger::arrange(const AlignedParts& aligned, Dice& dice)
{
    std::vector<Bytes> offsets(graph_.parts().size(), -1);
    std::vector<std::int64_t> key(offsets.size(), 0);
    std::vector<std::int32_t> order;
    const auto settle = [&](OrderTree::Node tree) {
        for (int tries = 0; tries < triesOfLine; ++tries) {
            tree_.order(tree, key, order, &dice);
            Bytes offset = 0;
            bool fine = true;
            for (const std::int32_t p : order) {
                fine &= offsets[at(p)] >= 0 || aligned.canBegin(p, offset);
                offset += graph_.parts()[at(p)].size;
            }
            if (!fine) continue;
            offset = 0;
            for (const std::int32_t p : order) {
                offsets[at(p)] = offset;
                offset += graph_.parts()[at(p)].size;
            }
            return true;
        }
        return false;
    };
    bool fine = settle(last_);
    for (std::size_t line = lines_.size(); fine && line-- > 0;) {
        for (std::size_t k = 0; k < order.size(); ++k) key[at(order[k])] = static_cast<std::int64_t>(k);
        std::int64_t place = INT64_MAX;
        for (const std::int32_t p : lines_[line].begins) place = std::min(place, key[at(p)]);
        for (const std::int32_t p : lines_[line].ends) key[at(p)] = place;
        fine = settle(together_[line]);
    }
    return fine ? offsets : std::vector<Bytes>();
}

} // namespace stowage::exact

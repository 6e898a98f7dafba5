#include "core/planners/exact/perfect_fill.h"

#include "core/planners/exact/aligned_parts.h"
#include "core/planners/exact/equal_sums.h"
#include "core/planners/exact/line_graph.h"
#include "core/planners/exact/lowest_segments.h"
#include "core/planners/exact/order_tree.h"
#include "core/planners/exact/rectangle.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace stowage::exact {

namespace {

constexpr std::size_t mostSums = 4000;                    ///< of parts that end (or begin) at one step
constexpr std::size_t mostGroupings = 32;                 ///< of one step
constexpr int mostSteps = 5000;                           ///< of the enumeration of groupings
constexpr std::size_t mostEntries = std::size_t{1} << 24; ///< of a tree: 64 MiB
constexpr double boldest = 3;                             ///< lines that come by accident more often are left open
constexpr double shyer[] = {0.003, 0.1};
constexpr std::uint64_t shareOfShy = 5;
constexpr std::uint64_t workOfMelting = 4000;    ///< for a piece, about
constexpr std::uint64_t shareOfTry = 40;         ///< one graph may have so much of the work
constexpr int triesOfLine = 24, triesOfAll = 16; ///< arrangements, for alignment

/// Parts that end and parts that begin on one line.
struct LineEnds {
    std::vector<std::int32_t> ends, begins;
};
using Grouping = std::vector<LineEnds>;

/// The groupings of one step: partitions of what ends and begins there into lines of equal sums of which none can be parted
/// again, as far as their number is no more than some dozens, and last of all the one of a single line.
class Groupings {
public:
    using Possible = std::function<bool(std::span<const std::int32_t>)>;
    /// `possible` tells for parts that end whether they can be on one line.
    Groupings(const LineGraph& graph, std::vector<std::int32_t> ends, std::vector<std::int32_t> begins, const Possible& possible)
        : parts_(graph.parts()), ends_(std::move(ends)), begins_(std::move(begins)), possible_(possible)
    {
    }

    std::vector<Grouping> all()
    {
        if (ends_.empty()) return {{}};
        std::vector<Bytes> endSizes, beginSizes;
        for (const std::int32_t p : ends_) endSizes.push_back(parts_[at(p)].size);
        for (const std::int32_t p : begins_) beginSizes.push_back(parts_[at(p)].size);
        lines_.resize(ends_.size());
        for (EqualSums& sums : findEqualSums(endSizes, beginSizes, mostSums).sums)
            if (possible_(partsOf(ends_, sums.ends)))
                for (const std::int32_t e : sums.ends) lines_[at(e)].push_back(sums);
        covered_.assign(ends_.size(), false);
        used_.assign(begins_.size(), false);
        extend();
        std::stable_sort(found_.begin(), found_.end(), [](const Grouping& a, const Grouping& b) { return a.size() > b.size(); });
        if ((found_.empty() || found_.back().size() != 1) && possible_(ends_)) found_.push_back({{ends_, begins_}});
        return std::move(found_);
    }

private:
    using Members = std::vector<std::int32_t>;

    static Members partsOf(const Members& list, const Members& places)
    {
        Members result;
        for (const std::int32_t m : places) result.push_back(list[at(m)]);
        return result;
    }
    void add(const Grouping& grouping)
    {
        // Parts that nothing tells apart are interchangeable.
        using Kind = std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, Bytes>;
        std::vector<std::pair<std::vector<Kind>, std::vector<Kind>>> key;
        const auto kindsOf = [&](const Members& list) {
            std::vector<Kind> kinds;
            for (const std::int32_t p : list) {
                const LineGraph::Part& part = parts_[at(p)];
                kinds.emplace_back(part.beginEvent, part.endEvent, part.beginLine, part.endLine, part.size);
            }
            std::sort(kinds.begin(), kinds.end());
            return kinds;
        };
        for (const LineEnds& line : grouping) key.emplace_back(kindsOf(line.ends), kindsOf(line.begins));
        std::sort(key.begin(), key.end());
        if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
        seen_.push_back(std::move(key));
        found_.push_back(grouping);
    }
    [[nodiscard]] bool isFree(const EqualSums& line) const
    {
        return std::none_of(line.ends.begin(), line.ends.end(), [&](std::int32_t m) { return covered_[at(m)]; }) &&
               std::none_of(line.begins.begin(), line.begins.end(), [&](std::int32_t m) { return used_[at(m)]; });
    }
    void mark(const EqualSums& line, bool to)
    {
        for (const std::int32_t m : line.ends) covered_[at(m)] = to;
        for (const std::int32_t m : line.begins) used_[at(m)] = to;
    }
    /// Exact cover: next is the part with the fewest lines left to be on (Knuth 2000). Those that no line is left for go onto one
    /// together.
    void extend()
    {
        if (found_.size() >= mostGroupings || ++steps_ > mostSteps) return;
        std::size_t best = ends_.size(), fewest = SIZE_MAX;
        for (std::size_t e = 0; e < ends_.size(); ++e) {
            if (covered_[e]) continue;
            const auto count = static_cast<std::size_t>(
                std::count_if(lines_[e].begin(), lines_[e].end(), [&](const EqualSums& line) { return isFree(line); }));
            if (count > 0 && count < fewest) best = e, fewest = count;
        }
        if (best == ends_.size()) {
            Grouping grouping = current_;
            LineEnds last;
            for (std::size_t e = 0; e < ends_.size(); ++e)
                if (!covered_[e]) last.ends.push_back(ends_[e]);
            for (std::size_t b = 0; b < begins_.size(); ++b)
                if (!used_[b]) last.begins.push_back(begins_[b]);
            if (last.ends.empty() != last.begins.empty()) return;
            if (!last.ends.empty()) {
                if (!possible_(last.ends)) return;
                grouping.push_back(std::move(last));
            }
            return add(grouping);
        }
        const std::vector<EqualSums> lines = lines_[best];
        for (const EqualSums& line : lines) {
            if (!isFree(line)) continue;
            mark(line, true);
            current_.push_back({partsOf(ends_, line.ends), partsOf(begins_, line.begins)});
            extend();
            current_.pop_back();
            mark(line, false);
        }
    }

    using Kinds = std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, Bytes>>;
    const std::vector<LineGraph::Part>& parts_;
    Members ends_, begins_;
    const Possible& possible_;
    std::vector<std::vector<EqualSums>> lines_; ///< by place among the ends
    std::vector<bool> covered_, used_;
    std::vector<std::vector<std::pair<Kinds, Kinds>>> seen_;
    Grouping current_;
    std::vector<Grouping> found_;
    int steps_ = 0;
};

/// What is left open of a line graph: lines of the parts that are left, and an order of them.
class Arranger {
public:
    Arranger(const LineGraph& graph, const FillLimits& limits, std::uint64_t most)
        : graph_(graph), limits_(limits), most_(most), known_(at(graph.events()))
    {
        for (const LineGraph::Line& line : graph.lines())
            if (!line.ends.empty() && !line.begins.empty())
                known_[at(line.event)].push_back(
                    {{line.ends.begin(), line.ends.end()}, {line.begins.begin(), line.begins.end()}});
    }

    /// Finds the lines that are open, so that there is an order; else false.
    bool decide()
    {
        if (!group()) return false;
        deepest_ = known_.size();
        failed_.clear();
        return true;
    }
    /// Then: offsets by part, of those not melted; empty: none found that keeps the alignments.
    std::vector<Bytes> offsets(const AlignedParts& aligned)
    {
        Dice dice(lines_.size());
        for (int tries = 0; tries < triesOfAll && tree_.work() < 2 * most_; ++tries) {
            if (limits_.stop && limits_.stop()) break;
            if (auto offsets = arrange(aligned, dice); !offsets.empty()) return offsets;
        }
        return {};
    }
    [[nodiscard]] std::uint64_t work() const { return tree_.work(); }
    /// After a failure: the last event that was reached, and the parts that could not lie together there.
    [[nodiscard]] std::int32_t deepest() const { return static_cast<std::int32_t>(deepest_); }
    [[nodiscard]] const std::vector<std::int32_t>& failed() const { return failed_; }

private:
    struct Level {
        OrderTree::Node tree;
        std::size_t nodes, lines;
        std::size_t next = 0; ///< grouping to try
        std::vector<Grouping> groupings = {};
        std::set<std::size_t> blamed = {}; ///< events that made later ones fail
    };

    /// Puts a line's beginnings in the place of its ends; false when those cannot lie together.
    bool pass(OrderTree::Node& tree, const LineEnds& line, std::size_t event)
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
    bool group()
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
    std::vector<Bytes> arrange(const AlignedParts& aligned, Dice& dice)
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

    const LineGraph& graph_;
    const FillLimits& limits_;
    std::uint64_t most_;
    std::vector<std::vector<LineEnds>> known_; ///< by event
    OrderTree tree_;
    std::vector<LineEnds> lines_;
    std::vector<OrderTree::Node> together_; ///< by line: the orders before it, of which the parts that end on it lie together
    OrderTree::Node last_ = -1;
    std::size_t deepest_ = 0;
    std::vector<std::int32_t> failed_;
};

} // namespace

std::optional<std::vector<Bytes>> fillPerfectly(std::span<const Piece> given, const FillLimits& limits, std::uint64_t& work)
{
    std::vector<Piece> pieces(given.begin(), given.end());
    Bytes height = 0;
    if (!fillUp(pieces, height)) return std::nullopt;
    // Each graph that cannot be arranged leaves one more of its lines open: the most doubtful of those where it failed.
    LineGraph::Doubts doubts;
    const LineGraph::Doubts none;
    LineGraph::Doubts firm;
    std::vector<std::pair<std::int32_t, Bytes>> alone;
    std::size_t nextAlone = 0;
    int tries = 0;
    for (const std::uint64_t end = work + limits.work; work < end; ++tries) {
        // Two of the first graphs leave open what is not sure, and have more of the work: with many small sizes that is better.
        const double* shy = tries == 4 ? &shyer[0] : tries == 8 ? &shyer[1] : nullptr;
        LineGraph graph(pieces, shy ? none : doubts);
        graph.melt(shy ? *shy : boldest, limits.stop);
        if (limits.stop && limits.stop()) break;
        Arranger arranger(graph, limits, limits.work / (shy ? shareOfShy : shareOfTry));
        std::vector<Bytes> partOffsets;
        std::optional<AlignedParts> aligned;
        if (arranger.decide()) {
            aligned.emplace(pieces, graph.parts());
            if (!aligned->usable()) break;
            partOffsets = arranger.offsets(*aligned);
        }
        work += arranger.work() + pieces.size() * workOfMelting;
        if (partOffsets.empty()) {
            if (shy) continue;
            if (aligned &&
                alone.empty()) { // some layout, but none with these alignments: first, one line more is left open at a time
                firm = doubts;
                alone = graph.doubtful({}, arranger.deepest());
                if (alone.empty()) break;
            }
            if (nextAlone < alone.size()) {
                doubts = firm;
                doubts.insert(alone[nextAlone++]);
                continue;
            }
            const auto doubtful = graph.doubtful(arranger.failed(), arranger.deepest());
            if (doubtful.empty()) break;
            doubts.insert(doubtful.front());
            continue;
        }
        std::vector<Bytes> offsets(pieces.size(), -1);
        for (std::size_t p = 0; p < partOffsets.size(); ++p)
            if (partOffsets[p] >= 0) aligned->place(static_cast<std::int32_t>(p), partOffsets[p], offsets);
        if (!isLayout(pieces, offsets, height)) break;
        offsets.resize(given.size());
        return offsets;
    }
    return std::nullopt;
}

std::optional<std::vector<Bytes>> fillNearly(std::span<const Piece> given, Bytes below, const FillLimits& limits,
                                             std::uint64_t& work)
{
    std::vector<Piece> pieces(given.begin(), given.end());
    Bytes height = 0;
    if (!fillUp(pieces, height) || height >= below) return std::nullopt;
    const LineGraph::Doubts none;
    LineGraph graph(pieces, none);
    graph.melt(boldest, limits.stop);
    work += pieces.size() * workOfMelting;
    const AlignedParts aligned(pieces, graph.parts());
    if (!aligned.usable()) return std::nullopt;
    const std::vector<Bytes> partOffsets = fillLowestSegments(graph, aligned, below, limits, work);
    if (partOffsets.empty()) return std::nullopt;
    std::vector<Bytes> offsets(pieces.size(), -1);
    for (std::size_t p = 0; p < partOffsets.size(); ++p)
        if (partOffsets[p] >= 0) aligned.place(static_cast<std::int32_t>(p), partOffsets[p], offsets);
    if (!isLayout(pieces, offsets, below - 1)) return std::nullopt;
    offsets.resize(given.size());
    return offsets;
}

} // namespace stowage::exact

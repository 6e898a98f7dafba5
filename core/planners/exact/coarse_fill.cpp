#include "core/planners/exact/coarse_fill.h"

#include "core/ir/checked.h"
#include "core/planners/exact/aligned_parts.h"
#include "core/planners/exact/coarse_graph.h"
#include "core/planners/exact/lowest_segments.h"
#include "core/planners/exact/rectangle.h"

#include <algorithm>
#include <numeric>

namespace stowage::exact {

namespace {

constexpr std::uint64_t shareOfStart = 24;        ///< one graph's layouts may have so much of the work
constexpr std::uint64_t leastOfStart = 3'000'000; ///< … or this, if it is no more than a quarter
constexpr double roomToDrop = 1.01;               ///< so much higher a layout may be before its pieces drop

/// What is tried one after the other. The first ones are those that did best on the rectangles of tests/bench/bench_exact.cpp.
CoarseRules rulesOf(std::uint64_t start)
{
    constexpr double most[] = {0.02, 0.01, 0.015, 0.02, 0.005, 0.025};
    constexpr double first[] = {0.15, 0.3, 0.05, 0.1};
    constexpr double factors[] = {20, 100, 0};
    CoarseRules rules;
    rules.looseMost = most[start % std::size(most)];
    rules.looseFirst = rules.looseMost * first[start % std::size(first)];
    rules.unitFactor = factors[start / 2 % std::size(factors)];
    rules.noise = start < 6 ? 0 : 0.5 + 0.25 * static_cast<double>(start % 5);
    rules.seed = start;
    return rules;
}

/// Pieces by the steps at which anything begins or ends.
class Lower {
public:
    explicit Lower(std::span<const Piece> pieces) : pieces_(pieces)
    {
        std::vector<Step> steps;
        for (const Piece& piece : pieces) {
            steps.push_back(piece.begin);
            steps.push_back(piece.end);
        }
        std::sort(steps.begin(), steps.end());
        steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
        const auto eventOf = [&](Step step) {
            return static_cast<std::size_t>(std::lower_bound(steps.begin(), steps.end(), step) - steps.begin());
        };
        for (const Piece& piece : pieces) events_.emplace_back(eventOf(piece.begin), eventOf(piece.end));
        heights_.resize(steps.size());
    }

    /// In order of offset, each goes down as far as those before it let it. Those of offset -1 are left out. False when one would
    /// end at `below` or higher.
    bool drop(std::vector<Bytes>& offsets, Bytes below, std::uint64_t& work)
    {
        order_.clear();
        for (std::size_t p = 0; p < pieces_.size(); ++p)
            if (offsets[p] >= 0) order_.push_back(p);
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });
        std::fill(heights_.begin(), heights_.end(), Bytes{0});
        for (const std::size_t p : order_) {
            const auto from = heights_.begin() + static_cast<std::ptrdiff_t>(events_[p].first),
                       to = heights_.begin() + static_cast<std::ptrdiff_t>(events_[p].second);
            work += static_cast<std::uint64_t>(to - from) / 8 + 8;
            const auto offset = aligned(p, *std::max_element(from, to), below);
            if (!offset) return false;
            offsets[p] = *offset;
            std::fill(from, to, *offset + pieces_[p].size);
        }
        return true;
    }

    /// Those of offset -1, in the lowest gap that they fit into. False when one would end at `below` or higher.
    bool addRest(std::vector<Bytes>& offsets, Bytes below, std::uint64_t& work)
    {
        order_.clear();
        for (std::size_t p = 0; p < pieces_.size(); ++p)
            if (offsets[p] < 0) order_.push_back(p);
        const auto area = [&](std::size_t p) {
            return static_cast<double>(pieces_[p].size) * static_cast<double>(pieces_[p].end - pieces_[p].begin);
        };
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return area(a) > area(b); });
        std::vector<std::pair<Bytes, Bytes>> taken;
        for (const std::size_t p : order_) {
            taken.clear();
            work += pieces_.size() / 2;
            for (std::size_t o = 0; o < pieces_.size(); ++o)
                if (offsets[o] >= 0 && events_[o].first < events_[p].second && events_[p].first < events_[o].second)
                    taken.emplace_back(offsets[o], offsets[o] + pieces_[o].size);
            std::sort(taken.begin(), taken.end());
            std::optional<Bytes> offset = aligned(p, 0, below);
            for (const auto& [begin, end] : taken) {
                if (!offset || begin >= *offset + pieces_[p].size) break;
                if (end > *offset) offset = aligned(p, end, below);
            }
            if (!offset) return false;
            offsets[p] = *offset;
        }
        return true;
    }

private:
    /// The lowest place at `from` or above, if the piece ends below `below` there.
    [[nodiscard]] std::optional<Bytes> aligned(std::size_t p, Bytes from, Bytes below) const
    {
        const Bytes rest = from % pieces_[p].alignment, up = rest == 0 ? 0 : pieces_[p].alignment - rest;
        if (from >= below || up >= below - from || pieces_[p].size >= below - from - up) return std::nullopt;
        return from + up;
    }

    std::span<const Piece> pieces_;
    std::vector<std::pair<std::size_t, std::size_t>> events_; ///< begin and end
    std::vector<Bytes> heights_;                              ///< from each event to the next
    std::vector<std::size_t> order_;
};

class CoarseFill {
public:
    CoarseFill(std::span<const Piece> given, std::vector<Piece> whole, Bytes height, Bytes below, const FillLimits& limits)
        : given_(given), whole_(std::move(whole)), height_(height), below_(below), limits_(limits), lower_(given)
    {
        for (Piece& piece : whole_) piece.alignment = 1;
    }

    /// Below the best so far, if this start comes to that.
    bool attempt(std::uint64_t start, std::uint64_t most, std::uint64_t& work)
    {
        CoarseGraph graph(whole_, height_, rulesOf(start));
        graph.melt(limits_.stop);
        work += graph.work() + whole_.size() * 100;
        const AlignedParts anywhere(whole_, graph.parts());
        const auto highest = static_cast<Bytes>(roomToDrop * static_cast<double>(below_));
        const std::vector<Bytes> partOffsets = fillLowestSegments(graph, anywhere, highest, {most, limits_.stop}, work);
        if (partOffsets.empty()) return false;
        std::vector<Bytes> offsets(whole_.size(), -1);
        for (std::size_t p = 0; p < partOffsets.size(); ++p)
            if (partOffsets[p] >= 0) anywhere.place(static_cast<std::int32_t>(p), partOffsets[p], offsets);
        offsets.resize(given_.size());
        if (!lower_.drop(offsets, below_, work) || !lower_.addRest(offsets, below_, work)) return false;
        below_ = 0;
        for (std::size_t p = 0; p < given_.size(); ++p) below_ = std::max(below_, offsets[p] + given_[p].size);
        best_ = std::move(offsets);
        return true;
    }
    [[nodiscard]] bool closed() const { return below_ <= height_; }
    [[nodiscard]] std::vector<Bytes>& best() { return best_; }
    [[nodiscard]] Bytes size() const { return below_; }

private:
    std::span<const Piece> given_;
    std::vector<Piece> whole_; ///< with what is not live, none aligned
    Bytes height_, below_;
    const FillLimits& limits_;
    Lower lower_;
    std::vector<Bytes> best_;
};

} // namespace

std::optional<std::vector<Bytes>> fillCoarsely(std::span<const Piece> pieces, Bytes below, const FillLimits& limits,
                                               std::uint64_t& work)
{
    std::vector<Piece> whole(pieces.begin(), pieces.end());
    Bytes height = 0;
    // A hundredth more must not be too large a number.
    if (!fillUp(whole, height) || height >= below || below > maxBytes / 2) return std::nullopt;
    CoarseFill fill(pieces, std::move(whole), height, below, limits);
    const std::uint64_t end = work + limits.work,
                        each = std::max(std::min(leastOfStart, limits.work / 4), limits.work / shareOfStart);
    std::uint64_t best = 0;
    bool found = false;
    const auto over = [&](std::uint64_t until) { return work >= until || fill.closed() || (limits.stop && limits.stop()); };
    for (std::uint64_t start = 0; !over(end - limits.work / 4); ++start)
        if (fill.attempt(start, each, work)) found = true, best = start;
    // The best one once more, and longer.
    if (found && !over(end)) fill.attempt(best, end - work, work);
    if (!found || !isLayout(pieces, fill.best(), below - 1)) return std::nullopt;
    return std::move(fill.best());
}

} // namespace stowage::exact

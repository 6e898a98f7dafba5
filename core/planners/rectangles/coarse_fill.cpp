#include "core/planners/rectangles/coarse_fill.h"

#include "core/ir/checked.h"
#include "core/planners/exact/minimise.h"
#include "core/planners/rectangles/aligned_parts.h"
#include "core/planners/rectangles/coarse_graph.h"
#include "core/planners/rectangles/lowest_segments.h"
#include "core/planners/rectangles/rectangle.h"
#include "core/planners/rectangles/restack.h"

#include <algorithm>

namespace stowage::exact {

namespace {

constexpr std::uint64_t shareOfStart = 12;          ///< one graph's layouts may have so much of the work
constexpr std::uint64_t leastOfStart = 120'000'000; ///< … or this, if it is no more than a half
constexpr double highestStart = 1.3;                ///< times the rectangle: higher ones are not begun with
constexpr std::size_t mostPartsForSearch = 1000;
constexpr std::uint64_t workForPart = 2; ///< of one node

/// What is tried one after the other. The first ones are those that did best on the rectangles of tests/bench/bench_exact.cpp.
CoarseRules rulesOf(std::uint64_t start)
{
    constexpr double most[] = {0.1, 0.06, 0.15, 0.04, 0.08, 0.02, 0.01};
    constexpr double first[] = {0.15, 0.3, 0.05, 0.1};
    constexpr double factors[] = {20, 100, 0};
    CoarseRules rules;
    rules.looseMost = most[start % std::size(most)];
    rules.looseFirst = rules.looseMost * first[start / 4 % std::size(first)];
    rules.unitFactor = factors[start / 2 % std::size(factors)];
    rules.noise = start < 6 ? 0 : 0.5 + 0.25 * static_cast<double>(start % 5);
    rules.seed = start;
    return rules;
}

/// Offsets by part, as `fillLowestSegments` gives them: of the lowest layout that the search for single buffers finds among the
/// parts of a graph that are left, each a whole buffer. When it is few parts that are left, that is much better at it. `height`
/// becomes that of the layout. Empty if the search cannot take them.
std::vector<Bytes> searchParts(const LineGraph& graph, Bytes rectangle, const FillLimits& limits, Bytes& height,
                               std::uint64_t& work)
{
    // The search counts in 32 bits; what is rounded here is lost only until the pieces are stacked in this order.
    const Bytes unit = std::max<Bytes>(1, rectangle >> 20);
    Problem problem;
    problem.pools.emplace_back();
    std::vector<std::int32_t> partOf;
    std::vector<BufferId> members;
    for (std::size_t p = 0; p < graph.parts().size(); ++p) {
        const LineGraph::Part& part = graph.parts()[p];
        if (part.melted) continue;
        Buffer& buffer = problem.buffers.emplace_back();
        buffer.size = (part.size + unit - 1) / unit;
        buffer.live = {{part.beginEvent, part.endEvent}};
        members.push_back(static_cast<BufferId>(partOf.size()));
        partOf.push_back(static_cast<std::int32_t>(p));
    }
    if (members.empty() || members.size() > mostPartsForSearch) return {};
    const auto instance = Instance::make(problem, 0, members);
    if (!instance) return {};
    const std::uint64_t workOfNode = workForPart * members.size();
    MinimiseLimits own;
    own.nodes = limits.work / workOfNode + 1;
    own.stop = limits.stop;
    Bracket bracket;
    work += workOfNode * (minimise(*instance, problem, 0, own, bracket) + members.size());
    if (bracket.offsets.empty()) return {};
    std::vector<Bytes> offsets(graph.parts().size(), -1);
    for (std::size_t k = 0; k < instance->buffers.size(); ++k)
        offsets[at(partOf[at(instance->buffers[k])])] = bracket.offsets[k] * instance->unit * unit;
    height = bracket.best * instance->unit * unit;
    return offsets;
}

class CoarseFill {
public:
    CoarseFill(std::span<const Piece> given, std::vector<Piece> whole, Bytes height, Bytes below, const FillLimits& limits)
        : given_(given), whole_(std::move(whole)), height_(height), below_(below), limits_(limits)
    {
        for (Piece& piece : whole_) piece.alignment = 1;
    }

    /// Keeps the layout of this start, if it is below the best so far.
    void attempt(std::uint64_t start, std::uint64_t most, std::uint64_t& work)
    {
        CoarseGraph graph(whole_, height_, rulesOf(start));
        graph.melt(limits_.stop);
        work += graph.work() + whole_.size() * 100;
        if (limits_.stop && limits_.stop()) return;
        const AlignedParts anywhere(whole_, graph.parts());
        const auto highest = static_cast<Bytes>(highestStart * static_cast<double>(height_));
        std::vector<Bytes> partOffsets = fillLowestSegments(graph, anywhere, highest, {most / 12, limits_.stop}, work);
        Bytes low = partOffsets.empty() ? highest : 0, searched = 0;
        for (std::size_t p = 0; p < partOffsets.size(); ++p)
            if (partOffsets[p] >= 0) low = std::max(low, partOffsets[p] + graph.parts()[p].size);
        std::vector<Bytes> found = searchParts(graph, height_, {most / 3, limits_.stop}, searched, work);
        if (!found.empty() && searched < low) partOffsets = std::move(found);
        if (partOffsets.empty()) return;
        std::vector<Bytes> offsets(whole_.size(), -1);
        for (std::size_t p = 0; p < partOffsets.size(); ++p)
            if (partOffsets[p] >= 0) anywhere.place(static_cast<std::int32_t>(p), partOffsets[p], offsets);
        offsets.resize(given_.size());
        improve(offsets, start, most / 2, work);
    }
    /// More of the best.
    void improveBest(std::uint64_t seed, std::uint64_t most, std::uint64_t& work)
    {
        if (!best_.empty()) improve(std::vector<Bytes>(best_), seed, most, work);
    }
    [[nodiscard]] bool closed() const { return below_ <= height_; }
    [[nodiscard]] std::vector<Bytes>& best() { return best_; }

private:
    void improve(const std::vector<Bytes>& offsets, std::uint64_t seed, std::uint64_t most, std::uint64_t& work)
    {
        Restack stack(given_, seed);
        stack.start(offsets);
        if (stack.addRest(height_, {most / 2, limits_.stop})) {
            stack.improve(height_, {most, limits_.stop});
            if (stack.height() < below_) {
                below_ = stack.height();
                best_ = stack.offsets();
            }
        }
        work += stack.work();
    }

    std::span<const Piece> given_;
    std::vector<Piece> whole_; ///< with what is not live, none aligned
    Bytes height_, below_;
    const FillLimits& limits_;
    std::vector<Bytes> best_;
};

/// Whether sums of all of them, on top of each other, are numbers.
bool canBeStacked(std::span<const Piece> pieces)
{
    Bytes sum = 0;
    for (const Piece& piece : pieces) {
        const auto more = checkedAdd(sum, piece.size);
        const auto padded = more ? checkedAdd(*more, piece.alignment) : std::nullopt;
        if (!padded || *padded > maxBytes / 4) return false;
        sum = *padded;
    }
    return true;
}

} // namespace

std::optional<std::vector<Bytes>> fillCoarsely(std::span<const Piece> pieces, Bytes below, const FillLimits& limits,
                                               std::uint64_t& work)
{
    std::vector<Piece> whole(pieces.begin(), pieces.end());
    Bytes height = 0;
    if (!fillUp(whole, height) || height >= below || !canBeStacked(pieces)) return std::nullopt;
    CoarseFill fill(pieces, std::move(whole), height, below, limits);
    const std::uint64_t end = work + limits.work,
                        each = std::max(std::min(leastOfStart, limits.work / 2), limits.work / shareOfStart);
    const auto over = [&](std::uint64_t until) { return work >= until || fill.closed() || (limits.stop && limits.stop()); };
    std::uint64_t start = 0;
    for (; !over(end - limits.work / 4); ++start) fill.attempt(start, each, work);
    if (!over(end)) fill.improveBest(start, end - work, work);
    if (fill.best().empty() || !isLayout(pieces, fill.best(), below - 1)) return std::nullopt;
    return std::move(fill.best());
}

} // namespace stowage::exact

#include "core/planners/rectangles/perfect_fill.h"

#include "core/ir/random.h"
#include "core/planners/rectangles/aligned_parts.h"
#include "core/planners/rectangles/fill_wells.h"
#include "core/planners/rectangles/line_arranger.h"
#include "core/planners/rectangles/line_graph.h"
#include "core/planners/rectangles/lowest_segments.h"
#include "core/planners/rectangles/rectangle.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stowage::exact {

namespace {

constexpr double boldest = 3; ///< lines that come by accident more often are left open
constexpr double shyer[] = {0.003, 0.1};
constexpr std::uint64_t shareOfShy = 5;
constexpr std::uint64_t workOfMelting = 4000; ///< for a piece, about
constexpr std::uint64_t shareOfTry = 40;      ///< one graph may have so much of the work
constexpr std::size_t mostForWells = 2000;    ///< pieces
// Of the runs for one graph: most inputs that a run solves take it a few hundred nodes, some take many.
constexpr std::uint64_t nodesOfRuns[] = {3000, 3000, 6000, 3000, 12'000, 30'000};
constexpr std::uint64_t workOfNode = 50;
constexpr std::uint64_t shareOfWells = 3; ///< of the work, where alignments matter, to one for orders
constexpr int triesToStay = 8, triesToWorse = 16;
constexpr double better = 0.999, slightlyWorse = 1.1;

/// The offsets of all pieces, from those of the parts that have not melted.
std::vector<Bytes> piecesOf(std::span<const Bytes> partOffsets, const AlignedParts& aligned, std::size_t pieces)
{
    std::vector<Bytes> offsets(pieces, -1);
    for (std::size_t p = 0; p < partOffsets.size(); ++p)
        if (partOffsets[p] >= 0) aligned.place(static_cast<std::int32_t>(p), partOffsets[p], offsets);
    return offsets;
}

/// Tries one line graph after the other by orders along its lines. Each graph that cannot be arranged leaves one more of its
/// lines open: the most doubtful of those where it failed.
class OrderTries {
public:
    OrderTries(std::span<const Piece> pieces, const FillLimits& limits) : pieces_(pieces), limits_(limits) {}
    /// Nothing else can be tried.
    [[nodiscard]] bool ended() const { return ended_; }
    /// Offsets of the pieces, or nothing.
    std::vector<Bytes> next(std::uint64_t& work)
    {
        // Two of the first graphs leave open what is not sure, and have more of the work: with many small sizes that is better.
        const double* shy = tries_ == 4 ? &shyer[0] : tries_ == 8 ? &shyer[1] : nullptr;
        ++tries_;
        LineGraph graph(pieces_, shy ? none_ : doubts_);
        graph.melt(shy ? *shy : boldest, limits_.stop);
        LineArranger arranger(graph, limits_, limits_.work / (shy ? shareOfShy : shareOfTry));
        std::vector<Bytes> offsets;
        const bool decided = arranger.decide();
        if (decided) {
            const AlignedParts aligned(pieces_, graph.parts());
            if (aligned.usable())
                offsets = arranger.offsets(aligned);
            else
                ended_ = true;
            if (!offsets.empty()) offsets = piecesOf(offsets, aligned, pieces_.size());
            work += aligned.work();
        }
        work += arranger.work() + pieces_.size() * workOfMelting;
        if (offsets.empty() && !shy && !ended_) doubt(graph, arranger, decided);
        return offsets;
    }

private:
    void doubt(const LineGraph& graph, const LineArranger& arranger, bool decided)
    {
        if (decided &&
            alone_.empty()) { // some layout, but none with these alignments: first, one line more is left open at a time
            firm_ = doubts_;
            alone_ = graph.doubtful({}, arranger.deepest());
            if (alone_.empty()) ended_ = true;
        }
        if (nextAlone_ < alone_.size()) {
            doubts_ = firm_;
            doubts_.insert(alone_[nextAlone_++]);
            return;
        }
        const auto doubtful = graph.doubtful(arranger.failed(), arranger.deepest());
        if (doubtful.empty())
            ended_ = true;
        else
            doubts_.insert(doubtful.front());
    }

    std::span<const Piece> pieces_;
    const FillLimits& limits_;
    LineGraph::Doubts doubts_, firm_;
    const LineGraph::Doubts none_;
    std::vector<std::pair<std::int32_t, Bytes>> alone_;
    std::size_t nextAlone_ = 0;
    int tries_ = 0;
    bool ended_ = false;
};

/// Tries one line graph after the other by filling wells, which minds alignments from the first part on. The lines left open are
/// found by local search: those of the graph of which least was left to be laid, and one more or one other.
class WellTries {
public:
    WellTries(std::span<const Piece> pieces, Bytes height, const FillLimits& limits)
        : pieces_(pieces),
          height_(height),
          limits_(limits),
          dice_(pieces.size() + limits.seed),
          ended_(pieces.size() > mostForWells)
    {
    }
    [[nodiscard]] bool ended() const { return ended_; }
    std::vector<Bytes> next(std::uint64_t& work)
    {
        LineGraph::Doubts doubts = doubts_;
        const int turn = tries_++;
        if (!lines_.empty() && turn % triesToStay != 0) vary(doubts);
        LineGraph graph(pieces_, doubts);
        graph.melt(boldest, limits_.stop);
        const AlignedParts aligned(pieces_, graph.parts());
        work += pieces_.size() * workOfMelting;
        ended_ = !aligned.usable();
        if (ended_) return {};
        FillWells wells(graph, aligned, height_);
        FillWells::Result result = FillWells::Result::limit;
        for (const std::uint64_t nodes : nodesOfRuns)
            if (result == FillWells::Result::limit && !(limits_.stop && limits_.stop())) result = wells.run(nodes, dice_);
        work += aligned.work() + wells.nodes() * workOfNode;
        if (result == FillWells::Result::found) return piecesOf(wells.offsets(), aligned, pieces_.size());
        const double left = wells.leastLeft() * (result == FillWells::Result::none ? 2 : 1);
        if (turn > 0 && left > least_ * (turn % triesToWorse == triesToWorse - 1 ? slightlyWorse : better)) return {};
        least_ = left;
        doubts_ = std::move(doubts);
        lines_ = graph.doubtful(aligned.impossible(), graph.events());
        ended_ = lines_.empty() && result == FillWells::Result::none;
        return {};
    }

private:
    /// Leaves one line more open, the doubtful ones more often; now and then another one no longer.
    void vary(LineGraph::Doubts& doubts)
    {
        std::size_t line = 0;
        while (line + 1 < lines_.size() && dice_.chance(70)) ++line;
        if (dice_.chance(20)) line = dice_.below(lines_.size());
        doubts.insert(lines_[line]);
        if (doubts.size() > 1 && dice_.chance(30))
            doubts.erase(std::next(doubts.begin(), static_cast<std::ptrdiff_t>(dice_.below(doubts.size()))));
    }

    std::span<const Piece> pieces_;
    Bytes height_;
    const FillLimits& limits_;
    Dice dice_;
    LineGraph::Doubts doubts_;                          ///< of the best graph so far
    std::vector<std::pair<std::int32_t, Bytes>> lines_; ///< of it
    double least_ = 0;                                  ///< that it left to be laid
    int tries_ = 0;
    bool ended_;
};

} // namespace

std::optional<std::vector<Bytes>> fillPerfectly(std::span<const Piece> given, const FillLimits& limits, std::uint64_t& work)
{
    std::vector<Piece> pieces(given.begin(), given.end());
    Bytes height = 0;
    if (!fillUp(pieces, height)) return std::nullopt;
    OrderTries orders(pieces, limits);
    WellTries wells(pieces, height, limits);
    // Neither finds all that the other does, and mostly one of them is quick.
    const bool anyAligned = std::any_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.alignment > 1; });
    const std::uint64_t share = anyAligned ? shareOfWells : 1;
    std::uint64_t byOrders = 0, byWells = 0;
    std::vector<Bytes> offsets;
    while (offsets.empty() && byOrders + byWells < limits.work && !(orders.ended() && wells.ended()) &&
           !(limits.stop && limits.stop()))
        offsets = wells.ended() || (!orders.ended() && byOrders <= byWells / share) ? orders.next(byOrders) : wells.next(byWells);
    work += byOrders + byWells;
    if (offsets.empty() || !isLayout(pieces, offsets, height)) return std::nullopt;
    offsets.resize(given.size());
    return offsets;
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
    std::vector<Bytes> offsets = piecesOf(partOffsets, aligned, pieces.size());
    if (!isLayout(pieces, offsets, below - 1)) return std::nullopt;
    offsets.resize(given.size());
    return offsets;
}

} // namespace stowage::exact

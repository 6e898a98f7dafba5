// A rectangle cut into pieces, as the graph of its vertical lines.
#pragma once

#include "core/planners/rectangles/perfect_fill.h"

#include <array>
#include <map>
#include <set>
#include <vector>

namespace stowage::exact {

/// Where the children of a wheel lie above its bottom, in their order; in the mirror image, when `children` is turned round.
std::array<Bytes, 5> wheelOffsets(std::span<const Bytes> sizes);

/// Finds which pieces that end and begin at one step are on the same vertical line, as far as sums of bytes tell, and melts what
/// then behaves like one piece:
///
///  - one that ends and one that begins alone on a line are one piece that goes on (they have the same place);
///  - pieces between the same two lines are one piece: in a planar graph, what lies between two parallel edges hangs on their two
///    ends only and can be moved aside, so they can be neighbours in some layout if there is any;
///  - five pieces around two lines that nothing else is on, four outside and one in the middle (a pinwheel: Wheatstone's bridge
///    as a graph), are one piece: they hang on the line where they begin and the one where they end only, and as that graph has
///    no other embedding than its mirror image, they fill a rectangle between these two.
///
/// Each melting makes the sums of other lines clearer, as it leaves fewer pieces. A rectangle cut by straight cuts and pinwheels
/// only melts to one piece.
class LineGraph {
public:
    /// A piece, or several melted together.
    struct Part {
        std::int32_t beginEvent, endEvent; ///< places in the list of steps
        Bytes size;                        ///< that it needs
        Bytes beginSize, endSize; ///< on the lines where it begins and ends; of parts that fill all of a rectangle the same
        enum class Kind : std::uint8_t { piece, series, parallel, wheel } kind = Kind::piece;
        /// Parts; those of a parallel one from bottom to top. Of a wheel: the two at the bottom from first to last, the one in
        /// the middle, the two at the top from first to last. It may be upside down.
        std::vector<std::int32_t> children = {};
        std::int32_t beginLine = -1, endLine = -1; ///< -1: not known
        bool melted = false;                       ///< into another one, or loose
        bool loose = false;                        ///< left out of all lines, with all that has melted into it
    };
    struct Line {
        std::int32_t event;
        std::set<std::int32_t> ends, begins; ///< parts
        Bytes bytes = 0;                     ///< their sum, on each side
        double chance = 0;                   ///< that they are equal by accident, about
    };
    /// Lines that are not to be trusted: event and sum.
    using Doubts = std::set<std::pair<std::int32_t, Bytes>>;

    /// Of pieces that fill all of a rectangle. Part i is piece i. Lines in `doubts` are left open; they outlive the graph.
    LineGraph(std::span<const Piece> pieces, const Doubts& doubts);
    /// Melts until no line is left whose sum is that of an unlikely accident: those expected to come by chance more than
    /// `mostChance` times are left open.
    void melt(double mostChance, const std::function<bool()>& stop);
    /// The lines around and inside these parts, or else, when those are sure, all at these events or before: those that are more
    /// likely an accident first; without those that are sure.
    [[nodiscard]] std::vector<std::pair<std::int32_t, Bytes>> doubtful(std::span<const std::int32_t> parts,
                                                                       std::int32_t lastEvent) const;

    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
    /// Known lines, in order of making; melted ones are empty.
    [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
    [[nodiscard]] std::int32_t events() const { return static_cast<std::int32_t>(openEnds_.size()); }
    /// Parts that end or begin at an event on a line that is not known.
    [[nodiscard]] const std::set<std::int32_t>& openEnds(std::int32_t event) const
    {
        return openEnds_[static_cast<std::size_t>(event)];
    }
    [[nodiscard]] const std::set<std::int32_t>& openBegins(std::int32_t event) const
    {
        return openBegins_[static_cast<std::size_t>(event)];
    }

protected:
    struct Candidate {
        double chance = 1e300;
        std::vector<std::int32_t> ends = {}, begins = {}; ///< parts
    };
    /// Pieces smaller than `looseBelow` are loose from the start.
    LineGraph(std::span<const Piece> pieces, const Doubts& doubts, Bytes looseBelow);
    using Units = std::vector<std::vector<std::int32_t>>;
    [[nodiscard]] Units units(const std::set<std::int32_t>& side, bool ends) const;
    void consider(std::int32_t event);
    bool surest(std::int32_t event, const Units& ends, const Units& begins, std::size_t most, double chanceOfWhole,
                Candidate& best) const;
    void decide(std::int32_t event, const std::vector<std::int32_t>& ends, const std::vector<std::int32_t>& begins,
                double chance);
    void settle();
    void joinSeries(std::int32_t line);
    void joinParallel(std::int32_t part);
    void joinWheelsAt(std::int32_t line);
    void joinWheel(std::int32_t firstLine);
    std::int32_t add(Part part);
    void replace(std::int32_t old, std::int32_t by, bool atBegin, bool atEnd);

    const Doubts& doubts_;
    std::vector<Part> parts_;
    std::vector<Line> lines_;
    std::vector<std::set<std::int32_t>> openEnds_, openBegins_;             ///< by event
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> between_; ///< two lines -> the part between them
    std::vector<std::int32_t> linesToSettle_, partsToSettle_;
    std::vector<Candidate> best_;  ///< by event; no parts: none
    std::set<std::int32_t> dirty_; ///< events to consider
};

} // namespace stowage::exact

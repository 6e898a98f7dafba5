// The large lines of a rectangle cut into many pieces, where small pieces blur the sums.
#pragma once

#include "core/ir/random.h"
#include "core/planners/rectangles/line_graph.h"

#include <vector>

namespace stowage::exact {

/// What one attempt does differently from the next.
struct CoarseRules {
    double looseFirst = 0.003; ///< share of the height that the pieces loose from the start may have at any step
    double looseMost = 0.02;   ///< … and all that become loose
    double unitFactor = 20;    ///< by how much less a line is believed that was found by taking parts together; 0: none is
    double noise = 0;          ///< of the order in which lines are guessed; 0: none
    std::uint64_t seed = 0;
};

/// About two to the power of `exponent`: exact where it is a whole number, on a straight line in between (at most 6.2 % more). Of
/// correctly rounded operations only, so that it is the same number on every machine, which `std::exp` need not be; guesses are
/// put in order by it.
double roughPowerOfTwo(double exponent);

/// A line graph for rectangles cut into thousands of pieces. There, hundreds of pieces have some dozens of bytes only; sums of
/// those are equal by accident everywhere, and one wrong line among the small ones spoils the sums of all large ones around it.
/// So small pieces are *loose*: they may take part in the sum of any line where they end or begin, but belong to none, and are
/// placed last, in what the others leave free. That is room enough, as they had it in the rectangle.
///
///  - The smallest pieces are loose from the start.
///  - A line is believed when few sets of as many parts and loose pieces would be expected to have equal sums by accident. What
///  is left over on
///    an event when a line is taken away has equal sums too; so of both sides the smaller one counts.
///  - When no line is sure, the smallest part that still has an open end becomes loose, until enough is.
///  - Then lines are guessed, those first that can do the least harm.
///
/// Sums of a line are no longer equal, so parts have a size at their begin, one at their end, and the one that they need in
/// between.
class CoarseGraph : public LineGraph {
public:
    /// `height`: of the rectangle, in bytes. Pieces with begin < end, size > 0.
    CoarseGraph(std::span<const Piece> pieces, Bytes height, const CoarseRules& rules);
    /// Melts all that it can. Afterwards the parts neither melted nor loose are what is left.
    void melt(const std::function<bool()>& stop);
    /// Sets of sizes looked at, some nanoseconds each.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    struct Guess {
        Candidate line;
        double harm = 0; ///< bytes
    };
    using Units = std::vector<std::vector<std::int32_t>>;
    static Bytes looseBelow(std::span<const Piece> pieces, Bytes height, double share);
    void consider(std::int32_t event);
    void consider(std::int32_t event, const Units& ends, const Units& begins, double factor);
    void take(std::int32_t event);
    void setLoose(std::int32_t part);
    bool loosenSmallest();

    Bytes height_;
    CoarseRules rules_;
    std::vector<std::vector<std::int32_t>> looseEnds_, looseBegins_; ///< by event
    std::vector<Bytes> looseLive_;                                   ///< from each event to the next
    std::vector<Guess> guesses_;                                     ///< by event; no begins: none
    std::size_t mostSums_;
    Dice dice_;
    std::uint64_t work_ = 0;
};

} // namespace stowage::exact

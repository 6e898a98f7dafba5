// The lines that the parts which end and begin at one step may be on.
#pragma once

#include "core/planners/rectangles/equal_sums.h"
#include "core/planners/rectangles/line_graph.h"

#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace stowage::exact {

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
    /// `possible` tells for parts that end whether they can be on one line; it outlives this, as does the graph.
    Groupings(const LineGraph& graph, std::vector<std::int32_t> ends, std::vector<std::int32_t> begins, const Possible& possible);
    /// Those of more lines first. May be called once.
    std::vector<Grouping> all();

private:
    using Members = std::vector<std::int32_t>;
    using Kinds = std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, Bytes>>;

    void add(const Grouping& grouping);
    [[nodiscard]] bool isFree(const EqualSums& line) const;
    void mark(const EqualSums& line, bool to);
    void extend();

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

} // namespace stowage::exact

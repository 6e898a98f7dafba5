// The free bytes of a pool over time, divided into cells. Finds the smallest gap without reading the occupied spans around it.
#pragma once

#include "core/planners/placement/cell_tree.h"
#include "core/planners/placement/highest.h"
#include "core/planners/placement/span_set.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

/// A cell is a gap between two occupied spans that does not change during a range of time (the vertical decomposition of the free
/// space, with time and addresses as axes). The free bytes above all occupied spans are not a cell; their lower end is stored by
/// time.
///
/// Cells within one block of time are in a list of that block. Every other cell is stored at one node of an interval tree over
/// the blocks: the highest node whose first rank the cell contains. All cells of a node exist at that rank, so no two of them
/// overlap in addresses, and a CellTree finds the smallest one, or the one at an address, that exists at another rank. The cells
/// that exist at a rank are at the O(log blocks) nodes above its block, and in the list of the block.
///
/// Memory: O(occupied spans), as there are at most a few cells for each span. A query takes O(log^2) for each cell that it
/// examines; an insertion takes O(log^2) for each cell that the new span overlaps. `work` counts both.
class FreeCells {
public:
    /// At first all bytes are free. `grid` must outlive this object.
    explicit FreeCells(const TimeGrid& grid);

    /// Marks `span` as occupied during `stretch`. Requires that it is free there.
    void insert(Ranks stretch, Span span);
    /// The result of `findGap` over all spans that are occupied at some rank of `stretch`, by the rule `GapRule::smallest`.
    /// `begun`: the spans that become occupied after the first rank of `stretch`, ascending; the query examines the cells that
    /// they overlap. Requires that all inserted spans begin and end at multiples of the query's alignment.
    [[nodiscard]] std::optional<GapAnswer> findGap(Ranks stretch, const GapQuery& query, std::span<const Span> begun);
    /// The same for a stretch of any length, without a list of the spans that begin in it. Follows each cell at `fullest`, a rank
    /// of the stretch, that is large enough to both ends of the stretch, through adjacent cells, until no part of it is large
    /// enough. Examines few cells if almost all bytes are occupied at `fullest`.
    [[nodiscard]] std::optional<GapAnswer> findGapFrom(std::int32_t fullest, Ranks stretch, const GapQuery& query);
    /// Number of cells that `insert` has cut and `findGapFrom` has examined so far.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    struct Node {
        CellTree<BySize> bySize;
        CellTree<ByAddress> byAddress;
    };
    using Tops = std::map<std::int32_t, Bytes>; ///< end of the highest occupied span, by the rank from which it holds

    void addCell(const Cell& cell);
    void removeCell(const Cell& cell);
    [[nodiscard]] std::size_t nodeOf(std::int32_t firstBlock, std::int32_t lastBlock) const;
    [[nodiscard]] Cell cellAt(std::int32_t rank, Bytes address) const;
    template <typename Visit>
    void forEachNodeAt(std::int32_t block, Visit visit) const;
    template <typename Visit>
    void forEachMet(std::int32_t rank, Span bytes, Visit visit) const;
    template <typename Visit>
    void forEachMetAtNodes(std::int32_t rank, Span bytes, Visit visit) const;
    template <typename Visit>
    void forEachOfSizeAtNodes(std::int32_t rank, Bytes size, Visit visit) const;
    void follow(std::vector<Span>& free, Ranks time, Ranks stretch, Bytes size);
    [[nodiscard]] Ranks keepFreeAt(std::int32_t rank, std::vector<Span>& spans, Bytes size);
    [[nodiscard]] std::int32_t lastAbove(Ranks stretch, Bytes height) const;
    [[nodiscard]] std::int32_t firstAbove(Ranks stretch, Bytes height) const;
    Tops::iterator splitTops(std::int32_t rank);
    [[nodiscard]] Bytes topAt(std::int32_t rank) const { return std::prev(tops_.upper_bound(rank))->second; }

    const TimeGrid* grid_;
    std::vector<Node> nodes_;                 ///< by the block whose first rank all cells of the node contain
    std::vector<std::vector<Cell>> inBlocks_; ///< by block
    Tops tops_;
    HighestByBlock highest_;
    std::uint64_t work_ = 0;
    std::vector<Span> met_, kept_, free_;  ///< scratch; the last span of `free_` may be unbounded (`maxBytes`)
    std::vector<Cell> there_, candidates_; ///< scratch
};

} // namespace stowage

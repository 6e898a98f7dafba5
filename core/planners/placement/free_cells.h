// The free bytes of a pool over time, cut into cells: finds the smallest gap without reading what is occupied around it.
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

/// A cell is a gap between two occupied spans that stays the same for a stretch of time (the vertical decomposition of the free
/// space, with time as one axis and addresses as the other). Above everything that is occupied at a time there is no cell, but
/// the height of that is kept by time.
///
/// Cells inside one block of time are a list of that block. Every other cell is kept at one node of an interval tree over the
/// blocks: the highest node whose first moment the cell contains. The cells of a node share that moment, so no two of them
/// overlap in addresses, and a CellTree finds among them the smallest or the one at an address that is there at another moment.
/// What is there at a moment lies at the O(log blocks) nodes above its block.
///
/// Memory O(occupied), as there are at most a few cells for each thing that is occupied. A question takes O(log^2) for each cell
/// that it looks at, adding as much for each cell that the new span crosses; both are counted.
class FreeCells {
public:
    /// `grid` outlives it. Everything is free.
    explicit FreeCells(const TimeGrid& grid);

    /// `span` becomes occupied during `stretch`; it was free.
    void insert(Ranks stretch, Span span);
    /// As `findGap` over everything that is occupied at some time of `stretch`, by the rule of the smallest gap. `begun`: the
    /// spans that become occupied after its first rank, ascending; for each of them the cells that it meets are looked at.
    /// Requires that everything inserted begins and ends at a multiple of the query's alignment.
    [[nodiscard]] std::optional<GapAnswer> findGap(Ranks stretch, const GapQuery& query, std::span<const Span> begun);
    /// The same for a stretch of any length without a list of what begins in it. Each cell at `fullest`, a rank of the stretch,
    /// that is large enough is followed to both ends of the stretch, through the cells that it goes on in, until nothing large
    /// enough is left of it. Few cells are looked at when nearly everything is occupied at that rank.
    [[nodiscard]] std::optional<GapAnswer> findGapFrom(std::int32_t fullest, Ranks stretch, const GapQuery& query);
    /// Cells that were cut by what was inserted or looked at by `findGapFrom` so far: the work.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    struct Node {
        CellTree<BySize> bySize;
        CellTree<ByAddress> byAddress;
    };
    using Tops = std::map<std::int32_t, Bytes>; ///< height of what is occupied, by the rank from which it holds

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
    std::vector<Node> nodes_;                 ///< by the block whose first rank is the moment shared
    std::vector<std::vector<Cell>> inBlocks_; ///< by block
    Tops tops_;
    HighestByBlock highest_;
    std::uint64_t work_ = 0;
    std::vector<Span> met_, kept_, free_;  ///< scratch; the last of `free_` may have no end (`maxBytes`)
    std::vector<Cell> there_, candidates_; ///< scratch
};

} // namespace stowage

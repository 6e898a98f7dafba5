// The free bytes of a pool over time, cut into cells: finds the smallest gap at one moment without reading what lies around it.
#pragma once

#include "core/planners/placement/span_set.h"
#include "core/planners/placement/time_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

/// A sorted list that is cut into short arrays, so that adding moves few elements. Finding and adding O(log n + chunk).
template <typename T>
class ChunkedList {
public:
    struct Place {
        std::size_t chunk = 0, index = 0;
    };

    void add(const T& value)
    {
        if (chunks_.empty()) chunks_.emplace_back();
        Place at = lowerBound(value);
        if (at.chunk == chunks_.size()) at = {chunks_.size() - 1, chunks_.back().size()};
        std::vector<T>& chunk = chunks_[at.chunk];
        chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(at.index), value);
        if (chunk.size() <= maxInChunk) return;
        const auto half = chunk.begin() + static_cast<std::ptrdiff_t>(chunk.size() / 2);
        std::vector<T> upper(half, chunk.end());
        chunk.erase(half, chunk.end());
        chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(at.chunk) + 1, std::move(upper));
    }
    /// `value` is in the list.
    void remove(const T& value)
    {
        const Place at = lowerBound(value);
        std::vector<T>& chunk = chunks_[at.chunk];
        chunk.erase(chunk.begin() + static_cast<std::ptrdiff_t>(at.index));
        if (chunk.empty()) chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(at.chunk));
    }
    /// The first element that is not below `value`.
    [[nodiscard]] Place lowerBound(const T& value) const
    {
        const auto chunk = std::partition_point(chunks_.begin(), chunks_.end(),
                                                [&](const std::vector<T>& c) { return c.empty() || c.back() < value; });
        if (chunk == chunks_.end()) return {chunks_.size(), 0};
        const auto index = std::lower_bound(chunk->begin(), chunk->end(), value);
        return {static_cast<std::size_t>(chunk - chunks_.begin()), static_cast<std::size_t>(index - chunk->begin())};
    }
    /// The element at a place and the way on; null at the end.
    [[nodiscard]] const T* at(Place place) const
    {
        return place.chunk < chunks_.size() && place.index < chunks_[place.chunk].size() ? &chunks_[place.chunk][place.index]
                                                                                         : nullptr;
    }
    [[nodiscard]] Place next(Place place) const
    {
        return place.index + 1 < chunks_[place.chunk].size() ? Place{place.chunk, place.index + 1} : Place{place.chunk + 1, 0};
    }
    /// The element before a place; null at the first.
    [[nodiscard]] const T* before(Place place) const
    {
        if (place.index > 0) return &chunks_[place.chunk][place.index - 1];
        return place.chunk > 0 ? &chunks_[place.chunk - 1].back() : nullptr;
    }
    [[nodiscard]] bool empty() const { return chunks_.empty(); }

private:
    static constexpr std::size_t maxInChunk = 256;
    std::vector<std::vector<T>> chunks_; ///< none is empty, but the only one of a new list
};

/// A cell is a gap between two occupied spans that stays the same for a stretch of time (the vertical decomposition of the free
/// space, with time as one axis and addresses as the other). Above everything that is occupied at a time there is no cell, but
/// the height of that is kept by time. There are at most a few cells for each thing that is occupied, so memory is O(occupied log
/// blocks). For what is live in one block of time only (see `findGap`) a question takes O(log^2), however many neighbours there
/// are; adding takes as much for each cell that the new span crosses.
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
    /// Disjoint spans, ascending, that leave at `rank` the cells of at least `size` bytes free, and no other byte below the top;
    /// nothing when there are more than `most` such cells. Valid until the next question.
    [[nodiscard]] std::span<const Span> occupiedAt(std::int32_t rank, Bytes size, std::size_t most);
    /// Cells that were cut by what was inserted so far: the work.
    [[nodiscard]] std::uint64_t cut() const { return cut_; }

private:
    struct Cell {
        Ranks time;
        Span bytes;
    };
    struct BySize {
        Bytes size = 0;
        Bytes low = 0;
        auto operator<=>(const BySize&) const = default;
    };
    struct ByAddress {
        Bytes low = 0;
        std::uint32_t cell = 0;
        auto operator<=>(const ByAddress&) const = default;
    };
    /// Cells that are there during all of a node's time, each at the fewest nodes; and, at blocks, those during a part of it.
    struct Node {
        ChunkedList<BySize> bySize;
        ChunkedList<ByAddress> byAddress;
        struct Partial {
            Cell cell; ///< again, as these are read one after the other
            std::uint32_t id = 0;
        };
        std::vector<Partial> partial;
    };
    using Tops = std::map<std::int32_t, Bytes>; ///< height of what is occupied, by the rank from which it holds

    void addCell(const Cell& cell);
    void removeCell(std::uint32_t id);
    [[nodiscard]] std::uint32_t cellAt(std::int32_t rank, Bytes address) const;
    template <typename Visit>
    void forEachNode(const Cell& cell, Visit visit);
    template <typename Visit>
    void forEachMet(std::int32_t rank, Span bytes, Visit visit) const;
    Tops::iterator splitTops(std::int32_t rank);
    [[nodiscard]] Bytes topAt(std::int32_t rank) const { return std::prev(tops_.upper_bound(rank))->second; }

    TimeTree tree_;
    std::vector<Node> nodes_;
    std::vector<Cell> cells_;
    std::vector<std::uint32_t> unused_; ///< numbers of cells that are gone
    Tops tops_;
    std::uint64_t cut_ = 0;
    std::vector<Span> met_, occupied_; ///< scratch
};

} // namespace stowage

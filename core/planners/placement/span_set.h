// Occupied bytes as sorted spans, and the search for a gap between them.
#pragma once

#include "core/ir/checked.h"
#include "core/ir/types.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

/// Bytes [low, high) of a pool.
struct Span {
    Bytes low = 0;
    Bytes high = 0;

    friend bool operator==(const Span&, const Span&) = default;
};

/// A union of spans: ascending, disjoint, and no two of them touch. Stacked buffers melt into one span, which is what keeps
/// such sets short however many buffers went in.
class SpanSet {
public:
    /// Adds [span.low, span.high); nothing when it is empty. O(log size) to find the place, O(size) to move.
    void add(Span span);
    void clear() { spans_.clear(); }
    [[nodiscard]] std::span<const Span> spans() const { return spans_; }
    [[nodiscard]] bool empty() const { return spans_.empty(); }

private:
    std::vector<Span> spans_;
};

/// Which of the places between occupied spans a planner takes.
enum class GapRule : std::uint8_t {
    smallest, ///< the smallest gap that fits, the lowest of equals; without one, above everything
    first,    ///< the lowest gap that fits; without one, above everything
    above,    ///< always above everything
};

/// Where a buffer goes.
struct GapQuery {
    Bytes size = 0;
    Bytes alignment = 1; ///< of the offset
    Bytes limit = 0;     ///< offset + size does not exceed it
    GapRule rule = GapRule::smallest;
};

struct GapAnswer {
    Bytes offset = 0;
    bool between = false; ///< in a gap below an occupied span; false: above everything
};

/// The search for a gap, as occupied spans come by from the bottom up.
class GapSearch {
public:
    explicit GapSearch(const GapQuery& query) : query_(query) {}
    /// One past the highest byte seen so far.
    [[nodiscard]] Bytes end() const { return end_; }
    /// The next span begins at `low`. True when the gap below it settles the question.
    bool gapBefore(Bytes low)
    {
        // Alignment costs a division, so it is looked at only where the bare gap is large enough; few are.
        if (low - end_ < query_.size) [[likely]]
            return false;
        const Bytes start = alignUp(end_, query_.alignment);
        return consider(start, low - start);
    }
    /// Everything below `high` is passed.
    void raise(Bytes high) { end_ = std::max(end_, high); }
    /// The place, when all spans have come by. Nothing when none is inside the limit.
    [[nodiscard]] std::optional<GapAnswer> answer() const;

private:
    bool consider(Bytes start, Bytes gap);

    GapQuery query_;
    Bytes end_ = 0;
    Bytes bestGap_ = maxBytes;
    Bytes best_ = -1;
};

/// Finds the offset for a buffer among `occupied`, which is ascending by `low` and may overlap itself. A gap's size is
/// what is left of it above its aligned start. Nothing when no place is inside the limit. O(occupied).
[[nodiscard]] std::optional<GapAnswer> findGap(std::span<const Span> occupied, const GapQuery& query);

} // namespace stowage

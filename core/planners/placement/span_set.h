// Occupied bytes as a sorted set of spans, and the search for a gap between spans.
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

/// A union of spans: ascending, disjoint, not adjacent. Adjacent spans are joined, so a set stays small when many buffers lie on
/// top of each other.
class SpanSet {
public:
    /// Adds [span.low, span.high); an empty span has no effect. O(size).
    void add(Span span);
    void clear() { spans_.clear(); }
    [[nodiscard]] std::span<const Span> spans() const { return spans_; }
    [[nodiscard]] bool empty() const { return spans_.empty(); }

private:
    std::vector<Span> spans_;
};

/// Which gap between occupied spans a planner takes.
enum class GapRule : std::uint8_t {
    smallest, ///< the smallest gap that fits, of equal ones the lowest; otherwise above all spans
    first,    ///< the lowest gap that fits; otherwise above all spans
    above,    ///< always above all spans
};

/// The requirements for the place of a buffer.
struct GapQuery {
    Bytes size = 0;
    Bytes alignment = 1; ///< of the offset
    Bytes limit = 0;     ///< offset + size does not exceed it
    GapRule rule = GapRule::smallest;
};

struct GapAnswer {
    Bytes offset = 0;
    bool between = false; ///< true: in a gap below an occupied span; false: above all spans
};

/// The search for a gap, one occupied span at a time, in ascending order.
class GapSearch {
public:
    explicit GapSearch(const GapQuery& query) : query_(query) {}
    /// One past the highest byte seen so far.
    [[nodiscard]] Bytes end() const { return end_; }
    /// Considers the gap below the next span, which begins at `low`. True if the search can end.
    bool gapBefore(Bytes low)
    {
        // Alignment needs a division, so it is computed only for gaps that are large enough; few are.
        if (low - end_ < query_.size) [[likely]]
            return false;
        const Bytes start = alignUp(end_, query_.alignment);
        return consider(start, low - start);
    }
    /// Moves the end of the spans seen so far up to `high`.
    void raise(Bytes high) { end_ = std::max(end_, high); }
    /// The place, after all spans. No value if no place is within the limit.
    [[nodiscard]] std::optional<GapAnswer> answer() const;

private:
    bool consider(Bytes start, Bytes gap);

    GapQuery query_;
    Bytes end_ = 0;
    Bytes bestGap_ = maxBytes;
    Bytes best_ = -1;
};

/// Finds the offset for a buffer among the spans `occupied`, which are ascending by `low` and may overlap. The size of a gap
/// counts from its first aligned address. No value if no place is within the limit. O(occupied).
[[nodiscard]] std::optional<GapAnswer> findGap(std::span<const Span> occupied, const GapQuery& query);

} // namespace stowage

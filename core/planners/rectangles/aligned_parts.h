// Where parts of a rectangle cut into pieces can begin so that each piece in them lies at a multiple of its alignment.
#pragma once

#include "core/planners/rectangles/line_graph.h"

#include <cstdint>
#include <vector>

namespace stowage::exact {

/// For each part of a line graph the offsets, modulo a common multiple of all alignments, that it can have: of one piece the
/// multiples of its alignment, of a series those that all of its parts can have, of parallel parts those from which they can be
/// stacked in some order, of a wheel those that it can have either way up. Those of up to twelve parallel parts are found by
/// dynamic programming over all sets of them; more are shuffled some times and stacked in groups, which finds some offsets,
/// mostly nearly all.
class AlignedParts {
public:
    AlignedParts(std::span<const Piece> pieces, const std::vector<LineGraph::Part>& parts);
    /// False when the alignments have a common multiple beyond 2^14; then nothing else may be asked.
    [[nodiscard]] bool usable() const { return usable_; }
    /// Words of sets looked at, some nanoseconds each.
    [[nodiscard]] std::uint64_t work() const { return work_; }
    /// Parts for which no offset was found, though there are some for each that melted into them.
    [[nodiscard]] const std::vector<std::int32_t>& impossible() const { return impossible_; }
    [[nodiscard]] bool canBegin(std::int32_t part, Bytes offset) const;
    /// The lowest offset from `from` on, below `end`, that the part can have; else `end`.
    [[nodiscard]] Bytes nextBegin(std::int32_t part, Bytes from, Bytes end) const;
    /// Writes the offsets of all pieces of a part that begins at `offset`, where it can.
    void place(std::int32_t part, Bytes offset, std::vector<Bytes>& offsets) const;

private:
    using Bits = std::vector<std::uint64_t>; ///< by offset modulo `modulus_`; empty: all
    [[nodiscard]] Bits stack(std::span<const std::int32_t> children, std::vector<Bits>* bySet) const;
    [[nodiscard]] Bits stackInGroups(std::span<const std::int32_t> children) const;
    [[nodiscard]] std::vector<std::int32_t> shuffled(std::int32_t part, std::uint64_t attempt) const;
    Bytes placeGroup(std::span<const std::int32_t> children, Bytes low,
                     std::vector<std::pair<std::int32_t, Bytes>>& placed) const;
    [[nodiscard]] Bits wheel(std::span<const std::int32_t> children) const;
    [[nodiscard]] std::array<Bytes, 5> sizesOf(std::span<const std::int32_t> wheel) const;
    [[nodiscard]] Bits shifted(const Bits& bits, Bytes by) const;
    [[nodiscard]] bool has(const Bits& bits, Bytes offset) const;
    void meet(Bits& bits, const Bits& other) const;

    const std::vector<LineGraph::Part>& parts_;
    bool usable_ = true;
    Bytes modulus_ = 64;       ///< a multiple of 64
    std::vector<Bits> begins_; ///< by part
    std::vector<std::int32_t> impossible_;
    mutable std::uint64_t work_ = 0;
};

} // namespace stowage::exact

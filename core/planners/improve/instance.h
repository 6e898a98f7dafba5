// The input of the improver: the buffers of one pool and their sections.
#pragma once

#include "core/ir/problem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace stowage::improve {

/// Half-open range of sections.
struct SectionRange {
    std::int32_t begin = 0;
    std::int32_t end = 0;
};

/// The smallest multiple of `alignment` (>= 1) at or above `offset` (>= 0).
inline std::int32_t alignedUp(std::int32_t offset, std::int32_t alignment)
{
    return alignment <= 1 ? offset : (offset + alignment - 1) / alignment * alignment;
}

/// The buffers of one pool, with sizes, alignments and pins in units of their greatest common divisor. A buffer with several
/// slots has one entry for each slot; here "buffer" means an entry, given by its index.
///
/// A section is a maximal set of buffers that are live at one step. Sections are in order of time, so a live range covers
/// consecutive sections; windows count as live ranges. Sections only guide the search. `neighbours` determines which buffers must
/// not overlap: it includes explicit conflicts, and no pairs that may share.
struct Instance {
    std::vector<BufferId> buffers;   ///< id in the problem, by index; empty in an instance made by `part`
    Bytes unit = 1;                  ///< bytes
    std::vector<std::int32_t> sizes; ///< in units, > 0
    /// What a buffer adds to the load of its sections, in units: its size. Among buffers that may share, directly or through
    /// others, only the largest counts; the others have load 0.
    std::vector<std::int32_t> loads;
    std::vector<std::int32_t> alignments; ///< in units, >= 1
    std::vector<std::int32_t> pins;       ///< in units; -1: not pinned. Of several slots only the first is pinned
    std::int32_t sections = 0;
    std::vector<SectionRange> ranges;        ///< of all buffers, see `rangesOf`
    std::vector<std::int32_t> rangeBegin{0}; ///< first index into `ranges`, by buffer; one more at the end
    std::vector<std::int32_t> neighbours;    ///< of all buffers, see `neighboursOf`
    std::vector<std::int64_t> neighbourBegin{0};
    bool sharing = false; ///< true if some buffers may share
    bool plain = true;    ///< each buffer has one range, and two buffers are neighbours if and only if their ranges overlap

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(sizes.size()); }
    /// The sections that buffer i covers, ascending.
    [[nodiscard]] std::span<const SectionRange> rangesOf(std::int32_t i) const
    {
        const auto k = static_cast<std::size_t>(i);
        return std::span(ranges).subspan(static_cast<std::size_t>(rangeBegin[k]),
                                         static_cast<std::size_t>(rangeBegin[k + 1] - rangeBegin[k]));
    }
    /// The buffers that must not overlap with buffer i.
    [[nodiscard]] std::span<const std::int32_t> neighboursOf(std::int32_t i) const
    {
        const auto k = static_cast<std::size_t>(i);
        return std::span(neighbours)
            .subspan(static_cast<std::size_t>(neighbourBegin[k]),
                     static_cast<std::size_t>(neighbourBegin[k + 1] - neighbourBegin[k]));
    }
    /// The largest load of a section, in units: a lower bound of the height. O(sections covered).
    [[nodiscard]] std::int32_t heaviestSection() const;

    /// Prepares the buffers `members` of `pool`. With `Axis::dag`, the sections are those of the order that the live ranges show,
    /// and only explicit conflicts count. No value if the sum of sizes exceeds 2^30 units, or if there are fewer than 2 or more
    /// than 10,000 entries, or more than 2^26 pairs of neighbours. O(n log n + neighbours).
    static std::optional<Instance> make(const Problem& problem, PoolId pool, std::span<const BufferId> members);

    /// The instance of the buffers `members` (ascending) alone: its buffer k is members[k]. `indexOf` is scratch with -1 for each
    /// buffer of this instance, before and after the call. O(members log members + neighbours of the members).
    [[nodiscard]] Instance part(std::span<const std::int32_t> members, std::vector<std::int32_t>& indexOf) const;

    /// Converts `ranges` from steps of any numbering to sections, and sets `sections`. O(ranges log ranges).
    void cutSections();
};

} // namespace stowage::improve

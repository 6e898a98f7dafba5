// The input of the improver: the buffers of one pool, and the sections in which they are live together.
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

/// The least multiple of `alignment` (>= 1) that is at least `offset` (>= 0).
inline std::int32_t alignedUp(std::int32_t offset, std::int32_t alignment)
{
    return alignment <= 1 ? offset : (offset + alignment - 1) / alignment * alignment;
}

/// One pool of a problem with sizes, alignments and pins in units of their greatest common divisor. A buffer that needs several
/// slots stands there once for each slot; "buffer" means such an entry, named by its index.
///
/// A section is a maximal set of buffers that are live at one step. Sections are in order of time, so a live range covers
/// consecutive ones; windows count as live ranges. Sections only guide the search; which buffers must not overlap is what
/// `neighbours` says, which also holds explicit conflicts and leaves out pairs that may share.
struct Instance {
    std::vector<BufferId> buffers;   ///< id in the problem, by index; empty in an instance made by `part`
    Bytes unit = 1;                  ///< bytes
    std::vector<std::int32_t> sizes; ///< in units, > 0
    /// What a buffer adds to the sum of its sections: its size. Of buffers that may share, directly or through others, only the
    /// largest one counts; the loads of the others are 0.
    std::vector<std::int32_t> loads;
    std::vector<std::int32_t> alignments; ///< in units, >= 1
    std::vector<std::int32_t> pins;       ///< in units; -1: free. Of several slots the first one is pinned
    std::int32_t sections = 0;
    std::vector<SectionRange> ranges;        ///< of all buffers, see `rangesOf`
    std::vector<std::int32_t> rangeBegin{0}; ///< into `ranges`, by index; one more at the end
    std::vector<std::int32_t> neighbours;    ///< of all buffers, see `neighboursOf`
    std::vector<std::int64_t> neighbourBegin{0};
    bool sharing = false; ///< some buffers may share
    bool plain = true;    ///< each buffer has one range, and two of them are neighbours exactly where their ranges meet

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(sizes.size()); }
    /// Sections that buffer i covers, ascending.
    [[nodiscard]] std::span<const SectionRange> rangesOf(std::int32_t i) const
    {
        const auto k = static_cast<std::size_t>(i);
        return std::span(ranges).subspan(static_cast<std::size_t>(rangeBegin[k]),
                                         static_cast<std::size_t>(rangeBegin[k + 1] - rangeBegin[k]));
    }
    /// Buffers that must not overlap with i.
    [[nodiscard]] std::span<const std::int32_t> neighboursOf(std::int32_t i) const
    {
        const auto k = static_cast<std::size_t>(i);
        return std::span(neighbours)
            .subspan(static_cast<std::size_t>(neighbourBegin[k]),
                     static_cast<std::size_t>(neighbourBegin[k + 1] - neighbourBegin[k]));
    }
    /// Largest sum of loads in one section, in units: no layout is lower. O(sections covered).
    [[nodiscard]] std::int32_t heaviestSection() const;

    /// Prepares the buffers `members` of `pool`. With an axis of `dag` the sections are those of the order that the live ranges
    /// illustrate; they guide the search, and conflicts are the explicit ones. Nothing where the improver has no use: sizes whose
    /// sum exceeds 2^30 units, fewer than 2 or more than 10,000 entries, or more than 2^26 pairs of neighbours.
    /// O(n log n + neighbours).
    static std::optional<Instance> make(const Problem& problem, PoolId pool, std::span<const BufferId> members);

    /// The buffers `members` alone, ascending; index k of the part is members[k]. `indexOf` is scratch: -1 for each buffer of
    /// this instance, before and after. O(members log members + neighbours of the members).
    [[nodiscard]] Instance part(std::span<const std::int32_t> members, std::vector<std::int32_t>& indexOf) const;

    /// Turns `ranges`, which count any steps, into ranges of sections, and sets `sections`. O(ranges log ranges).
    void cutSections();
};

} // namespace stowage::improve

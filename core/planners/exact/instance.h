// The input of the exact search: the buffers of one pool with scaled sizes, and the sections in which they are live together.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace stowage::exact {

/// Half-open range of section indices.
struct SectionRange {
    std::int32_t begin = 0;
    std::int32_t end = 0;
};

/// One pool of a problem, prepared for search. Sizes, alignments and offsets are divided by their greatest common divisor `unit`,
/// so that they fit into 32 bits and the search counts in the smallest step that can matter: in a layout pushed down as far as it
/// goes every offset is a sum of sizes rounded up to alignments, hence a multiple of the unit.
///
/// A section is a maximal set of buffers live at the same step: of all steps, only those are kept whose set is not contained in a
/// neighbour's, as a smaller set's bound follows from the larger one's (after MiniMalloc, Moffitt 2023). Sections are in order of
/// time, so a live range covers consecutive ones.
struct Instance {
    std::vector<BufferId> buffers;        ///< id in the problem, by index
    Bytes unit = 1;                       ///< bytes
    std::vector<std::int32_t> sizes;      ///< in units, by index; > 0
    std::vector<std::int32_t> alignments; ///< in units
    std::vector<std::int32_t> pins;       ///< in units; -1: free. Of several slots the first is pinned
    /// What a buffer adds to the load of its sections: its size, or 0 when it may share with a larger one. Of buffers that may
    /// share, directly or through others, the largest counts, so that the counted ones of a section lie apart.
    std::vector<std::int32_t> loads;
    std::int32_t sections = 0;
    std::vector<Step> steps; ///< by section: a step at which all its buffers are live

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(buffers.size()); }
    /// Sections that buffer i covers: one range for each live range that covers any.
    [[nodiscard]] std::span<const SectionRange> ranges(std::int32_t i) const { return slice(ranges_, rangeStart_, i); }
    /// The same for all buffers: those of buffer i are [rangeStarts()[i], rangeStarts()[i + 1]) of allRanges().
    [[nodiscard]] std::span<const SectionRange> allRanges() const { return ranges_; }
    [[nodiscard]] std::span<const std::int32_t> rangeStarts() const { return rangeStart_; }
    /// Buffers that conflict with i, ascending.
    [[nodiscard]] std::span<const std::int32_t> neighbours(std::int32_t i) const
    {
        return slice(neighbours_, neighbourStart_, i);
    }
    /// Those of them that share no section with it (explicit conflicts).
    [[nodiscard]] std::span<const std::int32_t> explicitOnly(std::int32_t i) const { return slice(explicit_, explicitStart_, i); }

    /// Prepares the members of `pool`. Errors: something that the search cannot represent (windows, values carried into another
    /// iteration), or sizes whose sum exceeds 2^30 units. O(n log n + conflicts).
    static Expected<Instance> make(const Problem& problem, PoolId pool, std::span<const BufferId> members);

private:
    template <typename T>
    static std::span<const T> slice(const std::vector<T>& all, const std::vector<std::int32_t>& start, std::int32_t i)
    {
        const auto index = static_cast<std::size_t>(i);
        return {all.data() + start[index], static_cast<std::size_t>(start[index + 1] - start[index])};
    }
    void makeLoads(const Problem& problem);
    void makeSections(const Problem& problem);
    void makeNeighbours(const Problem& problem);

    std::vector<SectionRange> ranges_;
    std::vector<std::int32_t> rangeStart_;
    std::vector<std::int32_t> neighbours_, neighbourStart_;
    std::vector<std::int32_t> explicit_, explicitStart_;
};

} // namespace stowage::exact

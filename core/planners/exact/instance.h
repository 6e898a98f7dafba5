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

/// The buffers of one pool, prepared for the search. Sizes, alignments and offsets are divided by their greatest common divisor
/// `unit`, so that they fit into 32 bits. This loses no layout: if every buffer is moved to the lowest possible offset, each
/// offset is a sum of sizes, rounded up to alignments, and so a multiple of the unit.
///
/// A section is a set of buffers that are live at one step. Steps whose set is contained in the set of an adjacent step are left
/// out, because the bound of the larger set implies the bound of the smaller one (after MiniMalloc, Moffitt 2023). Sections are
/// in order of time, so a live range covers consecutive sections.
struct Instance {
    std::vector<BufferId> buffers;        ///< id in the problem, by index
    Bytes unit = 1;                       ///< bytes
    std::vector<std::int32_t> sizes;      ///< in units, by index; > 0
    std::vector<std::int32_t> alignments; ///< in units
    std::vector<std::int32_t> pins;       ///< in units; -1: not pinned. Of several slots only the first is pinned
    /// What a buffer adds to the load of its sections, in units: its size; 0 if it may share with a larger buffer. Among buffers
    /// that may share, directly or through others, only the largest counts. So the buffers that count in a section all conflict.
    std::vector<std::int32_t> loads;
    std::int32_t sections = 0;
    std::vector<Step> steps; ///< by section: a step at which all its buffers are live

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(buffers.size()); }
    /// The sections that buffer i covers: one range for each live range that covers a section.
    [[nodiscard]] std::span<const SectionRange> ranges(std::int32_t i) const { return slice(ranges_, rangeStart_, i); }
    /// The ranges of all buffers. Those of buffer i are the elements [rangeStarts()[i], rangeStarts()[i + 1]).
    [[nodiscard]] std::span<const SectionRange> allRanges() const { return ranges_; }
    [[nodiscard]] std::span<const std::int32_t> rangeStarts() const { return rangeStart_; }
    /// The buffers that conflict with buffer i, ascending.
    [[nodiscard]] std::span<const std::int32_t> neighbours(std::int32_t i) const
    {
        return slice(neighbours_, neighbourStart_, i);
    }
    /// The buffers among them that share no section with it (explicit conflicts).
    [[nodiscard]] std::span<const std::int32_t> explicitOnly(std::int32_t i) const { return slice(explicit_, explicitStart_, i); }

    /// Prepares the buffers `members` of `pool`. Errors: a property that the search does not support (windows, carried values),
    /// or a sum of sizes above 2^30 units. O(n log n + conflicts).
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

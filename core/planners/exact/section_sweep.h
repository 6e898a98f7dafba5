// The inner loops of the exact search over sections.
#pragma once

#include "core/planners/exact/instance.h"

#include <cstdint>
#include <span>

namespace stowage::exact {

/// The arrays of the search that the sweeps read and write, as plain pointers: in units, indexed by buffer or by section.
struct SweepArrays {
    // By buffer.
    const SectionRange* ranges = nullptr; ///< all buffers' ranges, those of buffer i from rangeStart[i] to rangeStart[i + 1]
    const std::int32_t* rangeStart = nullptr;
    const std::int32_t* size = nullptr;
    const std::int32_t* lowest = nullptr; ///< lowest offset that it can have
    std::int32_t* topAround = nullptr;    ///< lowest possible end of another buffer of the list in its sections
    std::int32_t* beginAround = nullptr;  ///< lowest possible offset of such a buffer
    // By section.
    std::int32_t* top1 = nullptr; ///< lowest and second lowest end (top) and offset (begin) of the list's buffers
    std::int32_t* top2 = nullptr;
    std::int32_t* begin1 = nullptr;
    std::int32_t* begin2 = nullptr;
    std::int32_t* risen = nullptr;          ///< lowest offset of a buffer that does not lie at its release
    std::int32_t* fillers = nullptr;        ///< number of buffers that can begin at capacity - unplaced or below
    const std::int32_t* unplaced = nullptr; ///< sum of loads of unplaced buffers
};

/// Three sweeps over the sections of all unplaced buffers. They take nine tenths of the time of a search node. They are loops
/// without branches over adjacent 32-bit numbers, so a second version compiled for 256-bit vectors (AVX2) makes a node 3 to 7
/// times faster if live ranges are long. Masked 512-bit vectors, and common blocks of sections for all buffers, were measured and
/// are no faster. The processor decides once which version runs; both give the same numbers.
struct SectionSweeps {
    /// Fills top1, top2, begin1 and begin2 for the sections [first, last) from the buffers in `list`.
    void (*lowestTwo)(const SweepArrays& arrays, std::span<const std::int32_t> list, std::int32_t first, std::int32_t last);
    /// Fills topAround and beginAround for the buffers in `list`; half of the largest 32-bit number if no other buffer shares a
    /// section.
    void (*around)(const SweepArrays& arrays, std::span<const std::int32_t> list);
    /// Fills risen and fillers for the sections [first, last).
    void (*measure)(const SweepArrays& arrays, std::span<const std::int32_t> list, std::int32_t first, std::int32_t last,
                    std::int32_t capacity);
};

/// The fastest version that this processor supports.
const SectionSweeps& sectionSweeps();
/// The version without AVX2, for comparison in tests.
const SectionSweeps& portableSweeps();

} // namespace stowage::exact

// The loops over sections in which the exact search spends its time.
#pragma once

#include "core/planners/exact/instance.h"

#include <cstdint>
#include <span>

namespace stowage::exact {

/// What the sweeps read and write, as plain pointers: the search's own arrays, in units, indexed by buffer or by section.
struct SweepArrays {
    // By buffer.
    const SectionRange* ranges = nullptr; ///< all buffers' ranges, those of buffer i from rangeStart[i] to rangeStart[i + 1]
    const std::int32_t* rangeStart = nullptr;
    const std::int32_t* size = nullptr;
    const std::int32_t* lowest = nullptr; ///< where it can begin
    std::int32_t* topAround = nullptr;    ///< lowest top of another buffer of the list that it meets
    std::int32_t* beginAround = nullptr;  ///< lowest begin of one
    // By section.
    std::int32_t* top1 = nullptr; ///< lowest and second lowest top, and begin, in the list
    std::int32_t* top2 = nullptr;
    std::int32_t* begin1 = nullptr;
    std::int32_t* begin2 = nullptr;
    std::int32_t* risen = nullptr;   ///< lowest begin of a buffer that does not lie at its release
    std::int32_t* fillers = nullptr; ///< buffers that can begin at capacity - unplaced or below
    const std::int32_t* unplaced = nullptr;
};

/// One node of the search makes these three sweeps over the sections of every unplaced buffer; nine tenths of its time go there.
/// They are loops without branches over neighbouring 32-bit numbers, so compiling them once more for 256-bit vectors (AVX2) makes
/// a node 3 to 7 times faster where live ranges are long. (Masked 512-bit vectors, and blocks of sections that are the same for
/// every buffer, were measured too: no faster.) Which version runs is decided once, from the processor; both give the same
/// numbers.
struct SectionSweeps {
    /// Fills top1, top2, begin1, begin2 of the sections [first, last) from the buffers of `list`.
    void (*lowestTwo)(const SweepArrays& arrays, std::span<const std::int32_t> list, std::int32_t first, std::int32_t last);
    /// Fills topAround and beginAround of the buffers of `list`; the largest number / 2 where there is nothing around.
    void (*around)(const SweepArrays& arrays, std::span<const std::int32_t> list);
    /// Fills risen and fillers of the sections [first, last).
    void (*measure)(const SweepArrays& arrays, std::span<const std::int32_t> list, std::int32_t first, std::int32_t last,
                    std::int32_t capacity);
};

/// The fastest that this processor has.
const SectionSweeps& sectionSweeps();
/// Those that every processor has, for comparison.
const SectionSweeps& portableSweeps();

} // namespace stowage::exact

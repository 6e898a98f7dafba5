#include "core/planners/exact/section_sweep.h"

#include <algorithm>
#include <limits>

#if defined(__x86_64__) && defined(__GNUC__)
#define STOWAGE_HAS_AVX2 1
#else
#define STOWAGE_HAS_AVX2 0
#endif

namespace stowage::exact {

namespace {

constexpr std::int32_t noSection = std::numeric_limits<std::int32_t>::max() / 2;

// Inlined into the two versions below, so that each compiles them for its own instructions.
#define STOWAGE_SWEEP [[gnu::always_inline]] inline void

STOWAGE_SWEEP sweepLowestTwo(const SweepArrays& a, std::span<const std::int32_t> list, std::int32_t first, std::int32_t last)
{
    std::int32_t* __restrict top1 = a.top1;
    std::int32_t* __restrict top2 = a.top2;
    std::int32_t* __restrict begin1 = a.begin1;
    std::int32_t* __restrict begin2 = a.begin2;
    for (std::int32_t s = first; s < last; ++s) top1[s] = top2[s] = begin1[s] = begin2[s] = noSection;
    for (const std::int32_t i : list) {
        const std::int32_t begin = a.lowest[i], top = begin + a.size[i];
        for (std::int32_t r = a.rangeStart[i]; r < a.rangeStart[i + 1]; ++r) {
            const SectionRange range = a.ranges[r];
            for (std::int32_t s = range.begin; s < range.end; ++s) {
                top2[s] = std::min(top2[s], std::max(top1[s], top));
                top1[s] = std::min(top1[s], top);
                begin2[s] = std::min(begin2[s], std::max(begin1[s], begin));
                begin1[s] = std::min(begin1[s], begin);
            }
        }
    }
}

STOWAGE_SWEEP sweepAround(const SweepArrays& a, std::span<const std::int32_t> list)
{
    const std::int32_t* __restrict top1 = a.top1;
    const std::int32_t* __restrict top2 = a.top2;
    const std::int32_t* __restrict begin1 = a.begin1;
    const std::int32_t* __restrict begin2 = a.begin2;
    for (const std::int32_t i : list) {
        const std::int32_t begin = a.lowest[i], top = begin + a.size[i];
        std::int32_t topAround = noSection, beginAround = noSection;
        for (std::int32_t r = a.rangeStart[i]; r < a.rangeStart[i + 1]; ++r) {
            const SectionRange range = a.ranges[r];
            for (std::int32_t s = range.begin; s < range.end; ++s) {
                // Without the buffer itself: if it is the lowest, take the second lowest.
                topAround = std::min(topAround, top1[s] == top ? top2[s] : top1[s]);
                beginAround = std::min(beginAround, begin1[s] == begin ? begin2[s] : begin1[s]);
            }
        }
        a.topAround[i] = topAround;
        a.beginAround[i] = beginAround;
    }
}

STOWAGE_SWEEP sweepMeasure(const SweepArrays& a, std::span<const std::int32_t> list, std::int32_t first, std::int32_t last,
                           std::int32_t capacity)
{
    std::int32_t* __restrict risen = a.risen;
    std::int32_t* __restrict fillers = a.fillers;
    const std::int32_t* __restrict unplaced = a.unplaced;
    for (std::int32_t s = first; s < last; ++s) risen[s] = noSection, fillers[s] = 0;
    for (const std::int32_t i : list) {
        const std::int32_t begin = a.lowest[i], higher = std::max(begin, a.topAround[i]), spare = capacity - begin;
        for (std::int32_t r = a.rangeStart[i]; r < a.rangeStart[i + 1]; ++r) {
            const SectionRange range = a.ranges[r];
            for (std::int32_t s = range.begin; s < range.end; ++s) {
                risen[s] = std::min(risen[s], higher);
                fillers[s] += unplaced[s] <= spare ? 1 : 0;
            }
        }
    }
}

using List = std::span<const std::int32_t>;

void lowestTwo(const SweepArrays& a, List list, std::int32_t first, std::int32_t last)
{
    sweepLowestTwo(a, list, first, last);
}
void around(const SweepArrays& a, List list)
{
    sweepAround(a, list);
}
void measure(const SweepArrays& a, List list, std::int32_t first, std::int32_t last, std::int32_t capacity)
{
    sweepMeasure(a, list, first, last, capacity);
}

#if STOWAGE_HAS_AVX2
// Selected manually, not by `target_clones`, which uses indirect functions that sanitizers do not support.
#define STOWAGE_AVX2 [[gnu::target("avx2")]]
STOWAGE_AVX2 void lowestTwoAvx2(const SweepArrays& a, List list, std::int32_t first, std::int32_t last)
{
    sweepLowestTwo(a, list, first, last);
}
STOWAGE_AVX2 void aroundAvx2(const SweepArrays& a, List list)
{
    sweepAround(a, list);
}
STOWAGE_AVX2 void measureAvx2(const SweepArrays& a, List list, std::int32_t first, std::int32_t last, std::int32_t capacity)
{
    sweepMeasure(a, list, first, last, capacity);
}
constexpr SectionSweeps avx2{lowestTwoAvx2, aroundAvx2, measureAvx2};
#endif

constexpr SectionSweeps portable{lowestTwo, around, measure};

} // namespace

const SectionSweeps& portableSweeps()
{
    return portable;
}

const SectionSweeps& sectionSweeps()
{
#if STOWAGE_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) return avx2;
#endif
    return portable;
}

} // namespace stowage::exact

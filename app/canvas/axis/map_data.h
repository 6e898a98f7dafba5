// A plan as rectangles: what lies at which bytes of one pool during which steps. No Qt.
#pragma once

#include "app/canvas/axis/rect_index.h"
#include "core/plan/run.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// What is special about a rectangle, besides where it is.
enum RectFlag : std::uint8_t {
    rectShared = 1,    ///< scratch of an op, or several tensors in one place (views, in-place partners): hatched
    rectWindow = 2,    ///< only a part of the buffer is occupied
    rectCarried = 4,   ///< still live in a later iteration of its loop: hatched
    rectOver = 8,      ///< reaches above the capacity
    rectFallback = 32, ///< not in the first of its candidate pools: a corner in the colour of warnings
    rectTop = 16,      ///< its upper edge is the end of the buffer, padding may follow
};

/// One pool of a plan. A buffer has one rectangle for each combination of a live range (or window, or carried range) and a
/// distinct offset (multi-buffer slots). 64-bit values as planned; everything is sorted as the index is.
struct MapData {
    PoolId pool = none;
    std::string poolName;
    PoolKind kind = PoolKind::workspace;
    Bytes top = 0; ///< size of the pool: highest occupied byte + 1
    std::optional<Bytes> capacity;
    Bytes bound = 0; ///< lower bound of the report; 0: none
    Step steps = 0;  ///< all steps of the problem: [0, steps)
    Bytes grain = 1; ///< offsets are multiples of this; what follows a buffer up to the next multiple is padding
    std::size_t bufferCount = 0;
    std::size_t fallbackCount = 0; ///< buffers that would rather lie in another pool

    RectIndex rects;
    std::vector<BufferId> buffer;    ///< by rectangle
    std::vector<std::uint8_t> flags; ///< by rectangle, of RectFlag
    std::vector<std::uint16_t> slot; ///< by rectangle: which of the distinct offsets, from 0

    /// Rectangles of a buffer, ascending; none when it is not in this pool. O(1).
    [[nodiscard]] std::span<const std::uint32_t> rectsOf(BufferId id) const;
    /// Bytes that the rectangle covers with its padding.
    [[nodiscard]] Bytes paddedHigh(std::size_t rect) const;

    std::vector<std::uint32_t> firstOf; ///< by buffer: into `ofBuffer`; one more at the end
    std::vector<std::uint32_t> ofBuffer;
};

/// True when the buffer lies in another than the first of its candidate pools. O(pools).
[[nodiscard]] bool isFallback(const Problem& problem, const Buffer& buffer, const Placement& placement);

/// Everything of `run` that lies in `pool`. O(n log n); a million buffers take about 0.4 s.
[[nodiscard]] MapData makeMapData(const Run& run, PoolId pool);

/// Pools in which the plan puts something, ascending.
[[nodiscard]] std::vector<PoolId> usedPools(const Run& run);

} // namespace stowage

// A plan as rectangles: the bytes that each buffer of one pool occupies in each step. No Qt.
#pragma once

#include "app/canvas/axis/rect_index.h"
#include "core/plan/run.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// Properties of a rectangle besides its position.
enum RectFlag : std::uint8_t {
    rectShared = 1,    ///< scratch of an op, or several tensors in one place (views, in-place partners): hatched
    rectWindow = 2,    ///< a window: only part of the buffer's bytes is occupied
    rectCarried = 4,   ///< still live in a later iteration of its loop: hatched
    rectOver = 8,      ///< reaches above the capacity
    rectFallback = 32, ///< not in the first of its candidate pools: a corner in the colour of warnings
    rectTop = 16,      ///< its upper edge is the end of the buffer, padding may follow
};

/// One pool of a plan. A buffer has one rectangle for each combination of a live range (or window, or carried range) and a
/// distinct offset (slot). 64-bit values as planned; all lists by rectangle are in the order of the index.
struct MapData {
    PoolId pool = none;
    std::string poolName;
    PoolKind kind = PoolKind::workspace;
    Bytes top = 0; ///< size of the pool: highest occupied byte + 1
    std::optional<Bytes> capacity;
    Bytes bound = 0; ///< lower bound; 0: none
    Step steps = 0;  ///< all steps of the problem: [0, steps)
    Bytes grain = 1; ///< offsets are multiples of this; the bytes from a buffer's end to the next multiple are padding
    std::size_t bufferCount = 0;
    std::size_t fallbackCount = 0; ///< count of buffers whose first candidate is another pool

    RectIndex rects;
    std::vector<BufferId> buffer;    ///< by rectangle
    std::vector<std::uint8_t> flags; ///< by rectangle: combination of RectFlag
    std::vector<std::uint16_t> slot; ///< by rectangle: index of its offset among the buffer's offsets, from 0

    /// Rectangles of a buffer, ascending; empty if it is not in this pool. O(1).
    [[nodiscard]] std::span<const std::uint32_t> rectsOf(BufferId id) const;
    /// The end of the rectangle with its padding, in bytes.
    [[nodiscard]] Bytes paddedHigh(std::size_t rect) const;

    std::vector<std::uint32_t> firstOf; ///< by buffer: into `ofBuffer`; one more at the end
    std::vector<std::uint32_t> ofBuffer;
};

/// Whether the buffer is in another pool than its first candidate. O(pools).
[[nodiscard]] bool isFallback(const Problem& problem, const Buffer& buffer, const Placement& placement);

/// The rectangles of `run` in `pool`. O(n log n); a million buffers take about 0.4 s.
[[nodiscard]] MapData makeMapData(const Run& run, PoolId pool);

/// Pools that the plan uses, ascending.
[[nodiscard]] std::vector<PoolId> usedPools(const Run& run);

} // namespace stowage

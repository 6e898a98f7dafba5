// Occupancy of a pool by bins of addresses and steps, for the heatmap and the command line.
#pragma once

#include "core/plan/plan.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

/// One bin of the grid. Sums are byte-steps: bytes times the steps that they are occupied for.
struct OccupancyCell {
    std::int64_t occupied = 0;
    std::int64_t holes = 0;   ///< byte-steps of free bytes below a live byte, at the same step
    std::int32_t buffers = 0; ///< number of buffers that occupy bytes of the bin

    friend bool operator==(const OccupancyCell&, const OccupancyCell&) = default;
};

/// Size of a bin in steps and in bytes; both are at least 1.
struct BinSizes {
    Step steps = 1;
    Bytes bytes = 1;
    friend bool operator==(const BinSizes&, const BinSizes&) = default;
};
/// Bin sizes that divide `steps` x `bytes` into at most `columns` x `rows` bins. The number of bytes is a power of two.
[[nodiscard]] BinSizes binSizes(Step steps, Bytes bytes, std::int32_t columns, std::int32_t rows);

/// A range of steps and a range of addresses [low, high). Empty: the whole pool.
struct OccupancyWindow {
    Interval steps;
    Bytes low = 0;
    Bytes high = 0;
    friend bool operator==(const OccupancyWindow&, const OccupancyWindow&) = default;
};

/// A grid of bins of `binSteps` x `binBytes`, starting at `firstStep` and `firstByte`. The last column and the last row may reach
/// beyond `steps` and `bytes`.
struct OccupancyGrid {
    PoolId pool = none;
    Step steps = 0;  ///< the length of the time axis
    Bytes bytes = 0; ///< size of the pool in this plan
    Step binSteps = 1;
    Bytes binBytes = 1;
    Step firstStep = 0;  ///< begin of column 0, a multiple of `binSteps`
    Bytes firstByte = 0; ///< begin of row 0, a multiple of `binBytes`
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::vector<OccupancyCell> cells; ///< row by row, the row of `firstByte` first

    [[nodiscard]] const OccupancyCell& at(std::int32_t column, std::int32_t row) const
    {
        return cells[std::size_t(row) * std::size_t(columns) + std::size_t(column)];
    }
    /// Steps of a column that lie inside [0, steps).
    [[nodiscard]] Interval stepsOf(std::int32_t column) const;
    /// First byte of a row, and one past its last byte.
    [[nodiscard]] std::pair<Bytes, Bytes> bytesOf(std::int32_t row) const;
    /// Byte-steps of a bin in this column, without steps outside [0, steps).
    [[nodiscard]] std::int64_t capacity(std::int32_t column) const;
    /// occupied / capacity, 0 … 1 in a valid plan.
    [[nodiscard]] double share(std::int32_t column, std::int32_t row) const;
};

/// An index of the occupied bytes of one pool, for grids of any part of the pool and for questions about single bins. A buffer
/// occupies all its bytes over its live ranges and its carried values, at all offsets of a rotating placement, and a part of its
/// bytes in a window. A buffer without live ranges (possible with `Axis::dag`) occupies its bytes over all steps.
class PoolOccupancy {
public:
    /// The time axis is [0, horizon of the problem), or [0, steps) if that is longer. O(n log n) for n buffers.
    PoolOccupancy(const Problem& problem, const Plan& plan, PoolId pool, Step steps = 0);

    [[nodiscard]] PoolId pool() const { return pool_; }
    [[nodiscard]] Step steps() const { return steps_; }
    [[nodiscard]] Bytes bytes() const { return bytes_; } ///< highest occupied byte + 1

    /// The grid of the bins that intersect `window`; an empty window is the whole pool. Requires bin sizes of at least 1, and at
    /// most 4 million bins. O(n + bins that buffers touch).
    [[nodiscard]] OccupancyGrid grid(BinSizes bins, const OccupancyWindow& window = {}) const;

    /// A buffer and the number of byte-steps that it occupies in a box.
    struct Touch {
        BufferId buffer = none;
        std::int64_t occupied = 0;
        friend bool operator==(const Touch&, const Touch&) = default;
    };
    /// The buffers that occupy bytes in `box`, descending by byte-steps, then by id. O(n).
    [[nodiscard]] std::vector<Touch> touching(const OccupancyWindow& box) const;
    /// The same for a caller that knows which buffers may touch the box: `candidates`, ascending, each once; others are left out.
    /// O(candidates * log n).
    [[nodiscard]] std::vector<Touch> touching(const OccupancyWindow& box, std::span<const BufferId> candidates) const;

    /// Reuse of a byte is the number of buffers that occupy it at some step. Returns the largest reuse of the bytes [low, high).
    /// O(n).
    [[nodiscard]] std::int32_t reuse(Bytes low, Bytes high) const;
    /// Largest reuse of a byte of the pool.
    [[nodiscard]] std::int32_t maxReuse() const { return maxReuse_; }

private:
    struct Stretch {
        Interval live;
        Bytes low = 0;
        Bytes high = 0;
        BufferId buffer = none;
    };
    void addStretches(const Problem& problem, const Plan& plan, BufferId id);
    static void addTouch(std::vector<Touch>& touches, const Stretch& stretch, const OccupancyWindow& box);
    void findTops();
    void countReuse();

    PoolId pool_ = none;
    Step steps_ = 1;
    Bytes bytes_ = 0;
    std::vector<Stretch> stretches_;                    ///< ascending by buffer
    std::vector<std::pair<Step, Bytes>> tops_;          ///< pairs (step, highest live byte + 1 from this step on)
    std::vector<std::pair<Bytes, std::int32_t>> reuse_; ///< pairs (address, reuse of the bytes from this address on)
    std::int32_t maxReuse_ = 0;
};

/// The grid of a whole pool; the same as `PoolOccupancy::grid`.
[[nodiscard]] OccupancyGrid occupancy(const Problem& problem, const Plan& plan, PoolId pool, BinSizes bins);

} // namespace stowage

// How full a pool is, by bins of addresses and steps: what the heatmap shows and the command line prints.
#pragma once

#include "core/plan/plan.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace stowage {

/// One bin of the grid. Sums are byte-steps: bytes times the steps that they are occupied for.
struct OccupancyCell {
    std::int64_t occupied = 0;
    std::int64_t holes = 0;   ///< free bytes with something live above them, at the same step
    std::int32_t buffers = 0; ///< that touch the bin

    friend bool operator==(const OccupancyCell&, const OccupancyCell&) = default;
};

/// Bin sizes: whole steps, and whole bytes; both at least 1.
struct BinSizes {
    Step steps = 1;
    Bytes bytes = 1;
    friend bool operator==(const BinSizes&, const BinSizes&) = default;
};
/// Bin sizes that give at most `columns` x `rows` bins: whole steps, and a power of two of bytes.
[[nodiscard]] BinSizes binSizes(Step steps, Bytes bytes, std::int32_t columns, std::int32_t rows);

/// A box of steps and addresses [low, high). Empty: everything.
struct OccupancyWindow {
    Interval steps;
    Bytes low = 0;
    Bytes high = 0;
    friend bool operator==(const OccupancyWindow&, const OccupancyWindow&) = default;
};

/// Bins of `binSteps` x `binBytes` at the multiples of these from `firstStep` and `firstByte` on; the last column and row may
/// reach beyond `steps` and `bytes`.
struct OccupancyGrid {
    PoolId pool = none;
    Step steps = 0;  ///< the length of the time axis
    Bytes bytes = 0; ///< size of the pool in this plan
    Step binSteps = 1;
    Bytes binBytes = 1;
    Step firstStep = 0;  ///< where column 0 begins, a multiple of `binSteps`
    Bytes firstByte = 0; ///< where row 0 begins, a multiple of `binBytes`
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::vector<OccupancyCell> cells; ///< row by row from `firstByte`

    [[nodiscard]] const OccupancyCell& at(std::int32_t column, std::int32_t row) const
    {
        return cells[std::size_t(row) * std::size_t(columns) + std::size_t(column)];
    }
    /// Steps of a column, as far as they lie inside [0, steps).
    [[nodiscard]] Interval stepsOf(std::int32_t column) const;
    /// First byte of a row, and the one past its last.
    [[nodiscard]] std::pair<Bytes, Bytes> bytesOf(std::int32_t row) const;
    /// Byte-steps of a bin, as far as it lies inside [0, steps).
    [[nodiscard]] std::int64_t capacity(std::int32_t column) const;
    /// occupied / capacity, 0 … 1 in a valid plan.
    [[nodiscard]] double share(std::int32_t column, std::int32_t row) const;
    /// Mean bytes occupied over the steps of the bin, rounded to the nearest.
    [[nodiscard]] Bytes meanBytes(std::int32_t column, std::int32_t row) const;
};

/// What one pool of a plan occupies, made ready once, so that grids of any part of it and questions about a bin are cheap. A
/// buffer occupies its bytes over its live ranges and whatever is carried into later iterations, at all offsets of a rotating
/// placement; of a window its part. A buffer without live ranges (an axis of `dag` may have such) occupies them over all steps.
class PoolOccupancy {
public:
    /// The time axis is [0, the problem's horizon), or [0, `steps`) when that is longer. O(n log n).
    PoolOccupancy(const Problem& problem, const Plan& plan, PoolId pool, Step steps = 0);

    [[nodiscard]] PoolId pool() const { return pool_; }
    [[nodiscard]] Step steps() const { return steps_; }
    [[nodiscard]] Bytes bytes() const { return bytes_; } ///< highest occupied byte + 1

    /// The bins that meet `window`, an empty one standing for the whole pool. Requires sizes of at least 1, and at most 4 million
    /// bins. O(n + bins touched).
    [[nodiscard]] OccupancyGrid grid(BinSizes bins, const OccupancyWindow& window = {}) const;

    /// A buffer in a box, with the byte-steps that it occupies there.
    struct Touch {
        BufferId buffer = none;
        std::int64_t occupied = 0;
        friend bool operator==(const Touch&, const Touch&) = default;
    };
    /// Who occupies bytes in `box`: most first, then by id. O(n).
    [[nodiscard]] std::vector<Touch> touching(const OccupancyWindow& box) const;

    /// Number of buffers that use one byte one after the other, over all steps: the maximum over the bytes of [low, high). O(n).
    [[nodiscard]] std::int32_t reuse(Bytes low, Bytes high) const;
    /// The most of any byte of the pool.
    [[nodiscard]] std::int32_t maxReuse() const { return maxReuse_; }

private:
    struct Stretch {
        Interval live;
        Bytes low = 0;
        Bytes high = 0;
        BufferId buffer = none;
    };
    void addStretches(const Problem& problem, const Plan& plan, BufferId id);
    void findTops();
    void countReuse();

    PoolId pool_ = none;
    Step steps_ = 1;
    Bytes bytes_ = 0;
    std::vector<Stretch> stretches_;                    ///< those of one buffer follow each other
    std::vector<std::pair<Step, Bytes>> tops_;          ///< highest live byte + 1 from a step on
    std::vector<std::pair<Bytes, std::int32_t>> reuse_; ///< buffers from an address on
    std::int32_t maxReuse_ = 0;
};

/// The whole grid of one pool, as `PoolOccupancy::grid` makes it.
[[nodiscard]] OccupancyGrid occupancy(const Problem& problem, const Plan& plan, PoolId pool, BinSizes bins);

} // namespace stowage

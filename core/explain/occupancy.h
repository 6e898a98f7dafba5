// How full a pool is, by bins of addresses and steps: what the heatmap shows and the command line prints.
#pragma once

#include "core/plan/plan.h"

#include <cstdint>
#include <vector>

namespace stowage {

/// One bin of the grid. Sums are byte-steps: bytes times the steps that they are occupied for.
struct OccupancyCell {
    std::int64_t occupied = 0;
    std::int64_t holes = 0;    ///< free bytes with something live above them, at the same step
    std::int32_t buffers = 0;  ///< that touch the bin

    friend bool operator==(const OccupancyCell&, const OccupancyCell&) = default;
};

/// Bins of `binSteps` x `binBytes` from step 0 and address 0 on; the last column and row may reach beyond `steps` and `bytes`.
struct OccupancyGrid {
    PoolId pool = none;
    Step steps = 0;   ///< the problem's horizon
    Bytes bytes = 0;  ///< size of the pool in this plan
    Step binSteps = 1;
    Bytes binBytes = 1;
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::vector<OccupancyCell> cells; ///< row by row from address 0

    [[nodiscard]] const OccupancyCell& at(std::int32_t column, std::int32_t row) const
    {
        return cells[std::size_t(row) * std::size_t(columns) + std::size_t(column)];
    }
    /// Byte-steps of a bin, as far as it lies inside [0, steps).
    [[nodiscard]] std::int64_t capacity(std::int32_t column) const;
    /// occupied / capacity, 0 … 1 in a valid plan.
    [[nodiscard]] double share(std::int32_t column, std::int32_t row) const;
    /// Mean bytes occupied over the steps of the bin, rounded to the nearest.
    [[nodiscard]] Bytes meanBytes(std::int32_t column, std::int32_t row) const;
};

/// Bin sizes that give at most `columns` x `rows` bins: whole steps, and a power of two of bytes.
struct BinSizes {
    Step steps = 1;
    Bytes bytes = 1;
    friend bool operator==(const BinSizes&, const BinSizes&) = default;
};
[[nodiscard]] BinSizes binSizes(Step steps, Bytes bytes, std::int32_t columns, std::int32_t rows);

/// Fills the grid of one pool. All offsets of a rotating placement count while their buffer is live. Requires sizes of at least 1, and at most
/// 4 million bins. O(n log n + bins touched).
[[nodiscard]] OccupancyGrid occupancy(const Problem& problem, const Plan& plan, PoolId pool, BinSizes bins);

} // namespace stowage

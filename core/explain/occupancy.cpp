#include "core/explain/occupancy.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace stowage {

namespace {

struct Piece {
    Interval live;
    Bytes low = 0;
    Bytes high = 0;
};

/// Adds a product without wrapping: a broken plan may occupy more than a bin has.
void addArea(std::int64_t& sum, Step steps, Bytes bytes)
{
    const auto area = checkedMultiply(steps, bytes);
    const auto total = area ? checkedAdd(sum, *area) : std::nullopt;
    sum = total.value_or(std::numeric_limits<std::int64_t>::max());
}

std::vector<Piece> piecesOf(const Problem& problem, const Plan& plan, PoolId pool, std::size_t id)
{
    std::vector<Piece> pieces;
    const Placement& placement = plan.placements[id];
    const Buffer& buffer = problem.buffers[id];
    if (placement.pool != pool || buffer.size <= 0) return pieces;
    std::vector<Bytes> offsets = placement.offsets;
    if (offsets.empty()) offsets.push_back(placement.offset);
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    for (const Bytes offset : offsets) {
        for (const Interval& live : buffer.live) pieces.push_back({live, offset, offset + buffer.size});
        for (const Window& window : buffer.windows) pieces.push_back({window.live, offset + window.low, offset + window.high});
    }
    return pieces;
}

/// The highest live byte at each step, as segments [step, next step) of one height.
std::vector<std::pair<Step, Bytes>> topOverTime(const std::vector<Piece>& pieces)
{
    struct Change {
        Step step;
        bool begins;
        Bytes high;
        auto operator<=>(const Change&) const = default;
    };
    std::vector<Change> changes;
    changes.reserve(2 * pieces.size());
    for (const Piece& piece : pieces) {
        changes.push_back({piece.live.begin, true, piece.high});
        changes.push_back({piece.live.end, false, piece.high});
    }
    std::sort(changes.begin(), changes.end());
    std::map<Bytes, std::int64_t> highs;
    std::vector<std::pair<Step, Bytes>> tops;
    for (std::size_t i = 0; i < changes.size();) {
        const Step step = changes[i].step;
        for (; i < changes.size() && changes[i].step == step; ++i) {
            const auto [at, isNew] = highs.try_emplace(changes[i].high, 0);
            at->second += changes[i].begins ? 1 : -1;
            if (at->second == 0) highs.erase(at);
        }
        const Bytes top = highs.empty() ? 0 : highs.rbegin()->first;
        if (tops.empty() || tops.back().second != top) tops.emplace_back(step, top);
    }
    return tops;
}

} // namespace

std::int64_t OccupancyGrid::capacity(std::int32_t column) const
{
    return std::min<Step>(binSteps, steps - Step(column) * binSteps) * binBytes;
}

double OccupancyGrid::share(std::int32_t column, std::int32_t row) const
{
    return double(at(column, row).occupied) / double(capacity(column));
}

Bytes OccupancyGrid::meanBytes(std::int32_t column, std::int32_t row) const
{
    const Step inside = capacity(column) / binBytes;
    return (at(column, row).occupied + inside / 2) / inside;
}

BinSizes binSizes(Step steps, Bytes bytes, std::int32_t columns, std::int32_t rows)
{
    BinSizes bins;
    bins.steps = std::max<Step>(1, (steps + columns - 1) / columns);
    while ((bytes + bins.bytes - 1) / bins.bytes > rows && bins.bytes < maxBytes / 2) bins.bytes *= 2;
    return bins;
}

OccupancyGrid occupancy(const Problem& problem, const Plan& plan, PoolId pool, BinSizes bins)
{
    OccupancyGrid grid;
    grid.pool = pool;
    grid.steps = std::max<Step>(1, problem.horizon());
    grid.binSteps = bins.steps;
    grid.binBytes = bins.bytes;
    std::vector<Piece> all;
    std::vector<std::size_t> firstOf{0}; // pieces of one buffer follow each other
    for (std::size_t i = 0; i < std::min(problem.buffers.size(), plan.placements.size()); ++i) {
        for (const Piece& piece : piecesOf(problem, plan, pool, i)) {
            all.push_back(piece);
            grid.bytes = std::max(grid.bytes, piece.high);
        }
        if (all.size() > firstOf.back()) firstOf.push_back(all.size());
    }
    grid.columns = std::int32_t((grid.steps + bins.steps - 1) / bins.steps);
    grid.rows = std::int32_t(std::max<Bytes>(1, (grid.bytes + bins.bytes - 1) / bins.bytes));
    grid.cells.resize(std::size_t(grid.columns) * std::size_t(grid.rows));
    std::vector<std::size_t> lastBuffer(grid.cells.size(), std::numeric_limits<std::size_t>::max());

    const auto columnOf = [&](Step step) { return std::int32_t(step / bins.steps); };
    const auto rowOf = [&](Bytes address) { return std::int32_t(address / bins.bytes); };
    const auto stepsIn = [&](const Interval& live, std::int32_t column) {
        return std::min(live.end, Step(column + 1) * bins.steps) - std::max(live.begin, Step(column) * bins.steps);
    };
    const auto bytesIn = [&](Bytes low, Bytes high, std::int32_t row) {
        return std::min(high, Bytes(row + 1) * bins.bytes) - std::max(low, Bytes(row) * bins.bytes);
    };
    for (std::size_t buffer = 0; buffer + 1 < firstOf.size(); ++buffer)
        for (std::size_t i = firstOf[buffer]; i < firstOf[buffer + 1]; ++i) {
            const Piece& piece = all[i];
            if (piece.live.empty() || piece.high <= piece.low) continue;
            for (std::int32_t row = rowOf(piece.low); row <= rowOf(piece.high - 1); ++row)
                for (std::int32_t column = columnOf(piece.live.begin); column <= columnOf(piece.live.end - 1); ++column) {
                    const std::size_t at = std::size_t(row) * std::size_t(grid.columns) + std::size_t(column);
                    OccupancyCell& cell = grid.cells[at];
                    addArea(cell.occupied, stepsIn(piece.live, column), bytesIn(piece.low, piece.high, row));
                    if (lastBuffer[at] != buffer) ++cell.buffers;
                    lastBuffer[at] = buffer;
                }
        }
    // Below the highest live byte of a step everything is either occupied or a hole.
    const std::vector<std::pair<Step, Bytes>> tops = topOverTime(all);
    for (std::size_t i = 0; i + 1 < tops.size(); ++i) {
        const Bytes top = tops[i].second;
        if (top == 0) continue;
        const Interval span{tops[i].first, std::min(grid.steps, tops[i + 1].first)};
        for (std::int32_t column = columnOf(span.begin); !span.empty() && column <= columnOf(span.end - 1); ++column)
            for (std::int32_t row = 0; row <= rowOf(top - 1); ++row)
                addArea(grid.cells[std::size_t(row) * std::size_t(grid.columns) + std::size_t(column)].holes, stepsIn(span, column), bytesIn(0, top, row));
    }
    for (OccupancyCell& cell : grid.cells) cell.holes = std::max<std::int64_t>(0, cell.holes - cell.occupied);
    return grid;
}

} // namespace stowage

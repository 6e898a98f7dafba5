#include "core/explain/occupancy.h"

#include "core/ir/checked.h"
#include "core/ir/occupied.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace stowage {

namespace {

/// Adds a product, saturating: an invalid plan may occupy more byte-steps than a bin has.
void addArea(std::int64_t& sum, Step steps, Bytes bytes)
{
    const auto area = checkedMultiply(steps, bytes);
    const auto total = area ? checkedAdd(sum, *area) : std::nullopt;
    sum = total.value_or(std::numeric_limits<std::int64_t>::max());
}

/// Descending by byte-steps, then by id.
void sortTouches(std::vector<PoolOccupancy::Touch>& touches)
{
    std::sort(touches.begin(), touches.end(), [](const auto& a, const auto& b) {
        return a.occupied != b.occupied ? a.occupied > b.occupied : a.buffer < b.buffer;
    });
}

} // namespace

BinSizes binSizes(Step steps, Bytes bytes, std::int32_t columns, std::int32_t rows)
{
    BinSizes bins;
    bins.steps = std::max<Step>(1, (steps + columns - 1) / columns);
    while ((bytes + bins.bytes - 1) / bins.bytes > rows && bins.bytes < maxBytes / 2) bins.bytes *= 2;
    return bins;
}

Interval OccupancyGrid::stepsOf(std::int32_t column) const
{
    const Step begin = firstStep + Step(column) * binSteps;
    return {begin, std::min(steps, begin + binSteps)};
}

std::pair<Bytes, Bytes> OccupancyGrid::bytesOf(std::int32_t row) const
{
    const Bytes low = firstByte + Bytes(row) * binBytes;
    return {low, low + binBytes};
}

std::int64_t OccupancyGrid::capacity(std::int32_t column) const
{
    return checkedMultiply(stepsOf(column).length(), binBytes).value_or(std::numeric_limits<std::int64_t>::max());
}

double OccupancyGrid::share(std::int32_t column, std::int32_t row) const
{
    return double(at(column, row).occupied) / double(capacity(column));
}

PoolOccupancy::PoolOccupancy(const Problem& problem, const Plan& plan, PoolId pool, Step steps)
    : pool_(pool), steps_(std::max<Step>({1, problem.horizon(), steps}))
{
    for (std::size_t i = 0; i < std::min(problem.buffers.size(), plan.placements.size()); ++i)
        addStretches(problem, plan, BufferId(i));
    for (const Stretch& stretch : stretches_) bytes_ = std::max(bytes_, stretch.high);
    findTops();
    countReuse();
}

void PoolOccupancy::addStretches(const Problem& problem, const Plan& plan, BufferId id)
{
    const Placement& placement = plan.placements[std::size_t(id)];
    const Buffer& buffer = problem.buffers[std::size_t(id)];
    if (placement.pool != pool_ || buffer.size <= 0) return;
    std::vector<Bytes> offsets = placement.offsets;
    if (offsets.empty()) offsets.push_back(placement.offset);
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    const std::vector<Interval> carried = carriedBesideLive(buffer);
    const auto add = [&](Interval live, Bytes low, Bytes high) {
        live.begin = std::max<Step>(0, live.begin);
        live.end = std::min(steps_, live.end);
        low = std::max<Bytes>(0, low);
        if (!live.empty() && high > low) stretches_.push_back({live, low, high, id});
    };
    for (const Bytes offset : offsets) {
        forEachOccupied(buffer, [&](const Occupied& it) {
            if (it.by != Occupying::carried) add(it.steps, offset + it.low, offset + it.high);
        });
        for (const Interval& held : carried) add(held, offset, offset + buffer.size);
        if (buffer.live.empty()) add({0, steps_}, offset, offset + buffer.size);
    }
}

/// Computes the highest live byte at each step: a sweep over ends and begins, with the live upper edges in an ordered map.
void PoolOccupancy::findTops()
{
    struct Edge {
        Step step;
        bool begins;
        Bytes high;
        auto operator<=>(const Edge&) const = default;
    };
    std::vector<Edge> changes;
    changes.reserve(2 * stretches_.size());
    for (const Stretch& stretch : stretches_) {
        changes.push_back({stretch.live.begin, true, stretch.high});
        changes.push_back({stretch.live.end, false, stretch.high});
    }
    std::sort(changes.begin(), changes.end());
    std::map<Bytes, std::int64_t> highs;
    for (std::size_t i = 0; i < changes.size();) {
        const Step step = changes[i].step;
        for (; i < changes.size() && changes[i].step == step; ++i) {
            const auto at = highs.try_emplace(changes[i].high, 0).first;
            at->second += changes[i].begins ? 1 : -1;
            if (at->second == 0) highs.erase(at);
        }
        const Bytes top = highs.empty() ? 0 : highs.rbegin()->first;
        if (tops_.empty() || tops_.back().second != top) tops_.emplace_back(step, top);
    }
}

/// Counts the buffers at each address. The address ranges of one buffer are united first, so that it counts once.
void PoolOccupancy::countReuse()
{
    std::vector<std::pair<Bytes, std::int32_t>> changes;
    changes.reserve(2 * stretches_.size());
    std::vector<std::pair<Bytes, Bytes>> own;
    for (std::size_t i = 0; i < stretches_.size();) {
        own.clear();
        const BufferId buffer = stretches_[i].buffer;
        for (; i < stretches_.size() && stretches_[i].buffer == buffer; ++i)
            own.emplace_back(stretches_[i].low, stretches_[i].high);
        std::sort(own.begin(), own.end());
        for (std::size_t k = 0; k < own.size();) {
            const Bytes low = own[k].first;
            Bytes high = own[k].second;
            for (++k; k < own.size() && own[k].first <= high; ++k) high = std::max(high, own[k].second);
            changes.emplace_back(low, 1);
            changes.emplace_back(high, -1);
        }
    }
    std::sort(changes.begin(), changes.end());
    std::int32_t count = 0;
    for (std::size_t i = 0; i < changes.size();) {
        const Bytes address = changes[i].first;
        const std::int32_t before = count;
        for (; i < changes.size() && changes[i].first == address; ++i) count += changes[i].second;
        if (count != before) reuse_.emplace_back(address, count);
        maxReuse_ = std::max(maxReuse_, count);
    }
}

std::int32_t PoolOccupancy::reuse(Bytes low, Bytes high) const
{
    auto at = std::upper_bound(reuse_.begin(), reuse_.end(), low,
                               [](Bytes address, const auto& entry) { return address < entry.first; });
    std::int32_t most = at == reuse_.begin() ? 0 : std::prev(at)->second;
    for (; at != reuse_.end() && at->first < high; ++at) most = std::max(most, at->second);
    return most;
}

void PoolOccupancy::addTouch(std::vector<Touch>& touches, const Stretch& stretch, const OccupancyWindow& box)
{
    const Step inside = std::min(stretch.live.end, box.steps.end) - std::max(stretch.live.begin, box.steps.begin);
    const Bytes bytes = std::min(stretch.high, box.high) - std::max(stretch.low, box.low);
    if (inside <= 0 || bytes <= 0) return;
    if (touches.empty() || touches.back().buffer != stretch.buffer) touches.push_back({stretch.buffer, 0});
    addArea(touches.back().occupied, inside, bytes);
}

std::vector<PoolOccupancy::Touch> PoolOccupancy::touching(const OccupancyWindow& box) const
{
    std::vector<Touch> touches;
    for (const Stretch& stretch : stretches_) addTouch(touches, stretch, box);
    sortTouches(touches);
    return touches;
}

std::vector<PoolOccupancy::Touch> PoolOccupancy::touching(const OccupancyWindow& box, std::span<const BufferId> candidates) const
{
    std::vector<Touch> touches;
    auto at = stretches_.begin();
    for (const BufferId id : candidates) {
        at = std::lower_bound(at, stretches_.end(), id, [](const Stretch& s, BufferId buffer) { return s.buffer < buffer; });
        for (; at != stretches_.end() && at->buffer == id; ++at) addTouch(touches, *at, box);
    }
    sortTouches(touches);
    return touches;
}

OccupancyGrid PoolOccupancy::grid(BinSizes bins, const OccupancyWindow& window) const
{
    const bool whole = window.steps.empty() || window.high <= window.low;
    const Interval shown =
        whole ? Interval{0, steps_}
              : Interval{std::clamp<Step>(window.steps.begin, 0, steps_ - 1), std::clamp<Step>(window.steps.end, 1, steps_)};
    const Bytes low = whole ? 0 : std::max<Bytes>(0, window.low);
    const Bytes high = whole ? std::max<Bytes>(1, bytes_) : std::max(low + 1, window.high);
    OccupancyGrid grid;
    grid.pool = pool_;
    grid.steps = steps_;
    grid.bytes = bytes_;
    grid.binSteps = bins.steps;
    grid.binBytes = bins.bytes;
    grid.firstStep = shown.begin / bins.steps * bins.steps;
    grid.firstByte = low / bins.bytes * bins.bytes;
    grid.columns = std::int32_t((std::max(shown.end, shown.begin + 1) - grid.firstStep + bins.steps - 1) / bins.steps);
    grid.rows = std::int32_t((high - grid.firstByte + bins.bytes - 1) / bins.bytes);
    const auto columns = std::size_t(grid.columns);
    grid.cells.resize(columns * std::size_t(grid.rows));

    const Step endStep = std::min(steps_, grid.firstStep + Step(grid.columns) * bins.steps);
    const Bytes endByte = grid.firstByte + Bytes(grid.rows) * bins.bytes;
    const auto columnOf = [&](Step step) { return std::int32_t((step - grid.firstStep) / bins.steps); };
    const auto rowOf = [&](Bytes address) { return std::int32_t((address - grid.firstByte) / bins.bytes); };
    const auto stepsIn = [&](const Interval& live, std::int32_t column) {
        const Step begin = grid.firstStep + Step(column) * bins.steps;
        return std::min(live.end, begin + bins.steps) - std::max(live.begin, begin);
    };

    std::vector<BufferId> last(grid.cells.size(),
                               none); // by bin: the buffer that touched it last; stretches of one buffer are adjacent
    for (const Stretch& stretch : stretches_) {
        const Interval live{std::max(stretch.live.begin, grid.firstStep), std::min(stretch.live.end, endStep)};
        const Bytes from = std::max(stretch.low, grid.firstByte);
        const Bytes to = std::min(stretch.high, endByte);
        if (live.empty() || to <= from) continue;
        const std::int32_t firstColumn = columnOf(live.begin);
        const std::int32_t lastColumn = columnOf(live.end - 1);
        for (std::int32_t row = rowOf(from); row <= rowOf(to - 1); ++row) {
            const Bytes begin = grid.firstByte + Bytes(row) * bins.bytes;
            const Bytes bytes = std::min(to, begin + bins.bytes) - std::max(from, begin);
            for (std::int32_t column = firstColumn; column <= lastColumn; ++column) {
                const std::size_t at = std::size_t(row) * columns + std::size_t(column);
                addArea(grid.cells[at].occupied, stepsIn(live, column), bytes);
                if (last[at] != stretch.buffer) ++grid.cells[at].buffers;
                last[at] = stretch.buffer;
            }
        }
    }

    // Below the highest live byte of a step, each byte is occupied or a hole. `full` counts, in the row of that byte, the steps
    // that fill every row below. The cost of a segment is therefore its number of columns, without the rows.
    std::vector<Step> full(columns * (std::size_t(grid.rows) + 1), 0);
    for (std::size_t i = 0; i + 1 < tops_.size(); ++i) {
        const Bytes top = tops_[i].second;
        const Interval span{std::max(tops_[i].first, grid.firstStep), std::min(tops_[i + 1].first, endStep)};
        if (top <= grid.firstByte || span.empty()) continue;
        const std::int32_t row = top >= endByte ? grid.rows : rowOf(top - 1);
        for (std::int32_t column = columnOf(span.begin); column <= columnOf(span.end - 1); ++column) {
            const std::size_t at = std::size_t(row) * columns + std::size_t(column);
            full[at] += stepsIn(span, column);
            if (row < grid.rows)
                addArea(grid.cells[at].holes, stepsIn(span, column), top - (grid.firstByte + Bytes(row) * bins.bytes));
        }
    }
    std::vector<Step> above(columns, 0);
    for (std::int32_t row = grid.rows; row-- > 0;)
        for (std::size_t column = 0; column < columns; ++column) {
            above[column] += full[(std::size_t(row) + 1) * columns + column];
            OccupancyCell& cell = grid.cells[std::size_t(row) * columns + column];
            addArea(cell.holes, above[column], bins.bytes);
            cell.holes = std::max<std::int64_t>(0, cell.holes - cell.occupied);
        }
    return grid;
}

OccupancyGrid occupancy(const Problem& problem, const Plan& plan, PoolId pool, BinSizes bins)
{
    return PoolOccupancy(problem, plan, pool).grid(bins);
}

} // namespace stowage

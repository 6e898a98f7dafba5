#include "app/canvas/pictures/heatmap/heatmap.h"

#include "app/canvas/axis/hit_test.h"
#include "app/canvas/axis/ticks.h"
#include "app/canvas/pictures/map/stack.h"
#include "core/plan/report.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double sideWidth = 96;
constexpr double sideGap = 10; ///< between body and side
constexpr double headHeight = 24;
constexpr double poolRowHeight = 31;
constexpr double curvesHeight = 92;
constexpr double minMap = 150;
constexpr double emptyEnd = 0.06; ///< of the ramp: what is touched at all is told from what is not
constexpr double minStepsShown = 2;
constexpr double minBytesShown = 16;

} // namespace

std::shared_ptr<const HeatScene> makeHeatScene(std::shared_ptr<const RunScene> scene, const std::vector<bool>* shown)
{
    auto heat = std::make_shared<HeatScene>();
    heat->scene = std::move(scene);
    const Run& run = *heat->scene->run;
    Plan plan = run.plan;
    if (shown)
        for (std::size_t i = 0; i < std::min(shown->size(), plan.placements.size()); ++i)
            if (!(*shown)[i]) plan.placements[i] = {};
    for (std::size_t i = 0; i < heat->scene->pools.size(); ++i) {
        const PoolId pool = heat->scene->pools[i].map.pool;
        const Bytes top = heat->scene->pools[i].map.top;
        HeatPool made{std::int32_t(i), PoolOccupancy(run.problem(), plan, pool, heat->scene->steps), {}, {}, {}};
        std::vector<std::int64_t> at;
        std::vector<std::int64_t> free;
        std::vector<std::int64_t> largest;
        for (const UsageSample& sample : usage(run.problem(), run.plan, pool, top)) {
            if (sample.step >= heat->scene->steps) break; // after the end nothing is live, and all is free
            at.push_back(sample.step);
            free.push_back(sample.free);
            largest.push_back(sample.largestFree);
        }
        if (at.empty()) at = {0}, free = largest = {top}; // nothing is live
        if (shown) {
            std::vector<std::int64_t> changes;
            std::vector<std::int64_t> live;
            for (const UsageSample& sample : usage(run.problem(), plan, pool, top)) {
                if (sample.step >= heat->scene->steps) break;
                changes.push_back(sample.step);
                live.push_back(sample.live);
            }
            if (changes.empty()) changes = live = {0}; // nothing passes the filter
            made.live = StepFunction(std::move(changes), std::move(live));
        }
        made.free = StepFunction(at, std::move(free));
        made.largestFree = StepFunction(std::move(at), std::move(largest));
        heat->pools.push_back(std::move(made));
    }
    return heat;
}

std::int32_t defaultPool(const HeatScene& scene)
{
    std::int32_t best = none;
    const auto rank = [&](std::int32_t i) {
        const MapData& map = scene.scene->pools[std::size_t(scene.pools[std::size_t(i)].of)].map;
        const bool working = scene.scene->run->problem().pools[std::size_t(map.pool)].kind == PoolKind::workspace;
        return std::pair(working, map.bufferCount);
    };
    for (std::size_t i = 0; i < scene.pools.size(); ++i)
        if (best == none || rank(std::int32_t(i)) > rank(best)) best = std::int32_t(i);
    return best;
}

double minBinPixels(HeatBins bins)
{
    switch (bins) {
    case HeatBins::fine: return 4;
    case HeatBins::medium: return 9;
    case HeatBins::coarse: return 22;
    }
    return 9;
}

HeatLayout layOut(const HeatState& state, QSizeF size)
{
    HeatLayout layout;
    const double width = size.width();
    const double height = std::floor(size.height());
    layout.all = {0, 0, width, height};
    const double sideLeft = std::max(gutterWidth + 40, std::floor(width - sideWidth));
    layout.plotLeft = gutterWidth;
    layout.plotRight = std::max(layout.plotLeft + 1, sideLeft - sideGap);
    double rest = height - rulerHeight;
    const bool curves = rest >= minMap * 1.6 + headHeight + curvesHeight;
    if (curves) rest -= headHeight + curvesHeight;

    // The pools by how full they are at their peak, as many as have room; the one that is shown is always among them.
    std::vector<std::int32_t> order;
    for (std::size_t i = 0; i < state.scene->pools.size(); ++i) order.push_back(std::int32_t(i));
    const auto room = std::size_t(std::max(0.0, std::min(rest * 0.34, rest - minMap) - headHeight) / poolRowHeight);
    if (order.size() > room) {
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            if ((a == state.pool) != (b == state.pool)) return a == state.pool;
            const auto topOf = [&](std::int32_t i) { return state.scene->scene->pools[std::size_t(i)].map.top; };
            return topOf(a) > topOf(b);
        });
        order.resize(room);
        std::sort(order.begin(), order.end());
    }
    if (!order.empty()) rest -= headHeight + poolRowHeight * double(order.size());
    layout.poolOrder = std::move(order);

    double top = std::max(1.0, rest);
    layout.map = {0, 0, sideLeft, top};
    layout.side = {sideLeft, 0, width - sideLeft, top + rulerHeight};
    layout.ruler = {0, top, sideLeft, rulerHeight};
    top += rulerHeight;
    if (!layout.poolOrder.empty()) {
        layout.poolsHead = {0, top, width, headHeight};
        top += headHeight;
        for (std::size_t i = 0; i < layout.poolOrder.size(); ++i, top += poolRowHeight)
            layout.pools.emplace_back(0, top, width, poolRowHeight);
    }
    if (curves) {
        layout.curvesHead = {0, top, width, headHeight};
        layout.curves = {0, top + headHeight, width, height - top - headHeight};
    }
    return layout;
}

void fitAxes(HeatState& state, const HeatLayout& layout)
{
    const auto device = [&](double logical) { return std::max(1, int(std::lround(logical * state.ratio))); };
    const int across = device(layout.plotRight - layout.plotLeft);
    const int up = device(layout.map.height());
    const Step steps = state.scene->scene->steps;
    if (state.steps.low() != 0 || state.steps.high() != steps || state.steps.pixels() == 1)
        state.steps = PixelAxis(0, steps, minStepsShown, across);
    else if (state.steps.pixels() != across)
        state.steps.resize(across);
    const Bytes limit = addressLimit(state.shownScene().map);
    if (state.addresses.high() != limit)
        state.addresses = PixelAxis(0, limit, minBytesShown, up);
    else if (state.addresses.pixels() != up)
        state.addresses.resize(up);
}

BinSizes wantedBins(const HeatState& state)
{
    const double least = minBinPixels(state.bins);
    BinSizes bins;
    bins.steps = stepTicks(state.steps.scale() / state.ratio, least, least).major;
    bins.bytes = addressTicks(state.addresses.scale() / state.ratio, least, least).major;
    return bins;
}

OccupancyWindow shownWindow(const HeatState& state)
{
    return {{state.steps.unitAt(0), state.steps.unitAt(state.steps.pixels() - 1e-6) + 1},
            state.addresses.unitAt(0),
            state.addresses.unitAt(state.addresses.pixels() - 1e-6) + 1};
}

void setGrid(HeatState& state, OccupancyGrid grid)
{
    state.grid = std::move(grid);
    state.maxBuffers = 0;
    for (const OccupancyCell& cell : state.grid.cells) state.maxBuffers = std::max(state.maxBuffers, cell.buffers);
}

void countBins(HeatState& state)
{
    setGrid(state, state.shown().occupancy.grid(wantedBins(state), shownWindow(state)));
}

std::vector<PoolOccupancy::Touch> touchesIn(const HeatState& state, const OccupancyWindow& window)
{
    const StepBytes box{window.steps.begin, window.steps.end, window.low, window.high};
    return state.shown().occupancy.touching(window, buffersIn(state.shownScene().map, box));
}

HeatSums sumsOf(std::span<const PoolOccupancy::Touch> touches)
{
    HeatSums sums;
    sums.buffers = touches.size();
    for (const PoolOccupancy::Touch& touch : touches) sums.occupied += double(touch.occupied);
    for (const PoolOccupancy::Touch& touch : touches.first(touches.size() <= 2 ? touches.size() : 1))
        sums.named.push_back(touch.buffer);
    return sums;
}

QRectF HeatGeometry::box(const OccupancyWindow& window) const
{
    const double left = x(window.steps.begin);
    const double bottom = y(window.low);
    const double width = std::max(1.0, x(window.steps.end) - left);
    const double height = std::max(1.0, bottom - y(window.high));
    return {left, bottom - height, width, height};
}

std::optional<OccupancyWindow> HeatGeometry::binAt(QPointF at) const
{
    if (!layout.body().contains(at) || state.grid.cells.empty()) return std::nullopt;
    const auto column = std::int32_t((stepAt(at.x()) - state.grid.firstStep) / state.grid.binSteps);
    const auto row = std::int32_t((addressAt(at.y()) - state.grid.firstByte) / state.grid.binBytes);
    if (column < 0 || column >= state.grid.columns || row < 0 || row >= state.grid.rows) return std::nullopt;
    const auto [low, high] = state.grid.bytesOf(row);
    return OccupancyWindow{state.grid.stepsOf(column), low, high};
}

std::optional<QColor> binColour(const HeatState& state, std::int32_t column, std::int32_t row)
{
    const OccupancyCell& cell = state.grid.at(column, row);
    const std::int64_t capacity = state.grid.capacity(column);
    double value = 0;
    switch (state.measure) {
    case HeatMeasure::full:
        if (cell.occupied > capacity) return state.theme->bad;
        value = double(cell.occupied) / double(capacity);
        break;
    case HeatMeasure::buffers: value = double(cell.buffers) / double(std::max(1, state.maxBuffers)); break;
    case HeatMeasure::holes: value = double(cell.holes) / double(capacity); break;
    }
    if (value <= 0) return std::nullopt;
    return state.theme->rampAt(emptyEnd + (1 - emptyEnd) * value);
}

QString scaleEnd(const HeatState& state)
{
    return state.measure == HeatMeasure::buffers ? countedText(std::max(1, state.maxBuffers), QStringLiteral("buffer"))
                                                 : QStringLiteral("100 %");
}

QString binsText(const HeatState& state)
{
    const OccupancyGrid& grid = state.grid;
    const QString bytes = roughBytes(grid.binBytes, state.numbers);
    const Bytes used = std::max<Bytes>(0, grid.bytes - grid.firstByte);
    return QStringLiteral("%1 %2 %3, %4 %2 %5")
        .arg(grid.columns)
        .arg(QChar(0xD7))
        .arg(std::min<std::int64_t>(grid.rows, (used + grid.binBytes - 1) / grid.binBytes))
        .arg(bytes, countedText(grid.binSteps, QStringLiteral("step")));
}

} // namespace stowage

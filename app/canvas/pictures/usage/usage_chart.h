// Use of the pools over time: live, highest and free bytes, capacity and bound, the peak. The state, and its painting into files;
// the window shows the same values with its charts.
#pragma once

#include "app/canvas/axis/pixel_axis.h"
#include "app/canvas/axis/step_function.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "core/plan/run.h"

#include <QRectF>
#include <QSizeF>

#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// One pool as the core measured it. The functions give bytes by step.
struct UsagePool {
    PoolId pool = none;
    std::string name;
    StepFunction live;        ///< bytes of live buffers
    StepFunction kept;        ///< live bytes of the buffers that the filter includes; empty: no filter
    StepFunction top;         ///< highest occupied byte + 1
    StepFunction free;        ///< free bytes below the pool's size
    StepFunction largestFree; ///< largest contiguous free range
    Bytes size = 0;
    Bytes bound = 0;
    std::optional<Bytes> capacity;
    Bytes peak = 0;
    Step peakStep = -1;    ///< -1 without an order of steps
    Bytes markedBytes = 0; ///< the peak that is marked: under a filter that of `kept`
    Step markedStep = -1;  ///< -1: there is none to mark
};
/// The length of the time axis on which a run is shown: its problem's horizon, and all steps of its program.
[[nodiscard]] Step stepsOf(const Run& run);
/// The used pools, by id; `shown`: by buffer, whether the filter includes it; null: all. O(n log n).
[[nodiscard]] std::vector<UsagePool> usagePools(const Run& run, const std::vector<bool>* shown = nullptr);

struct UsageState {
    const std::vector<UsagePool>* pools = nullptr;
    const Theme* theme = nullptr;
    NumberFormat numbers;
    double ratio = 1;    ///< device pixels for each logical pixel
    Step steps = 1;      ///< the time axis is [0, steps)
    bool ordered = true; ///< false: the steps are only one of the possible orders
    PixelAxis axis;      ///< device pixels
    std::optional<Step> cursor;
    std::vector<Interval> selected; ///< live ranges to mark along the ruler
};

/// The positions of the bands, in logical pixels, for every pool that has room.
struct UsageLayout {
    QRectF all;
    std::vector<QRectF> use;  ///< band of live and highest bytes, by pool
    std::vector<QRectF> free; ///< band of free bytes, by pool; empty if there is no room
    QRectF ruler;
    double plotLeft = 0;
    double plotRight = 1;
};
[[nodiscard]] UsageLayout layOut(const UsageState& state, QSizeF size);
/// Sets the size of the axis for `layout` and keeps its visible range; an axis of other steps shows everything.
void fitAxis(UsageState& state, const UsageLayout& layout);

/// The top of a pool's scale. Bound and capacity are included if they are at most twice the highest value; otherwise they would
/// flatten the curves.
[[nodiscard]] Bytes usageScale(const UsagePool& pool);

/// Paints everything but the overlay. Under a filter the marked peak is that of the buffers that it includes.
void paintUsage(DrawList& list, const UsageState& state, const UsageLayout& layout);
/// Paints the cursor with the values of all curves, and the ruler with its tag.
void paintUsageOverlay(DrawList& list, const UsageState& state, const UsageLayout& layout);
/// Paints the legend of the curves, right-aligned between `left` and `right` and centred at the height `y`; nothing if it has no
/// room. `filtered`: the area is that of the buffers that the filter includes.
void paintUsageLegend(DrawList& list, const Theme& theme, double left, double right, double y, bool filtered);

} // namespace stowage

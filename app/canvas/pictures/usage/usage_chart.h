// Use of the pools over time: live, highest and free bytes, capacity and bound, the peak. What is shown, and how it is painted
// into files; the window shows the same values with its charts.
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

/// One pool as the core measured it. The functions hold bytes by step.
struct UsagePool {
    PoolId pool = none;
    std::string name;
    StepFunction live;        ///< bytes of live buffers
    StepFunction kept;        ///< of those that a filter leaves; empty: all
    StepFunction top;         ///< highest occupied byte + 1: what is allocated
    StepFunction free;        ///< below the pool's size, not occupied
    StepFunction largestFree; ///< the largest hole of these
    Bytes size = 0;
    Bytes bound = 0;
    std::optional<Bytes> capacity;
    Bytes peak = 0;
    Step peakStep = -1; ///< -1 without an order of steps
};
/// The length of the time axis on which a run is shown: its problem's horizon, and all steps of its program.
[[nodiscard]] Step stepsOf(const Run& run);
/// The pools in use, by id; `shown` (by buffer) is what a filter leaves. O(n log n).
[[nodiscard]] std::vector<UsagePool> usagePools(const Run& run, const std::vector<bool>* shown = nullptr);

struct UsageState {
    const std::vector<UsagePool>* pools = nullptr;
    const Theme* theme = nullptr;
    NumberFormat numbers;
    double ratio = 1;    ///< device pixels for each logical one
    Step steps = 1;      ///< the time axis is [0, steps)
    bool ordered = true; ///< false: the steps illustrate one order only
    PixelAxis axis;      ///< device pixels
    std::optional<Step> cursor;
    std::vector<Interval> selected; ///< live ranges that are marked along the ruler
};

/// Where the bands lie, in logical pixels; one of each for every pool that has room.
struct UsageLayout {
    QRectF all;
    std::vector<QRectF> use;  ///< live and allocated bytes
    std::vector<QRectF> free; ///< empty where there is no room for them
    QRectF ruler;
    double plotLeft = 0;
    double plotRight = 1;
};
[[nodiscard]] UsageLayout layOut(const UsageState& state, QSizeF size);
/// Sizes the axis for `layout`, keeping what it shows; one of other steps shows everything.
void fitAxis(UsageState& state, const UsageLayout& layout);

/// The top of a pool's scale: a level within twice the highest value counts, one far above would flatten the curves and is left
/// out.
[[nodiscard]] Bytes usageScale(const UsagePool& pool);

/// Everything but the overlay.
void paintUsage(DrawList& list, const UsageState& state, const UsageLayout& layout);
/// The cursor with the values of each curve there, and the ruler with its tag.
void paintUsageOverlay(DrawList& list, const UsageState& state, const UsageLayout& layout);
/// The curves by colour and name, right-aligned at `right` around the height `y`; returns the left edge.
double paintUsageLegend(DrawList& list, const Theme& theme, double right, double y);

} // namespace stowage

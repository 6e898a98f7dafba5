// The occupancy heatmap: the use of the bins of one pool over addresses and steps, the reuse of each address, and the pools in
// comparison. Its state, its layout, and the functions that paint it to the screen, into files and for tests.
#pragma once

#include "app/canvas/axis/pixel_axis.h"
#include "app/canvas/axis/run_scene.h"
#include "app/canvas/kit/card.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/shared_buffers.h"
#include "app/canvas/kit/theme.h"
#include "core/explain/occupancy.h"

#include <QImage>
#include <QRectF>
#include <QSizeF>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

/// A pool with its measured occupancy.
struct HeatPool {
    std::int32_t of = 0; ///< into `RunScene::pools`
    PoolOccupancy occupancy;
    std::optional<StepFunction> live; ///< live bytes of the shown buffers by step; absent where all are shown (`PoolScene::live`)
    StepFunction free;                ///< free bytes below the pool's size, by step; as `largestFree`, of the whole plan
    StepFunction largestFree;         ///< largest contiguous free range below the pool's size, in bytes by step
};

/// Immutable; shared with the threads that count bins.
struct HeatScene {
    std::shared_ptr<const RunScene> scene;
    std::vector<HeatPool> pools; ///< in the order of `RunScene::pools`
};
/// The scene of all buffers, or of those in `shown` (by buffer): bins and live bytes count only these. What is free is free of
/// all buffers in any case. O(n log n).
[[nodiscard]] std::shared_ptr<const HeatScene> makeHeatScene(std::shared_ptr<const RunScene> scene,
                                                             const std::vector<bool>* shown = nullptr);

/// The default pool: of the workspace pools, else of all, the one with the most buffers; `none` without pools.
[[nodiscard]] std::int32_t defaultPool(const HeatScene& scene);

/// The meaning of a bin's colour.
enum class HeatMeasure : std::uint8_t {
    full,    ///< occupied share of the bin's bytes x steps
    buffers, ///< count of buffers in the bin
    holes,   ///< share of free bytes x steps below a live buffer
};
/// The minimum size of bins on the screen.
enum class HeatBins : std::uint8_t { fine, medium, coarse };
[[nodiscard]] double minBinPixels(HeatBins bins); ///< logical pixels

struct HeatState {
    const HeatScene* scene = nullptr;
    const Theme* theme = nullptr;
    const Colouring* colouring = nullptr; ///< swatches in the hover card; may be null
    NumberFormat numbers;
    double ratio = 1;      ///< device pixels for each logical pixel
    std::int32_t pool = 0; ///< into `HeatScene::pools`
    HeatMeasure measure = HeatMeasure::full;
    HeatBins bins = HeatBins::medium;
    PixelAxis steps; ///< device pixels
    PixelAxis addresses;
    OccupancyGrid grid;          ///< bins of the visible range, see `countBins`
    std::int32_t maxBuffers = 0; ///< maximum count of buffers in a bin of `grid`

    std::optional<Step> cursor;
    std::optional<OccupancyWindow> hovered; ///< a bin
    std::optional<OccupancyWindow> area;    ///< the area that is being dragged out
    BufferId selected = none;
    SharedBuffers others; ///< all selected ones if there are several, else empty

    [[nodiscard]] const HeatPool& shown() const { return scene->pools[std::size_t(pool)]; }
    [[nodiscard]] const PoolScene& shownScene() const { return scene->scene->pools[std::size_t(shown().of)]; }
};

/// The positions of the parts, in logical pixels. Empty rectangles: not shown.
struct HeatLayout {
    QRectF all;
    QRectF map;  ///< gutter and body
    QRectF side; ///< reuse bars, right of the body
    QRectF ruler;
    QRectF poolsHead;
    std::vector<QRectF> pools;           ///< the rows, of `poolOrder`
    std::vector<std::int32_t> poolOrder; ///< into `HeatScene::pools`
    QRectF curvesHead;
    QRectF curves;
    double plotLeft = 0;
    double plotRight = 1;

    [[nodiscard]] QRectF body() const { return {plotLeft, map.top(), plotRight - plotLeft, map.height()}; }
};
[[nodiscard]] HeatLayout layOut(const HeatState& state, QSizeF size);
/// Sets the sizes of the axes for `layout` and keeps their visible ranges; new axes show everything.
void fitAxes(HeatState& state, const HeatLayout& layout);
/// The bin size for the axes and the chosen size on the screen: 1, 2, 5, 10, … steps and a power of two of bytes.
[[nodiscard]] BinSizes wantedBins(const HeatState& state);
/// The visible part of the pool.
[[nodiscard]] OccupancyWindow shownWindow(const HeatState& state);
/// Sets a grid that `PoolOccupancy::grid` counted for `wantedBins` and `shownWindow`.
void setGrid(HeatState& state, OccupancyGrid grid);
/// Counts the bins on this thread. O(n + bins).
void countBins(HeatState& state);

struct HeatGeometry {
    const HeatState& state;
    const HeatLayout& layout;

    [[nodiscard]] double x(Step step) const { return layout.plotLeft + double(state.steps.edge(step)) / state.ratio; }
    [[nodiscard]] double y(Bytes address) const
    {
        return layout.map.bottom() - double(state.addresses.edge(address)) / state.ratio;
    }
    /// At least one logical pixel each way.
    [[nodiscard]] QRectF box(const OccupancyWindow& window) const;
    /// The bin of the grid under a point of the body.
    [[nodiscard]] std::optional<OccupancyWindow> binAt(QPointF at) const;
    [[nodiscard]] Step stepAt(double x) const { return state.steps.unitAt((x - layout.plotLeft) * state.ratio); }
    [[nodiscard]] Bytes addressAt(double y) const { return state.addresses.unitAt((layout.map.bottom() - y) * state.ratio); }
};

/// The colour of a bin; no value for an empty one. `bad` if an invalid plan has several buffers on one byte.
[[nodiscard]] std::optional<QColor> binColour(const HeatState& state, std::int32_t column, std::int32_t row);
/// "0" and "100 %", "0" and "12 buffers": the ends of the scale.
[[nodiscard]] QString scaleEnd(const HeatState& state);
/// "64 x 62, 2 KiB x 3 steps": columns and rows of bins in view, and the size of one. The rows above the pool's size, which are
/// head room of the picture, do not count.
[[nodiscard]] QString binsText(const HeatState& state);

/// Paints everything but the overlay. `vector`: bins become commands, unless there are more than 50,000; otherwise they become an
/// image. Returns true if `vector` had to become an image.
bool paintHeatmap(DrawList& list, const HeatState& state, const HeatLayout& layout, bool vector);
/// Paints cursor, selection and the bin under the pointer, on top. Fast.
void paintHeatmapOverlay(DrawList& list, const HeatState& state, const HeatLayout& layout);

/// The buffers of the shown pool in a bin or an area, as `PoolOccupancy::touching`. O(rectangles in the blocks that it meets).
[[nodiscard]] std::vector<PoolOccupancy::Touch> touchesIn(const HeatState& state, const OccupancyWindow& window);
/// The contents of a bin or an area.
struct HeatSums {
    std::size_t buffers = 0; ///< count of the buffers that touch it
    double occupied = 0;     ///< byte-steps
    /// The buffers that the card names: both of two, else the one with the most byte-steps; empty if they are only counted.
    std::vector<BufferId> named;
};
[[nodiscard]] HeatSums sumsOf(std::span<const PoolOccupancy::Touch> touches);
/// The card of a bin or an area.
[[nodiscard]] CardText heatCard(const HeatState& state, const OccupancyWindow& window, const HeatSums& sums);
/// Paints a ramp of `width` x 10 with "0" and the end of the scale beside it, right-aligned at `right` and centred at the height
/// `y`; returns its left edge.
double paintScale(DrawList& list, const HeatState& state, double right, double y, double width);

} // namespace stowage

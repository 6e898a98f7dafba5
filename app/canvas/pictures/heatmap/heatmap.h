// The occupancy heatmap: how full the bins of one pool are over addresses and steps, how often each address is used again, and
// the pools against each other. What is shown, where the parts lie, and the functions that paint them: to the screen, into files,
// for tests.
#pragma once

#include "app/canvas/axis/pixel_axis.h"
#include "app/canvas/axis/run_scene.h"
#include "app/canvas/kit/card.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "core/explain/occupancy.h"

#include <QImage>
#include <QRectF>
#include <QSizeF>

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// A pool with what the core measured about it.
struct HeatPool {
    std::int32_t of = 0; ///< into `RunScene::pools`
    PoolOccupancy occupancy;
    StepFunction free;        ///< bytes below the pool's size that nothing occupies
    StepFunction largestFree; ///< the largest hole of them
};

/// Immutable; shared with the threads that count bins.
struct HeatScene {
    std::shared_ptr<const RunScene> scene;
    std::vector<HeatPool> pools; ///< as `RunScene::pools`
};
/// Of all buffers, or (`shown`, by buffer) of those that a filter leaves: the others take no place then. O(n log n).
[[nodiscard]] std::shared_ptr<const HeatScene> makeHeatScene(std::shared_ptr<const RunScene> scene,
                                                             const std::vector<bool>* shown = nullptr);

/// Which pool to show first: of the workspaces, else of all, the one with the most buffers; none without any.
[[nodiscard]] std::int32_t defaultPool(const HeatScene& scene);

/// What a bin's colour stands for.
enum class HeatMeasure : std::uint8_t {
    full,    ///< occupied bytes x steps of those that the bin has
    buffers, ///< buffers that touch the bin
    holes,   ///< free bytes x steps with something live above them
};
/// How large bins are on the screen, at least.
enum class HeatBins : std::uint8_t { fine, medium, coarse };
[[nodiscard]] double minBinPixels(HeatBins bins); ///< logical pixels

struct HeatState {
    const HeatScene* scene = nullptr;
    const Theme* theme = nullptr;
    const Colouring* colouring = nullptr; ///< swatches in the hover card; may be null
    NumberFormat numbers;
    double ratio = 1;      ///< device pixels for each logical one
    std::int32_t pool = 0; ///< into `HeatScene::pools`
    HeatMeasure measure = HeatMeasure::full;
    HeatBins bins = HeatBins::medium;
    PixelAxis steps; ///< device pixels
    PixelAxis addresses;
    OccupancyGrid grid;          ///< of what the axes show, see `countBins`
    std::int32_t maxBuffers = 0; ///< in a bin of `grid`

    std::optional<Step> cursor;
    std::optional<OccupancyWindow> hovered; ///< a bin
    std::optional<OccupancyWindow> area;    ///< that is being dragged
    BufferId selected = none;
    std::vector<BufferId> others; ///< further selected ones

    [[nodiscard]] const HeatPool& shown() const { return scene->pools[std::size_t(pool)]; }
    [[nodiscard]] const PoolScene& shownScene() const { return scene->scene->pools[std::size_t(shown().of)]; }
};

/// Where the parts lie, in logical pixels. Empty rectangles: not shown.
struct HeatLayout {
    QRectF all;
    QRectF map;  ///< gutter and body
    QRectF side; ///< bars of reuse, right of the body
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
/// Sizes the axes for `layout`, keeping what they show; axes that are new show everything.
void fitAxes(HeatState& state, const HeatLayout& layout);
/// The bins that the axes and the wanted size ask for: 1, 2, 5, 10, … steps and a power of two of bytes.
[[nodiscard]] BinSizes wantedBins(const HeatState& state);
/// The part of the pool that the axes show.
[[nodiscard]] OccupancyWindow shownWindow(const HeatState& state);
/// Takes a grid as counted by `PoolOccupancy::grid` for `wantedBins` and `shownWindow`.
void setGrid(HeatState& state, OccupancyGrid grid);
/// Counts here and now. O(n + bins).
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

/// The colour of a bin; nothing when there is nothing to show. `bad` where a broken plan puts several buffers on one byte.
[[nodiscard]] std::optional<QColor> binColour(const HeatState& state, std::int32_t column, std::int32_t row);
/// "0" and "100 %", "0" and "12 buffers": the ends of the scale.
[[nodiscard]] QString scaleEnd(const HeatState& state);
/// "64 x 62, 2 KiB x 3 steps".
[[nodiscard]] QString binsText(const HeatState& state);

/// Paints everything but the overlay. `vector`: the bins as commands, unless there are more than 50,000; then, and otherwise, as
/// an image. Returns true when `vector` had to fall back.
bool paintHeatmap(DrawList& list, const HeatState& state, const HeatLayout& layout, bool vector);
/// Cursor, selection, the bin under the pointer: cheap, and on top.
void paintHeatmapOverlay(DrawList& list, const HeatState& state, const HeatLayout& layout);
/// What is in a bin or an area.
[[nodiscard]] CardText heatCard(const HeatState& state, const OccupancyWindow& window);
/// A ramp of `width` x 10 with "0" and the end of the scale beside it, right-aligned at `right` around the height `y`; returns
/// its left edge.
double paintScale(DrawList& list, const HeatState& state, double right, double y, double width);

} // namespace stowage

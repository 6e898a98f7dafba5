// The graphs of a run as pictures of the table (see app/canvas/kit/picture.h): computation, interference, allocation.
#pragma once

#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/graph/graph_sheet.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// The worker lays the graph out when the scene is made; it is broken into columns for the size, and painted at one scale for
/// both axes. A click on a node selects the buffers that it writes, or the buffer that it is; a click on an edge selects the
/// buffers at both ends.
class GraphPicture final : public Picture {
public:
    explicit GraphPicture(GraphKind kind = GraphKind::computation) { asked_.kind = kind; }

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    PictureChange setMarks(const PictureMarks& marks, bool fromHere) override;
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    [[nodiscard]] PictureParts parts() const override;
    [[nodiscard]] Viewport viewport() const override { return {across_, {down_}}; }
    void show(const ViewRange& range, bool moving) override;
    [[nodiscard]] QSizeF readableSize(QSizeF size, double maxPixels) const override;
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList& list) const override;
    void paintLegend(DrawList& list, double left, double right, double y) const override;
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    bool hover(const PictureHit& hit) override;
    std::optional<std::vector<BufferId>> areaTo(QPointF from, QPointF to) override;
    void clearArea() override { area_.reset(); }
    [[nodiscard]] std::optional<PictureAim> selectionAim() const override;
    [[nodiscard]] std::optional<PictureAim> peakAim() const override;
    [[nodiscard]] std::optional<PictureAim> neighbourAim(Direction direction, const BufferTest& selectable) const override;
    [[nodiscard]] QString spoken() const override { return caption(); }

    /// Null without a scene.
    [[nodiscard]] const RunGraph* graph() const { return scene_ ? &scene_->graph : nullptr; }
    [[nodiscard]] GraphKind kind() const { return asked_.kind; }
    /// The caption below the graph.
    [[nodiscard]] QString caption() const;
    /// The state that is painted. Valid until the next change.
    [[nodiscard]] GraphState state() const;

private:
    struct Scene final : PictureScene {
        RunGraphOptions options;
        RunGraph graph;
        GraphSpec spec;
        GraphLayout layout; ///< from the worker
        std::string prefix; ///< common prefix of the buffers' names
        NamesApart names;   ///< of the nodes
        NodeCodes codes;    ///< of the kinds of ops
    };
    enum Kind : std::int32_t { nothing, node, edge };

    void fold();
    void fitAxes();
    [[nodiscard]] QRectF canvas() const; ///< without the caption
    [[nodiscard]] QRectF room() const;
    [[nodiscard]] double fitScale() const; ///< logical pixels for each unit of the layout at which all of it is visible
    [[nodiscard]] QRectF layoutBox(std::size_t item) const;
    [[nodiscard]] std::int32_t selectedNode() const;
    /// `box` in units of the layout.
    void aimAt(PictureAim& aim, const QRectF& box) const;
    const std::vector<QColor>& fills() const;
    const Colouring& classes() const; ///< of the nodes

    std::shared_ptr<const Scene> scene_;
    RunGraphOptions asked_;
    GraphColour colourBy_ = GraphColour::kind;
    PictureMarks marks_;
    QSizeF size_;
    double ratio_ = 1;
    double aspect_ = 0; ///< aspect for which `layout_` was broken into columns
    GraphLayout layout_;
    PixelAxis across_; ///< in sixteenths of a unit of the layout
    PixelAxis down_;   ///< in the same units, upwards from the lower edge
    QPointF offset_;   ///< of the layout's corner on the axes, in units of the layout
    std::int32_t hoveredNode_ = -1;
    std::int32_t hoveredEdge_ = -1;
    std::optional<QRectF> area_; ///< in units of the layout
    mutable std::vector<QColor> fills_;
    mutable const Theme* fillsFor_ = nullptr;  ///< null: out of date
    mutable std::optional<Colouring> classes_; ///< none: out of date. Its legend is painted anew at each step of a drag
};

} // namespace stowage

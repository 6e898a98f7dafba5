// Constant folding as a picture of the table (see app/canvas/kit/picture.h): the roots, a function before and after folding side
// by side, and below them the effect of thresholds, the placements in memory, the first run compared with later ones, and the
// folded tensors.
#pragma once

#include "app/canvas/axis/names_apart.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/fold/fold_scene.h"

#include <memory>
#include <optional>

namespace stowage {

/// Graphs are laid out by the worker when the scene is made, and zoomed at one scale for both axes. A click on an op selects the
/// buffers that it writes; a click on the curve of thresholds chooses the nearest threshold.
class FoldPicture final : public Picture {
public:
    /// No value if the run is planned and its program has an op that reads only constants.
    static std::optional<Error> whyNot(const PictureSource& source);

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    PictureChange setMarks(const PictureMarks& marks, bool fromHere) override;
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    [[nodiscard]] PictureParts parts() const override;
    [[nodiscard]] Viewport viewport() const override { return {across_, {down_}}; }
    void show(const ViewRange& range, bool moving) override;
    void scrollTo(std::size_t part, double y) override;
    [[nodiscard]] QSizeF readableSize(QSizeF size, double maxPixels) const override;
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList& list) const override;
    void paintLegend(DrawList& list, double left, double right, double y) const override;
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    bool hover(const PictureHit& hit) override;
    PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers) override;
    std::optional<std::vector<BufferId>> areaTo(QPointF from, QPointF to) override;
    void clearArea() override { area_.reset(); }
    [[nodiscard]] std::optional<PictureAim> selectionAim() const override;
    [[nodiscard]] std::optional<PictureAim> peakAim() const override;
    [[nodiscard]] std::optional<PictureAim> neighbourAim(Direction direction, const BufferTest& selectable) const override;
    [[nodiscard]] QString spoken() const override;

    [[nodiscard]] const FoldAsked& asked() const { return asked_; }
    /// Null without a scene.
    [[nodiscard]] const FoldSheet* sheet() const { return scene_ ? &scene_->sheet : nullptr; }

private:
    struct Scene final : PictureScene {
        FoldSheet sheet;
        NamesApart names;      ///< of the ops
        NamesApart valueNames; ///< of the arenas' buffers, the folded tensors and the roots
    };
    enum Kind : std::int32_t { nothing, onOp, onThreshold };
    static constexpr double axisGrid = 16; ///< units of the axes for each unit of the layout

    void fitAxes();
    /// Arranges the columns for `aspect_`: as graphs, or in rows if graphs would have no names. Rows without room for their texts
    /// are scrolled.
    void arrange();
    /// Shows everything; of scrolled rows the first ones, as many as are readable.
    void showStart();
    [[nodiscard]] PictureScroll rows() const;        ///< where they are scrolled to
    [[nodiscard]] std::size_t rowsOutOfView() const; ///< of those that are scrolled
    enum Panel : std::int32_t { thresholds, memory, runs, tensors };

    [[nodiscard]] double panelHeight() const;      ///< of all panels together
    [[nodiscard]] double rootsWidth() const;       ///< of the list of roots, left of the graphs
    [[nodiscard]] QRectF canvas() const;           ///< of the graphs
    [[nodiscard]] QRectF panel(Panel which) const; ///< empty if there is no room for it
    [[nodiscard]] QRectF curveBox() const;
    [[nodiscard]] double fitScale() const;
    [[nodiscard]] double scale() const; ///< logical pixels for each unit of the layout
    [[nodiscard]] QPointF place(double x, double y) const;
    [[nodiscard]] QRectF box(const FoldNode& node) const;
    [[nodiscard]] std::vector<BufferId> buffersOf(OpId op) const;
    /// The bounding box of the ops for which `meant` holds, in all columns or (`first`) in that of the original; in units of the
    /// layout.
    template <typename Meant>
    [[nodiscard]] QRectF boxesOf(const Meant& meant, bool first) const;
    /// `box` in units of the layout.
    void aimAt(PictureAim& aim, const QRectF& box) const;
    void paintColumn(DrawList& list, const FoldColumn& column, bool before) const;
    void paintNode(DrawList& list, const FoldNode& node, bool before) const;
    /// Paints the reason in a box of one line; returns the right end for the name.
    double paintReasonInside(DrawList& list, const QRectF& area, double right, const QString& reason) const;
    [[nodiscard]] QString apart(const DrawList& list, const NamesApart& names, Face face, const std::string& name,
                                double room) const;
    void paintLinks(DrawList& list) const;
    void paintThresholds(DrawList& list) const;
    void paintMemory(DrawList& list) const;
    void paintRuns(DrawList& list) const;
    void paintTensors(DrawList& list) const;
    void paintRoots(DrawList& list) const;
    void paintBadge(DrawList& list, const QRectF& box, ConstLevel level) const;
    /// Paints the head of a panel; returns the area below it.
    QRectF paintPanel(DrawList& list, const QRectF& panel, const QString& title, const QStringList& notes) const;

    std::shared_ptr<const Scene> scene_;
    FoldColumns columns_;            ///< the scene's, arranged for the size
    double aspect_ = 0;              ///< aspect for which the columns were arranged; 0: not yet
    bool scrolled_ = false;          ///< arranged in rows, only part of which is readable at once
    std::optional<ViewRange> start_; ///< range of these rows that `showStart` or the scroll bar shows
    FoldAsked asked_;
    PictureMarks marks_;
    QSizeF size_;
    double ratio_ = 1;
    PixelAxis across_; ///< in sixteenths of a unit of the layout
    PixelAxis down_;   ///< in the same units, upwards from the lower edge
    QPointF offset_;   ///< of the layout's corner on the axes, in units of the layout
    OpId hovered_ = none;
    std::optional<QRectF> area_; ///< in units of the layout
};

} // namespace stowage

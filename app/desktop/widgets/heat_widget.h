// The heatmap of one run with all that pointer, wheel and keys do in it.
#pragma once

#include "app/canvas/pictures/heatmap/heatmap.h"
#include "app/desktop/widgets/picture_widget.h"

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// Selection and time cursor are those of the selection model; pool and range are the widget's own. Wheel zooms time, with Ctrl
/// addresses, with Shift it pans; a drag sums an area up and selects what is in it, with Alt or the middle button it zooms to a
/// box. Scenes of large runs are made in the background, and the old picture stays meanwhile.
class HeatWidget : public PictureWidget {
    Q_OBJECT

public:
    explicit HeatWidget(SelectionModel& selection, QWidget* parent = nullptr);
    ~HeatWidget() override;

    /// Shows another run, or none. What is in view stays when the axes are the same.
    void setRun(std::shared_ptr<const Run> run);
    /// True when the picture shows the run that was set last.
    [[nodiscard]] bool ready() const { return scene_ ? scene_->scene->run == run_ : !run_; }
    void setTheme(const Theme& theme);
    void setNumbers(const NumberFormat& numbers);
    void setPool(PoolId pool);
    [[nodiscard]] PoolId pool() const; ///< none without a scene
    void setMeasure(HeatMeasure measure);
    void setBins(HeatBins bins);

    /// Null while there is nothing to show, or nothing is placed.
    [[nodiscard]] const HeatScene* scene() const { return scene_ && !scene_->pools.empty() ? scene_.get() : nullptr; }
    [[nodiscard]] const HeatState& state() const { return state_; }
    [[nodiscard]] const HeatLayout& bands() const { return layout_; }
    [[nodiscard]] HeatGeometry geometry() const { return {state_, layout_}; }

    void zoomToFit();
    void zoomToSelection();
    void zoomToPeak();
    void zoom(double steps, double addresses); ///< factors, at the pointer or in the middle
    void pan(double share) override;
    bool goBack() override;
    bool goForward() override;
    /// Selects the neighbour of the selected buffer, or the largest one in view when none is.
    void goToNeighbour(Direction direction) override;
    /// Times that bins were counted: to count work in tests.
    [[nodiscard]] std::size_t counts() const { return counts_; }

Q_SIGNALS:
    void sceneChanged(); ///< another run is shown: pools may differ
    void poolChanged();  ///< by a click on its row
    void binsChanged();  ///< another grid: sizes and scale may differ

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void zoomByKey(double factor) override { zoom(factor, 1); }
    [[nodiscard]] ViewRange range() const override { return {state_.steps.range(), {state_.addresses.range()}}; }
    void paintBase(DrawList& list) override;

private:
    void take(std::shared_ptr<const HeatScene> scene);
    void relayout();
    void recount();
    void showSelection();
    void hoverAt(QPointF at);
    void click(QPointF at, Qt::KeyboardModifiers modifiers);
    void choosePool(std::int32_t pool);
    [[nodiscard]] OccupancyWindow windowOf(const QRectF& box) const;
    void show(const ViewRange& range);

    std::shared_ptr<const Run> run_; ///< as set; `scene_` may still be another one's
    std::shared_ptr<const HeatScene> scene_;
    std::shared_ptr<const Colouring> colouring_;
    HeatState state_;
    HeatLayout layout_;
    bool poolChosen_ = false; ///< by the user: kept when another planner's run is shown
    std::uint64_t generation_ = 0;
    std::size_t counts_ = 0;
};

} // namespace stowage

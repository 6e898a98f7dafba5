// The pipes of one run over time with all that pointer, wheel and keys do in it.
#pragma once

#include "app/canvas/pictures/pipes/pipe_chart.h"
#include "app/desktop/widgets/picture_widget.h"

#include <memory>
#include <optional>

namespace stowage {

/// Selection, step and filter are those of the selection model; the range of time is the widget's own. Wheel zooms time, with
/// Shift it pans, over the list it scrolls; a drag selects what runs in an area, with Alt or the middle button it zooms to it.
/// Long simulations are made in the background, and the old picture stays meanwhile.
class PipeWidget : public PictureWidget {
    Q_OBJECT

public:
    explicit PipeWidget(SelectionModel& selection, QWidget* parent = nullptr);
    ~PipeWidget() override;

    /// Shows another run, or none. What is in view stays while the simulated time is the same.
    void setRun(std::shared_ptr<const Run> run);
    void setTheme(const Theme& theme);
    void setNumbers(const NumberFormat& numbers);
    void setIterations(std::int64_t iterations);
    [[nodiscard]] std::int64_t iterations() const { return options_.iterations; }
    void setArrows(ReuseKind kind, bool on);

    /// Null while there is nothing to show.
    [[nodiscard]] const PipeScene* scene() const { return scene_.get(); }
    [[nodiscard]] bool waiting() const { return waiting_; } ///< for a simulation of the run
    [[nodiscard]] const PipeState& state() const { return state_; }
    [[nodiscard]] const PipeLayout& bands() const { return layout_; }
    [[nodiscard]] PipeGeometry geometry() const { return {state_, layout_}; }

    void zoomToFit();
    void zoomToSelection();   ///< the executions of the op at the cursor, else those that touch the selected buffer
    void zoomToPeak();        ///< the longest stall
    void zoom(double factor); ///< at the pointer or in the middle
    void pan(double share) override;
    bool goBack() override;
    bool goForward() override;
    /// The op before or behind the current one in its lane, or the nearest one in the next lane.
    void goToNeighbour(Direction direction) override;

Q_SIGNALS:
    void sceneChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void zoomByKey(double factor) override { zoom(factor); }
    [[nodiscard]] ViewRange range() const override { return {state_.axis.range(), {}}; }
    void paintBase(DrawList& list) override;

private:
    void simulate();
    void take(std::shared_ptr<const PipeScene> scene);
    void relayout();
    void showSelection();
    void showMask();
    void hoverAt(QPointF at);
    void click(QPointF at);
    void choose(std::int32_t span);
    [[nodiscard]] QRectF lanesArea() const;
    [[nodiscard]] std::int64_t timeAt(double x) const { return state_.axis.unitAt((x - layout_.plotLeft) * state_.ratio); }
    void showTime(std::int64_t begin, std::int64_t end);

    std::shared_ptr<const Run> run_;
    std::shared_ptr<const PipeScene> scene_;
    PipeOptions options_;
    bool waiting_ = false;
    PipeState state_;
    PipeLayout layout_;
    std::shared_ptr<const BufferMask> mask_; ///< `state_.shown` points into it
    std::uint64_t generation_ = 0;
    std::int32_t current_ = none; ///< the execution chosen last
    PipeHit hit_;                 ///< what the pointer is at
};

} // namespace stowage

// Graph: the ops and what flows between them, the buffers that conflict, or which bytes go from which buffer to which. Laid out
// in the worker, painted by the canvas.
#pragma once

#include "app/canvas/pictures/graph/graph_sheet.h"
#include "app/desktop/view.h"

#include <QPointer>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace stowage {

class ChoiceButton;
class Look;
class SegmentedControl;
class Workspace;

class GraphView : public View {
    Q_OBJECT

public:
    GraphView(Workspace& workspace, const Look& look, QWidget* parent);
    ~GraphView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }
    void zoomToFit() override;
    void zoomToSelection() override;
    void zoomToPeak() override;
    QString picture(RenderOptions& options) const override;

    [[nodiscard]] bool busy() const { return busy_; }
    [[nodiscard]] const RunGraph& graph() const { return graph_; }
    [[nodiscard]] GraphKind kind() const { return asked_.kind; }
    /// What is said below the graph, or in its place.
    [[nodiscard]] QString message() const;
    /// The node under a point of the widget, or -1.
    [[nodiscard]] int nodeAt(const QPointF& point) const;
    [[nodiscard]] QRectF nodeBox(int node) const; ///< in widget coordinates
    /// What is painted, for whoever wants to know where. Valid until the next event.
    [[nodiscard]] GraphState state() const;
    void setKind(GraphKind kind);
    void setHops(int hops);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct LaidOut;

    void makeBar();
    void renew();
    void take(std::uint64_t generation, LaidOut& result);
    void recolour();
    void fold();
    void fit(const QRectF& box, double most);
    void zoom(double factor, const QPointF& at);
    void pan(const QPointF& by);
    void point(int node, int edge);
    [[nodiscard]] bool drawn() const { return !graph_.nodes.empty() && layout_.centres.size() == graph_.nodes.size(); }
    [[nodiscard]] QRectF canvas() const;                ///< without the caption
    [[nodiscard]] QRectF boxOf(std::size_t node) const; ///< in the layout's coordinates
    [[nodiscard]] QString tip(const QPoint& at) const;

    Workspace& workspace_;
    const Theme* theme_;
    std::shared_ptr<const Run> run_;
    NumberFormat numbers_;
    RunGraph graph_;
    RunGraphOptions shown_; ///< what `graph_` was made with
    RunGraphOptions asked_; ///< what the bar says
    GraphLayout laidOut_;   ///< as it came
    GraphLayout layout_;    ///< folded for this window
    double aspect_ = 0;     ///< that it is folded for
    std::vector<QColor> fills_;
    std::string namePrefix_;
    std::optional<Error> error_;
    std::shared_ptr<std::stop_source> stop_;
    std::uint64_t generation_ = 0;
    bool busy_ = false;
    bool fitted_ = false; ///< the user has not moved the view since it was fitted
    GraphColour colourBy_ = GraphColour::kind;
    double scale_ = 1;
    QPointF origin_;
    std::optional<QPointF> drag_;
    QPointF dragFrom_;
    bool dragged_ = false;
    int hovered_ = -1;
    int hoveredEdge_ = -1;
    TextShaper shaper_;
    QPointer<QWidget> bar_;
    SegmentedControl* kindControl_ = nullptr;
    ChoiceButton* colourButton_ = nullptr;
    SegmentedControl* hopsControl_ = nullptr;
};

} // namespace stowage

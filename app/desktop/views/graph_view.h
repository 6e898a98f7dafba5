// Graph: the ops and what flows between them, laid out in the worker and painted here.
#pragma once

#include "app/desktop/buffer_colours.h"
#include "app/desktop/graph/op_graph.h"
#include "app/desktop/view.h"
#include "plugins/host/graph_layout.h"

#include <QPointer>
#include <QTransform>

#include <memory>
#include <optional>
#include <stop_token>

class QLabel;

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

    [[nodiscard]] bool busy() const { return busy_; }
    [[nodiscard]] const OpGraph& graph() const { return graph_; }
    [[nodiscard]] QString message() const;
    /// The node under a point of the widget, or -1.
    [[nodiscard]] int nodeAt(const QPointF& point) const;
    [[nodiscard]] QRectF nodeBox(int node) const; ///< in widget coordinates
    void setHops(int hops);

    enum class ColourNodes { kind, memory, bytes };

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
    void renew();
    void takeLayout(std::uint64_t generation, OpGraph graph, Expected<GraphLayout> layout);
    void fit(const QRectF& box, double most);
    void zoom(double factor, const QPointF& at);
    [[nodiscard]] QColor nodeColour(const OpNode& node);
    [[nodiscard]] bool selected(const OpNode& node) const;
    void paintEdges(QPainter& painter, const QRectF& visible);
    void paintNodes(QPainter& painter, const QRectF& visible);
    [[nodiscard]] QRectF boxOf(std::size_t node) const; ///< in graph coordinates

    Workspace& workspace_;
    const Look& look_;
    const Theme* theme_;
    std::shared_ptr<const Run> run_;
    NumberFormat numbers_;
    BufferColours colours_;
    OpGraph graph_;
    GraphLayout layout_;
    std::optional<Error> error_;
    std::shared_ptr<std::stop_source> stop_;
    std::uint64_t generation_ = 0;
    bool busy_ = false;
    bool fitted_ = false; ///< the user has not moved the view since it was fitted
    Bytes mostBytes_ = 1;
    ColourNodes colourNodes_ = ColourNodes::kind;
    int hops_ = 0;
    BufferId around_ = none;
    QTransform transform_; ///< graph to widget
    std::optional<QPointF> drag_;
    QTransform dragFrom_;
    bool dragged_ = false;
    int hovered_ = -1;
    QPointer<QWidget> bar_;
    ChoiceButton* colourBy_ = nullptr;
    SegmentedControl* hopsControl_ = nullptr;
    QLabel* note_ = nullptr;
};

} // namespace stowage

#include "app/desktop/views/graph_view.h"

#include "app/canvas/fonts.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/support_pile.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>
#include <QtConcurrentRun>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double nodeWidth = 132;
constexpr double nodeHeight = 34;
constexpr int hopChoices[] = {0, 1, 2, 4, 8};

struct LaidOut {
    OpGraph graph;
    Expected<GraphLayout> layout;
};

} // namespace

GraphView::GraphView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), workspace_(workspace), look_(look), theme_(&look.theme())
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Computation graph"));

    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    row->addWidget(makeLabel(tr("Colour by"), Tone::secondary));
    colourBy_ = new ChoiceButton({}, true);
    const QStringList names{tr("op kind"), tr("memory"), tr("bytes written")};
    colourBy_->setMenuFiller([this, names](QMenu& menu) {
        for (int i = 0; i < names.size(); ++i) {
            QAction* action = menu.addAction(names[i], this, [this, i, names] {
                colourNodes_ = ColourNodes(i);
                colourBy_->setChoice(names[i]);
                update();
            });
            action->setCheckable(true);
            action->setChecked(int(colourNodes_) == i);
        }
    });
    colourBy_->setChoice(names.front());
    row->addWidget(colourBy_);
    row->addSpacing(8);
    row->addWidget(makeLabel(tr("Hops round the selection"), Tone::secondary));
    hopsControl_ = new SegmentedControl({tr("all"), QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4"), QStringLiteral("8")}, true);
    connect(hopsControl_, &SegmentedControl::chosen, this, [this](int index) { setHops(hopChoices[index]); });
    row->addWidget(hopsControl_);
    row->addSpacing(8);
    note_ = makeLabel({}, Tone::secondary);
    row->addWidget(note_);
    row->addStretch();

    connect(&selection_, &SelectionModel::selectionChanged, this, [this] {
        if (hops_ > 0 && selection_.buffer() != none && selection_.buffer() != around_) renew();
        update();
    });
    connect(&selection_, &SelectionModel::hoverChanged, this, [this] { update(); });
    connect(&selection_, &SelectionModel::maskChanged, this, [this] { update(); });
    connect(&selection_, &SelectionModel::cursorChanged, this, [this] { update(); });
}

GraphView::~GraphView()
{
    if (stop_) stop_->request_stop();
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

void GraphView::setTheme(const Theme& theme)
{
    theme_ = &theme;
    update();
}

void GraphView::setHops(int hops)
{
    hops_ = hops;
    const auto at = std::ranges::find(hopChoices, hops);
    if (at != std::end(hopChoices)) hopsControl_->setCurrent(int(at - std::begin(hopChoices)));
    renew();
}

void GraphView::setContext(const ViewContext& context)
{
    numbers_ = context.numbers;
    const bool sameOps = run_ && context.run && run_->lowering == context.run->lowering;
    if (context.run == run_) {
        update();
        return;
    }
    run_ = context.run;
    colours_.setRun(run_);
    // Another planner moves no op: only the colours change.
    if (sameOps && (busy_ || !graph_.nodes.empty())) update();
    else renew();
}

void GraphView::renew()
{
    if (stop_) stop_->request_stop();
    const std::uint64_t generation = ++generation_;
    error_.reset();
    if (!run_ || !run_->program) {
        busy_ = false;
        graph_ = {};
        layout_ = {};
        update();
        return;
    }
    busy_ = true;
    around_ = selection_.buffer();
    OpGraphOptions options;
    options.hops = around_ == none ? 0 : hops_;
    options.around = around_;
    stop_ = std::make_shared<std::stop_source>();
    auto* watcher = new QFutureWatcher<std::shared_ptr<LaidOut>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        const std::shared_ptr<LaidOut> result = watcher->result();
        takeLayout(generation, std::move(result->graph), std::move(result->layout));
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run([run = run_, options, stop = stop_] {
        OpGraph graph = makeOpGraph(*run, options);
        GraphSpec spec;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) spec.nodes.push_back({nodeWidth, nodeHeight});
        for (const OpEdge& edge : graph.edges) spec.edges.push_back({edge.from, edge.to});
        auto layout = layoutGraph(spec, stop->get_token());
        return std::make_shared<LaidOut>(LaidOut{std::move(graph), std::move(layout)});
    }));
    update();
}

void GraphView::takeLayout(std::uint64_t generation, OpGraph graph, Expected<GraphLayout> layout)
{
    if (generation != generation_) return;
    busy_ = false;
    if (!layout) {
        error_ = layout.error();
    } else {
        graph_ = std::move(graph);
        layout_ = *std::move(layout);
        mostBytes_ = 1;
        for (const OpNode& node : graph_.nodes) mostBytes_ = std::max(mostBytes_, node.bytes);
        zoomToFit();
    }
    note_->setText(message());
    update();
}

QString GraphView::message() const
{
    if (!run_) return tr("Nothing is planned yet.");
    if (!run_->program) return tr("The input is a list of buffers: it has no ops to draw.");
    if (busy_ && graph_.nodes.empty()) return tr("Laying the graph out …");
    if (error_) return QString::fromStdString(error_->message);
    if (graph_.blocks)
        return tr("%1: each box stands for about %2 of them. Select a buffer and choose hops to see single ops.")
            .arg(countedText(std::int64_t(graph_.allOps), tr("op")))
            .arg(graph_.nodes.empty() ? 0 : graph_.nodes.front().ops);
    if (hops_ > 0 && around_ == none) return tr("Select a buffer to see what is round it.");
    if (graph_.nodes.size() < graph_.allOps) return tr("%1 of %2").arg(graph_.nodes.size()).arg(countedText(std::int64_t(graph_.allOps), tr("op")));
    return countedText(std::int64_t(graph_.nodes.size()), tr("op"));
}

QRectF GraphView::boxOf(std::size_t node) const
{
    const GraphPoint& centre = layout_.centres[node];
    return QRectF(centre.x - nodeWidth / 2, centre.y - nodeHeight / 2, nodeWidth, nodeHeight);
}

QRectF GraphView::nodeBox(int node) const { return transform_.mapRect(boxOf(std::size_t(node))); }

int GraphView::nodeAt(const QPointF& point) const
{
    const QPointF at = transform_.inverted().map(point);
    for (std::size_t i = 0; i < layout_.centres.size(); ++i)
        if (boxOf(i).contains(at)) return int(i);
    return -1;
}

bool GraphView::selected(const OpNode& node) const
{
    return std::ranges::any_of(selection_.buffers(), [&](BufferId buffer) { return std::ranges::binary_search(node.writes, buffer); });
}

QColor GraphView::nodeColour(const OpNode& node)
{
    const BufferId output = node.writes.empty() ? none : node.writes.front();
    switch (colourNodes_) {
    case ColourNodes::kind: return colours_.fill(output, *theme_);
    case ColourNodes::memory: {
        const PoolId pool = output == none ? none : run_->plan.placements[std::size_t(output)].pool;
        return pool == none ? theme_->buffers.back() : theme_->buffers[std::min(std::size_t(pool), theme_->buffers.size() - 1)];
    }
    case ColourNodes::bytes: return theme_->rampAt(0.15 + 0.75 * std::log2(1.0 + double(node.bytes)) / std::log2(1.0 + double(mostBytes_)));
    }
    return theme_->buffers.back();
}

void GraphView::paintEdges(QPainter& painter, const QRectF& visible)
{
    const double scale = transform_.m11();
    for (int pass = 0; pass < 2; ++pass) { // lit ones over the others
        for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
            const OpEdge& edge = graph_.edges[i];
            const bool lit = std::ranges::find(selection_.buffers(), edge.buffer) != selection_.buffers().end();
            if (lit != (pass == 1)) continue;
            const auto& points = layout_.curves[i].points;
            if (points.size() < 4) continue;
            QPainterPath path({points[0].x, points[0].y});
            for (std::size_t at = 1; at + 2 < points.size(); at += 3)
                path.cubicTo(points[at].x, points[at].y, points[at + 1].x, points[at + 1].y, points[at + 2].x, points[at + 2].y);
            if (!path.controlPointRect().adjusted(-8, -8, 8, 8).intersects(visible)) continue;
            QPen pen(lit ? theme_->accent : theme_->text3, (lit ? 2.0 : 1.0) / std::max(scale, 0.2));
            pen.setCosmetic(false);
            QColor colour = pen.color();
            if (!lit) colour.setAlphaF(0.6F);
            pen.setColor(colour);
            painter.setPen(pen);
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(path);
            if (scale < 0.25) continue;
            // the tip, along the last piece of the curve
            const GraphPoint &end = points.back(), &before = points[points.size() - 2];
            const double angle = std::atan2(end.y - before.y, end.x - before.x), size = 6;
            QPolygonF tip;
            tip << QPointF(end.x, end.y) << QPointF(end.x - size * std::cos(angle - 0.45), end.y - size * std::sin(angle - 0.45))
                << QPointF(end.x - size * std::cos(angle + 0.45), end.y - size * std::sin(angle + 0.45));
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawPolygon(tip);
        }
    }
}

void GraphView::paintNodes(QPainter& painter, const QRectF& visible)
{
    const double scale = transform_.m11();
    const auto cursor = selection_.cursor();
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const QRectF box = boxOf(i);
        if (!box.intersects(visible)) continue;
        const OpNode& node = graph_.nodes[i];
        const bool lit = selected(node), touched = selection_.buffer() != none && std::ranges::binary_search(node.touches, selection_.buffer());
        const bool dimmed = selection_.mask() && std::ranges::none_of(node.touches, [&](BufferId buffer) { return selection_.passes(buffer); });
        painter.setOpacity(dimmed ? 0.22 : 1);
        QColor fill = nodeColour(node);
        if (int(i) == hovered_) fill = mix(fill, theme_->text, 0.12);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(box, 3, 3);
        if (lit || touched || int(i) == hovered_) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(lit ? theme_->sel : theme_->text2, (lit ? 2.0 : 1.0) / scale));
            const double out = 2 / scale;
            painter.drawRoundedRect(box.adjusted(-out, -out, out, out), 4, 4);
        }
        if (cursor && node.step <= *cursor && *cursor < node.step + Step(node.ops)) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme_->warn);
            painter.drawRect(QRectF(box.left() - 7, box.top(), 3, box.height()));
        }
        if (scale < 0.42 || dimmed) continue;
        painter.setPen(theme_->inkOn(fill));
        painter.setFont(uiFont(12, QFont::DemiBold));
        const int room = int(box.width()) - 14;
        painter.drawText(QRectF(box.left() + 7, box.top() + 3, room, 15), Qt::AlignLeft | Qt::AlignVCenter, shortName(node.kind, painter.fontMetrics(), room));
        painter.setFont(uiFont(11));
        painter.drawText(QRectF(box.left() + 7, box.top() + 17, room, 14), Qt::AlignLeft | Qt::AlignVCenter,
                         graph_.blocks ? node.name.section(u',', 0, 0) : shortName(node.name, painter.fontMetrics(), room));
    }
    painter.setOpacity(1);
}

void GraphView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme_->well);
    painter.setRenderHint(QPainter::Antialiasing);
    if (graph_.nodes.empty() || layout_.centres.size() != graph_.nodes.size()) {
        painter.setPen(theme_->text2);
        painter.setFont(uiFont(metrics::title));
        painter.drawText(rect().adjusted(40, 0, -40, 0), Qt::AlignCenter | Qt::TextWordWrap, message());
        return;
    }
    painter.save();
    painter.setTransform(transform_, true);
    const QRectF visible = transform_.inverted().mapRect(QRectF(rect()));
    paintEdges(painter, visible);
    paintNodes(painter, visible);
    painter.restore();
    if (busy_) {
        painter.setPen(theme_->text2);
        painter.setFont(uiFont(metrics::body));
        painter.drawText(rect().adjusted(0, 10, -14, 0), Qt::AlignRight | Qt::AlignTop, tr("Laying the graph out …"));
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_->accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void GraphView::fit(const QRectF& box, double most)
{
    if (box.isEmpty() || width() < 10 || height() < 10) return;
    const double scale = std::min({(width() - 48) / box.width(), (height() - 48) / box.height(), most});
    transform_ = QTransform::fromTranslate(width() / 2.0, height() / 2.0);
    transform_.scale(scale, scale);
    transform_.translate(-box.center().x(), -box.center().y());
    update();
}

void GraphView::zoomToFit()
{
    fitted_ = true;
    fit(QRectF(0, 0, layout_.width, layout_.height), 1.2);
}

void GraphView::zoomToSelection()
{
    QRectF box;
    for (std::size_t i = 0; i < layout_.centres.size() && i < graph_.nodes.size(); ++i)
        if (std::ranges::binary_search(graph_.nodes[i].touches, selection_.buffer())) box |= boxOf(i);
    fitted_ = false;
    if (!box.isEmpty()) fit(box.adjusted(-60, -60, 60, 60), 1.2);
}

void GraphView::zoomToPeak()
{
    if (!run_) return;
    const PoolReport* most = nullptr;
    for (const PoolReport& pool : run_->report.pools)
        if (!most || pool.liveAtPeak > most->liveAtPeak) most = &pool;
    if (!most || most->peakStep < 0) return;
    selection_.setCursor(most->peakStep);
    fitted_ = false;
    for (std::size_t i = 0; i < layout_.centres.size() && i < graph_.nodes.size(); ++i)
        if (graph_.nodes[i].step <= most->peakStep && most->peakStep < graph_.nodes[i].step + Step(graph_.nodes[i].ops))
            fit(boxOf(i).adjusted(-200, -140, 200, 140), 1.2);
}

void GraphView::zoom(double factor, const QPointF& at)
{
    const double next = std::clamp(transform_.m11() * factor, 0.01, 4.0) / transform_.m11();
    const QPointF fixed = transform_.inverted().map(at);
    transform_.translate(fixed.x(), fixed.y());
    transform_.scale(next, next);
    transform_.translate(-fixed.x(), -fixed.y());
    fitted_ = false;
    update();
}

void GraphView::resizeEvent(QResizeEvent*)
{
    if (fitted_) zoomToFit();
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers() & Qt::ShiftModifier) {
        transform_ *= QTransform::fromTranslate(event->angleDelta().y() / 2.0, event->angleDelta().x() / 2.0);
        fitted_ = false;
        update();
    } else {
        zoom(std::pow(1.25, event->angleDelta().y() / 120.0), event->position());
    }
    event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    drag_ = event->position();
    dragFrom_ = transform_;
    dragged_ = false;
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    if (drag_) {
        const QPointF moved = event->position() - *drag_;
        if (moved.manhattanLength() > 4) dragged_ = true;
        if (dragged_) {
            transform_ = dragFrom_ * QTransform::fromTranslate(moved.x(), moved.y());
            fitted_ = false;
            update();
        }
        return;
    }
    const int node = nodeAt(event->position());
    if (node == hovered_) return;
    hovered_ = node;
    selection_.hover(node >= 0 && !graph_.nodes[std::size_t(node)].writes.empty() ? graph_.nodes[std::size_t(node)].writes.front() : none);
    update();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!drag_) return;
    drag_.reset();
    if (dragged_) return;
    const int node = nodeAt(event->position());
    if (node < 0) {
        selection_.select(none);
        return;
    }
    selection_.selectMany(graph_.nodes[std::size_t(node)].writes);
    selection_.setCursor(graph_.nodes[std::size_t(node)].step);
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    const double step = 60;
    const auto pan = [&](double x, double y) {
        transform_ *= QTransform::fromTranslate(x, y);
        fitted_ = false;
        update();
    };
    switch (event->key()) {
    case Qt::Key_W: zoom(1.25, mapFromGlobal(QCursor::pos())); break;
    case Qt::Key_S: zoom(0.8, mapFromGlobal(QCursor::pos())); break;
    case Qt::Key_A:
    case Qt::Key_Left: pan(step, 0); break;
    case Qt::Key_D:
    case Qt::Key_Right: pan(-step, 0); break;
    case Qt::Key_Up: pan(0, step); break;
    case Qt::Key_Down: pan(0, -step); break;
    default: View::keyPressEvent(event);
    }
}

bool GraphView::event(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        hovered_ = -1;
        selection_.hover(none);
        update();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int at = nodeAt(help->pos());
        if (at < 0) QToolTip::hideText();
        else {
            const OpNode& node = graph_.nodes[std::size_t(at)];
            QToolTip::showText(help->globalPos(), tr("%1\n%2\nstep %3, writes %4").arg(node.kind, node.name).arg(node.step).arg(bytesText(node.bytes, numbers_)), this);
        }
        return true;
    }
    return View::event(event);
}

} // namespace stowage

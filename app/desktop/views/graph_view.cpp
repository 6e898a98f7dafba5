#include "app/desktop/views/graph_view.h"

#include "app/canvas/axis/label_fit.h"
#include "app/canvas/export/render.h"
#include "app/canvas/pictures/graph/graph_fold.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <QtConcurrentRun>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double closest = 1.2; ///< when fitted
constexpr int hopChoices[] = {0, 1, 2, 4, 8};

} // namespace

struct GraphView::LaidOut {
    RunGraph graph;
    RunGraphOptions options;
    std::string prefix;
    Expected<GraphLayout> layout;
};

GraphView::GraphView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), workspace_(workspace), theme_(&look.theme())
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    makeBar();
    connect(&selection_, &SelectionModel::selectionChanged, this, [this] {
        if (asked_.hops > 0 && selection_.buffer() != none && selection_.buffer() != asked_.around) renew();
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

void GraphView::makeBar()
{
    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    kindControl_ = new SegmentedControl({tr("Computation"), tr("Interference"), tr("Allocation")}, true);
    kindControl_->setObjectName(QStringLiteral("graphKind"));
    kindControl_->setToolTip(
        tr("Ops and what flows between them; buffers that may not share a byte; which bytes go from which buffer to which"));
    connect(kindControl_, &SegmentedControl::chosen, this, [this](int index) { setKind(GraphKind(index)); });
    row->addWidget(kindControl_);
    row->addSpacing(8);
    row->addWidget(makeLabel(tr("Colour by"), Tone::secondary));
    colourButton_ = new ChoiceButton({}, true);
    const QStringList names{tr("op kind"), tr("memory"), tr("bytes")};
    colourButton_->setMenuFiller([this, names](QMenu& menu) {
        for (int i = 0; i < names.size(); ++i) {
            QAction* action = menu.addAction(names[i], this, [this, i, names] {
                colourBy_ = GraphColour(i);
                colourButton_->setChoice(names[i]);
                recolour();
            });
            action->setCheckable(true);
            action->setChecked(int(colourBy_) == i);
        }
    });
    colourButton_->setChoice(names.front());
    row->addWidget(colourButton_);
    row->addSpacing(8);
    QLabel* hops = makeLabel(tr("Hops"), Tone::secondary);
    hops->setToolTip(tr("How far from the selected buffer the graph goes"));
    row->addWidget(hops);
    hopsControl_ = new SegmentedControl(
        {tr("all"), QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4"), QStringLiteral("8")}, true);
    hopsControl_->setObjectName(QStringLiteral("graphHops"));
    connect(hopsControl_, &SegmentedControl::chosen, this, [this](int index) { setHops(hopChoices[index]); });
    row->addWidget(hopsControl_);
    row->addStretch();
}

void GraphView::setTheme(const Theme& theme)
{
    theme_ = &theme;
    recolour();
}

void GraphView::recolour()
{
    if (run_) fills_ = graphFills(*run_, graph_, colourBy_, *theme_);
    update();
}

void GraphView::setKind(GraphKind kind)
{
    asked_.kind = kind;
    kindControl_->setCurrent(int(kind));
    renew();
}

void GraphView::setHops(int hops)
{
    asked_.hops = hops;
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
    // Another planner moves no op: only the colours change. Buffers and their bytes are another matter.
    if (sameOps && asked_.kind == GraphKind::computation && (busy_ || !graph_.nodes.empty()))
        recolour();
    else
        renew();
}

void GraphView::renew()
{
    if (stop_) stop_->request_stop();
    const std::uint64_t generation = ++generation_;
    error_.reset();
    if (!run_ || (asked_.kind == GraphKind::computation && !run_->program)) {
        busy_ = false;
        graph_ = {};
        laidOut_ = layout_ = {};
        update();
        return;
    }
    busy_ = true;
    asked_.around = selection_.buffer();
    RunGraphOptions options = asked_;
    if (options.around == none) options.hops = 0;
    stop_ = std::make_shared<std::stop_source>();
    auto* watcher = new QFutureWatcher<std::shared_ptr<LaidOut>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        take(generation, *watcher->result());
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run([run = run_, options, stop = stop_] {
        RunGraph graph = makeRunGraph(*run, options);
        auto layout = layoutGraph(graphSpec(graph), stop->get_token());
        std::vector<std::string_view> names;
        for (const Buffer& buffer : run->problem().buffers) names.push_back(buffer.name);
        return std::make_shared<LaidOut>(LaidOut{std::move(graph), options, commonPrefix(names), std::move(layout)});
    }));
    update();
}

void GraphView::take(std::uint64_t generation, LaidOut& result)
{
    if (generation != generation_) return;
    busy_ = false;
    if (!result.layout) {
        error_ = result.layout.error();
    } else {
        graph_ = std::move(result.graph);
        shown_ = result.options;
        namePrefix_ = std::move(result.prefix);
        laidOut_ = *std::move(result.layout);
        hovered_ = hoveredEdge_ = -1;
        fold();
        recolour();
        zoomToFit();
    }
    update();
}

void GraphView::fold()
{
    const QRectF room = canvas();
    aspect_ = room.width() / std::max(1.0, room.height());
    layout_ = foldGraph(graphSpec(graph_), laidOut_, aspect_);
}

QString GraphView::message() const
{
    if (!run_) return tr("Nothing is planned yet.");
    if (busy_ && graph_.nodes.empty()) return tr("Laying the graph out …");
    if (error_) return QString::fromStdString(error_->message);
    return graphCaption(*run_, graph_,
                        asked_.hops > 0 && asked_.around == none ? asked_
                        : graph_.nodes.empty()                   ? asked_
                                                                 : shown_);
}

QString GraphView::picture(RenderOptions& options) const
{
    options.around = asked_.around;
    options.hops = asked_.hops;
    return asked_.kind == GraphKind::interference ? QStringLiteral("interference")
           : asked_.kind == GraphKind::allocation ? QStringLiteral("allocation")
                                                  : QStringLiteral("graph");
}

GraphState GraphView::state() const
{
    GraphState state;
    state.graph = &graph_;
    state.layout = &layout_;
    state.theme = theme_;
    state.fills = fills_;
    state.namePrefix = namePrefix_;
    state.numbers = numbers_;
    state.scale = scale_;
    state.origin = origin_;
    state.selected = selection_.buffers();
    state.shown = selection_.mask() ? &selection_.mask()->shown : nullptr;
    state.cursor = selection_.cursor();
    state.hovered = hovered_;
    if (hovered_ < 0 && hoveredEdge_ < 0 && selection_.hovered() != none &&
        graph_.kind != GraphKind::computation) { // pointed at elsewhere
        const auto found = std::ranges::find_if(graph_.nodes, [&](const GraphItem& item) {
            return !item.writes.empty() && item.writes.front() == selection_.hovered();
        });
        if (found != graph_.nodes.end()) state.hovered = std::int32_t(found - graph_.nodes.begin());
    }
    state.hoveredEdge = hoveredEdge_;
    return state;
}

QRectF GraphView::canvas() const
{
    return {0, 0, double(width()), height() - graphCaptionHeight};
}

QRectF GraphView::boxOf(std::size_t node) const
{
    GraphState state = this->state();
    state.scale = 1;
    state.origin = {};
    return state.box(node);
}

QRectF GraphView::nodeBox(int node) const
{
    return state().box(std::size_t(node));
}

int GraphView::nodeAt(const QPointF& point) const
{
    return drawn() && canvas().contains(point) ? graphNodeAt(state(), point) : -1;
}

void GraphView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    DrawList list(shaper_, devicePixelRatioF());
    list.fill(QRectF(rect()), theme_->well);
    const QRectF area = canvas();
    if (drawn()) {
        paintGraph(list, state(), area);
        paintGraphCaption(list, *theme_, {0, area.bottom(), area.width(), graphCaptionHeight}, message());
        if (busy_)
            list.text(Face::body, area.right() - 14, 18, tr("Laying the graph out …"), theme_->text2, draw::Text::Align::right);
    }
    replay(list, painter);
    if (!drawn()) {
        painter.setPen(theme_->text2);
        painter.setFont(uiFont(metrics::title));
        painter.drawText(rect().adjusted(40, 0, -40, 0), Qt::AlignCenter | Qt::TextWordWrap, message());
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_->accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void GraphView::fit(const QRectF& box, double most)
{
    const QRectF room = canvas().adjusted(24, 24, -24, -24);
    if (box.isEmpty() || room.isEmpty()) return;
    scale_ = std::min({room.width() / box.width(), room.height() / box.height(), most});
    origin_ = room.center() - box.center() * scale_;
    update();
}

void GraphView::zoomToFit()
{
    fitted_ = true;
    fit(QRectF(0, 0, layout_.width, layout_.height), closest);
}

void GraphView::zoomToSelection()
{
    QRectF box;
    if (!drawn() || selection_.buffer() == none) return;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
        if (std::ranges::binary_search(graph_.nodes[i].touches, selection_.buffer())) box |= boxOf(i);
    fitted_ = false;
    if (!box.isEmpty()) fit(box.adjusted(-160, -90, 160, 90), closest);
}

void GraphView::zoomToPeak()
{
    if (!run_ || !drawn()) return;
    const PoolReport* most = nullptr;
    for (const PoolReport& pool : run_->report.pools)
        if (!most || pool.liveAtPeak > most->liveAtPeak) most = &pool;
    if (!most || most->peakStep < 0) return;
    selection_.setCursor(most->peakStep);
    QRectF box;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
        if (graph_.nodes[i].step >= 0 && graph_.nodes[i].step <= most->peakStep && most->peakStep < graph_.nodes[i].end)
            box |= boxOf(i);
    fitted_ = false;
    if (!box.isEmpty()) fit(box.adjusted(-200, -140, 200, 140), closest);
}

void GraphView::zoom(double factor, const QPointF& at)
{
    const double next = std::clamp(scale_ * factor, 0.01, 4.0);
    origin_ = at - (at - origin_) * (next / scale_);
    scale_ = next;
    fitted_ = false;
    update();
}

void GraphView::pan(const QPointF& by)
{
    origin_ += by;
    fitted_ = false;
    update();
}

void GraphView::resizeEvent(QResizeEvent*)
{
    if (!fitted_) return;
    const QRectF room = canvas();
    if (const double now = room.width() / std::max(1.0, room.height()); now > aspect_ * 1.25 || now * 1.25 < aspect_) fold();
    zoomToFit();
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers() & Qt::ShiftModifier)
        pan({event->angleDelta().y() / 2.0, event->angleDelta().x() / 2.0});
    else
        zoom(std::pow(1.25, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    drag_ = event->position();
    dragFrom_ = origin_;
    dragged_ = false;
}

void GraphView::point(int node, int edge)
{
    if (node == hovered_ && edge == hoveredEdge_) return;
    hovered_ = node;
    hoveredEdge_ = edge;
    selection_.hover(node >= 0 && !graph_.nodes[std::size_t(node)].writes.empty() ? graph_.nodes[std::size_t(node)].writes.front()
                                                                                  : none);
    update();
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    if (drag_) {
        const QPointF moved = event->position() - *drag_;
        if (moved.manhattanLength() > 4) dragged_ = true;
        if (dragged_) {
            origin_ = dragFrom_ + moved;
            fitted_ = false;
            update();
        }
        return;
    }
    const int node = nodeAt(event->position());
    const bool edges = drawn() && graph_.kind == GraphKind::allocation && node < 0 && canvas().contains(event->position());
    point(node, edges ? graphEdgeAt(state(), event->position()) : -1);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!drag_) return;
    drag_.reset();
    if (dragged_) return;
    const int node = nodeAt(event->position());
    if (node < 0) {
        // An edge stands for the two that it is between.
        std::vector<BufferId> ends;
        if (hoveredEdge_ >= 0 && std::size_t(hoveredEdge_) < graph_.edges.size())
            for (const std::int32_t end :
                 {graph_.edges[std::size_t(hoveredEdge_)].from, graph_.edges[std::size_t(hoveredEdge_)].to})
                for (const BufferId buffer : graph_.nodes[std::size_t(end)].writes) ends.push_back(buffer);
        selection_.selectMany(std::move(ends));
        return;
    }
    const GraphItem& item = graph_.nodes[std::size_t(node)];
    if (item.role == GraphItem::Role::source || item.role == GraphItem::Role::sink) return;
    selection_.selectMany(item.writes);
    selection_.setCursor(item.step);
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    const double step = 60;
    switch (event->key()) {
    case Qt::Key_W: zoom(1.25, mapFromGlobal(QCursor::pos())); break;
    case Qt::Key_S: zoom(0.8, mapFromGlobal(QCursor::pos())); break;
    case Qt::Key_A:
    case Qt::Key_Left: pan({step, 0}); break;
    case Qt::Key_D:
    case Qt::Key_Right: pan({-step, 0}); break;
    case Qt::Key_Up: pan({0, step}); break;
    case Qt::Key_Down: pan({0, -step}); break;
    default: View::keyPressEvent(event);
    }
}

QString GraphView::tip(const QPoint& at) const
{
    if (!drawn()) return {};
    const auto name = [&](std::int32_t node) {
        const GraphItem& item = graph_.nodes[std::size_t(node)];
        return item.role == GraphItem::Role::source ? tr("the source")
               : item.role == GraphItem::Role::sink ? tr("the sink")
                                                    : QString::fromStdString(item.name);
    };
    const int node = nodeAt(at);
    if (node < 0) {
        if (hoveredEdge_ < 0 || std::size_t(hoveredEdge_) >= graph_.edges.size()) return {};
        const GraphLink& edge = graph_.edges[std::size_t(hoveredEdge_)];
        return tr("%1\nhands %2 at %3 on to\n%4")
            .arg(name(edge.from), bytesText(edge.bytes, numbers_), addressText(edge.offset, numbers_), name(edge.to));
    }
    const GraphItem& item = graph_.nodes[std::size_t(node)];
    const auto degree =
        std::ranges::count_if(graph_.edges, [&](const GraphLink& edge) { return edge.from == node || edge.to == node; });
    switch (item.role) {
    case GraphItem::Role::op:
    case GraphItem::Role::block:
        return tr("%1\n%2\nstep %3, writes %4")
            .arg(QString::fromStdString(item.kind), QString::fromStdString(item.name))
            .arg(item.step)
            .arg(bytesText(item.bytes, numbers_));
    case GraphItem::Role::buffer: {
        const Placement& placement = run_->plan.placements[std::size_t(item.writes.front())];
        QString text = tr("%1\n%2 at %3, live in [%4, %5)")
                           .arg(name(node), bytesText(item.bytes, numbers_),
                                placement.placed() ? addressText(placement.offset, numbers_) : tr("no address"))
                           .arg(item.step)
                           .arg(item.end);
        if (graph_.kind == GraphKind::interference) text += tr("\n%1 shown").arg(countedText(degree, tr("conflict")));
        if (item.proof) text += tr("\none of those that prove the lower bound");
        return text;
    }
    case GraphItem::Role::source:
    case GraphItem::Role::sink: break;
    }
    return item.role == GraphItem::Role::source ? tr("The memory as it is handed out: %1 of %2")
                                                      .arg(bytesText(item.bytes, numbers_), QString::fromStdString(item.name))
                                                : tr("The memory as it is given back: %1 of %2")
                                                      .arg(bytesText(item.bytes, numbers_), QString::fromStdString(item.name));
}

bool GraphView::event(QEvent* event)
{
    if (event->type() == QEvent::Leave) point(-1, -1);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = tip(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return View::event(event);
}

} // namespace stowage

#include "app/canvas/pictures/graph/graph_picture.h"

#include "app/canvas/axis/label_fit.h"
#include "app/canvas/kit/legend.h"
#include "app/canvas/pictures/graph/graph_fold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr double axisGrid = 16; ///< units of the axes for each unit of the layout
constexpr double fitRoom = 24;
constexpr double closestFit = 1.2; ///< logical pixels for each unit of the layout, when fitted
constexpr double closestScale = 4;
constexpr double readableScale = 0.9; ///< boxes have room for both lines
constexpr double otherAspect = 1.25;  ///< by so much a window changes before the graph is broken anew

const QStringList& kindNames()
{
    static const QStringList names{QStringLiteral("computation"), QStringLiteral("interference"), QStringLiteral("allocation")};
    return names;
}

const QStringList& colourNames()
{
    static const QStringList names{QStringLiteral("op kind"), QStringLiteral("memory"), QStringLiteral("bytes")};
    return names;
}

const QStringList& hopNames()
{
    static const QStringList names{QStringLiteral("all"), QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4"),
                                   QStringLiteral("8")};
    return names;
}

QString graphText(const std::string& words)
{
    return QString::fromStdString(words);
}

bool isPoolEnd(const GraphItem& item)
{
    return item.role == GraphItem::Role::source || item.role == GraphItem::Role::sink;
}

} // namespace

// --- what is shown -------------------------------------------------------------------------------------------------------

PictureJob GraphPicture::prepare(const PictureSource& source) const
{
    RunGraphOptions options = asked_;
    options.around = marks_.selected;
    if (options.around == none) options.hops = 0;
    // Another planner moves no op: the layout stays. Buffers and their bytes are another matter.
    const bool sameOps = scene_ && options.kind == GraphKind::computation && scene_->options.kind == options.kind &&
                         scene_->options.hops == options.hops &&
                         (options.hops == 0 || scene_->options.around == options.around) &&
                         scene_->run->lowering == source.run->lowering;
    if (sameOps)
        return {0, [scene = scene_, run = source.run](const std::stop_token&) {
                    auto made = std::make_shared<Scene>(*scene);
                    made->run = run;
                    return made;
                }};
    return {sceneAtOnce + 1, [run = source.run, options](const std::stop_token& stop) {
                auto made = std::make_shared<Scene>();
                made->run = run;
                made->options = options;
                if (run->problem().buffers.empty() && !run->program) {
                    made->error = failure(Code::nothingPlaced, "The input has no buffers.");
                    return made;
                }
                if (options.kind == GraphKind::computation && !run->program) {
                    made->error =
                        failure(Code::noProgram, "The input is a list of buffers: the ops of a computation graph are not in it.",
                                {}, "draw its interference or allocation graph");
                    return made;
                }
                made->graph = makeRunGraph(*run, options);
                if (made->graph.nodes.empty()) {
                    made->error = failure(Code::emptyGraph, graphCaption(*run, made->graph, options).toStdString());
                    return made;
                }
                made->spec = graphSpec(made->graph);
                auto layout = layoutGraph(made->spec, stop);
                if (!layout)
                    made->error = layout.error();
                else
                    made->layout = *std::move(layout);
                std::vector<std::string_view> names;
                for (const Buffer& buffer : run->problem().buffers) names.push_back(buffer.name);
                made->prefix = commonPrefix(names);
                made->names = nodeNames(made->graph, made->prefix);
                made->codes = nodeCodes(made->graph);
                return made;
            }};
}

bool GraphPicture::take(std::shared_ptr<const PictureScene> scene)
{
    const std::shared_ptr<const Scene> before = std::move(scene_);
    scene_ = std::static_pointer_cast<const Scene>(std::move(scene));
    hoveredNode_ = hoveredEdge_ = -1;
    fillsFor_ = nullptr;
    classes_.reset();
    const bool same = before && scene_ && before->layout.width == scene_->layout.width &&
                      before->layout.height == scene_->layout.height &&
                      before->layout.centres.size() == scene_->layout.centres.size();
    if (!same) {
        aspect_ = 0;
        layout_ = {};
        across_ = down_ = {};
    }
    return same;
}

PictureChange GraphPicture::setMarks(const PictureMarks& marks, bool)
{
    const bool other = asked_.hops > 0 && marks.selected != none && (!scene_ || marks.selected != scene_->options.around) &&
                       marks.selected != marks_.selected;
    marks_ = marks;
    return other ? PictureChange::scene : PictureChange::nothing;
}

std::vector<PictureOption> GraphPicture::options() const
{
    return {
        {QStringLiteral("kind"),
         {},
         kindNames(),
         kindNames()[int(asked_.kind)],
         QStringLiteral("Ops and what flows between them; buffers that may not share a byte; which bytes go from which buffer "
                        "to which")},
        {QStringLiteral("colour"), QStringLiteral("Colour by"), colourNames(), colourNames()[int(colourBy_)],
         QStringLiteral("What colours of boxes mean")},
        {QStringLiteral("hops"), QStringLiteral("Hops"), hopNames(),
         asked_.hops == 0 ? hopNames().front() : QString::number(asked_.hops),
         QStringLiteral("How far from the selected buffer the graph goes")}};
}

PictureChange GraphPicture::set(const QString& id, const QString& value)
{
    if (id == u"kind") {
        const qsizetype at = kindNames().indexOf(value);
        if (at < 0) return PictureChange::unknown;
        return std::exchange(asked_.kind, GraphKind(at)) == GraphKind(at) ? PictureChange::nothing : PictureChange::scene;
    }
    if (id == u"colour") {
        const qsizetype at = colourNames().indexOf(value);
        if (at < 0) return PictureChange::unknown;
        colourBy_ = GraphColour(at);
        fillsFor_ = nullptr;
        return PictureChange::paint;
    }
    if (id == u"hops") {
        bool number = false;
        const int hops = value == hopNames().front() ? 0 : value.toInt(&number);
        if ((!number && value != hopNames().front()) || hops < 0 || hops > 64) return PictureChange::unknown;
        return std::exchange(asked_.hops, hops) == hops ? PictureChange::nothing : PictureChange::scene;
    }
    return PictureChange::unknown;
}

QString GraphPicture::caption() const
{
    if (asked_.hops > 0 && scene_->options.hops == 0) return graphCaption(*scene_->run, scene_->graph, asked_);
    return graphCaption(*scene_->run, scene_->graph, scene_->options);
}

// --- layout --------------------------------------------------------------------------------------------------------------

QRectF GraphPicture::canvas() const
{
    return {0, 0, size_.width(), std::max(1.0, size_.height() - graphCaptionHeight)};
}

QRectF GraphPicture::room() const
{
    const QRectF all = canvas();
    return all.adjusted(fitRoom, fitRoom, -fitRoom, -fitRoom).isValid() ? all.adjusted(fitRoom, fitRoom, -fitRoom, -fitRoom)
                                                                        : all;
}

double GraphPicture::fitScale() const
{
    return std::min({room().width() / std::max(1.0, layout_.width), room().height() / std::max(1.0, layout_.height), closestFit});
}

void GraphPicture::fold()
{
    aspect_ = canvas().width() / canvas().height();
    layout_ = foldGraph(scene_->spec, scene_->layout, aspect_);
    across_ = down_ = {};
}

void GraphPicture::layOut(QSizeF size, double ratio)
{
    size_ = size;
    ratio_ = ratio;
    const double now = canvas().width() / canvas().height();
    const bool whole = across_.high() <= 1 || (across_.range().span >= across_.maximumSpan() * (1 - 1e-9) &&
                                               down_.range().span >= down_.maximumSpan() * (1 - 1e-9));
    if (aspect_ == 0 || (whole && (now > aspect_ * otherAspect || now * otherAspect < aspect_))) fold();
    fitAxes();
    if (whole) {
        across_.fit();
        down_.fit();
        return;
    }
    // One scale for both, around the same middle.
    const double scale = across_.scale();
    const double span = down_.pixels() / scale;
    down_.show({down_.range().begin.plus((down_.range().span - span) / 2), span});
}

void GraphPicture::fitAxes()
{
    const double scale = fitScale();
    const QRectF all = canvas();
    const double wide = all.width() / scale;
    const double high = all.height() / scale;
    offset_ = {(wide - layout_.width) / 2, (high - layout_.height) / 2};
    const auto fit = [&](PixelAxis& axis, double units, double pixels) {
        const auto limit = std::max<std::int64_t>(1, std::llround(units * axisGrid));
        const int device = std::max(1, int(std::lround(pixels * ratio_)));
        const double least = pixels * axisGrid / closestScale;
        if (axis.high() != limit) {
            if (axis.high() <= 1)
                axis = PixelAxis(0, limit, least, device);
            else
                axis.setLimits(0, limit, least);
        }
        if (axis.pixels() != device) axis.resize(device);
    };
    fit(across_, wide, all.width());
    fit(down_, high, all.height());
}

PictureParts GraphPicture::parts() const
{
    PictureParts parts;
    parts.plotLeft = 0;
    parts.plotRight = canvas().width();
    parts.strips = {canvas()};
    parts.uniform = true;
    return parts;
}

void GraphPicture::show(const ViewRange& range, bool)
{
    across_.show(range.steps);
    if (!range.addresses.empty()) down_.show(range.addresses.front());
}

QSizeF GraphPicture::readableSize(QSizeF size, double maxPixels) const
{
    const double scale = fitScale();
    if (scale >= readableScale) return size;
    const double larger =
        std::clamp(readableScale / scale, 1.0, std::sqrt(std::max(1.0, maxPixels / std::max(1.0, size.width() * size.height()))));
    const QSizeF wider = canvas().size() * larger;
    return {std::floor(wider.width()), std::floor(wider.height() + graphCaptionHeight)};
}

GraphState GraphPicture::state() const
{
    GraphState state;
    state.graph = &scene_->graph;
    state.layout = &layout_;
    state.theme = &theme();
    state.fills = fills();
    state.namePrefix = scene_->prefix;
    state.names = &scene_->names;
    state.codes = &scene_->codes;
    state.numbers = numbers();
    state.scale = across_.scale() * axisGrid / ratio_;
    state.origin = {across_.toPixel(std::int64_t(0)) / ratio_ + offset_.x() * state.scale,
                    canvas().bottom() - down_.toPixel(down_.high()) / ratio_ + offset_.y() * state.scale};
    state.selected = marks_.selection;
    if (marks_.shown && marks_.shown->size() == scene_->run->problem().buffers.size()) state.shown = marks_.shown.get();
    state.cursor = marks_.cursor;
    state.hovered = hoveredNode_;
    state.hoveredEdge = hoveredEdge_;
    if (hoveredNode_ < 0 && hoveredEdge_ < 0 && marks_.hovered != none &&
        scene_->graph.kind != GraphKind::computation) { // pointed at elsewhere
        const auto& nodes = scene_->graph.nodes;
        const auto found = std::ranges::find_if(
            nodes, [&](const GraphItem& item) { return !item.writes.empty() && item.writes.front() == marks_.hovered; });
        if (found != nodes.end()) state.hovered = std::int32_t(found - nodes.begin());
    }
    return state;
}

const std::vector<QColor>& GraphPicture::fills() const
{
    if (fillsFor_ != &theme()) {
        fills_ = graphFills(*scene_->run, scene_->graph, colourBy_, theme());
        fillsFor_ = &theme();
    }
    return fills_;
}

const Colouring& GraphPicture::classes() const
{
    if (!classes_) classes_ = graphClasses(*scene_->run, scene_->graph);
    return *classes_;
}

// --- painting ------------------------------------------------------------------------------------------------------------

bool GraphPicture::paint(DrawList& list, BodyMode)
{
    list.fill(QRectF(QPointF(0, 0), size_), theme().well);
    const QRectF all = canvas();
    list.clip(all);
    paintGraph(list, state(), all);
    list.unclip();
    paintGraphCaption(list, theme(), {0, all.bottom(), all.width(), graphCaptionHeight}, caption());
    return false;
}

void GraphPicture::paintOverlay(DrawList& list) const
{
    // Boxes are few: what is hovered is painted over by itself.
    const GraphState now = state();
    if (now.hovered >= 0 && std::size_t(now.hovered) < scene_->graph.nodes.size())
        list.outline(list.snapped(now.box(std::size_t(now.hovered))).adjusted(0.5, 0.5, -0.5, -0.5), theme().sel, 1, 3);
    if (!area_) return;
    const QRectF box =
        list.snapped(QRectF(now.place({area_->left(), area_->top()}), now.place({area_->right(), area_->bottom()})) & canvas());
    QColor wash = theme().accent;
    wash.setAlphaF(0.14F);
    list.fill(box, wash);
    list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme().accent, 1);
}

void GraphPicture::paintLegend(DrawList& list, double left, double right, double y) const
{
    if (colourBy_ == GraphColour::kind) paintColourLegend(list, theme(), classes(), left, right, y);
}

// --- pointer -------------------------------------------------------------------------------------------------------------

PictureHit GraphPicture::hit(QPointF at) const
{
    PictureHit hit;
    if (!canvas().contains(at)) {
        hit.keepsSelection = true;
        return hit;
    }
    const GraphState now = state();
    if (const std::int32_t found = graphNodeAt(now, at); found >= 0) {
        const GraphItem& item = scene_->graph.nodes[std::size_t(found)];
        hit.kind = node;
        hit.item = found;
        hit.box = now.box(std::size_t(found));
        hit.keepsSelection = isPoolEnd(item);
        hit.chosen = SharedBuffers(item.writes);
        if (!item.writes.empty()) hit.buffer = item.writes.front();
        if (!isPoolEnd(item) && item.step >= 0) hit.step = item.step;
        return hit;
    }
    if (scene_->graph.kind != GraphKind::allocation) return hit;
    if (const std::int32_t found = graphEdgeAt(now, at); found >= 0) {
        hit.kind = edge;
        hit.item = found;
        hit.box = QRectF(at.x() - 4, at.y() - 4, 8, 8);
        // An edge stands for the two that it is between.
        const GraphLink& link = scene_->graph.edges[std::size_t(found)];
        std::vector<BufferId> both = scene_->graph.nodes[std::size_t(link.from)].writes;
        const std::vector<BufferId>& to = scene_->graph.nodes[std::size_t(link.to)].writes;
        both.insert(both.end(), to.begin(), to.end());
        hit.chosen = SharedBuffers(std::move(both));
    }
    return hit;
}

bool GraphPicture::hover(const PictureHit& hit)
{
    const std::int32_t onNode = hit.kind == node ? std::int32_t(hit.item) : -1;
    const std::int32_t onEdge = hit.kind == edge ? std::int32_t(hit.item) : -1;
    const bool other = onNode != hoveredNode_ || onEdge != hoveredEdge_;
    hoveredNode_ = onNode;
    hoveredEdge_ = onEdge;
    return other;
}

std::optional<CardText> GraphPicture::card(const PictureHit& hit) const
{
    if (hit.kind == nothing) return std::nullopt;
    const RunGraph& graph = scene_->graph;
    CardText card;
    card.titleIsNumber = false;
    const auto line = [&](const QString& caption, const QString& value = {}) {
        card.lines.push_back({{}, caption, value, false});
    };
    const auto name = [&](std::int32_t at) {
        const GraphItem& item = graph.nodes[std::size_t(at)];
        return item.role == GraphItem::Role::source ? QStringLiteral("the source")
               : item.role == GraphItem::Role::sink ? QStringLiteral("the sink")
                                                    : graphText(item.name);
    };
    if (hit.kind == edge) {
        const GraphLink& link = graph.edges[std::size_t(hit.item)];
        card.title = QStringLiteral("%1 handed over").arg(bytesText(link.bytes, numbers()));
        line(QStringLiteral("from"), name(link.from));
        line(QStringLiteral("to"), name(link.to));
        line(QStringLiteral("at"), addressText(link.offset, numbers()));
        return card;
    }
    const GraphItem& item = graph.nodes[std::size_t(hit.item)];
    card.titleSwatch = fills()[std::size_t(hit.item)];
    switch (item.role) {
    case GraphItem::Role::op:
    case GraphItem::Role::block:
        card.title = graphText(item.kind);
        line(graphText(item.name));
        line(QStringLiteral("step"), countText(item.step));
        line(QStringLiteral("writes"), bytesText(item.bytes, numbers()));
        break;
    case GraphItem::Role::buffer: {
        const Placement& placement = scene_->run->plan.placements[std::size_t(item.writes.front())];
        card.title = graphText(item.name);
        line(QStringLiteral("size"), bytesText(item.bytes, numbers()));
        line(QStringLiteral("offset"),
             placement.placed() ? addressText(placement.offset, numbers()) : QStringLiteral("not placed"));
        line(QStringLiteral("live"), QStringLiteral("[%1, %2)").arg(countText(item.step), countText(item.end)));
        if (graph.kind == GraphKind::interference)
            line(QStringLiteral("conflicts shown"), countText(std::ranges::count_if(graph.edges, [&](const GraphLink& link) {
                     return link.from == hit.item || link.to == hit.item;
                 })));
        if (item.proof && card.lines.size() < 4) line(QStringLiteral("one of those that prove the lower bound"));
        break;
    }
    case GraphItem::Role::source:
    case GraphItem::Role::sink:
        card.title = item.role == GraphItem::Role::source ? QStringLiteral("The pool before the plan")
                                                          : QStringLiteral("The pool after the plan");
        line(graphText(item.name), bytesText(item.bytes, numbers()));
        break;
    }
    return card;
}

std::optional<std::vector<BufferId>> GraphPicture::areaTo(QPointF from, QPointF to)
{
    if (!canvas().contains(from)) return std::nullopt;
    const GraphState now = state();
    const QRectF area = QRectF(from, to).normalized() & canvas();
    area_ = QRectF((area.topLeft() - now.origin) / now.scale, (area.bottomRight() - now.origin) / now.scale);
    std::vector<BufferId> inside;
    for (std::size_t i = 0; i < scene_->graph.nodes.size(); ++i)
        if (now.box(i).intersects(area))
            inside.insert(inside.end(), scene_->graph.nodes[i].writes.begin(), scene_->graph.nodes[i].writes.end());
    std::ranges::sort(inside);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
    return inside;
}

// --- where to go ---------------------------------------------------------------------------------------------------------

QRectF GraphPicture::layoutBox(std::size_t item) const
{
    GraphState flat = state();
    flat.scale = 1;
    flat.origin = {};
    return flat.box(item);
}

void GraphPicture::aimAt(PictureAim& aim, const QRectF& box) const
{
    const auto unit = [](double value) { return std::max<std::int64_t>(0, std::llround(value * axisGrid)); };
    aim.across = Interval{unit(box.left() + offset_.x()), unit(box.right() + offset_.x()) + 1};
    const auto up = [&](double y) {
        return std::clamp<std::int64_t>(down_.high() - std::llround((y + offset_.y()) * axisGrid), 0, down_.high());
    };
    aim.up = {{0, up(box.bottom()), up(box.top()) + 1}};
}

std::optional<PictureAim> GraphPicture::selectionAim() const
{
    if (marks_.selected == none) return std::nullopt;
    QRectF box;
    for (std::size_t i = 0; i < scene_->graph.nodes.size(); ++i)
        if (std::ranges::binary_search(scene_->graph.nodes[i].touches, marks_.selected)) box |= layoutBox(i);
    if (box.isEmpty()) return std::nullopt;
    PictureAim aim;
    aimAt(aim, box.adjusted(-160, -90, 160, 90));
    aim.fit = true;
    return aim;
}

std::optional<PictureAim> GraphPicture::peakAim() const
{
    const PoolReport* most = nullptr;
    for (const PoolReport& pool : scene_->run->report.pools)
        if (!most || pool.liveAtPeak > most->liveAtPeak) most = &pool;
    if (!most || most->peakStep < 0) return std::nullopt;
    QRectF box;
    for (std::size_t i = 0; i < scene_->graph.nodes.size(); ++i) {
        const GraphItem& item = scene_->graph.nodes[i];
        if (item.step >= 0 && item.step <= most->peakStep && most->peakStep < item.end) box |= layoutBox(i);
    }
    PictureAim aim;
    aim.cursor = most->peakStep;
    if (!box.isEmpty()) aimAt(aim, box.adjusted(-200, -140, 200, 140));
    aim.fit = true;
    return aim;
}

std::int32_t GraphPicture::selectedNode() const
{
    const auto& nodes = scene_->graph.nodes;
    for (const bool writes : {true, false})
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (std::ranges::binary_search(writes ? nodes[i].writes : nodes[i].touches, marks_.selected)) return std::int32_t(i);
    return -1;
}

std::optional<PictureAim> GraphPicture::neighbourAim(Direction direction, const BufferTest& selectable) const
{
    const auto& nodes = scene_->graph.nodes;
    const auto passes = [&](BufferId id) { return marks_.passes(id) && selectable(id); };
    const GraphState now = state();
    const std::int32_t from = marks_.selected == none ? -1 : selectedNode();
    const QPointF here = from < 0 ? canvas().center() : now.box(std::size_t(from)).center();
    std::int32_t next = -1;
    double best = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (std::int32_t(i) == from || nodes[i].writes.empty()) continue;
        if (std::ranges::none_of(nodes[i].writes, passes)) continue;
        const QPointF by = now.box(i).center() - here;
        // Along the direction it counts once, across it three times: the next box of the row, not one far above it.
        const bool level = direction == Direction::left || direction == Direction::right;
        const double along = level ? by.x() : by.y();
        const double aside = std::abs(level ? by.y() : by.x());
        const bool back = direction == Direction::left || direction == Direction::up;
        const double on = back ? -along : along;
        if (from >= 0 && on <= 1) continue;
        const double distance = from < 0 ? std::hypot(by.x(), by.y()) : on + 3 * aside;
        if (next >= 0 && distance >= best) continue;
        next = std::int32_t(i);
        best = distance;
    }
    if (next < 0) return std::nullopt;
    PictureAim aim;
    const auto& writes = nodes[std::size_t(next)].writes;
    aim.select = *std::ranges::find_if(writes, passes);
    if (nodes[std::size_t(next)].step >= 0) aim.cursor = nodes[std::size_t(next)].step;
    aimAt(aim, layoutBox(std::size_t(next)));
    return aim;
}

} // namespace stowage

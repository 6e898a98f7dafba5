#include "app/canvas/export/render.h"

#include "app/canvas/pictures/compare/compare_sheet.h"
#include "app/canvas/pictures/graph/graph_fold.h"
#include "app/canvas/pictures/graph/graph_sheet.h"
#include "app/canvas/pictures/heatmap/heatmap.h"
#include "app/canvas/pictures/loops/loop_sheet.h"
#include "app/canvas/pictures/map/view_state.h"
#include "app/canvas/pictures/pipes/pipe_chart.h"
#include "app/canvas/pictures/usage/usage_chart.h"
#include "core/io/output_file.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stowage {

namespace {

constexpr double headHeight = 36;

enum class Format { png, svg, pdf };

struct Sheet {
    std::shared_ptr<const RunScene> scene;
    const Theme& theme;
    ColourBy colourBy;
    RenderOptions options;
    BodyMode mode;
    bool fellBack = false;
};

QString verdictText(const Run& run)
{
    switch (run.report.status) {
    case Status::optimal: return QStringLiteral("Valid, proved smallest");
    case Status::feasible: return QStringLiteral("Valid");
    case Status::doesNotFit: return QStringLiteral("Does not fit");
    case Status::infeasible: return QStringLiteral("Cannot fit");
    case Status::undecided: return QStringLiteral("Undecided");
    case Status::invalid: return QStringLiteral("Overlap");
    }
    return {};
}

/// Name, planner, verdict; returns where the text ends.
double paintTitle(DrawList& list, const Sheet& sheet)
{
    const Theme& theme = sheet.theme;
    const Run& run = *sheet.scene->run;
    const double width = sheet.options.size.width();
    const double y = headHeight / 2;
    list.fill({0, 0, width, headHeight}, theme.panel);
    double x = 10;
    const auto word = [&](Face face, const QString& text, const QColor& colour, double gap) {
        if (text.isEmpty()) return;
        list.text(face, x, y, text, colour);
        x += list.width(face, text) + gap;
    };
    word(Face::title, QString::fromStdString(run.problem().name), theme.text, 12);
    word(Face::body, QString::fromStdString(run.plan.planner), theme.text2, 12);
    const bool good = run.report.status == Status::optimal || run.report.status == Status::feasible;
    word(Face::bodyStrong, verdictText(run), good ? theme.ok : theme.bad, 12);
    word(Face::bodyNumber, bytesText(run.report.totalSize(), {}), theme.text, 24);
    list.horizontal(0, width, headHeight - 1, theme.line);
    return x;
}

/// The classes of a colouring at the right of the head, as far as they fit.
void paintLegend(DrawList& list, const Sheet& sheet, const Colouring& colouring, double x)
{
    const Theme& theme = sheet.theme;
    const double y = headHeight / 2;
    const Palette palette = paletteOf(theme, colouring.by);
    double right = sheet.options.size.width() - rightMargin;
    for (std::size_t i = colouring.classes.size(); i-- > 0;) {
        if (colouring.classes[i].buffers == 0) continue;
        const QString name = QString::fromStdString(colouring.classes[i].name);
        const double needed = 15 + list.width(Face::label, name);
        if (right - needed < x) break;
        list.text(Face::label, right, y, name, theme.text2, draw::Text::Align::right);
        list.fill(list.snapped({right - needed, y - 5, 10, 10}), palette.fills[i], 2);
        right -= needed + 12;
    }
}

QSizeF bodySize(const Sheet& sheet)
{
    return QSizeF(sheet.options.size.width(), sheet.options.size.height() - headHeight);
}

void paintHeatSheet(DrawList& list, Sheet& sheet)
{
    const auto heat = makeHeatScene(sheet.scene);
    paintTitle(list, sheet);
    if (heat->pools.empty()) {
        list.fill({0, headHeight, double(sheet.options.size.width()), bodySize(sheet).height()}, sheet.theme.well);
        list.text(Face::body, sheet.options.size.width() / 2.0, sheet.options.size.height() / 2.0,
                  QStringLiteral("Nothing is placed in this plan."), sheet.theme.text2, draw::Text::Align::centre);
        return;
    }
    HeatState state;
    state.scene = heat.get();
    state.theme = &sheet.theme;
    state.ratio = list.ratio();
    state.pool = defaultPool(*heat);
    for (std::size_t i = 0; i < heat->pools.size(); ++i)
        if (QString::fromStdString(sheet.scene->pools[i].map.poolName) == sheet.options.pool) state.pool = std::int32_t(i);
    const HeatLayout layout = layOut(state, bodySize(sheet));
    fitAxes(state, layout);
    countBins(state);
    const double left = paintScale(list, state, sheet.options.size.width() - rightMargin, headHeight / 2, 90);
    list.text(Face::label, left - 14, headHeight / 2, binsText(state), sheet.theme.text2, draw::Text::Align::right);
    list.add(draw::Shift{{0, headHeight}});
    sheet.fellBack |= paintHeatmap(list, state, layout, sheet.mode == BodyMode::vector);
    paintHeatmapOverlay(list, state, layout);
    list.add(draw::Unshift{});
}

void paintUsageSheet(DrawList& list, const Sheet& sheet)
{
    const std::vector<UsagePool> pools = usagePools(*sheet.scene->run);
    UsageState state;
    state.pools = &pools;
    state.theme = &sheet.theme;
    state.ratio = list.ratio();
    state.steps = sheet.scene->steps;
    state.ordered = sheet.scene->run->problem().axis != Axis::dag;
    const UsageLayout layout = layOut(state, bodySize(sheet));
    fitAxis(state, layout);
    const double x = paintTitle(list, sheet);
    const double legend = sheet.options.size.width() - rightMargin;
    if (legend - 400 > x) paintUsageLegend(list, sheet.theme, legend, headHeight / 2);
    list.add(draw::Shift{{0, headHeight}});
    paintUsage(list, state, layout);
    list.add(draw::Unshift{});
}

void paintPipeSheet(DrawList& list, const Sheet& sheet)
{
    PipeOptions simulated;
    simulated.iterations = sheet.options.iterations;
    const auto scene = makePipeScene(sheet.scene->run, simulated);
    PipeState state;
    state.scene = scene.get();
    state.theme = &sheet.theme;
    state.ratio = list.ratio();
    const PipeLayout layout = layOut(state, bodySize(sheet));
    fitAxis(state, layout);
    state.arrows = sheet.options.arrows;
    state.selected = sheet.options.selected;
    if (sheet.options.timeEnd > sheet.options.timeBegin)
        state.axis.show(state.axis.around(sheet.options.timeBegin, sheet.options.timeEnd, 0));
    paintTitle(list, sheet);
    list.add(draw::Shift{{0, headHeight}});
    paintPipes(list, state, layout, QString::fromStdString(whyNoPipes(*sheet.scene->run)));
    paintPipesOverlay(list, state, layout);
    list.add(draw::Unshift{});
}

void paintStackSheet(DrawList& list, Sheet& sheet, bool map)
{
    ViewState view(sheet.scene, sheet.theme, sheet.colourBy);
    StackState& state = view.state();
    state.map = map;
    state.ratio = list.ratio();
    const StackLayout layout = layOut(state, bodySize(sheet));
    fitViewport(state, layout);
    paintLegend(list, sheet, view.colouring(), paintTitle(list, sheet));
    list.add(draw::Shift{{0, headHeight}});
    sheet.fellBack |= paintStack(list, state, layout, sheet.mode);
    paintStackOverlay(list, state, layout);
    list.add(draw::Unshift{});
}

constexpr double readableScale = 0.9;    ///< boxes have room for both lines
constexpr double mostGrownPixels = 60e6; ///< of a graph that grows until it can be read

/// A graph, laid out now. Nothing when that worked. The sheet may grow.
std::optional<Error> paintGraphSheet(DrawList& list, Sheet& sheet, GraphKind kind)
{
    const Run& run = *sheet.scene->run;
    const RunGraphOptions asked{
        .kind = kind, .around = sheet.options.around, .hops = sheet.options.around == none ? 0 : sheet.options.hops};
    const RunGraph graph = makeRunGraph(run, asked);
    if (kind == GraphKind::computation && !run.program)
        return failure(Code::noProgram, "the input is a problem: the ops that a computation graph is made of are not in it", {},
                       "draw its interference or allocation graph");
    const GraphSpec spec = graphSpec(graph);
    const auto laidOut = layoutGraph(spec);
    if (!laidOut) return laidOut.error();
    const Theme& theme = sheet.theme;
    const std::vector<QColor> fills = graphFills(run, graph, GraphColour::kind, theme);
    QSizeF size(sheet.options.size);
    QRectF room(0, headHeight, size.width(), size.height() - headHeight - graphCaptionHeight);
    const GraphLayout layout = foldGraph(spec, *laidOut, room.width() / std::max(1.0, room.height()));
    GraphState state;
    state.graph = &graph;
    state.layout = &layout;
    state.theme = &theme;
    state.fills = fills;
    state.namePrefix = sheet.scene->namePrefix;
    const BufferId around[] = {asked.around};
    if (asked.around != none) state.selected = around;
    fitGraph(state, room.adjusted(24, 20, -24, -20));
    if (sheet.options.readable && state.scale < readableScale) {
        const double pixels = size.width() * size.height() * sheet.options.scale * sheet.options.scale;
        const double larger = std::clamp(readableScale / state.scale, 1.0, std::sqrt(std::max(1.0, mostGrownPixels / pixels)));
        sheet.options.size = (room.size() * larger + QSizeF(0, headHeight + graphCaptionHeight)).toSize();
        size = sheet.options.size;
        room.setSize({size.width(), size.height() - headHeight - graphCaptionHeight});
        fitGraph(state, room.adjusted(24, 20, -24, -20));
    }
    paintLegend(list, sheet, colouring(run, sheet.colourBy), paintTitle(list, sheet));
    list.fill(room, theme.well);
    if (!graph.nodes.empty()) paintGraph(list, state, room);
    paintGraphCaption(list, theme, {0, size.height() - graphCaptionHeight, size.width(), graphCaptionHeight},
                      graphCaption(run, graph, asked));
    return std::nullopt;
}

/// A loop in one iteration. Nothing when there is one to show.
std::optional<Error> paintLoopSheet(DrawList& list, const Sheet& sheet)
{
    const Run& run = *sheet.scene->run;
    const std::vector<LoopId> loops = run.program ? loopsOf(*run.lowering) : std::vector<LoopId>();
    if (loops.empty()) return failure(Code::noLoop, "the program has no loops", {}, "draw another view");
    LoopId chosen = sheet.options.loop.isEmpty() ? loops.front() : none;
    std::string names;
    for (const LoopId loop : loops) {
        const std::string& name = run.problem().loops[std::size_t(loop)].name;
        names += (names.empty() ? "one of " : ", ") + name;
        if (QString::fromStdString(name) == sheet.options.loop) chosen = loop;
    }
    if (chosen == none)
        return failure(Code::noLoop, "there is no loop named \"" + sheet.options.loop.toStdString() + "\"", {}, names);
    const auto picture = loopPicture(run, chosen);
    if (!picture) return failure(Code::noLoop, "views are those of a program's tensors, and the loop has none", {}, names);
    if (sheet.options.iteration < 0 ||
        sheet.options.iteration >= picture->story.tripCount.value_or(std::numeric_limits<std::int64_t>::max()))
        return failure(Code::noIteration, "the loop has no iteration " + std::to_string(sheet.options.iteration), {},
                       picture->story.tripCount ? "0 to " + std::to_string(*picture->story.tripCount - 1)
                                                : std::string("0 or more"));
    LoopState state;
    state.scene = sheet.scene.get();
    state.picture = &*picture;
    state.theme = &sheet.theme;
    state.iteration = sheet.options.iteration;
    state.close = sheet.options.close;
    state.holds = loopHolds(run.problem(), run.plan, chosen, state.iteration);
    paintTitle(list, sheet);
    list.add(draw::Shift{{0, headHeight}});
    paintLoop(list, state, layOut(state, bodySize(sheet)));
    list.add(draw::Unshift{});
    return std::nullopt;
}

/// All runs: the model, how many there are, and the legend of the maps.
void paintComparison(DrawList& list, Sheet& sheet, const std::vector<std::shared_ptr<const Run>>& runs)
{
    const Theme& theme = sheet.theme;
    const double y = headHeight / 2;
    CompareOptions options;
    options.size = bodySize(sheet);
    options.theme = &theme;
    options.colourBy = sheet.colourBy;
    options.pool = comparedPool(runs);
    for (std::size_t i = 0; i < runs.front()->problem().pools.size(); ++i)
        if (QString::fromStdString(runs.front()->problem().pools[i].name) == sheet.options.pool) options.pool = PoolId(i);
    options.mode = sheet.mode;
    list.fill({0, 0, double(sheet.options.size.width()), headHeight}, theme.panel);
    list.horizontal(0, sheet.options.size.width(), headHeight - 1, theme.line);
    double x = 12;
    const auto word = [&](Face face, const QString& text, const QColor& colour) {
        list.text(face, x, y, text, colour);
        x += list.width(face, text) + 12;
    };
    word(Face::title, QString::fromStdString(runs.front()->problem().name), theme.text);
    word(Face::body, countedText(std::int64_t(runs.size()), QStringLiteral("planner")), theme.text2);
    if (options.pool != none && usedPools(*runs.front()).size() > 1)
        word(Face::body,
             QStringLiteral("maps of %1")
                 .arg(QString::fromStdString(runs.front()->problem().pools[std::size_t(options.pool)].name)),
             theme.text2);
    paintLegend(list, sheet, colouring(*runs.front(), sheet.colourBy), x + 12);
    list.add(draw::Shift{{0, headHeight}});
    sheet.fellBack |= paintCompareSheet(list, runs, options);
    list.add(draw::Unshift{});
}

std::optional<GraphKind> graphOf(const QString& view)
{
    if (view == u"graph") return GraphKind::computation;
    if (view == u"interference") return GraphKind::interference;
    if (view == u"allocation") return GraphKind::allocation;
    return std::nullopt;
}

Error notEncoded(const QString& file)
{
    return failure(Code::cannotWrite, "the picture could not be encoded", {file.toStdString()}, "choose a smaller size");
}

} // namespace

QStringList renderableViews()
{
    return {QStringLiteral("memory-map"), QStringLiteral("liveness"),     QStringLiteral("heatmap"),    QStringLiteral("usage"),
            QStringLiteral("graph"),      QStringLiteral("interference"), QStringLiteral("allocation"), QStringLiteral("loops"),
            QStringLiteral("pipes"),      QStringLiteral("pipeline"),     QStringLiteral("compare")};
}

Expected<Diagnostics> renderToFile(const std::vector<std::shared_ptr<const Run>>& runs, const QString& view,
                                   const RenderOptions& options, const QString& file)
{
    if (!renderableViews().contains(view))
        return failure(Code::unknownView, "there is no picture called \"" + view.toStdString() + "\"", {},
                       "one of " + renderableViews().join(QStringLiteral(", ")).toStdString());
    if (runs.empty() || !runs.front()) return failure(Code::nothingToDraw, "there is no run to draw", {}, "plan the model first");
    const auto colourBy = colourByFrom(options.colourBy.toStdString());
    if (!colourBy)
        return failure(Code::unknownColouring, "there is no colouring by \"" + options.colourBy.toStdString() + "\"", {},
                       "one of op kind, kind, pool, size, lifetime, slack");
    constexpr int mostPixels = 32000;
    if (options.size.width() < 200 || options.size.height() < 120 || !(options.scale >= 0.5 && options.scale <= 8) ||
        options.size.width() * options.scale > mostPixels || options.size.height() * options.scale > mostPixels)
        return failure(Code::badSize, "the picture would be too small or too large", {},
                       "200 x 120 to 32000 x 32000 pixels, scale 0.5 to 8");
    const QString suffix = QFileInfo(file).suffix().toLower();
    const Format format = suffix == u"svg" ? Format::svg : suffix == u"pdf" ? Format::pdf : Format::png;
    if (format == Format::png && suffix != u"png")
        return failure(Code::unknownSuffix, "the kind of picture is told by the name of the file, and this is none of them",
                       {file.toStdString()}, "end it in .png, .svg or .pdf");

    if (!options.pool.isEmpty()) {
        QStringList names;
        for (const PoolId pool : usedPools(*runs.front()))
            names << QString::fromStdString(runs.front()->problem().pools[std::size_t(pool)].name);
        if (!names.contains(options.pool))
            return failure(Code::unknownPool, "nothing lies in a pool called \"" + options.pool.toStdString() + "\"", {},
                           names.isEmpty() ? std::string() : "one of " + names.join(QStringLiteral(", ")).toStdString());
    }

    if (view == u"pipes" || view == u"pipeline")
        if (const std::string why = whyNoPipes(*runs.front()); !why.empty())
            return failure(Code::noPipes, why, {}, "draw a kernel whose ops name pipes, planned with --lower order=hivm");
    const ColourBy by = !hasColouring(*runs.front(), *colourBy) ? defaultColouring(*runs.front()) : *colourBy;
    Sheet sheet{makeScene(runs.front()), options.dark ? Theme::darkTheme() : Theme::lightTheme(), by, options,
                format == Format::png ? BodyMode::raster : BodyMode::vector};
    TextShaper shaper;
    DrawList list(shaper, format == Format::png ? options.scale : 1.0);
    if (view == u"heatmap")
        paintHeatSheet(list, sheet);
    else if (view == u"usage")
        paintUsageSheet(list, sheet);
    else if (view == u"pipes" || view == u"pipeline")
        paintPipeSheet(list, sheet);
    else if (view == u"compare")
        paintComparison(list, sheet, runs);
    else if (view == u"loops") {
        if (const auto wrong = paintLoopSheet(list, sheet)) return *wrong;
    } else if (const auto graph = graphOf(view)) {
        sheet.colourBy = defaultColouring(*runs.front());
        if (const auto wrong = paintGraphSheet(list, sheet, *graph)) return *wrong;
    } else
        paintStackSheet(list, sheet, view == u"memory-map");

    const QSize size = sheet.options.size;
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    switch (format) {
    case Format::png: {
        QImage image(QSize(int(std::lround(size.width() * options.scale)), int(std::lround(size.height() * options.scale))),
                     QImage::Format_RGB32);
        image.setDevicePixelRatio(options.scale);
        QPainter painter(&image);
        replay(list, painter);
        painter.end();
        if (!image.save(&out, "PNG")) return notEncoded(file);
        break;
    }
    case Format::svg: {
        QSvgGenerator generator;
        generator.setOutputDevice(&out);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(0, 0), size));
        generator.setTitle(QString::fromStdString(runs.front()->problem().name));
        QPainter painter;
        if (!painter.begin(&generator)) return notEncoded(file);
        replay(list, painter, true);
        painter.end();
        break;
    }
    case Format::pdf: {
        QPdfWriter writer(&out);
        writer.setCreator(QStringLiteral("Stowage"));
        writer.setTitle(QString::fromStdString(runs.front()->problem().name));
        // One logical pixel is one point; the page is as large as the picture.
        writer.setResolution(72);
        writer.setPageSize(QPageSize(QSizeF(size), QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        QPainter painter;
        if (!painter.begin(&writer)) return notEncoded(file);
        replay(list, painter, true);
        painter.end();
        break;
    }
    }
    const QByteArray& bytes = out.data();
    if (auto error = io::writeFile(file.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())}))
        return *std::move(error);
    Diagnostics notes;
    if (sheet.fellBack) {
        Diagnostic& note = notes.emplace_back();
        note.severity = Severity::note;
        note.code = Code::rasterEmbedded;
        note.message = "more than 50,000 rectangles are in view: they are embedded as an image";
        note.where.file = file.toStdString();
    }
    return notes;
}

} // namespace stowage

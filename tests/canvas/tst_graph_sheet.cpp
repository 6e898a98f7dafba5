// Graphs as they are painted: boxes where the layout has them, lines from border to border, labels that cover nothing.
#include "app/canvas/axis/op_codes.h"
#include "app/canvas/axis/run_scene.h"
#include "app/canvas/pictures/graph/graph_fold.h"
#include "app/canvas/pictures/graph/graph_sheet.h"
#include "tests/support/real_run.h"
#include "tests/support/seed_shift.h"

#include <QLineF>
#include <QPolygonF>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

using namespace stowage;

namespace {

GraphCurve straightCurve(const GraphPoint& a, const GraphPoint& b)
{
    return {{a, {a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3}, {a.x + 2 * (b.x - a.x) / 3, a.y + 2 * (b.y - a.y) / 3}, b}};
}

/// All points of a curve lie in the layout.
bool isInside(const GraphLayout& layout, const GraphCurve& curve)
{
    constexpr double slack = 1e-6;
    return std::ranges::all_of(curve.points, [&](const GraphPoint& p) {
        return p.x >= -slack && p.x <= layout.width + slack && p.y >= -slack && p.y <= layout.height + slack;
    });
}

/// Nodes in columns of `rows`, straight curves from the right border to the left one: a layout that needs no Graphviz.
struct Grid {
    explicit Grid(std::shared_ptr<const Run> made, GraphKind kind, int rows = 5)
        : run(std::move(made)), graph(makeRunGraph(*run, {.kind = kind}))
    {
        const GraphSpec spec = graphSpec(graph);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            layout.centres.push_back({70 + 220.0 * double(i / std::size_t(rows)), 30 + 60.0 * double(i % std::size_t(rows))});
        for (const GraphEdge& edge : spec.edges) {
            const GraphPoint a = layout.centres[std::size_t(edge.from)], b = layout.centres[std::size_t(edge.to)];
            const double from = a.x + spec.nodes[std::size_t(edge.from)].width / 2,
                         to = b.x - spec.nodes[std::size_t(edge.to)].width / 2;
            layout.curves.push_back({{{from, a.y}, {from + (to - from) / 3, a.y}, {from + 2 * (to - from) / 3, b.y}, {to, b.y}}});
        }
        layout.width = 140 + 220.0 * double((graph.nodes.size() - 1) / std::size_t(rows));
        layout.height = 60.0 * rows;
        fills = graphFills(*run, graph, GraphColour::kind, Theme::darkTheme());
        state.graph = &graph;
        state.layout = &layout;
        state.theme = &Theme::darkTheme();
        state.fills = fills;
    }
    std::shared_ptr<const Run> run;
    RunGraph graph;
    GraphLayout layout;
    std::vector<QColor> fills;
    GraphState state;
    TextShaper shaper;
};

} // namespace

class GraphSheetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingFitsAndIsHitWhereItIs()
    {
        Grid grid(test::realRun("resnet18"), GraphKind::computation);
        QVERIFY(grid.run);
        const QRectF room(20, 30, 900, 500);
        fitGraph(grid.state, room);
        QCOMPARE(grid.fills.size(), grid.graph.nodes.size());
        std::mt19937 random(11 + stowage::test::seedShift());
        for (std::size_t i = 0; i < grid.graph.nodes.size(); ++i) {
            const QRectF box = grid.state.box(i);
            QVERIFY(room.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(box));
            // The same box from the layout and the scale alone.
            const GraphPoint& centre = grid.layout.centres[i];
            QVERIFY(std::abs(box.center().x() - (grid.state.origin.x() + centre.x * grid.state.scale)) < 1e-6);
            QVERIFY(std::abs(box.center().y() - (grid.state.origin.y() + centre.y * grid.state.scale)) < 1e-6);
            QCOMPARE(graphNodeAt(grid.state, box.center()), std::int32_t(i));
        }
        for (int n = 0; n < 500; ++n) {
            const QPointF point(double(random() % 940), double(random() % 560));
            std::int32_t expected = -1;
            for (std::size_t i = 0; i < grid.graph.nodes.size(); ++i)
                if (grid.state.box(i).contains(point)) expected = std::int32_t(i);
            QCOMPARE(graphNodeAt(grid.state, point), expected);
        }
    }

    /// Also those that write into a buffer that an op of another kind made, and those that make none; above the map as well.
    void anOpHasTheColourOfItsKind_data()
    {
        QTest::addColumn<QString>("sample");
        for (const char* name : {"mobilenet_v1_025", "transformer_block", "lstm_loop", "double_buffered_matmul", "unet_training"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void anOpHasTheColourOfItsKind()
    {
        QFETCH(QString, sample);
        const auto run = test::realRun(qPrintable(sample));
        QVERIFY(run);
        const RunGraph graph = makeRunGraph(*run, {});
        const Colouring found = graphClasses(*run, graph);
        const Colouring map = colouring(*run, defaultColouring(*run));
        QCOMPARE(found.of.size(), graph.nodes.size());
        QVERIFY(found.classes.size() <= colourClasses);
        for (std::size_t i = 0; i < map.classes.size(); ++i) QCOMPARE(found.classes[i].name, map.classes[i].name);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const std::string& name = found.classes.at(found.of[i]).name;
            QVERIFY2(name == kindInWords(graph.nodes[i].kind) || name == "Other", name.c_str());
        }
        const auto scene = makeScene(run);
        std::size_t compared = 0;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const auto& kinds = scene->ops.kinds;
            const auto same = std::ranges::find(kinds, kindInWords(graph.nodes[i].kind));
            if (same == kinds.end()) continue; // no op of this kind runs
            ++compared;
            QCOMPARE(int(scene->ops.colours[std::size_t(same - kinds.begin())]), int(found.of[i]));
        }
        QVERIFY(compared > 0);
    }

    void linesGoFromBorderToBorder_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("computation") << int(GraphKind::computation);
        QTest::newRow("interference") << int(GraphKind::interference);
        QTest::newRow("allocation") << int(GraphKind::allocation);
    }
    void linesGoFromBorderToBorder()
    {
        QFETCH(int, kind);
        Grid grid(test::realRun("lstm_loop"), GraphKind(kind));
        QVERIFY(grid.run);
        grid.state.scale = 1.3;
        grid.state.origin = {-40, 17};
        QVERIFY(!grid.graph.edges.empty());
        for (std::size_t e = 0; e < grid.graph.edges.size(); ++e) {
            const QPolygonF line = grid.state.line(e);
            QVERIFY(line.size() >= 2);
            const auto onBorder = [](const QRectF& box, const QPointF& p) {
                const QRectF outer = box.adjusted(-0.01, -0.01, 0.01, 0.01), inner = box.adjusted(0.01, 0.01, -0.01, -0.01);
                return outer.contains(p) && !inner.contains(p);
            };
            QVERIFY(onBorder(grid.state.box(std::size_t(grid.graph.edges[e].from)), line.front()));
            QVERIFY(onBorder(grid.state.box(std::size_t(grid.graph.edges[e].to)), line.back()));
            const QPointF middle = (line[0] + line[1]) / 2;
            const std::int32_t hit = graphEdgeAt(grid.state, middle, 1);
            QVERIFY(hit >= 0); // itself, or one that crosses it there
        }
    }

    void deepGraphsAreBrokenIntoColumns_data()
    {
        QTest::addColumn<bool>("across");
        QTest::newRow("down") << false;
        QTest::newRow("right") << true;
    }
    void deepGraphsAreBrokenIntoColumns()
    {
        QFETCH(bool, across);
        // Ranks of two boxes below each other, with edges that skip up to seventy ranks.
        GraphSpec spec;
        spec.direction = across ? GraphDirection::right : GraphDirection::down;
        GraphLayout layout;
        const int ranks = 150;
        const auto place = [&](double x, double y) { return across ? GraphPoint{y, x} : GraphPoint{x, y}; };
        for (int i = 0; i < ranks; ++i)
            for (int k = 0; k < 2; ++k) {
                spec.nodes.push_back({100, 30});
                layout.centres.push_back(place(across ? 20 + 50.0 * k : 60 + 130.0 * k, across ? 60 + 140.0 * i : 20 + 60.0 * i));
            }
        layout.width = across ? 140.0 * ranks : 250;
        layout.height = across ? 90 : 60.0 * ranks;
        std::mt19937 random(3 + stowage::test::seedShift());
        for (int e = 0; e < 300; ++e) {
            const auto from = std::int32_t(random() % (2 * ranks - 2));
            const auto to = std::int32_t(
                std::min<std::size_t>(2 * ranks - 1, std::size_t(from) / 2 * 2 + 2 + random() % (e % 5 == 0 ? 140 : 4)));
            spec.edges.push_back({from, to});
            GraphPoint a = layout.centres[std::size_t(from)], b = layout.centres[std::size_t(to)];
            if (across)
                a.x += 50, b.x -= 50;
            else
                a.y += 15, b.y -= 15;
            layout.curves.push_back(straightCurve(a, b));
        }
        const double aspect = 1.8;
        const GraphLayout folded = foldGraph(spec, layout, aspect);
        const auto scale = [&](const GraphLayout& l) { return std::min(aspect / l.width, 1 / l.height); };
        QVERIFY2(scale(folded) > 3 * scale(layout), qPrintable(QStringLiteral("%1 x %2").arg(folded.width).arg(folded.height)));
        const auto boxOf = [&](const GraphLayout& l, std::size_t i) {
            return QRectF(l.centres[i].x - 50, l.centres[i].y - 15, 100, 30);
        };
        for (std::size_t a = 0; a < spec.nodes.size(); ++a) {
            QVERIFY(QRectF(0, 0, folded.width, folded.height).contains(boxOf(folded, a)));
            for (std::size_t b = 0; b < a; ++b) QVERIFY(!boxOf(folded, a).intersects(boxOf(folded, b)));
            // Boxes of one rank stay beside each other.
            if (a % 2 == 1) {
                QCOMPARE(folded.centres[a].x - folded.centres[a - 1].x, layout.centres[a].x - layout.centres[a - 1].x);
                QCOMPARE(folded.centres[a].y - folded.centres[a - 1].y, layout.centres[a].y - layout.centres[a - 1].y);
            }
        }
        int inside = 0, through = 0;
        for (std::size_t e = 0; e < spec.edges.size(); ++e) {
            const auto &was = layout.curves[e].points, &now = folded.curves[e].points;
            const auto from = std::size_t(spec.edges[e].from), to = std::size_t(spec.edges[e].to);
            QVERIFY(now.size() >= 4 && now.size() % 3 == 1);
            // Both ends are where they were on their boxes.
            QVERIFY(std::abs((now.front().x - folded.centres[from].x) - (was.front().x - layout.centres[from].x)) < 1e-6);
            QVERIFY(std::abs((now.front().y - folded.centres[from].y) - (was.front().y - layout.centres[from].y)) < 1e-6);
            QVERIFY(std::abs((now.back().x - folded.centres[to].x) - (was.back().x - layout.centres[to].x)) < 1e-6);
            QVERIFY(std::abs((now.back().y - folded.centres[to].y) - (was.back().y - layout.centres[to].y)) < 1e-6);
            QVERIFY(isInside(folded, folded.curves[e]));
            (now.size() == was.size() ? inside : through) += 1;
        }
        QVERIFY(inside > 100 && through > 20);
        // What is not deep stays as it is.
        const GraphLayout same = foldGraph(spec, layout, layout.width / layout.height);
        QCOMPARE(same.width, layout.width);
        QCOMPARE(same.height, layout.height);
    }

    /// Edges from one column to the next can be told apart: those of different nodes have lanes of their own, and cross nowhere
    /// between the columns.
    void edgesBetweenColumnsKeepApart_data() { deepGraphsAreBrokenIntoColumns_data(); }
    void edgesBetweenColumnsKeepApart()
    {
        QFETCH(bool, across);
        const int ranks = 60, skips = 24;
        GraphSpec spec;
        spec.direction = across ? GraphDirection::right : GraphDirection::down;
        GraphLayout layout;
        const auto place = [&](double x, double y) { return across ? GraphPoint{y, x} : GraphPoint{x, y}; };
        const auto turned = [&](const GraphPoint& p) { return across ? GraphPoint{p.y, p.x} : p; };
        for (int i = 0; i < ranks; ++i) {
            spec.nodes.push_back(across ? GraphNode{30, 130} : GraphNode{130, 30});
            layout.centres.push_back(place(100, 30 + 60.0 * i));
        }
        const auto straight = [&](std::int32_t from, std::int32_t to, double x) {
            spec.edges.push_back({from, to});
            const GraphPoint a = place(x, 45 + 60.0 * from), b = place(x, 15 + 60.0 * to);
            layout.curves.push_back(straightCurve(a, b));
        };
        for (int i = 0; i + 1 < ranks; ++i) straight(i, i + 1, 100);
        for (int i = 0; i < skips; ++i) straight(i, ranks - 1 - i, 180 + 8.0 * i);
        (across ? layout.height : layout.width) = 400;
        (across ? layout.width : layout.height) = 60.0 * ranks;
        const GraphLayout folded = foldGraph(spec, layout, across ? 2.0 : 0.5);
        const double half = across ? folded.centres.back().y : folded.centres.back().x;
        QVERIFY(half > 400); // there are two columns
        std::vector<double> lanes;
        std::vector<QPolygonF> ways; // of the pieces beside the first column
        for (int i = 0; i < skips; ++i) {
            const auto& points = folded.curves[std::size_t(ranks - 1 + i)].points;
            double longest = 0, lane = 0;
            QPolygonF way;
            for (std::size_t at = 0; at < points.size(); at += 3) way << QPointF(turned(points[at]).x, turned(points[at]).y);
            for (qsizetype at = 1; at < way.size(); ++at)
                if (way[at - 1].x() > 400 && way[at].x() < half && std::abs(way[at].y() - way[at - 1].y()) > longest) {
                    longest = std::abs(way[at].y() - way[at - 1].y());
                    lane = way[at].x();
                }
            QVERIFY(longest > 0);
            lanes.push_back(lane);
            ways.push_back(way);
        }
        std::ranges::sort(lanes);
        for (std::size_t i = 1; i < lanes.size(); ++i)
            QVERIFY2(lanes[i] - lanes[i - 1] >= 4, qPrintable(QString::number(lanes[i])));
        const auto cross = [](const QPolygonF& a, const QPolygonF& b) {
            for (qsizetype i = 1; i < a.size(); ++i)
                for (qsizetype k = 1; k < b.size(); ++k) {
                    QPointF at;
                    if (QLineF(a[i - 1], a[i]).intersects(QLineF(b[k - 1], b[k]), &at) == QLineF::BoundedIntersection)
                        return true;
                }
            return false;
        };
        for (std::size_t a = 0; a < ways.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY2(!cross(ways[a], ways[b]), qPrintable(QStringLiteral("%1, %2").arg(a).arg(b)));
        for (const GraphCurve& curve : folded.curves) QVERIFY(isInside(folded, curve));
    }

    /// A kernel with ops that no edge joins, which Graphviz sets side by side in one rank: boxes of two pixels.
    void wideGraphsArePackedByPieces_data() { deepGraphsAreBrokenIntoColumns_data(); }
    void wideGraphsArePackedByPieces()
    {
        QFETCH(bool, across);
        const int chain = 12, alone = 38;
        GraphSpec spec;
        spec.direction = across ? GraphDirection::right : GraphDirection::down;
        GraphLayout layout;
        const double wide = 120, high = 30;
        const auto place = [&](double along, double aside) {
            return across ? GraphPoint{along, aside} : GraphPoint{aside, along};
        };
        const double rank = across ? 160 : 70, neighbour = across ? 50 : 140;
        for (int i = 0; i < chain + alone; ++i) {
            spec.nodes.push_back({wide, high});
            const bool linked = i >= 5 && i < 5 + chain; // in the middle of the others
            const int at = linked ? 5 : i < 5 ? i : i - chain + 1;
            layout.centres.push_back(place((linked ? rank * (i - 5) : 0) + rank / 2, neighbour * at + neighbour / 2));
            if (!linked || i == 5) continue;
            const GraphPoint a = layout.centres[std::size_t(i - 1)], b = layout.centres.back();
            spec.edges.push_back({i - 1, i});
            layout.curves.push_back({{a, a, b, b}});
        }
        layout.width = across ? rank * chain : neighbour * (alone + 1);
        layout.height = across ? neighbour * (alone + 1) : rank * chain;
        const double aspect = across ? 3 : 1.8;
        const GraphLayout packed = foldGraph(spec, layout, aspect);
        const auto scale = [&](const GraphLayout& l) { return std::min(aspect / l.width, 1 / l.height); };
        QVERIFY2(scale(packed) > 2 * scale(layout), qPrintable(QStringLiteral("%1 x %2").arg(packed.width).arg(packed.height)));
        const auto boxOf = [&](std::size_t i) {
            return QRectF(packed.centres[i].x - wide / 2, packed.centres[i].y - high / 2, wide, high);
        };
        for (std::size_t a = 0; a < spec.nodes.size(); ++a) {
            QVERIFY(QRectF(-1e-6, -1e-6, packed.width + 2e-6, packed.height + 2e-6).contains(boxOf(a)));
            for (std::size_t b = 0; b < a; ++b) QVERIFY(!boxOf(a).intersects(boxOf(b)));
        }
        // What edges join moves as one.
        for (std::size_t e = 0; e < spec.edges.size(); ++e)
            for (const auto& [end, point] : {std::pair(spec.edges[e].from, packed.curves[e].points.front()),
                                             std::pair(spec.edges[e].to, packed.curves[e].points.back())}) {
                QVERIFY(std::abs(point.x - packed.centres[std::size_t(end)].x) < 1e-6);
                QVERIFY(std::abs(point.y - packed.centres[std::size_t(end)].y) < 1e-6);
            }
    }

    void bytesAreWrittenWhereTheyCoverNothing()
    {
        Grid grid(test::realRun("resnet18", "nnc"), GraphKind::allocation, 7);
        QVERIFY(grid.run);
        const QRectF visible(0, 0, 1600, 900);
        fitGraph(grid.state, visible, 1.0);
        grid.state.scale = 0.9;
        grid.state.origin = {10, 10};
        const DrawList list(grid.shaper, 1);
        const std::vector<EdgeLabel> labels = edgeLabels(list, grid.state, visible);
        QVERIFY(labels.size() > 3);
        for (std::size_t a = 0; a < labels.size(); ++a) {
            QVERIFY(visible.contains(labels[a].box));
            QCOMPARE(labels[a].text, bytesText(grid.graph.edges[std::size_t(labels[a].edge)].bytes, {}));
            QVERIFY(list.width(Face::tick, labels[a].text) <= labels[a].box.width());
            for (std::size_t b = a + 1; b < labels.size(); ++b) QVERIFY(!labels[a].box.intersects(labels[b].box));
            for (std::size_t i = 0; i < grid.graph.nodes.size(); ++i) QVERIFY(!labels[a].box.intersects(grid.state.box(i)));
        }
        grid.state.scale = 0.3; // too small to read
        QVERIFY(edgeLabels(list, grid.state, visible).empty());
    }

    /// Names that differ in one part only keep that part, on boxes without room for the rest.
    void labelsTellNodesApart()
    {
        Grid grid(test::realRun("resnet18"), GraphKind::computation);
        QVERIFY(grid.run);
        for (std::size_t i = 0; i < grid.graph.nodes.size(); ++i)
            grid.graph.nodes[i].name =
                "/model/backbone/encoder/stages.3/residual_branch/instance_" + std::to_string(i) + "/Relu6_output_0";
        const NamesApart names = nodeNames(grid.graph, {});
        grid.state.names = &names;
        DrawList list(grid.shaper, 1);
        paintGraph(list, grid.state, QRectF(-100'000, -100'000, 200'000, 200'000));
        std::set<QString> labels;
        std::size_t count = 0;
        for (const DrawCommand& command : list.commands())
            if (const auto* text = std::get_if<draw::Text>(&command); text && text->face == Face::label) {
                labels.insert(text->text);
                ++count;
            }
        QCOMPARE(count, grid.graph.nodes.size());
        QCOMPARE(labels.size(), count);
    }

    /// WCAG asks for a contrast of 3 for graphics: also for long edges, and for those beside the edges of a selection.
    void everyEdgeIsSeenInBothThemes()
    {
        std::size_t edges = 0;
        for (const GraphKind kind : {GraphKind::computation, GraphKind::interference, GraphKind::allocation})
            for (const bool dark : {true, false})
                for (const bool selects : {true, false}) {
                    Grid grid(test::realRun("lstm_loop"), kind, 3); // far more wide than high: edges are long
                    const Theme& theme = dark ? Theme::darkTheme() : Theme::lightTheme();
                    grid.state.theme = &theme;
                    if (selects) grid.state.selected = {BufferId(0)};
                    DrawList list(grid.shaper, 1);
                    paintGraph(list, grid.state, QRectF(0, 0, 900, 500));
                    for (const DrawCommand& command : list.commands()) {
                        const auto* line = std::get_if<draw::Line>(&command);
                        if (!line) continue;
                        ++edges;
                        const QColor solid(line->colour.red(), line->colour.green(), line->colour.blue());
                        const QColor seen = mix(theme.well, solid, line->colour.alphaF());
                        QVERIFY2(contrastRatio(seen, theme.well) >= 3, qPrintable(line->colour.name(QColor::HexArgb)));
                    }
                }
        QVERIFY(edges > 100);
    }

    void theCaptionSaysWhatIsLeftOut()
    {
        const auto run = test::realRun("resnet18");
        QVERIFY(run);
        const RunGraphOptions few{.kind = GraphKind::interference, .maxBuffers = 6};
        const QString caption = graphCaption(*run, makeRunGraph(*run, few), few);
        QVERIFY2(caption.startsWith(QStringLiteral("6 of %1 buffers").arg(run->problem().buffers.size())), qPrintable(caption));
        const RunGraphOptions allocation{.kind = GraphKind::allocation};
        const QString other = graphCaption(*run, makeRunGraph(*run, allocation), allocation);
        QVERIFY2(other.contains(QStringLiteral("nnc")), qPrintable(other)); // which planners keep such a graph
        const RunGraphOptions round{.kind = GraphKind::allocation, .hops = 2};
        QVERIFY(graphCaption(*run, {}, round).contains(QStringLiteral("Select")));
    }

    void selectionHaloAndFilterChangeThePicture()
    {
        Grid grid(test::realRun("resnet18"), GraphKind::interference);
        QVERIFY(grid.run);
        const QRectF visible(0, 0, 1000, 700);
        fitGraph(grid.state, visible);
        const auto picture = [&] {
            DrawList list(grid.shaper, 2);
            paintGraph(list, grid.state, visible);
            return toText(list);
        };
        const QString plain = picture();
        grid.state.selected = {grid.graph.nodes[3].writes.front()};
        const QString lit = picture();
        QVERIFY(lit != plain);
        QVERIFY(lit.contains(Theme::darkTheme().accent.name())); // its edges
        grid.state.selected = {};
        std::vector<bool> nothing(grid.run->problem().buffers.size(), false);
        grid.state.shown = &nothing;
        const QString dimmed = picture();
        QVERIFY(dimmed.count(QStringLiteral("text ")) < plain.count(QStringLiteral("text ")));
        grid.state.shown = nullptr;
        QCOMPARE(picture(), plain);
    }
};

QTEST_MAIN(GraphSheetTest)
#include "tst_graph_sheet.moc"

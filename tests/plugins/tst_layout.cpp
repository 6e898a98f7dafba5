// A laid out graph: boxes apart, edges from border to border, ranks in order, and in time whatever the graph.
#include "plugins/host/graph_layout.h"
#include "tests/support/seed_shift.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

using namespace stowage;
using namespace std::chrono_literals;

namespace {

constexpr double tolerance = 1.5; ///< Graphviz rounds to points

GraphSpec chain(int nodes)
{
    GraphSpec spec;
    for (int i = 0; i < nodes; ++i) spec.nodes.push_back({60.0 + i % 7 * 10, 24});
    for (int i = 1; i < nodes; ++i) spec.edges.push_back({i - 1, i});
    return spec;
}

/// On the border of the box, or inside it by the tolerance.
bool touches(GraphPoint p, GraphPoint centre, GraphNode node)
{
    const double dx = std::abs(p.x - centre.x) - node.width / 2;
    const double dy = std::abs(p.y - centre.y) - node.height / 2;
    return dx <= tolerance && dy <= tolerance && std::max(dx, dy) >= -tolerance;
}

bool apart(const GraphSpec& spec, const GraphLayout& layout, std::size_t a, std::size_t b)
{
    return std::abs(layout.centres[a].x - layout.centres[b].x) >= (spec.nodes[a].width + spec.nodes[b].width) / 2 - tolerance ||
           std::abs(layout.centres[a].y - layout.centres[b].y) >= (spec.nodes[a].height + spec.nodes[b].height) / 2 - tolerance;
}

/// Empty when the layout is what the header promises.
QString complaint(const GraphSpec& spec, const GraphLayout& layout)
{
    if (layout.centres.size() != spec.nodes.size() || layout.curves.size() != spec.edges.size()) return QStringLiteral("sizes");
    for (std::size_t a = 0; a < spec.nodes.size(); ++a) {
        const GraphPoint c = layout.centres[a];
        const GraphNode n = spec.nodes[a];
        if (c.x - n.width / 2 < -tolerance || c.y - n.height / 2 < -tolerance || c.x + n.width / 2 > layout.width + tolerance ||
            c.y + n.height / 2 > layout.height + tolerance)
            return QStringLiteral("node %1 lies outside").arg(a);
        for (std::size_t b = 0; b < a; ++b) {
            if (!apart(spec, layout, a, b)) return QStringLiteral("nodes %1 and %2 overlap").arg(a).arg(b);
        }
    }
    for (std::size_t e = 0; e < spec.edges.size(); ++e) {
        const auto& points = layout.curves[e].points;
        const auto [from, to] = spec.edges[e];
        if (points.size() < 4 || points.size() % 3 != 1) return QStringLiteral("edge %1 has %2 points").arg(e).arg(points.size());
        if (!touches(points.front(), layout.centres[static_cast<std::size_t>(from)],
                     spec.nodes[static_cast<std::size_t>(from)]) ||
            !touches(points.back(), layout.centres[static_cast<std::size_t>(to)], spec.nodes[static_cast<std::size_t>(to)]))
            return QStringLiteral("edge %1 does not go from box to box").arg(e);
        for (const GraphPoint p : points) {
            if (!std::isfinite(p.x) || !std::isfinite(p.y) || p.x < -tolerance || p.x > layout.width + tolerance ||
                p.y < -tolerance || p.y > layout.height + tolerance)
                return QStringLiteral("edge %1 leaves the drawing").arg(e);
        }
    }
    return {};
}

#define VERIFY_LAYOUT(spec, layout)                                                                                              \
    QVERIFY2(bool(layout), layout ? "" : toText((layout).error()).c_str());                                                      \
    QVERIFY2(complaint(spec, *(layout)).isEmpty(), qPrintable(complaint(spec, *(layout))))

} // namespace

class TestLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void edgesPointDown()
    {
        GraphSpec spec = chain(12);
        spec.edges.push_back({0, 5});
        spec.edges.push_back({3, 11});
        const auto layout = layoutGraph(spec);
        VERIFY_LAYOUT(spec, layout);
        for (const GraphEdge& edge : spec.edges)
            QVERIFY(layout->centres[static_cast<std::size_t>(edge.from)].y + 24 <
                    layout->centres[static_cast<std::size_t>(edge.to)].y);
    }

    void edgesPointRightWhenAsked()
    {
        GraphSpec spec = chain(40);
        spec.direction = GraphDirection::right;
        spec.edges.push_back({0, 39});
        const auto layout = layoutGraph(spec);
        VERIFY_LAYOUT(spec, layout);
        for (const GraphEdge& edge : spec.edges)
            QVERIFY(layout->centres[static_cast<std::size_t>(edge.from)].x <
                    layout->centres[static_cast<std::size_t>(edge.to)].x);
        QVERIFY(layout->width > layout->height);
    }

    void emptyAndSingleGraphsAreLaidOut()
    {
        const auto empty = layoutGraph({});
        QVERIFY(bool(empty));
        QVERIFY(empty->centres.empty());
        GraphSpec one;
        one.nodes = {{50, 20}};
        one.edges = {{0, 0}};
        const auto layout = layoutGraph(one);
        VERIFY_LAYOUT(one, layout);
    }

    void circlesAndRepeatedEdgesAreLaidOut()
    {
        GraphSpec spec = chain(60);
        spec.edges.push_back({59, 0}); // closes a circle, and is long upward
        spec.edges.push_back({10, 11});
        spec.edges.push_back({30, 29});
        const auto layout = layoutGraph(spec);
        VERIFY_LAYOUT(spec, layout);
    }

    void longEdgesShareLanesOnlyWhereTheyDoNotMeet()
    {
        GraphSpec spec = chain(200);
        const std::size_t first = spec.edges.size();
        for (const GraphEdge edge :
             {GraphEdge{0, 60}, GraphEdge{30, 100}, GraphEdge{70, 150}, GraphEdge{110, 199}, GraphEdge{0, 199}})
            spec.edges.push_back(edge);
        const auto layout = layoutGraph(spec);
        VERIFY_LAYOUT(spec, layout);
        // The lane of an edge is where it is furthest right.
        const auto lane = [&](std::size_t e) {
            double x = 0;
            for (const GraphPoint p : layout->curves[first + e].points) x = std::max(x, p.x);
            return x;
        };
        QVERIFY(lane(0) != lane(1));
        QVERIFY(lane(1) != lane(2));
        QCOMPARE(lane(0), lane(2));
        QCOMPARE(lane(1), lane(3));
        for (std::size_t e = 0; e < 4; ++e) QVERIFY(lane(e) != lane(4));
    }

    void largeGraphWithSkipEdgesIsLaidOutInTime()
    {
        const unsigned seed = 20240917;
        std::mt19937 random(seed + stowage::test::seedShift());
        GraphSpec spec = chain(2000);
        for (int i = 0; i < 300; ++i) {
            const auto from = static_cast<std::int32_t>(random() % 2000);
            const auto to = static_cast<std::int32_t>(random() % 2000);
            if (from < to) spec.edges.push_back({from, to});
        }
        QElapsedTimer clock;
        clock.start();
        const auto layout = layoutGraph(spec, {}, 60s);
        qInfo() << spec.edges.size() << "edges in" << clock.elapsed() << "ms";
        VERIFY_LAYOUT(spec, layout);
    }

    void layoutIsTheSameEachTime()
    {
        GraphSpec spec = chain(80);
        for (int i = 0; i + 9 < 80; i += 3) spec.edges.push_back({i, i + 9});
        const auto a = layoutGraph(spec);
        const auto b = layoutGraph(spec);
        VERIFY_LAYOUT(spec, a);
        QVERIFY(bool(b));
        const auto same = [](const GraphPoint& p, const GraphPoint& q) { return p.x == q.x && p.y == q.y; };
        QVERIFY(std::equal(a->centres.begin(), a->centres.end(), b->centres.begin(), b->centres.end(), same));
    }

    void springsKeepNeighboursNearAndBoxesApart()
    {
        // Six cliques of eight in a row, each joined to the next.
        GraphSpec spec;
        spec.style = GraphStyle::springs;
        const int cliques = 6, members = 8;
        for (int i = 0; i < cliques * members; ++i) spec.nodes.push_back({112, 34});
        for (int c = 0; c < cliques; ++c) {
            for (int a = 0; a < members; ++a)
                for (int b = a + 1; b < members; ++b) spec.edges.push_back({c * members + a, c * members + b});
            if (c > 0) spec.edges.push_back({c * members - 1, c * members});
        }
        const auto layout = layoutGraph(spec);
        QVERIFY2(bool(layout), layout ? "" : toText(layout.error()).c_str());
        QCOMPARE(layout->centres.size(), spec.nodes.size());
        QCOMPARE(layout->curves.size(), spec.edges.size());
        double near = 0, far = 0;
        int nearCount = 0, farCount = 0;
        for (std::size_t a = 0; a < spec.nodes.size(); ++a) {
            const GraphPoint p = layout->centres[a];
            QVERIFY(p.x >= 56 - tolerance && p.x <= layout->width - 56 + tolerance && p.y >= 17 - tolerance &&
                    p.y <= layout->height - 17 + tolerance);
            for (std::size_t b = 0; b < a; ++b) {
                QVERIFY(apart(spec, *layout, a, b));
                const double distance = std::hypot(p.x - layout->centres[b].x, p.y - layout->centres[b].y);
                if (a / members == b / members)
                    near += distance, ++nearCount;
                else
                    far += distance, ++farCount;
            }
        }
        QVERIFY2(2 * near / nearCount < far / farCount,
                 qPrintable(QStringLiteral("%1 %2").arg(near / nearCount).arg(far / farCount)));
        for (std::size_t e = 0; e < spec.edges.size(); ++e) { // straight, from centre to centre
            const auto& points = layout->curves[e].points;
            QCOMPARE(points.size(), std::size_t(4));
            QCOMPARE(points.front().x, layout->centres[static_cast<std::size_t>(spec.edges[e].from)].x);
            QCOMPARE(points.back().y, layout->centres[static_cast<std::size_t>(spec.edges[e].to)].y);
        }
        const auto again = layoutGraph(spec);
        QVERIFY(bool(again));
        QVERIFY(std::equal(layout->centres.begin(), layout->centres.end(), again->centres.begin(), again->centres.end(),
                           [](const GraphPoint& p, const GraphPoint& q) { return p.x == q.x && p.y == q.y; }));
        // Parts that nothing joins, and a node alone.
        spec.edges.resize(members * (members - 1) / 2);
        const auto parts = layoutGraph(spec);
        QVERIFY(bool(parts));
        for (std::size_t a = 0; a < spec.nodes.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) QVERIFY(apart(spec, *parts, a, b));
    }

    void cancelAndTimeLimitHold()
    {
        const unsigned seed = 7;
        std::mt19937 random(seed + stowage::test::seedShift());
        GraphSpec dense; // takes dot minutes
        for (int i = 0; i < 700; ++i) dense.nodes.push_back({40, 20});
        for (int i = 0; i < 6000; ++i) {
            const auto from = static_cast<std::int32_t>(random() % 700);
            dense.edges.push_back({from, std::min<std::int32_t>(699, from + 1 + static_cast<std::int32_t>(random() % 30))});
        }
        const auto late = layoutGraph(dense, {}, 300ms);
        QVERIFY(!late);
        QCOMPARE(late.error().code, Code::workerTimeout);

        std::stop_source source;
        const std::jthread canceller([&] {
            std::this_thread::sleep_for(300ms);
            source.request_stop();
        });
        // It says that it was cancelled, not that it was done or that its time was over: dot would have gone on for minutes.
        const auto cancelled = layoutGraph(dense, source.get_token(), 600s);
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, Code::cancelled);
    }

    void nonsenseIsRefused()
    {
        GraphSpec spec = chain(3);
        spec.edges.push_back({1, 3});
        QCOMPARE(layoutGraph(spec).error().code, Code::badGraph);
        spec.edges.back() = {-1, 0};
        QCOMPARE(layoutGraph(spec).error().code, Code::badGraph);
        spec.edges.pop_back();
        spec.nodes[0].width = std::nan("");
        QCOMPARE(layoutGraph(spec).error().code, Code::badGraph);
    }
};

QTEST_GUILESS_MAIN(TestLayout)
#include "tst_layout.moc"

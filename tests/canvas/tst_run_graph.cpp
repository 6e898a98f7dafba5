// The graphs of a run: ops whole, round a buffer, in blocks; buffers that conflict; bytes that are handed on.
#include "app/canvas/pictures/graph/run_graph.h"
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/lower/lowering.h"
#include "tests/support/real_run.h"
#include "tests/support/sample_run.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace stowage;

class RunGraphTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOpIsANodeAndEveryReadAnEdge_data()
    {
        QTest::addColumn<QString>("sample");
        for (const char* name : {"mobilenet_v1_025", "transformer_block", "lstm_loop", "resnet18"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everyOpIsANodeAndEveryReadAnEdge()
    {
        QFETCH(QString, sample);
        const auto run = test::realRun(qPrintable(sample));
        QVERIFY(run);
        const RunGraph graph = makeRunGraph(*run, {.maxApart = 1000});
        const auto& steps = run->lowering->steps;
        const auto ops = std::ranges::count_if(steps, [](const StepInfo& info) { return info.op != none; });
        QCOMPARE(graph.nodes.size(), std::size_t(ops));
        QCOMPARE(graph.all, run->program->main().ops.size());
        QCOMPARE(graph.all, graph.nodes.size() + graph.apart); // a loop has no step of its own
        QVERIFY(!graph.blocks);

        // The same edges, found from the other side: for each read the last earlier step that writes the buffer.
        std::set<std::pair<std::int32_t, std::int32_t>> expected;
        for (std::size_t reader = 0; reader < graph.nodes.size(); ++reader) {
            const StepInfo& info = steps[std::size_t(graph.nodes[reader].step)];
            const Op& op = run->program->functions[std::size_t(info.function)].ops[std::size_t(info.op)];
            const auto& bindings = run->lowering->instances[std::size_t(info.instance)].bindings;
            for (const TensorId input : op.inputs) {
                const BufferId buffer = bindings[std::size_t(input)].buffer;
                if (buffer == none) continue;
                for (std::size_t writer = reader; writer-- > 0;) {
                    if (!std::ranges::binary_search(graph.nodes[writer].writes, buffer)) continue;
                    expected.insert({std::int32_t(writer), std::int32_t(reader)});
                    break;
                }
            }
        }
        std::set<std::pair<std::int32_t, std::int32_t>> edges;
        for (const GraphLink& edge : graph.edges) edges.insert({edge.from, edge.to});
        QCOMPARE(edges.size(), graph.edges.size()); // each pair once
        QCOMPARE(edges, expected);
    }

    /// A tensor of unknown size has no buffer, but the op that reads it still depends on the one that makes it.
    void aTensorOfUnknownSizeConnectsItsOps()
    {
        auto read = io::readProgramJson(R"({"format": "stowage.program/1", "entry": "main", "functions": [{"name": "main",
            "inputs": ["x"], "outputs": ["y"],
            "tensors": [{"name": "x", "kind": "input", "dtype": "f32", "shape": [4]},
                        {"name": "h", "dtype": "f32", "shape": [-1]},
                        {"name": "y", "kind": "output", "dtype": "f32", "shape": [4]}],
            "ops": [{"name": "a", "kind": "relu", "inputs": ["x"], "outputs": ["h"]},
                    {"name": "b", "kind": "neg", "inputs": ["h"], "outputs": ["y"]}]}]})",
                                        "open.json");
        QVERIFY(bool(read));
        Run run;
        run.program = std::make_shared<const Program>(std::move(read->value));
        auto lowering = lower(*run.program, {});
        QVERIFY(bool(lowering));
        run.lowering = std::make_shared<const Lowering>(*std::move(lowering));
        run.plan.placements.resize(run.problem().buffers.size());
        const RunGraph graph = makeRunGraph(run, {});
        QCOMPARE(graph.nodes.size(), std::size_t(2));
        QCOMPARE(graph.edges.size(), std::size_t(1));
        QCOMPARE(graph.edges.front().from, 0);
        QCOMPARE(graph.edges.front().to, 1);
        QCOMPARE(graph.edges.front().buffer, BufferId(none));
    }

    /// Constants, allocations and loops of a kernel are no part of its flow; a few ops that are apart stay.
    void manyOpsThatNothingJoinsAreLeftOut()
    {
        const auto graphOf = [](int apart) {
            std::string tensors =
                R"({"name": "x", "kind": "input", "dtype": "i8", "shape": [4]},
                    {"name": "y", "kind": "output", "dtype": "i8", "shape": [4]},
                                     {"name": "h", "dtype": "i8", "shape": [4]})";
            std::string ops = R"({"name": "a", "kind": "relu", "inputs": ["x"], "outputs": ["h"]},
                                 {"name": "b", "kind": "neg", "inputs": ["h"], "outputs": ["y"]})";
            for (int i = 0; i < apart; ++i) {
                const QString number = QString::number(i);
                tensors += QStringLiteral(R"(, {"name": "t%1", "dtype": "i8", "shape": [4]})").arg(number).toStdString();
                ops += QStringLiteral(R"(, {"name": "c%1", "kind": "alloc", "outputs": ["t%1"]})").arg(number).toStdString();
            }
            auto read = io::readProgramJson(R"({"format": "stowage.program/1", "entry": "main", "functions": [{"name": "main",
                "inputs": ["x"], "outputs": ["y"], "tensors": [)" +
                                                tensors + R"(], "ops": [)" + ops + "]}]}",
                                            "apart.json");
            if (!read) qFatal("%s", toText(read.error()).c_str());
            Run run;
            run.program = std::make_shared<const Program>(std::move(read->value));
            run.lowering = std::make_shared<const Lowering>(*lower(*run.program, {}));
            run.plan.placements.resize(run.problem().buffers.size());
            return makeRunGraph(run, {});
        };
        const RunGraph few = graphOf(8);
        QCOMPARE(few.nodes.size(), std::size_t(10));
        QCOMPARE(few.apart, std::size_t(0));
        const RunGraph many = graphOf(9);
        QCOMPARE(many.nodes.size(), std::size_t(2));
        QCOMPARE(many.edges.size(), std::size_t(1));
        QCOMPARE(many.apart, std::size_t(9));
        QCOMPARE(many.shown, std::size_t(2));
        QCOMPARE(many.all, std::size_t(11));
    }

    void hopsGrowUntilEverythingInReachIsThere()
    {
        const auto run = test::realRun("transformer_block");
        QVERIFY(run);
        const RunGraph whole = makeRunGraph(*run, {});
        std::size_t before = 0;
        for (int hops = 1; hops <= 64; hops *= 2) {
            const RunGraph near = makeRunGraph(*run, {.around = 5, .hops = hops});
            QVERIFY(near.nodes.size() >= before);
            QCOMPARE(near.all, whole.all);
            before = near.nodes.size();
            if (hops == 1)
                for (const GraphItem& node : near.nodes) QVERIFY(std::ranges::binary_search(node.touches, 5));
        }
        QVERIFY(before > 1 && before <= whole.nodes.size());
    }

    void tooManyOpsBecomeBlocksThatHoldThemAll()
    {
        const auto run = test::realRun("resnet18");
        QVERIFY(run);
        const RunGraph whole = makeRunGraph(*run, {});
        const RunGraph blocks = makeRunGraph(*run, {.most = 10, .blocks = 7});
        QVERIFY(whole.nodes.size() > 10);
        QVERIFY(blocks.blocks);
        QVERIFY(blocks.nodes.size() <= 7);
        std::size_t ops = 0;
        Bytes bytes = 0, all = 0;
        for (const GraphItem& node : blocks.nodes) ops += node.ops, bytes += node.bytes;
        for (const GraphItem& node : whole.nodes) all += node.bytes;
        QCOMPARE(ops, whole.nodes.size());
        QCOMPARE(bytes, all);
        for (const GraphLink& edge : blocks.edges) QVERIFY(edge.from != edge.to);
    }

    void aListOfBuffersHasNoComputation()
    {
        const auto run = test::sampleRun({.program = false});
        QVERIFY(makeRunGraph(*run, {}).nodes.empty());
        QVERIFY(!makeRunGraph(*run, {.kind = GraphKind::interference}).nodes.empty());
        QVERIFY(!makeRunGraph(*run, {.kind = GraphKind::allocation}).nodes.empty());
    }

    void buffersThatLiveTogetherAreJoined()
    {
        const auto run = test::sampleRun({.buffers = 60, .steps = 50, .seed = 3});
        const RunGraph graph = makeRunGraph(*run, {.kind = GraphKind::interference});
        QCOMPARE(graph.nodes.size(), std::size_t(60));
        QCOMPARE(graph.all, std::size_t(60));
        std::set<std::pair<BufferId, BufferId>> expected, drawn;
        const auto& buffers = run->problem().buffers;
        for (std::size_t a = 0; a < buffers.size(); ++a)
            for (std::size_t b = a + 1; b < buffers.size(); ++b)
                for (const Interval& mine : buffers[a].live)
                    for (const Interval& other : buffers[b].live)
                        if (std::max(mine.begin, other.begin) < std::min(mine.end, other.end))
                            expected.insert({BufferId(a), BufferId(b)});
        for (const GraphLink& edge : graph.edges) {
            const BufferId a = graph.nodes[std::size_t(edge.from)].writes.front(),
                           b = graph.nodes[std::size_t(edge.to)].writes.front();
            drawn.insert(std::minmax(a, b));
        }
        QCOMPARE(drawn.size(), graph.edges.size());
        QCOMPARE(drawn, expected);
    }

    void whatEachBufferTakesOverItHandsOn_data()
    {
        QTest::addColumn<QString>("planner");
        for (const char* name : {"greedy-by-size", "nnc", "nnc-size-first"}) QTest::newRow(name) << QString::fromLatin1(name);
    }
    void whatEachBufferTakesOverItHandsOn()
    {
        QFETCH(QString, planner);
        const auto run = test::realRun("resnet18", qPrintable(planner));
        QVERIFY(run);
        const RunGraph graph = makeRunGraph(*run, {.kind = GraphKind::allocation});
        std::vector<Bytes> in(graph.nodes.size()), out(graph.nodes.size());
        for (const GraphLink& edge : graph.edges) {
            QVERIFY(edge.bytes > 0);
            out[std::size_t(edge.from)] += edge.bytes;
            in[std::size_t(edge.to)] += edge.bytes;
        }
        std::size_t buffers = 0;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const GraphItem& item = graph.nodes[i];
            if (item.role != GraphItem::Role::source) QCOMPARE(in[i], item.bytes);
            if (item.role != GraphItem::Role::sink) QCOMPARE(out[i], item.bytes);
            buffers += item.role == GraphItem::Role::buffer;
        }
        QCOMPARE(buffers, run->problem().buffers.size());
        QCOMPARE(graph.shown, buffers);
    }

    void tooManyBuffersLeaveThoseThatMatter()
    {
        const auto run = test::sampleRun({.buffers = 400, .steps = 120, .seed = 5});
        for (const GraphKind kind : {GraphKind::interference, GraphKind::allocation}) {
            const RunGraph graph = makeRunGraph(*run, {.kind = kind, .maxBuffers = 20, .maxEdges = 60});
            QCOMPARE(graph.all, std::size_t(400));
            QVERIFY(graph.shown <= 20 && graph.shown > 0);
            QVERIFY(graph.edges.size() <= 60);
            Bytes least = maxBytes;
            std::set<BufferId> kept;
            for (const GraphItem& item : graph.nodes)
                if (item.role == GraphItem::Role::buffer) {
                    kept.insert(item.writes.front());
                    if (!item.proof) least = std::min(least, item.bytes);
                }
            QCOMPARE(kept.size(), graph.shown);
            // Whatever is not drawn is no larger than what is.
            for (std::size_t b = 0; b < run->problem().buffers.size(); ++b)
                if (least < maxBytes && !kept.contains(BufferId(b))) QVERIFY(run->problem().buffers[b].size <= least);
        }
        const RunGraph near = makeRunGraph(*run, {.kind = GraphKind::interference, .around = 7, .hops = 1});
        for (const GraphItem& item : near.nodes)
            QVERIFY(item.writes.front() == 7 || conflict(run->problem(), 7, item.writes.front()));
    }
};

QTEST_GUILESS_MAIN(RunGraphTest)
#include "tst_run_graph.moc"

// The computation graph: whole, round a buffer, in blocks.
#include "app/desktop/graph/op_graph.h"
#include "tests/support/real_run.h"
#include "tests/support/sample_run.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace stowage;

class OpGraphTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOpIsANodeAndEveryReadAnEdge_data()
    {
        QTest::addColumn<QString>("sample");
        for (const char* name : {"mobilenet_v1_025", "transformer_block", "lstm_loop", "resnet18"}) QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everyOpIsANodeAndEveryReadAnEdge()
    {
        QFETCH(QString, sample);
        const auto run = test::realRun(qPrintable(sample));
        QVERIFY(run);
        const OpGraph graph = makeOpGraph(*run, {});
        const auto& steps = run->lowering->steps;
        const auto ops = std::ranges::count_if(steps, [](const StepInfo& info) { return info.op != none; });
        QCOMPARE(graph.nodes.size(), std::size_t(ops));
        QCOMPARE(graph.allOps, graph.nodes.size());
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
        for (const OpEdge& edge : graph.edges) edges.insert({edge.from, edge.to});
        QCOMPARE(edges.size(), graph.edges.size()); // each pair once
        QCOMPARE(edges, expected);
    }

    void hopsGrowUntilEverythingInReachIsThere()
    {
        const auto run = test::realRun("transformer_block");
        QVERIFY(run);
        const OpGraph whole = makeOpGraph(*run, {});
        std::size_t before = 0;
        for (int hops = 1; hops <= 64; hops *= 2) {
            const OpGraph near = makeOpGraph(*run, {.around = 5, .hops = hops});
            QVERIFY(near.nodes.size() >= before);
            QCOMPARE(near.allOps, whole.allOps);
            before = near.nodes.size();
            if (hops == 1)
                for (const OpNode& node : near.nodes) QVERIFY(std::ranges::binary_search(node.touches, 5));
        }
        QVERIFY(before > 1 && before <= whole.nodes.size());
    }

    void tooManyOpsBecomeBlocksThatHoldThemAll()
    {
        const auto run = test::realRun("resnet18");
        QVERIFY(run);
        const OpGraph whole = makeOpGraph(*run, {});
        const OpGraph blocks = makeOpGraph(*run, {.most = 10, .blocks = 7});
        QVERIFY(whole.nodes.size() > 10);
        QVERIFY(blocks.blocks);
        QVERIFY(blocks.nodes.size() <= 7);
        std::size_t ops = 0;
        Bytes bytes = 0, all = 0;
        for (const OpNode& node : blocks.nodes) ops += node.ops, bytes += node.bytes;
        for (const OpNode& node : whole.nodes) all += node.bytes;
        QCOMPARE(ops, whole.nodes.size());
        QCOMPARE(bytes, all);
        for (const OpEdge& edge : blocks.edges) QVERIFY(edge.from != edge.to);
    }

    void aListOfBuffersHasNoGraph()
    {
        const auto run = test::sampleRun({.program = false});
        QVERIFY(makeOpGraph(*run, {}).nodes.empty());
    }
};

QTEST_GUILESS_MAIN(OpGraphTest)
#include "tst_op_graph.moc"

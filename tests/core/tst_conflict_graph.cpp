// Conflicts counted and listed are those of `conflict`, pair by pair, on small random problems of every kind.
#include "core/planners/common/conflict_graph.h"
#include "tests/support/problems.h"

#include <QTest>

using namespace stowage;

class TestConflictGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPairOnceAndNoOther_data()
    {
        QTest::addColumn<int>("kind");
        const auto all = test::allFeatures();
        for (std::size_t i = 0; i < all.size(); ++i) QTest::addRow("%s", all[i].name.c_str()) << static_cast<int>(i);
    }
    void everyPairOnceAndNoOther()
    {
        QFETCH(int, kind);
        const test::Features features = test::allFeatures()[static_cast<std::size_t>(kind)];
        for (std::uint64_t seed = 0; seed < 150; ++seed) {
            const Problem problem = test::randomProblem(features, seed);
            const BufferTable table(problem);
            const auto counts = conflictCounts(table);
            const auto graph = ConflictGraph::make(table, 1000);
            QVERIFY(graph);
            std::size_t pairs = 0;
            for (BufferId a = 0; a < table.size(); ++a) {
                std::vector<BufferId> expected;
                for (BufferId b = 0; b < table.size(); ++b)
                    if (conflict(problem, a, b)) expected.push_back(b);
                const auto got = graph->neighbours(a);
                const QString where = QString("seed %1, buffer %2").arg(seed).arg(a);
                QVERIFY2(std::vector<BufferId>(got.begin(), got.end()) == expected, qPrintable(where));
                QVERIFY2(counts[static_cast<std::size_t>(a)] == static_cast<std::int32_t>(expected.size()), qPrintable(where));
                pairs += expected.size();
            }
            QVERIFY(!ConflictGraph::make(table, pairs / 2 == 0 ? 0 : pairs / 2 - 1) || pairs == 0);
            QVERIFY(ConflictGraph::make(table, pairs / 2).has_value());
        }
    }

    /// A million buffers that are all live together have half a trillion pairs: they are counted, not listed.
    void countingDoesNotListPairs()
    {
        const Problem problem = test::synthetic(200'000, 1, 1, test::Lifetimes::endless);
        const BufferTable table(problem);
        for (const std::int32_t count : conflictCounts(table)) QCOMPARE(count, 199'999);
        QVERIFY(!ConflictGraph::make(table, 1'000'000));
    }
};

QTEST_GUILESS_MAIN(TestConflictGraph)
#include "tst_conflict_graph.moc"

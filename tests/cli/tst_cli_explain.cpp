// explain, as people and programs call it.
#include "tests/cli/cli_process.h"

#include <QtTest/QTest>

using stowage::test::Cli;

class TestCliExplain : public QObject {
    Q_OBJECT

    Cli cli_;
    QString input() const { return cli_.file("p.csv", "id,lower,upper,size\na,0,1,2\nb,0,2,6\nc,1,3,4\n"); }

private Q_SLOTS:
    void tellsChainsBoundAndChanges()
    {
        const auto told = cli_({"explain", input(), "--planner", "exact", "--buffer", "c", "--robustness", "4"});
        QVERIFY2(told.status == 0, told.err.constData());
        QVERIFY2(told.out.contains("Why 'c' lies where it does"), told.out.constData());
        QVERIFY2(told.out.contains("is 10 bytes high"), told.out.constData());
        QVERIFY2(told.out.contains("Why it cannot be below 10 bytes: these are live together at step 1"), told.out.constData());
        QVERIFY2(told.out.contains("make 'b' 3 bytes, not 6"), told.out.constData());
        QVERIFY2(told.out.contains("other seeds: 0.0 % to 0.0 % above the lower bound, 2 of 2 fit"), told.out.constData());
    }

    void tellsTheSameAsJson()
    {
        const auto told = cli_({"explain", input(), "--planner", "exact", "--format", "json"});
        QCOMPARE(told.status, 0);
        const QJsonObject pool = told.object()["pools"].toArray()[0].toObject();
        QCOMPARE(pool["size"].toInt(), 10);
        QCOMPARE(pool["lower_bound"].toInt(), 10);
        QCOMPARE(pool["bound"].toArray().size(), 2);
        QCOMPARE(pool["changes"].toArray()[0].toObject()["size"].toInt(), 7);
    }

    void tellsWhatCannotFitTogether()
    {
        const auto told = cli_({"explain", input(), "--planner", "exact", "--capacity", "9"});
        QCOMPARE(told.status, 1);
        QVERIFY2(told.out.contains("Why nothing fits: these 2 buffers cannot be placed in 9 bytes"), told.out.constData());
        const auto json = cli_({"explain", input(), "--planner", "exact", "--capacity", "9", "--format", "json"});
        const QJsonArray set = json.object()["pools"].toArray()[0].toObject()["infeasible_set"].toArray();
        QCOMPARE(set.size(), 2);
        QCOMPARE(set[0].toObject()["buffer"].toString(), QString("b"));
        QCOMPARE(set[1].toObject()["buffer"].toString(), QString("c"));
        // Of two memories with a choice.
        const QString two = cli_.file("two.json", R"({"format": "stowage.problem/1", "pools": [{"name": "p", "capacity": 10}, {"name": "q", "capacity": 10}],
            "buffers": [{"name": "a", "size": 7, "live": [[0, 5]]}, {"name": "b", "size": 7, "live": [[0, 5]]}, {"name": "c", "size": 6, "live": [[0, 5]]},
                        {"name": "d", "size": 2, "live": [[0, 5]]}]})");
        const auto both = cli_({"explain", two, "--planner", "exact", "--changes", "0"});
        QVERIFY2(both.out.contains("these 3 buffers cannot be placed in all memories together"), both.out.constData());
    }

    void anUnknownBufferIsBadInput()
    {
        const auto told = cli_({"explain", input(), "--buffer", "x"});
        QCOMPARE(told.status, 2);
        QVERIFY2(told.err.contains("there is no buffer named 'x'"), told.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestCliExplain)
#include "tst_cli_explain.moc"

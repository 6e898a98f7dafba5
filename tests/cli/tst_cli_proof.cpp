// plan --proof and check-proof, as programs call them.
#include "tests/cli/cli_process.h"
#include "tests/support/shared.h"

#include <QtTest/QTest>

using stowage::test::Cli;

class TestCliProof : public QObject {
    Q_OBJECT

    Cli cli_;
    // Aligned to 4, the two 5-byte buffers need 13 bytes and not 10.
    QString input() const { return cli_.file("p.csv", "id,lower,upper,size,alignment\na,0,4,5,4\nb,0,2,5,4\nc,3,6,4,1\n"); }

private Q_SLOTS:
    void aProofOfTheSmallestSizeIsVerified()
    {
        const auto planned = cli_({"plan", input(), "--planner", "exact", "--proof", cli_.path("log")});
        QVERIFY2(planned.status == 0, planned.err.constData());
        QVERIFY2(planned.err.contains("does not fit into 12 bytes"), planned.err.constData());
        const auto checked = cli_({"check-proof", input(), cli_.path("log")});
        QVERIFY2(checked.status == 0, checked.out.constData());
        QVERIFY2(checked.out.contains("no plan fits into 12 bytes of"), checked.out.constData());
    }

    void aTamperedProofIsRefused()
    {
        QCOMPARE(cli_({"plan", input(), "--planner", "exact", "--proof", cli_.path("log")}).status, 0);
        QByteArray log = cli_.contents("log");
        log.replace("capacity 12", "capacity 13");
        const auto checked = cli_({"check-proof", input(), cli_.file("tampered", log)});
        QCOMPARE(checked.status, 1);
        QVERIFY2(checked.out.contains("not proved: line "), checked.out.constData());
    }

    void whatDoesNotFitComesWithItsCulpritsAndAProof()
    {
        const auto planned = cli_({"plan", input(), "--planner", "exact", "--capacity", "12", "--proof", cli_.path("log")});
        QCOMPARE(planned.status, 1);
        QVERIFY2(planned.err.contains("2 of the 3 buffers of") && planned.err.contains("'a' (5), 'b' (5)"),
                 planned.err.constData());
        QVERIFY2(planned.err.contains("they need 13 bytes, 1 more than there are"), planned.err.constData());
        QCOMPARE(cli_({"check-proof", input(), cli_.path("log"), "--capacity", "12"}).status, 0);
    }

    // Windows have a log of another kind, a choice of pools a third.
    void windowsAndMemoriesHaveProofsToo()
    {
        const QString windows = cli_.file("w.csv", "id,lower,upper,size,gaps\na,0,10,8,3-6@2:5\nb,3,6,2,\nc,3,6,3,\nd,4,6,2,\n");
        const auto planned = cli_({"plan", windows, "--planner", "exact", "--capacity", "9", "--proof", cli_.path("log")});
        QCOMPARE(planned.status, 1);
        QVERIFY2(planned.err.contains("proof that"), planned.err.constData());
        QCOMPARE(cli_({"check-proof", windows, cli_.path("log"), "--capacity", "9"}).status, 0);

        const QByteArray two =
            R"({"format": "stowage.problem/1", "pools": [{"name": "p", "capacity": 10}, {"name": "q", "capacity": 10}],
            "buffers": [{"name": "a", "size": 7, "live": [[0, 5]]}, {"name": "b", "size": 7, "live": [[0, 5]]},
                        {"name": "c", "size": 6, "live": [[0, 5]]}]})";
        const QString choice = cli_.file("two.json", two);
        QCOMPARE(cli_({"plan", choice, "--planner", "exact", "--proof", cli_.path("log")}).status, 1);
        const auto checked = cli_({"check-proof", choice, cli_.path("log")});
        QVERIFY2(checked.status == 0, checked.out.constData());
        QVERIFY2(checked.out.contains("no plan fits into the capacities"), checked.out.constData());
        QCOMPARE(cli_({"check-proof", choice, cli_.path("log"), "--pool", "q=13"}).status, 1);
        // That a sum is smallest.
        const auto roomy =
            cli_({"plan", choice, "--pool", "p=20", "--pool", "q=20", "--planner", "exact", "--proof", cli_.path("log")});
        QVERIFY2(roomy.status == 0, roomy.err.constData());
        QVERIFY2(roomy.err.contains("more than 19 bytes in all pools together"), roomy.err.constData());
        const auto sum = cli_({"check-proof", choice, cli_.path("log"), "--pool", "p=20", "--pool", "q=20"});
        QVERIFY2(sum.status == 0, sum.out.constData());
        QVERIFY2(sum.out.contains("19 bytes or fewer in all pools together"), sum.out.constData());
        QByteArray tampered = cli_.contents("log");
        tampered.replace("total 19", "total 20");
        QCOMPARE(cli_({"check-proof", choice, cli_.file("tampered", tampered), "--pool", "p=20", "--pool", "q=20"}).status, 1);
    }

    // What a loop is given for a first iteration is not in the way of what the loop makes: the log does not say so, and what has
    // none is told why.
    void loopsHaveAProofOfWhatEachIterationHas()
    {
        const QByteArray loop =
            R"({"format": "stowage.problem/1", "pools": [{"name": "p"}], "loops": [{"name": "l", "live": [2, 6]}], "buffers": [
            {"name": "given", "size": 8, "live": [[0, 1], [6, 8]],
             "early": [{"live": [6, 8], "turn": {"loop": "l", "iteration": 0}}],
             "windows": [{"live": [3, 5], "bytes": [0, 2]}]},
            {"name": "made", "size": 8, "live": [[5, 6]], "loop": "l"}, {"name": "x", "size": 4, "live": [[3, 6]]}]})";
        const QString input = cli_.file("loop.json", loop);
        const auto planned = cli_({"plan", input, "--planner", "exact", "--proof", cli_.path("log")});
        QVERIFY2(planned.status == 0, planned.err.constData());
        QVERIFY2(planned.err.contains("does not fit into 11 bytes"), planned.err.constData());
        const auto checked = cli_({"check-proof", input, cli_.path("log")});
        QVERIFY2(checked.status == 0, checked.out.constData());
        const QString shared = cli_.file("share.json", R"({"format": "stowage.problem/1", "pools": [{"name": "p"}],
            "buffers": [{"name": "a", "size": 7, "live": [[0, 5]], "may_share": ["b"]},
                        {"name": "b", "size": 7, "live": [[4, 6]]}, {"name": "c", "size": 5, "live": [[0, 6]]}]})");
        const auto none = cli_({"plan", shared, "--planner", "exact", "--proof", cli_.path("no")});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("'a' may share bytes: such problems have no checkable log"), none.err.constData());
        QVERIFY(!QFile::exists(cli_.path("no")));
    }

    // Two memories without a choice: both have to be as small as they can be.
    void aPlanOfTwoMemoriesHasAProofOfEach()
    {
        const QString input = cli_.file("each.json", R"({"format": "stowage.problem/1", "pools": [{"name": "p"}, {"name": "q"}],
            "buffers": [{"name": "a", "size": 7, "live": [[0, 5]], "pools": ["p"]},
                        {"name": "b", "size": 3, "live": [[0, 5]], "pools": ["q"]},
                        {"name": "c", "size": 6, "live": [[2, 5]], "pools": ["q"]}]})");
        QCOMPARE(cli_({"plan", input, "--planner", "exact", "--proof", cli_.path("log")}).status, 0);
        const auto checked = cli_({"check-proof", input, cli_.path("log")});
        QVERIFY2(checked.status == 0, checked.out.constData());
        QVERIFY2(checked.out.contains("6 bytes of p") && checked.out.contains("8 bytes of q"), checked.out.constData());
    }

    void whatIsNotProvedHasNoLog()
    {
        const auto planned = cli_({"plan", input(), "--planner", "naive", "--proof", cli_.path("none")});
        QCOMPARE(planned.status, 2);
        QVERIFY2(planned.err.contains("nothing to prove"), planned.err.constData());
        QVERIFY2(planned.out.contains("naive"), planned.out.constData()); // the plan is not lost
        QCOMPARE(cli_({"check-proof", input(), cli_.path("missing")}).status, 2);
    }

    void aLimitThatCameFirstIsNoMisuse()
    {
        STOWAGE_NEEDS_SHARED();
        const auto limited = cli_({"plan", stowage::test::sharedFile("bench/minimalloc/D.1048576.csv"), "--planner", "exact",
                                   "--work-limit", "100", "--proof", cli_.path("none")});
        QVERIFY2(limited.status == 3 && limited.err.contains("more time"), limited.err.constData());
        QVERIFY2(limited.out.contains("stopped by the work limit"), limited.out.constData());
    }
};

QTEST_GUILESS_MAIN(TestCliProof)
#include "tst_cli_proof.moc"

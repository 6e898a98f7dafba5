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
        QVERIFY2(told.out.contains("halve the size of 'b' to 3 bytes"), told.out.constData());
        QVERIFY2(told.out.contains("other seeds: 0.0 % above the lower bound, 2 of 2 fit"), told.out.constData());
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

    /// By hand: "x" (8) and its result "y" (8) are live together, so 16; written in place they take 8.
    void beginsWithWhatCanBeDoneAboutTheModel()
    {
        const QString program = cli_.file("levers.json", R"({"format": "stowage.program/1", "name": "levers", "entry": "main",
            "functions": [{"name": "main", "inputs": ["w"], "outputs": ["z"], "tensors": [
                {"name": "w", "kind": "input", "bytes": 1}, {"name": "x", "bytes": 8}, {"name": "y", "bytes": 8},
                {"name": "z", "kind": "output", "bytes": 1}],
            "ops": [{"name": "first", "kind": "f", "inputs": ["w"], "outputs": ["x"]},
                    {"name": "second", "kind": "f", "inputs": ["x"], "outputs": ["y"], "inplace": [["x", "y"]]},
                    {"name": "third", "kind": "f", "inputs": ["y"], "outputs": ["z"]}]}]})");
        const auto told = cli_({"explain", program, "--lower", "inplace=off"});
        QVERIFY2(told.status == 0, told.err.constData());
        const auto levers = told.out.indexOf("Changes of the whole model");
        QVERIFY2(levers >= 0 && levers < told.out.indexOf("Why "), told.out.constData());
        QVERIFY2(levers < told.out.indexOf("Changes of single buffers"), told.out.constData());
        const auto planned = [&](const char* inPlace) {
            const auto plan = cli_({"plan", program, "--lower", QString("inplace=") + inPlace, "--format", "json"});
            return plan.object()["pools"].toArray()[0].toObject()["size"].toInteger();
        };
        QCOMPARE(planned("off"), 16);
        const QJsonArray rows =
            cli_({"explain", program, "--lower", "inplace=off", "--format", "json"}).object()["levers"].toArray();
        bool seen = false;
        for (const QJsonValue& row : rows) {
            if (!row["do"].toString().contains("inplace=allowed")) continue;
            seen = true;
            QCOMPARE(row["size"].toInteger(), planned("allowed"));
            QCOMPARE(row["saved"].toInteger(), planned("off") - planned("allowed"));
        }
        QVERIFY(seen && planned("allowed") < planned("off"));
    }

    /// 'out' and 'h' fill the pool at 'b', whatever becomes of 'in'. If the size of 'h' is unknown, nothing is proved.
    void nothingIsProvedOfAPart()
    {
        const auto answered = [&](const QByteArray& shape) {
            const QString program = cli_.file("part.json", R"({"format": "stowage.program/1", "entry": "main", "functions": [
                    {"name": "main", "inputs": ["in"], "outputs": ["out"], "tensors": [
                      {"name": "in", "kind": "input", "bytes": 8}, {"name": "h", "dtype": "i8", "shape": )" +
                                                               shape + R"(}, {"name": "out", "kind": "output", "bytes": 8}],
                    "ops": [{"name": "a", "kind": "exp", "inputs": ["in"], "outputs": ["h"]},
                            {"name": "b", "kind": "exp", "inputs": ["h"], "outputs": ["out"]}]}]})");
            return cli_({"explain", program, "--what-if", "size:in=4", "--format", "json"}).object();
        };
        for (const bool known : {true, false}) {
            const QJsonObject story = answered(known ? "[1]" : "[-1]");
            const QJsonValue asked = story["what_if"].toArray().at(0), pool = story["pools"].toArray().at(0);
            QCOMPARE(asked["size"].toInteger(), known ? 9 : 8);
            QCOMPARE(asked["smallest"].toBool(!known), known);
            QCOMPARE(pool["unchanged_smallest"].toBool(!known), known);
        }
    }

    /// Without ops and alignment there is only another pool to try, and nothing for a plan with an overlap.
    void namesTheChangesThatWereTried()
    {
        const auto one = cli_({"explain", cli_.file("one.csv", "id,lower,upper,size\na,0,1,8\n")});
        QVERIFY2(one.status == 0, one.err.constData());
        QVERIFY2(one.out.contains("Changes of the whole model\nno change tried makes it smaller: a second pool\n"),
                 one.out.constData());
        const QString overlap = cli_.file("overlap.csv", "id,lower,upper,size,offset\na,0,1,2,0\nb,0,2,6,0\nc,1,3,4,6\n");
        const auto bad = cli_({"explain", input(), "--plan", overlap});
        QCOMPARE(bad.status, 1);
        QVERIFY2(bad.out.contains("Changes of the whole model\nnot looked for: the plan is not valid\n"), bad.out.constData());
        QVERIFY2(bad.out.contains("Changes of single buffers that would help most\nnot looked for: the plan is not valid\n"),
                 bad.out.constData());
        QVERIFY2(!bad.out.contains("tried"), bad.out.constData());
    }

    /// 20 buffers one after the other: all of them fit into the bytes of one, but not if the planner has to stop at once.
    void limitsHoldForTheFurtherPlans_data()
    {
        QTest::addColumn<QStringList>("limit");
        QTest::newRow("work") << QStringList{"--work-limit", "1"};
        QTest::newRow("time") << QStringList{"--time-limit", "0.000001"};
    }
    void limitsHoldForTheFurtherPlans()
    {
        QFETCH(QStringList, limit);
        QByteArray chain = "id,lower,upper,size\n";
        for (int b = 0; b < 20; ++b)
            chain += 'b' + QByteArray::number(b) + ',' + QByteArray::number(b) + ',' + QByteArray::number(b + 1) + ",10\n";
        const QStringList arguments{"explain",      cli_.file("chain.csv", chain),
                                    "--planner",    "hill-climb",
                                    "--changes",    "0",
                                    "--format",     "json",
                                    "--seed",       "0",
                                    "--robustness", "2"};
        for (const QStringList& limited : {QStringList(), limit}) {
            const auto told = cli_(arguments + limited);
            QVERIFY2(told.status == 0, told.err.constData());
            const QJsonArray samples = told.object()["robustness"].toArray();
            QCOMPARE(samples.size(), 2);
            QCOMPARE(samples[0].toObject()["size"].toInt(), told.object()["pools"].toArray()[0].toObject()["size"].toInt());
            for (const QJsonValue& each : samples) {
                const QJsonObject sample = each.toObject();
                QCOMPARE(sample["size"].toInt() > sample["lower_bound"].toInt(), !limited.isEmpty());
                QCOMPARE(sample.contains("changed"), sample["perturbed"].toBool());
            }
        }
    }

    void tellsWhatCannotFitTogether()
    {
        const auto told = cli_({"explain", input(), "--planner", "exact", "--capacity", "9"});
        QCOMPARE(told.status, 1);
        QVERIFY2(told.out.contains("Why nothing fits: these 2 buffers do not fit into 9 bytes"), told.out.constData());
        const auto json = cli_({"explain", input(), "--planner", "exact", "--capacity", "9", "--format", "json"});
        const QJsonArray set = json.object()["pools"].toArray()[0].toObject()["infeasible_set"].toArray();
        QCOMPARE(set.size(), 2);
        QCOMPARE(set[0].toObject()["buffer"].toString(), QString("b"));
        QCOMPARE(set[1].toObject()["buffer"].toString(), QString("c"));
        QVERIFY(told.out.contains("but they do without any one of them"));
        QVERIFY(json.object()["pools"].toArray()[0].toObject()["irreducible"].toBool());
        // Of two memories with a choice.
        const QString two =
            cli_.file("two.json",
                      R"({"format": "stowage.problem/1", "pools": [{"name": "p", "capacity": 10}, {"name": "q", "capacity": 10}],
            "buffers": [{"name": "a", "size": 7, "live": [[0, 5]]}, {"name": "b", "size": 7, "live": [[0, 5]]},
                        {"name": "c", "size": 6, "live": [[0, 5]]},
                        {"name": "d", "size": 2, "live": [[0, 5]]}]})");
        const auto both = cli_({"explain", two, "--planner", "exact", "--changes", "0"});
        QVERIFY2(both.out.contains("these 3 buffers do not fit into all pools together"), both.out.constData());
    }

    void answersWhatIf()
    {
        const auto told = cli_({"explain", input(), "--planner", "exact", "--changes", "0", "--what-if", "size:b=3", "--what-if",
                                "live:b=0-1", "--what-if", "in-place:c=b", "--format", "json"});
        QVERIFY2(told.status == 0, told.err.constData());
        // Steps 0 to 2 hold a and b, b and c, c: 2 + 3 and 3 + 4; 2 + 6 and 4; c on b: 2 + 6.
        const QJsonArray answers = told.object()["what_if"].toArray();
        QCOMPARE(answers.size(), 3);
        const int sizes[] = {7, 8, 8};
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(answers[i].toObject()["size"].toInt(), sizes[i]);
            QCOMPARE(answers[i].toObject()["saved"].toInt(), 10 - sizes[i]);
            QCOMPARE(answers[i].toObject()["unchanged"].toInt(), 10);
            QVERIFY(answers[i].toObject()["smallest"].toBool());
        }
        for (const char* wrong : {"b=3", "size:x=3", "size:b=0", "live:b=3-1", "in-place:b=b"}) {
            const auto refused = cli_({"explain", input(), "--what-if", wrong});
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.contains("write size:NAME=BYTES"), refused.err.constData());
        }
    }

    /// Greedy needs 7 bytes for what fits into 6: the byte between is no merit of a change.
    void savingsAreCountedFromWhatIsPossibleWithoutThem()
    {
        const QString trap = cli_.file("trap.csv", "id,lower,upper,size\nin,0,2,3\na,1,3,2\nb,2,4,2\nc,3,5,4\n");
        const auto told = cli_({"explain", trap, "--planner", "greedy-by-size"});
        QVERIFY2(told.status == 0, told.err.constData());
        QVERIFY2(told.out.contains("is 7 bytes high"), told.out.constData());
        QVERIFY2(told.out.contains("Without any change, a plan of 6 bytes was found and proved smallest, 1 less than this one"),
                 told.out.constData());
        const auto json = cli_({"explain", trap, "--planner", "greedy-by-size", "--format", "json"});
        const QJsonObject pool = json.object()["pools"].toArray()[0].toObject();
        QCOMPARE(pool["unchanged"].toInt(), 6);
        QVERIFY(pool["unchanged_smallest"].toBool());
        for (const QJsonValue& change : pool["changes"].toArray())
            QCOMPARE(change.toObject()["saved"].toInt(), 6 - change.toObject()["size"].toInt());
    }

    /// End to end the four buffers take 400 bytes, and one after the other in one place 100: 99 bytes for one of them save
    /// nothing.
    void questionsAreComparedWithReplanningWithoutTheChange()
    {
        const QString chain = cli_.file("whatif.csv", "id,lower,upper,size\na,0,2,100\nb,2,4,100\nc,4,6,100\nd,6,8,100\n");
        const QStringList arguments{"explain", chain, "--planner", "naive", "--changes", "0", "--what-if", "size:a=99"};
        const auto told = cli_(arguments);
        QVERIFY2(told.status == 0, told.err.constData());
        QVERIFY2(told.out.contains("is 400 bytes high"), told.out.constData());
        QVERIFY2(told.out.contains("What if\nWithout any change, a plan of 100 bytes was found and proved smallest, 300 less"),
                 told.out.constData());
        const auto json = cli_(arguments + QStringList{"--format", "json"});
        const QJsonObject answer = json.object()["what_if"].toArray()[0].toObject();
        QCOMPARE(answer["size"].toInt(), 100);
        QCOMPARE(answer["saved"].toInt(), 0);
        QCOMPARE(answer["unchanged"].toInt(), 100); // not the 400 of the plan
    }

    void numbersBelowZeroAreRefused()
    {
        const auto told = cli_({"plan", input(), "--work-limit=-3"});
        QCOMPARE(told.status, 2);
        QVERIFY2(told.err.contains("'-3' is below 0"), told.err.constData());
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

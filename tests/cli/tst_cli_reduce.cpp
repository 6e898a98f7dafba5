// reduce and reorder, as people and programs call them.
#include "tests/cli/cli_process.h"

#include <QtTest/QTest>

using stowage::test::Cli;

class TestCliReduce : public QObject {
    Q_OBJECT

    Cli cli_;

    /// Two pairs side by side: only one of them needs 30 bytes.
    QString input() const { return cli_.file("p.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,4,6,5\nd,5,7,6\n"); }

    /// Two chains that meet. In the order listed both large results are live at once.
    QString program() const
    {
        return cli_.file("two.program.json",
                         R"({"format": "stowage.program/1", "name": "two", "entry": "main", "functions": [{"name": "main",
            "inputs": ["x"], "outputs": ["y"], "tensors": [{"name": "x", "kind": "input", "bytes": 10},
                                                           {"name": "a", "bytes": 100}, {"name": "b", "bytes": 100},
              {"name": "c", "bytes": 5}, {"name": "d", "bytes": 5}, {"name": "y", "kind": "output", "bytes": 5}],
            "ops": [{"name": "1", "kind": "k", "inputs": ["x"], "outputs": ["a"]},
                    {"name": "2", "kind": "k", "inputs": ["x"], "outputs": ["b"]},
              {"name": "3", "kind": "k", "inputs": ["a"], "outputs": ["c"]},
              {"name": "4", "kind": "k", "inputs": ["b"], "outputs": ["d"]},
              {"name": "5", "kind": "k", "inputs": ["c", "d"], "outputs": ["y"]}]}]})");
    }

private Q_SLOTS:
    void reducesToThePairThatDoesNotFit()
    {
        const QString file = cli_.path("small.json");
        const auto told = cli_({"reduce", input(), "--when", "does-not-fit --capacity 25 --planner greedy-by-size", "-o", file});
        QVERIFY2(told.status == 0, told.err.constData());
        QVERIFY2(told.err.contains("2 buffers of 4 left"), told.err.constData());
        const QJsonObject problem = QJsonDocument::fromJson(cli_.contents("small.json")).object();
        QCOMPARE(problem["buffers"].toArray().size(), 2);
        QCOMPARE(problem["pools"].toArray()[0].toObject()["capacity"].toInt(), 25);
        const auto planned = cli_({"plan", file, "--planner", "greedy-by-size"});
        QCOMPARE(planned.status, 1); // it shows what it is said to show
    }

    void writesCsvAndToStandardOutput()
    {
        const auto csv = cli_({"reduce", input(), "--when", "infeasible --capacity 25", "-o", cli_.path("small.csv")});
        QVERIFY2(csv.status == 0, csv.err.constData());
        QCOMPARE(cli_.contents("small.csv").count('\n'), 3);
        const auto out = cli_({"reduce", input(), "--when", "above-bound --by -1", "-o", "-"});
        QCOMPARE(out.status, 2); // no such percentage
        const auto json = cli_({"reduce", input(), "--when", "does-not-fit --capacity 25 --planner naive"});
        QCOMPARE(json.status, 0);
        QVERIFY(!json.object()["buffers"].toArray().isEmpty());
    }

    void whatDoesNotShowIsNotReduced()
    {
        const auto told =
            cli_({"reduce", input(), "--when", "does-not-fit --capacity 30 --planner exact", "-o", cli_.path("none.json")});
        QCOMPARE(told.status, 1);
        QVERIFY(told.err.contains("nothing to reduce"));
        QVERIFY(cli_.contents("none.json").isEmpty());
    }

    void badConditionsAreBadUsage_data()
    {
        QTest::addColumn<QString>("when");
        for (const char* when :
             {"", "sleeps", "does-not-fit", "does-not-fit --capacity x", "does-not-fit --capacity 5 --planner nobody",
              "worse-than --planner naive", "invalid --than naive", "does-not-fit --pool q=5",
              "does-not-fit --capacity 5 --option goal=fit"})
            QTest::newRow(*when ? when : "empty") << QString::fromUtf8(when);
    }
    void badConditionsAreBadUsage()
    {
        QFETCH(QString, when);
        const auto told = cli_({"reduce", input(), "--when", when, "-o", cli_.path("bad.json")});
        QVERIFY2(told.status == 2, told.err.constData());
        QVERIFY2(told.err.contains("error"), told.err.constData());
    }

    void reordersWithBeforeAndAfter()
    {
        const QString file = cli_.path("better.program.json");
        const auto told = cli_({"reorder", program(), "-o", file});
        QVERIFY2(told.status == 0, told.err.constData());
        // Listed: x, a, b at op 2. Better: 3 at once behind 1; then x, b and c at op 2.
        QVERIFY2(told.out.contains("the peak is 115 bytes after reordering") && told.out.contains("the 210 before"),
                 told.out.constData());
        QVERIFY2(told.out.contains("proved: no order has less"), told.out.constData());
        const auto info = cli_({"info", file});
        QVERIFY2(info.out.contains("115 B"), info.out.constData());
        const auto again = cli_({"reorder", file, "-o", cli_.path("same.program.json")});
        QVERIFY2(again.out.contains("as before; proved"), again.out.constData());
        QCOMPARE(cli_.contents("same.program.json"), cli_.contents("better.program.json"));
    }

    void theProgramGoesToStandardOutput()
    {
        const auto told = cli_({"reorder", program(), "--format", "json", "-o", "-"});
        QCOMPARE(told.status, 0);
        QCOMPARE(told.object()["format"].toString(), QStringLiteral("stowage.program/1"));
        const QJsonObject row = QJsonDocument::fromJson(told.err).array()[0].toObject();
        QCOMPARE(row["before"].toInt(), 210);
        QCOMPARE(row["after"].toInt(), 115);
        QCOMPARE(row["bound"].toInt(), 115);
        QVERIFY(row["proved"].toBool());
    }

    void withoutAFileTheAnswerIsTheTable()
    {
        const auto told = cli_({"reorder", program()});
        QVERIFY2(told.status == 0 && told.err.isEmpty(), told.err);
        QVERIFY2(told.out.contains("the peak is 115 bytes after reordering") && told.out.contains("peak before (B)"), told.out);
        QVERIFY2(!told.out.contains('{'), told.out);
        const QJsonArray rows = cli_({"reorder", program(), "--format", "json"}).array();
        QCOMPARE(rows[0].toObject()["after"].toInt(), 115);
    }

    /// The size of h is unknown, and so is the peak of every order.
    void noOrderOfAPartIsProved()
    {
        const QString part = cli_.file("part.program.json",
                                       R"({"format": "stowage.program/1", "name": "part", "entry": "main", "functions": [
            {"name": "main", "inputs": ["x"], "outputs": ["y"], "tensors": [{"name": "x", "kind": "input", "bytes": 10},
              {"name": "a", "bytes": 100}, {"name": "h", "dtype": "f32", "shape": [-1, 4]},
              {"name": "y", "kind": "output", "bytes": 5}],
            "ops": [{"name": "1", "kind": "k", "inputs": ["x"], "outputs": ["a"]},
                    {"name": "2", "kind": "k", "inputs": ["x"], "outputs": ["h"]},
                    {"name": "3", "kind": "k", "inputs": ["a", "h"], "outputs": ["y"]}]}]})");
        const auto told = cli_({"reorder", part});
        QVERIFY2(told.status == 0 && told.out.startsWith("Partial: "), (told.out + told.err).constData());
        QVERIFY2(!told.out.contains("proved: no order") && !told.out.contains("no order has less"), told.out.constData());
        const QJsonObject row = cli_({"reorder", part, "--format", "json"}).array()[0].toObject();
        QVERIFY(row["partial"].toBool() && !row["proved"].toBool() && row["bound"].isNull());
        QVERIFY(!cli_({"reorder", program(), "--format", "json"}).array()[0].toObject().contains("partial"));
    }

    void aProblemHasNoOps()
    {
        const auto told = cli_({"reorder", input()});
        QCOMPARE(told.status, 2);
        QVERIFY2(told.err.contains("has no ops"), told.err.constData());
        QCOMPARE(cli_({"reorder", program(), "--lower", "order=dag"}).status, 2);
    }
};

QTEST_GUILESS_MAIN(TestCliReduce)
#include "tst_cli_reduce.moc"

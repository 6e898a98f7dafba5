// TVM's files through the whole way: worker, session, planners, the file given back. What is wrong has a place and exit status 2.
#include "tests/cli/cli_process.h"
#include "tests/support/tvm_graph.h"

#include <QMap>
#include <QTest>

using namespace stowage::test;

namespace {

const QStringList u3{"--with-workspace-buffer",  "name=dtcm;target=c;size=1000", "--with-workspace-buffer",
                     "name=sram;target=c,accel", "--with-parameter-buffer",      "name=itcm;target=c;size=5000",
                     "--with-parameter-buffer",  "name=flash;target=c,accel"};

} // namespace

class TestCliTvm : public QObject {
    Q_OBJECT

private:
    Cli cli_;

    /// Pool and offset of each buffer.
    static QMap<QString, QString> places(const CliResult& plan)
    {
        QMap<QString, QString> found;
        for (const QJsonValue& placement : plan.object()["placements"].toArray())
            found.insert(placement["buffer"].toString(),
                         placement["pool"].toString() + '+' + QString::number(placement["offset"].toInt()));
        return found;
    }

private Q_SLOTS:
    /// The model and its earlier revision have one warning each, however many functions are compared.
    void aBaselineOfAReportIsReadOnce()
    {
        QByteArray text;
        for (const char* name : {"one", "two"})
            text += QByteArray("@T.prim_func\ndef ") + name +
                    "(y: T.Buffer((4,), \"int8\")):\n"
                    "    kept = T.allocate([8], \"int8\", \"global\")\n"
                    "    kept[0] = T.int8(1)\n"
                    "    y[0] = kept[0]\n";
        text += "    for p in T.parallel(2):\n"
                "        lost = T.allocate([8], \"int8\", \"global\")\n"
                "        lost[0] = T.int8(1)\n"
                "        y[p] = lost[0]\n";
        const QString now = cli_.file("now.tir", text), before = cli_.file("before.tir", text);
        const auto result = cli_(
            {"export", now, "--as", "report", "--no-date", "--changes", "0", "--baseline", before, "-o", cli_.path("once.html")});
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(cli_.contents("once.html").count("<h2>Since the last run "), 2);
        QCOMPARE(result.err.count("'lost' is allocated"), 2);
    }

    void storageIdsAreAPlanBesideOthers()
    {
        const QString file = cli_.file("graph.json", tvmGraph);
        const auto result = cli_({"compare", file, "--planners", "naive,greedy-by-size,exact", "--format", "json"});
        QVERIFY2(result.status == 0, result.err);
        QMap<QString, QJsonObject> rows;
        for (const QJsonValue& row : result.object()["rows"].toArray()) rows.insert(row["planner"].toString(), row.toObject());
        QCOMPARE(rows.size(), 4);
        int own = 0;
        for (const QJsonObject& row : rows) {
            QVERIFY(row["valid"].toBool());
            QCOMPARE(row["lower_bound"].toInt(), 180);
            if (!row["elapsed_ms"].isUndefined()) continue;
            ++own; // it came with the file
            QCOMPARE(row["size"].toInt(), 100 + 80 + 40 + 40);
        }
        QCOMPARE(own, 1);
        QCOMPARE(rows["exact"]["size"].toInt(), 180);
        QCOMPARE(cli_({"verify", file, "--planner", "greedy-by-size"}).status, 0);
    }

    void theSampleComesBackPlanned()
    {
        const QString sample = Cli::sample("unified_planning.tir");
        const auto plan = cli_(QStringList{"plan", sample, "--format", "json"} + u3);
        QVERIFY2(plan.status == 0, plan.err);
        const auto rewritten = cli_(QStringList{"rewrite", sample, "--pass", "plan-memory", "-o", cli_.path("planned.tir")} + u3);
        QVERIFY2(rewritten.status == 0, rewritten.err);
        QVERIFY2(rewritten.err.contains("constants"), rewritten.err); // their data is handed in from now on
        const auto again = cli_({"plan", cli_.path("planned.tir"), "--format", "json"});
        QVERIFY2(again.status == 0, again.err);
        QCOMPARE(places(again), places(plan));
        QVERIFY(places(plan).size() == 10);
        QCOMPARE(cli_({"verify", cli_.path("planned.tir")}).status, 0);
        // Standard input gives the same text.
        QFile file(sample);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto piped = cli_(QStringList{"rewrite", "-", "--pass", "plan-memory"} + u3, file.readAll());
        QVERIFY2(piped.status == 0, piped.err);
        QCOMPARE(piped.out, cli_.contents("planned.tir"));
    }

    void programsComeBackPlannedToo()
    {
        const QString sample = Cli::sample("lstm_loop.json");
        const auto rewritten = cli_(
            {"rewrite", sample, "--pass", "plan-memory", "--planner", "greedy-by-size", "-o", cli_.path("lstm.program.json")});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        QCOMPARE(places(cli_({"plan", cli_.path("lstm.program.json"), "--planner", "naive", "--format", "json"})),
                 places(cli_({"plan", sample, "--planner", "greedy-by-size", "--format", "json"})));
    }

    void whatDoesNotFitIsNotWritten()
    {
        const auto result = cli_({"rewrite", Cli::sample("unified_planning.tir"), "--pass", "plan-memory", "--pool", "dtcm=100",
                                  "--pool", "sram=100", "-o", cli_.path("no.tir")});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("sram needs") && result.err.contains("more than"), result.err);
        QVERIFY(!QFile::exists(cli_.path("no.tir")));
    }

    void mistakesHaveAPlaceAndStatusTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        const QString bad = cli_.file("bad.tir", "@T.prim_func\ndef main(a: T.handle):\n    T.evaluate((1, 2)\n");
        const QString call = cli_.file(
            "call.tir", "@T.prim_func\ndef f(a: T.handle, b: T.handle):\n    b[0] = a[0]\n@T.prim_func\ndef main(a: T.handle):\n"
                        "    T.evaluate(T.call_extern(\"f\", a, dtype=\"int32\"))\n");
        const QString rows =
            cli_.file("rows.json", QByteArray(tvmGraph).replace("[0, 1, 2, 3, 4, 6, 7]", "[0, 1, 2, 3, 4, 5, 7]"));
        const QString sample = Cli::sample("unified_planning.tir");
        QTest::newRow("syntax") << QStringList{"plan", bad} << QByteArray("bad.tir:3:15: ");
        QTest::newRow("missing argument") << QStringList{"info", call}
                                          << QByteArray("call.tir:6:16: 'f' has 2 parameters, and 1 arguments are given");
        QTest::newRow("graph") << QStringList{"plan", rows} << QByteArray("rows.json:");
        QTest::newRow("import option") << QStringList{"plan", sample, "--import", "io=some"} << QByteArray("included");
        QTest::newRow("no such pass") << QStringList{"rewrite", sample, "--pass", "plan-memry"} << QByteArray("plan-memory");
        QTest::newRow("no such option") << QStringList{"rewrite", sample, "--pass", "plan-memory", "--option", "nothing=1"}
                                        << QByteArray("nothing");
        QTest::newRow("not given back") << QStringList{"rewrite", cli_.file("graph.json", tvmGraph), "--pass", "plan-memory"}
                                        << QByteArray("tvm-tir");
        QTest::newRow("a problem") << QStringList{"rewrite", cli_.file("p.csv", "id,lower,upper,size\na,0,1,4\n"), "--pass",
                                                  "plan-memory"}
                                   << QByteArray("convert --planned");
        QTest::newRow("no pass") << QStringList{"rewrite", sample} << QByteArray("--pass");
    }
    void mistakesHaveAPlaceAndStatusTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const auto result = cli_(arguments);
        QVERIFY2(result.status == 2, result.out + result.err);
        QVERIFY2(result.err.contains(said), result.err);
        QVERIFY(result.out.isEmpty());
    }

    /// By number from 1 in the order given, as by name.
    void memoriesByNumber()
    {
        const char* text = "@T.prim_func\ndef main(a: T.handle):\n    t = T.allocate([64], \"int8\", \"global\", "
                           "pinned_memory=[%1])\n    t[0] = a[0]\n    a[0] = t[0]\n";
        for (const auto& [pinned, pool] :
             {std::pair("2", "slow"), std::pair("1, 2", "fast"), std::pair("\"slow\"", "slow"), std::pair("2, 1", "slow")}) {
            const QString file = cli_.file("numbers.tir", QString(text).arg(pinned).toUtf8());
            const auto plan = cli_({"plan", file, "--with-workspace-buffer", "name=fast;target=c", "--with-workspace-buffer",
                                    "name=slow;target=c", "--format", "json"});
            QVERIFY2(plan.status == 0, plan.err);
            QCOMPARE(places(plan)["t"], QString("%1+0").arg(pool));
        }
        const QString file = cli_.file("numbers.tir", QString(text).arg("3").toUtf8());
        const auto none = cli_({"plan", file, "--with-workspace-buffer", "name=fast;target=c"});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("fast") && none.err.contains("numbers.tir:3:"), none.err);
    }

    void burstsOfSingleTargets()
    {
        const QString program = cli_.file("one.json", R"({"format": "stowage.program/1", "name": "p", "entry": "main", "pools": [
  {"name": "m", "burst_bytes": {"npu": 64, "": 8, "cpu": 32}, "targets": ["cpu", "npu"]}],
  "functions": [{"name": "main", "inputs": ["x"], "outputs": [],
  "tensors": [{"name": "x", "kind": "input", "bytes": 4}], "ops": []}]})");
        const auto result = cli_({"convert", program, "--to", "problem"});
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(result.object()["pools"].toArray().at(0)["burst_bytes"].toObject(),
                 (QJsonObject{{"npu", 64}, {"", 8}, {"cpu", 32}}));
        QString wrong = cli_.contents("one.json");
        wrong.replace(QString("\"npu\": 64"), QString("\"gpu\": 64"));
        const auto refused = cli_({"info", cli_.file("two.json", wrong.toUtf8())});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("two.json:2:") && refused.err.contains("gpu"), refused.err);
    }
};

QTEST_GUILESS_MAIN(TestCliTvm)
#include "tst_cli_tvm.moc"

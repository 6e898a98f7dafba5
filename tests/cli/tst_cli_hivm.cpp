// What the command line says of Ascend problems: levels, reuse by kind, stalls, overflow in the compiler's words, planners with
// options of their own.
#include "tests/cli/cli_process.h"

#include <QTest>

using namespace stowage::test;

namespace {

/// The document's loop, 20 KB slots and a C that only fits over both of A's: level 0, which breaks A's double buffer.
QByteArray loop(int sizeOfC)
{
    return QByteArray(R"({"format": "stowage.problem/1", "name": "loop", "step_axis": "hivm",
 "pools": [{"name": "ub", "capacity": 98304, "alignment": 32}],
 "loops": [{"name": "i", "live": [9, 14], "trip_count": 8}],
 "buffers": [{"name": "A", "size": 20480, "live": [[10, 11]], "slots": 2, "loop": "i", "dma": true},
             {"name": "B", "size": 12288, "live": [[11, 12]], "loop": "i"},
             {"name": "C", "size": )") +
           QByteArray::number(sizeOfC) + R"(, "live": [[12, 13]], "loop": "i"},
             {"name": "D", "size": 20480, "live": [[13, 14]], "slots": 2, "loop": "i", "dma": true}]})";
}

} // namespace

class TestCliHivm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPlanTellsLevelsReuseAndStalls()
    {
        const Cli cli;
        const QString file = cli.file("loop.json", loop(24576));
        const CliResult text = cli({"plan", file, "--planner", "hivm"});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.contains("level 0") && text.out.contains("breaks-double-buffer"), text.out);
        QVERIFY2(text.err.contains("ub is reused across pipes") && text.err.contains("level 0: C"), text.err);

        const QJsonObject plan = cli({"plan", file, "--planner", "hivm", "--format", "json"}).object();
        const QJsonObject pipes = plan["pipes"].toObject();
        QVERIFY(pipes["breaks_double_buffer"].toInt() > 0);
        QVERIFY(pipes["time"].toInteger() >= pipes["time_without_reuse"].toInteger());
        bool found = false;
        for (const QJsonValue edge : pipes["edges"].toArray())
            found |= edge["from"] == "C" && edge["to"] == "A" && edge["kind"] == "breaks-double-buffer" &&
                     edge["distance"] == 1 && edge["loop"] == "i";
        QVERIFY(found);
        QCOMPARE(plan["placements"][2]["level"].toString(), "level 0");
        // Read back it is judged, and nothing in it is unknown.
        QCOMPARE(
            cli({"check", file, cli.file("plan.json", cli({"plan", file, "--planner", "hivm", "--format", "json"}).out)}).status,
            0);
    }

    void anUpgradedBufferIsWrittenWithAllItsAddresses()
    {
        const Cli cli;
        const QString file = cli.file("loop.json", loop(18432));
        const QJsonObject plan = cli({"plan", file, "--planner", "hivm", "--format", "json"}).object();
        const QJsonValue c = plan["placements"][2];
        QCOMPARE(c["level"].toString(), "level 1");
        QCOMPARE(c["offsets"].toArray(), (QJsonArray{0, 20480}));
        QCOMPARE(c["select"]["rotate"].toString(), "i");
    }

    void plannersAreComparedWithOptionsOfTheirOwn()
    {
        const Cli cli;
        const QString file = cli.file("loop.json", loop(24576));
        const CliResult result = cli({"compare", file, "--planners",
                                      "hivm,hivm:levels=document:attempts=3,exact:pipe-aware=forbid,naive", "--format", "json"});
        QCOMPARE(result.status, 0);
        const QJsonArray rows = result.object()["rows"].toArray();
        QCOMPARE(rows.size(), 4);
        QCOMPARE(rows[1]["planner"].toString(), "hivm:levels=document:attempts=3");
        QVERIFY(rows[0]["pipes"]["breaks_double_buffer"].toInt() > 0);
        for (const int row : {2, 3}) { // both keep pipes apart, and neither fits
            QCOMPARE(rows[row]["pipes"]["cross_pipe"].toInt() + rows[row]["pipes"]["breaks_double_buffer"].toInt(), 0);
            QVERIFY(!rows[row]["fits"].toBool());
        }
        const CliResult table = cli({"compare", file, "--planners", "hivm,naive"});
        QVERIFY2(table.out.contains("slower by reuse") && table.out.contains("double buffers broken"), table.out);
        QVERIFY(!cli({"compare", "-", "--planners", "hivm,naive"}, threeBuffers).out.contains("slower by reuse"));
        const CliResult bad = cli({"compare", file, "--planners", "hivm:levels=none"});
        QCOMPARE(bad.status, 2);
        QVERIFY2(bad.err.contains("levels") && bad.err.contains("document"), bad.err);
        QCOMPARE(cli({"compare", file, "--planners", "hivn:levels=document"}).status, 2);
    }

    void anOverflowIsSaidAsTheCompilerSaysIt()
    {
        const Cli cli;
        const CliResult result = cli({"plan", cli.file("loop.json", loop(131072)), "--planner", "hivm"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("ub overflow, requires 1048576 bits while 786432 bits available! (possible reason: tiling "
                                     "basic block is too large"),
                 result.err);
        QVERIFY2(result.err.contains("262144 bits have to go: ") && result.err.contains("halve"), result.err);
    }

    void anExplanationNamesWhoWaitsForABuffer()
    {
        const Cli cli;
        const QString file = cli.file("loop.json", loop(24576));
        const CliResult text = cli({"explain", file, "--planner", "hivm", "--buffer", "C", "--changes", "0"});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.contains("who takes over from them") && text.out.contains("breaks-double-buffer"), text.out);
        const QJsonObject json = cli({"explain", file, "--planner", "hivm", "--changes", "0", "--format", "json"}).object();
        QVERIFY(!json["reuse"].toArray().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestCliHivm)
#include "tst_cli_hivm.moc"

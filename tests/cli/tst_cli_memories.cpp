// Memories on the command line: TVM's flags in both forms, what pools say about what they pushed out, and what would be enough.
#include "tests/cli/cli_process.h"

#include <QTest>

using namespace stowage::test;

namespace {

constexpr const char* program =
    R"({"format": "stowage.program/1", "name": "p", "entry": "main", "functions": [{"name": "main", "inputs": ["x"],
        "outputs": ["z"],
  "tensors": [{"name": "x", "kind": "input", "bytes": 100}, {"name": "w", "kind": "constant", "bytes": 64},
              {"name": "y", "bytes": 300},
              {"name": "z", "kind": "output", "bytes": 50}],
  "ops": [{"name": "a", "kind": "conv", "inputs": ["x", "w"], "outputs": ["y"], "device": "accel"},
          {"name": "b", "kind": "conv", "inputs": ["y"], "outputs": ["z"], "device": "c"}]}]})";

} // namespace

class TestCliMemories : public QObject {
    Q_OBJECT

private:
    Cli cli_;
    QString program_;

    QJsonObject problemWith(const QStringList& flags)
    {
        const auto result = cli_(QStringList{"convert", program_, "--to", "problem"} + flags);
        if (result.status != 0) qWarning("%s", result.err.constData());
        return result.object();
    }

private Q_SLOTS:
    void initTestCase() { program_ = cli_.file("p.json", program); }

    /// Two slots each: 800 and 600 bytes, which are live together at step 1.
    void everySlotOfABufferCounts()
    {
        const QString file = cli_.file("slots.json", R"({"format": "stowage.problem/1", "name": "s",
            "pools": [{"name": "ub", "capacity": 1000}], "loops": [{"name": "L", "live": [0, 4]}], "buffers": [
            {"name": "x", "size": 400, "live": [[0, 3]], "slots": 2, "loop": "L"},
            {"name": "y", "size": 300, "live": [[1, 4]], "slots": 2, "loop": "L"}]})");
        const auto planned = cli_({"plan", file, "--planner", "greedy-by-size"});
        QCOMPARE(planned.status, 1);
        QVERIFY2(planned.err.contains("ub needs 1,400 bytes but has 1,000: 400 bytes short under 'y'; "
                                      "at step 1, 1,400 bytes are live there: 'x' (800), 'y' (600)"),
                 planned.err.constData());
        const auto told = cli_({"info", file});
        QVERIFY2(told.out.contains("end to end   1,400 B without reuse"), told.out.constData());
        const QJsonObject info = cli_({"info", file, "--format", "json"}).object();
        QCOMPARE(info["functions"].toArray().first().toObject()["bytes"].toInt(), 1400);
    }

    void theDocumentsFlags()
    {
        const QJsonObject problem =
            problemWith({"--with-workspace-buffer=", "name=dtcm;target=c;size=1000", "--with-workspace-buffer",
                         "name=sram; target=c,accel", "--with-parameter-buffer=name=flash;target=c,accel;size=5000"});
        const QJsonArray pools = problem["pools"].toArray();
        QCOMPARE(pools.size(), 3);
        QCOMPARE(pools[0]["name"].toString(), "dtcm");
        QCOMPARE(pools[0]["capacity"].toInt(), 1000);
        QCOMPARE(pools[0]["targets"].toArray(), QJsonArray({"c"}));
        QCOMPARE(pools[1]["name"].toString(), "sram");
        QVERIFY(pools[1]["capacity"].isUndefined());
        QCOMPARE(pools[1]["targets"].toArray(), QJsonArray({"c", "accel"}));
        QCOMPARE(pools[2]["kind"].toString(), "constant");
        QCOMPARE(pools[2]["capacity"].toInt(), 5000);
        // Affinity: what the accelerator touches cannot lie in dtcm, z can; w is planned as there is a pool for constants.
        for (const QJsonValue& buffer : problem["buffers"].toArray()) {
            const QString name = buffer["name"].toString();
            if (name == "z")
                QVERIFY(buffer["pools"].isUndefined() || buffer["pools"] == QJsonArray({"dtcm", "sram"}));
            else
                QCOMPARE(buffer["pools"].toArray(), name == "w" ? QJsonArray({"flash"}) : QJsonArray({"sram"}));
        }
    }

    void theShippedFlags()
    {
        const QJsonArray pools =
            problemWith(
                {"--workspace-pools=dtcm,sram", "--workspace-pools-targets=dtcm:c,sram:c", "--workspace-pools-targets=sram:accel",
                 "--workspace-pools-size-hint-bytes=dtcm:400,dtcm:600", "--workspace-pools-size-hint-bytes", "sram:-1",
                 "--workspace-pools-clock-frequency-hz=sram:500000000", "--workspace-pools-read-bandwidth-bytes-per-cycle=sram:8",
                 "--workspace-pools-write-bandwidth-bytes-per-cycle=sram:4", "--workspace-pools-read-latency-cycles=sram:30",
                 "--workspace-pools-write-latency-cycles=sram:20", "--workspace-pools-target-burst-bytes=sram:accel:32",
                 "--constant-pools=flash", "--constant-pools-targets=flash:c,accel"})["pools"]
                .toArray();
        QCOMPARE(pools.size(), 3);
        QCOMPARE(pools[0]["capacity"].toInt(), 600); // the last value wins
        QCOMPARE(pools[1].toObject(), (QJsonObject{{"name", "sram"},
                                                   {"targets", QJsonArray({"c", "accel"})},
                                                   {"clock_hz", 500000000},
                                                   {"read_bytes_per_cycle", 8},
                                                   {"write_bytes_per_cycle", 4},
                                                   {"read_latency_cycles", 30},
                                                   {"write_latency_cycles", 20},
                                                   {"burst_bytes", QJsonObject{{"accel", 32}}}}));
        QCOMPARE(pools[2]["targets"].toArray(), QJsonArray({"c", "accel"}));
    }

    void mistakesAreNamed_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no targets") << QStringList{"--workspace-pools=a"} << QByteArray("--workspace-pools-targets=a:");
        QTest::newRow("no such pool") << QStringList{"--workspace-pools=a", "--workspace-pools-targets=b:c"}
                                      << QByteArray("no pool 'b'");
        QTest::newRow("no size") << QStringList{"--workspace-pools=a", "--workspace-pools-targets=a:c",
                                                "--workspace-pools-size-hint-bytes=a:many"}
                                 << QByteArray("many");
        QTest::newRow("no pool named") << QStringList{"--workspace-pools=a", "--workspace-pools-targets=a:c",
                                                      "--workspace-pools-read-latency-cycles=3"}
                                       << QByteArray("names no pool");
        QTest::newRow("unknown key") << QStringList{"--with-workspace-buffer", "name=a;bank=3"} << QByteArray("bank");
        QTest::newRow("no name") << QStringList{"--with-workspace-buffer", "target=c"} << QByteArray("no name");
        QTest::newRow("twice") << QStringList{"--with-workspace-buffer", "name=a", "--with-parameter-buffer", "name=a"}
                               << QByteArray("already");
        QTest::newRow("target too") << QStringList{"--with-workspace-buffer", "name=a", "--target", "cortex-m7"}
                                    << QByteArray("--target");
        QTest::newRow("not reachable") << QStringList{"--with-workspace-buffer", "name=dtcm;target=c"} << QByteArray("accel");
    }
    void mistakesAreNamed()
    {
        QFETCH(QStringList, flags);
        QFETCH(QByteArray, said);
        const auto result = cli_(QStringList{"plan", program_} + flags);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains(said), result.err);
    }

    /// y (300) and one of its neighbours do not fit into 340 together.
    void poolsSayWhatTheyPushedOut()
    {
        const QStringList pools{
            "--with-workspace-buffer", "name=quick;size=340", "--with-workspace-buffer", "name=slow", "--planner",
            "greedy-by-size"};
        const auto text = cli_(QStringList{"plan", program_} + pools);
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.contains("quick: 2 buffers of 150 B did not fit; 10 B more would take z (50 B)"), text.out);
        const auto json = cli_(QStringList{"plan", program_, "--format", "json"} + pools);
        const QJsonArray displaced = json.object()["pools"].toArray().at(0)["displaced"].toArray();
        QCOMPARE(displaced.size(), 2);
        QCOMPARE(displaced[0].toObject(), (QJsonObject{{"buffer", "z"}, {"pool", "slow"}, {"more_bytes", 10}}));
        QCOMPARE(displaced[1].toObject(), (QJsonObject{{"buffer", "x"}, {"pool", "slow"}, {"more_bytes", 60}}));
        const auto again = cli_({"check", program_, cli_.file("plan.json", json.out), "--with-workspace-buffer",
                                 "name=quick;size=340", "--with-workspace-buffer", "name=slow"});
        QVERIFY2(again.status == 0, again.err);
    }

    void whatWouldBeEnoughIsSaid()
    {
        const auto result = cli_({"plan", program_, "--pool", "sram=200", "--planner", "naive"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("step 1") || result.err.contains("step 2"), result.err);
        QVERIFY2(result.err.contains("400 bytes, 200 more than it has"), result.err); // x and y together, whatever the planner
        QVERIFY2(result.err.contains("--pool sram=400"), result.err);
        QCOMPARE(cli_({"plan", program_, "--pool", "sram=400", "--planner", "hill-climb"}).status, 0);
    }

    /// `big` is live at the steps of the loop in iteration 0 only, `other` in iteration 1 only: with `small` they need 90 + 40
    /// and 70 + 40 bytes. No iteration has all three.
    void bytesOfASingleIterationCount_data()
    {
        QTest::addColumn<QByteArray>("other");
        QTest::addColumn<QByteArray>("needed");
        QTest::newRow("one") << QByteArray() << QByteArray("ram needs 130 bytes but has 100: 30 bytes short under 'small'");
        QTest::newRow("two, of different iterations")
            << QByteArray(R"({"name": "other", "size": 70, "live": [[1, 4]],
                "early": [{"live": [2, 4], "turn": {"loop": "l", "iteration": 1}}]},)")
            << QByteArray("ram needs 200 bytes but has 100: 100 bytes short under 'small'");
    }
    void bytesOfASingleIterationCount()
    {
        QFETCH(QByteArray, other);
        QFETCH(QByteArray, needed);
        QByteArray problem = R"({"format": "stowage.problem/1", "name": "e",
            "pools": [{"name": "ram", "capacity": 100}], "loops": [{"name": "l", "live": [2, 6], "trip_count": 4}],
            "buffers": [{"name": "small", "size": 40, "live": [[2, 8]]}, OTHER
                        {"name": "big", "size": 90, "live": [[1, 4]],
                         "early": [{"live": [2, 4], "turn": {"loop": "l", "iteration": 0}}]}]})";
        const QString file = cli_.file("early.json", problem.replace("OTHER", other));
        const auto planned = cli_({"plan", file, "--planner", "greedy-by-size"});
        QCOMPARE(planned.status, 1);
        QVERIFY2(planned.err.contains(needed + "; at step 2, 130 bytes are live there: 'big' (90), 'small' (40) ("),
                 planned.err.constData());
    }

    void targetsHaveTheRatesThatEstimatesNeed()
    {
        for (const char* target : {"cortex-m7", "cortex-m55-ethos-u55", "esp32-s3"}) {
            const auto result = cli_({"plan", Cli::sample("mobilenet_v1_025.json"), "--target", target, "--planner", "multi-pool",
                                      "--option", "minimise=traffic", "--work-limit", "3000", "--format", "json"});
            QVERIFY2(result.status == 0 || result.status == 1 || result.status == 3, result.err);
            QVERIFY2(!result.err.contains("no-bandwidth") && !result.err.contains("cannot be estimated"), result.err);
            double traffic = 0;
            for (const QJsonValue& pool : result.object()["pools"].toArray()) traffic += pool["traffic_ns"].toDouble();
            QVERIFY(traffic > 0);
        }
    }

    /// The least traffic leaves the slower pool empty, although everything would fit into it.
    void whatHasRoomIsNotSaidToNotFit()
    {
        const auto text = cli_({"plan", Cli::sample("mobilenet_v1_025.json"), "--target", "cortex-m55-ethos-u55", "--planner",
                                "multi-pool", "--option", "minimise=traffic"});
        QVERIFY2(text.out.contains("sram: 31 buffers of 463,058 B went elsewhere; block1/pw/out (65,536 B) would fit as it is"),
                 text.out);
    }
};

QTEST_GUILESS_MAIN(TestCliMemories)
#include "tst_cli_memories.moc"

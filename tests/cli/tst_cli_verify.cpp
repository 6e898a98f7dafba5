// verify: planned inputs run on a real arena, and plans from elsewhere; and whole models through the worker.
#include "tests/cli/cli_process.h"
#include "tests/support/shared.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace stowage::test;

namespace {

/// x -> a -> h, x -> b -> k, (h, k) -> c -> z
const char* const diamond =
    R"({"format": "stowage.program/1", "name": "diamond", "functions": [{"name": "main", "inputs": ["x"], "outputs": ["z"],
 "tensors": [{"name": "x", "bytes": 8}, {"name": "h", "bytes": 8}, {"name": "k", "bytes": 8}, {"name": "z", "bytes": 8}],
 "ops": [{"name": "a", "inputs": ["x"], "outputs": ["h"]}, {"name": "b", "inputs": ["x"], "outputs": ["k"]},
         {"name": "c", "inputs": ["h", "k"], "outputs": ["z"]}]}]})";

} // namespace

class CliVerifyTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;
    QString three_, diamond_;

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(QFile::exists(Cli::program()), qPrintable(Cli::program()));
        three_ = cli_.file("three.csv", threeBuffers);
        diamond_ = cli_.file("diamond.json", diamond);
    }

    void runsAProgram()
    {
        const auto text = cli_({"verify", diamond_, "--planner", "greedy-by-size"});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.contains("the program ran 3 times, 9 ops"), text.out);
        QVERIFY2(text.out.contains("Clean: every read found the bytes that were written for it."), text.out);
        QVERIFY2(text.err.isEmpty(), text.err);
        const QJsonObject json = cli_({"verify", diamond_, "--planner", "greedy-by-size", "--format", "json"}).object();
        QCOMPARE(json["format"].toString(), QString("stowage.verification/1"));
        QCOMPARE(json["outcome"].toString(), QString("clean"));
        QCOMPARE(json["executed"].toString(), QString("program"));
        QCOMPARE(json["ops"].toInt(), 9);
        QCOMPARE(json["status"].toString(), QString("optimal"));
        QVERIFY(!json.contains("corruption"));
    }

    void runsAProblemByItsLiveRanges()
    {
        for (const char* planner : {"auto", "greedy-by-size", "naive"}) {
            const QJsonObject json = cli_({"verify", three_, "--planner", planner, "--format", "json"}).object();
            QCOMPARE(json["outcome"].toString(), QString("clean"));
            QCOMPARE(json["executed"].toString(), QString("live-ranges"));
        }
        QCOMPARE(cli_({"verify", "-"}, threeBuffers).status, 0);
    }

    void namesTheFirstCorruptedReadOfAForeignPlan()
    {
        // k lies on the last byte of h, which c reads after b wrote k.
        const QString plan = cli_.file("wrong.csv", "id,lower,upper,size,offset\nx,0,3,8,0\nh,1,4,8,8\nk,2,4,8,15\nz,3,4,8,24\n");
        const auto text = cli_({"verify", diamond_, "--plan", plan});
        QCOMPARE(text.status, 1);
        QVERIFY2(text.out.contains("Corrupted: 'c' reads 'h' in arena, where 'b' wrote 'k', on [0xf, 0x10), at step 3."),
                 text.out);
        const auto result = cli_({"verify", diamond_, "--plan", plan, "--format", "json"});
        QCOMPARE(result.status, 1);
        const QJsonObject json = result.object();
        QCOMPARE(json["outcome"].toString(), QString("corrupted"));
        const QJsonObject found = json["corruption"].toObject();
        QCOMPARE(found["reader"].toString(), QString("c"));
        QCOMPARE(found["tensor"].toString(), QString("h"));
        QCOMPARE(found["buffer"].toString(), QString("h"));
        QCOMPARE(found["overwritten_by"].toString(), QString("k"));
        QCOMPARE(found["writer"].toString(), QString("b"));
        QCOMPARE(found["pool"].toString(), QString("arena"));
        QCOMPARE(found["low"].toInt(), 15);
        QCOMPARE(found["high"].toInt(), 16);
        QCOMPARE(found["step"].toInt(), 3);
        // The right one runs.
        const QString right = cli_.file("right.csv", "id,lower,upper,size,offset\nx,0,3,8,0\nh,1,4,8,8\nk,2,4,8,16\nz,3,4,8,0\n");
        QCOMPARE(cli_({"verify", diamond_, "--plan", right}).status, 0);
    }

    void aWrongRotationIsNamed()
    {
        // What a loop makes lies in two places in turn, as the iteration before is still read. The plan as it should be, then
        // both views in one place.
        const QString loop = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/refine_loop.json");
        const auto planned = cli_({"plan", loop, "--lower", "loops=precise", "--format", "json"});
        QCOMPARE(planned.status, 0);
        QCOMPARE(cli_({"verify", loop, "--lower", "loops=precise", "--plan", cli_.file("right.plan.json", planned.out)}).status,
                 0);
        QJsonObject plan = planned.object();
        QJsonArray placements = plan["placements"].toArray();
        int wrong = 0;
        for (auto placement : placements) {
            QJsonObject entry = placement.toObject();
            QJsonArray offsets = entry["offsets"].toArray();
            if (entry["buffer"].toString() != "refined") continue; // y lies in it
            QCOMPARE(offsets.size(), 2);
            offsets[1] = offsets[0];
            entry["offsets"] = offsets;
            placement = entry;
            ++wrong;
        }
        QCOMPARE(wrong, 1);
        plan["placements"] = placements;
        const QString file = cli_.file("wrong.plan.json", QJsonDocument(plan).toJson());
        const auto result = cli_({"verify", loop, "--lower", "loops=precise", "--plan", file, "--format", "json"});
        QCOMPARE(result.status, 1);
        const QJsonObject found = result.object()["corruption"].toObject();
        QCOMPARE(found["reader"].toString(), QString("step"));
        QCOMPARE(found["tensor"].toString(), QString("x"));
        QCOMPARE(found["overwritten_by"].toString(), QString("refined"));
        QVERIFY(cli_({"check", loop, file, "--lower", "loops=precise"}).status == 1);
    }

    void runsAPlanFileOfItsOwn()
    {
        const auto planned = cli_({"plan", diamond_, "--planner", "greedy-by-size", "--format", "json"});
        QCOMPARE(planned.status, 0);
        const auto result = cli_({"verify", diamond_, "--plan", cli_.file("diamond.plan.json", planned.out)});
        QVERIFY2(result.status == 0, result.out + result.err);
    }

    void saysWhenItCannotTellOrTheAnswerIsNo()
    {
        const auto limited = cli_({"verify", diamond_, "--op-limit", "2", "--format", "json"});
        QCOMPARE(limited.status, 3);
        QCOMPARE(limited.object()["outcome"].toString(), QString("incomplete"));
        // Runs clean on an arena of the planned size, which is more than there is.
        const auto tooLarge = cli_({"verify", three_, "--capacity", "20"});
        QCOMPARE(tooLarge.status, 1);
        QVERIFY2(tooLarge.out.contains("Clean") && tooLarge.out.contains("nfeasible"), tooLarge.out);
        const QString missing = cli_.file("missing.csv", "id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,10\n");
        const auto noPlace = cli_({"verify", three_, "--plan", missing});
        QCOMPARE(noPlace.status, 1);
        QVERIFY2(noPlace.out.contains("Cannot be run: 'c'"), noPlace.out);
    }

    // A run in which most tensors have no size shows nothing.
    void isNotCleanWhenMostSizesAreUnknown()
    {
        const auto program = [&](const char* name, const QByteArray& shape) {
            return cli_.file(
                name,
                R"({"format": "stowage.program/1", "name": "n", "entry": "main", "functions": [{"name": "main", "inputs": ["x"],
                    "outputs": ["z"],
                "tensors": [{"name": "x", "kind": "input", "bytes": 64}, {"name": "a", "dtype": "f32", "shape": )" +
                    shape + R"(},
                            {"name": "b", "dtype": "f32", "shape": )" +
                    shape + R"(}, {"name": "z", "kind": "output", "dtype": "f32", "shape": )" + shape + R"(}],
                "ops": [{"name": "p", "kind": "relu", "inputs": ["x"], "outputs": ["a"]},
                        {"name": "q", "kind": "relu", "inputs": ["a"], "outputs": ["b"]},
                        {"name": "r", "kind": "relu", "inputs": ["b"], "outputs": ["z"]}]}]})");
        };
        const auto unknown = cli_({"verify", program("unknown.json", "[-1, 4]")});
        QCOMPARE(unknown.status, 3);
        QVERIFY2(unknown.out.contains("Not checked: 3 tensors have no known size") && unknown.out.contains("--bind"),
                 unknown.out);
        QVERIFY2(!unknown.out.contains("Clean"), unknown.out);
        const auto asJson = cli_({"verify", program("unknown.json", "[-1, 4]"), "--format", "json"});
        QCOMPARE(asJson.object()["outcome"].toString(), QString("sizes-unknown"));
        QCOMPARE(asJson.object()["unsized_tensors"].toInt(), 3);
        const auto known = cli_({"verify", program("known.json", "[2, 4]")});
        QCOMPARE(known.status, 0);
        QVERIFY2(known.out.contains("Clean"), known.out);
    }

    void refusesBadUsage()
    {
        QCOMPARE(cli_({"verify"}).status, 2);
        QCOMPARE(cli_({"verify", cli_.path("no-such-file.csv")}).status, 2);
        QCOMPARE(cli_({"verify", three_, "--planner", "no-such-planner"}).status, 2);
        QCOMPARE(cli_({"verify", three_, "--plan", cli_.path("no-such-plan.json")}).status, 2);
        QCOMPARE(cli_({"verify", three_, "--plan", three_, "--planner", "naive"}).status, 2);
        QCOMPARE(cli_({"verify", three_, "--op-limit", "0"}).status, 2);
        QCOMPARE(cli_({"verify", three_, "--format", "csv"}).status, 2);
    }

    void samplesRunClean_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples"));
        for (const QString& name : folder.entryList({"*.json"}))
            if (name != "index.json" && !name.startsWith("pipeline_")) QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void samplesRunClean()
    {
        QFETCH(QString, path);
        for (const char* lowering : {"inplace=off", "inplace=allowed"}) {
            const auto result =
                cli_({"verify", path, "--planner", "greedy-by-size", "--lower", lowering, "--lower", "views=merged"});
            QVERIFY2(result.status == 0, result.out + result.err);
        }
    }

    void modelsRunClean_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QStringList>("reading");
        if (sharedFolder().isEmpty()) QTest::newRow("none") << QString() << QStringList{};
        for (const char* folder : {"models/tflite", "models/onnx"}) {
            const QDir models(sharedFile(folder));
            if (sharedFolder().isEmpty()) break;
            for (const QString& name : models.entryList({"*.tflite", "*.onnx"}, QDir::Files)) {
                if (QFileInfo(models.filePath(name)).size() > 60'000) continue; // larger ones take longer and show no more
                QTest::newRow(qPrintable(name + " nested")) << models.filePath(name) << QStringList{};
                if (name.endsWith(".tflite") && name.startsWith("syn_")) // those have sub-graphs
                    QTest::newRow(qPrintable(name + " flat"))
                        << models.filePath(name) << QStringList{"--import", "subgraphs=flat"};
            }
        }
    }
    void modelsRunClean()
    {
        QFETCH(QString, path);
        QFETCH(QStringList, reading);
        STOWAGE_NEEDS_SHARED();
        const auto result = cli_(QStringList{"verify", path, "--planner", "greedy-by-size", "--lower", "inplace=allowed",
                                             "--lower", "views=merged", "--op-limit", "20000"} +
                                 reading);
        // Free dimensions: tst_onnx binds them.
        const bool unread = (result.status == 2 && result.err.contains("--bind")) ||
                            (result.status == 3 && result.out.contains("Not checked") && result.out.contains("--bind"));
        QVERIFY2(result.status == 0 || unread || (result.status == 3 && result.out.contains("Incomplete")),
                 result.out + result.err);
    }

    void convertedProgramsComeBackAsTheyWere_data() { modelsRunClean_data(); }
    void convertedProgramsComeBackAsTheyWere()
    {
        QFETCH(QString, path);
        QFETCH(QStringList, reading);
        STOWAGE_NEEDS_SHARED();
        const auto first = cli_(QStringList{"convert", path, "-o", cli_.path("once.program.json"), "--to", "program"} + reading);
        if (first.status == 2 && first.err.contains("--bind")) return;
        QVERIFY2(first.status == 0, first.err);
        const auto second =
            cli_({"convert", cli_.path("once.program.json"), "-o", cli_.path("twice.program.json"), "--to", "program"});
        QVERIFY2(second.status == 0, second.err);
        const QByteArray once = cli_.contents("once.program.json");
        QVERIFY(!once.isEmpty());
        QVERIFY(once == cli_.contents("twice.program.json"));
    }
};

QTEST_GUILESS_MAIN(CliVerifyTest)
#include "tst_cli_verify.moc"

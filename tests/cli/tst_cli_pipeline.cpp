// pipeline split, config, simulate and run on real models, on threads and on ranks of MPI. What is measured is in
// tst_cli_pipeline_rate.
#include "tests/cli/chain_pipeline.h"
#include "tests/cli/cli_process.h"
#include "tests/support/shared.h"

#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTest>

#include <limits>
#include <tuple>
#include <unistd.h>
#include <utility>

using namespace stowage::test;

namespace {

QStringList namesIn(const QJsonValue& list)
{
    QStringList names;
    for (const QJsonValue& each : list.toArray()) names << each.toString();
    return names;
}

/// 1,000 µs and more for each stage, so that what the checks take disappears behind the waiting.
QByteArray slowDevices(int count)
{
    QByteArray text = R"({"format": "stowage.devices/1", "devices": [)";
    for (int d = 0; d < count; ++d)
        text += QByteArray(d > 0 ? ", " : "") + R"({"name": "d)" + QByteArray::number(d) +
                R"(", "kind": "cpu", "flops_per_us": 2000, "bytes_per_us": 1000, "start_us": 1})";
    return text + "]}";
}

/// Starts two ranks without stowage-cli. Their exit status, negative if they do not end, and what they write to standard error.
std::pair<int, QByteArray> startTwoRanks(const QStringList& arguments)
{
    QStringList all{"--oversubscribe", "-n", "2", QFileInfo(Cli::program()).path() + "/stowage-stage"};
    if (geteuid() == 0) all.prepend("--allow-run-as-root");
    QProcess process;
    process.start("mpirun", all + arguments);
    if (!process.waitForFinished(60'000)) return {-1, {}};
    return {process.exitCode(), process.readAllStandardError()};
}

} // namespace

class CliPipelineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChainSplitsAndSimulatesAsWorkedOutByHand()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString config = cli.path("pipe.json");
        const CliResult split = cli({"pipeline", "split", model, "--stages", "2", "-o", config, "--format", "json"});
        QCOMPARE(split.status, 0);
        const QJsonObject json = split.object();
        QCOMPARE(json["format"].toString(), QString("stowage.split/1"));
        QCOMPARE(json["status"].toString(), QString("optimal"));
        QCOMPARE(json["period_us"].toDouble(), 35.0); // 10 + 20 | 30 + 5; the other cuts give 55 and 60
        QCOMPARE(json["latency_us"].toDouble(), 65.0);
        QCOMPARE(json["lower_bound_us"].toDouble(), 35.0);
        const QJsonArray stages = json["stages"].toArray();
        QCOMPARE(namesIn(stages[0].toObject()["ops"]), (QStringList{"o0", "o1"}));
        QCOMPARE(namesIn(stages[1].toObject()["ops"]), (QStringList{"o2", "o3"}));
        QCOMPARE(namesIn(stages[1].toObject()["inputs"]), QStringList{"data_n_0"});
        QCOMPARE(namesIn(stages[0].toObject()["outputs"]), QStringList{"b"});
        QCOMPARE(stages[0].toObject()["bytes"].toInt(), 960); // x and a at once

        QCOMPARE(cli({"pipeline", "config", "check", config}).status, 0);
        const CliResult run = cli({"pipeline", "simulate", config, "--frames", "10", "--format", "json"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.object()["total_us"].toDouble(), 65.0 + 9 * 35.0);
        QCOMPARE(run.object()["first_latency_us"].toDouble(), 65.0);
        QCOMPARE(run.object()["period_us"].toDouble(), 35.0);
        QCOMPARE(run.object()["frames_out"].toInt(), 10);
        QCOMPARE(run.object()["stages"].toArray()[1].toObject()["finish_us"].toArray()[0].toDouble(), 65.0);
    }

    void indicesAndNamedOpsCutWhereTheySay()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const CliResult at = cli({"pipeline", "split", model, "--at", "0,2", "--format", "json"});
        QCOMPARE(at.status, 0);
        const QJsonArray stages = at.object()["stages"].toArray();
        QCOMPARE(stages.size(), 3);
        QCOMPARE(namesIn(stages[1].toObject()["ops"]), (QStringList{"o1", "o2"}));
        // The second "add" is o2.
        const CliResult ops = cli({"pipeline", "split", model, "--at-ops", "add:1", "--format", "json"});
        QCOMPARE(namesIn(ops.object()["stages"].toArray()[0].toObject()["ops"]), (QStringList{"o0", "o1", "o2"}));
        for (const QStringList& wrong :
             {QStringList{"--at", "3"}, QStringList{"--at", "2,1"}, QStringList{"--at", "x"}, QStringList{"--at-ops", "add:9"},
              QStringList{"--stages", "5"}, QStringList{"--auto"}, QStringList{}}) {
            const CliResult result = cli(QStringList{"pipeline", "split", model} + wrong);
            QVERIFY2(result.status == 2 && !result.err.isEmpty(), qPrintable(wrong.join(' ')));
        }
    }

    void whatDoesNotFitIsNotOfferedAndSaysWhatAndWhere()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        // o0 needs 960 bytes; the others at most 640.
        const auto devices = [](int a, int b) {
            return QStringLiteral(
                       R"({"format": "stowage.devices/1", "devices": [{"name": "big", "memory": %1},
                                                                      {"name": "small", "memory": %2}]})")
                .arg(a)
                .arg(b)
                .toUtf8();
        };
        const CliResult fits =
            cli({"pipeline", "split", model, "--auto", "--devices", cli.file("d.json", devices(960, 640)), "--format", "json"});
        QCOMPARE(fits.status, 0);
        QCOMPARE(fits.object()["stages"].toArray()[0].toObject()["device"].toString(), QString("big"));
        const CliResult none =
            cli({"pipeline", "split", model, "--auto", "--devices", cli.file("e.json", devices(900, 640)), "--format", "json"});
        QCOMPARE(none.status, 1);
        QCOMPARE(none.object()["status"].toString(), QString("infeasible"));
        const QJsonObject misfit = none.object()["misfits"].toArray()[0].toObject();
        QCOMPARE(misfit["first_op"].toString(), QString("o0"));
        QCOMPARE(misfit["needed"].toInt(), 960);
        QCOMPARE(misfit["memory"].toInt(), 900);
    }

    void theFormsConvertIntoEachOther()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--at", "0,2", "-o", config}).status, 0);
        QCOMPARE(cli({"pipeline", "config", "convert", config, "--to", "document", "-o", cli.path("doc.json")}).status, 0);
        QVERIFY(cli.contents("doc.json").contains("\"mod_indx\": 1"));
        QCOMPARE(
            cli({"pipeline", "config", "convert", cli.path("doc.json"), "--to", "shipped", "-o", cli.path("back.json")}).status,
            0);
        QCOMPARE(cli.contents("back.json"), cli.contents("pipe.json"));
        QCOMPARE(cli({"pipeline", "simulate", cli.path("doc.json"), "--format", "json"}).out,
                 cli({"pipeline", "simulate", config, "--format", "json"}).out);
        QByteArray broken = cli.contents("pipe.json");
        broken.replace("\"mod_idx\": 2, \"input_name\"", "\"mod_idx\": 1, \"input_name\"");
        const CliResult faulty = cli({"pipeline", "config", "check", cli.file("broken.json", broken)});
        QCOMPARE(faulty.status, 1);
        QVERIFY2(faulty.out.contains("self-connection: module 1: output 0"), faulty.out.constData());
        QVERIFY(faulty.out.contains("unbound-input: module 2"));
        QCOMPARE(cli({"pipeline", "config", "check", cli.file("no.json", "{\"module")}).status, 2);
        QCOMPARE(cli({"pipeline", "simulate", cli.path("broken.json")}).status, 2);
    }

    /// The shipped form has inputs of the application: those of known programs are written, of others one is told what to add.
    void inputsThatTheDocumentsFormLeavesOutAreWrittenOrAskedFor()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        QCOMPARE(cli({"pipeline", "split", model, "--at", "0,2", "-o", cli.path("pipe.json")}).status, 0);
        QCOMPARE(
            cli({"pipeline", "config", "convert", cli.path("pipe.json"), "--to", "document", "-o", cli.path("doc.json")}).status,
            0);
        QString document = QString::fromUtf8(cli.contents("doc.json"));
        const qsizetype length = document.size();
        document.remove(QRegularExpression(R"("input_connection": \[[^\]]*\],?)"));
        QVERIFY(document.size() < length);
        const QString bare = cli.file("bare.json", document.toUtf8());
        QCOMPARE(cli({"pipeline", "config", "convert", bare, "--to", "shipped", "-o", cli.path("again.json")}).status, 0);
        QCOMPARE(cli({"pipeline", "config", "check", cli.path("again.json")}).status, 0);
        QVERIFY(
            cli.contents("again.json").contains(R"({"global_interface_name": "x", "mod_idx": 0, "module_interface_name": "x"})"));

        const CliResult unknown = cli({"pipeline", "config", "convert", Cli::sample("pipeline_document.json"), "--to", "shipped",
                                       "-o", cli.path("sample.json")});
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.err.contains("unbound-input: module 0") && unknown.err.contains("input_connection"),
                 unknown.err.constData());
        QByteArray completed = cli.contents("sample.json");
        completed.replace(
            R"("input_connection": [])",
            R"("input_connection": [{"global_interface_name": "image", "mod_idx": 0, "module_interface_name": "image"}])");
        const CliResult checked = cli({"pipeline", "config", "check", cli.file("completed.json", completed)});
        QVERIFY2(checked.status == 0, checked.out.constData());
    }

    /// 25 modules that nothing feeds: 20 are named, and the others counted.
    void manyInputsThatAreMissingAreCounted()
    {
        Cli cli;
        QByteArray modules;
        for (int m = 1; m <= 25; ++m) {
            const QByteArray number = QByteArray::number(m);
            QByteArray module = R"({"target": "llvm", "pipeline": {"mod_indx": @, "output": [{"output_indx": 1,
                "dependent": [{"mod_indx": 0, "input_name": "@"}]}]}})";
            modules += QByteArray(m > 1 ? ", " : "") + module.replace('@', number);
        }
        const CliResult converted = cli({"pipeline", "config", "convert", cli.file("many.json", "[" + modules + "]"), "--to",
                                         "shipped", "-o", cli.path("shipped.json")});
        QCOMPARE(converted.status, 1);
        QCOMPARE(converted.err.count("unbound-input"), 20);
        QVERIFY2(converted.err.contains("… and 5 more faults\n"), converted.err.constData());
    }

    /// With a frame in front of it the second stage needs 640 + 320 bytes, and its device has 640: the split does not count it.
    void aStageThatDoesNotFitItsDeviceIsNamed()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString devices = cli.file("devices.json", R"({"format": "stowage.devices/1", "devices": [
            {"name": "big", "memory": 960}, {"name": "small", "memory": 640}]})");
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--at", "1", "--devices", devices, "-o", config}).status, 0);
        for (const char* command : {"simulate", "run"}) {
            const CliResult json = cli({"pipeline", command, config, "--frames", "3", "--format", "json"});
            QCOMPARE(json.status, 0);
            const QJsonArray stages = json.object()["stages"].toArray();
            QCOMPARE(stages[0].toObject()["bytes"].toInt(), 960); // x and a at once
            QVERIFY(!stages[0].toObject().contains("queued"));
            QCOMPARE(stages[1].toObject()["bytes"].toInt(), 640);  // b and c
            QCOMPARE(stages[1].toObject()["queued"].toInt(), 320); // b of the next frame
            QCOMPARE(stages[1].toObject()["memory"].toInt(), 640);
            QVERIFY2(json.err.contains("warning: stage 1 needs 960 B, 320 B of them for waiting frames, and small has 640 B"),
                     json.err.constData());
            QVERIFY(!json.err.contains("stage 0 needs"));
            const CliResult text = cli({"pipeline", command, config, "--frames", "3"});
            QVERIFY2(text.out.contains("waiting frames, B"), text.out.constData());
        }
        const CliResult unbounded = cli({"pipeline", "simulate", config, "--frames", "3", "--queue", "0", "--format", "json"});
        QVERIFY(!unbounded.object()["stages"].toArray()[1].toObject().contains("queued"));
        QVERIFY(!unbounded.err.contains("stage 1 needs"));
    }

    /// What can be done about it: another split, and a shorter queue where it holds more than one frame.
    void aStageThatIsTooLargeHasARemedy()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const auto told = [&](int big, int small, const char* queue) {
            const QString devices = cli.file("devices.json", QStringLiteral(R"({"format": "stowage.devices/1", "devices": [
                {"name": "big", "memory": %1}, {"name": "small", "memory": %2}]})")
                                                                 .arg(big)
                                                                 .arg(small)
                                                                 .toUtf8());
            const QString config = cli.path("pipe.json");
            if (cli({"pipeline", "split", model, "--at", "1", "--devices", devices, "-o", config}).status != 0)
                return QByteArray();
            // The stages stay as they are, and the memory of the first device shrinks.
            QByteArray text = cli.contents("pipe.json");
            text.replace("\"memory\": " + QByteArray::number(big), "\"memory\": 900");
            return cli({"pipeline", "simulate", cli.file("pipe.json", text), "--frames", "3", "--queue", queue}).err;
        };
        const QByteArray one = told(960, 640, "1");
        QVERIFY2(one.contains("warning: stage 0 needs 960 B and big has 900 B (split again)\n"), one.constData());
        QVERIFY2(one.contains("and small has 640 B (split again with --queue 1)\n"), one.constData());
        const QByteArray three = told(960, 640, "3");
        QVERIFY2(three.contains("stage 1 needs 1,600 B, 960 B of them for waiting frames, and small has 640 B (split again with "
                                "--queue 3, or use a shorter --queue)\n"),
                 three.constData());
    }

    void aStageThatCannotBePlannedSaysWhy()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--at", "1", "-o", config}).status, 0);
        QByteArray stage = cli.contents("pipe.stage1.program.json");
        stage.replace("\"entry\": \"main\",", "\"entry\": \"main\", \"lowering\": {\"order\": \"backwards\"},");
        cli.file("pipe.stage1.program.json", stage);
        const CliResult simulated = cli({"pipeline", "simulate", config, "--frames", "3", "--format", "json"});
        QCOMPARE(simulated.status, 0);
        QVERIFY2(simulated.err.contains("warning: stage 1 was not planned: ") && simulated.err.contains("(it is "),
                 simulated.err.constData());
        QVERIFY(simulated.object()["stages"].toArray()[0].toObject().contains("bytes"));
        QVERIFY(!simulated.object()["stages"].toArray()[1].toObject().contains("bytes"));
        QCOMPARE(cli({"pipeline", "run", config, "--frames", "3"}).status, 2);
        const CliResult unchecked = cli({"pipeline", "run", config, "--frames", "3", "--no-check"});
        QCOMPARE(unchecked.status, 0);
        QVERIFY2(unchecked.out.startsWith("All 3 frames came out in order; bytes were not checked.\n"),
                 unchecked.out.constData());
        QByteArray without = cli.contents("pipe.json");
        without.replace("\"program\": \"pipe.stage1.program.json\", ", "");
        const CliResult part = cli({"pipeline", "run", cli.file("part.json", without), "--frames", "3"});
        QVERIFY2(part.out.startsWith("All 3 frames came out in order; bytes were not checked in stage 1, "),
                 part.out.constData());
    }

    /// Options are checked before the stages are planned: nothing is said about a stage.
    void wrongOptionsOfARunAreSaidFirst_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("frames") << QStringList{"--frames", "1000001"} << QByteArray("at most 1,000,000 frames");
        QTest::newRow("failure") << QStringList{"--fail", "1:5"} << QByteArray("'1:5' is not a failure");
        QTest::newRow("frame of a failure") << QStringList{"--fail", "1:5x:kernel"}
                                            << QByteArray("'1:5x:kernel' is not a failure");
        QTest::newRow("no stage") << QStringList{"--fail=-1:5:kernel"} << QByteArray("'-1:5:kernel' is not a failure");
        QTest::newRow("crash of a thread") << QStringList{"--fail", "1:5:crash"} << QByteArray("write STAGE:FRAME:kernel");
        QTest::newRow("stage of a failure") << QStringList{"--fail", "9:5:kernel"}
                                            << QByteArray("there is no stage 9: there are 2");
        QTest::newRow("no frame") << QStringList{"--frames", "9", "--fail", "1:9:kernel"}
                                  << QByteArray("there is no frame 9: there are 9");
        QTest::newRow("factor") << QStringList{"--slow", "1=3"} << QByteArray("'1=3' is not a list of stages with factors");
        QTest::newRow("stage of a factor") << QStringList{"--slow", "9:3"} << QByteArray("there is no stage 9: there are 2");
    }
    void wrongOptionsOfARunAreSaidFirst()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, says);
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString devices = cli.file("devices.json", R"({"format": "stowage.devices/1", "devices": [
            {"name": "big", "memory": 960}, {"name": "small", "memory": 640}]})");
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--at", "1", "--devices", devices, "-o", config}).status, 0);
        const CliResult run = cli(QStringList{"pipeline", "run", config} + options);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains(says), run.err.constData());
        QVERIFY2(!run.err.contains("stage 1 needs"), run.err.constData());
    }

    /// A constant that an op makes when the model is read lies in the stages that read it, for all commands.
    void allCommandsCountTheSameConstants()
    {
        Cli cli;
        const QString model = cli.file("made.json", R"({"format": "stowage.program/1", "name": "made", "entry": "main",
 "functions": [{"name": "main", "inputs": ["x"], "outputs": ["z"], "tensors": [{"name": "x", "kind": "input", "bytes": 64},
  {"name": "shape", "kind": "constant", "bytes": 16}, {"name": "w", "bytes": 1000, "available": "compile-time", "planned": false},
  {"name": "y", "bytes": 64}, {"name": "z", "kind": "output", "bytes": 64}],
 "ops": [{"name": "fill", "kind": "fill", "inputs": ["shape"], "outputs": ["w"]},
  {"name": "o0", "kind": "add", "inputs": ["x", "w"], "outputs": ["y"], "cost_us": 10},
  {"name": "o1", "kind": "mul", "inputs": ["y", "w"], "outputs": ["z"], "cost_us": 20}]}]})");
        const QString config = cli.path("pipe.json");
        const CliResult split = cli({"pipeline", "split", model, "--at", "0", "-o", config, "--format", "json"});
        QCOMPARE(split.status, 0);
        const CliResult simulated = cli({"pipeline", "simulate", config, "--format", "json"});
        QCOMPARE(simulated.status, 0);
        for (int s = 0; s < 2; ++s)
            for (const QJsonObject& json : {split.object(), simulated.object()}) {
                const QJsonObject stage = json["stages"].toArray()[s].toObject();
                QCOMPARE(stage["constants"].toInt(), 1016);
                QCOMPARE(stage["bytes"].toInt(), 128);
            }
    }

    /// No queue takes memory for more frames than there are, and no number of frames makes bytes overflow.
    void aQueueWithoutAnEndIsNoObstacle()
    {
        Cli cli;
        const QString longest = QString::number(std::numeric_limits<qint64>::max());
        const QString model = cli.file("chain.json", chain);
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--at", "0,2", "-o", config}).status, 0);
        for (const char* command : {"simulate", "run"}) {
            const CliResult result = cli({"pipeline", command, config, "--frames", "5", "--queue", longest, "--format", "json"});
            QVERIFY2(result.status == 0, result.err.constData());
            QCOMPARE(result.object()["frames_out"].toInt(), 5);
            QVERIFY(result.object()["stages"].toArray()[1].toObject()["queued"].toDouble() > 1e15);
        }
        const QString devices = cli.file("devices.json", R"({"format": "stowage.devices/1", "devices": [
            {"name": "big", "memory": 100000}, {"name": "small", "memory": 640}]})");
        const CliResult split =
            cli({"pipeline", "split", model, "--auto", "--devices", devices, "--queue", longest, "--format", "json"});
        QCOMPARE(split.status, 0); // all ops on one device, where no frame waits
        QCOMPARE(split.object()["stages"].toArray().size(), 1);
    }

    void realModelsAreSplitSimulatedAndRun_data()
    {
        QTest::addColumn<QString>("model");
        QTest::newRow("MobileNet") << "models/tflite/mobilenet_v1_0.25_128_quant.tflite";
        QTest::newRow("MoveNet") << "models/tflite/movenet_single_pose_lightning_ptq.tflite";
        QTest::newRow("BERT, ONNX") << "models/onnx/syn_bert_tiny_L2_H128_S128.onnx";
    }

    void realModelsAreSplitSimulatedAndRun()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, model);
        Cli cli;
        const QString config = cli.path("pipe.json");
        const QString devices = cli.file("devices.json", slowDevices(3));
        const CliResult split = cli({"pipeline", "split", sharedFile(model.toUtf8().constData()), "--auto", "--devices", devices,
                                     "-o", config, "--format", "json"});
        QCOMPARE(split.status, 0);
        QCOMPARE(split.object()["status"].toString(), QString("optimal"));
        QCOMPARE(split.object()["stages"].toArray().size(), 3);
        const CliResult simulated = cli({"pipeline", "simulate", config, "--frames", "12", "--format", "json"});
        QCOMPARE(simulated.status, 0);
        // What the split promises is what the simulator finds.
        QCOMPARE(simulated.object()["period_us"].toDouble(), split.object()["period_us"].toDouble());
        QCOMPARE(simulated.object()["first_latency_us"].toDouble(), split.object()["latency_us"].toDouble());
        const CliResult run =
            cli({"pipeline", "run", config, "--frames", "12", "--format", "json", "--trace", cli.path("trace.json")});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(run.object()["frames_out"].toInt(), 12);
        QVERIFY(run.object()["in_order"].toBool() && run.object()["errors"].toArray().isEmpty());
        QCOMPARE(run.object()["predicted"].toObject()["period_us"].toDouble(), split.object()["period_us"].toDouble());
        for (const QJsonValue& stage : run.object()["stages"].toArray()) {
            const QJsonArray finishes = stage.toObject()["finish_us"].toArray();
            QCOMPARE(finishes.size(), 12);
            for (int f = 1; f < finishes.size(); ++f) QVERIFY(finishes[f].toDouble() > finishes[f - 1].toDouble());
        }
        // A trace as Perfetto reads it: slices with a begin, a length, a process and a lane, of both runs.
        const QJsonArray events = QJsonDocument::fromJson(cli.contents("trace.json")).object()["traceEvents"].toArray();
        int slices[3] = {};
        for (const QJsonValue& each : events) {
            const QJsonObject event = each.toObject();
            QVERIFY(event.contains("pid") && event.contains("tid") && event.contains("name"));
            if (event["ph"].toString() != "X") continue;
            QVERIFY(event["dur"].toDouble() >= 0 && event["ts"].toDouble() >= 0);
            ++slices[event["pid"].toInt()];
        }
        QCOMPARE(slices[1], 3 * 12);
        QCOMPARE(slices[2], 3 * 12);
    }

    void stagesAndTheirTimesAreDrawn()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--at", "0,2", "-o", config}).status, 0);
        for (const char* view : {"stages", "pipeline"})
            for (const char* suffix : {"svg", "png", "pdf"}) {
                const QString picture = cli.path(QString(view) + '.' + suffix);
                const CliResult drawn = cli({"render", config, "--view", view, "-o", picture});
                QVERIFY2(drawn.status == 0, drawn.err.constData());
                QVERIFY(QFileInfo(picture).size() > 500);
            }
        const QByteArray stages = cli.contents("stages.svg");
        for (const char* text : {"Stage 0", "Stage 2", "sets the period", "50.0 µs"}) QVERIFY2(stages.contains(text), text);
        const QByteArray gantt = cli.contents("pipeline.svg");
        for (const char* text : {"Steady period", "period 50.0 µs", "time, µs"}) QVERIFY2(gantt.contains(text), text);
        // As a model it is the one that its stages are of.
        QCOMPARE(cli({"render", config, "--view", "usage", "-o", cli.path("u.svg")}).status, 0);
        QCOMPARE(cli({"render", model, "--view", "stages", "-o", cli.path("u.svg")}).status, 2);
    }

    void aFailedStageIsNamedWithItsFrame()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--at", "0,2", "-o", config}).status, 0);
        const CliResult run = cli({"pipeline", "run", config, "--frames", "9", "--fail", "1:4:kernel"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.out.startsWith("4 of 9 frames came out."), run.out.constData());
        QVERIFY(run.out.contains("Stage 1 failed in frame 4"));
        QVERIFY(run.out.contains("Missing: frames 4 to "));
    }

    void ranksGiveTheSameFramesAsThreads_data()
    {
        QTest::addColumn<QString>("cuts");
        QTest::addColumn<int>("stages");
        QTest::newRow("2 ranks") << "1" << 2;
        QTest::newRow("3 ranks") << "0,1" << 3;
        QTest::newRow("4 ranks") << "0,1,2" << 4;
    }

    void ranksGiveTheSameFramesAsThreads()
    {
        if (!hasMpi()) QSKIP("this build has no MPI");
        QFETCH(QString, cuts);
        QFETCH(int, stages);
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--at", cuts, "-o", config}).status, 0);
        const CliResult threads = cli({"pipeline", "run", config, "--frames", "25", "--format", "json"});
        const CliResult ranks = cli({"pipeline", "run", config, "--frames", "25", "--engine", "mpi", "--format", "json"});
        QVERIFY2(ranks.status == 0, ranks.err.constData());
        QCOMPARE(ranks.object()["frames_out"].toInt(), 25);
        QVERIFY(ranks.object()["in_order"].toBool());
        QCOMPARE(ranks.object()["stages"].toArray().size(), stages);
        QCOMPARE(ranks.object()["digests"].toArray().size(), 25);
        QCOMPARE(ranks.object()["digests"], threads.object()["digests"]);
        QVERIFY(ranks.err.contains("link, by ping-pong"));
    }

    void aRankThatDiesIsNamedFromItsJournal()
    {
        if (!hasMpi()) QSKIP("this build has no MPI");
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--at", "0,1", "-o", config}).status, 0);
        const CliResult crash = cli({"pipeline", "run", config, "--frames", "12", "--engine", "mpi", "--fail", "1:5:crash"});
        QCOMPARE(crash.status, 1);
        QVERIFY2(crash.out.contains("Stage 1 failed in frame 5: the rank ended abnormally"), (crash.out + crash.err).constData());
        QVERIFY2(QRegularExpression("Missing: frames [0-5] to 11").match(QString::fromUtf8(crash.out)).hasMatch(),
                 crash.out.constData());
        const CliResult kernel = cli({"pipeline", "run", config, "--frames", "12", "--engine", "mpi", "--fail", "1:5:kernel"});
        QCOMPARE(kernel.status, 1);
        QVERIFY2(kernel.out.contains("Stage 1 failed in frame 5"), (kernel.out + kernel.err).constData());
        QVERIFY(kernel.out.startsWith("5 of 12 frames came out."));
    }

    /// The program alone, as a build without MPI has it.
    void withoutTheProgramOfRanksTheAnswerNamesThreads()
    {
        Cli cli;
        const QString model = cli.file("chain.json", chain);
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", model, "--stages", "2", "-o", config}).status, 0);
        const QString alone = cli.path("bin/stowage-cli"), core = "lib/libstowage-core.so";
        QVERIFY(QDir().mkpath(cli.path("bin")) && QDir().mkpath(cli.path("lib")));
        QVERIFY(QFile::copy(Cli::program(), alone));
        QVERIFY(QFile::link(QFileInfo(Cli::program()).absolutePath() + "/../" + core, cli.path(core)));
        const auto run = [&](const QString& engine) {
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.remove("STOWAGE_BIN");
            process.setProcessEnvironment(environment);
            process.start(alone, {"pipeline", "run", config, "--frames", "5", "--engine", engine});
            const bool ended = process.waitForFinished(60'000);
            return std::tuple(ended, process.exitCode(), process.readAllStandardError());
        };
        const auto [ended, status, said] = run("mpi");
        QVERIFY(ended);
        QCOMPARE(status, 2);
        QVERIFY2(said.contains("no MPI") && said.contains("--engine threads"), said.constData());
        QCOMPARE(std::get<1>(run("threads")), 0);
    }

    void ranksThatCannotBeginSayWhy_data()
    {
        QTest::addColumn<QString>("cuts");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const QStringList& options, const char* says, const char* cuts = "1") {
            QTest::newRow(name) << cuts << options << QByteArray(says);
        };
        row("too few ranks", {}, "start it with mpirun -n 3", "0,1");
        row("factor", {"--slow", "1=3"}, "'1=3' is not a list of stages with factors");
        row("factor of 0", {"--slow", "0:2,1:0"}, "'0:2,1:0' is not a list of stages with factors");
        row("stage of a factor", {"--slow", "2:3"}, "there is no stage 2: there are 2");
        row("kind of a failure", {"--fail", "1:5:crsh"}, "'1:5:crsh' is not a failure");
        row("stage of a failure", {"--fail", "2:5:crash"}, "there is no stage 2: there are 2");
    }
    void ranksThatCannotBeginSayWhy()
    {
        if (!hasMpi()) QSKIP("this build has no MPI");
        QFETCH(const QString, cuts);
        QFETCH(const QStringList, options);
        QFETCH(const QByteArray, says);
        Cli cli;
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", cli.file("chain.json", chain), "--at", cuts, "-o", config}).status, 0);
        const auto [status, said] = startTwoRanks(QStringList{config} + options);
        QVERIFY(status > 0);
        QVERIFY2(said.contains(says), said.constData());
    }

    /// The prediction has the stages of one device one after the other, and so do threads.
    void ranksRefuseStagesOfOneDevice()
    {
        if (!hasMpi()) QSKIP("this build has no MPI");
        Cli cli;
        const QString config = cli.path("pipe.json");
        QCOMPARE(cli({"pipeline", "split", cli.file("chain.json", chain), "--at", "1", "-o", config}).status, 0);
        QByteArray text = cli.contents("pipe.json");
        text.replace("\"device\": \"device1\"", "\"device\": \"device0\"");
        QCOMPARE(cli.file("pipe.json", text), config);
        QCOMPARE(cli({"pipeline", "run", config, "--frames", "3"}).status, 0);
        const CliResult ranks = cli({"pipeline", "run", config, "--frames", "3", "--engine", "mpi"});
        QCOMPARE(ranks.status, 2);
        QVERIFY2(ranks.err.contains("stages 0 and 1 share the device 'device0'") && ranks.err.contains("--engine threads"),
                 ranks.err.constData());
        QVERIFY2(!ranks.err.contains("ping-pong"), ranks.err.constData());
        const auto [status, said] = startTwoRanks(QStringList{config});
        QVERIFY(status > 0);
        QVERIFY2(said.contains("stages 0 and 1 share the device 'device0'"), said.constData());
    }
};

QTEST_GUILESS_MAIN(CliPipelineTest)
#include "tst_cli_pipeline.moc"

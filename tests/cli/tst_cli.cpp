// Every command of the real program, in every format, over inputs small enough to know the answer.
#include "tests/cli/cli_process.h"

#include <QTest>

#include <algorithm>

#include <csignal>

using namespace stowage::test;

namespace {

QStringList names(const QJsonArray& rows, const char* key)
{
    QStringList all;
    for (const auto& row : rows) all += row.toObject()[key].toString();
    return all;
}

QByteArray joined(const CliResult& result)
{
    return result.out + result.err;
}

/// Has the process taken over a signal, so that it no longer ends by it? Of Linux.
bool blocks(qint64 process, int signal)
{
    QFile status(QStringLiteral("/proc/%1/status").arg(process));
    if (!status.open(QIODevice::ReadOnly)) return false;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("SigBlk:")) return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1) != 0;
    return false;
}

} // namespace

class CliTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;
    QString three_;

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(QFile::exists(Cli::program()), qPrintable(Cli::program()));
        three_ = cli_.file("three.csv", threeBuffers);
    }

    // --- plan ----------------------------------------------------------------------------------------------------------

    void planTellsTheSizeAndTheVerdict()
    {
        const auto result = cli_({"plan", three_, "--planner", "greedy-by-size"});
        QCOMPARE(result.status, 0);
        QVERIFY2(result.out.startsWith("Optimal: arena 30 B\nOptimal: no plan is smaller, as 2 buffers are live at step 1.\n"),
                 result.out);
        for (const char* buffer : {" a", " b", " c"}) QVERIFY2(result.out.contains(buffer), result.out);
        QVERIFY(!result.out.contains('\x1b')); // no colours into a pipe
        QVERIFY2(result.err.isEmpty(), result.err);
    }

    void planAsJsonIsAPlanThatCheckAccepts()
    {
        const auto result = cli_({"plan", three_, "--planner", "greedy-by-size", "--format", "json"});
        QCOMPARE(result.status, 0);
        const QJsonObject plan = result.object();
        QCOMPARE(plan["format"].toString(), QString("stowage.plan/1"));
        QCOMPARE(plan["planner"].toString(), QString("greedy-by-size"));
        QCOMPARE(plan["status"].toString(), QString("optimal"));
        QCOMPARE(plan["stopped_by"].toString(), QString("complete"));
        QCOMPARE(plan["pools"].toArray()[0].toObject()["size"].toInt(), 30);
        QCOMPARE(plan["pools"].toArray()[0].toObject()["lower_bound"].toInt(), 30);
        QCOMPARE(plan["placements"].toArray().size(), 3);
        // Independent of the program: who is live together shares no byte.
        QMap<QString, int> offset;
        for (const auto& placement : plan["placements"].toArray())
            offset[placement.toObject()["buffer"].toString()] = placement.toObject()["offset"].toInt();
        const auto apart = [&](const char* p, int pSize, const char* q, int qSize) {
            return offset[p] + pSize <= offset[q] || offset[q] + qSize <= offset[p];
        };
        QVERIFY(apart("a", 10, "b", 20));
        QVERIFY(apart("b", 20, "c", 10));
        const auto checked = cli_({"check", three_, cli_.file("three.plan.json", result.out)});
        QVERIFY2(checked.status == 0, joined(checked));
    }

    void planAsCsvPlacesEveryBuffer()
    {
        const auto result =
            cli_({"plan", three_, "--planner", "greedy-by-size", "--format", "csv", "-o", cli_.path("planned.csv")});
        QCOMPARE(result.status, 0);
        QVERIFY(result.out.isEmpty());
        const QByteArray text = cli_.contents("planned.csv");
        QCOMPARE(text.count('\n'), 4);
        QVERIFY2(text.startsWith("id,lower,upper,size") && text.left(text.indexOf('\n')).endsWith("offset"), text);
        QCOMPARE(cli_({"check", three_, cli_.path("planned.csv")}).status, 0);
    }

    void planAsMarkdownIsATable()
    {
        const auto result = cli_({"plan", three_, "--format", "markdown"});
        QCOMPARE(result.status, 0);
        QVERIFY2(result.out.contains("| --- |"), result.out);
    }

    void theInputMayComeFromStandardInput()
    {
        const auto result = cli_({"plan", "-", "--planner", "greedy-by-size", "--format", "json"}, threeBuffers);
        QCOMPARE(result.status, 0);
        QCOMPARE(result.object()["pools"].toArray()[0].toObject()["size"].toInt(), 30);
    }

    void alignmentRoundsSizesUp()
    {
        // 10, 20 and 10 become 16, 32 and 16: 48 are live at most.
        const auto result = cli_({"plan", three_, "--planner", "greedy-by-size", "--alignment", "16", "--format", "json"});
        QCOMPARE(result.object()["pools"].toArray()[0].toObject()["size"].toInt(), 48);
    }

    void exitStatusIsOneWhenItDoesNotFit()
    {
        const auto tight = cli_({"plan", three_, "--planner", "greedy-by-size", "--capacity", "30"});
        QCOMPARE(tight.status, 0);
        const auto result = cli_({"plan", three_, "--planner", "greedy-by-size", "--capacity", "29"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.out.contains("1 B more than its capacity") || result.out.contains("nfeasible"), result.out);
    }

    void targetsGiveTheMemories()
    {
        const auto result = cli_({"plan", Cli::sample("mobilenet_v1_025.json"), "--target", "cortex-m7", "--format", "json"});
        QVERIFY2(result.status == 0, joined(result));
        QCOMPARE(names(result.object()["pools"].toArray(), "name"),
                 (QStringList{"dtcm", "axi_sram", "sram123", "backup", "itcm", "flash"}));
        const auto wrong = cli_({"plan", three_, "--target", "cortex-m77"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("cortex-m7"), wrong.err);
    }

    void poolsAreMadeByName()
    {
        const auto result =
            cli_({"plan", three_, "--pool", "fast=20", "--pool", "slow=1KiB", "--planner", "greedy-by-size", "--format", "json"});
        QVERIFY2(result.status == 0, joined(result));
        QCOMPARE(names(result.object()["pools"].toArray(), "name"), (QStringList{"fast", "slow"}));
        QVERIFY(result.object()["pools"].toArray()[0].toObject()["size"].toInt() <= 20);
    }

    void theSamePlanIsMadeEveryTime()
    {
        const QStringList arguments{"plan", Cli::sample("resnet18.json"), "--format", "csv"};
        QCOMPARE(cli_(arguments).out, cli_(arguments).out);
    }

    void severalFunctionsMakeOneDocument()
    {
        const QString two =
            cli_.file("two.json", R"({"format": "stowage.program/1", "name": "two", "entry": "first", "functions": [
            {"name": "first", "inputs": ["x"], "outputs": ["y"], "tensors": [{"name": "x", "kind": "input", "bytes": 4},
                                                                             {"name": "y", "kind": "output", "bytes": 4}],
             "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["y"]}]},
            {"name": "second", "inputs": ["x"], "outputs": ["y"], "tensors": [{"name": "x", "kind": "input", "bytes": 8},
                                                                              {"name": "y", "kind": "output", "bytes": 8}],
             "ops": [{"name": "g", "kind": "g", "inputs": ["x"], "outputs": ["y"]}]}]})");
        const auto both = cli_({"plan", two, "--planner", "naive", "--format", "json"});
        QVERIFY2(both.status == 0, joined(both));
        const QJsonArray functions = both.object()["functions"].toArray();
        QCOMPARE(names(functions, "name"), (QStringList{"first", "second"}));
        QCOMPARE(functions[1].toObject()["pools"].toArray()[0].toObject()["size"].toInt(), 16);
        const auto one = cli_({"plan", two, "--function", "second", "--planner", "naive", "--format", "json"});
        QCOMPARE(one.object()["pools"].toArray()[0].toObject()["size"].toInt(), 16);
        const auto none = cli_({"plan", two, "--function", "third"});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("first, second"), none.err);
        const auto checked = cli_({"check", two, cli_.file("two.plan.json", both.out)});
        QVERIFY2(checked.status == 0, joined(checked));
    }

    void interruptingEndsWithStatus130()
    {
        // The signal is sent as soon as the program has taken it over, so it has all of its work still before it; and where a
        // machine is through with that all the same, it gets twice as much.
        QByteArray large = "id,lower,upper,size\n";
        int buffers = 0;
        for (int wanted = 100'000; wanted <= 1'600'000; wanted *= 2) {
            for (; buffers < wanted; ++buffers)
                large += QByteArray::number(buffers) + ',' + QByteArray::number(buffers % 1000) + ',' +
                         QByteArray::number(buffers % 1000 + 400) + ',' + QByteArray::number(buffers % 977 + 1) + '\n';
            QProcess process;
            process.start(Cli::program(),
                          {"plan", cli_.file("large.csv", large), "--format", "csv", "-o", cli_.path("large.planned.csv")});
            QVERIFY(process.waitForStarted());
            while (process.state() == QProcess::Running && !blocks(process.processId(), SIGINT)) process.waitForFinished(1);
            if (process.state() == QProcess::Running) ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(60'000));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            if (process.exitCode() == 130) return;
            QCOMPARE(process.exitCode(), 0);
        }
        QFAIL("1,600,000 buffers are planned before a signal arrives");
    }

    // --- compare -------------------------------------------------------------------------------------------------------

    void compareRanksPlannersOnEveryInput()
    {
        const QStringList planners{"naive", "greedy-by-size"};
        const QStringList arguments{"compare", three_, Cli::sample("mobilenet_v1_025.json"), "--planners", planners.join(',')};
        const auto json = cli_(arguments + QStringList{"--format", "json"});
        QCOMPARE(json.status, 0);
        const QJsonArray rows = json.object()["rows"].toArray();
        QCOMPARE(names(rows, "planner"), planners + planners);
        QCOMPARE(rows[0].toObject()["size"].toInt(), 40); // end to end
        QCOMPARE(rows[1].toObject()["size"].toInt(), 30);
        QCOMPARE(rows[0].toObject()["best"].toBool(), false);
        QCOMPARE(rows[1].toObject()["best"].toBool(), true);
        QCOMPARE(rows[1].toObject()["gap"].toDouble(), 0.0);
        for (const auto& row : rows) {
            QVERIFY(row.toObject()["valid"].toBool());
            QVERIFY(row.toObject().contains("lowering"));
            QVERIFY(row.toObject()["lower_bound"].toInt() <= row.toObject()["size"].toInt());
        }
        const auto text = cli_(arguments);
        QVERIFY2(text.out.startsWith("Valid: 2 of 2 comparisons\n") &&
                     text.out.contains("Optimal: arena 30 B; smallest of 2 plans: greedy-by-size\n"),
                 text.out);
        const auto one = cli_({"compare", three_, "--planners", "naive,greedy-by-size", "--capacity", "35"});
        QVERIFY2(one.out.startsWith("Fits: arena 30 of 35 B (85.7 %); smallest of 2 plans: greedy-by-size\n"), one.out);
        const auto markdown = cli_(arguments + QStringList{"--format", "markdown"});
        QCOMPARE(markdown.out.count("### "), 2); // a table for each input
        const auto csv = cli_(arguments + QStringList{"--format", "csv"});
        QCOMPARE(csv.out.count('\n'), 5);
    }

    void compareTakesAllPlanners()
    {
        const auto listed = names(cli_({"list", "planners", "--format", "json"}).array(), "name");
        QVERIFY(listed.size() >= 5);
        const auto result = cli_({"compare", three_, "--format", "json"});
        QCOMPARE(names(result.object()["rows"].toArray(), "planner"), listed);
    }

    void compareSaysNoWhenNothingFits()
    {
        QCOMPARE(cli_({"compare", three_, "--planners", "naive,greedy-by-size", "--capacity", "35"}).status, 0); // one fits
        const auto none = cli_({"compare", three_, "--planners", "naive,greedy-by-size", "--capacity", "20"});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.out.contains("nfeasible"), none.out); // 30 bytes are live at once
    }

    // --- check ---------------------------------------------------------------------------------------------------------

    void checkNamesTheCollidingPair()
    {
        const QString plan = cli_.file("colliding.csv", "id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,5\nc,2,4,10,30\n");
        const auto result = cli_({"check", three_, plan});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.out.contains("a ") && result.out.contains("b ") && result.out.contains("step 1"), result.out);
        const QJsonObject json = cli_({"check", three_, plan, "--format", "json"}).object();
        QCOMPARE(json["valid"].toBool(true), false);
        const QJsonObject violation = json["violations"].toArray()[0].toObject();
        QCOMPARE(violation["kind"].toString(), QString("overlap"));
        QCOMPARE((QStringList{violation["first"].toString(), violation["second"].toString()}), (QStringList{"a", "b"}));
        QCOMPARE(violation["step"].toInt(), 1);
        QCOMPARE(violation["low"].toInt(), 5);
        QCOMPARE(violation["high"].toInt(), 10);
    }

    void checkSeesWhatIsMissingMisalignedOrTooHigh()
    {
        const QString missing = cli_.file("missing.csv", "id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,10\n");
        QCOMPARE(cli_({"check", three_, missing}).status, 1);
        const QString plan = cli_.file("high.csv", "id,lower,upper,size,offset\na,0,2,10,20\nb,1,3,20,0\nc,2,4,10,20\n");
        QCOMPARE(cli_({"check", three_, plan}).status, 0);
        const auto tight = cli_({"check", three_, plan, "--capacity", "29"});
        QCOMPARE(tight.status, 1);
        QVERIFY2(tight.out.startsWith("Infeasible: "), tight.out);
        QVERIFY2(cli_({"check", three_, plan, "--capacity", "40"}).out.startsWith("Fits: arena 30 of 40 B (75.0 %)\n"),
                 plan.toUtf8());
        QCOMPARE(cli_({"check", three_, plan, "--alignment", "16"}).status, 1); // 20 is no multiple of 16
    }

    void aPlanOfSomethingElseIsBadInput()
    {
        const QString plan = cli_.file("foreign.csv", "id,lower,upper,size,offset\nx,0,2,10,0\n");
        const auto result = cli_({"check", three_, plan});
        QVERIFY2(result.status == 2 || result.status == 1, joined(result));
        QVERIFY2(joined(result).contains("x"), joined(result));
    }

    // --- info, convert -------------------------------------------------------------------------------------------

    void infoSaysWhatThePeakIsMadeOf()
    {
        const QJsonObject info = cli_({"info", three_, "--format", "json"}).object();
        const QJsonObject function = info["functions"].toArray()[0].toObject();
        QCOMPARE(info["importer"].toString(), QString("csv"));
        QCOMPARE(function["buffers"].toInt(), 3);
        QCOMPARE(function["bytes"].toInt(), 40);
        QCOMPARE(function["peak"].toObject()["bytes"].toInt(), 30);
        QCOMPARE(names(function["peak"].toObject()["buffers"].toArray(), "buffer").size(), 2);
        const auto text = cli_({"info", Cli::sample("mobilenet_v1_025.json")});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.contains("peak") && text.out.contains("left out"), text.out); // weights have no memory there
    }

    void infoSaysWhatIsCopied()
    {
        // What rotates with a loop is part of the peak: two places of 'refined' beside 'start'.
        const auto free =
            cli_({"info", Cli::sample("refine_loop.json"), "--lower", "loops=precise", "--format", "json"}).object();
        const QJsonObject function = free["functions"].toArray()[0].toObject();
        QCOMPARE(function["peak"].toObject()["bytes"].toInt(), 3 * 65'536);
        QCOMPARE(function["copied"].toArray().size(), 0);
        QCOMPARE(cli_({"info", Cli::sample("lstm_loop.json"), "--lower", "loops=precise"}).status, 0);
        // A branch in the loop that hands x on as the next x: a copy has to stay.
        const QString kept =
            cli_.file("kept.json", R"({"format": "stowage.program/1", "entry": "main", "functions": [{"name": "main",
            "inputs": ["c", "in"], "outputs": ["z"], "tensors": [{"name": "c", "bytes": 1, "kind": "input"},
                                                                 {"name": "in", "bytes": 64, "kind": "input"},
                {"name": "z", "bytes": 64, "kind": "output"}],
            "ops": [{"name": "loop", "kind": "while", "trip_count": 4, "inputs": ["in"], "outputs": ["z"],
                     "carries": [{"from": "x", "to": "p"}],
                "body": {"inputs": ["p"], "outputs": ["x"], "tensors": [{"name": "p", "bytes": 64}, {"name": "x", "bytes": 64}],
                    "ops": [{"name": "pick", "kind": "if", "inputs": ["c"], "outputs": ["x"], "branches": [
                        {"outputs": ["y"], "tensors": [{"name": "y", "bytes": 64}],
                         "ops": [{"name": "f", "kind": "op", "inputs": ["p"], "outputs": ["y"]}]},
                        {"outputs": ["p"], "ops": []}]}]}}]}]})");
        const auto told = cli_({"info", kept, "--lower", "loops=precise"});
        QVERIFY2(told.status == 0 && told.out.contains("Copies at run time") && told.out.contains("a loop carries it on"),
                 joined(told));
    }

    void convertingToProblemAndBackChangesNothing()
    {
        const QString sample = Cli::sample("microcontroller_two_memories.json");
        QCOMPARE(cli_({"convert", sample, "-o", cli_.path("two.problem.json")}).status, 0);
        const auto direct = cli_({"plan", sample, "--planner", "greedy-by-size", "--format", "json"}).object();
        const auto again =
            cli_({"plan", cli_.path("two.problem.json"), "--planner", "greedy-by-size", "--format", "json"}).object();
        QCOMPARE(again["pools"], direct["pools"]);
    }

    void convertWritesEveryForm()
    {
        const QString sample = Cli::sample("lstm_loop.json");
        for (const char* to : {"program", "problem", "csv", "dot"}) {
            const auto result = cli_({"convert", sample, "--to", to});
            QVERIFY2(result.status == 0 && !result.out.isEmpty(), joined(result));
        }
        QVERIFY(cli_({"convert", sample, "--to", "dot"}).out.startsWith("digraph"));
        QVERIFY(cli_({"convert", three_, "--to", "dot"}).out.contains("b0 -- b1")); // a and b are live together
        QVERIFY(!cli_({"convert", three_, "--to", "dot"}).out.contains("b0 -- b2"));
        // Of a program too: its buffers, not its ops.
        QVERIFY(cli_({"convert", sample, "--to", "interference"}).out.startsWith("graph"));
        const auto flows = cli_({"convert", three_, "--to", "allocation", "--planned", "--planner", "nnc"});
        QVERIFY2(flows.status == 0 && flows.out.startsWith("digraph") && flows.out.contains("source0 -> b"),
                 qPrintable(flows.out + flows.err));
        const auto noPlan = cli_({"convert", three_, "--to", "allocation"});
        QCOMPARE(noPlan.status, 2);
        QVERIFY2(noPlan.err.contains("--planned"), qPrintable(noPlan.err));
        const auto program = cli_({"convert", sample, "--to", "program"});
        QCOMPARE(cli_({"convert", cli_.file("again.json", program.out), "--to", "program"}).out, program.out);
        QCOMPARE(cli_({"convert", three_, "--to", "program"}).status, 2); // a problem has no ops
        QCOMPARE(cli_({"convert", three_}).status, 2);                    // into what?
    }

    void aPlannedProblemIsPinned()
    {
        const auto result = cli_({"convert", three_, "--planned", "--planner", "greedy-by-size", "--to", "csv"});
        QCOMPARE(result.status, 0);
        const QString pinned = cli_.file("pinned.csv", result.out);
        // Whatever planner: the pins hold.
        const auto again = cli_({"plan", pinned, "--planner", "naive", "--format", "json"});
        QCOMPARE(again.object()["pools"].toArray()[0].toObject()["size"].toInt(), 30);
        QVERIFY2(again.err.contains("pin"), again.err);
    }

    /// Two tiles of the sample have two slots each, and a file with one offset for each buffer holds the first at most.
    void slotsThatAreNotWrittenAreTold()
    {
        const QString sample = Cli::sample("double_buffered_matmul.json");
        const QByteArray told = "2 buffers with several slots";
        for (const QStringList& command :
             {QStringList{"convert", sample, "--planned", "--to", "problem"},
              QStringList{"convert", sample, "--planned", "--to", "program"},
              QStringList{"rewrite", sample, "--pass", "plan-memory", "-o", cli_.path("slots.json")}}) {
            const auto result = cli_(command);
            QVERIFY2(result.status == 0 && result.err.contains(told), joined(result));
        }
        const auto unplanned = cli_({"convert", sample, "--to", "problem"});
        QVERIFY2(unplanned.status == 0 && !unplanned.err.contains("several slots"), joined(unplanned)); // the slots are in it
    }

    /// Rows have no column for what it costs that two buffers share bytes.
    void penaltiesThatATableLosesAreTold()
    {
        const QByteArray problem = R"({"format": "stowage.problem/1", "name": "priced", "pools": [{"name": "p"}], "buffers": [
            {"name": "a", "size": 4, "live": [[0, 1]]}, {"name": "b", "size": 4, "live": [[1, 2]]}]%1})";
        const auto plain = cli_({"convert", cli_.file("plain.json", QByteArray(problem).replace("%1", "")), "--to", "csv"});
        QVERIFY2(plain.status == 0 && plain.err.isEmpty(), joined(plain));
        const QString priced = cli_.file(
            "priced.json", QByteArray(problem).replace("%1", R"(, "penalties": [{"first": "a", "second": "b", "cost": 5}])"));
        const auto result = cli_({"convert", priced, "--to", "csv"});
        QCOMPARE(result.out, plain.out);
        QVERIFY2(result.status == 0 && result.err.contains("reuse penalties"), joined(result));
    }

    /// Nor for the capacity: what was too large for the memory would fit into the table's.
    void aCapacityThatATableLosesIsTold()
    {
        const QString limited = cli_.file("limited.json", R"({"format": "stowage.problem/1", "name": "limited",
            "pools": [{"name": "sram", "capacity": 1000}], "buffers": [{"name": "a", "size": 4, "live": [[0, 1]]}]})");
        const auto result = cli_({"convert", limited, "--to", "csv"});
        QCOMPARE(result.out, QByteArray("id,lower,upper,size\na,0,1,4\n"));
        QVERIFY2(result.status == 0 && result.err.contains("'sram' (1,000 bytes)"), joined(result));
        QVERIFY2(result.err.contains("--capacity 1000"), joined(result));
    }

    // --- list ----------------------------------------------------------------------------------------------------

    void listKnowsWhatThereIs()
    {
        for (const char* what : {"planners", "targets", "devices", "importers", "exporters", "plugins"})
            for (const char* format : {"text", "json", "csv", "markdown"}) {
                const auto result = cli_({"list", what, "--format", format});
                QVERIFY2(result.status == 0, joined(result));
                QVERIFY(!result.out.isEmpty());
            }
        const auto planners = names(cli_({"list", "planners", "--format", "json"}).array(), "name");
        for (const char* planner : {"naive", "greedy-by-size", "greedy-by-breadth", "tflm-greedy", "best-fit-decreasing"})
            QVERIFY2(planners.contains(planner), planner);
        QVERIFY(names(cli_({"list", "targets", "--format", "json"}).array(), "name").contains("esp32-s3"));
        const QJsonArray devices = cli_({"list", "devices", "--format", "json"}).array();
        QVERIFY(names(devices, "name").contains("phone-soc") && names(devices, "device").contains("npu0"));
        const auto importers = names(cli_({"list", "importers", "--format", "json"}).array(), "name");
        for (const char* importer : {"csv", "program", "problem", "tflite", "onnx"})
            QVERIFY2(importers.contains(importer), importer);
    }
};

QTEST_GUILESS_MAIN(CliTest)
#include "tst_cli.moc"

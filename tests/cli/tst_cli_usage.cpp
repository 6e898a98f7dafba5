// Options, verdicts and files: what an option cannot do is said, a failed planner is the answer no, the verdict is the first
// line, and files are written as they are.
#include "tests/cli/cli_process.h"

#include <QTest>

using namespace stowage::test;

namespace {

QString longName()
{
    return QString(250, QLatin1Char('n'));
}

/// A program of one op whose tensors have names of 250 letters.
QByteArray longNames()
{
    return QStringLiteral(R"({"format": "stowage.program/1", "entry": "main", "functions": [{"name": "main",
        "inputs": ["in"], "outputs": ["out"], "tensors": [
        {"name": "in", "kind": "input", "bytes": 8}, {"name": "%1", "bytes": 8}, {"name": "out", "kind": "output", "bytes": 8}],
        "ops": [{"name": "a", "kind": "exp", "inputs": ["in"], "outputs": ["%1"]},
                {"name": "b", "kind": "exp", "inputs": ["%1"], "outputs": ["out"]}]}]})")
        .arg(longName())
        .toUtf8();
}

} // namespace

class CliUsageTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;

    static QByteArray firstLine(const CliResult& result) { return result.out.left(result.out.indexOf('\n')); }

    /// A folder with a planner that ends at once with status 1.
    QString folderOfTheCrashing()
    {
        QDir(cli_.path({})).mkpath("crashing");
        cli_.file("crashing/crash.json",
                  R"({"id": "crash", "name": "Crash", "protocol": 1, "argv": ["false"], "transport": "csv-oneshot"})");
        return cli_.path("crashing");
    }

private Q_SLOTS:
    /// The terminal shortens names; a file that is written keeps them.
    void aFoldedFileKeepsItsNames()
    {
        const QString in = cli_.file("long.json", longNames()), out = cli_.path("folded.json");
        const CliResult result = cli_({"fold", in, "-o", out});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY(cli_.contents("folded.json").contains('"' + longName().toUtf8() + '"'));
    }

    void pagesKeepTheirStyle()
    {
        cli_.file("p.csv", threeBuffers);
        const QString suite = cli_.file(
            "page.json", R"({"format": "stowage.suite/1", "name": "page", "rows": [{"model": "p.csv", "planners": ["exact"]}]})");
        const CliResult page = cli_({"regress", suite, "--format", "html"});
        QVERIFY2(page.status == 0, page.err);
        for (const char* colour : {"--well:", "--text:", "--ok:", "--warn:", "--bad:"})
            QVERIFY2(page.out.contains(colour), colour);
    }

    /// stem/out of the sample has 147,456 bytes and goes into neither memory, though both together have room for everything.
    void eachMemoryOfExecutorchHasItsOwnCapacity()
    {
        const QString sample = Cli::sample("resnet18.json");
        const auto fit = [&](const char* slow) {
            const QString target =
                cli_.file("et.json", QByteArray(R"({"format": "stowage.target/1", "name": "et", "runtime": "executorch",
                    "pools": [{"name": "fast", "capacity": 100000}, {"name": "slow")") +
                                         slow + "}]}");
            return cli_({"fit", sample, "--target", target, "--format", "json"});
        };
        const CliResult tooSmall = fit(R"(, "capacity": 140000)");
        QCOMPARE(tooSmall.status, 1);
        QCOMPARE(tooSmall.object()["answer"].toObject()["fits"].toBool(true), false);
        const CliResult unbounded = fit("");
        QVERIFY2(unbounded.status == 0, unbounded.out);
        QCOMPARE(unbounded.object()["answer"].toObject()["fits"].toBool(false), true);
        QVERIFY(unbounded.object()["capacity"].isNull());
    }

    void aFailedPlannerIsTheAnswerNo_data()
    {
        QTest::addColumn<QStringList>("command");
        const QString in = cli_.file("in.csv", threeBuffers), out = cli_.path("crash.out");
        QTest::newRow("plan") << QStringList{"plan", in};
        QTest::newRow("verify") << QStringList{"verify", in};
        QTest::newRow("explain") << QStringList{"explain", in};
        QTest::newRow("convert") << QStringList{"convert", in, "--planned", "-o", out + ".csv"};
        QTest::newRow("render") << QStringList{"render", in, "--view", "memory-map", "-o", out + ".svg"};
        QTest::newRow("export") << QStringList{"export", in, "--as", "c-header", "-o", out + ".h"};
    }
    void aFailedPlannerIsTheAnswerNo()
    {
        QFETCH(QStringList, command);
        const CliResult result = cli_(command + QStringList{"--planner", "crash", "--plugin-dir", folderOfTheCrashing()});
        QVERIFY2(result.status == 1, result.err);
        QVERIFY(result.err.contains("crash"));
    }

    void whatAnOptionCannotDoIsSaid_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QByteArray>("said");
        const QString csv = cli_.file("said.csv", threeBuffers), program = Cli::sample("resnet18.json");
        const auto row = [](const char* name, const QStringList& command, const char* said) {
            QTest::newRow(name) << command << QByteArray(said);
        };
        row("an option of no planner", {"compare", csv, "--planners", "auto,exact", "--option", "typo=1"}, "typo");
        row("an unknown planner", {"fit", program, "--planner", "nosuch"}, "nosuch");
        row("an option that the planner has not", {"fit", program, "--planner", "auto", "--option", "typo=1"}, "typo");
        row("a plan beside another file", {"compare", csv, "--against", csv, "--plan", csv}, "--plan");
        row("on and off", {"list", "plugins", "--enable", "a", "--disable", "b"}, "--disable");
        row("constants of a header", {"export", csv, "--as", "c-header", "--constants", ".", "-o", cli_.path("c.h")},
            "--constants");
        row("no date in a header", {"export", csv, "--as", "c-header", "--no-date", "-o", cli_.path("c.h")}, "--no-date");
        row("a curve in JSON", {"pipeline", "split", program, "--stages", "2", "--curve", "memory", "--format", "json"},
            "--curve");
        const QString timeless = cli_.file("timeless.json", R"({"format": "stowage.problem/1", "name": "timeless", "buffers": [
            {"name": "a", "size": 4, "conflicts": ["b"]}, {"name": "b", "size": 4, "conflicts": ["a"]}]})");
        row("a trace without steps", {"export", timeless, "--as", "chrome-trace", "-o", cli_.path("timeless.trace.json")},
            "no time axis");
        row("a lowering that is none", {"compare", program, "--planners", "auto", "--lower", "oder=dag"}, "oder");
        const QString picture = cli_.path("said.svg");
        row("planners of a header", {"export", csv, "--as", "c-header", "--planners", "naive,exact", "-o", cli_.path("c.h")},
            "--planners");
        row("planners of a module", {"export", csv, "--as", "llvm", "--planners", "naive", "-o", cli_.path("c.mlir")},
            "--planners");
        row("a format of another command", {"export", csv, "--as", "csv", "-o", cli_.path("c.csv")}, "'convert' writes csv");
        row("a planner of no plan", {"convert", program, "--planner", "naive", "--to", "problem"}, "--planner");
        row("a limit of no plan", {"convert", program, "--time-limit", "3", "--to", "problem"}, "--time-limit");
        row("an option of no plan", {"convert", program, "--option", "goal=fit", "--to", "problem"}, "--option");
        for (const char* option : {"--option", "--seed"})
            for (const char* command : {"verify", "explain"})
                row(qPrintable(QString("%1 with %2").arg(command, option)),
                    {command, csv, "--plan", cli_.path("none.plan.json"), option, option == QString("--seed") ? "1" : "goal=fit"},
                    (option + QByteArray(" has no effect")).constData());
        row("a limit of a plan that is read", {"verify", csv, "--plan", cli_.path("none.plan.json"), "--time-limit", "3"},
            "--time-limit has no effect");
        row("a log of lifetimes", {"render", csv, "--view", "liveness", "--log", "/no/such.log", "-o", picture}, "--log");
        row("hops from nowhere", {"render", csv, "--view", "interference", "--hops", "5", "-o", picture}, "--hops");
        row("planners of a fit", {"render", program, "--view", "fit", "--planners", "naive", "-o", picture}, "--planners");
        row("one planner of a comparison", {"render", csv, "--view", "compare", "--planner", "naive", "-o", picture},
            "--planners");
        row("a planner of a suite",
            {"render", Cli::sample("suites/sizes.suite.json"), "--view", "regression", "--planner", "naive", "-o", picture},
            "--planner");
        row("hosts of threads", {"pipeline", "run", "c.json", "--hosts", "a,b"}, "--hosts");
        // The value of the default counts as given, too.
        row("a limit of no proof", {"plan", csv, "--proof-limit", "2000000"}, "--proof-limit");
        row("a planner that folds", {"rewrite", program, "--pass", "constant-fold", "--planner", "naive"}, "--planner");
        row("a capacity that folds", {"rewrite", program, "--pass", "constant-fold", "--capacity", "4KiB"}, "--capacity");
        const QString plan = cli_.file("said.plan.json", R"({"format": "stowage.plan/1", "placements": []})");
        for (const QStringList& more :
             {QStringList{"--planners", "naive"}, QStringList{"--capacity", "4KiB"}, QStringList{"--target", "cortex-m7"},
              QStringList{"--seed", "0"}, QStringList{"--workspace-pools", "a"}, QStringList{"--bind", "batch=2"},
              QStringList{"--import", "split=10"}, QStringList{"--importer", "onnx"}})
            row(qPrintable("two plans and " + more.front()), QStringList{"compare", plan, "--against", plan} + more,
                qPrintable(more.front()));
    }
    void whatAnOptionCannotDoIsSaid()
    {
        QFETCH(QStringList, command);
        QFETCH(QByteArray, said);
        const CliResult result = cli_(command);
        QVERIFY2(result.status == 2, result.out + result.err);
        QVERIFY2(result.err.contains(said), result.err);
        QVERIFY2(result.out.isEmpty(), result.out);
    }

    /// b has a conflict and no steps: the trace holds a alone.
    void buffersThatATraceLacksAreTold()
    {
        const QString in = cli_.file("partly.json", R"({"format": "stowage.problem/1", "name": "partly", "buffers": [
            {"name": "a", "size": 4, "live": [[0, 2]]}, {"name": "b", "size": 4, "conflicts": ["a"]}]})");
        const CliResult result = cli_({"export", in, "--as", "chrome-trace", "-o", cli_.path("partly.trace.json")});
        QVERIFY2(result.status == 0 && result.err.contains("not in the trace"), result.err);
        QVERIFY(cli_.contents("partly.trace.json").contains("\"X\""));
    }

    /// The pool of a module's memory space and that of a target have other names; a table of others is printed all the same.
    void anInputThatCannotBeLoweredLeavesTheOthers()
    {
        const QString bad =
            cli_.file("bad.json", R"({"format": "stowage.program/1", "entry": "main", "functions": [{"name": "main",
            "inputs": ["in"], "outputs": ["out"], "pools": [], "tensors": [
            {"name": "in", "kind": "input", "bytes": 8, "pools": ["nowhere"]}, {"name": "out", "kind": "output", "bytes": 8}],
            "ops": [{"name": "a", "kind": "exp", "inputs": ["in"], "outputs": ["out"]}]}]})");
        const QString good = cli_.file("good.csv", threeBuffers);
        const CliResult result = cli_({"compare", bad, good, "--planners", "naive"});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.out.contains("naive"), result.out + result.err);
    }

    /// The sample planner in Python takes one pool.
    void aRefusalIsNoVerdictWhereOthersPlan()
    {
        const QString in = cli_.file("two.json", R"({"format": "stowage.problem/1", "name": "two",
            "pools": [{"name": "fast", "capacity": 64}, {"name": "slow"}],
            "buffers": [{"name": "x", "size": 60, "live": [[0, 1]]}, {"name": "y", "size": 50, "live": [[0, 1]]}]})");
        const CliResult result =
            cli_({"compare", in, "--planners", "greedy-by-size,first-fit-py", "--plugin-dir", Cli::sample("planners.d")});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(firstLine(result).startsWith("Fits") || firstLine(result).startsWith("Optimal"), firstLine(result));
    }

    void unknownSizesAreNamedInComparisons()
    {
        const QString in =
            cli_.file("unknown.json", R"({"format": "stowage.program/1", "entry": "main", "functions": [{"name": "main",
        "inputs": ["in"], "outputs": ["out"], "tensors": [
            {"name": "in", "kind": "input", "bytes": 8}, {"name": "h", "dtype": "f32", "shape": [-1, 4]},
            {"name": "out", "kind": "output", "bytes": 8}],
            "ops": [{"name": "a", "kind": "exp", "inputs": ["in"], "outputs": ["h"]},
                    {"name": "b", "kind": "exp", "inputs": ["h"], "outputs": ["out"]}]}]})");
        const CliResult result = cli_({"compare", in, "--planners", "greedy-by-size", "--format", "json"});
        QVERIFY2(result.status == 0, result.err);
        const QJsonValue row = result.object()["rows"].toArray()[0];
        QCOMPARE(row["partial"].toBool(), true);
        QCOMPARE(row["unknown_sizes"].toArray(), (QJsonArray{"h"}));
    }

    /// The stages' programs are nothing without the configuration that refers to them.
    void aSplitIsWrittenWholeOrNotAtAll()
    {
        QDir(cli_.path({})).mkpath("split/c.json"); // a folder where the configuration should be
        const CliResult result =
            cli_({"pipeline", "split", Cli::sample("mobilenet_v1_025.json"), "--stages", "2", "-o", cli_.path("split/c.json")});
        QCOMPARE(result.status, 2);
        QCOMPARE(QDir(cli_.path("split")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{"c.json"});
    }

    void theVerdictIsTheFirstLine()
    {
        const QString in = Cli::sample("resnet18.json");
        QVERIFY(firstLine(cli_({"verify", in})).startsWith("Clean: "));
        const QByteArray explained = firstLine(cli_({"explain", in, "--changes", "0"}));
        QVERIFY2(explained.startsWith("Optimal: ") || explained.startsWith("Valid: "), explained);
    }
};

QTEST_GUILESS_MAIN(CliUsageTest)
#include "tst_cli_usage.moc"

// regress, sweep and merge as users run them: exit statuses, what is written, and several processes on one folder.
#include "tests/cli/cli_process.h"
#include "tests/cli/terminal.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTest>
#include <QXmlStreamReader>

#include <csignal>

using namespace stowage::test;

namespace {

const QByteArray suite = R"({"format": "stowage.suite/1", "name": "small",
    "rows": [{"model": "a.csv", "planners": ["exact", "naive"]}]})";

/// A folder with models for a sweep of 100 runs.
void writeSweep(const Cli& cli)
{
    QByteArray models;
    for (int i = 0; i < 5; ++i) {
        const QByteArray name = "m" + QByteArray::number(i) + ".csv";
        cli.file(name, "id,lower,upper,size\na,0,2," + QByteArray::number(10 + i) + "\nb,1,3,20\nc,2,4,10\n");
        models += (i > 0 ? ", \"" : "\"") + name + '"';
    }
    cli.file("spec.json", "{\"format\": \"stowage.sweep/1\", \"models\": [" + models +
                              "], \"planners\": [\"exact\", \"naive\", \"greedy-by-size\", \"hill-climb:attempts=5\"], "
                              "\"seed\": [0, 1, 2, 3, 4]}");
}

/// Runs a program of the system; its output on standard output.
QByteArray outputOf(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(60'000)) process.kill();
    return process.readAllStandardOutput();
}

/// An installation of the command line and the core alone, without worker and plug-ins, in the folder of `cli`: a copy, so that
/// it can be changed.
class Installation {
public:
    explicit Installation(const Cli& cli) : cli_(cli)
    {
        for (const char* folder : {"bin", "lib/stowage/plugins", "share"})
            if (!QDir().mkpath(cli.path(folder))) qFatal("cannot make %s", folder);
        add("bin/stowage-cli");
        for (const char* shared : {"lib/libstowage-core.so", "share/stowage"})
            if (!QFile::link(built(shared), cli.path(shared))) qFatal("cannot link %s", shared);
    }
    /// Copies a file of the build folder, or what has been changed back to it.
    void add(const char* file) const
    {
        QFile::remove(cli_.path(file));
        if (!QFile::copy(built(file), cli_.path(file))) qFatal("cannot copy %s", file);
    }
    /// `time`: for a worker, in seconds; empty: the usual one.
    [[nodiscard]] CliResult sweep(const QString& specification, const QString& time = {}) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove("STOWAGE_WORKER_TIMEOUT_S");
        if (!time.isEmpty()) environment.insert("STOWAGE_WORKER_TIMEOUT_S", time);
        process.setProcessEnvironment(environment);
        process.start(cli_.path("bin/stowage-cli"), {"sweep", specification, "--out", cli_.path("out")});
        if (!process.waitForFinished(60'000)) process.kill();
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }
    [[nodiscard]] QStringList results() const { return QDir(cli_.path("out/runs")).entryList(QDir::Files); }

private:
    static QString built(const char* file) { return QFileInfo(Cli::program()).absolutePath() + "/../" + QLatin1String(file); }

    const Cli& cli_;
};

} // namespace

class CliRegressTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSuiteWithoutBaselineIsNoRegressionAndUpdateMakesOne()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", suite);
        const CliResult first = cli({"regress", path});
        QCOMPARE(first.status, 0);
        QVERIFY2(first.out.startsWith("No baseline of small yet: 2 new."), first.out.constData());
        QVERIFY(!QFileInfo::exists(cli.path("small.baseline.json")));

        const CliResult updated = cli({"regress", path, "--update"});
        QCOMPARE(updated.status, 0);
        QVERIFY2(updated.err.contains("baseline: added a.csv exact"), updated.err.constData());
        QVERIFY(cli.contents("small.baseline.json").contains("\"size\": 30, \"bound\": 30"));
        QCOMPARE(cli({"regress", path}).out, QByteArray("No regression in small: 2 same.\n"));
        const QByteArray before = cli.contents("small.baseline.json");
        QVERIFY(cli({"regress", path, "--update"}).err.contains("up to date"));
        QCOMPARE(cli.contents("small.baseline.json"), before);
    }

    void aLargerModelIsARegressionInEveryFormat()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", suite);
        QCOMPARE(cli({"regress", path, "--update"}).status, 0);
        cli.file("a.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,16\n");

        const CliResult text = cli({"regress", path});
        QCOMPARE(text.status, 1);
        QVERIFY2(text.out.startsWith("Regression in small: 2 worse.\n"), text.out.constData());
        QVERIFY2(text.out.contains("the bound of the model rose by 6 B"), text.out.constData());

        const CliResult json = cli({"regress", path, "--format", "json"});
        QCOMPARE(json.status, 1);
        QCOMPARE(json.object()["regression"].toBool(), true);
        QCOMPARE(json.object()["counts"].toObject()["worse"].toInt(), 2);
        const QJsonObject row = json.object()["rows"].toArray()[0].toObject();
        QCOMPARE(row["key"].toString(), QString("a.csv exact"));
        QCOMPARE(row["current"].toObject()["size"].toInt(), 36);
        QCOMPARE(row["baseline"].toObject()["size"].toInt(), 30);

        QVERIFY(cli({"regress", path, "--format", "markdown"}).out.contains("| worse"));

        const CliResult junit = cli({"regress", path, "--format", "junit"});
        QXmlStreamReader xml(junit.out);
        int cases = 0;
        int failures = 0;
        QString key;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement()) continue;
            if (xml.name() == QLatin1String("testcase")) {
                ++cases;
                key = xml.attributes().value("name").toString();
            }
            if (xml.name() == QLatin1String("failure")) {
                ++failures;
                QCOMPARE(xml.attributes().value("type"), QLatin1String("worse"));
                const QString message = xml.attributes().value("message").toString();
                QVERIFY(message.contains(QLatin1String("above the baseline")));
                // GitLab shows the text, and not the attribute. b is live with a and with c, naive places all end to end.
                const bool exact = key.contains(QLatin1String("exact"));
                QCOMPARE(xml.readElementText(),
                         message + (exact ? "\narena: baseline 30 B, current 36 B" : "\narena: baseline 40 B, current 46 B"));
            }
            if (xml.name() == QLatin1String("testsuites")) QCOMPARE(xml.attributes().value("failures"), QLatin1String("2"));
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(cases, 2);
        QCOMPARE(failures, 2);

        // The page for a CI server to keep: every row, and the maps of both; nothing in it is fetched or run.
        const CliResult page = cli({"regress", path, "--format", "html"});
        QCOMPARE(page.status, 1);
        QVERIFY(page.out.startsWith("<!DOCTYPE html>"));
        QCOMPARE(page.out.count("<svg class=\"picture\""), 4); // two rows, each in the baseline and now
        QCOMPARE(page.out.count(">worse</span>"), 2);
        QVERIFY(!page.out.contains("<script") && !page.out.contains("src=\"http"));

        // One row is accepted, the other one stays a regression.
        QCOMPARE(cli({"regress", path, "--update", "--row", "a.csv naive"}).status, 0);
        const CliResult rest = cli({"regress", path});
        QCOMPARE(rest.status, 1);
        QVERIFY2(rest.out.startsWith("Regression in small: 1 worse, 1 same."), rest.out.constData());
    }

    /// One test suite for each model, one test case for each row; names that XML cannot represent do not make it unreadable.
    void junitIsXmlWhateverTheNames()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path =
            cli.file("suite.json", "{\"format\": \"stowage.suite/1\", \"name\": \"odd\", \"rows\": ["
                                   "{\"model\": \"a.csv\", \"planners\": [\"exact\", \"naive\"]}, "
                                   "{\"model\": \"\\u001b[2J\\u0001\\ufffe<&>\\\".csv\", \"planners\": [\"naive\"]}]}");
        const CliResult junit = cli({"regress", path, "--format", "junit"});
        QCOMPARE(junit.status, 1); // there is no file of that name
        QVERIFY(!junit.out.contains('\x1b') && !junit.out.contains('\x01'));
        QXmlStreamReader xml(junit.out);
        QMap<QString, int> cases; // by model
        QStringList failed;
        QString model;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement()) continue;
            const QString name = xml.attributes().value("name").toString();
            if (xml.name() == QLatin1String("testsuite")) model = name;
            if (xml.name() == QLatin1String("testcase")) ++cases[model];
            if (xml.name() == QLatin1String("failure")) failed << model;
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(cases.size(), 2);
        QCOMPARE(cases.value("a.csv"), 2);
        QCOMPARE(failed.size(), 1);
        QVERIFY2(failed.front().endsWith("<&>\".csv"), qPrintable(failed.front()));
    }

    void mistakesAreBadUsage()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", suite);
        QCOMPARE(cli({"regress", cli.path("nothing.json")}).status, 2);
        QCOMPARE(cli({"regress", path, "--row", "a.csv exact"}).status, 2);
        const CliResult noRow = cli({"regress", path, "--update", "--history", "--row", "no such row"});
        QCOMPARE(noRow.status, 2);
        QVERIFY2(noRow.out.isEmpty() && noRow.err.contains("no such row"), (noRow.out + noRow.err).constData());
        QVERIFY(cli.contents("small.history.jsonl").isEmpty());
        cli.file("small.baseline.json", "{\"format\": \"stowage.baseline/1\", \"rows\": 3}");
        const CliResult bad = cli({"regress", path, "--update"});
        QCOMPARE(bad.status, 2);
        QVERIFY2(bad.err.contains("small.baseline.json:1:"), bad.err.constData());
        QVERIFY(cli.contents("small.baseline.json").contains(": 3}")); // what cannot be read is not written over
        QCOMPARE(cli({"sweep", path, "--out", cli.path("out")}).status, 2);
        const QString spec = cli.file("spec.json", R"({"format": "stowage.sweep/1", "models": ["a.csv"]})");
        for (const QStringList& arguments : {QStringList{"sweep", spec, "--out", ""}, QStringList{"merge", ""}}) {
            const CliResult unnamed = cli(arguments); // no folder is "/runs"
            QCOMPARE(unnamed.status, 2);
            QVERIFY2(unnamed.err.contains("is empty"), unnamed.err);
        }
        for (const char* shard : {"0/2", "3/2", "1", "a/b", "1/2x"})
            QVERIFY2(cli({"sweep", path, "--out", cli.path("out"), "--shard", shard}).err.contains("not a shard"), shard);
    }

    /// A row that failed says where and what to do, in text, in JUnit and under CTest.
    void aRowThatFailedSaysWhereAndWhatToDo()
    {
        const Cli cli;
        cli.file("bad.csv", "id,lower,upper,size\na,0,2,ten\n");
        const QString path = cli.file("suite.json", R"({"format": "stowage.suite/1", "name": "small", "rows": [
  {"model": "bad.csv", "planners": ["naive"]}, {"model": "lost.csv", "planners": ["naive"]}]})");
        for (const char* format : {"text", "json", "junit", "markdown", "html"}) {
            const CliResult result = cli({"regress", path, "--format", format});
            QCOMPARE(result.status, 1);
            QVERIFY2(result.out.contains("bad.csv:2:") && result.out.contains("lost.csv: cannot be opened"), result.out);
            QVERIFY2(result.out.contains("(check the name and the folder)"), result.out);
        }
        QProcess process;
        process.start(QFileInfo(Cli::program()).path() + "/stowage-regress", {path});
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY2(process.readAllStandardOutput().contains("bad.csv:2:"), "no place");
        process.start(QFileInfo(Cli::program()).path() + "/stowage-regress", {cli.path("lost.json")});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 2);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.startsWith("error: " + cli.path("lost.json").toUtf8()), said); // "error:" once
    }

    /// The specification may be called as the list that the sweep writes.
    void aSweepIntoItsOwnFolderDoesNotWriteOverItsSpecification()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QByteArray text = R"({"format": "stowage.sweep/1", "models": ["a.csv"], "planners": ["naive"]})";
        const QString spec = cli.file("sweep.json", text);
        const CliResult refused = cli({"sweep", spec, "--out", QFileInfo(spec).path()});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("/sweep.json: ") && refused.err.contains("--out"), refused.err);
        QCOMPARE(cli.contents("sweep.json"), text);
        QCOMPARE(cli({"sweep", spec, "--out", cli.path("out")}).status, 0);

        // Another specification in the same folder: the table is of the last one, and the rest is named.
        const QString other = cli.file("other.json", QByteArray(text).replace("naive", "exact"));
        QCOMPARE(cli({"sweep", other, "--out", cli.path("out")}).status, 0);
        const CliResult merged = cli({"merge", cli.path("out"), "--format", "csv"});
        QCOMPARE(merged.status, 0);
        QCOMPARE(merged.out.count('\n'), 2);
        QVERIFY2(merged.out.contains("\na.csv,,,exact,,0,0,optimal,"),
                 merged.out); // seed and work limit are numbers of the sweep
        QVERIFY2(merged.err.contains("1 result in ") && merged.err.contains("of another specification"), merged.err);
    }

    /// Readers lie in the program, in plug-ins and in what these load; the worker runs them. What one build has planned says
    /// nothing about another.
    void aChangedFileOfTheBuildPlansAgain()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString spec =
            cli.file("spec.json", R"({"format": "stowage.sweep/1", "models": ["a.csv"], "planners": ["naive"]})");
        const Installation installed(cli);
        installed.add("lib/stowage/plugins/libstowage-mlir.so");
        const auto resultsAfterASweep = [&] {
            const CliResult swept = installed.sweep(spec);
            if (swept.status != 0 || !swept.err.startsWith("1 of 1 run in ")) qFatal("%s", swept.err.constData());
            return installed.results().size();
        };
        for (int i = 0; i < 2; ++i) QCOMPARE(resultsAfterASweep(), qsizetype{1});
        installed.add("bin/stowage-worker");
        for (int i = 0; i < 2; ++i) QCOMPARE(resultsAfterASweep(), qsizetype{2});
        cli.file("lib/stowage/libstowage-mlir-reader.so", "one reader");
        for (int i = 0; i < 2; ++i) QCOMPARE(resultsAfterASweep(), qsizetype{3});
        cli.file("lib/stowage/libstowage-mlir-reader.so", "another reader");
        QCOMPARE(resultsAfterASweep(), qsizetype{4});
        cli.file("lib/stowage/libstowage-of-others.so", "which no plug-in loads");
        QCOMPARE(resultsAfterASweep(), qsizetype{4});
        QFile program(cli.path("bin/stowage-cli"));
        QVERIFY(program.open(QIODevice::Append) && program.write("x") == 1);
        program.close();
        for (int i = 0; i < 2; ++i) QCOMPARE(resultsAfterASweep(), qsizetype{5});
        installed.add("bin/stowage-cli");
        QCOMPARE(resultsAfterASweep(), qsizetype{5}); // the one that had four results
    }

    /// A worker that is a folder cannot be read: who knows which one it will be.
    void aBuildThatCannotBeReadReusesNothingAndSaysSo()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString spec =
            cli.file("spec.json", R"({"format": "stowage.sweep/1", "models": ["a.csv"], "planners": ["naive"]})");
        const Installation installed(cli);
        QVERIFY(QDir().mkpath(cli.path("bin/stowage-worker")));
        for (int i = 0; i < 2; ++i) {
            const CliResult swept = installed.sweep(spec);
            QCOMPARE(swept.status, 0);
            QVERIFY2(swept.err.contains("bin/stowage-worker: it cannot be read") && swept.err.contains("every run is planned"),
                     swept.err);
            const QStringList results = installed.results();
            QCOMPARE(results.size(), qsizetype{1});
            const QString name = "out/runs/" + results.front();
            QVERIFY2(cli.contents(name).contains("\"size\": 40"), cli.contents(name)); // 10 + 20 + 10
            cli.file(name, cli.contents(name).replace("\"size\": 40", "\"size\": 41"));
        }
    }

    /// Its failure is a row of the table, and is told with its reason.
    void aSweepWithoutAWorkerHasARowWithTheReason()
    {
        const Cli cli;
        QVERIFY(QFile::copy(Cli::sample("unified_planning.tir"), cli.path("a.tir")));
        const QString spec =
            cli.file("spec.json", R"({"format": "stowage.sweep/1", "models": ["a.tir"], "planners": ["naive"]})");
        const Installation installed(cli);
        installed.add("lib/stowage/plugins/libstowage-tvm.so");
        const CliResult failed = installed.sweep(spec);
        QCOMPARE(failed.status, 1);
        QVERIFY2(failed.err.contains("1 of 1 run in ") && failed.err.contains(", 1 failed"), failed.err);
        QVERIFY2(failed.err.contains("the next sweep plans it again") && failed.err.contains("there is no worker to run"),
                 failed.err);
        const CliResult table = cli({"merge", cli.path("out"), "--format", "csv"});
        QCOMPARE(table.status, 1);
        QVERIFY2(table.out.contains(",failed,") && table.out.contains("there is no worker to run"), table.out);
    }

    /// No worker starts within a millisecond. Its time is no part of the run's key, so that the result is the same file.
    void aSweepThatRanOutOfTimeIsDoneOnceThereIsMore()
    {
        const Cli cli;
        QVERIFY(QFile::copy(Cli::sample("unified_planning.tir"), cli.path("a.tir")));
        const QString spec =
            cli.file("spec.json", R"({"format": "stowage.sweep/1", "models": ["a.tir"], "planners": ["naive"]})");
        const Installation installed(cli);
        installed.add("lib/stowage/plugins/libstowage-tvm.so");
        installed.add("bin/stowage-worker");
        for (int i = 0; i < 2; ++i) { // a result that is to be repeated stays a row
            const CliResult failed = installed.sweep(spec, "0.001");
            QCOMPARE(failed.status, 1);
            QVERIFY2(failed.err.contains("1 run failed for want of time, memory, a file or a part of the installation, or as "
                                         "a process crashed or ended early; the next sweep plans it again. ") &&
                         failed.err.contains("did not answer within 1 ms"),
                     failed.err);
            QCOMPARE(cli({"merge", cli.path("out")}).status, 1);
        }
        const QStringList results = installed.results();
        QCOMPARE(results.size(), qsizetype{1});
        const CliResult swept = installed.sweep(spec);
        QVERIFY2(swept.status == 0 && !swept.err.contains("failed"), swept.err);
        QCOMPARE(installed.results(), results);
        QCOMPARE(cli({"merge", cli.path("out")}).status, 0);
    }

    /// Names are shortened on a page, sentences are not.
    void thePageOfASweepHasWholeErrors()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString spec =
            cli.file("spec.json", R"({"format": "stowage.sweep/1", "models": ["a.csv"], "planners": ["naive"]})");
        QCOMPARE(cli({"sweep", spec, "--out", cli.path("out")}).status, 0);
        const QString file = QDir(cli.path("out/runs")).entryList(QDir::Files).value(0);
        const QByteArray error = QByteArray("one word of many, ").repeated(30) + "the last";
        cli.file("out/runs/" + file, "{\"format\": \"stowage.sweep-run/1\", \"key\": \"" + QFileInfo(file).baseName().toUtf8() +
                                         "\", \"results\": [{\"status\": \"failed\", \"error\": \"" + error + "\"}]}");
        const CliResult page = cli({"merge", cli.path("out"), "--format", "html"});
        QCOMPARE(page.status, 1);
        QVERIFY2(page.out.contains("<td>" + error + "</td>"), page.out.right(3000));
    }

    /// A model that lost a size would show a small plan.
    void aPartialPlanIsMarkedInEveryTable()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        cli.file("open.json", R"({"format": "stowage.program/1", "name": "open", "functions": [{"name": "main",
            "inputs": ["x"], "outputs": ["z"],
            "tensors": [{"name": "x", "kind": "input", "bytes": 64}, {"name": "h", "dtype": "f32", "shape": [-1, 4]},
                        {"name": "z", "kind": "output", "bytes": 64}],
            "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["h"]},
                    {"name": "g", "kind": "g", "inputs": ["h"], "outputs": ["z"]}]}]})");
        const auto merged = [&](const QByteArray& models, const char* format) {
            const QString spec =
                cli.file("spec.json", R"({"format": "stowage.sweep/1", "planners": ["naive"], "models": [)" + models + "]}");
            const CliResult swept = cli({"sweep", spec, "--out", cli.path("out")});
            return swept.status == 0 ? cli({"merge", cli.path("out"), "--format", format}) : swept;
        };
        const QByteArray both = "\"a.csv\", \"open.json\"";
        const CliResult csv = merged(both, "csv");
        QCOMPARE(csv.status, 0);
        QVERIFY2(csv.out.contains(",status,partial,cut,size,"), csv.out);
        const QList<QByteArray> lines = csv.out.split('\n');
        QVERIFY2(lines[1].startsWith("a.csv,") && lines[1].contains(",feasible,,,40,30,"), csv.out);
        QVERIFY2(lines[2].startsWith("open.json,") && lines[2].contains(",true,"), csv.out);
        QVERIFY2(csv.err.contains("1 row is partial: tensors or buffers of unknown size are left out"), csv.err);
        QCOMPARE(merged(both, "json").out.count("\"partial\": true"), qsizetype{1});
        const QByteArray text = merged(both, "text").out;
        QVERIFY2(text.contains("partial") && text.count("yes") == 1, text);
        const QByteArray markdown = merged(both, "markdown").out;
        QVERIFY2(markdown.contains("| partial |") && markdown.count("| yes |") == 1, markdown);
        const QByteArray page = merged(both, "html").out;
        QVERIFY2(page.contains("1 row is partial: tensors or buffers of unknown size are left out.") && page.count(">yes<") == 1,
                 page);
        const CliResult whole = merged("\"a.csv\"", "text");
        QVERIFY2(!whole.out.contains("partial") && !whole.err.contains("partial"), whole.out + whole.err);
    }

    void theHistoryGetsALineForEachRow()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", suite);
        for (int i = 0; i < 2; ++i) QCOMPARE(cli({"regress", path, "--history"}).status, 0);
        const QByteArray history = cli.contents("small.history.jsonl");
        QCOMPARE(history.count('\n'), 4);
        QCOMPARE(history.count("\"key\": \"a.csv naive\""), 2);
    }

    void theTestExecutableRunsTheSameSuite()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", suite);
        QCOMPARE(cli({"regress", path, "--update"}).status, 0);
        const QString program = QFileInfo(Cli::program()).path() + "/stowage-regress";
        QProcess process;
        process.start(program, {path});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(process.readAllStandardOutput().contains("PASS   : stowage::RegressionRows::row(a.csv exact)"));
        cli.file("a.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,16\n");
        process.start(program, {path, "row:a.csv exact"});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardOutput().contains("worse: a.csv exact: size 6 B above the baseline"));
        process.start(program, {});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 2);
        // A suite without rows is a skipped test, and no crash.
        process.start(program, {cli.file("none.json", R"({"format": "stowage.suite/1", "name": "none", "rows": []})")});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(process.readAllStandardOutput().contains("the suite has no rows"));
    }

    void aHundredRunsInShardsGiveTheTableOfOneProcess()
    {
        const Cli cli;
        writeSweep(cli);
        const CliResult whole = cli({"sweep", cli.path("spec.json"), "--out", cli.path("whole")});
        QCOMPARE(whole.status, 0);
        QVERIFY2(whole.err.contains("100 of 100 runs"), whole.err.constData());
        const QByteArray table = cli({"merge", cli.path("whole"), "--format", "csv"}).out;
        QCOMPARE(table.count('\n'), 101);

        // A shard is killed once it has some of its 50 results, and another process begins again. A quick one may be through
        // before the signal comes: then it begins anew.
        const QDir results(cli.path("parts/runs"));
        const auto resultCount = [&] { return results.entryList({"*.json"}, QDir::Files).size(); };
        for (int attempt = 0; attempt < 20 && (resultCount() == 0 || resultCount() == 50); ++attempt) {
            QVERIFY(QDir(cli.path("parts")).removeRecursively());
            QProcess killed;
            killed.start(Cli::program(), {"sweep", cli.path("spec.json"), "--out", cli.path("parts"), "--shard", "1/2"});
            QVERIFY(killed.waitForStarted());
            QElapsedTimer clock;
            for (clock.start(); resultCount() == 0 && clock.elapsed() < 60'000;) QTest::qSleep(1);
            ::kill(static_cast<pid_t>(killed.processId()), SIGKILL);
            QVERIFY(killed.waitForFinished());
        }
        const auto torn = resultCount();
        QVERIFY2(torn > 0 && torn < 50, QByteArray::number(torn));
        QCOMPARE(cli({"sweep", cli.path("spec.json"), "--out", cli.path("parts"), "--shard", "2/2"}).status, 0);
        const CliResult half = cli({"merge", cli.path("parts"), "--format", "csv"});
        QCOMPARE(half.status, 1);
        QCOMPARE(half.out.count(",missing,"), 50 - torn);
        QCOMPARE(cli({"sweep", cli.path("spec.json"), "--out", cli.path("parts"), "--shard", "1/2"}).status, 0);
        const CliResult merged = cli({"merge", cli.path("parts"), "--format", "csv"});
        QCOMPARE(merged.status, 0);
        QCOMPARE(merged.out, table);
        const CliResult page = cli({"merge", cli.path("parts"), "--format", "html"});
        QCOMPARE(page.status, 0);
        QVERIFY(page.out.startsWith("<!DOCTYPE html>"));
        QCOMPARE(page.out.count("<tr>"), 101); // a line a run, and the head
    }

    /// On a terminal the command tells how far it is; elsewhere nothing but what came of it.
    void aSweepTellsOnATerminalHowMuchTimeIsLeft()
    {
        const Cli cli;
        writeSweep(cli);
        const CliResult terminal = onTerminal({"sweep", cli.path("spec.json"), "--out", cli.path("out")});
        QCOMPARE(terminal.status, 0);
        const QByteArray& said = terminal.out;
        QVERIFY2(said.contains("\r\x1b[K1 of 100 runs, ") && said.contains(" s left"), said.right(500));
        QVERIFY2(said.contains("\r\x1b[K100 of 100 runs in "), said.right(500));
        const CliResult piped = cli({"sweep", cli.path("spec.json"), "--out", cli.path("piped")});
        QVERIFY2(!piped.err.contains(" left") && !piped.err.contains('\x1b'), piped.err);
    }

    void aHundredRunsByGnuParallelGiveTheSameTable()
    {
        const QString parallel = QStandardPaths::findExecutable("parallel");
        if (parallel.isEmpty() || !outputOf(parallel, {"--version"}).contains("GNU parallel"))
            QSKIP("GNU parallel is not installed (Debian package parallel)");
        const Cli cli;
        writeSweep(cli);
        QCOMPARE(cli({"sweep", cli.path("spec.json"), "--out", cli.path("whole")}).status, 0);
        const QString folder = cli.path("parts of 'it' $HOME"); // a shell runs the jobs
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", QFileInfo(Cli::program()).path() + ':' + environment.value("PATH"));
        process.setProcessEnvironment(environment);
        process.start("sh", {QString::fromUtf8(STOWAGE_SOURCE_DIR "/resources/cluster/sweep.parallel"), cli.path("spec.json"),
                             folder, "4", "--will-cite", "-j2"});
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
        QCOMPARE(cli({"merge", folder, "--format", "csv"}).out, cli({"merge", cli.path("whole"), "--format", "csv"}).out);
    }
};

QTEST_GUILESS_MAIN(CliRegressTest)
#include "tst_cli_regress.moc"

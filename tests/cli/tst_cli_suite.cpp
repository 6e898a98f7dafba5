// A regression suite in the CI of a project: baselines that were not committed, models that are not there, the page, and the
// suite under CTest.
#include "tests/cli/cli_process.h"
#include "tests/session/programs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonValue>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

using namespace stowage::test;

namespace {

const QByteArray suite = R"({"format": "stowage.suite/1", "name": "small",
    "rows": [{"model": "a.csv", "planners": ["exact", "naive"]}]})";

/// Runs stowage-regress with a time limit for a function of QtTest ("": none is set) and the plug-ins of a folder.
CliResult regressUnderCTest(const QStringList& arguments, const QString& limit = {}, const QString& plugins = {})
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("QTEST_FUNCTION_TIMEOUT");
    if (!limit.isEmpty()) environment.insert("QTEST_FUNCTION_TIMEOUT", limit);
    if (!plugins.isEmpty()) environment.insert("STOWAGE_PLUGIN_PATH", plugins);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QFileInfo(Cli::program()).path() + "/stowage-regress", arguments);
    if (!process.waitForFinished(60'000)) process.kill();
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

class CliSuiteTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A baseline that nobody committed: every row is new, and nothing is compared.
    void aRequiredBaselineIsMissed()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", suite);
        QCOMPARE(cli({"regress", path}).status, 0);
        const CliResult none = cli({"regress", path, "--require-baseline"});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.out.startsWith("No baseline of small yet: 2 new."), none.out);
        QCOMPARE(cli({"regress", path, "--require-baseline", "--update"}).status, 2);
        QCOMPARE(cli({"regress", path, "--update"}).status, 0);
        QCOMPARE(cli({"regress", path, "--require-baseline"}).status, 0);

        // A row that was added without its result.
        cli.file("suite.json", QByteArray(suite).replace("\"naive\"", "\"naive\", \"greedy-by-size\""));
        QCOMPARE(cli({"regress", path}).status, 0);
        const CliResult added = cli({"regress", path, "--require-baseline"});
        QCOMPARE(added.status, 1);
        QVERIFY2(added.out.startsWith("Rows of small are not in its baseline: 1 new, 2 same."), added.out);
        const CliResult junit = cli({"regress", path, "--require-baseline", "--format", "junit"});
        QCOMPARE(junit.status, 1);
        QCOMPARE(junit.out.count("<failure type=\"new\" message=\"not in the baseline\">"), 1);
        QCOMPARE(junit.out.count("<failure "), 1);
        QCOMPARE(junit.out.count(" failures=\"1\""), 2); // of all, and of the one model
        QCOMPARE(cli({"regress", path, "--format", "junit"}).out.count("<failure "), 0);
    }

    /// Programs read it in a field of the JSON, people see it on the page.
    void aRequiredBaselineThatIsMissedIsInTheJsonAndOnThePage()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", suite);
        const QStringList required{"--require-baseline"};
        const auto missing = [&](const QStringList& more) -> QJsonValue {
            return cli(QStringList{"regress", path, "--format", "json"} + more).object().value(QLatin1String("baseline_missing"));
        };
        const auto page = [&](const QStringList& more) -> QByteArray {
            return cli(QStringList{"regress", path, "--format", "html"} + more).out;
        };
        QCOMPARE(missing(required), QJsonValue(true));
        QVERIFY(missing({}).isUndefined());
        const QByteArray bad = page(required);
        QVERIFY(bad.contains("<section class=\"verdict no\">"));
        QVERIFY(bad.contains("No baseline of small yet: 2 new."));
        QCOMPARE(bad.count("<span class=\"chip bad\">new</span>"), 2);
        QCOMPARE(bad.count("<td>not in the baseline</td>"), 2);
        const QByteArray plain = page({});
        QVERIFY(plain.contains("<section class=\"verdict\">") && !plain.contains("<span class=\"chip bad\">"));
        QCOMPARE(cli({"regress", path, "--update"}).status, 0);
        QCOMPARE(missing(required), QJsonValue(false));
        QVERIFY(page(required).contains("<section class=\"verdict\">"));
    }

    /// Three names of 60 letters: the cause has more than 200 characters, and is whole in the table and above the maps.
    void thePageHasWholeCauses()
    {
        const Cli cli;
        const QByteArray a(60, 'a'), b(60, 'b'), c(60, 'c');
        const auto write = [&](int factor) {
            const auto row = [&](const QByteArray& name, int size) -> QByteArray {
                return name + ",0,2," + QByteArray::number(size * factor);
            };
            cli.file("a.csv", "id,lower,upper,size\n" + row(a, 100) + '\n' + row(b, 200) + '\n' + row(c, 300) + '\n');
        };
        const QString path = cli.file("suite.json", R"({"format": "stowage.suite/1", "name": "small",
            "rows": [{"model": "a.csv", "planners": ["naive"]}]})");
        write(1);
        QCOMPARE(cli({"regress", path, "--update"}).status, 0);
        write(2);
        const CliResult page = cli({"regress", path, "--format", "html"});
        QCOMPARE(page.status, 1);
        const QByteArray cause = "size 600 B above the baseline: the bound of the model rose by 600 B, as " + c +
                                 " grew from 300 B to 600 B, " + b + " grew from 200 B to 400 B, " + a +
                                 " grew from 100 B to 200 B"; // they are live together: the bound is their sum
        QVERIFY2(page.out.contains("<td>" + cause + "</td>"), page.out.left(page.out.indexOf("<div id=\"maps\">")).right(3000));
        QCOMPARE(page.out.count(cause), 2);
    }

    void underCTestARequiredBaselineIsMissed()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", suite);
        QCOMPARE(regressUnderCTest({path}).status, 0);
        const CliResult missed = regressUnderCTest({path, "--require-baseline", "row:a.csv exact"});
        QCOMPARE(missed.status, 1);
        QVERIFY2(missed.out.contains("new: a.csv exact: not in the baseline"), missed.out);
        QCOMPARE(cli({"regress", path, "--update"}).status, 0);
        QCOMPARE(regressUnderCTest({path, "--require-baseline"}).status, 0);
    }

    /// The file's name and the functions' names have the characters that separate the parts of a key.
    void anUpdateWithoutTheModelKeepsItsBaselineAndItsPlans()
    {
        const Cli cli;
        const QByteArray model = QByteArray(threeFunctions).replace("\"first\"", "\"the # first\"");
        cli.file("kws#2.json", model);
        const QString path = cli.file("suite.json", R"({"format": "stowage.suite/1", "name": "small",
            "rows": [{"model": "kws#2.json", "planners": ["naive"]}]})");
        const CliResult first = cli({"regress", path, "--update"});
        QVERIFY2(first.status == 0, first.err);
        const QByteArray baseline = cli.contents("small.baseline.json");
        QVERIFY2(baseline.contains("kws#2.json#the # first naive") && baseline.contains("kws#2.json#second naive"), baseline);
        const QDir plans(cli.path("small.plans"));
        const QStringList kept = plans.entryList(QDir::Files);
        QCOMPARE(kept.size(), 4); // two files for each function

        QVERIFY(QFile::remove(cli.path("kws#2.json")));
        QCOMPARE(cli({"regress", path, "--update"}).status, 1); // a row failed
        QCOMPARE(cli.contents("small.baseline.json"), baseline);
        QCOMPARE(plans.entryList(QDir::Files), kept);
        cli.file("kws#2.json", model);
        QCOMPARE(cli({"regress", path}).out, QByteArray("No regression in small: 2 same.\n"));
    }

    /// 100 bytes move into the first pool: the total is the same, and the plan is not.
    void aPoolThatGrowsIsARegressionThatNamesIt()
    {
        const Cli cli;
        const auto write = [&](const QByteArray& pool) {
            cli.file("a.json", R"({"format": "stowage.problem/1", "name": "p",
                "pools": [{"name": "sram", "capacity": 1000}, {"name": "psram", "capacity": 8000}], "buffers": [
                {"name": "a", "size": 100, "live": [[0, 2]], "pools": ["sram"]},
                {"name": "b", "size": 100, "live": [[0, 2]], "pools": [")" +
                                   pool + "\"]}]}");
        };
        const QString path = cli.file("suite.json", R"({"format": "stowage.suite/1", "name": "small",
            "rows": [{"model": "a.json", "planners": ["greedy-by-size"]}]})");
        write("psram");
        QCOMPARE(cli({"regress", path, "--update"}).status, 0);
        write("sram");
        const CliResult result = cli({"regress", path});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.out.contains("sram 100 B above the baseline, psram 100 B below"), result.out);
        const CliResult junit = cli({"regress", path, "--format", "junit"});
        QVERIFY2(junit.out.contains("\nsram: baseline 100 B, current 200 B\npsram: baseline 100 B, current 0 B</failure>"),
                 junit.out);
    }

    /// Rows of one model, target and planner differ in their settings only.
    void rowsOfThePageAreToldApart()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", R"({"format": "stowage.suite/1", "name": "small", "rows": [
            {"model": "a.csv", "planners": ["hill-climb"], "seed": 1},
            {"model": "a.csv", "planners": ["hill-climb"], "seed": 2, "alignment": 8}]})");
        const CliResult page = cli({"regress", path, "--format", "html"});
        QVERIFY2(page.status == 0, page.err);
        QVERIFY2(page.out.contains("<td>seed=1</td>") && page.out.contains("<td>alignment=8, seed=2</td>"), page.out);
        QVERIFY(page.out.contains("<th>settings</th>"));
        cli.file("suite.json", suite);
        QVERIFY(!cli({"regress", path, "--format", "html"}).out.contains("<th>settings</th>")); // it would be empty
    }

    /// The planner notes the limit that QtTest has for a row, and takes the model away: the next row has it open already.
    void underCTestARowHasNoTimeLimitAndAModelIsReadOnce()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        QVERIFY(QDir().mkpath(cli.path("plug-ins")));
        cli.file("plug-ins/noting.json", R"({"id": "noting", "name": "Noting", "protocol": 1, "transport": "csv-oneshot",
            "argv": ["sh", "{dir}/noting.sh"]})");
        cli.file("plug-ins/noting.sh", "echo \"$QTEST_FUNCTION_TIMEOUT\" >'" + cli.path("limit").toUtf8() + "'\nrm -f '" +
                                           cli.path("a.csv").toUtf8() + "'\nexit 1\n");
        const QString path = cli.file("suite.json", R"({"format": "stowage.suite/1", "name": "small", "rows": [
            {"model": "a.csv", "planners": ["noting", "naive"], "time_limit": 600}]})");
        const CliResult result = regressUnderCTest({path}, {}, cli.path("plug-ins"));
        QCOMPARE(result.status, 1);
        QVERIFY2(result.out.contains("FAIL!  : stowage::RegressionRows::row(a.csv noting)"), result.out);
        QVERIFY2(result.out.contains("PASS   : stowage::RegressionRows::row(a.csv naive)"), result.out);
        QVERIFY2(cli.contents("limit").trimmed().toLongLong() > 86'400'000, cli.contents("limit")); // more than a day
        QVERIFY2(result.err.contains("warning: ") && result.err.contains("have a time limit"), result.err);

        cli.file("a.csv", threeBuffers);
        regressUnderCTest({path}, "1234567", cli.path("plug-ins"));
        QCOMPARE(cli.contents("limit"), QByteArray("1234567\n")); // the user's own
    }

    /// Whichever rows QtTest is asked for, only rows that the suite cannot give are gone.
    void underCTestRowsOfTheBaselineThatAreGoneFail()
    {
        const Cli cli;
        cli.file("a.csv", threeBuffers);
        const QString path = cli.file("suite.json", suite);
        QCOMPARE(cli({"regress", path, "--update"}).status, 0);
        QCOMPARE(regressUnderCTest({path}).status, 0);
        QCOMPARE(regressUnderCTest({path, "baselineHasNoOtherRows"}).status, 0);
        cli.file("suite.json", QByteArray(suite).replace("\"exact\", ", ""));
        for (const QStringList& arguments : {QStringList{path}, QStringList{path, "baselineHasNoOtherRows"}}) {
            const CliResult result = regressUnderCTest(arguments);
            QCOMPARE(result.status, 1);
            QVERIFY2(result.out.contains("gone: a.csv exact: the suite no longer has this row"), result.out);
            QVERIFY2(!result.out.contains("gone: a.csv naive"), result.out);
        }
    }
};

QTEST_GUILESS_MAIN(CliSuiteTest)
#include "tst_cli_suite.moc"

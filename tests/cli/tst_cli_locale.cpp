// The program in a locale with a comma for the decimal point writes the same bytes, reads the same numbers and makes the same
// plans.
#include "tests/cli/cli_process.h"
#include "tests/support/comma_locale.h"

#include <QRegularExpression>
#include <QTest>

using namespace stowage::test;

namespace {

/// Without times, which differ from run to run: in JSON and in sentences.
QByteArray withoutTimes(const QByteArray& text)
{
    static const QRegularExpression times(QStringLiteral("(\"elapsed_ms\": |\"time_ms\": )[0-9.,e+-]+|[0-9.,]+ (ms|µs|s)\\b"));
    return QString::fromUtf8(text).replace(times, QStringLiteral("TIME")).toUtf8();
}

} // namespace

class CliLocaleTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;
    CommaLocale locale_;

    [[nodiscard]] CliResult in(const char* locale, const QStringList& arguments) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment(); // has LOCPATH
        for (const char* name : {"LC_ALL", "LANG", "LC_NUMERIC"}) environment.insert(QLatin1String(name), QLatin1String(locale));
        process.setProcessEnvironment(environment);
        process.start(Cli::program(), arguments);
        if (!process.waitForFinished(60'000)) process.kill();
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
                process.readAllStandardError()};
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (*locale_.missing()) QSKIP(locale_.missing());
    }

    void everyAnswerIsTheSame_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        const QString three = cli_.file("three.csv", threeBuffers);
        // Weights that are live together; fractions in the input: what they cost decides about the devices.
        const QString program = cli_.file(
            "program.json", R"({"format": "stowage.program/1", "name": "p", "entry": "main", "functions": [{"name": "main",
            "inputs": ["x"], "outputs": ["y"], "tensors": [{"name": "x", "kind": "input", "bytes": 1000},
            {"name": "h", "bytes": 1500}, {"name": "y", "kind": "output", "bytes": 500}], "ops": [
            {"name": "a", "kind": "conv", "inputs": ["x"], "outputs": ["h"], "cost_us": 1.75},
            {"name": "b", "kind": "conv", "inputs": ["h"], "outputs": ["y"], "cost_us": 2.5}]}]})");
        const QString mobilenet = Cli::sample("mobilenet_v1_025.json");
        const QString suite = cli_.file("suite.json", R"({"format": "stowage.suite/1", "name": "s", "rows": [
            {"model": "three.csv", "planners": ["naive"], "tolerance": {"size_percent": 33.5, "gap": 0.25}}]})");
        // 40 bytes of naive were 30: 33.4 per cent more is allowed when fractions count, and 33 is not.
        cli_.file("s.baseline.json", R"({"format": "stowage.baseline/1", "suite": "s", "rows": [
            {"key": "three.csv naive", "status": "feasible", "size": 30, "bound": 30, "plan": "0"}]})");
        const auto row = [](const char* name, const QStringList& arguments, int status = 0) {
            QTest::newRow(name) << arguments << status;
        };
        row("plan as text", {"plan", mobilenet, "--planner", "greedy-by-size"});
        row("plan as JSON", {"plan", mobilenet, "--planner", "auto", "--format", "json"});
        row("plan as CSV", {"plan", mobilenet, "--planner", "hill-climb", "--format", "csv"});
        row("compare", {"compare", three, "--planners", "naive,greedy-by-size", "--format", "json"});
        row("a time limit", {"plan", three, "--planner", "exact", "--time-limit", "2.5"});
        row("info", {"info", mobilenet});
        row("explain", {"explain", mobilenet, "--planner", "greedy-by-size"});
        row("fold", {"fold", Cli::sample("mlp_packed_weights.json"), "--threshold", "1.5", "--format", "json"});
        row("convert", {"convert", program, "--to", "program"});
        row("pipeline", {"pipeline", "split", program, "--stages", "2", "--format", "json"});
        row("regress", {"regress", suite, "--format", "json"}, 1);
    }
    void everyAnswerIsTheSame()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        const CliResult plain = in("C.UTF-8", arguments), comma = in(commaLocaleName, arguments);
        QVERIFY2(plain.status == status, plain.out + plain.err);
        QCOMPARE(comma.status, status);
        QVERIFY(!plain.out.isEmpty());
        QCOMPARE(withoutTimes(comma.out), withoutTimes(plain.out));
        QCOMPARE(withoutTimes(comma.err), withoutTimes(plain.err));
    }

    void everyFileIsTheSame_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QString mobilenet = Cli::sample("mobilenet_v1_025.json");
        const QStringList planned{"--planner", "greedy-by-size"};
        for (const char* view : {"memory-map", "usage", "graph"})
            QTest::newRow(view) << QStringList{"render", mobilenet, "--view", view, "-o", "out.svg"} + planned;
        QTest::newRow("report") << QStringList{"export", mobilenet, "--as", "report", "--no-date", "-o", "out.html"} + planned;
        QTest::newRow("trace") << QStringList{"export", mobilenet, "--as", "chrome-trace", "-o", "out.json"} + planned;
        QTest::newRow("C header") << QStringList{"export", mobilenet, "--as", "c-header", "-o", "out.h"} + planned;
        QTest::newRow("pipeline") << QStringList{"pipeline", "split", mobilenet, "--stages", "2", "-o", "out.json"};
    }
    void everyFileIsTheSame()
    {
        QFETCH(QStringList, arguments);
        const qsizetype at = arguments.indexOf("-o") + 1;
        const QString name = arguments.at(at);
        arguments[at] = cli_.path(name);
        const CliResult plain = in("C.UTF-8", arguments);
        QVERIFY2(plain.status == 0, plain.err);
        const QByteArray written = cli_.contents(name);
        QVERIFY(written.size() > 100 && QFile::remove(cli_.path(name)));
        const CliResult comma = in(commaLocaleName, arguments);
        QVERIFY2(comma.status == 0, comma.err);
        QCOMPARE(withoutTimes(cli_.contents(name)), withoutTimes(written));
    }
};

QTEST_GUILESS_MAIN(CliLocaleTest)
#include "tst_cli_locale.moc"

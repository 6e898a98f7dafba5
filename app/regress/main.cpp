// stowage-regress: a regression suite as a QtTest executable, for projects that run CTest. One data row of `row` is one row of
// the suite; every option of QtTest works (-o FILE,junitxml, a single row by its name, -silent). A row has no time limit, unless
// QTEST_FUNCTION_TIMEOUT sets one in milliseconds.
//
//     stowage-regress nightly.json [--require-baseline] [QtTest options]
//
// With --require-baseline rows that the baseline lacks fail, too.
#include "app/session/native_path.h"
#include "app/session/regress/suite_run.h"

#include <QCoreApplication>
#include <QTest>

#include <cstdio>
#include <limits>
#include <memory>
#include <set>
#include <string>

namespace stowage {

namespace {

class RegressionRows : public QObject {
    Q_OBJECT

public:
    RegressionRows(const Suite& suite, const Baseline& baseline, bool baselineRequired)
        : suite_(suite), baselineRequired_(baselineRequired), runner_(session_, suite, baseline)
    {
    }

private Q_SLOTS:
    void row_data() const
    {
        if (suite_.rows.empty()) QSKIP("the suite has no rows");
        QTest::addColumn<int>("index");
        std::set<std::string> named; // data tags have to be unique for QtTest; a suite may repeat a row
        for (std::size_t i = 0; i < suite_.rows.size(); ++i) {
            const std::string key = keyOf(suite_.rows[i], suite_.rows[i].function);
            if (named.insert(key).second) QTest::newRow(key.c_str()) << static_cast<int>(i);
        }
    }

    void row()
    {
        QFETCH(int, index);
        QByteArray regressions;
        runner_.plan(static_cast<std::size_t>(index), [&](const RowResult& result, const std::shared_ptr<const Run>&) {
            const bool failed = isFailure(result, baselineRequired_);
            const QByteArray line = QByteArray::fromStdString(std::string(toText(result.verdict)) + ": " + result.key + ": " +
                                                              (failed ? failureSentence(result) : placedSentence(result)));
            if (failed)
                regressions += line + '\n';
            else if (result.verdict != RowVerdict::same || !remarks(result).empty())
                qInfo("%s", line.constData());
        });
        QVERIFY2(regressions.isEmpty(), regressions.constData());
    }

    /// A row that QtTest was not asked for may give any of its keys.
    void baselineHasNoOtherRows()
    {
        QByteArray gone;
        for (const RowResult& result : runner_.gone())
            gone += QByteArray::fromStdString("gone: " + result.key + ": " + placedSentence(result) + '\n');
        QVERIFY2(gone.isEmpty(), gone.constData());
    }

private:
    Session session_;
    const Suite& suite_;
    bool baselineRequired_;
    SuiteRunner runner_; ///< the planners of a model stand together in a suite: it is read once for them
};

int fail(const Error& error)
{
    std::fprintf(stderr, "%s\n", toText(error).c_str());
    return 2;
}

int run(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 2 || arguments[1].startsWith('-')) {
        std::fputs("usage: stowage-regress SUITE.json [--require-baseline] [QtTest options]\n", stderr);
        return 2;
    }
    arguments.removeAt(1);
    const bool baselineRequired = arguments.removeAll(QStringLiteral("--require-baseline")) > 0;
    const auto suite = loadSuite(pathFromNative(argv[1]));
    if (!suite) return fail(suite.error());
    for (const Diagnostic& each : suite->warnings) std::fprintf(stderr, "%s\n", toText(each).c_str());
    const auto baseline = loadBaseline(*suite);
    if (!baseline) return fail(baseline.error());
    // QtTest ends a function after five minutes by default; a row takes as long as its planner needs.
    constexpr const char* limit = "QTEST_FUNCTION_TIMEOUT";
    if (!qEnvironmentVariableIsSet(limit)) qputenv(limit, QByteArray::number(std::numeric_limits<int>::max()));
    RegressionRows rows(*suite, *baseline, baselineRequired);
    return QTest::qExec(&rows, arguments) == 0 ? 0 : 1;
}

} // namespace

} // namespace stowage

int main(int argc, char** argv)
{
    return stowage::run(argc, argv);
}

#include "main.moc"

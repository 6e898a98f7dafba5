// stowage-regress: a regression suite as a QtTest executable, for projects that run CTest. One data row of `row` is one row of
// the suite; every option of QtTest works (-o FILE,junitxml, a single row by its name, -silent).
//
//     stowage-regress nightly.json [QtTest options]
#include "app/session/native_path.h"
#include "app/session/regress/suite_run.h"

#include <QCoreApplication>
#include <QTest>

#include <cstdio>
#include <set>

namespace stowage {

namespace {

class RegressionRows : public QObject {
    Q_OBJECT

public:
    RegressionRows(Suite suite, Baseline baseline) : suite_(std::move(suite)), baseline_(std::move(baseline)) {}

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
        Suite one = suite_;
        one.rows = {suite_.rows[static_cast<std::size_t>(index)]};
        const SuiteOutcome outcome = runSuite(session_, one, baselineOf(baseline_, one.rows.front()));
        QByteArray regressions;
        for (const RowResult& result : outcome.results) {
            const QByteArray line = QByteArray::fromStdString(std::string(toText(result.verdict)) + ": " + result.key + ": " +
                                                              placedSentence(result));
            if (isRegression(result.verdict))
                regressions += line + '\n';
            else if (result.verdict != RowVerdict::same)
                qInfo("%s", line.constData());
        }
        QVERIFY2(regressions.isEmpty(), regressions.constData());
    }

    void baselineHasNoOtherRows()
    {
        std::set<std::string> given;
        for (const SuiteRow& row : suite_.rows)
            for (const BaselineRow& entry : baselineOf(baseline_, row).rows) given.insert(entry.key);
        for (const BaselineRow& entry : baseline_.rows)
            QVERIFY2(given.contains(entry.key), ("gone: " + entry.key + ": the suite no longer has this row").c_str());
    }

private:
    Session session_;
    Suite suite_;
    Baseline baseline_;
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
        std::fputs("usage: stowage-regress SUITE.json [QtTest options]\n", stderr);
        return 2;
    }
    arguments.removeAt(1);
    auto suite = loadSuite(pathFromNative(argv[1]));
    if (!suite) return fail(suite.error());
    auto baseline = loadBaseline(*suite);
    if (!baseline) return fail(baseline.error());
    RegressionRows rows(*std::move(suite), *std::move(baseline));
    return QTest::qExec(&rows, arguments) == 0 ? 0 : 1;
}

} // namespace

} // namespace stowage

int main(int argc, char** argv)
{
    return stowage::run(argc, argv);
}

#include "main.moc"

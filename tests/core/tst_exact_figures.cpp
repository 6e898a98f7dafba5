// The exact search on published instances: what it must reach, counted in nodes, which are the same on every machine.
#include "core/io/text.h"
#include "core/plan/report.h"
#include "core/planners/auto.h"
#include "core/planners/exact/exact.h"
#include "tests/support/shared.h"

#include <QFile>

using namespace stowage;

namespace {

Problem read(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    auto problem = io::readProblemCsv(file.readAll().toStdString(), path.toStdString());
    return problem ? std::move(problem->value) : Problem{};
}

Problem minimalloc(const char* letter)
{
    return read(stowage::test::sharedFile("bench/minimalloc/") + QString::fromUtf8(letter) + QStringLiteral(".1048576.csv"));
}

} // namespace

class TestExactFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { STOWAGE_NEEDS_SHARED(); }

    // MiniMalloc's authors publish that all eleven fit into 1 MiB. The search needs 300 to 40,000 nodes.
    void fitsEachOfTheElevenIntoOneMebibyte_data()
    {
        QTest::addColumn<QString>("letter");
        for (const char letter : {'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K'})
            QTest::addRow("%c", letter) << QString(QLatin1Char(letter));
    }
    void fitsEachOfTheElevenIntoOneMebibyte()
    {
        QFETCH(QString, letter);
        Problem problem = minimalloc(qPrintable(letter));
        QVERIFY(!problem.buffers.empty());
        problem.pools[0].capacity = 1048576;
        PlanContext context;
        context.workLimit = 60'000;
        const auto plan = exactPlanner()->plan(problem, {{"goal", "fit"}}, context);
        QVERIFY(plan);
        const Report report = evaluate(problem, *plan);
        QVERIFY(report.verdict.valid());
        QVERIFY2(report.pools[0].size <= 1048576, qPrintable(QString::number(report.pools[0].size)));
    }

    // E is the hardest of them, and no luck with one order or size decides it: whatever the noise, and a little above the size
    // too.
    void fitsTheHardestWithEveryNoise()
    {
        Problem problem = minimalloc("E");
        QVERIFY(!problem.buffers.empty());
        for (const Bytes more : {0, 4096})
            for (std::uint64_t seed = 0; seed < 5; ++seed) {
                problem.pools[0].capacity = 1048576 + more;
                PlanContext context;
                context.workLimit = 60'000;
                context.seed = seed;
                const auto plan = exactPlanner()->plan(problem, {{"goal", "fit"}}, context);
                QVERIFY(plan);
                const Report report = evaluate(problem, *plan);
                QVERIFY(report.verdict.valid());
                QVERIFY2(report.pools[0].size <= 1048576 + more,
                         qPrintable(QStringLiteral("seed %1, %2 more").arg(seed).arg(more)));
            }
    }

    // Where the most bytes live at one step are also the least size, reaching them is a proof. Eight of the eleven do at the
    // capacity in their name, C at 1039360.
    void reachesTheLowerBoundOfNine_data()
    {
        QTest::addColumn<QString>("letter");
        for (const char letter : {'A', 'B', 'C', 'E', 'F', 'G', 'H', 'I', 'K'})
            QTest::addRow("%c", letter) << QString(QLatin1Char(letter));
    }
    void reachesTheLowerBoundOfNine()
    {
        QFETCH(QString, letter);
        const Problem problem = minimalloc(qPrintable(letter));
        QVERIFY(!problem.buffers.empty());
        PlanContext context;
        context.workLimit = 500'000;
        const auto plan = exactPlanner()->plan(problem, {}, context);
        QVERIFY(plan);
        const Report report = evaluate(problem, *plan);
        QVERIFY(report.verdict.valid());
        QCOMPARE(report.pools[0].size, letter == QLatin1String("C") ? Bytes{1039360} : Bytes{1048576});
        QCOMPARE(report.status, Status::optimal);
    }

    // Seven of them are easy: `auto` answers with a proof after few nodes.
    void autoProvesEasyOnesAfterFewNodes_data()
    {
        QTest::addColumn<QString>("letter");
        for (const char letter : {'A', 'B', 'C', 'F', 'G', 'H', 'K'}) QTest::addRow("%c", letter) << QString(QLatin1Char(letter));
    }
    void autoProvesEasyOnesAfterFewNodes()
    {
        QFETCH(QString, letter);
        const Problem problem = minimalloc(qPrintable(letter));
        QVERIFY(!problem.buffers.empty());
        PlanContext context;
        context.workLimit = 5'000;
        const auto plan = autoPlanner()->plan(problem, {}, context);
        QVERIFY(plan);
        const Report report = evaluate(problem, *plan);
        QVERIFY(report.verdict.valid());
        QCOMPARE(report.status, Status::optimal);
    }
};

QTEST_APPLESS_MAIN(TestExactFigures)
#include "tst_exact_figures.moc"

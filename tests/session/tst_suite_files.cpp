// What lies beside a suite: its baseline, the plans that are kept with it, and its history.
#include "app/session/native_path.h"
#include "app/session/regress/kept_plans.h"
#include "app/session/regress/regression.h"
#include "tests/session/suite_folder.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <array>
#include <cstdio>
#include <filesystem>
#include <sys/stat.h>

using namespace stowage;
using namespace stowage::test;

class SuiteFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKeptPlanComesBackAsItWasAndIsDroppedWithItsRow()
    {
        const Session session;
        const SuiteFolder folder;
        folder.write("a.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n");
        folder.write("b.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\n");
        const Suite suite =
            folder.suite(R"({"model": "a.csv", "planners": ["exact"]}, {"model": "b.csv", "planners": ["exact"]})");
        const QString path = QString::fromStdString(suite.folder) + "suite.json";
        const auto first = runRegression(session, path);
        QVERIFY(bool(first));
        QCOMPARE(first->rows.size(), std::size_t(2));
        QCOMPARE(first->counts[std::size_t(RowVerdict::added)], std::size_t(2));
        QVERIFY(!first->rows.front().baseline && first->rows.front().noBaseline == "not in the baseline");
        const auto changes = acceptRows(*first, {});
        QVERIFY(bool(changes));
        QCOMPARE(changes->size(), std::size_t(2));
        QVERIFY(acceptRows(*first, {})->empty()); // nothing is left to accept

        // The model grows: the baseline's map is that of the smaller one, placement by placement.
        folder.write("a.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,16\n");
        const auto second = runRegression(session, path);
        QVERIFY(bool(second));
        const RegressionRow& worse = second->rows.front();
        QCOMPARE(worse.result.verdict, RowVerdict::worse);
        QVERIFY2(worse.baseline != nullptr, worse.noBaseline.c_str());
        QCOMPARE(worse.baseline->report.totalSize(), Bytes(30));
        QCOMPARE(worse.current->report.totalSize(), Bytes(36));
        QCOMPARE(planFingerprint(*worse.baseline), worse.result.baseline->plan);
        QCOMPARE(worse.baseline->report.status, worse.result.baseline->status);
        // What is as it was needs no second run.
        const RegressionRow& same = second->rows.back();
        QCOMPARE(same.result.verdict, RowVerdict::same);
        QCOMPARE(same.baseline.get(), same.current.get());

        // Accepting the row drops the plan that nothing names any more.
        const QDir plans(QString::fromStdString(keptFolder(suite)));
        QCOMPARE(plans.entryList(QDir::Files).size(), 4);
        const std::array<std::string, 1> key{worse.result.key};
        QVERIFY(bool(acceptRows(*second, key)));
        QCOMPARE(plans.entryList(QDir::Files).size(), 4);
        QVERIFY(!QFile::exists(QString::fromStdString(keptPlanPath(suite, worse.result.baseline->kept))));
        QCOMPARE(runRegression(session, path)->counts[std::size_t(RowVerdict::same)], std::size_t(2));
    }

    /// The name of a kept plan is a hash of it: a file of that name with other contents is damaged, and written again.
    void aDamagedKeptPlanIsWrittenAgain()
    {
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        const Suite suite = folder.suite(R"({"model": "a.csv", "planners": ["naive"]})");
        const Session session;
        std::shared_ptr<const Run> run;
        SuiteRunOptions options;
        options.finished = [&](const RowResult&, const std::shared_ptr<const Run>& made, std::size_t, std::size_t) {
            run = made;
        };
        runSuite(session, suite, {}, options);
        QVERIFY(run);
        const auto name = keepPlan(suite, *run);
        QVERIFY(name && keptRun(session, suite, *name));
        for (const std::string& path : {keptProblemPath(suite, *name), keptPlanPath(suite, *name)}) {
            QVERIFY(QFile::resize(QString::fromStdString(path), 20));
            QVERIFY(!keptRun(session, suite, *name));
            QVERIFY(keepPlan(suite, *run));
            QVERIFY(keptRun(session, suite, *name));
        }
    }

    void aBaselineNamesNoPath()
    {
        const Session session;
        const SuiteFolder folder;
        const Suite suite = folder.suite("");
        for (const char* name : {"../../../etc/passwd", "0123456789ABCDEF", "0123456789abcde", "", "0123456789abcdef/"}) {
            const auto run = keptRun(session, suite, name);
            QVERIFY(!run);
            QCOMPARE(run.error().code, Code::badValue);
        }
        QCOMPARE(keptRun(session, suite, "0123456789abcdef").error().code, Code::cannotOpen);
    }

    /// As after a merge of two branches that was left unresolved.
    void aBaselineThatCannotBeReadSaysWhatToDo()
    {
        const SuiteFolder folder;
        const Suite suite = folder.suite(R"({"model": "a.csv", "planners": ["naive"]})");
        folder.write("s.baseline.json", "{\n<<<<<<< HEAD\n \"format\": \"stowage.baseline/1\", \"rows\": []}");
        const auto baseline = loadBaseline(suite);
        QVERIFY(!baseline);
        QCOMPARE(baseline.error().where.line, 2);
        QVERIFY2(baseline.error().remedy.find("--update") != std::string::npos, toText(baseline.error()).c_str());
    }

    void aSuiteInAFolderWhoseNameIsNotUtf8HasItsBaselineThere()
    {
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        const Suite suite = folder.suite(R"({"model": "a.csv", "planners": ["naive"]})");
        const std::string latin = suite.folder + "caf\xe9/"; // Latin-1
        QCOMPARE(::mkdir(latin.c_str(), 0700), 0);
        for (const char* name : {"a.csv", "suite.json"})
            QCOMPARE(::rename((suite.folder + name).c_str(), (latin + name).c_str()), 0);
        const Session session;
        const auto changes = [&]() -> std::size_t {
            const auto made = runRegression(session, pathFromNative(latin + "suite.json"));
            if (!made) return 99;
            const auto accepted = acceptRows(*made, {});
            return accepted ? accepted->size() : 98;
        };
        const std::size_t first = changes(), second = changes();
        std::error_code error;
        std::filesystem::remove_all(latin, error); // QTemporaryDir cannot name it
        QCOMPARE(first, std::size_t{1});
        QCOMPARE(second, std::size_t{0}); // the baseline was found
    }

    void theHistoryOfTheViewIsAppended()
    {
        const Session session;
        const SuiteFolder folder;
        folder.write("a.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n");
        const Suite suite =
            folder.suite(R"({"model": "a.csv", "planners": ["exact"]}, {"model": "lost.csv", "planners": ["exact"]})");
        for (int i = 0; i < 3; ++i) {
            const SuiteOutcome outcome = runSuite(session, suite, {});
            QVERIFY(!appendHistory(suite, outcome.results));
        }
        const auto history = loadHistory(suite);
        QCOMPARE(history.at("a.csv exact").size(), std::size_t(3));
        QCOMPARE(history.at("a.csv exact").front().size, std::optional<Bytes>(30));
        QCOMPARE(history.at("lost.csv exact").back().size, std::optional<Bytes>());
    }

    /// A history that is too large to be read is not written over by the few lines of today.
    void aHistoryThatCannotBeReadStaysAsItIs()
    {
        const Session session;
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        const Suite suite = folder.suite(R"({"model": "a.csv", "planners": ["exact"]})");
        QFile file(QString::fromStdString(historyPath(suite)));
        constexpr qint64 size = (qint64{64} << 20) + 1;
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(size));
        file.close();
        const auto error = appendHistory(suite, runSuite(session, suite, {}).results);
        QVERIFY(error);
        QCOMPARE(error->code, Code::tooLarge);
        QCOMPARE(file.size(), size);
    }
};

QTEST_GUILESS_MAIN(SuiteFilesTest)
#include "tst_suite_files.moc"

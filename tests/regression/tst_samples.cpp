// The project's own regression suites name every sample and every planner, and have accepted figures of all.
#include "app/session/regress/suite_run.h"
#include "core/planners/registry.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QTest>

#include <map>
#include <set>

using namespace stowage;

namespace {

/// Suites of tests/regression by name: those of the samples.
std::vector<Suite> suites()
{
    std::vector<Suite> all;
    const QDir folder(QStringLiteral(STOWAGE_SOURCE_DIR "/tests/regression"));
    for (const QString& name : folder.entryList({QStringLiteral("*.suite.json")})) {
        auto suite = loadSuite(folder.filePath(name));
        if (!suite) qFatal("%s", toText(suite.error()).c_str());
        all.push_back(*std::move(suite));
    }
    return all;
}

/// What lies among the samples and is no model: scripts, manifests, suites and their plans, documents.
bool isNoModel(const QString& path)
{
    for (const char* suffix : {".py", ".awk", ".suite.json", ".sweep.json", "/index.json", "/pipeline_document.json"})
        if (path.endsWith(QLatin1String(suffix))) return true;
    return path.contains(QStringLiteral("/planners.d/")) || path.contains(QStringLiteral(".plans/")) ||
           path.endsWith(QStringLiteral(".baseline.json")) || path.endsWith(QStringLiteral(".jsonl"));
}

/// An absent file is an empty baseline here.
Baseline baselineOf(const Suite& suite)
{
    auto baseline = loadBaseline(suite);
    if (!baseline) qFatal("%s", toText(baseline.error()).c_str());
    return *std::move(baseline);
}

} // namespace

class SamplesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySampleIsInASuite()
    {
        std::set<QString> named;
        for (const Suite& suite : suites())
            for (const SuiteRow& row : suite.rows)
                named.insert(QFileInfo(QString::fromStdString(suite.folder + row.model)).canonicalFilePath());
        QVERIFY(named.size() > 10);
        QStringList missing;
        QDirIterator files(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples"), QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = QFileInfo(files.next()).canonicalFilePath();
            if (!isNoModel(path) && !named.contains(path)) missing << path;
        }
        QVERIFY2(missing.isEmpty(), qPrintable("add them to tests/regression/samples.suite.json: " + missing.join(u' ')));
    }

    void everySampleIsPlannedByEveryPlanner()
    {
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (const Suite& suite : suites()) {
            std::map<std::string, std::set<std::string>> byModel;
            for (const SuiteRow& row : suite.rows) byModel[row.model].insert(row.planner.substr(0, row.planner.find(':')));
            for (const auto& [model, planners] : byModel)
                for (const auto& planner : registry.all())
                    QVERIFY2(planners.contains(planner->info().name), (model + " " + planner->info().name).c_str());
        }
    }

    /// Else a sample or a planner would be added, and nothing would notice what it does.
    void everyRowHasAcceptedFigures()
    {
        for (const Suite& suite : suites()) {
            const Baseline baseline = baselineOf(suite);
            for (const SuiteRow& row : suite.rows)
                QVERIFY2(!baselineKeysOf(baseline, row).empty(), (suite.name + ": " + keyOf(row, row.function)).c_str());
        }
    }

    /// The compiler's description of a kernel that lies beside it is planned as this kernel.
    void aMemoryInfoHasTheFiguresOfItsKernel()
    {
        const std::string info = "memory_info.json", kernel = "mlir";
        std::size_t compared = 0;
        for (const Suite& suite : suites()) {
            const Baseline baseline = baselineOf(suite);
            for (const BaselineRow& row : baseline.rows) {
                const auto at = row.key.find(info);
                if (at == std::string::npos) continue;
                const SuiteFigures* other = baseline.find(std::string(row.key).replace(at, info.size(), kernel));
                QVERIFY2(other, row.key.c_str());
                QVERIFY2(row.figures.size == other->size && row.figures.bound == other->bound &&
                             row.figures.plan == other->plan && row.figures.stalls == other->stalls,
                         row.key.c_str());
                ++compared;
            }
        }
        QCOMPARE(compared, PlannerRegistry::builtIn().all().size());
    }

    /// The log states sizes and steps of use, and the bytes that the runtime's planner took.
    void theLogOfARuntimeHasTheFiguresThatItStates()
    {
        for (const Suite& suite : suites()) {
            if (suite.name != "samples") continue;
            const Baseline baseline = baselineOf(suite);
            const auto figures = [&](const char* planner) {
                return baseline.find(std::string("../../resources/samples/tflite/doorbell.log ") + planner);
            };
            const SuiteFigures* runtime = figures("tflm-greedy");
            const SuiteFigures* endToEnd = figures("naive");
            QVERIFY(runtime && endToEnd);
            QCOMPARE(runtime->size, Bytes{73'728});   // its line "Arena allocation head"
            QCOMPARE(runtime->bound, Bytes{55'360});  // at step 3: buffers 2 and 3, and 64 bytes of scratch
            QCOMPARE(endToEnd->size, Bytes{352'560}); // the sum of its sizes
        }
    }
};

QTEST_GUILESS_MAIN(SamplesTest)
#include "tst_samples.moc"

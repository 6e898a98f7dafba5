// The project's own regression suites name every sample and every planner.
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

/// What lies among the samples and is no model: scripts, logs and plans of models, manifests, suites, documents.
bool isNoModel(const QString& path)
{
    for (const char* suffix :
         {".py", ".awk", ".log", ".memory_info.json", ".suite.json", ".sweep.json", "/index.json", "/pipeline_document.json"})
        if (path.endsWith(QLatin1String(suffix))) return true;
    return path.contains(QStringLiteral("/planners.d/")) || path.contains(QStringLiteral(".plans/")) ||
           path.endsWith(QStringLiteral(".baseline.json")) || path.endsWith(QStringLiteral(".jsonl"));
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
};

QTEST_GUILESS_MAIN(SamplesTest)
#include "tst_samples.moc"

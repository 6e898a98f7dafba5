// Files of Stowage that are not models, opened as models.
#include "app/session/session.h"
#include "tests/support/paths.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

using namespace stowage;

class KnownFilesTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

private Q_SLOTS:
    void eachSaysWhatItIsAndWhatTakesIt_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("remedy");
        const QString resources = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/");
        QTest::newRow("a suite") << resources + "samples/suites/sizes.suite.json"
                                 << "this is a suite"
                                 << "stowage-cli regress";
        QTest::newRow("a sweep") << resources + "samples/suites/planners.sweep.json"
                                 << "of a sweep"
                                 << "stowage-cli sweep";
        QTest::newRow("a target") << resources + "targets/cortex-m7.json"
                                  << "this is a target"
                                  << "--target";
        QTest::newRow("a plan") << test::writtenFile(folder_, "a.json", R"({"format": "stowage.plan/1", "pools": []})")
                                << "this is a plan"
                                << "stowage-cli check";
        QTest::newRow("a configuration, as in the document") << resources + "samples/pipeline_document.json"
                                                             << "the configuration of a pipeline"
                                                             << "stowage-cli pipeline config check";
        QTest::newRow("a manifest") << resources + "samples/planners.d/stack-awk.json"
                                    << "the manifest of a plug-in"
                                    << "Plug-ins";
        QTest::newRow("a result") << test::writtenFile(folder_, "b.json", R"({"format": "stowage.fit/1"})")
                                  << "a result of Stowage (stowage.fit)"
                                  << "the model that it is about";
    }
    void eachSaysWhatItIsAndWhatTakesIt()
    {
        QFETCH(QString, path);
        QFETCH(QString, said);
        QFETCH(QString, remedy);
        const auto read = Session().read(path);
        QVERIFY(!read);
        const bool plan = said.endsWith("plan");
        QCOMPARE(read.error().code, plan ? Code::planAlone : Code::notAModel);
        QCOMPARE(read.error().where.file, path.toStdString());
        QVERIFY2(read.error().message.find(said.toStdString()) != std::string::npos, toText(read.error()).c_str());
        QVERIFY2(read.error().remedy.find(remedy.toStdString()) != std::string::npos, toText(read.error()).c_str());
    }
};

QTEST_GUILESS_MAIN(KnownFilesTest)
#include "tst_known_files.moc"

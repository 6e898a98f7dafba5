// The host finds plugins, says why it refuses one, and never runs a refused one's code.
#include "plugins/api/plugin.h"
#include "plugins/host/plugin_host.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QTest>

using namespace stowage;

class TestHost : public QObject {
    Q_OBJECT

private:
    static QString folder(const char* name) { return QStringLiteral(STOWAGE_TEST_PLUGINS "/") + QLatin1String(name); }
    /// The only row of a folder with one test plugin.
    static PluginRow only(const char* name)
    {
        const QStringList files = QDir(folder(name)).entryList(QDir::Files);
        if (files.size() != 1) return {};
        return readPlugin(folder(name) + QLatin1Char('/') + files.front());
    }

private Q_SLOTS:
    void initTestCase() { qunsetenv("STOWAGE_PLUGIN_PATH"); }

    void usablePluginTellsItsImportersWithoutBeingLoaded()
    {
        const PluginHost host({folder("good")});
        const PluginRow* row = host.importerPlugin("test-good");
        QVERIFY(row != nullptr);
        QCOMPARE(row->id, QStringLiteral("org.stowage.test.good"));
        QCOMPARE(row->importers.size(), std::size_t{1});
        QCOMPARE(row->importers[0].suffixes, std::vector<std::string>{"test"});
    }

    void refusalsAreRowsWithReasonAndRemedy_data()
    {
        QTest::addColumn<QByteArray>("plugin");
        QTest::addColumn<QString>("reason");
        // The IID begins with ours: a comparison of a prefix would take it.
        QTest::newRow("wrong IID") << QByteArray("wrong_iid") << QStringLiteral("\"org.stowage.Plugin/10\"");
        QTest::newRow("needs a later API") << QByteArray("api_too_new") << QStringLiteral("needs plugin API 9");
        QTest::newRow("API range of nonsense") << QByteArray("api_nonsense") << QStringLiteral("range 4 to 3 makes no sense");
        QTest::newRow("built for an earlier API") << QByteArray("api_too_old") << QStringLiteral("was built for plugin API 2");
        QTest::newRow("importer without importers") << QByteArray("no_importers") << QStringLiteral("names none");
    }

    void refusalsAreRowsWithReasonAndRemedy()
    {
        QFETCH(QByteArray, plugin);
        QFETCH(QString, reason);
        const PluginRow row = only(plugin.constData());
        QVERIFY(row.path.startsWith(QLatin1Char('/')));
        QCOMPARE(row.state, PluginState::refused);
        QVERIFY2(row.reason.contains(reason), qPrintable(row.reason));
        QVERIFY(!row.remedy.isEmpty());
        const auto loaded = loadPlugin(row.path, LoadedIn::host);
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Code::pluginRefused);
    }
};

QTEST_GUILESS_MAIN(TestHost)
#include "tst_host.moc"

// Exporters of libraries run in the worker: what they write comes back whole, and whatever else they do is one error.
#include "core/plan/report.h"
#include "plugins/host/isolated_exporter.h"
#include "plugins/host/worker_client.h"
#include "tests/support/paths.h"

#include <QTemporaryDir>
#include <QTest>

using namespace stowage;

class ExporterPluginsTest : public QObject {
    Q_OBJECT

    QTemporaryDir settings_;

    static QString folder() { return QStringLiteral(STOWAGE_TEST_PLUGINS "/writing"); }
    static std::shared_ptr<const Exporter> exporter()
    {
        const PluginHost host(QStringList{folder()});
        for (const PluginRow& row : host.rows())
            for (const auto& each : exportersOf(row, WorkerClient::installedWorker()))
                if (each->info().name == "test-lines") return each;
        return nullptr;
    }
    /// Two buffers side by side: 16 and 8 bytes at 0 and 16.
    static ExportRequest request(const char* deed)
    {
        auto lowering = std::make_shared<Lowering>();
        lowering->problem.pools = {{.name = "arena"}};
        for (const auto& [name, size] : {std::pair("a", 16), std::pair("b", 8)}) {
            Buffer& buffer = lowering->problem.buffers.emplace_back();
            buffer.name = name;
            buffer.size = size;
            buffer.live = {{0, 1}};
        }
        auto run = std::make_shared<Run>();
        run->lowering = lowering;
        run->plan.placements = {{0, 0, {}, {}}, {0, 16, {}, {}}};
        run->report = evaluate(*run);
        return {{{"toy", "toy.csv", "csv", {{"", run}}}}, {{"deed", deed}}};
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_CONFIG_HOME", settings_.path().toUtf8());
        qputenv("XDG_DATA_HOME", settings_.path().toUtf8());
        qunsetenv("STOWAGE_PLUGIN_PATH");
        QVERIFY(exporter());
    }

    void theMetadataSaysWhatItWrites()
    {
        const ExporterInfo info = exporter()->info();
        QCOMPARE(info.title, std::string("lines"));
        QCOMPARE(info.suffixes, std::vector<std::string>{"txt"});
        QVERIFY(info.form == ExportForm::file);
        QCOMPARE(info.options.size(), std::size_t{1});
    }

    void whatItWritesComesBack()
    {
        const auto exported = exporter()->write(request("none"));
        QVERIFY2(exported, exported ? "" : exported.error().message.c_str());
        QCOMPARE(exported->files.size(), std::size_t{1});
        QCOMPARE(exported->files.front().name, std::string("toy.txt"));
        QCOMPARE(exported->files.front().bytes, std::string("toy 24\na arena 0\nb arena 16\n")); // evaluated again in the worker
        QCOMPARE(exported->diagnostics.size(), std::size_t{1});
    }

    void whateverElseItDoesIsOneError_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("crash") << QByteArray("worker-crashed");
        QTest::newRow("throw") << QByteArray("planner-failed");
        QTest::newRow("refuse") << QByteArray("not-supported");
        QTest::newRow("escape") << QByteArray("cannot-write");
        QTest::newRow("dance") << QByteArray("bad-option-value");
    }
    void whateverElseItDoesIsOneError()
    {
        QFETCH(QByteArray, code);
        const auto exported = exporter()->write(request(QTest::currentDataTag()));
        QVERIFY(!exported);
        QCOMPARE(QByteArray::fromStdString(std::string(codeText(exported.error()))), code);
        QVERIFY(exporter()->write(request("none"))); // the next one works
    }

    void safeModeSkipsIt()
    {
        const PluginHost host(PluginSettings{{folder()}, true});
        for (const PluginRow& row : host.rows()) QVERIFY(exportersOf(row, WorkerClient::installedWorker()).empty());
    }
};

QTEST_GUILESS_MAIN(ExporterPluginsTest)
#include "tst_exporter_plugins.moc"

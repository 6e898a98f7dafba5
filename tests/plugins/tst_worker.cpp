// Whatever a plugin or the worker does, the caller gets an answer or one clear error, soon, and lives.
#include "plugins/external/confinement.h"
#include "plugins/host/worker_client.h"
#include "tests/plugins/made_model.h"
#include "tests/plugins/tflite_support.h"
#include "tests/support/instrumented.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <thread>

using namespace stowage;
using namespace stowage::test;
using namespace std::chrono_literals;

namespace {

QString folder(const char* plugin)
{
    return QStringLiteral(STOWAGE_TEST_PLUGINS "/") + QLatin1String(plugin);
}

QString worker()
{
    return WorkerClient::installedWorker();
}

WorkerLimits shortLimits()
{
    return {Bytes{512} << 20, 20s, Bytes{64} << 20};
}

Expected<ImportedInput> importText(std::string_view text, const QStringList& folders, const WorkerLimits& limits = shortLimits())
{
    const PluginHost host(folders);
    return WorkerClient(host, limits, worker()).import({QStringLiteral("pasted.test"), text, {}, {}, {}});
}

QByteArray said(const Error& error)
{
    return QByteArray::fromStdString(std::string(codeText(error)) + ": " + error.message);
}

/// A stand-in for the worker that does not keep to the rules.
class RogueWorker {
public:
    explicit RogueWorker(const char* script)
    {
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly)) qFatal("no temporary file");
        file.write("#!/bin/sh\n");
        file.write(script);
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    }
    QString path() const { return folder_.filePath(QStringLiteral("worker")); }
    QString besideIt(const char* name) const { return folder_.filePath(QLatin1String(name)); }

private:
    QTemporaryDir folder_;
};

} // namespace

class TestWorker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qunsetenv("STOWAGE_PLUGIN_PATH");
        QVERIFY2(QFile::exists(worker()), qPrintable(worker()));
    }

    void importerIsFoundByContents()
    {
        const auto result = importText("good text", {folder("misbehaving"), folder("good")});
        QVERIFY2(bool(result), result ? "" : said(result.error()).constData());
        QCOMPARE(result->importer, std::string("test-good"));
        QCOMPARE(std::get<Problem>(result->imported.content).buffers.at(0).size, Bytes{9});
    }

    /// A worker that its host ends while a library loads has not crashed.
    void importerThatHangsWhileItLoadsIsNotSuspended()
    {
        qputenv("STOWAGE_TEST_LOAD_HANGS", "1");
        WorkerLimits limits = shortLimits();
        limits.time = 1s;
        const auto result = importText("good text", {folder("misbehaving")}, limits);
        qunsetenv("STOWAGE_TEST_LOAD_HANGS");
        QVERIFY(!result);
        QCOMPARE(result.error().code, Code::unknownFormat); // it was left out after a second
        const PluginHost host({folder("misbehaving")});
        for (const PluginRow& row : host.rows())
            if (row.path.startsWith(folder("misbehaving"))) QVERIFY(row.state == PluginState::usable);
    }

    void fileIsReadByTheWorker()
    {
        QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("odd näme.bin")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("good, and read from a file");
        file.close();
        const PluginHost host({folder("good")});
        const auto result = WorkerClient(host, shortLimits(), worker()).import({file.fileName(), {}, {}, {}, {}});
        QVERIFY2(bool(result), result ? "" : said(result.error()).constData());
        QCOMPARE(std::get<Problem>(result->imported.content).buffers.at(0).size, Bytes{26});

        const auto absent =
            WorkerClient(host, shortLimits(), worker()).import({dir.filePath(QStringLiteral("absent")), {}, {}, {}, {}});
        QVERIFY(!absent);
        QCOMPARE(absent.error().code, Code::cannotRead);
    }

    void namedImporterIsTakenWithoutAsking()
    {
        const PluginHost host({folder("good"), folder("crash_when_asked")});
        const auto result =
            WorkerClient(host, shortLimits(), worker()).import({QStringLiteral("x"), "no magic", "test-good", {}, {}});
        QVERIFY2(bool(result), result ? "" : said(result.error()).constData());
        QVERIFY(result->imported.diagnostics.empty());
        const auto unknown =
            WorkerClient(host, shortLimits(), worker()).import({QStringLiteral("x"), "good", "tset-good", {}, {}});
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().code, Code::unknownImporter);
        QVERIFY(unknown.error().remedy.find("test-good") != std::string::npos);
    }

    void unknownFormatNamesARemedy()
    {
        const auto result = importText("nobody's", {folder("good")});
        QVERIFY(!result);
        QCOMPARE(result.error().code, Code::unknownFormat);
        QVERIFY(!result.error().remedy.empty());
    }

    void importersErrorArrivesWithItsPosition()
    {
        const auto result = importText("misbehaving error", {folder("misbehaving")});
        QVERIFY(!result);
        const Error expected = foreignFailure({"test-error"}, "the file says so", {"pasted.test", 3}, "Write another file.");
        QVERIFY(result.error() == expected);
    }

    void misbehaviourIsOneClearError_data()
    {
        QTest::addColumn<QByteArray>("order");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* order, const char* code, const char* says) {
            QTest::newRow(order) << QByteArray(order) << QByteArray(code) << QByteArray(says);
        };
        row("crash", "worker-crashed", "importer \"test-misbehaving\"");
        row("abort", "worker-crashed", "Abort");
        row("exit", "worker-crashed", "status 3");
        row("throw", "importer-exception", "thrown on purpose");
        row("hang", "worker-timeout", "2 s");
        row("large", "worker-flood", "bytes");
        row("wild ids", "worker-garbage", "damaged");
        if (!test::instrumented) row("memory", "worker-out-of-memory", "512 MiB");
    }

    void misbehaviourIsOneClearError()
    {
        QFETCH(QByteArray, order);
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, says);
        WorkerLimits limits = shortLimits();
        if (order == "hang") limits.time = 2s;
        if (order == "large") limits.output = Bytes{1} << 20;
        const auto result = importText(("misbehaving " + order).toStdString(), {folder("misbehaving")}, limits);
        QVERIFY(!result);
        QVERIFY2(codeText(result.error()) == code.toStdString(), said(result.error()).constData());
        QVERIFY2(result.error().message.find(says.toStdString()) != std::string::npos, said(result.error()).constData());
    }

    void foreignCodeReachesNothingOutside_data()
    {
        QTest::addColumn<QByteArray>("order");
        QTest::addColumn<QByteArray>("answer");
        for (const char* order : {"network", "local socket", "other program", "fork"})
            QTest::newRow(order) << QByteArray(order) << QByteArray("refused");
        QTest::newRow("thread") << QByteArray("thread") << QByteArray("allowed");
    }

    void foreignCodeReachesNothingOutside()
    {
        QFETCH(QByteArray, order);
        QFETCH(QByteArray, answer);
        if (const auto missing = external::confinementMissing(); !missing.empty()) QSKIP(std::string(missing).c_str());
        if (test::instrumented) QSKIP("a sanitized worker has no filter: its leak checker clones the process");
        const auto result = importText(("misbehaving " + order).toStdString(), {folder("misbehaving")});
        QVERIFY2(bool(result), result ? "" : said(result.error()).constData());
        QCOMPARE(QByteArray::fromStdString(std::get<Problem>(result->imported.content).name), answer);
    }

    void foreignCodeWritesNoLargeFile()
    {
        const auto result = importText("misbehaving large file", {folder("misbehaving")});
        QVERIFY2(bool(result), result ? "" : said(result.error()).constData());
        QCOMPARE(std::get<Problem>(result->imported.content).name, std::string("refused"));
    }

    /// No core dump; a limit of processor time that is not below that of the clock; the limit of memory that was asked for.
    void theWorkerHasTheLimitsOfItsHost()
    {
        const auto result = importText("misbehaving limits", {folder("misbehaving")});
        QVERIFY2(bool(result), result ? "" : said(result.error()).constData());
        const QStringList told = QString::fromStdString(std::get<Problem>(result->imported.content).name).split(u' ');
        QCOMPARE(told.at(0), QStringLiteral("0"));
        const qulonglong seconds = told.at(1).toULongLong();
        QVERIFY2(seconds >= 20 && seconds < 3600, qPrintable(told.at(1)));
        if (!test::instrumented) QCOMPARE(told.at(2), QStringLiteral("512"));
    }

    void chatterDoesNotDisturbTheAnswer_data()
    {
        QTest::addColumn<QByteArray>("order");
        QTest::newRow("a line on standard output") << QByteArray("print");
        QTest::newRow("5 MB on standard error") << QByteArray("log");
    }

    void chatterDoesNotDisturbTheAnswer()
    {
        QFETCH(QByteArray, order);
        const auto result = importText(("misbehaving " + order).toStdString(), {folder("misbehaving")});
        QVERIFY2(bool(result), result ? "" : said(result.error()).constData());
    }

    void pluginThatCrashesWhenAskedIsLeftOut()
    {
        const auto result = importText("good text", {folder("crash_when_asked"), folder("throw_when_loaded"), folder("good")});
        QVERIFY2(bool(result), result ? "" : said(result.error()).constData());
        const Diagnostics& diagnostics = result->imported.diagnostics;
        QCOMPARE(diagnostics.size(), std::size_t{1});
        QCOMPARE(diagnostics[0].severity, Severity::warning);
        QCOMPARE(diagnostics[0].code, Code::pluginLeftOut);
        QVERIFY(diagnostics[0].where.file.find("crash_when_asked") != std::string::npos);
    }

    void onlyPluginThatThrowsIsTheError()
    {
        const auto result = importText("good text", {folder("throw_when_loaded")});
        QVERIFY(!result);
        QCOMPARE(result.error().code, Code::pluginLoad);
        QVERIFY(result.error().message.find("thrown on purpose") != std::string::npos);
    }

    /// What the remedy of a limit names works.
    void theUserSetsTheLimits()
    {
        const auto unset = qScopeGuard([] {
            qunsetenv("STOWAGE_WORKER_TIMEOUT_S");
            qunsetenv("STOWAGE_WORKER_MEMORY_MB");
        });
        qputenv("STOWAGE_WORKER_TIMEOUT_S", "1");
        const auto late = importText("misbehaving hang", {folder("misbehaving")}, {});
        QVERIFY(!late);
        QVERIFY2(late.error().code == Code::workerTimeout, said(late.error()).constData());
        QCOMPARE(late.error().remedy,
                 std::string("set STOWAGE_WORKER_TIMEOUT_S to more than 1 if the input is really that large"));
        qunsetenv("STOWAGE_WORKER_TIMEOUT_S");
        for (const char* bad : {"much", "0", "1.5"}) {
            qputenv("STOWAGE_WORKER_MEMORY_MB", bad);
            const auto refused = importText("good text", {folder("good")}, {});
            QVERIFY2(!refused && refused.error().code == Code::badArgument, bad);
            QVERIFY2(refused.error().message.starts_with("STOWAGE_WORKER_MEMORY_MB is "), bad);
        }
        qputenv("STOWAGE_WORKER_MEMORY_MB", "600");
        const auto limits = importText("misbehaving limits", {folder("misbehaving")}, {});
        QVERIFY2(bool(limits), limits ? "" : said(limits.error()).constData());
        if (!test::instrumented)
            QCOMPARE(QString::fromStdString(std::get<Problem>(limits->imported.content).name).split(u' ').at(2),
                     QStringLiteral("600"));
        QVERIFY(importText("good text", {folder("good")})); // limits that are given are kept
    }

    /// The plugin hangs for good and the limit is an hour away: only the request can end it. How soon it does is told.
    void cancelEndsAPluginThatHangs()
    {
        const PluginHost host({folder("misbehaving")});
        const WorkerClient client(host, {Bytes{512} << 20, 1h, Bytes{64} << 20}, worker());
        std::stop_source source;
        QElapsedTimer clock;
        const std::jthread canceller([&] {
            std::this_thread::sleep_for(300ms);
            clock.start();
            source.request_stop();
        });
        const auto result = client.import({QStringLiteral("x"), "misbehaving hang", {}, {}, {}}, source.get_token());
        qInfo() << "cancelled after" << clock.elapsed() << "ms";
        QVERIFY(!result);
        QCOMPARE(result.error().code, Code::cancelled);
    }

    void severalImportsRunAtOnce()
    {
        const PluginHost host({folder("good")});
        const WorkerClient client(host, shortLimits(), worker());
        std::vector<Bytes> sizes(6);
        {
            std::vector<std::jthread> threads;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                threads.emplace_back([&, i] {
                    const std::string text = "good" + std::string(100'000 * i, 'x');
                    const auto result = client.import({QStringLiteral("x"), text, {}, {}, {}});
                    if (result) sizes[i] = std::get<Problem>(result->imported.content).buffers.at(0).size;
                });
            }
        }
        for (std::size_t i = 0; i < sizes.size(); ++i) QCOMPARE(sizes[i], static_cast<Bytes>(4 + 100'000 * i));
    }

    void rogueWorkerIsOneClearError_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* name, const char* script, const char* code) {
            QTest::newRow(name) << QByteArray(script) << QByteArray(code);
        };
        row("says nothing", "exit 0", "worker-garbage");
        row("garbage", "echo hello", "worker-garbage");
        row("endless garbage without line breaks", "exec cat /dev/zero", "worker-garbage");
        row("endless garbage that begins well", "printf Content-; exec yes", "worker-garbage");
        row("nonsense for a length", "printf 'Content-Length: -1\\r\\n\\r\\n'", "worker-garbage");
        row("length beyond 64 bits", "printf 'Content-Length: 99999999999999999999\\r\\n\\r\\n'", "worker-garbage");
        row("announces too much", "printf 'Content-Length: 999999999999\\r\\n\\r\\n'; exec sleep 60", "worker-flood");
        row("endless frames", "while :; do printf 'Content-Length: 5\\r\\n\\r\\nhello'; done", "worker-flood");
        row("cut off", "printf 'Content-Length: 5\\r\\n\\r\\nhe'", "worker-garbage");
        row("damaged answer", "printf 'Content-Type: imported\\r\\nContent-Length: 5\\r\\n\\r\\nhello'", "worker-garbage");
        row("damaged error", "printf 'Content-Type: error\\r\\nContent-Length: 5\\r\\n\\r\\nhello'", "worker-garbage");
        row("kills itself", "kill -9 $$", "worker-crashed");
        row("endless log", "exec yes >&2", "worker-timeout");
    }

    void rogueWorkerIsOneClearError()
    {
        QFETCH(QByteArray, script);
        QFETCH(QByteArray, code);
        const RogueWorker rogue(script.constData());
        const PluginHost host({folder("good")});
        const WorkerLimits limits{Bytes{512} << 20, 2s, Bytes{1} << 20};
        // What must not happen is a wait without end, which the test's own limit would show.
        const auto result = WorkerClient(host, limits, rogue.path()).import({QStringLiteral("x"), "good", "test-good", {}, {}});
        QVERIFY(!result);
        QVERIFY2(codeText(result.error()) == code.toStdString(), said(result.error()).constData());
    }

    void whatTheWorkerStartedDiesWithIt()
    {
        const RogueWorker rogue("sleep 300 & echo $! > \"$0.child\"; wait");
        const PluginHost host({folder("good")});
        const auto result = WorkerClient(host, {Bytes{512} << 20, 500ms, Bytes{1} << 20}, rogue.path())
                                .import({QStringLiteral("x"), "good", "test-good", {}, {}});
        QVERIFY(!result);
        QCOMPARE(result.error().code, Code::workerTimeout);
        QFile file(rogue.besideIt("worker.child"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto child = static_cast<pid_t>(file.readAll().trimmed().toInt());
        QVERIFY(child > 0);
        // The child is reaped by whoever adopts it, which may take a moment; a zombie is dead too.
        const auto dead = [&] {
            QFile status(QStringLiteral("/proc/%1/status").arg(child));
            return !status.open(QIODevice::ReadOnly) || status.readAll().contains("State:\tZ");
        };
        QTRY_VERIFY(dead());
    }

    /// With the installed plugins: what comes back is what the importer gives in this process, to the last field.
    void realModelsComeThroughUnchanged()
    {
        STOWAGE_NEEDS_SHARED();
        const PluginHost host;
        QVERIFY(host.importerPlugin("tflite") != nullptr);
        const WorkerClient client(host);
        for (const char* name :
             {"syn_if.tflite", "syn_while.tflite", "syn_offline_plan.tflite", "mww_v2_alexa.tflite", "traffic_model.tflite"}) {
            const QString path = sharedFile("models/tflite/") + QLatin1String(name);
            const auto there = client.import({path, {}, {}, {}, {}});
            QVERIFY2(bool(there), there ? "" : said(there.error()).constData());
            QCOMPARE(there->importer, std::string("tflite"));
            const auto here = importBytes(bytesOf(path), {}, {}, path.toStdString());
            QVERIFY(bool(here));
            QVERIFY2(toArchive(there->imported) == toArchive(*here), name);
        }
    }

    void malformedModelsGiveTheImportersError()
    {
        STOWAGE_NEEDS_SHARED();
        const PluginHost host;
        const WorkerClient client(host);
        const QDir folder(sharedFile("models/bad"));
        QVERIFY(folder.count() > 10);
        for (const QString& file : folder.entryList({QStringLiteral("*.tflite")}, QDir::Files)) {
            const QString path = folder.filePath(file);
            const auto there = client.import({path, {}, {}, {}, {}});
            QVERIFY2(!there, qPrintable(file));
            const auto here = importBytes(bytesOf(path), {}, {}, path.toStdString());
            QVERIFY2(there.error() == here.error(), said(there.error()).constData());
        }
    }

    void metadataSaysWhatTheImporterTakes()
    {
        const PluginHost host;
        const PluginRow* row = host.importerPlugin("tflite");
        QVERIFY(row != nullptr);
        const tflite::TfliteImporter importer;
        const ImporterInfo& info = row->importers.at(0);
        QCOMPARE(info.title, importer.info().title);
        QCOMPARE(info.suffixes, importer.info().suffixes);
        QVERIFY(importer.info().options.empty());
        // Every choice is one that the importer takes, and the default is one of them; another value is refused.
        const std::string bytes = bytesOf(exampleModels().front());
        QVERIFY(!info.options.empty());
        for (const OptionSpec& option : info.options) {
            QVERIFY(std::ranges::count(option.choices, option.defaultValue) == 1);
            for (const std::string& choice : option.choices)
                QVERIFY2(importBytes(bytes, {{option.name, choice}}), choice.c_str());
            QVERIFY(!importBytes(bytes, {{option.name, "nothing"}}));
        }
    }

    void absentWorkerIsAnError()
    {
        const PluginHost host({folder("good")});
        const auto result = WorkerClient(host, shortLimits(), QStringLiteral("/nonexistent/worker"))
                                .import({QStringLiteral("x"), "good", {}, {}, {}});
        QVERIFY(!result);
        QCOMPARE(result.error().code, Code::workerMissing);
    }
};

QTEST_GUILESS_MAIN(TestWorker)
#include "tst_worker.moc"

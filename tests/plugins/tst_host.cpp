// The host finds plugins, says why it refuses one, and never runs a refused one's code.
#include "plugins/api/plugin.h"
#include "plugins/host/plugin_host.h"
#include "plugins/host/plugin_metadata.h"
#include "tests/support/paths.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>

#include <unistd.h>

using namespace stowage;
using namespace std::chrono_literals;

class TestHost : public QObject {
    Q_OBJECT

private:
    QTemporaryDir home_;

    /// The row of that file; a row without a path if the host has none.
    static PluginRow rowAt(const QString& path)
    {
        const PluginHost host(QStringList{});
        for (const PluginRow& row : host.rows())
            if (row.path == path) return row;
        return {};
    }
    /// The row of a library of a planner with this in its metadata.
    static PluginRow made(const QByteArray& more)
    {
        const QByteArray version = QByteArray::number(STOWAGE_PLUGIN_API_VERSION);
        const QByteArray text = R"({"id": "org.stowage.test.made", "name": "Made", "version": "1", "kind": "planner",
            "apiVersion": )" + version +
                                R"(, "compatVersion": )" + version + ", " + more + "}";
        return pluginOf(QStringLiteral("/nowhere/made.so"),
                        QJsonObject{{QStringLiteral("IID"), QStringLiteral(STOWAGE_PLUGIN_IID)},
                                    {QStringLiteral("MetaData"), QJsonDocument::fromJson(text).object()}});
    }
    static void write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write %s", qPrintable(path));
    }
    static QString folder(const char* name) { return QStringLiteral(STOWAGE_TEST_PLUGINS "/") + QLatin1String(name); }
    /// The only row of a folder with one test plugin.
    static PluginRow only(const char* name)
    {
        const QStringList files = QDir(folder(name)).entryList(QDir::Files);
        if (files.size() != 1) return {};
        return readPlugin(folder(name) + QLatin1Char('/') + files.front());
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_CONFIG_HOME", home_.filePath(QStringLiteral("config")).toUtf8());
        qputenv("XDG_DATA_HOME", home_.filePath(QStringLiteral("data")).toUtf8());
        qunsetenv("STOWAGE_PLUGIN_PATH");
        QVERIFY(QDir().mkpath(PluginHost::userFolder() + QStringLiteral("/planners.d")));
    }

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
        QTest::newRow("built for an earlier API") << QByteArray("api_too_old") << QStringLiteral("was built for plugin API 4");
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

    /// Also a library that only reads files runs code of others.
    void aNewImporterInTheUsersFolderWaitsForTheUser()
    {
        const QString library = PluginHost::userFolder() + QStringLiteral("/good.so");
        QVERIFY(QFile::copy(only("good").path, library));
        const auto remove = qScopeGuard([&] { QFile::remove(library); });
        const QString id = QStringLiteral("org.stowage.test.good");
        QCOMPARE(rowAt(library).state, PluginState::unconfirmed);
        QVERIFY(PluginHost(QStringList{}).importerPlugin("test-good") == nullptr);
        QVERIFY(!PluginHost(QStringList{}).setEnabled(id, true));
        QCOMPARE(rowAt(library).state, PluginState::usable);
        // Other contents of the same size and time are another library. The byte is one that nothing reads: the padding of the
        // identification of ELF.
        const QDateTime time = QFileInfo(library).lastModified();
        const qint64 size = QFileInfo(library).size();
        QFile file(library);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(15) && file.putChar(1) && file.flush());
        QVERIFY(file.setFileTime(time, QFileDevice::FileModificationTime));
        file.close();
        QCOMPARE(QFileInfo(library).lastModified(), time);
        QCOMPARE(QFileInfo(library).size(), size);
        QCOMPARE(rowAt(library).state, PluginState::unconfirmed);
    }

    /// The user's folder and the variable are searched after the installed folder.
    void nothingTakesAnInstalledIdOrName()
    {
        const PluginHost installed(QStringList{});
        const PluginRow* row = installed.importerPlugin("tflm-log");
        QVERIFY(row != nullptr);
        QVERIFY(row->path.startsWith(PluginHost::installedFolder()));
        const QTemporaryDir listed;
        const QString library = PluginHost::userFolder() + u'/' + QFileInfo(row->path).fileName();
        const QString inListed = listed.filePath(QFileInfo(row->path).fileName());
        const QString manifest = PluginHost::userFolder() + QStringLiteral("/planners.d/tflm-log.json");
        QVERIFY(QFile::copy(row->path, library) && QFile::copy(row->path, inListed));
        write(manifest, R"({"id": "tflm-log", "kind": "importer", "protocol": 1, "argv": ["cat", "{in}"], "suffixes": ["log"]})");
        qputenv("STOWAGE_PLUGIN_PATH", listed.path().toUtf8());
        const auto undo = qScopeGuard([&] {
            qunsetenv("STOWAGE_PLUGIN_PATH");
            QFile::remove(library);
            QFile::remove(manifest);
        });
        for (const QString& path : {library, inListed, manifest}) {
            const PluginRow other = rowAt(path);
            QCOMPARE(other.path, path);
            QCOMPARE(other.state, PluginState::refused);
            QVERIFY2(other.reason.contains(row->path), qPrintable(other.reason));
            QVERIFY(!other.remedy.isEmpty());
        }
        QVERIFY(rowAt(manifest).reason.contains(QStringLiteral("an importer named \"tflm-log\"")));
        const PluginHost host(QStringList{});
        QCOMPARE(host.importerPlugin("tflm-log")->path, row->path);
        const auto importers = host.importers();
        QCOMPARE(std::ranges::count(importers, std::string("tflm-log"), &ImporterInfo::name), std::ptrdiff_t{1});
    }

    /// Only what may run takes a name from others; and an id from one that may run.
    void whatMayNotRunTakesNothingFromWhatMay()
    {
        const QString folder = PluginHost::userFolder() + QStringLiteral("/planners.d/");
        const QString mine = folder + QStringLiteral("mine.json");
        const QString fresh = folder + QStringLiteral("fresh.json"); // comes first
        const QString library = PluginHost::userFolder() + QStringLiteral("/test.so");
        const QString id = QStringLiteral("org.stowage.test.good");
        const auto undo = qScopeGuard([&] {
            for (const QString& file : {mine, fresh, library}) QFile::remove(file);
            (void)PluginLedger().setDisabled(id, false);
        });
        write(mine, R"({"id": "test-tidy", "protocol": 1, "argv": ["cat"]})");
        QVERIFY(!PluginHost(QStringList{}).setEnabled(QStringLiteral("test-tidy"), true));
        write(fresh, R"({"id": "test-tidy", "protocol": 1, "argv": ["tac"]})");
        QCOMPARE(rowAt(fresh).state, PluginState::unconfirmed);
        QCOMPARE(rowAt(mine).state, PluginState::usable);
        const PluginHost host(QStringList{});
        QCOMPARE(host.plannerRow("test-tidy")->path, mine);

        // An importer of a library, and another one of the same name.
        QVERIFY(QFile::remove(fresh) && QFile::copy(only("good").path, library));
        write(mine, R"({"id": "test-good", "kind": "importer", "protocol": 1, "argv": ["cat", "{in}"], "suffixes": ["test"]})");
        QCOMPARE(rowAt(library).state, PluginState::unconfirmed);
        QCOMPARE(rowAt(mine).state, PluginState::unconfirmed);
        QVERIFY(!PluginHost(QStringList{}).setEnabled(QStringLiteral("test-good"), true));
        QCOMPARE(rowAt(mine).state, PluginState::usable);
        QVERIFY(!PluginHost(QStringList{}).setEnabled(id, true));
        QCOMPARE(rowAt(library).state, PluginState::usable);
        QCOMPARE(rowAt(mine).state, PluginState::refused); // the first counts
        QVERIFY(!PluginHost(QStringList{}).setEnabled(id, false));
        QCOMPARE(rowAt(library).state, PluginState::disabled);
        QCOMPARE(rowAt(mine).state, PluginState::usable);
    }

    /// Its id is that of a permitted plug-in, and it comes first.
    void whatIsTurnedOnAgainIsWhatWasPermitted()
    {
        const QString folder = PluginHost::userFolder() + QStringLiteral("/planners.d/");
        const QString mine = folder + QStringLiteral("mine.json"), fresh = folder + QStringLiteral("fresh.json");
        const QString id = QStringLiteral("test-again");
        const auto undo = qScopeGuard([&] {
            for (const QString& file : {mine, fresh}) QFile::remove(file);
        });
        write(mine, R"({"id": "test-again", "protocol": 1, "argv": ["cat"]})");
        QVERIFY(!PluginHost(QStringList{}).setEnabled(id, true));
        QVERIFY(!PluginHost(QStringList{}).setEnabled(id, false));
        write(fresh, R"({"id": "test-again", "protocol": 1, "argv": ["tac"]})");
        QCOMPARE(rowAt(mine).state, PluginState::disabled);
        QCOMPARE(rowAt(fresh).state, PluginState::unconfirmed);
        const PluginHost host(QStringList{});
        QVERIFY(host.toTurn(id));
        QCOMPARE(host.toTurn(id)->path, mine);
        QVERIFY(!host.setEnabled(id, true));
        QCOMPARE(rowAt(mine).state, PluginState::usable);
        QCOMPARE(rowAt(fresh).state, PluginState::unconfirmed);
    }

    /// A permission covers the script of an interpreter, wherever it lies.
    void aScriptThatChangedIsNew()
    {
        const QTemporaryDir elsewhere;
        const QString manifest = PluginHost::userFolder() + QStringLiteral("/planners.d/script.json");
        const QString beside = PluginHost::userFolder() + QStringLiteral("/planners.d/script.py");
        const QString away = elsewhere.filePath(QStringLiteral("script.py"));
        const auto undo = qScopeGuard([&] {
            for (const QString& file : {manifest, beside}) QFile::remove(file);
        });
        for (const auto& [word, script] : {std::pair(QStringLiteral("{dir}/script.py"), beside), std::pair(away, away)}) {
            write(manifest, QStringLiteral(R"({"id": "test-script", "protocol": 1, "argv": ["cat", "%1"]})").arg(word).toUtf8());
            write(script, "one");
            QVERIFY(!PluginHost(QStringList{}).setEnabled(QStringLiteral("test-script"), true));
            QCOMPARE(rowAt(manifest).state, PluginState::usable);
            write(script, "two");
            QCOMPARE(rowAt(manifest).state, PluginState::unconfirmed);
            QVERIFY2(rowAt(manifest).reason.contains(QStringLiteral("a file of it changed")), qPrintable(rowAt(manifest).reason));
            write(script, "one");
            QCOMPARE(rowAt(manifest).state, PluginState::usable);
        }
    }

    /// Its contents could be others at each run.
    void aScriptThatCannotBeReadIsNeverPermitted()
    {
        const QString manifest = PluginHost::userFolder() + QStringLiteral("/planners.d/closed.json");
        const QString script = PluginHost::userFolder() + QStringLiteral("/planners.d/closed.py");
        const QFile::Permissions before = QFile::permissions(home_.path());
        const bool root = geteuid() == 0; // root reads everything
        const auto undo = qScopeGuard([&] {
            if (root && seteuid(0) != 0) qFatal("cannot be root again");
            for (const QString& file : {manifest, script}) QFile::remove(file);
            QFile::setPermissions(home_.path(), before);
        });
        write(manifest, R"({"id": "test-closed", "protocol": 1, "argv": ["cat", "{dir}/closed.py"]})");
        write(script, "one");
        QVERIFY(QFile::setPermissions(script, QFile::Permissions()));
        QVERIFY(QFile::setPermissions(home_.path(),
                                      before | QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther));
        if (root) QCOMPARE(seteuid(65534), 0);
        QVERIFY2(rowAt(manifest).state == PluginState::unconfirmed, qPrintable(rowAt(manifest).reason));
        QVERIFY(rowAt(manifest).fingerprint.isEmpty());
        const auto error = PluginHost(QStringList{}).setEnabled(QStringLiteral("test-closed"), true);
        QVERIFY(error && error->code == Code::cannotRead);
        QVERIFY2(QString::fromStdString(error->where.file).endsWith(QLatin1String("closed.py")), error->where.file.c_str());
    }

    /// `plugins/made.so` loads `made-reader.so`.
    void aLibraryIsKnownByThoseThatItLoads()
    {
        const QTemporaryDir above;
        QVERIFY(QDir(above.path()).mkpath(QStringLiteral("plugins")));
        const QString library = above.filePath(QStringLiteral("plugins/made.so"));
        write(library, "library");
        const QString alone = libraryFingerprint(library);
        QVERIFY(!alone.isEmpty());
        write(above.filePath(QStringLiteral("other-reader.so")), "one");
        QCOMPARE(libraryFingerprint(library), alone);
        write(above.filePath(QStringLiteral("made-reader.so")), "one");
        const QString first = libraryFingerprint(library);
        QVERIFY(!first.isEmpty() && first != alone);
        write(above.filePath(QStringLiteral("made-reader.so")), "two");
        QVERIFY(libraryFingerprint(library) != first);
    }

    /// A library that runs in this process is the one that was permitted.
    void aLibraryThatChangedSinceTheStartIsNotLoaded()
    {
        const QTemporaryDir elsewhere;
        const QString library = elsewhere.filePath(QStringLiteral("misplanning.so"));
        QVERIFY(QFile::copy(only("misplanning").path, library));
        const PluginRow row = readPlugin(library);
        QVERIFY(row.inProcess && PluginLedger().confirm(row.fingerprint));
        const auto planners = plannersOf(row, QString());
        QCOMPARE(planners.size(), std::size_t{1});
        QFile file(library);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(15) && file.putChar(1)); // padding of the identification of ELF
        file.close();
        const auto made = planners.front()->plan(Problem{}, {}, {});
        QVERIFY(!made);
        QCOMPARE(made.error().code, Code::pluginRefused);
        QVERIFY2(made.error().message.find("changed") != std::string::npos, made.error().message.c_str());
        QVERIFY(made.error().remedy.find("--enable org.stowage.test.misplanning") != std::string::npos);
    }

    void exportersOfOneNameAreRefusedFromTheSecondOn()
    {
        const QTemporaryDir programs;
        for (const char* file : {"a.json", "b.json"}) // both with the name of the exporter of a library
            write(programs.filePath(QLatin1String(file)),
                  R"({"id": "test-lines", "kind": "exporter", "protocol": 1, "argv": ["cat", "{plan}"]})");
        const PluginHost host(QStringList{folder("writing"), programs.path()});
        QStringList states;
        for (const PluginRow& row : host.rows())
            if (!row.exporters.empty() && row.exporters.front().name == "test-lines")
                states << QString::fromStdString(std::string(toText(row.state)));
        QCOMPARE(states, (QStringList{"usable", "refused", "refused"}));
    }

    void optionsAreDescribedAsInManifests()
    {
        const PluginRow row = made(R"("planners": [{"name": "made", "options": [
            {"name": "tries", "type": "int", "min": 1, "default": 8}, {"name": "ratio", "type": "real", "max": -0.5},
            {"name": "way", "choices": ["a", "b"], "description": "How."}, {"name": "word", "help": "What."}]}])");
        QVERIFY2(row.state == PluginState::usable, qPrintable(row.reason));
        const PlannerInfo& info = row.planners.front();
        QCOMPARE(info.options.size(), std::size_t{4});
        QCOMPARE(info.options[0].defaultValue, std::string("8"));
        QVERIFY(!checkOptions(info, {{"tries", "1000000"}, {"ratio", "-1e6"}}));
        QVERIFY(checkOptions(info, {{"tries", "0"}}));
        QVERIFY(checkOptions(info, {{"ratio", "0"}}));
        QCOMPARE(info.options[1].defaultValue, std::string("-0.5")); // the number nearest to 0
        QVERIFY(info.options[2].type == OptionType::choice);
        QCOMPARE(info.options[2].defaultValue, std::string("a"));
        QCOMPARE(info.options[2].description, std::string("How."));
        QVERIFY(info.options[3].type == OptionType::text);
    }

    /// 2^53 + 1 is no double, and an exponent is no integer.
    void integerDefaultsKeepTheirDigits()
    {
        const PluginRow row = made(R"("planners": [{"name": "made", "options": [
            {"name": "odd", "default": 9007199254740993, "type": "int"},
            {"name": "long", "type": "int", "default": 10000000000000000},
            {"name": "least", "type": "int", "min": 10000000000000000}, {"name": "ratio", "type": "real", "default": 0.25}]}])");
        QVERIFY2(row.state == PluginState::usable, qPrintable(row.reason));
        const auto& options = row.planners.front().options;
        QCOMPARE(options.size(), std::size_t{4});
        QCOMPARE(options[0].defaultValue, std::string("9007199254740993"));
        QCOMPARE(options[1].defaultValue, std::string("10000000000000000"));
        QCOMPARE(options[2].defaultValue, std::string("10000000000000000"));
        QCOMPARE(options[3].defaultValue, std::string("0.25"));
    }

    void badOptionsRefuseTheLibrary_data()
    {
        QTest::addColumn<QByteArray>("options");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* options, const char* reason) {
            QTest::newRow(reason) << QByteArray(options) << QString::fromUtf8(reason);
        };
        row(R"([{"name": "x", "type": "int", "min": 3, "max": 2}])", "min is above its max");
        row(R"([{"name": "x", "type": "int", "max": 2, "default": 3}])", "default does not suit");
        row(R"([{"name": "x", "type": "integer"}])", "integer");
        row(R"([{"name": "x", "type": "choice"}])", "has no choices");
        row(R"([{"name": "x"}, {"name": "x"}])", "two of that name");
        row(R"([{"name": "x", "lowest": 1}])", "lowest");
        row(R"([{"type": "int"}])", "name");
        row(R"({"x": 1})", "array");
    }
    void badOptionsRefuseTheLibrary()
    {
        QFETCH(QByteArray, options);
        QFETCH(QString, reason);
        const PluginRow row = made(R"("planners": [{"name": "made", "options": )" + options + "}]");
        QCOMPARE(row.state, PluginState::refused);
        QVERIFY2(row.reason.contains(reason), qPrintable(row.reason));
        QVERIFY(!row.remedy.isEmpty());
    }

    void theTimeOfAPlanningIsThatOfTheMetadata()
    {
        const QByteArray planners = R"("planners": [{"name": "made"}])";
        QVERIFY(made(planners).timeout == 60s); // as of a manifest
        QVERIFY(made(planners + R"(, "timeout_s": 1.5)").timeout == 1500ms);
        for (const char* bad : {"0", "-1", "1e9", "\"60\"", "null"}) {
            const PluginRow row = made(planners + R"(, "timeout_s": )" + bad);
            QCOMPARE(row.state, PluginState::refused);
            QVERIFY2(row.reason.contains(QStringLiteral("timeout_s")), bad);
        }
        const QTemporaryDir programs;
        const QString manifest = programs.filePath(QStringLiteral("slow.json"));
        write(manifest, R"({"id": "slow", "protocol": 1, "argv": ["cat"], "timeout_s": 90})");
        QVERIFY(readManifestFile(manifest).timeout == 90s);
    }
};

QTEST_GUILESS_MAIN(TestHost)
#include "tst_host.moc"

// Limits of programs that are planners, and what counts when one is reached; and what manifests and the settings of plug-ins say
// that is easily overlooked.
#include "core/plan/run_failure.h"
#include "plugins/external/external_planner.h"
#include "plugins/external/manifest_reader.h"
#include "tests/cli/plugin_manifests.h"

#include <QDir>
#include <QElapsedTimer>
#include <QScopeGuard>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <stop_token>

using namespace stowage::test;

namespace {

stowage::Expected<stowage::external::Manifest> manifestOf(const QByteArray& text)
{
    return stowage::external::readManifest({text.constData(), std::size_t(text.size())}, "/made/it.json");
}

stowage::Problem oneBuffer()
{
    stowage::Problem problem;
    problem.pools = {{.name = "arena"}};
    problem.buffers.resize(1);
    problem.buffers[0].name = "a";
    problem.buffers[0].size = 16;
    problem.buffers[0].live = {{0, 2}};
    return problem;
}

/// A process that nobody has waited for is a zombie, and has ended, too.
bool runs(const QByteArray& pid)
{
    QFile status("/proc/" + QString::fromLatin1(pid) + "/status");
    return status.open(QIODevice::ReadOnly) && !status.readAll().contains("State:\tZ");
}

} // namespace

class CliPluginLimitsTest : public QObject {
    Q_OBJECT

    Cli cli_;
    QString model_;

    CliResult plan(const QString& id, const QByteArray& manifest, const QStringList& more = {})
    {
        QDir().mkpath(cli_.path(id));
        cli_.file(id + QStringLiteral("/it.json"), manifest);
        return cli_(QStringList{"plan", model_, "--planner", id, "--plugin-dir", cli_.path(id), "--format", "json"} + more);
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(prepareForPlugins(cli_));
        model_ = cli_.file(QStringLiteral("three.csv"), threeBuffers);
    }

    /// A process without parent, group and environment of the program ends with it: also if the program ends by itself.
    void orphansEndWithTheProgram_data()
    {
        QTest::addColumn<int>("status");
        QTest::newRow("leave-an-orphan") << 1;
        QTest::newRow("leave-an-orphan-and-end") << 0;
    }
    void orphansEndWithTheProgram()
    {
        QFETCH(int, status);
        const QString misdeed = QString::fromLatin1(QTest::currentDataTag());
        const QString told = misdeed + QStringLiteral(".pid");
        const CliResult result = plan(
            misdeed, hostileManifest(misdeed, "csv-oneshot", QStringLiteral(R"("csv", "%1", "%2")").arg(misdeed, cli_.path(told)),
                                     R"(, "timeout_s": 5)"));
        QVERIFY2(result.status == status, result.out + result.err);
        const QByteArray pid = cli_.contents(told).trimmed();
        QVERIFY2(pid.toInt() > 1, pid);
        QTRY_VERIFY_WITH_TIMEOUT(!runs(pid), 10'000);
    }

    /// `timeout_s` is a deadline: what a planner has shown until then is not lost.
    void whenItsTimeIsOverItsLastPlanCounts_data()
    {
        QTest::addColumn<bool>("asked");
        QTest::newRow("slow-cancel") << true;
        QTest::newRow("endless-partials") << true;
        QTest::newRow("cannot-cancel") << false;
        QTest::newRow("late-cancel") << false; // it answers in time
        QTest::newRow("ends-on-cancel") << false;
    }
    void whenItsTimeIsOverItsLastPlanCounts()
    {
        QFETCH(bool, asked);
        const QString misdeed = QString::fromLatin1(QTest::currentDataTag());
        const CliResult result =
            plan(misdeed, hostileManifest(misdeed, "stdio-jsonrpc", QStringLiteral(R"("rpc", "%1")").arg(misdeed),
                                          R"(, "timeout_s": 3)")); // the interpreter starts in this time, too
        QVERIFY2(result.status == 0, result.err.constData());
        QCOMPARE(result.object()["placements"].toArray().size(), 3);
        QCOMPARE(result.object()["stopped_by"].toString(), QString("deadline"));
        QCOMPARE(result.err.contains("did not answer 'cancel'"), asked);
        QCOMPARE(result.err.contains("its time was over, and it ended: this is"), misdeed == QLatin1String("ends-on-cancel"));
        QVERIFY2(result.err.contains("raise timeout_s") && !result.err.contains("--time-limit"), result.err.constData());
    }

    /// --time-limit is the other deadline. It is not the planner's limit, and needs no warning.
    void atTheDeadlineItsLastPlanCounts_data()
    {
        QTest::addColumn<QString>("misdeed");
        for (const char* misdeed : {"cannot-cancel", "late-cancel", "ends-on-cancel", "ends-at-deadline"})
            QTest::newRow(misdeed) << QString::fromLatin1(misdeed);
    }
    void atTheDeadlineItsLastPlanCounts()
    {
        QFETCH(QString, misdeed);
        const CliResult result =
            plan(misdeed,
                 hostileManifest(misdeed, "stdio-jsonrpc", QStringLiteral(R"("rpc", "%1")").arg(misdeed), R"(, "timeout_s": 40)"),
                 {"--time-limit", "3"});
        QVERIFY2(result.status == 0, result.err.constData());
        QCOMPARE(result.object()["placements"].toArray().size(), 3);
        QCOMPARE(result.object()["stopped_by"].toString(), QString("deadline"));
        QVERIFY2(!result.err.contains("its time was over"), result.err.constData());
    }

    void whenItIsCancelledItsLastPlanCounts()
    {
        using namespace stowage;
        auto read = manifestOf(hostileManifest("ending", "stdio-jsonrpc", R"("rpc", "ends-on-cancel")", R"(, "timeout_s": 40)"));
        QVERIFY(read);
        std::stop_source user;
        PlanContext context;
        context.cancel = user.get_token();
        context.publish = [&user](const Incumbent&) { user.request_stop(); };
        const auto made = external::externalPlanner(*std::move(read))->plan(oneBuffer(), {}, context);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QVERIFY(made->stoppedBy == StoppedBy::cancelled);
        QVERIFY(made->placements.front().placed());
    }

    /// An error in answer to `cancel` is the end of the time, whatever the planner calls it.
    void whoGivesUpWhenItsTimeIsOverTimedOut_data()
    {
        QTest::addColumn<int>("timeout");
        QTest::addColumn<int>("timeLimit");
        QTest::addColumn<QByteArray>("remedy");
        for (const char* misdeed : {"gives-up", "says-cancelled"}) {
            QTest::addRow("%s, its time", misdeed) << 3 << 40 << QByteArray("raise timeout_s");
            QTest::addRow("%s, deadline", misdeed) << 40 << 3 << QByteArray("--time-limit");
        }
    }
    void whoGivesUpWhenItsTimeIsOverTimedOut()
    {
        QFETCH(int, timeout);
        QFETCH(int, timeLimit);
        QFETCH(QByteArray, remedy);
        const QString misdeed = QString::fromLatin1(QTest::currentDataTag()).section(u',', 0, 0);
        const CliResult result = plan(misdeed,
                                      hostileManifest(misdeed, "stdio-jsonrpc", QStringLiteral(R"("rpc", "%1")").arg(misdeed),
                                                      QStringLiteral(R"(, "timeout_s": %1)").arg(timeout)),
                                      {"--time-limit", QString::number(timeLimit)});
        QCOMPARE(result.status, 1);
        QCOMPARE(codeOf(result), QString("timed-out"));
        QVERIFY2(result.err.contains("no plan yet") && result.err.contains(remedy), result.err.constData());
    }

    /// A planner that looks at the clock itself sees the shorter of the two times; without --time-limit it is told none.
    void theDeadlineIsNotAfterItsTime()
    {
        const QByteArray manifest =
            hostileManifest("telling", "stdio-jsonrpc", R"("rpc", "tells-its-deadline")", R"(, "timeout_s": 20)");
        const auto told = [&](const QStringList& more) {
            const QByteArray err = plan("telling", manifest, more).err;
            const qsizetype at = err.indexOf("it gave up: in ");
            return at < 0 ? -1 : err.mid(at).split(' ').value(4).toInt();
        };
        const int both = told({"--time-limit", "50"});
        QVERIFY2(both > 0 && both <= 20'000, qPrintable(QString::number(both)));
        QCOMPARE(told({}), 0);
    }

    /// Messages that have arrived wait while one is worked through. The answer among them came in time.
    void anAnswerThatHasArrivedCounts()
    {
        using namespace stowage;
        auto read = manifestOf(hostileManifest("hasty", "stdio-jsonrpc", R"("rpc", "all-at-once")", R"(, "timeout_s": 4)"));
        QVERIFY(read);
        PlanContext context;
        context.publish = [](const Incumbent&) { QThread::msleep(4200); };
        const auto made = external::externalPlanner(*std::move(read))->plan(oneBuffer(), {}, context);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(made->claims.size(), std::size_t{1}); // of the answer: a partial plan has none
        QVERIFY(made->stoppedBy == StoppedBy::complete);
        QVERIFY(made->diagnostics.empty());
    }

    void theDeadlineHoldsFromTheStart()
    {
        QElapsedTimer clock;
        clock.start();
        const CliResult result =
            plan("mute", R"({"id": "mute", "protocol": 1, "argv": ["sleep", "40"], "transport": "stdio-jsonrpc"})",
                 {"--time-limit", "0.5"});
        QVERIFY2(clock.elapsed() < 12'000, qPrintable(QString::number(clock.elapsed()))); // 15 s without the deadline
        QCOMPARE(result.status, 1);
        QCOMPARE(codeOf(result), QString("timed-out"));
        QVERIFY2(result.err.contains("'initialize'") && result.err.contains("--time-limit"), result.err.constData());
    }

    void aResponseToNothingIsSaid()
    {
        const CliResult lost = plan("lost", hostileManifest("lost", "stdio-jsonrpc", R"("rpc", "null-id")"));
        QCOMPARE(codeOf(lost), QString("not-understood"));
        QVERIFY2(lost.err.contains("unbalanced brackets"), lost.err.constData());
        const CliResult other = plan("other", hostileManifest("other", "stdio-jsonrpc", R"("rpc", "other-id")"));
        QCOMPARE(codeOf(other), QString("not-understood"));
        QVERIFY2(other.err.contains("4711"), other.err.constData());
    }

    /// The remedy of a limit is one that works: --time-limit does not extend "timeout_s".
    void theRemedyNamesTheLimit()
    {
        const QByteArray hang = R"({"id": "hang", "protocol": 1, "argv": ["sleep", "40"], "timeout_s": 0.5})";
        const CliResult own = plan("hang", hang);
        QVERIFY2(own.err.contains("timeout_s") && !own.err.contains("--time-limit"), own.err.constData());
        const CliResult asked = plan("hang", QByteArray(hang).replace("0.5", "40"), {"--time-limit", "0.5"});
        QVERIFY2(asked.err.contains("--time-limit") && !asked.err.contains("timeout_s"), asked.err.constData());
    }

    void boundsOnOneSideHold_data()
    {
        QTest::addColumn<QByteArray>("bounds");
        QTest::addColumn<QByteArray>("inside");
        QTest::addColumn<QByteArray>("outside");
        const auto row = [](const char* bounds, const char* inside, const char* outside) {
            QTest::newRow(bounds) << QByteArray(bounds) << QByteArray(inside) << QByteArray(outside);
        };
        row(R"("min": 0)", "1000000", "-1");
        row(R"("min": 1)", "1000000", "0");
        row(R"("min": -5)", "1000000", "-6");
        row(R"("max": 0)", "-1000000", "1");
        row(R"("max": -1)", "-1000000", "0");
        row(R"("min": 0, "max": 0)", "0", "1");
    }
    void boundsOnOneSideHold()
    {
        QFETCH(QByteArray, bounds);
        QFETCH(QByteArray, inside);
        QFETCH(QByteArray, outside);
        const auto read = manifestOf(R"({"id": "b", "protocol": 1, "argv": ["cat"], "options": [{"name": "x", "type": "int", )" +
                                     bounds + "}]}");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        const stowage::PlannerInfo info = plannerInfo(*read);
        QVERIFY(!checkOptions(info, {{"x", info.options.front().defaultValue}})); // the number nearest to 0
        QVERIFY(!checkOptions(info, {{"x", inside.toStdString()}}));
        const auto error = checkOptions(info, {{"x", outside.toStdString()}});
        QVERIFY(error && error->code == stowage::Code::optionOutOfRange);
    }

    void theFirstEntryOfArgvKeepsItsWords()
    {
        const CliResult result = plan("words", R"~({"id": "words", "protocol": 1, "argv": [["python3", "-c",
            "print('id,offset'); print('a,0'); print('b,10'); print('c,30')"]]})~");
        QVERIFY2(result.status == 0, result.err.constData());
        // A list is left out when a value in it is empty: the program may not be in such a list.
        const auto refused = manifestOf(R"({"id": "x", "protocol": 1, "argv": [["python3", "{capacity}"]]})");
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find("first entry") != std::string::npos, refused.error().message.c_str());
    }

    void whatCannotBeSavedIsAnError_data()
    {
        QTest::addColumn<QString>("flag");
        QTest::newRow("on") << "--enable";
        QTest::newRow("off") << "--disable";
    }
    void whatCannotBeSavedIsAnError()
    {
        QFETCH(QString, flag);
        // The settings' folder is a file.
        QDir().mkpath(cli_.path(QStringLiteral("blocked")));
        cli_.file(QStringLiteral("blocked/stowage"), "x");
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_CONFIG_HOME", before); });
        qputenv("XDG_CONFIG_HOME", cli_.path(QStringLiteral("blocked")).toUtf8());
        const QStringList samples{"--plugin-dir", QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples")};
        const CliResult result = cli_(QStringList{"list", "plugins", flag, "first-fit-py"} + samples);
        QVERIFY2(result.status == 2, result.err.constData());
        QVERIFY2(result.err.contains("blocked/stowage/plugins.json") && result.err.contains("cannot be saved"),
                 result.err.constData());
        QVERIFY2(!result.err.contains("from the next start on"), result.err.constData());
    }

    void foldersThatAreNotSearchedAreSaid()
    {
        const CliResult absent = cli_({"list", "plugins", "--plugin-dir", cli_.path("absent-folder")});
        QCOMPARE(absent.status, 0);
        QVERIFY2(absent.err.contains("warning: ") && absent.err.contains("absent-folder"), absent.err.constData());
        const auto restore = qScopeGuard([] { qunsetenv("STOWAGE_PLUGIN_PATH"); });
        qputenv("STOWAGE_PLUGIN_PATH", "/tmp:some/relative");
        const CliResult relative = cli_({"list", "plugins"});
        QCOMPARE(relative.status, 0);
        QVERIFY2(relative.err.contains("some/relative: a relative path"), relative.err.constData());
    }
};

QTEST_GUILESS_MAIN(CliPluginLimitsTest)
#include "tst_cli_plugin_limits.moc"

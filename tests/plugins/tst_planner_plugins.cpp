// Planners of libraries run in the worker: whatever they do costs one run, and has its code.
#include "core/plan/report.h"
#include "core/plan/run_failure.h"
#include "plugins/host/plugin_host.h"
#include "plugins/host/worker_client.h"
#include "tests/support/instrumented.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

using namespace stowage;
using namespace std::chrono_literals;

namespace {

Problem threeBuffers()
{
    Problem problem;
    problem.pools = {{.name = "arena"}};
    for (int i = 0; i < 3; ++i) {
        Buffer& buffer = problem.buffers.emplace_back();
        buffer.name = std::string(1, static_cast<char>('a' + i));
        buffer.size = 16;
        buffer.live = {{i, i + 2}};
    }
    return problem;
}

} // namespace

class PlannerPluginsTest : public QObject {
    Q_OBJECT

    QTemporaryDir settings_;

    static QString folder(const char* name) { return QStringLiteral(STOWAGE_TEST_PLUGINS "/") + QLatin1String(name); }
    static std::shared_ptr<const Planner> planner(const char* name)
    {
        const PluginHost host(QStringList{folder(name)});
        for (const auto& each : host.planners(WorkerClient::installedWorker()))
            if (each->info().name.starts_with("test-")) return each;
        return nullptr;
    }
    static Expected<Plan> plan(const char* deed, const PlanContext& context = {})
    {
        return planner("misplanning")->plan(threeBuffers(), {{"deed", deed}}, context);
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString home = qEnvironmentVariable("STOWAGE_TEST_AS_HOST", settings_.path());
        qputenv("XDG_CONFIG_HOME", home.toUtf8());
        qputenv("XDG_DATA_HOME", home.toUtf8());
        qunsetenv("STOWAGE_PLUGIN_PATH");
        QVERIFY(planner("misplanning"));
    }

    void aGoodOnePlans()
    {
        const auto made = plan("none");
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(evaluate(threeBuffers(), *made).totalSize(), Bytes{48});
        QCOMPARE(made->planner, std::string("test-misplanning"));
    }

    void eachMisdeedHasItsCode_data()
    {
        QTest::addColumn<QByteArray>("deed");
        QTest::addColumn<int>("failure");
        const auto row = [](const char* deed, RunFailure failure) { QTest::newRow(deed) << QByteArray(deed) << int(failure); };
        row("crash", RunFailure::crashed);
        row("throw", RunFailure::crashed);
        row("exit", RunFailure::exitedEarly);
        row("overlap", RunFailure::overlap);
        row("negative", RunFailure::outOfRange);
        row("huge", RunFailure::outOfRange);
        row("missing", RunFailure::missingBuffer);
        if (!test::instrumented) row("eat-memory", RunFailure::tooMuchMemory);
    }
    void eachMisdeedHasItsCode()
    {
        QFETCH(QByteArray, deed);
        QFETCH(int, failure);
        const auto made = plan(deed.constData());
        QVERIFY(!made);
        const auto found = runFailureOf(made.error());
        QVERIFY2(found && int(*found) == failure, made.error().message.c_str());
        const auto noted = PluginLedger().lastFailure(QStringLiteral("org.stowage.test.misplanning"));
        QVERIFY(noted);
        QCOMPARE(noted->code.toStdString(), std::string(toText(*found)));
        QVERIFY(plan("none"));
        QVERIFY(!PluginLedger().lastFailure(QStringLiteral("org.stowage.test.misplanning")));
    }

    void aHangEndsSoonAfterItsDeadline()
    {
        PlanContext context;
        context.deadline = std::chrono::steady_clock::now() + 200ms;
        const auto made = plan("hang", context);
        QVERIFY(!made);
        QVERIFY(runFailureOf(made.error()) == RunFailure::timedOut);
    }

    void itsProofsBecomeClaims()
    {
        const auto made = plan("claim");
        QVERIFY(made);
        QCOMPARE(made->claims.size(), std::size_t{1});
        QVERIFY(std::holds_alternative<ForeignClaim>(made->claims.front()));
        const Report report = evaluate(threeBuffers(), *made);
        QCOMPARE(report.status, Status::feasible);
        QCOMPARE(report.proof, ProofKind::claim);
    }

    void betterPlansArriveAndCancelIsAnswered()
    {
        std::stop_source stop;
        std::atomic<int> told = 0;
        PlanContext context;
        context.cancel = stop.get_token();
        context.publish = [&](const Incumbent& incumbent) {
            if (incumbent.bound == 0 && incumbent.work == 7) ++told; // no word for a bound comes through
            stop.request_stop();
        };
        const auto made = plan("wait", context);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(told.load(), 1);
        QCOMPARE(made->stoppedBy, StoppedBy::cancelled);
    }

    void whatItsInfoDoesNotTakeIsRefused()
    {
        Problem gaps = threeBuffers();
        gaps.buffers[0].live = {{0, 1}, {5, 6}};
        const auto made = planner("misplanning")->plan(gaps, {}, {});
        QVERIFY(!made);
        QVERIFY(made.error().code == Code::notSupported);
    }

    /// A worker that its host ends while a library loads has not crashed.
    void oneThatHangsWhileItLoadsIsNotSuspended()
    {
        qputenv("STOWAGE_TEST_LOAD_HANGS", "1");
        PlanContext context;
        context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
        const auto made = planner("crash_when_loaded")->plan(threeBuffers(), {}, context);
        qunsetenv("STOWAGE_TEST_LOAD_HANGS");
        QVERIFY(!made);
        QVERIFY(runFailureOf(made.error()) == RunFailure::timedOut);
        QVERIFY(!PluginLedger().crashedWhileLoading(QStringLiteral("org.stowage.test.crash-when-loaded")));
    }

    /// The host is gone with SIGKILL, and takes the worker with it: nothing is known against the library.
    void oneWhoseHostIsKilledWhileItLoadsIsNotSuspended()
    {
        const QString id = QStringLiteral("org.stowage.test.crash-when-loaded");
        qputenv("STOWAGE_TEST_LOAD_HANGS", "1");
        const auto unset = qScopeGuard([] { qunsetenv("STOWAGE_TEST_LOAD_HANGS"); });
        const QString marks = settings_.path() + QStringLiteral("/stowage/loading");
        const auto marked = [&] { return !QDir(marks).entryList(QDir::Files).isEmpty(); };
        QVERIFY(!marked());
        QProcess host;
        host.setProgram(QCoreApplication::applicationFilePath());
        host.setArguments({QStringLiteral("planWithTheOneThatHangs")});
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("STOWAGE_TEST_AS_HOST"), settings_.path());
        host.setProcessEnvironment(environment);
        host.start();
        QVERIFY(host.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(marked(), 30'000);
        QVERIFY(!PluginLedger().crashedWhileLoading(id)); // it is still loading
        host.kill();
        QVERIFY(host.waitForFinished());
        QVERIFY(marked());
        QTRY_VERIFY(!PluginLedger().crashedWhileLoading(id));
        QTest::qWait(300); // the worker is gone by now, too
        QVERIFY(!PluginLedger().crashedWhileLoading(id));
        PluginLedger().forgetCrash(id);
    }
    /// What the test before starts as another process.
    void planWithTheOneThatHangs()
    {
        if (!qEnvironmentVariableIsSet("STOWAGE_TEST_AS_HOST")) return; // it would not end
        (void)planner("crash_when_loaded")->plan(threeBuffers(), {}, {});
    }

    void aCrashWhileItLoadsSuspendsItUntilTheUserDecides()
    {
        const QString id = QStringLiteral("org.stowage.test.crash-when-loaded");
        const auto stateOf = [&] {
            const PluginHost host(QStringList{folder("crash_when_loaded")});
            for (const PluginRow& row : host.rows())
                if (row.id == id) return row.state;
            return PluginState::refused;
        };
        QCOMPARE(stateOf(), PluginState::usable);
        const auto made = planner("crash_when_loaded")->plan(threeBuffers(), {}, {});
        QVERIFY(!made);
        QVERIFY(runFailureOf(made.error()) == RunFailure::crashed);
        QCOMPARE(stateOf(), PluginState::suspended);
        QVERIFY(PluginHost(QStringList{folder("crash_when_loaded")}).setEnabled(id, true));
        QCOMPARE(stateOf(), PluginState::usable);
        QVERIFY(PluginHost(QStringList{folder("crash_when_loaded")}).setEnabled(id, false));
        QCOMPARE(stateOf(), PluginState::disabled);
    }

    void safeModeSkipsIt()
    {
        const PluginHost host(PluginSettings{{folder("misplanning")}, true});
        for (const PluginRow& row : host.rows()) QVERIFY(row.state != PluginState::usable);
        QVERIFY(host.planners(WorkerClient::installedWorker()).empty());
    }
};

QTEST_GUILESS_MAIN(PlannerPluginsTest)
#include "tst_planner_plugins.moc"

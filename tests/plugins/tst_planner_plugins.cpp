// Planners of libraries run in the worker: whatever they do costs one run, and has its code.
#include "core/plan/report.h"
#include "core/plan/run_failure.h"
#include "plugins/host/conformance.h"
#include "plugins/host/isolated_planner.h"
#include "plugins/host/plugin_host.h"
#include "plugins/host/worker_client.h"
#include "tests/support/instrumented.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

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

/// Plans until it is asked to stop, and has nothing then.
class Waiting final : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem&, const OptionValues&, const PlanContext& context) const override
    {
        while (!context.shouldStop(0)) std::this_thread::sleep_for(1ms);
        return runFailed(RunFailure::cancelled, "stopped");
    }

private:
    PlannerInfo info_;
};

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
    /// The same with this time for a planning.
    static std::shared_ptr<const Planner> timed(std::chrono::milliseconds time)
    {
        const PluginHost host(QStringList{folder("misplanning")});
        const PluginRow* row = host.plannerRow("test-misplanning");
        return row ? isolatedPlanner({row->id, row->path, WorkerClient::installedWorker(), time}, row->planners.front(), {})
                   : nullptr;
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
        row("long-word", RunFailure::tooMuchOutput); // 65 MiB for three buffers
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
        if (deed == "long-word") QVERIFY2(made.error().remedy.find("author") != std::string::npos, made.error().remedy.c_str());
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

    /// Without a deadline of the user, the time in its metadata is one.
    void aHangEndsWhenItsTimeIsOver()
    {
        QElapsedTimer clock;
        clock.start();
        const auto made = timed(500ms)->plan(threeBuffers(), {{"deed", "hang"}}, {});
        QVERIFY(!made);
        QVERIFY2(runFailureOf(made.error()) == RunFailure::timedOut, made.error().message.c_str());
        // Above the two minutes that files are read in: the variable must not lower these.
        QVERIFY2(made.error().remedy.starts_with("set STOWAGE_WORKER_TIMEOUT_S to more than 120 "), made.error().remedy.c_str());
        QVERIFY2(clock.elapsed() < 30'000, qPrintable(QString::number(clock.elapsed()))); // half of the default
    }
    void onePlannerThatStopsWhenItsTimeIsOverGivesItsPlan()
    {
        const auto made = timed(500ms)->plan(threeBuffers(), {{"deed", "wait"}}, {});
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(made->stoppedBy, StoppedBy::deadline);
        QCOMPARE(made->diagnostics.size(), std::size_t{1});
        QVERIFY(made->diagnostics[0].severity == Severity::warning && made->diagnostics[0].code == Code::timedOut);
        QVERIFY(made->diagnostics[0].remedy.find("STOWAGE_WORKER_TIMEOUT_S") != std::string::npos);
        // The user's own deadline needs no explanation.
        PlanContext context;
        context.deadline = std::chrono::steady_clock::now() + 500ms;
        const auto asked = timed(60s)->plan(threeBuffers(), {{"deed", "wait"}}, context);
        QVERIFY2(asked, asked ? "" : asked.error().message.c_str());
        QCOMPARE(asked->stoppedBy, StoppedBy::deadline);
        QVERIFY(asked->diagnostics.empty());
    }

    /// An error in answer to the cancel is the end of the time, whatever the planner calls it.
    void onePlannerThatGivesUpWhenItsTimeIsOverTimedOut_data()
    {
        QTest::addColumn<QByteArray>("deed");
        QTest::newRow("give-up") << QByteArray("give-up");
        QTest::newRow("say-cancelled") << QByteArray("say-cancelled");
    }
    void onePlannerThatGivesUpWhenItsTimeIsOverTimedOut()
    {
        QFETCH(QByteArray, deed);
        const auto made = timed(500ms)->plan(threeBuffers(), {{"deed", deed.toStdString()}}, {});
        QVERIFY(!made);
        QVERIFY2(runFailureOf(made.error()) == RunFailure::timedOut, made.error().message.c_str());
        QVERIFY(made.error().message.find("no plan yet") != std::string::npos);
        QVERIFY2(made.error().remedy.find("STOWAGE_WORKER_TIMEOUT_S") != std::string::npos, made.error().remedy.c_str());
    }

    /// The shorter of the two times; without a deadline of the user it has none, and stops by itself.
    void itsDeadlineIsNotAfterItsTime()
    {
        const auto told = [](const PlanContext& context) {
            const auto made = timed(5s)->plan(threeBuffers(), {{"deed", "tell-deadline"}}, context);
            return made ? -1 : QString::fromStdString(made.error().message).section(u' ', -1).toInt();
        };
        PlanContext context;
        context.deadline = std::chrono::steady_clock::now() + 100s;
        const int both = told(context);
        QVERIFY2(both > 0 && both <= 5'000, qPrintable(QString::number(both)));
        QVERIFY(told({}) <= 0);
    }

    /// The process ends when this one is busy for too long; then, too, the remedy names the limit.
    void theLimitOfItsProcessHasARemedy()
    {
        PlanContext context;
        context.publish = [](const Incumbent&) { std::this_thread::sleep_for(4s); };
        const auto made = timed(500ms)->plan(threeBuffers(), {{"deed", "show-and-hang"}}, context);
        QVERIFY(!made);
        QVERIFY2(runFailureOf(made.error()) == RunFailure::timedOut, made.error().message.c_str());
        QVERIFY2(made.error().remedy.find("STOWAGE_WORKER_TIMEOUT_S") != std::string::npos, made.error().remedy.c_str());
    }

    void theUserSetsTheLimits()
    {
        const auto unset = qScopeGuard([] {
            qunsetenv("STOWAGE_WORKER_TIMEOUT_S");
            qunsetenv("STOWAGE_WORKER_MEMORY_MB");
        });
        // Larger or smaller than the planner's own time, it raises that and lowers nothing: it may be there for another limit.
        for (const auto& [users, own] : {std::pair{"1.5", 200ms}, std::pair{"0.2", 1500ms}}) {
            qputenv("STOWAGE_WORKER_TIMEOUT_S", users);
            QElapsedTimer clock;
            clock.start();
            const auto made = timed(own)->plan(threeBuffers(), {{"deed", "wait"}}, {});
            QVERIFY2(made, made ? "" : made.error().message.c_str());
            QCOMPARE(made->stoppedBy, StoppedBy::deadline);
            QVERIFY2(clock.elapsed() >= 1500, qPrintable(QString::number(clock.elapsed())));
        }
        for (const char* bad : {"much", "0", "1e9", "-1", "nan"}) {
            qputenv("STOWAGE_WORKER_TIMEOUT_S", bad);
            const auto refused = plan("none");
            QVERIFY2(!refused, bad);
            QVERIFY(refused.error().code == Code::badArgument);
            QVERIFY2(refused.error().message.find("STOWAGE_WORKER_TIMEOUT_S") != std::string::npos, bad);
        }
        qunsetenv("STOWAGE_WORKER_TIMEOUT_S");
        for (const char* bad : {"4G", "63", "16777217", "1.5"}) {
            qputenv("STOWAGE_WORKER_MEMORY_MB", bad);
            const auto refused = plan("none");
            QVERIFY2(!refused && refused.error().code == Code::badArgument, bad);
        }
        qputenv("STOWAGE_WORKER_MEMORY_MB", "9000");
        QVERIFY(plan("none"));
        if (test::instrumented) return;
        QVERIFY(plan("eat-memory").error().remedy.find("more than 9000 ") != std::string::npos);
        qputenv("STOWAGE_WORKER_MEMORY_MB", "5000"); // below the 8 GiB that a planner has
        QVERIFY(plan("eat-memory").error().remedy.find("more than 8192 ") != std::string::npos);
    }

    void thePlanHasItsSeed()
    {
        PlanContext context;
        context.seed = 4711;
        const auto made = plan("none", context);
        QVERIFY(made);
        QCOMPARE(made->seed, std::uint64_t{4711});
    }

    /// A case of the kit that takes too long is a failure, and the next one is run.
    void theKitDoesNotWaitForAPlannerThatHangs()
    {
        const auto results = checkConformance(Waiting(), {}, {}, 40ms);
        QCOMPARE(results.size(), conformanceCases().size());
        int late = 0;
        std::ptrdiff_t lateTwice = 0;
        for (const ConformanceResult& result : results) {
            const bool twice = result.message.starts_with("it did not end within 0.08 s"); // in two runs
            lateTwice += twice;
            late += twice || result.message.starts_with("it did not end within 0.04 s");
        }
        QCOMPARE(lateTwice, std::ranges::count(conformanceCases(), ConformanceCase::Call::twice, &ConformanceCase::call));
        QVERIFY2(late >= int(results.size()) - 1, qPrintable(QString::number(late))); // one is cancelled by the kit itself
        // Of one that ends in time nothing is said.
        for (const ConformanceResult& result : checkConformance(*planner("misplanning"), {}))
            QVERIFY2(result.message.find("did not end") == std::string::npos, result.name.c_str());
    }

    /// A planner's own time, and two seconds to stop, end before the time of the kit.
    void theKitWaitsAsLongAsThePlannerMayTake()
    {
        QVERIFY(conformanceTime(5min) > 5min + 2s);
        QVERIFY(conformanceTime(1s) > 60s + 2s); // that of one that states none
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

    /// A thread of the planner is in the middle of a message, larger than the pipe, when the planner throws.
    void theWordOfAnExceptionIsNotInsideAnotherMessage()
    {
        int told = 0;
        PlanContext context;
        context.publish = [&told](const Incumbent&) {
            ++told;
            std::this_thread::sleep_for(1s); // nothing is read meanwhile, and the large message waits
        };
        const auto made = plan("throw-while-publishing", context);
        QVERIFY(!made);
        QVERIFY2(runFailureOf(made.error()) == RunFailure::crashed, made.error().message.c_str());
        QVERIFY2(made.error().message.find("it threw an exception: thrown") != std::string::npos, made.error().message.c_str());
        QCOMPARE(told, 1); // the large plan has not the buffers of the problem
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
        QVERIFY(PluginLedger().forgetCrash(id));
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
        QVERIFY(!PluginHost(QStringList{folder("crash_when_loaded")}).setEnabled(id, true));
        QCOMPARE(stateOf(), PluginState::usable);
        QVERIFY(!PluginHost(QStringList{folder("crash_when_loaded")}).setEnabled(id, false));
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

// The session: opening and planning in the background, incumbents, cancelling, errors, recent files.
#include "app/session/resources.h"
#include "app/session/session.h"
#include "core/explain/ranking.h"
#include "core/plan/check.h"
#include "plugins/host/settings_format.h"
#include "tests/session/programs.h"
#include "tests/session/test_planners.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

using namespace stowage;
using namespace std::chrono_literals;

namespace {

// Three buffers: a and b live at step 1, b and c at step 2; 30 bytes are live at most, 40 in all.
const char* const threeBuffers = "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n";

std::string message(const Error& error)
{
    return toText(error);
}

} // namespace

class SessionTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    std::unique_ptr<Session> session_;

    QString written(const char* name, const QByteArray& text)
    {
        const QString path = folder_.filePath(QString::fromUtf8(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write %s", qPrintable(path));
        return path;
    }

    int opened(const QString& path)
    {
        QSignalSpy spy(session_.get(), &Session::modelOpened);
        const int id = session_->open(path);
        return spy.wait(10'000) ? id : 0;
    }
    int openedThree() { return opened(written("three.csv", threeBuffers)); }

    PlanRequest request(int model, const char* planner)
    {
        PlanRequest wanted;
        wanted.model = model;
        wanted.planner = planner;
        return wanted;
    }

    static constexpr int improvingRounds = 2000;

    /// The status with which a job ended, waiting for it.
    JobStatus ended(int job, QSignalSpy& spy)
    {
        const auto last = [&]() -> std::optional<JobStatus> {
            for (const auto& emission : spy) {
                const auto status = emission.at(0).value<JobStatus>();
                if (status.id == job && status.state != JobState::queued && status.state != JobState::running) return status;
            }
            return std::nullopt;
        };
        QElapsedTimer timer;
        timer.start();
        while (!last() && timer.elapsed() < 10'000) spy.wait(20);
        return last().value_or(JobStatus{});
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(folder_.isValid());
        QSettings::setPath(settingsFormat(), QSettings::UserScope, folder_.filePath("settings"));
    }

    void init()
    {
        session_ = std::make_unique<Session>();
        QVERIFY(!session_->addPlanner(test::improvingPlanner(1ms, improvingRounds)));
        QVERIFY(!session_->addPlanner(test::deafPlanner(600ms)));
        QVERIFY(!session_->addPlanner(test::lyingPlanner()));
        QVERIFY(!session_->addPlanner(test::throwingPlanner()));
        QVERIFY(!session_->addPlanner(test::forgetfulPlanner()));
        QVERIFY(!session_->addPlanner(test::choosyPlanner()));
    }

    void cleanup() { session_.reset(); }

    // --- opening ---------------------------------------------------------------------------------------------------

    void aFileIsOpenedInTheBackground()
    {
        QSignalSpy started(session_.get(), &Session::openStarted);
        const QString path = written("three.csv", threeBuffers);
        const int id = opened(path);
        QVERIFY(id > 0);
        QCOMPARE(started.count(), 1);
        QCOMPARE(session_->models(), std::vector<int>{id});
        const Model* model = session_->model(id);
        QVERIFY(model && model->problem && !model->program);
        QCOMPARE(model->id, id);
        QCOMPARE(model->path, path);
        QCOMPARE(model->name, QString("three.csv"));
        QCOMPARE(model->importer, QString("csv"));
        QCOMPARE(model->problem->buffers.size(), std::size_t{3});
    }

    void textIsOpenedWithoutAFile()
    {
        QSignalSpy spy(session_.get(), &Session::modelOpened);
        const int id = session_->openText("pasted", threeBuffers);
        QVERIFY(spy.wait());
        QVERIFY(session_->model(id)->path.isEmpty());
        QCOMPARE(session_->model(id)->name, QString("pasted"));
        QVERIFY(session_->recentFiles().empty() || session_->recentFiles().front().path != "pasted");
    }

    void badInputIsReportedWithItsPlaceAndNothingIsLost_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::newRow("a size that is none") << QByteArray("id,lower,upper,size\na,0,2,10\nb,1,3,many\n") << 3;
        QTest::newRow("a column is missing") << QByteArray("id,lower,upper\na,0,2\n") << 1;
        QTest::newRow("an unknown field")
            << QByteArray("{\"format\": \"stowage.problem/1\",\n \"pools\": [{\"name\": \"p\"}],\n \"buffres\": []}") << 3;
        QTest::newRow("not JSON to its end") << QByteArray("{\"format\": \"stowage.problem/1\",\n \"buffers\": [") << 2;
        QTest::newRow("an unknown format") << QByteArray("\x01\x02\x03 what is this") << 0;
        QTest::newRow("empty") << QByteArray() << 0;
    }
    void badInputIsReportedWithItsPlaceAndNothingIsLost()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        const int good = openedThree();
        QSignalSpy failed(session_.get(), &Session::openFailed);
        const QString path = written("bad.input", text);
        const int id = session_->open(path);
        QVERIFY(failed.wait(10'000));
        QCOMPARE(failed.at(0).at(0).toInt(), id);
        const auto error = failed.at(0).at(2).value<Error>();
        QVERIFY2(error.where.file == path.toStdString(), message(error).c_str());
        QVERIFY2(error.where.line == line, message(error).c_str());
        QVERIFY(!error.message.empty());
        QCOMPARE(session_->models(), std::vector<int>{good});
    }

    void aFileThatIsNotThereIsAnError()
    {
        const auto missing = session_->read(folder_.filePath("no-such-file.csv"));
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, Code::cannotOpen);
        const auto dir = session_->read(folder_.path());
        QVERIFY(!dir);
        QVERIFY(dir.error().message.find("folder") != std::string::npos);
    }

    void anOpeningThatWasGivenUpIsNotHeardOf()
    {
        QSignalSpy spy(session_.get(), &Session::modelOpened);
        QSignalSpy closed(session_.get(), &Session::modelClosed);
        const int id = session_->open(written("three.csv", threeBuffers));
        session_->close(id);
        QCOMPARE(closed.count(), 1);
        QVERIFY(!spy.wait(200));
        QVERIFY(session_->models().empty());
    }

    // --- planning --------------------------------------------------------------------------------------------------

    void aPlanningBecomesARun()
    {
        const int model = openedThree();
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        QSignalSpy added(session_.get(), &Session::runAdded);
        const int job = session_->plan(request(model, "greedy-by-size"));
        QCOMPARE(changed.at(0).at(0).value<JobStatus>().state, JobState::queued);
        QCOMPARE(ended(job, changed).state, JobState::finished);
        QCOMPARE(added.count(), 1);
        const RunEntry* entry = session_->run(added.at(0).at(0).toInt());
        QVERIFY(entry);
        QCOMPARE(entry->model, model);
        QCOMPARE(entry->request.planner, std::string("greedy-by-size"));
        QVERIFY(entry->run->report.verdict.valid());
        QCOMPARE(entry->run->report.totalSize(), Bytes{30}); // b first, a and c in turn above it
        QCOMPARE(entry->run->report.status, Status::optimal);
        QVERIFY(session_->jobs().empty());
        QCOMPARE(session_->recentFiles().front().verdict, QString("Optimal"));
        QCOMPARE(session_->recentFiles().front().size, Bytes{30});
    }

    void plannersOfOneModelShareOneLowering()
    {
        const int model = openedThree();
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        std::vector<int> jobs;
        for (const char* planner : {"naive", "greedy-by-size", "greedy-by-breadth", "best-fit-decreasing"})
            jobs.push_back(session_->plan(request(model, planner)));
        for (const int job : jobs) QCOMPARE(ended(job, changed).state, JobState::finished);
        QCOMPARE(session_->runs().size(), jobs.size());
        for (const RunEntry& entry : session_->runs()) QCOMPARE(entry.run->lowering, session_->runs().front().run->lowering);
    }

    void autoIsTheDefaultPlanner()
    {
        const int model = openedThree();
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        const JobStatus status = ended(session_->plan(request(model, "auto")), changed);
        QCOMPARE(status.state, JobState::finished);
        QCOMPARE(status.planner, session_->defaultPlanner());
    }

    void theMemoriesOfTheRequestReplaceTheModels()
    {
        const int model = openedThree();
        PlanRequest wanted = request(model, "greedy-by-size");
        Pool pool;
        pool.name = "tiny";
        pool.capacity = 29; // one byte less than is live at step 1
        wanted.target.pools = {pool};
        wanted.target.name = "mine";
        const auto run = session_->planNow(*session_->model(model), wanted);
        QVERIFY(run);
        QVERIFY((*run)->report.verdict.overCapacity);
        QVERIFY((*run)->report.status == Status::doesNotFit || (*run)->report.status == Status::infeasible);
        QCOMPARE((*run)->targetName, std::string("mine"));
    }

    void whatCannotBePlannedFailsWithAReason_data()
    {
        QTest::addColumn<QByteArray>("planner");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("no such planner") << QByteArray("greedy-by-sighs") << QByteArray("unknown-planner");
        QTest::newRow("a planner that throws") << QByteArray("test-throwing") << QByteArray("planner-failed");
    }
    void whatCannotBePlannedFailsWithAReason()
    {
        QFETCH(QByteArray, planner);
        QFETCH(QByteArray, code);
        const int model = openedThree();
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        const JobStatus status = ended(session_->plan(request(model, planner.constData())), changed);
        QCOMPARE(status.state, JobState::failed);
        QVERIFY(status.error);
        QCOMPARE(QByteArray::fromStdString(std::string(toText(status.error->code))), code);
        QVERIFY(session_->runs().empty());
    }

    void aModelThatIsNotOpenCannotBePlanned()
    {
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        QCOMPARE(ended(session_->plan(request(4711, "naive")), changed).state, JobState::failed);
    }

    void aPlannerThatCannotTakeThePinsIsRefused()
    {
        const auto model = session_->readText("pinned", "id,lower,upper,size,offset\na,0,2,10,16\nb,0,3,20,-1\n");
        QVERIFY(model);
        const auto run = session_->planNow(*model, request(0, "test-choosy"));
        QVERIFY(!run);
        QVERIFY2(run.error().message.find("pin") != std::string::npos, message(run.error()).c_str());
    }

    void aBufferThatWasForgottenIsNotPlaced()
    {
        const auto model = session_->readText("three", threeBuffers);
        QVERIFY(model);
        const auto run = session_->planNow(*model, request(0, "test-forgetful"));
        QVERIFY(run);
        QCOMPARE((*run)->plan.placements.size(), std::size_t{3});
        QCOMPARE((*run)->report.status, Status::invalid);
        QCOMPARE((*run)->report.verdict.violations.front().kind, ViolationKind::notPlaced);
    }

    void unknownOptionsAndLoweringsAreRefused()
    {
        const auto model = session_->readText("three", threeBuffers);
        QVERIFY(model);
        PlanRequest wanted = request(0, "naive");
        wanted.options = {{"no-such-option", "1"}};
        QVERIFY(!session_->planNow(*model, wanted));
        wanted.options.clear();
        wanted.lowering = {{"loops", "sideways"}};
        QVERIFY(!session_->planNow(*model, wanted));
        wanted.lowering.clear();
        wanted.function = "main";
        QVERIFY(!session_->planNow(*model, wanted));
    }

    void changesOfBuffersArePlannedAndWhatCannotBeMadeIsSaid()
    {
        const auto model = session_->readText("three.csv", threeBuffers);
        QVERIFY(model);
        PlanRequest wanted = request(0, "greedy-by-size");
        const auto before = session_->planNow(*model, wanted);
        QVERIFY(before);
        QCOMPARE((*before)->report.totalBound(), Bytes{30});
        wanted.changes = {{.kind = Change::Kind::size, .size = 5, .names = {"b", {}, {}}},
                          {.kind = Change::Kind::live, .live = {{3, 4}}, .names = {"c", {}, {}}},
                          {.kind = Change::Kind::size, .size = 5, .names = {"nobody", {}, {}}}};
        const auto after = session_->planNow(*model, wanted);
        QVERIFY(after);
        // By hand: a (10) and b (now 5) are live at step 1; c is alone at step 3.
        QCOMPARE((*after)->report.totalBound(), Bytes{15});
        QVERIFY((*after)->report.verdict.valid());
        QCOMPARE((*after)->problem().buffers[1].size, Bytes{5});
        QCOMPARE((*after)->problem().buffers[2].live, (std::vector<Interval>{{3, 4}}));
        QCOMPARE((*before)->problem().buffers[1].size, Bytes{20}); // that run keeps its problem
        QVERIFY((*after)->lowering->fingerprint.changes.size() == 2 &&
                (*after)->lowering->fingerprint != (*before)->lowering->fingerprint);
        const auto& said = (*after)->plan.diagnostics;
        QCOMPARE(std::count_if(said.begin(), said.end(),
                               [](const Diagnostic& d) {
                                   return d.code == Code::changeLeftOut && d.message.find("nobody") != std::string::npos;
                               }),
                 1);
    }

    void differentlyPinnedRunsAreNotRankedTogether()
    {
        const auto model = session_->readText("three.csv", threeBuffers);
        std::vector<std::shared_ptr<const Run>> runs;
        for (const Bytes offset : {0, 64, 64}) {
            PlanRequest wanted = request(0, "greedy-by-size");
            wanted.pins = {{"a", "arena", offset}};
            runs.push_back(*session_->planNow(*model, wanted));
        }
        QCOMPARE(groupRuns(runs).size(), std::size_t{2});
    }

    // --- incumbents and cancelling -----------------------------------------------------------------------------------

    void incumbentsAreValidAndTheLatestOfThoseThatComeFast()
    {
        const int model = openedThree();
        QSignalSpy improved(session_.get(), &Session::incumbent);
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        PlanRequest wanted = request(model, "test-improving");
        wanted.timeLimitSeconds = 0.6;
        const int job = session_->plan(wanted);
        const JobStatus status = ended(job, changed);
        QCOMPARE(status.state, JobState::finished);
        QVERIFY2(improved.count() >= 3, qPrintable(QString::number(improved.count())));
        // The planner published one for each unit of work; those that came too fast were passed over for the latest.
        QVERIFY2(std::uint64_t(improved.count()) < session_->runs().front().run->plan.work,
                 qPrintable(QString("%1 of %2").arg(improved.count()).arg(session_->runs().front().run->plan.work)));
        Bytes last = std::numeric_limits<Bytes>::max();
        for (const auto& emission : improved) {
            QCOMPARE(emission.at(0).toInt(), job);
            const auto run = emission.at(1).value<std::shared_ptr<const Run>>();
            QVERIFY(run->report.verdict.valid());
            QVERIFY(run->report.totalSize() < last); // each is tighter than the one before
            last = run->report.totalSize();
        }
        QCOMPARE(session_->runs().front().run->plan.stoppedBy, StoppedBy::deadline);
    }

    void incumbentsThatAreNotValidAreNotShown()
    {
        const int model = openedThree();
        QSignalSpy improved(session_.get(), &Session::incumbent);
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        QCOMPARE(ended(session_->plan(request(model, "test-lying")), changed).state, JobState::finished);
        QCOMPARE(improved.count(), 0);
        const auto& said = session_->runs().front().run->plan.diagnostics;
        QVERIFY(std::any_of(said.begin(), said.end(), [](const Diagnostic& d) { return d.code == Code::badIncumbent; }));
    }

    void cancellingIsSeenAtOnceAndTheBestIsKept()
    {
        const int model = openedThree();
        QSignalSpy improved(session_.get(), &Session::incumbent);
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        QSignalSpy added(session_.get(), &Session::runAdded);
        const int job = session_->plan(request(model, "test-improving"));
        QVERIFY(improved.wait(5000));
        session_->cancel(job);
        // At once: before the event loop has turned.
        QCOMPARE(changed.last().at(0).value<JobStatus>().id, job);
        QCOMPARE(changed.last().at(0).value<JobStatus>().state, JobState::cancelled);
        QVERIFY(session_->jobs().empty());
        QVERIFY(added.count() == 1 || added.wait(60'000));
        QCOMPARE(session_->runs().front().run->plan.stoppedBy, StoppedBy::cancelled);
        QVERIFY(session_->runs().front().run->plan.work < std::uint64_t{improvingRounds}); // it did not go on to the end
        QVERIFY(session_->runs().front().run->report.verdict.valid());
    }

    void aPlannerThatDoesNotListenIsGoneAllTheSame()
    {
        const int model = openedThree();
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        const int job = session_->plan(request(model, "test-deaf"));
        QTRY_COMPARE(session_->jobs().size() == 1 && session_->jobs().front().state == JobState::running, true);
        session_->cancelAll();
        // Before the event loop has turned, and while the planner goes on.
        QCOMPARE(changed.last().at(0).value<JobStatus>().id, job);
        QCOMPARE(changed.last().at(0).value<JobStatus>().state, JobState::cancelled);
        QVERIFY(session_->jobs().empty());
    }

    void manyPlanningsAllEnd()
    {
        const int model = openedThree();
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        std::set<int> jobs;
        for (int i = 0; i < 40; ++i) jobs.insert(session_->plan(request(model, i % 2 == 0 ? "naive" : "greedy-by-size")));
        QCOMPARE(jobs.size(), std::size_t{40});
        for (const int job : jobs) QCOMPARE(ended(job, changed).state, JobState::finished);
        QCOMPARE(session_->runs().size(), std::size_t{40});
    }

    void leavingWhilePlanningDoesNotHang()
    {
        test::improvingRoundsDone() = 0;
        const int model = openedThree();
        session_->plan(request(model, "test-improving"));
        session_->plan(request(model, "test-improving"));
        session_->open(written("three.csv", threeBuffers));
        QTest::qWait(30);
        session_.reset();
        // The planners were stopped, not waited for: they would have gone through all of their rounds.
        QVERIFY2(test::improvingRoundsDone() < improvingRounds, qPrintable(QString::number(test::improvingRoundsDone())));
    }

    // --- runs --------------------------------------------------------------------------------------------------------

    void closingAModelTakesItsRunsAlong()
    {
        const int first = openedThree();
        const int second = openedThree();
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        for (const int model : {first, second})
            QCOMPARE(ended(session_->plan(request(model, "naive")), changed).state, JobState::finished);
        QSignalSpy removed(session_.get(), &Session::runRemoved);
        session_->close(first);
        QCOMPARE(removed.count(), 1);
        QCOMPARE(session_->models(), std::vector<int>{second});
        QCOMPARE(session_->runs().size(), std::size_t{1});
        QCOMPARE(session_->runs().front().model, second);
        session_->removeRun(session_->runs().front().id);
        QVERIFY(session_->runs().empty());
    }

    void stepsAreRecordedOnlyWhenAskedFor()
    {
        const auto model = session_->readText("three", threeBuffers);
        QVERIFY(model);
        PlanRequest wanted = request(0, "greedy-by-size");
        QVERIFY(!(*session_->planNow(*model, wanted))->steps);
        wanted.record = true;
        const auto run = session_->planNow(*model, wanted);
        QVERIFY((*run)->steps);
        const auto& steps = (*run)->steps->steps();
        QCOMPARE(std::count_if(steps.begin(), steps.end(), [](const RecordedStep& s) { return s.kind == StepKind::place; }), 3);
    }

    /// A better plan replaces the one before: no step on the way has two buffers in one place.
    void noStepOfAPortfolioShowsBuffersOnEachOther()
    {
        std::string text = "id,lower,upper,size\n";
        unsigned random = 1;
        const auto below = [&](unsigned n) { return int((random = random * 1664525U + 1013904223U) >> 16) % int(n); };
        for (int i = 0; i < 80; ++i) {
            const int begin = below(60);
            text += "b" + std::to_string(i) + "," + std::to_string(begin) + "," + std::to_string(begin + 1 + below(20)) + "," +
                    std::to_string(1 + below(60)) + "\n";
        }
        const auto model = session_->readText("many", QByteArray::fromStdString(text));
        QVERIFY(model);
        for (const char* planner : {"auto", "hill-climb"}) {
            PlanRequest wanted = request(0, planner);
            wanted.record = true;
            wanted.workLimit = 3000;
            const auto run = session_->planNow(*model, wanted);
            QVERIFY(run && (*run)->steps);
            Plan shown;
            shown.placements.resize(80);
            int left = 0, better = 0;
            for (const RecordedStep& step : (*run)->steps->steps()) {
                better += step.kind == StepKind::improve;
                if (step.kind != StepKind::place && step.kind != StepKind::remove) continue;
                Placement& placement = shown.placements[std::size_t(step.buffer)];
                left += step.kind == StepKind::remove;
                placement.pool = step.kind == StepKind::place ? step.pool : none;
                placement.offset = step.offset;
                for (const Violation& violation : check((*run)->problem(), shown, 100).violations)
                    QCOMPARE(violation.kind, ViolationKind::notPlaced);
            }
            if (planner == std::string_view("auto")) QVERIFY(left > 0 && better > 1); // the other may begin with its best
            for (std::size_t i = 0; i < 80; ++i) QCOMPARE(shown.placements[i].offset, (*run)->plan.placements[i].offset);
        }
    }

    void thePlanOfAFileBecomesARun()
    {
        auto model = session_->readText("chain", test::chainOfTwo);
        QVERIFY2(bool(model), model ? "" : message(model.error()).c_str());
        model->filePlans = {{"whole", 0, {{0, 0, 0}, {0, 1, 16}, {0, 2, 0}}},
                            {"part", 0, {{0, 1, 16}}},
                            {"wrong", 0, {{0, 0, 0}, {0, 1, 8}, {0, 2, 0}}}};
        const auto runs = session_->fileRuns(*model, request(0, ""));
        QCOMPARE(runs.size(), std::size_t{3});
        QCOMPARE(runs[0]->plan.planner, std::string("whole"));
        QVERIFY(runs[0]->report.verdict.valid());
        QCOMPARE(runs[0]->report.totalSize(), Bytes{48}); // y at 16 with 32 bytes
        QVERIFY(runs[1]->report.verdict.valid());         // x and z were placed round y
        QCOMPARE(runs[1]->plan.placements[1].offset, Bytes{16});
        QVERIFY(!runs[1]->plan.diagnostics.empty());
        QVERIFY(!runs[2]->report.verdict.valid()); // x [0, 16) and y [8, 40) are both live at step 1
    }

    void functionsThatNoOtherCallsAreTheOnesToPlan()
    {
        const auto model = session_->readText("two", test::threeFunctions);
        QVERIFY2(bool(model), model ? "" : message(model.error()).c_str());
        QCOMPARE(Session::functions(*model), (std::vector<std::string>{"second", "first"}));
        PlanRequest wanted = request(0, "naive");
        QCOMPARE((*session_->planNow(*model, wanted))->report.totalSize(), Bytes{16});
        wanted.function = "first";
        const auto first = session_->planNow(*model, wanted);
        QVERIFY(first);
        QCOMPARE((*first)->report.totalSize(), Bytes{8});
        QCOMPARE((*first)->program->main().name, std::string("first"));
        OpenOptions options;
        options.function = "first";
        QCOMPARE(Session::functions(*session_->readText("two", test::threeFunctions, options)),
                 std::vector<std::string>{"first"});
        options.function = "third";
        QVERIFY(!session_->readText("two", test::threeFunctions, options));
    }

    // --- recent files and resources --------------------------------------------------------------------------------

    void recentFilesAreTheLatestFirst()
    {
        session_->clearRecentFiles();
        QVERIFY(session_->recentFiles().empty());
        QStringList paths;
        for (int i = 0; i < 14; ++i) {
            paths.prepend(written(QByteArray("recent" + QByteArray::number(i) + ".csv").constData(), threeBuffers));
            QVERIFY(opened(paths.front()) > 0);
        }
        auto recent = session_->recentFiles();
        QCOMPARE(recent.size(), std::size_t{12});
        for (std::size_t i = 0; i < recent.size(); ++i) QCOMPARE(recent[i].path, paths[static_cast<qsizetype>(i)]);
        QVERIFY(opened(paths[5]) > 0);
        QFile::remove(paths[0]);
        Session another; // kept between starts
        recent = another.recentFiles();
        QCOMPARE(recent.size(), std::size_t{11});
        QCOMPARE(recent.front().path, paths[5]);
    }

    /// Neither a plan of changed buffers nor one of another alignment is a plan of the file as it was planned last.
    void recentFilesTellOfTheSetupThatWasPlannedLast()
    {
        const int model = openedThree();
        QSignalSpy changed(session_.get(), &Session::jobChanged);
        const auto sizeAfter = [&](const PlanRequest& wanted) {
            return ended(session_->plan(wanted), changed).state == JobState::finished ? session_->recentFiles().front().size : 0;
        };
        QCOMPARE(sizeAfter(request(model, "greedy-by-size")), Bytes{30});
        PlanRequest apart = request(model, "greedy-by-size"), smaller = request(model, "greedy-by-size");
        apart.alignment = 64; // of two live buffers one begins at 64 or later
        const Bytes aligned = sizeAfter(apart);
        QVERIFY(aligned > 64);
        smaller.changes = {{.kind = Change::Kind::size, .size = 5, .names = {"b", {}, {}}}};
        QCOMPARE(sizeAfter(smaller), aligned);
        QCOMPARE(sizeAfter(request(model, "naive")), Bytes{30}); // its own has 40, and that of the smaller b 15
    }

    void samplesAreFoundFromTheBuildFolder()
    {
        QVERIFY2(!resourceFolder().isEmpty(), "share/stowage beside the executable's folder");
        QVERIFY(QFile::exists(resourcePath("samples/index.json")));
        QVERIFY(resourcePath("samples/no-such-file").isEmpty());
    }
};

QTEST_GUILESS_MAIN(SessionTest)
#include "tst_session.moc"

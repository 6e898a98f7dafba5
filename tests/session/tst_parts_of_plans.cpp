// A plan that is not complete yet is shown as far as it goes, and its size counts for nothing.
#include "app/session/session.h"
#include "tests/session/test_planners.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace stowage;

class PartsOfPlansTest : public QObject {
    Q_OBJECT

    Session session_;
    int model_ = 0;

    /// Plans, and waits for the end. The states of the job come in `told`.
    bool planned(const char* planner, QSignalSpy& told)
    {
        PlanRequest wanted;
        wanted.model = model_;
        wanted.planner = planner;
        const int job = session_.plan(wanted);
        return QTest::qWaitFor(
            [&] {
                return std::ranges::any_of(told, [job](const auto& emission) {
                    const auto status = emission.at(0).template value<JobStatus>();
                    return status.id == job && status.state == JobState::finished;
                });
            },
            20'000);
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (const bool lies : {false, true})
            QVERIFY(!session_.addPlanner(test::growingPlanner(std::chrono::milliseconds(100), lies)));
        QSignalSpy opened(&session_, &Session::modelOpened);
        model_ = session_.openText(QStringLiteral("three.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n");
        QVERIFY(opened.wait(20'000));
    }

    void onesWithoutAFaultAreShown()
    {
        QSignalSpy improved(&session_, &Session::incumbent);
        QSignalSpy changed(&session_, &Session::jobChanged);
        QVERIFY(planned("test-growing", changed));
        QVERIFY(improved.count() >= 1);
        const auto part = improved.first().at(1).value<std::shared_ptr<const Run>>();
        QVERIFY(part->report.status == Status::undecided);
        QVERIFY(part->plan.placements.front().placed());
        QVERIFY(!part->plan.placements.back().placed());
        for (const auto& emission : changed)
            if (const auto told = emission.at(0).value<JobStatus>(); told.state == JobState::running)
                QCOMPARE(told.best, Bytes{0});
        QVERIFY(session_.runs().front().run->plan.diagnostics.empty());
    }

    /// Two of its buffers lie on one another: refused, and the plan says that there were such.
    void onesWithAnOverlapAreNot()
    {
        QSignalSpy improved(&session_, &Session::incumbent);
        QSignalSpy changed(&session_, &Session::jobChanged);
        QVERIFY(planned("test-growing-lie", changed));
        QCOMPARE(improved.count(), 0);
        const auto& said = session_.runs().back().run->plan.diagnostics;
        QVERIFY(std::ranges::any_of(said, [](const Diagnostic& d) { return d.code == Code::badIncumbent; }));
    }
};

QTEST_GUILESS_MAIN(PartsOfPlansTest)
#include "tst_parts_of_plans.moc"

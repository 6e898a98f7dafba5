// Jobs have ids, and quick ones go first: a run says which planning it ends.
#include "app/session/session.h"
#include "tests/session/test_planners.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

using namespace stowage;

class SessionJobsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Two plannings of one request: each run names its own, and a plan that was made elsewhere names none.
    void aRunNamesItsJob()
    {
        Session session;
        QSignalSpy opened(&session, &Session::modelOpened);
        PlanRequest request;
        request.model = session.openText("three", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n");
        QTRY_COMPARE(opened.count(), 1);
        request.planner = "greedy-by-size";
        QSignalSpy added(&session, &Session::runAdded);
        const int first = session.plan(request);
        const int second = session.plan(request);
        QVERIFY(first != second);
        QTRY_COMPARE(added.count(), 2);
        std::set<int> named;
        for (const auto& signal : added) {
            named.insert(signal.at(1).toInt());
            QCOMPARE(session.run(signal.at(0).toInt())->job, signal.at(1).toInt());
        }
        QCOMPARE(named, (std::set<int>{first, second}));
        session.addRun(request, session.runs().front().run);
        QCOMPARE(added.last().at(1).toInt(), 0);
    }

    void quickPlannersDoNotWaitForLongOnes()
    {
        using namespace std::chrono_literals;
        Session session;
        QVERIFY(!session.addPlanner(test::deafPlanner(600ms)));
        QVERIFY(!session.addPlanner(test::improvingPlanner(1ms, 5000)));
        QSignalSpy opened(&session, &Session::modelOpened);
        PlanRequest request;
        request.model = session.openText("three", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n");
        QTRY_COMPARE(opened.count(), 1);
        const auto plan = [&](const char* planner) {
            request.planner = planner;
            return session.plan(request);
        };
        // More of each than there are threads.
        const unsigned many = std::max(3U, std::thread::hardware_concurrency());
        std::vector<int> slow, searches;
        for (unsigned i = 0; i < many; ++i) slow.push_back(plan("test-deaf"));
        // Anytime planners queue up; what is quick is taken as soon as a thread is free.
        for (unsigned i = 0; i < many; ++i) searches.push_back(plan("test-improving"));
        const int quick = plan("naive");
        for (const int job : slow) session.cancel(job);
        QSignalSpy added(&session, &Session::runAdded);
        const auto ended = [&] {
            return std::ranges::any_of(added, [&](const auto& each) { return each.at(1).toInt() == quick; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(ended(), 20'000);
        // It was asked for last: in the order in which they came, it would have had to wait until one of them is done.
        const std::vector<JobStatus> underWay = session.jobs();
        for (const int job : searches)
            QVERIFY(std::ranges::any_of(underWay, [job](const JobStatus& status) { return status.id == job; }));
        session.cancelAll();
    }
};

QTEST_GUILESS_MAIN(SessionJobsTest)
#include "tst_session_jobs.moc"

// Jobs have ids: a run says which planning it ends.
#include "app/session/session.h"

#include <QSignalSpy>
#include <QTest>

#include <set>

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
};

QTEST_GUILESS_MAIN(SessionJobsTest)
#include "tst_session_jobs.moc"

// Work off the window's thread: results come to the thread that asked, what was dropped reaches nobody, and who goes while work
// reads the session waits for it.
#include "app/canvas/kit/background_pool.h"
#include "app/desktop/background_job.h"

#include <QTest>
#include <QThread>
#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <semaphore>
#include <vector>

using namespace stowage;

class BackgroundJobTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resultsComeToTheThreadThatAsked()
    {
        BackgroundJobs jobs;
        std::vector<int> got;
        for (int i = 0; i < 20; ++i)
            jobs.start(
                [i](const std::stop_token&) {
                    return std::make_unique<int>(QThread::currentThread() == QCoreApplication::instance()->thread() ? -1 : i);
                },
                [&, here = QThread::currentThread()](std::unique_ptr<int> result) { // need not be copied
                    QCOMPARE(QThread::currentThread(), here);
                    got.push_back(*result);
                });
        QVERIFY(jobs.running() && got.empty());
        QTRY_VERIFY(!jobs.running());
        std::ranges::sort(got);
        QCOMPARE(got.size(), std::size_t{20});
        for (int i = 0; i < 20; ++i) QCOMPARE(got[std::size_t(i)], i);
    }

    void workWithoutAResultIsToldOf()
    {
        BackgroundJob job;
        std::atomic<bool> worked = false;
        bool told = false;
        job.start([&](const std::stop_token&) { worked = true; }, [&] { told = worked; });
        QTRY_VERIFY(told);
        QVERIFY(!job.running());
    }

    void theNextTakesThePlaceOfTheOneBefore()
    {
        BackgroundJob job(WhenGone::wait);
        std::binary_semaphore go(0);
        std::atomic<bool> asked = false;
        std::vector<int> got;
        job.start(
            [&](const std::stop_token& stop) {
                go.acquire();
                asked = stop.stop_requested();
                return 1;
            },
            [&](int result) { got.push_back(result); });
        job.start([](const std::stop_token& stop) { return stop.stop_requested() ? 3 : 2; },
                  [&](int result) { got.push_back(result); });
        go.release();
        QTRY_VERIFY(!job.running());
        backgroundPool().waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(asked);
        QCOMPARE(got, std::vector<int>{2});
    }

    void whatIsStoppedStillHandsItsResultOver()
    {
        BackgroundJob job;
        std::binary_semaphore stopped(0);
        int got = 0;
        job.start(
            [&](const std::stop_token& stop) {
                stopped.acquire();
                return stop.stop_requested() ? 7 : 8;
            },
            [&](int result) { got = result; });
        job.stop();
        stopped.release();
        QTRY_COMPARE(got, 7);
    }

    void whoGoesWaitsForWhatReadsTheSession()
    {
        std::atomic<int> ended = 0;
        int told = 0;
        {
            BackgroundJob job(WhenGone::wait);
            for (int i = 0; i < 3; ++i) // two of them are dropped, and waited for as well
                job.start(
                    [&](const std::stop_token& stop) {
                        while (!stop.stop_requested()) QThread::yieldCurrentThread();
                        ++ended;
                    },
                    [&] { ++told; });
        }
        QCOMPARE(ended.load(), 3);
        QCoreApplication::processEvents();
        QCOMPARE(told, 0);
    }

    void theNextMayBeStartedFromAResult()
    {
        BackgroundJob job;
        int count = 0;
        std::function<void()> next = [&] {
            job.start([](const std::stop_token&) { return 1; },
                      [&](int result) {
                          count += result;
                          if (count < 10) next();
                      });
        };
        next();
        QTRY_COMPARE(count, 10);
        QVERIFY(!job.running());
    }
};

QTEST_MAIN(BackgroundJobTest)
#include "tst_background_job.moc"

// A pool of threads takes tasks of smaller priorities first, equal ones as they came, and leaves the processor to other threads.
#include "app/session/task_pool.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace stowage;

namespace {

/// Holds the pool's only thread until it is opened.
class Gate {
public:
    void wait()
    {
        std::unique_lock lock(mutex_);
        waiting_ = true;
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
    }
    void untilSomeoneWaits()
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return waiting_; });
    }
    void open()
    {
        const std::scoped_lock lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool waiting_ = false;
    bool open_ = false;
};

} // namespace

class TaskPoolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void smallerPrioritiesGoFirstAndEqualOnesAsTheyCame()
    {
        Gate gate;
        std::mutex mutex;
        std::condition_variable changed;
        std::vector<int> done;
        TaskPool pool(1);
        pool.start(9, [&] { gate.wait(); });
        gate.untilSomeoneWaits(); // what follows is queued, whatever the thread does
        const auto task = [&](int name) {
            return [&, name] {
                const std::scoped_lock lock(mutex);
                done.push_back(name);
                changed.notify_all();
            };
        };
        const std::pair<int, int> queued[] = {{5, 51}, {1, 11}, {3, 31}, {1, 12}, {5, 52}, {0, 1}, {3, 32}};
        for (const auto& [priority, name] : queued) pool.start(priority, task(name));
        gate.open();
        std::unique_lock lock(mutex);
        QVERIFY(changed.wait_for(lock, std::chrono::seconds(20), [&] { return done.size() == std::size(queued); }));
        QCOMPARE(done, (std::vector<int>{1, 11, 12, 31, 32, 51, 52}));
    }

    void aNicePoolIsNiceAlone()
    {
        const auto niceness = [] { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); };
        const int before = niceness();
        const int wanted = std::max(before, 10);
        std::promise<int> own, started;
        TaskPool pool(1, 10);
        pool.start(0, [&] {
            own.set_value(niceness());
            std::jthread([&] { started.set_value(niceness()); }).join();
        });
        QCOMPARE(own.get_future().get(), wanted);
        QCOMPARE(started.get_future().get(), wanted); // the helpers of a planner, too
        QCOMPARE(niceness(), before);
    }
};

QTEST_GUILESS_MAIN(TaskPoolTest)
#include "tst_task_pool.moc"

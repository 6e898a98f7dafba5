// Background computations for one part of the window. No other source watches futures, and only the autosave has a thread of its
// own.
#pragma once

#include "app/canvas/kit/background_pool.h"

#include <QFutureSynchronizer>
#include <QFutureWatcher>
#include <QtConcurrentMap>
#include <QtConcurrentRun>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

namespace stowage {

/// Treatment of running work when the part that started it is destroyed. It is asked to stop in either case.
enum class WhenGone : std::uint8_t {
    leave, ///< the destructor does not wait; the work owns all data that it reads
    wait,  ///< the destructor waits, also for dropped work; the work reads the session, which outlives the part
};

/// Runs any count of computations at a time on threads of `backgroundPool`, and passes each result to the window's thread. A
/// member of the part that starts them: when it is destroyed, running work is asked to stop, and results are discarded.
class BackgroundJobs {
public:
    explicit BackgroundJobs(WhenGone gone = WhenGone::wait) : gone_(gone) {}
    BackgroundJobs(const BackgroundJobs&) = delete;
    BackgroundJobs& operator=(const BackgroundJobs&) = delete;
    ~BackgroundJobs()
    {
        drop();
        if (gone_ == WhenGone::leave) unfinished_.clearFutures(); // else its destructor waits
    }

    /// Runs `work(std::stop_token)` on a thread of the pool, then `then(result)` on this thread (`then()` if `work` returns
    /// nothing). `then` may start the next computation.
    template <typename Work, typename Then>
    void start(Work work, Then then)
    {
        using Result = std::invoke_result_t<Work&, std::stop_token>;
        if (gone_ == WhenGone::leave || allDone()) unfinished_.clearFutures();
        if constexpr (std::is_void_v<Result>) {
            watch<void>(then, QtConcurrent::run(&backgroundPool(),
                                                [work = std::move(work), token = stop_.get_token()]() mutable { work(token); }));
        } else {
            // Handed over as a pointer: a result need not be copied.
            watch<std::shared_ptr<Result>>(
                then, QtConcurrent::run(&backgroundPool(), [work = std::move(work), token = stop_.get_token()]() mutable {
                    return std::make_shared<Result>(work(token));
                }));
        }
    }
    /// Asks running work to end early. Its results are still passed on.
    void stop()
    {
        stop_.request_stop();
        stop_ = std::stop_source();
    }
    /// Asks running work to end early, and discards its results.
    void drop()
    {
        stop();
        watchers_.clear();
    }
    /// Waits for running work, without asking it to end. Its results are still passed on.
    void finish() { unfinished_.waitForFinished(); }
    [[nodiscard]] bool running() const { return !watchers_.empty(); }

private:
    template <typename Handed, typename Then>
    void watch(Then& then, const QFuture<Handed>& future)
    {
        auto watcher = std::make_unique<QFutureWatcher<Handed>>();
        auto* done = watcher.get();
        QObject::connect(done, &QFutureWatcherBase::finished, done, [this, done, then = std::move(then)]() mutable {
            const auto own =
                std::ranges::find(watchers_, static_cast<QFutureWatcherBase*>(done), &std::unique_ptr<QFutureWatcherBase>::get);
            own->release()->deleteLater(); // no longer running, whatever `then` asks or starts
            watchers_.erase(own);
            if constexpr (std::is_void_v<Handed>)
                then();
            else
                then(std::move(*done->result()));
        });
        watchers_.push_back(std::move(watcher));
        done->setFuture(future);
        unfinished_.addFuture(QFuture<void>(future));
    }
    [[nodiscard]] bool allDone() const
    {
        return std::ranges::all_of(unfinished_.futures(), [](const QFuture<void>& future) { return future.isFinished(); });
    }

    WhenGone gone_;
    std::stop_source stop_;
    std::vector<std::unique_ptr<QFutureWatcherBase>> watchers_;
    QFutureSynchronizer<void> unfinished_;
};

/// Runs one computation at a time: a new one replaces the running one.
class BackgroundJob {
public:
    explicit BackgroundJob(WhenGone gone = WhenGone::leave) : jobs_(gone) {}

    /// Drops the running computation and starts the next: see `BackgroundJobs::start`.
    template <typename Work, typename Then>
    void start(Work work, Then then)
    {
        jobs_.drop();
        jobs_.start(std::move(work), std::move(then));
    }
    void stop() { jobs_.stop(); }
    void drop() { jobs_.drop(); }
    [[nodiscard]] bool running() const { return jobs_.running(); }

private:
    BackgroundJobs jobs_;
};

/// Calls `work` for each of `items` on all cores, and waits; for short work. Also uses this thread, so it may be a thread of the
/// pool. `work` must not throw.
template <typename Item, typename Work>
void onAllCores(std::vector<Item>& items, const Work& work)
{
    QtConcurrent::blockingMap(items, work);
}

} // namespace stowage

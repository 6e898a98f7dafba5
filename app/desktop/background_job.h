// Computations off the window's thread, for one part of the window: the only place that starts them and watches a future.
#pragma once

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

/// What happens to work under way when the part that asked for it goes. It is asked to stop in any case.
enum class WhenGone : std::uint8_t {
    leave, ///< nobody waits: the work owns all that it reads
    wait,  ///< the part waits, also for what was dropped: the work reads the session, which outlives the part
};

/// Computes any number of things at a time on threads of the pool and hands each result to the window's thread. A member of the
/// part that asks: when that goes, what is under way is asked to stop, and its result reaches nobody.
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

    /// Runs `work(std::stop_token)` on a thread of the pool, then `then(result)` on this thread; `then` takes nothing where
    /// `work` returns nothing. `then` may start the next computation.
    template <typename Work, typename Then>
    void start(Work work, Then then)
    {
        using Result = std::invoke_result_t<Work&, std::stop_token>;
        if (gone_ == WhenGone::leave || allDone()) unfinished_.clearFutures();
        if constexpr (std::is_void_v<Result>) {
            watch<void>(then, QtConcurrent::run([work = std::move(work), token = stop_.get_token()]() mutable { work(token); }));
        } else {
            // Handed over as a pointer: a result need not be copied.
            watch<std::shared_ptr<Result>>(then, QtConcurrent::run([work = std::move(work), token = stop_.get_token()]() mutable {
                                               return std::make_shared<Result>(work(token));
                                           }));
        }
    }
    /// Asks what is under way to end early. Its results still come.
    void stop()
    {
        stop_.request_stop();
        stop_ = std::stop_source();
    }
    /// Asks what is under way to end; its results are not handed over.
    void drop()
    {
        stop();
        watchers_.clear();
    }
    /// Waits until nothing is under way, without asking it to end. Its results still come.
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

/// One thing at a time: what is asked for last takes the place of what is under way.
class BackgroundJob {
public:
    explicit BackgroundJob(WhenGone gone = WhenGone::leave) : jobs_(gone) {}

    /// Drops what is under way and starts the next: see `BackgroundJobs::start`.
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

/// Calls `work` for each of `items`, on all cores, and waits: for what is soon done. This thread works, too, so it may be one of
/// the pool's. `work` must not throw.
template <typename Item, typename Work>
void onAllCores(std::vector<Item>& items, const Work& work)
{
    QtConcurrent::blockingMap(items, work);
}

} // namespace stowage

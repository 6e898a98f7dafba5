// One computation off the window's thread, for one part of the window: the only place that watches a future.
#pragma once

#include <QFutureWatcher>
#include <QtConcurrentRun>

#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace stowage {

/// Computes one thing at a time on a thread of the pool and hands the result to the window's thread. A member of the part that
/// asks: when that goes, what is under way is asked to stop, and its result reaches nobody.
class BackgroundJob {
public:
    BackgroundJob() = default;
    BackgroundJob(const BackgroundJob&) = delete;
    BackgroundJob& operator=(const BackgroundJob&) = delete;
    ~BackgroundJob() { drop(); }

    /// Drops what is under way, runs `work(std::stop_token)` on a thread of the pool, then `then(result)` on this thread. `work`
    /// must own all that it reads. `then` may start the next computation.
    template <typename Work, typename Then>
    void start(Work work, Then then)
    {
        using Result = std::invoke_result_t<Work&, std::stop_token>;
        drop();
        stop_ = std::stop_source();
        auto watcher = std::make_unique<QFutureWatcher<std::shared_ptr<Result>>>();
        auto* done = watcher.get();
        QObject::connect(done, &QFutureWatcherBase::finished, done, [this, done, then = std::move(then)]() mutable {
            watcher_.release()->deleteLater(); // no longer running, whatever `then` asks or starts
            then(std::move(*done->result()));
        });
        watcher_ = std::move(watcher);
        done->setFuture(QtConcurrent::run(
            [work = std::move(work), token = stop_.get_token()]() mutable { return std::make_shared<Result>(work(token)); }));
    }
    /// Asks what is under way to end early. Its result still comes.
    void stop() { stop_.request_stop(); }
    /// Asks what is under way to end; its result is not handed over.
    void drop()
    {
        stop_.request_stop();
        watcher_.reset();
    }
    [[nodiscard]] bool running() const { return watcher_ != nullptr; }

private:
    std::stop_source stop_{std::nostopstate};
    std::unique_ptr<QFutureWatcherBase> watcher_;
};

} // namespace stowage

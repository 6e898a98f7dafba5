// Threads for long work. Only the standard library: what runs here is checked by ThreadSanitizer, which does not see into Qt.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace stowage {

/// A fixed number of threads, started with the first task. Tasks of equal priority start in the order in which they came.
class TaskPool {
public:
    explicit TaskPool(unsigned threads) : wanted_(threads > 0 ? threads : 1) {}
    /// Drops the tasks that have not started, and waits for the others: whoever owns them tells them to stop first.
    ~TaskPool();
    TaskPool(const TaskPool&) = delete;
    TaskPool& operator=(const TaskPool&) = delete;

    /// Runs `task` on some thread of the pool; smaller `priority` first. The task must not throw.
    void start(int priority, std::function<void()> task);

private:
    struct Task {
        int priority = 0;
        std::function<void()> work;
    };

    void run(const std::stop_token& stop);

    unsigned wanted_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Task> tasks_; ///< by priority, then by arrival
    std::size_t idle_ = 0;
    std::vector<std::jthread> threads_;
};

} // namespace stowage

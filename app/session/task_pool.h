// Threads for long tasks, with the standard library only: ThreadSanitizer checks it, but does not see into Qt.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace stowage {

/// A fixed count of threads, started as tasks arrive. Tasks of equal priority start in the order of arrival. With `niceness` (0
/// to 19, as of setpriority(2)) the threads, and those that their tasks start, leave the processor to other threads of the
/// process.
class TaskPool {
public:
    explicit TaskPool(unsigned threads, int niceness = 0) : wanted_(threads > 0 ? threads : 1), niceness_(niceness) {}
    /// Drops tasks that have not started, and waits for running ones, which their owners have to stop first.
    ~TaskPool();
    TaskPool(const TaskPool&) = delete;
    TaskPool& operator=(const TaskPool&) = delete;

    /// Runs `task` on a thread of the pool; smaller priorities first. The task must not throw.
    void start(int priority, std::function<void()> task);

private:
    struct Task {
        int priority = 0;
        std::function<void()> work;
    };

    void run(const std::stop_token& stop);

    unsigned wanted_;
    int niceness_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Task> tasks_; ///< by priority, then by arrival
    std::size_t idle_ = 0;
    std::vector<std::jthread> threads_;
};

/// The threads on which the window plans. One core is the window's, but two plannings run at a time even so: a long search must
/// not keep the quick ones waiting. They leave the processor to the picture of the first plan, which is made while others are
/// planned: a million buffers on two cores take 0.8 s from the plan to the picture, 1.1 to 1.3 s with equal niceness.
[[nodiscard]] TaskPool planningPool();

} // namespace stowage

#include "app/session/task_pool.h"

#include <algorithm>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace stowage {

TaskPool::~TaskPool()
{
    {
        const std::lock_guard lock(mutex_);
        tasks_.clear();
    }
    for (std::jthread& thread : threads_) thread.request_stop();
    threads_.clear();
}

void TaskPool::start(int priority, std::function<void()> task)
{
    const std::lock_guard lock(mutex_);
    const auto after = std::upper_bound(tasks_.begin(), tasks_.end(), priority,
                                        [](int value, const Task& other) { return value < other.priority; });
    tasks_.insert(after, Task{priority, std::move(task)});
    if (idle_ < tasks_.size() && threads_.size() < wanted_)
        threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
    changed_.notify_one();
}

void TaskPool::run(const std::stop_token& stop)
{
    const auto own = static_cast<id_t>(gettid()); // Linux: niceness is of a thread
    if (niceness_ > getpriority(PRIO_PROCESS, own)) setpriority(PRIO_PROCESS, own, niceness_);
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        const bool wake = changed_.wait(lock, stop, [this] { return !tasks_.empty(); });
        --idle_;
        if (!wake) return;
        std::function<void()> work = std::move(tasks_.front().work);
        tasks_.pop_front();
        lock.unlock();
        work();
        work = nullptr; // what it holds is given up before the lock is taken again
        lock.lock();
    }
}

TaskPool planningPool()
{
    return TaskPool(std::max(3U, std::thread::hardware_concurrency()) - 1, 10);
}

} // namespace stowage

// Between a planner that finds better plans and whoever shows them: a mailbox that keeps the latest, and a thread that checks it.
#pragma once

#include "app/session/planning.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace stowage {

class IncumbentChecker {
public:
    /// `prototype` has all of a run but plan, report and time, which counts from `started`. It must outlive the checker.
    IncumbentChecker(const Run& prototype, std::chrono::steady_clock::time_point started, IncumbentSink sink)
        : prototype_(prototype), started_(started), sink_(std::move(sink))
    {
    }
    /// Waits for a check that is under way; what is still in the mailbox is dropped, as the planner's answer replaces it.
    ~IncumbentChecker();
    IncumbentChecker(const IncumbentChecker&) = delete;
    IncumbentChecker& operator=(const IncumbentChecker&) = delete;

    /// From the planner's thread: a copy and a notification.
    void submit(const Incumbent& incumbent);
    /// How many published plans the checker refused. After the last `submit`.
    [[nodiscard]] std::size_t refused();

private:
    void run(const std::stop_token& stop);

    const Run& prototype_;
    std::chrono::steady_clock::time_point started_;
    IncumbentSink sink_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Incumbent> latest_;
    std::size_t refused_ = 0;
    std::jthread thread_; ///< started with the first plan
};

} // namespace stowage

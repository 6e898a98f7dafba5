// Checks the plans that a planner publishes before they are shown: a mailbox keeps the latest one, and a thread checks it.
#pragma once

#include "app/session/plan_request.h"

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
    /// Waits for the check in progress. A plan in the mailbox is dropped, as the planner's answer replaces it.
    ~IncumbentChecker();
    IncumbentChecker(const IncumbentChecker&) = delete;
    IncumbentChecker& operator=(const IncumbentChecker&) = delete;

    /// From the planner's thread: a copy and a notification.
    void submit(const Incumbent& incumbent);
    /// Number of published plans that the checker refused. To be called after the last `submit`.
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

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
    /// `prototype` is a run without plan, report and time, and must outlive the checker. The time of a checked run counts from
    /// `started`.
    IncumbentChecker(const Run& prototype, std::chrono::steady_clock::time_point started, IncumbentSink sink)
        : prototype_(prototype), started_(started), sink_(std::move(sink))
    {
    }
    /// Waits for the check in progress. Drops a plan in the mailbox, because the planner's result replaces it.
    ~IncumbentChecker();
    IncumbentChecker(const IncumbentChecker&) = delete;
    IncumbentChecker& operator=(const IncumbentChecker&) = delete;

    /// Called on the planner's thread; only copies the plan and notifies the checking thread.
    void submit(const Incumbent& incumbent);
    /// Count of published plans that the checker refused. To be called after the last `submit`.
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

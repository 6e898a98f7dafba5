// The progress of a planning: one line on standard error, overwritten in place, only on a terminal.
#pragma once

#include "core/ir/types.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace stowage::cli {

/// Appears after 300 ms; the destructor erases it.
class Progress {
public:
    /// `limitSeconds` 0: no limit; shows only the elapsed time.
    Progress(std::string what, double limitSeconds);
    ~Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// From any thread.
    void improved(Bytes size, Bytes bound, std::uint64_t work);

private:
    void run(const std::stop_token& stop);

    std::string what_;
    double limitSeconds_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    Bytes best_ = 0;
    Bytes bound_ = 0;
    std::uint64_t work_ = 0;
    std::jthread thread_; ///< not started if standard error is not a terminal
};

} // namespace stowage::cli

// SIGINT as a stop request: the first one cancels what is under way, the second ends the program.
#pragma once

#include <stop_token>
#include <thread>

namespace stowage::cli {

/// Made before any other thread starts (threads inherit the signal mask). The signal is taken by a thread that waits for it, so
/// the stop callbacks run in an ordinary context, not in a signal handler.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return requested_.get_token(); }

private:
    std::stop_source requested_;
    std::jthread waiting_;
};

} // namespace stowage::cli

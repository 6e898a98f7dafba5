// SIGINT, SIGTERM and SIGHUP as a stop request: the first one cancels the current work, so that programs which were started end
// too; the second one ends the program. After SIGTERM and SIGHUP the program ends within ten seconds in any case.
#pragma once

#include <stop_token>
#include <thread>

namespace stowage::cli {

/// Must be created before any other thread starts, because threads inherit the signal mask. A waiting thread receives the signal,
/// so stop callbacks run in an ordinary context, not in a signal handler. SIGHUP stays ignored if it is ignored at the start
/// (nohup).
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

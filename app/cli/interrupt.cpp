#include "app/cli/interrupt.h"

#include <csignal>
#include <ctime>
#include <unistd.h>

namespace stowage::cli {

Interrupt::Interrupt()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    waiting_ = std::jthread([this, set](const std::stop_token& stop) {
        constexpr timespec patience{0, 50'000'000};
        while (!stop.stop_requested()) {
            if (sigtimedwait(&set, nullptr, &patience) != SIGINT) continue;
            if (!requested_.request_stop()) _exit(130);
        }
    });
}

} // namespace stowage::cli

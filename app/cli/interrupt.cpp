#include "app/cli/interrupt.h"

#include <csignal>
#include <pthread.h>
#include <unistd.h>

namespace stowage::cli {

Interrupt::Interrupt()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    waiting_ = std::jthread([this, set](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            if (sigwaitinfo(&set, nullptr) != SIGINT || stop.stop_requested()) continue;
            if (!requested_.request_stop()) _exit(130);
        }
    });
}

Interrupt::~Interrupt()
{
    waiting_.request_stop();
    pthread_kill(waiting_.native_handle(), SIGINT); // wakes the thread, so that the program ends without waiting
}

} // namespace stowage::cli

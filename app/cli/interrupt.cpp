#include "app/cli/interrupt.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

namespace stowage::cli {

namespace {

constexpr int interruptedStatus = 130;
constexpr time_t secondsToEnd = 10; ///< after SIGTERM or SIGHUP; whoever sends them sends SIGKILL next

extern "C" void passOn(int signal)
{
    const int before = errno;
    sigval value{};
    value.sival_int = signal;
    ::sigqueue(::getpid(), SIGINT, value);
    errno = before;
}

} // namespace

Interrupt::Interrupt()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    // Not blocked: programs that are started inherit blocked signals, but no handlers. `nohup` ignores SIGHUP, and it stays so.
    for (const int signal : {SIGTERM, SIGHUP}) {
        struct sigaction now {};
        if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
        now.sa_handler = passOn;
        now.sa_flags = SA_RESTART;
        sigaction(signal, &now, nullptr);
    }
    waiting_ = std::jthread([this, set](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            siginfo_t what{};
            if (sigwaitinfo(&set, &what) != SIGINT || stop.stop_requested()) continue;
            if (!requested_.request_stop()) _exit(interruptedStatus);
            if (what.si_code != SI_QUEUE) continue;
            constexpr timespec grace{secondsToEnd, 0};
            sigtimedwait(&set, nullptr, &grace);
            if (!stop.stop_requested()) _exit(interruptedStatus);
        }
    });
}

Interrupt::~Interrupt()
{
    for (const int signal : {SIGTERM, SIGHUP}) {
        struct sigaction now {};
        if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == passOn) ::signal(signal, SIG_DFL);
    }
    waiting_.request_stop();
    pthread_kill(waiting_.native_handle(), SIGINT); // wakes the thread, so that the program ends without waiting
}

} // namespace stowage::cli

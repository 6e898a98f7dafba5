#include "app/cli/progress.h"

#include "app/session/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace stowage::cli {

Progress::Progress(std::string what, double limitSeconds) : what_(std::move(what)), limitSeconds_(limitSeconds)
{
    if (isatty(STDERR_FILENO) != 0) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Progress::improved(Bytes size, Bytes bound, std::uint64_t work)
{
    const std::lock_guard lock(mutex_);
    best_ = size;
    bound_ = bound;
    work_ = work;
}

void Progress::run(const std::stop_token& stop)
{
    using namespace std::chrono_literals;
    const auto begin = std::chrono::steady_clock::now();
    bool shown = false;
    std::unique_lock lock(mutex_);
    for (auto next = begin + 300ms;; next += 100ms) {
        changed_.wait_until(lock, stop, next, [] { return false; });
        if (stop.stop_requested()) break;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        std::string line = what_;
        if (limitSeconds_ > 0) {
            constexpr int cells = 20;
            const int full = std::clamp(static_cast<int>(cells * seconds / limitSeconds_), 0, cells);
            line += " [";
            for (int i = 0; i < cells; ++i) line += i < full ? '#' : '.';
            line += ']';
        }
        line += fmt::format(" {:.1f} s", seconds);
        if (limitSeconds_ > 0) line += fmt::format(", {:.1f} s left", std::max(0.0, limitSeconds_ - seconds));
        if (best_ > 0) line += fmt::format("  best {} B", grouped(best_));
        if (best_ > 0 && bound_ > 0)
            line += fmt::format("  bound {} B, gap {}", grouped(bound_),
                                percent(static_cast<double>(best_ - bound_) / static_cast<double>(bound_)));
        if (work_ > 0) line += fmt::format("  work {}", grouped(static_cast<std::int64_t>(work_)));
        std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
        shown = true;
    }
    if (shown) std::fputs("\r\x1b[K", stderr);
}

} // namespace stowage::cli

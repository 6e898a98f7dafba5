#include "core/pipeline/kernel.h"

#include "core/ir/random.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>
#include <utility>

namespace stowage::pipeline {

std::uint64_t mixed(std::uint64_t digest, std::uint64_t value)
{
    return mix64(digest ^ (value + 0x9e3779b97f4a7c15U + (digest << 6U) + (digest >> 2U)));
}

std::uint64_t Payload::digest() const
{
    std::uint64_t digest = contents.size();
    for (const executing::Segment& segment : contents) {
        digest = mixed(digest, static_cast<std::uint64_t>(segment.begin));
        digest = mixed(digest, static_cast<std::uint64_t>(segment.end));
        digest = mixed(digest, segment.stamp);
        digest = mixed(digest, static_cast<std::uint64_t>(segment.from));
    }
    return digest;
}

bool Payload::intact() const
{
    if (!bytes) return true;
    for (const executing::Segment& segment : contents) {
        if (segment.begin < 0 || segment.end < segment.begin || segment.end > static_cast<Bytes>(bytes->size())) return false;
        const auto part = std::span(*bytes).subspan(at(segment.begin), at(segment.end - segment.begin));
        if (executing::checkPattern(part, segment.stamp, segment.from) != part.size()) return false;
    }
    return true;
}

Payload madeInput(std::string_view name, std::int64_t frame, std::optional<Bytes> bytes, bool filled)
{
    std::uint64_t stamp = static_cast<std::uint64_t>(frame);
    for (const char c : name) stamp = mixed(stamp, static_cast<unsigned char>(c));
    Payload payload;
    payload.contents.push_back({0, bytes.value_or(0), stamp, 0});
    if (!bytes || !filled) return payload;
    auto made = std::make_shared<std::vector<std::byte>>(at(*bytes));
    executing::fillPattern(*made, stamp, 0);
    payload.bytes = std::move(made);
    return payload;
}

void waitUntil(Clock::time_point moment, TimerLateness& lateness, const std::stop_token& cancel)
{
    if (Clock::now() >= moment) return;
    if (cancel.stop_possible()) { // the request wakes the thread
        std::mutex mutex;
        std::condition_variable_any requested;
        std::unique_lock lock(mutex);
        requested.wait_until(lock, cancel, moment, [] { return false; });
        if (cancel.stop_requested()) return;
    } else {
        const auto sinceBoot = std::chrono::duration_cast<std::chrono::nanoseconds>(moment.time_since_epoch()).count();
        constexpr std::int64_t second = 1'000'000'000;
        const timespec until{static_cast<std::time_t>(sinceBoot / second), static_cast<long>(sinceBoot % second)};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
        }
    }
    lateness.add(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - moment).count() * 1000);
}

namespace {

constexpr std::chrono::microseconds idleEvery{100};

} // namespace

Expected<std::vector<Payload>> WaitingKernel::run(std::int64_t frame, std::span<const Payload> inputs)
{
    const auto entered = Clock::now();
    const auto begun = std::exchange(begun_, std::nullopt).value_or(entered);
    Expected<std::vector<Payload>> outputs = inner_ ? inner_->run(frame, inputs) : std::vector<Payload>(outputs_);
    ended_ = begun + std::max<Clock::duration>(duration_, Clock::now() - entered);
    if (idle_)
        for (idle_(); Clock::now() + idleEvery < *ended_ && !cancel_.stop_requested(); idle_())
            std::this_thread::sleep_for(idleEvery);
    waitUntil(*ended_, lateness_, cancel_);
    return outputs;
}

} // namespace stowage::pipeline

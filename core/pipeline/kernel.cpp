#include "core/pipeline/kernel.h"

#include <algorithm>
#include <thread>

namespace stowage::pipeline {

std::uint64_t mixed(std::uint64_t digest, std::uint64_t value)
{
    // The finaliser of MurmurHash3 (Appleby): every bit of the input changes half of the bits of the result.
    std::uint64_t h = digest ^ (value + 0x9e3779b97f4a7c15U + (digest << 6U) + (digest >> 2U));
    h = (h ^ (h >> 33U)) * 0xff51afd7ed558ccdU;
    h = (h ^ (h >> 33U)) * 0xc4ceb9fe1a85ec53U;
    return h ^ (h >> 33U);
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

Payload madeInput(std::string_view name, std::int64_t frame, std::optional<Bytes> bytes)
{
    std::uint64_t stamp = static_cast<std::uint64_t>(frame);
    for (const char c : name) stamp = mixed(stamp, static_cast<unsigned char>(c));
    Payload payload;
    payload.contents.push_back({0, bytes.value_or(0), stamp, 0});
    if (!bytes) return payload;
    auto made = std::make_shared<std::vector<std::byte>>(at(*bytes));
    executing::fillPattern(*made, stamp, 0);
    payload.bytes = std::move(made);
    return payload;
}

Expected<std::vector<Payload>> WaitingKernel::run(std::int64_t frame, std::span<const Payload> inputs)
{
    using std::chrono::steady_clock;
    constexpr std::chrono::nanoseconds most = std::chrono::microseconds(200); // above it the thread was pushed aside: no rule
    constexpr int memory = 8;                                                 // frames that count
    const auto end = steady_clock::now() + duration_;
    Expected<std::vector<Payload>> outputs = inner_ ? inner_->run(frame, inputs) : std::vector<Payload>(outputs_);
    const auto wake = end - late_;
    if (wake <= steady_clock::now()) return outputs; // what was to be done took the time, or nearly
    std::this_thread::sleep_until(wake);
    const auto late = std::min<std::chrono::nanoseconds>(steady_clock::now() - wake, most);
    late_ = std::min<std::chrono::nanoseconds>(late_ + (late - late_) / memory, duration_ / 2);
    return outputs;
}

} // namespace stowage::pipeline

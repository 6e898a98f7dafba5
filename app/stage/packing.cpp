#include "app/stage/packing.h"

#include <cstring>
#include <type_traits>

namespace stowage::stage {

namespace {

class Packer {
public:
    template <typename T>
    void put(const T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        buffer_.insert(buffer_.end(), bytes, bytes + sizeof(T));
    }
    void bytes(std::span<const std::byte> part)
    {
        put(part.size());
        buffer_.insert(buffer_.end(), part.begin(), part.end());
    }
    template <typename T>
    void list(const std::vector<T>& values)
    {
        put(values.size());
        for (const T& value : values) put(value);
    }
    void text(const std::string& value) { bytes(std::as_bytes(std::span(value))); }
    Buffer take() && { return std::move(buffer_); }

private:
    Buffer buffer_;
};

/// The first thing that does not fit makes everything after it empty.
class Unpacker {
public:
    explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <typename T>
    T get()
    {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
        T value{};
        if (rest_.size() < sizeof(T)) return fail(), value;
        std::memcpy(&value, rest_.data(), sizeof(T));
        rest_ = rest_.subspan(sizeof(T));
        return value;
    }
    /// A byte that is neither 0 nor 1 is no flag.
    bool flag()
    {
        const auto value = get<std::uint8_t>();
        return value <= 1 ? value == 1 : (fail(), false);
    }
    /// The number of things to come, each of at least `least` bytes.
    std::size_t count(std::size_t least)
    {
        const auto n = get<std::size_t>();
        if (n <= rest_.size() / least) return n;
        return fail(), 0;
    }
    std::span<const std::byte> bytes()
    {
        const std::size_t n = count(1);
        const auto part = rest_.first(n);
        rest_ = rest_.subspan(n);
        return part;
    }
    template <typename T>
    std::vector<T> list()
    {
        std::vector<T> values(count(1));
        for (T& value : values) value = get<T>();
        return values;
    }
    std::string text()
    {
        const auto part = bytes();
        return {reinterpret_cast<const char*>(part.data()), part.size()};
    }
    [[nodiscard]] bool whole() const { return good_ && rest_.empty(); }

private:
    void fail()
    {
        good_ = false;
        rest_ = {};
    }

    std::span<const std::byte> rest_;
    bool good_ = true;
};

} // namespace

Buffer pack(const pipeline::Message& message)
{
    Packer out;
    out.put(message.frame);
    out.put(std::chrono::duration_cast<std::chrono::nanoseconds>(message.availableAt.time_since_epoch()).count());
    out.put(message.payloads.size());
    for (const pipeline::Payload& payload : message.payloads) {
        out.list(payload.contents);
        out.put(payload.bytes != nullptr);
        if (payload.bytes) out.bytes(*payload.bytes);
    }
    return std::move(out).take();
}

std::optional<pipeline::Message> unpack(std::span<const std::byte> bytes)
{
    Unpacker in(bytes);
    pipeline::Message message;
    message.frame = in.get<std::int64_t>();
    message.availableAt = pipeline::Clock::time_point(std::chrono::nanoseconds(in.get<std::int64_t>()));
    message.payloads.resize(in.count(1));
    for (pipeline::Payload& payload : message.payloads) {
        payload.contents = in.list<executing::Segment>();
        if (!in.flag()) continue;
        const auto part = in.bytes();
        payload.bytes = std::make_shared<const std::vector<std::byte>>(part.begin(), part.end());
    }
    if (!in.whole()) return std::nullopt;
    return message;
}

Buffer pack(const RankReport& report)
{
    Packer out;
    const pipeline::StageOutcome& outcome = report.outcome;
    out.put(outcome.run.busy);
    out.put(outcome.run.stalls);
    out.put(outcome.run.late);
    out.put(outcome.run.done);
    out.list(outcome.run.frames);
    out.put(outcome.error.has_value());
    if (outcome.error) {
        out.put(outcome.error->stage);
        out.put(outcome.error->frame);
        out.text(outcome.error->message);
    }
    out.put(outcome.stays.size());
    for (const auto& stays : outcome.stays) out.list(stays);
    out.put(report.results.size());
    for (const FrameResult& result : report.results) {
        out.put(result.time);
        out.put(result.digests.size());
        for (const auto& [output, digest] : result.digests) {
            out.put(output);
            out.put(digest);
        }
    }
    out.put(report.warnings.size());
    for (const std::string& told : report.warnings) out.text(told);
    return std::move(out).take();
}

std::optional<RankReport> unpackReport(std::span<const std::byte> bytes)
{
    Unpacker in(bytes);
    RankReport report;
    pipeline::StageOutcome& outcome = report.outcome;
    outcome.run.busy = in.get<pipeline::Ticks>();
    outcome.run.stalls = in.get<pipeline::Stalls>();
    outcome.run.late = in.get<pipeline::TimerLateness>();
    outcome.run.done = in.get<std::int64_t>();
    outcome.run.frames = in.list<pipeline::FrameTimes>();
    if (in.flag()) {
        pipeline::StageError& error = outcome.error.emplace();
        error.stage = in.get<std::int32_t>();
        error.frame = in.get<std::int64_t>();
        error.message = in.text();
    }
    outcome.stays.resize(in.count(1));
    for (auto& stays : outcome.stays) stays = in.list<pipeline::QueueStay>();
    report.results.resize(in.count(1));
    for (FrameResult& result : report.results) {
        result.time = in.get<pipeline::Ticks>();
        result.digests.resize(in.count(1));
        for (auto& [output, digest] : result.digests) {
            output = in.get<std::int64_t>();
            digest = in.get<std::uint64_t>();
        }
    }
    report.warnings.resize(in.count(1));
    for (std::string& told : report.warnings) told = in.text();
    if (!in.whole()) return std::nullopt;
    return report;
}

} // namespace stowage::stage

// What computes a frame of a stage. Kernels are exchanged without the executors knowing.
#pragma once

#include "core/exec/value.h"
#include "core/ir/expected.h"
#include "core/pipeline/run_result.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage::pipeline {

using Clock = std::chrono::steady_clock;

/// The contents of one tensor of one frame.
struct Payload {
    std::shared_ptr<const std::vector<std::byte>> bytes; ///< null where the tensor has no known size or lies in no arena
    std::vector<executing::Segment> contents;            ///< what the bytes are by the program's meaning

    /// Two payloads with equal digests hold the same.
    [[nodiscard]] std::uint64_t digest() const;
    /// True when the bytes are what `contents` says.
    [[nodiscard]] bool intact() const;
};

/// The contents of an input of the application in frame `frame`, where the application sets nothing: the same on every machine.
Payload madeInput(std::string_view name, std::int64_t frame, std::optional<Bytes> bytes);

class StageKernel {
public:
    virtual ~StageKernel() = default;
    /// Computes a frame. `inputs` by the stage's inputs; returns the outputs, in order, or what went wrong.
    virtual Expected<std::vector<Payload>> run(std::int64_t frame, std::span<const Payload> inputs) = 0;

    /// When the device began the next frame: it was free, and the inputs were there. The thread may be here later, as it was
    /// woken up late. Told before `run`.
    virtual void begunAt(Clock::time_point) {}
    /// When the device ended the last frame, for kernels that stand for a device's time; nothing: when `run` returned.
    [[nodiscard]] virtual std::optional<Clock::time_point> endedAt() const { return std::nullopt; }
    [[nodiscard]] virtual TimerLateness lateness() const { return {}; }
    /// What is called every tenth of a millisecond or so while the kernel waits for a device, on its thread; null: nothing.
    virtual void setIdle(std::function<void()>) {}
};

/// Waits for a moment (`clock_nanosleep` with an absolute time, which does not add up errors), and notes how much later it was.
void waitUntil(Clock::time_point moment, TimerLateness& lateness);

/// Takes as long as told, and waits for that without spinning: what `inner` does counts as a part of it. `inner` may be null:
/// then the outputs are empty.
///
/// A thread that sleeps wakes up late: by tens of microseconds, by milliseconds on a busy machine. The kernel waits for a moment
/// that follows from when the device began the frame, and says that the device ended it then, so lateness of one frame is no part
/// of the next one. A frame of which `inner` takes longer than told ends when `inner` ends.
class WaitingKernel final : public StageKernel {
public:
    WaitingKernel(std::unique_ptr<StageKernel> inner, std::chrono::nanoseconds duration, std::size_t outputs)
        : inner_(std::move(inner)), duration_(duration), outputs_(outputs)
    {
    }
    Expected<std::vector<Payload>> run(std::int64_t frame, std::span<const Payload> inputs) override;
    void begunAt(Clock::time_point begun) override { begun_ = begun; }
    [[nodiscard]] std::optional<Clock::time_point> endedAt() const override { return ended_; }
    [[nodiscard]] TimerLateness lateness() const override { return lateness_; }
    void setIdle(std::function<void()> idle) override { idle_ = std::move(idle); }

private:
    std::unique_ptr<StageKernel> inner_;
    std::function<void()> idle_;
    std::chrono::nanoseconds duration_;
    std::optional<Clock::time_point> begun_; ///< of the next frame; nothing: when `run` is called
    std::optional<Clock::time_point> ended_;
    TimerLateness lateness_;
    std::size_t outputs_;
};

/// Mixes a number into a digest.
[[nodiscard]] std::uint64_t mixed(std::uint64_t digest, std::uint64_t value);

} // namespace stowage::pipeline

// The computation of one stage. The executors call any kernel through this interface.
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
    std::shared_ptr<const std::vector<std::byte>> bytes; ///< null for a tensor of unknown size or outside every arena
    std::vector<executing::Segment> contents;            ///< the bytes that the program's semantics demand

    /// A hash of `contents`. Payloads with different digests have different contents; equal ones almost certainly have equal
    /// contents.
    [[nodiscard]] std::uint64_t digest() const;
    /// True when the bytes are those that `contents` demands. O(bytes).
    [[nodiscard]] bool intact() const;
};

/// Contents for input `name` in frame `frame` when the application does not set it. They depend on the arguments only, and are
/// equal on every machine. With `filled`, a tensor of known size also gets its bytes.
Payload madeInput(std::string_view name, std::int64_t frame, std::optional<Bytes> bytes, bool filled = true);

class StageKernel {
public:
    virtual ~StageKernel() = default;
    /// Computes a frame. `inputs` has one payload for each input of the stage. Returns the stage's outputs, in order.
    virtual Expected<std::vector<Payload>> run(std::int64_t frame, std::span<const Payload> inputs) = 0;

    /// False for a kernel that uses only the number of its inputs: the application's inputs are then made without bytes.
    [[nodiscard]] virtual bool readsBytes() const { return true; }
    /// Called before `run` with the time at which the device began the frame: the device was free and all inputs had arrived. The
    /// thread may be called later than that, because it was woken up late.
    virtual void begunAt(Clock::time_point) {}
    /// Time at which the device finished the last frame, for kernels that simulate the time of a device. No value: the time at
    /// which `run` returned.
    [[nodiscard]] virtual std::optional<Clock::time_point> endedAt() const { return std::nullopt; }
    [[nodiscard]] virtual TimerLateness lateness() const { return {}; }
    /// Sets a function that the kernel calls on its thread, about every 0.1 ms, while it waits for a device; null: none.
    virtual void setIdle(const std::function<void()>&) {}
    /// Sets a token on which a frame ends early; its outputs are not used then.
    virtual void setCancel(const std::stop_token&) {}
};

/// Sleeps until `moment`, an absolute time, so that errors do not add up, and adds the delay of the wake-up to `lateness`.
/// Returns earlier, and adds nothing, when `cancel` is requested.
void waitUntil(Clock::time_point moment, TimerLateness& lateness, const std::stop_token& cancel = {});

/// A kernel whose frames take a given duration, in which the time of `inner` is included. It sleeps for the rest of the duration
/// and does not spin. Without an `inner` the outputs are empty payloads.
///
/// A sleeping thread wakes up late: by tens of microseconds, or by milliseconds on a busy machine. Therefore the kernel computes
/// the end of a frame from the time at which the device began it, and reports this end in `endedAt`; the lateness of one frame
/// does not delay the next. When `inner` takes longer than the duration, the frame ends when `inner` ends.
class WaitingKernel final : public StageKernel {
public:
    WaitingKernel(std::unique_ptr<StageKernel> inner, std::chrono::nanoseconds duration, std::size_t outputs)
        : inner_(std::move(inner)), duration_(duration), outputs_(outputs)
    {
    }
    Expected<std::vector<Payload>> run(std::int64_t frame, std::span<const Payload> inputs) override;
    [[nodiscard]] bool readsBytes() const override { return inner_ && inner_->readsBytes(); }
    void begunAt(Clock::time_point begun) override { begun_ = begun; }
    [[nodiscard]] std::optional<Clock::time_point> endedAt() const override { return ended_; }
    [[nodiscard]] TimerLateness lateness() const override { return lateness_; }
    void setIdle(const std::function<void()>& idle) override { idle_ = idle; }
    void setCancel(const std::stop_token& cancel) override
    {
        cancel_ = cancel;
        if (inner_) inner_->setCancel(cancel);
    }

private:
    std::unique_ptr<StageKernel> inner_;
    std::function<void()> idle_;
    std::stop_token cancel_;
    std::chrono::nanoseconds duration_;
    std::optional<Clock::time_point> begun_; ///< of the next frame; no value: the time at which `run` is called
    std::optional<Clock::time_point> ended_;
    TimerLateness lateness_;
    std::size_t outputs_;
};

/// The digest of a sequence that is extended by `value`.
[[nodiscard]] std::uint64_t mixed(std::uint64_t digest, std::uint64_t value);

} // namespace stowage::pipeline

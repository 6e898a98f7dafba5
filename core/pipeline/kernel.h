// What computes a frame of a stage. Kernels are exchanged without the executors knowing.
#pragma once

#include "core/exec/value.h"
#include "core/ir/expected.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage::pipeline {

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
};

/// Takes as long as told, and waits for that without spinning: what `inner` does counts as a part of it. `inner` may be null:
/// then the outputs are empty. A thread that sleeps wakes up late, by tens of microseconds on a busy machine: the kernel learns
/// by how much, frame by frame, and sleeps shorter, so that its frames take the time that they should on average.
class WaitingKernel final : public StageKernel {
public:
    WaitingKernel(std::unique_ptr<StageKernel> inner, std::chrono::nanoseconds duration, std::size_t outputs)
        : inner_(std::move(inner)), duration_(duration), outputs_(outputs)
    {
    }
    Expected<std::vector<Payload>> run(std::int64_t frame, std::span<const Payload> inputs) override;

private:
    std::unique_ptr<StageKernel> inner_;
    std::chrono::nanoseconds duration_;
    std::chrono::nanoseconds late_{0}; ///< by which the last frames were woken up, on average
    std::size_t outputs_;
};

/// Mixes a number into a digest.
[[nodiscard]] std::uint64_t mixed(std::uint64_t digest, std::uint64_t value);

} // namespace stowage::pipeline

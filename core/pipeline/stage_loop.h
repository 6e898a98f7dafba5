// The loop of one stage: it takes a frame from each input, computes it and sends the results, until the frames end. Threads and
// MPI ranks run the same loop with different ports.
#pragma once

#include "core/pipeline/kernel.h"
#include "core/pipeline/model.h"
#include "core/pipeline/run_result.h"

#include <functional>
#include <stop_token>

namespace stowage::pipeline {

/// The tensors of one frame on one connection.
struct Message {
    std::int64_t frame = -1;
    Clock::time_point availableAt{}; ///< arrival time by the clocks of devices and links
    Clock::time_point sentAt{};      ///< time at which the sending thread put it into the queue; may be later
    std::vector<Payload> payloads;   ///< one for each tensor of the connection
};

/// Points in the life of a frame at which tests inject failures.
enum class FailurePoint : std::uint8_t {
    beforeDequeue, ///< before a frame is taken
    kernel,        ///< while the frame is computed
    beforeEnqueue, ///< after the computation, before the results are sent
    afterEnqueue,  ///< after the results were sent
    draining,      ///< before a frame is taken, after the application put in the last one
};

/// The connections and the device of one stage. `wait` and `acquire` may block; all other functions return at once.
class StagePort {
public:
    enum class Received { message, nothing, ended };
    enum class Sent { sent, full, closed };

    virtual ~StagePort() = default;
    [[nodiscard]] virtual std::size_t inputs() const = 0;
    [[nodiscard]] virtual std::size_t outputs() const = 0;
    virtual Received tryReceive(std::size_t input, Message& to) = 0;
    /// Moves from `message` only when it returns `sent`. `availableAt` is the time at which the device finished the frame; the
    /// port adds the time of the link.
    virtual Sent trySend(std::size_t output, Message& message) = 0;
    /// Ends an output: no more messages will follow.
    virtual void end(std::size_t output) = 0;
    /// Closes an input: its sender gets `Sent::closed` from then on.
    virtual void close(std::size_t input) = 0;
    /// For waiting without losing a change: take a mark, try to receive and send, and if neither works call `wait` with the mark.
    /// `wait` returns when a port has changed since the mark was taken.
    virtual std::uint32_t mark() = 0;
    virtual void wait(std::uint32_t mark) = 0;
    /// True after the application put in its last frame.
    [[nodiscard]] virtual bool draining() const = 0;
    /// Access to a device that several stages share. `acquire` blocks until the device is free and returns the time since when it
    /// is free; `release` takes the time at which the frame ended.
    virtual Clock::time_point acquire() = 0;
    virtual void release(Clock::time_point ended) = 0;
    /// A function that moves messages, to be called while the device computes; null when none is needed.
    virtual std::function<void()> idle() { return {}; }
    /// Called when the computation of a frame begins and ends, for logs.
    virtual void began(std::int64_t) {}
    virtual void ended(std::int64_t) {}
};

/// The source of one input of a kernel: a payload in the messages of a port, or generated contents (`madeInput`).
struct InputSource {
    std::int32_t port = none;
    std::size_t payload = 0;
    std::string made; ///< without a port, or when the application did not set the input: contents are generated from this name
    std::optional<Bytes> bytes;
};
/// The outputs of the kernel that one output port sends, by number.
struct OutputTarget {
    std::vector<std::int32_t> outputs;
};

struct StageWiring {
    std::vector<InputSource> inputs;   ///< one for each input of the kernel
    std::vector<OutputTarget> outputs; ///< one for each output of the port
};

struct StageLoopOptions {
    std::int32_t stage = 0;
    Clock::time_point start;
    std::int64_t record = 1000; ///< number of first frames whose times are kept
    std::int64_t frames = -1;   ///< number of frames after which a stage without inputs ends; -1: the stage has inputs
    std::function<bool(FailurePoint, std::int32_t stage, std::int64_t frame)> fails; ///< true: fail here; null: never
    std::stop_token cancel; ///< ends the stage; the frame that it computes is lost
};

/// Times at which a frame entered and left a queue, in picoseconds from the start.
struct QueueStay {
    Ticks arrived = 0;
    Ticks taken = 0;
};

struct StageOutcome {
    StageRun run;
    std::optional<StageError> error;
    std::vector<std::vector<QueueStay>> stays; ///< by input, for the frames whose times are kept
};

/// The wiring of a stage. The kernel's inputs are in the order of `interface.inputs`, the ports in the order of the model's
/// connections. With `entry`, one more input port carries the inputs that the application sets; with `exit`, one more output port
/// carries the outputs for the application.
StageWiring wiringOf(const PipelineModel& model, std::size_t stage, const ModuleInterface& interface, bool entry, bool exit);
/// The interface of a stage whose program is unknown, from the names in the model's connections.
ModuleInterface interfaceFrom(const PipelineModel& model, std::size_t stage);
/// Adds the measurements of all stages to `result`, which already holds the figures that the application measured.
void collect(RunResult& result, const PipelineModel& model, std::vector<StageOutcome> outcomes);

/// Runs a stage until its inputs end, a consumer closes one of its outputs, or the stage fails. Then ends the outputs and
/// closes the inputs, so that the neighbours end as well. An exception from the kernel, or from making its inputs, is a failure.
StageOutcome runStage(StagePort& port, StageKernel& kernel, const StageWiring& wiring, const StageLoopOptions& options);

} // namespace stowage::pipeline

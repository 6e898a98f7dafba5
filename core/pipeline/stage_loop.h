// The life of one stage: takes a frame from each input, computes it, hands it on, until the frames end. Threads and ranks of MPI
// run the same loop; they differ in the ports that messages go through.
#pragma once

#include "core/pipeline/kernel.h"
#include "core/pipeline/model.h"
#include "core/pipeline/run_result.h"

#include <functional>

namespace stowage::pipeline {

/// A frame on its way over one connection.
struct Message {
    std::int64_t frame = -1;
    Clock::time_point availableAt{}; ///< when it has arrived, by the clocks of devices and links
    Clock::time_point sentAt{};      ///< when the thread handed it on, which may be later
    std::vector<Payload> payloads;   ///< by the tensors of the connection
};

/// Moments of a frame at which tests inject failures.
enum class FailurePoint : std::uint8_t {
    beforeDequeue, ///< before a frame is taken
    kernel,        ///< while it is computed
    beforeEnqueue, ///< it is computed and not handed on
    afterEnqueue,  ///< it is handed on
    draining,      ///< before a frame is taken, when no more frames are put in
};

/// The connections and the device of one stage. Only `wait` and `acquire` block.
class StagePort {
public:
    enum class Received { message, nothing, ended };
    enum class Sent { sent, full, closed };

    virtual ~StagePort() = default;
    [[nodiscard]] virtual std::size_t inputs() const = 0;
    [[nodiscard]] virtual std::size_t outputs() const = 0;
    virtual Received tryReceive(std::size_t input, Message& to) = 0;
    /// `message` is used up only when it was sent. Its `availableAt` is when the device handed it on; a link comes on top.
    virtual Sent trySend(std::size_t output, Message& message) = 0;
    /// Ends an output: no more messages follow.
    virtual void end(std::size_t output) = 0;
    /// Closes an input: senders get `Sent::closed`.
    virtual void close(std::size_t input) = 0;
    /// A stage that can neither receive nor send waits without losing a change: it takes a mark, looks at its ports, and waits
    /// with that mark. `wait` returns when a port has changed since the mark was taken.
    virtual std::uint32_t mark() = 0;
    virtual void wait(std::uint32_t mark) = 0;
    /// True when the application puts in no more frames.
    [[nodiscard]] virtual bool draining() const = 0;
    /// The device, where stages share one. `acquire` blocks until it is free and returns that time; `release` takes the time at
    /// which the frame ended.
    virtual Clock::time_point acquire() = 0;
    virtual void release(Clock::time_point ended) = 0;
    /// Work that moves messages while the device computes; null when none is needed.
    virtual std::function<void()> idle() { return {}; }
    /// For journals.
    virtual void began(std::int64_t) {}
    virtual void ended(std::int64_t) {}
};

/// Where one input of a kernel comes from: a payload in the messages of a port, or contents made from a name.
struct InputSource {
    std::int32_t port = none;
    std::size_t payload = 0;
    std::string made; ///< without a port, or where the application set nothing: the contents are made from this name
    std::optional<Bytes> bytes;
};
/// What goes out through a port: numbers of the kernel's outputs.
struct OutputTarget {
    std::vector<std::int32_t> outputs;
};

struct StageWiring {
    std::vector<InputSource> inputs;   ///< by the kernel's inputs
    std::vector<OutputTarget> outputs; ///< by the port's outputs
};

struct StageLoopOptions {
    std::int32_t stage = 0;
    Clock::time_point start;
    std::int64_t record = 1000; ///< frames whose times are kept
    std::int64_t frames = -1;   ///< after which a stage without inputs ends; -1: it has inputs
    std::function<bool(FailurePoint, std::int32_t stage, std::int64_t frame)> fails; ///< null: never
};

/// When a frame entered and left a queue, in picoseconds from the start.
struct QueueStay {
    Ticks arrived = 0;
    Ticks taken = 0;
};

struct StageOutcome {
    StageRun run;
    std::optional<StageError> error;
    std::vector<std::vector<QueueStay>> stays; ///< by input, of the frames whose times are kept
};

/// The wiring of a stage: kernel inputs in the order of `interface.inputs`, ports in the order of the model's connections. With
/// `entry` one more input port brings what the application sets; with `exit` one more output port takes what goes to it.
StageWiring wiringOf(const PipelineModel& model, std::size_t stage, const ModuleInterface& interface, bool entry, bool exit);
/// The names that the connections give, for a stage whose program is unknown.
ModuleInterface interfaceFrom(const PipelineModel& model, std::size_t stage);
/// Adds the measurements of the stages to `result`, which already has the frames and figures of the application.
void collect(RunResult& result, const PipelineModel& model, std::vector<StageOutcome> outcomes);

/// Runs a stage until its inputs end, nobody takes its outputs any more, or it fails. Then it ends its outputs and closes its
/// inputs, so that its neighbours end as well, one after the other. A kernel that throws has failed.
StageOutcome runStage(StagePort& port, StageKernel& kernel, const StageWiring& wiring, const StageLoopOptions& options);

} // namespace stowage::pipeline

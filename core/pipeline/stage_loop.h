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
    Clock::time_point availableAt{}; ///< when it is there by the clocks of devices and links: handed on, and moved
    Clock::time_point sentAt{};      ///< when the thread handed it on, which may be later
    std::vector<Payload> payloads;   ///< by the tensors of the connection
};

/// Where failures can be put in for tests, and where a real one may strike.
enum class FailurePoint : std::uint8_t {
    beforeDequeue, ///< before a frame is taken
    kernel,        ///< while it is computed
    beforeEnqueue, ///< it is computed and not handed on
    afterEnqueue,  ///< it is handed on
    draining,      ///< before a frame is taken, when no more frames are put in
};

/// What a stage sees of the world. Methods never block but `wait` and `acquire`.
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
    /// Nothing more comes through an output.
    virtual void end(std::size_t output) = 0;
    /// Nothing more is taken from an input: who sends there gets `closed`.
    virtual void close(std::size_t input) = 0;
    /// To be asked for before looking at anything, and waited for when nothing could be done: returns when something changed
    /// since then.
    virtual std::uint32_t mark() = 0;
    virtual void wait(std::uint32_t mark) = 0;
    /// True when the application puts in no more frames.
    [[nodiscard]] virtual bool draining() const = 0;
    /// The device, where stages share one: returns when it was free, and is told when it ended the frame.
    virtual Clock::time_point acquire() = 0;
    virtual void release(Clock::time_point ended) = 0;
    /// What moves messages while the device computes; null where they move by themselves.
    virtual std::function<void()> idle() { return {}; }
    /// For journals.
    virtual void began(std::int64_t) {}
    virtual void ended(std::int64_t) {}
};

/// What a stage takes in one frame: for each of the kernel's inputs the port and the payload in its message, or the name of a
/// made input.
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
    std::int64_t frames = -1;   ///< a stage without inputs ends after so many; -1: it has inputs
    std::function<bool(FailurePoint, std::int32_t stage, std::int64_t frame)> fails; ///< null: never
};

/// How long a frame was in a queue.
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
/// Names as far as the connections tell, for a stage whose program is not known.
ModuleInterface interfaceFrom(const PipelineModel& model, std::size_t stage);
/// What the stages measured as one result; `result` has the frames and figures of the application already.
void collect(RunResult& result, const PipelineModel& model, std::vector<StageOutcome> outcomes);

/// Runs a stage until its inputs end, nobody takes its outputs any more, or it fails. Then it ends its outputs and closes its
/// inputs, so that its neighbours end as well, one after the other. A kernel that throws has failed.
StageOutcome runStage(StagePort& port, StageKernel& kernel, const StageWiring& wiring, const StageLoopOptions& options);

} // namespace stowage::pipeline

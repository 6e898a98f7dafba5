// Runs a pipeline for real: a thread for each stage, bounded lock-free queues between them.
//
// The application sets inputs and runs, which returns at once, and gets outputs when they are there, as TVM's pipeline executor
// has it. Threads that cannot go on wait on a counter of their own (a futex), which whoever changes something for them raises.
#pragma once

#include "core/pipeline/stage_loop.h"

#include <memory>

namespace stowage::pipeline {

struct ExecutorOptions {
    std::int64_t record = 1000;        ///< frames whose times are kept
    double timeScale = 1;              ///< on transfers; kernels bring their own
    std::size_t resultCapacity = 1024; ///< frames that wait for `getOutput` at each last stage, >= 1
    std::size_t entryCapacity = 1;     ///< frames that wait in front of each first stage, >= 1
    std::size_t unbounded = 1U << 16U; ///< frames in a queue that the model does not bound
    std::function<bool(FailurePoint, std::int32_t stage, std::int64_t frame)> fails;
};

/// What came out of a frame.
struct FrameOutput {
    std::int64_t frame = 0;
    std::vector<Payload> outputs; ///< by the pipeline's outputs

    [[nodiscard]] std::uint64_t digest() const;
};

class Executor {
public:
    enum class Accepted {
        yes,
        full,   ///< the first stages have no room: back-pressure
        closed, ///< stopped, or a stage failed
    };

    /// Starts the threads. `kernels` and `interfaces` by stage.
    Executor(PipelineModel model, std::vector<std::unique_ptr<StageKernel>> kernels, std::vector<ModuleInterface> interfaces,
             ExecutorOptions options);
    /// Stops, lets all frames drain, and joins.
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// The contents of an input for the next frame; what is not set is made from the input's name and the frame. An error names
    /// the inputs there are.
    std::optional<Error> setInput(std::string_view name, Payload payload);
    /// Hands the inputs that were set to the pipeline as one frame. Never waits.
    Accepted run();
    /// The next frame that came out whole, in order; nothing when none is ready. Never waits.
    std::optional<FrameOutput> getOutput();
    /// A mark to be taken before `run` and `getOutput`; `wait` returns when something changed since.
    [[nodiscard]] std::uint32_t mark() const;
    void wait(std::uint32_t mark) const;
    /// Ends a `wait` from any thread.
    void wake();
    /// No more frames are put in. What is inside drains.
    void stop();
    /// True when nothing comes out any more.
    [[nodiscard]] bool ended() const;
    /// Stops, takes what still comes out, joins the threads, and tells all. Frames that went in and did not come out are `owed`.
    RunResult finish();

    [[nodiscard]] const Diagnostics& diagnostics() const;
    [[nodiscard]] const PipelineModel& model() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Puts `frames` frames through as fast as they are taken.
RunResult runFrames(Executor& executor, std::int64_t frames, const std::stop_token& cancel = {});

} // namespace stowage::pipeline

// Executes a pipeline on this machine: one thread for each stage, bounded lock-free queues between them.
//
// The interface follows TVM's pipeline executor: the application sets inputs, calls `run`, which returns at once, and fetches
// outputs when they are complete. A thread that cannot continue waits on a counter of its own (a futex). Every other thread that
// changes a queue or a device of that thread increments the counter.
#pragma once

#include "core/pipeline/stage_loop.h"

#include <memory>

namespace stowage::pipeline {

struct ExecutorOptions {
    std::int64_t record = 1000;        ///< number of first frames whose times are kept
    double timeScale = 1;              ///< factor on the times of transfers; the times of kernels are not scaled
    std::size_t resultCapacity = 1024; ///< frames that may wait for `getOutput` after each last stage, >= 1
    /// Frames that may wait in front of the first stage, >= 1. A later stage with an input from the application, and each of
    /// several first stages, may have as many more waiting as all connections and their producers hold.
    std::size_t entryCapacity = 1;
    std::size_t unbounded = 1U << 16U; ///< capacity, in frames, of a queue that the model does not bound
    std::int64_t frames = 0;           ///< number of frames that will be put in: no queue gets room for more; 0: not known
    std::function<bool(FailurePoint, std::int32_t stage, std::int64_t frame)> fails;
};

/// The outputs of one frame.
struct FrameOutput {
    std::int64_t frame = 0;
    std::vector<Payload> outputs; ///< one for each output of the pipeline

    [[nodiscard]] std::uint64_t digest() const;
};

class Executor {
public:
    enum class Accepted {
        yes,
        full,   ///< some first stage has no room for another frame: back-pressure
        closed, ///< the executor was stopped, or a stage failed
    };

    /// Starts the threads. `kernels` and `interfaces` have one entry for each stage.
    Executor(PipelineModel model, std::vector<std::unique_ptr<StageKernel>> kernels,
             const std::vector<ModuleInterface>& interfaces, ExecutorOptions options);
    /// Accepts no more frames, lets those inside finish, and joins the threads.
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// Sets the contents of an input for the next frame. The contents of an input that is not set follow from its name and the
    /// number of the frame. Errors: an unknown name, with the list of inputs; a payload of another size than the input.
    std::optional<Error> setInput(std::string_view name, const Payload& payload);
    /// Puts the inputs that were set into the pipeline as one frame. Never waits.
    Accepted run();
    /// The outputs of the next frame, in order of the frames; no value when that frame is not complete. Never waits.
    std::optional<FrameOutput> getOutput();
    /// The current state as a number. Take it before `run` and `getOutput`; `wait(mark)` returns when the state has changed
    /// since.
    [[nodiscard]] std::uint32_t mark() const;
    void wait(std::uint32_t mark) const;
    /// Ends all stages, and every `wait`. The frames inside the pipeline are lost: `finish` lists them as owed. May be called
    /// from any thread.
    void cancel();
    /// Accepts no more frames. Frames inside the pipeline finish.
    void stop();
    /// True when no further frame will come out.
    [[nodiscard]] bool ended() const;
    /// Stops, takes the frames that still come out, joins the threads, and returns all measurements. Frames that went in and did
    /// not come out are listed in `RunResult::owed`.
    RunResult finish();

    [[nodiscard]] const Diagnostics& diagnostics() const;
    [[nodiscard]] const PipelineModel& model() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Puts `frames` frames through the pipeline, each as soon as the first stages accept it, and returns `Executor::finish`. A
/// request of `cancel` cancels the executor.
RunResult runFrames(Executor& executor, std::int64_t frames, const std::stop_token& cancel = {});

} // namespace stowage::pipeline

// Everything about one run that painting needs ready: made once, in the background when the run is large. No Qt.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/axis/map_data.h"
#include "app/canvas/axis/names_apart.h"
#include "app/canvas/axis/step_function.h"
#include "core/explain/displaced.h"
#include "core/explain/support_chain.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

struct PipeScene;

/// The ops along the steps.
struct OpTrack {
    std::vector<std::string> kinds;      ///< in words
    std::vector<std::string> codes;      ///< by kind: two or three letters
    std::vector<std::string> shortCodes; ///< by kind: two letters, for narrow steps
    std::vector<std::uint8_t> colours;   ///< by kind: class of the colouring by op kind
    std::vector<std::int32_t> kindOf;    ///< by step: into `kinds`; none where no op runs. Empty: the run has no program
    std::size_t ops = 0;                 ///< steps that run an op

    [[nodiscard]] bool empty() const { return ops == 0; }
};

/// A pool of the run.
struct PoolScene {
    MapData map;
    StepFunction live;            ///< bytes live at each step, as `usage` of the core counts them
    StepFunction uses;            ///< by address: how many rectangles (buffers, live ranges apart) lie there over all steps
    Step peakStep = -1;           ///< of the report
    Bytes peak = 0;               ///< bytes live there
    std::vector<BufferId> clique; ///< members of the certificate of the lower bound, ascending
};

/// Immutable; shared between the window's thread and those that paint tiles.
struct RunScene {
    std::shared_ptr<const Run> run;
    Step steps = 1;               ///< [0, steps) is the time axis of all views
    std::vector<PoolScene> pools; ///< those in use, by pool id
    OpTrack ops;
    std::string namePrefix;    ///< of nearly all buffers: labels leave it out
    std::string nameSuffix;    ///< of nearly all buffers: labels leave it out where the whole name does not fit
    NamesApart names;          ///< of the first thousands of buffers, as shown: for rows
    bool nameEndsTell = false; ///< what is left of names differs more in last parts than in first ones

    /// What rests on what. Made when first asked for, by whoever asks (half a second for a million buffers); safe from any
    /// thread.
    [[nodiscard]] const SupportFinder& support() const;
    [[nodiscard]] bool supportReady() const { return supportReady_.load(std::memory_order_acquire); }

    /// What was pushed out of which pool, and what a few more bytes would bring: see core/explain/displaced.h. Made when first
    /// asked for; safe from any thread.
    [[nodiscard]] const std::vector<PoolDisplacement>& displaced() const;
    /// What `displaced` says of one buffer, with the pool that it was pushed out of; nothing when it lies in its first candidate.
    [[nodiscard]] std::optional<std::pair<PoolId, Displaced>> displacedFrom(BufferId buffer) const;

    /// The run on its pipes, simulated as `analysePipes` does by default; null without pipes. Made when first asked for; safe
    /// from any thread.
    [[nodiscard]] const std::shared_ptr<const PipeScene>& pipes() const;

    /// Which entry of `pools` holds the buffer; none when it is not placed.
    [[nodiscard]] std::int32_t poolOf(BufferId buffer) const;
    /// The entry of `pools` with the largest size; none without any.
    [[nodiscard]] std::int32_t largestPool() const;
    /// Steps at which `op` of `function` runs, ascending.
    [[nodiscard]] std::vector<Step> stepsOf(FunctionId function, OpId op) const;
    /// The step at which the buffer is made, and those at which it is read while it is live, ascending.
    [[nodiscard]] std::vector<Step> readingSteps(BufferId buffer) const;
    [[nodiscard]] Step makingStep(BufferId buffer) const; ///< -1: comes from outside

private:
    struct OpStep {
        FunctionId function;
        OpId op;
        Step step;
        auto operator<=>(const OpStep&) const = default;
    };
    std::vector<OpStep> opSteps_; ///< ascending
    mutable std::once_flag supportOnce_;
    mutable std::unique_ptr<const SupportFinder> support_;
    mutable std::atomic<bool> supportReady_ = false;
    mutable std::once_flag displacedOnce_;
    mutable std::vector<PoolDisplacement> displaced_;
    mutable std::once_flag pipesOnce_;
    mutable std::shared_ptr<const PipeScene> pipes_;
    friend std::shared_ptr<const RunScene> makeScene(std::shared_ptr<const Run> run);
};

/// O(n log n): half a second for a million buffers, so not on the window's thread when there are many.
[[nodiscard]] std::shared_ptr<const RunScene> makeScene(std::shared_ptr<const Run> run);

} // namespace stowage

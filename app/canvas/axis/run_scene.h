// The data that painting one run needs, computed once, in the background if the run is large. No Qt.
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
    std::vector<std::uint8_t> colours;   ///< by kind: see `opKindClasses`
    std::vector<bool> named;             ///< by kind: whether the colour's class has buffers, so that the map's legend names it
    std::vector<std::int32_t> kindOf;    ///< by step: into `kinds`; `none`: no op. Empty: the run has no program
    std::size_t ops = 0;                 ///< count of ops of the functions that run, each once

    [[nodiscard]] bool empty() const { return ops == 0; }
};

/// A pool of the run.
struct PoolScene {
    MapData map;
    StepFunction live;  ///< live bytes by step, as by `usage` of the core
    StepFunction uses;  ///< by address: count of rectangles (one for each live range of a buffer) that use it, over all steps
    Step peakStep = -1; ///< of the report
    Bytes peak = 0;     ///< live bytes at `peakStep`
    std::vector<BufferId> clique; ///< members of the certificate of the lower bound, ascending
};

/// Immutable; shared between the window's thread and those that paint tiles.
struct RunScene {
    std::shared_ptr<const Run> run;
    Step steps = 1;               ///< [0, steps) is the time axis of all views
    std::vector<PoolScene> pools; ///< used pools, by pool id
    OpTrack ops;
    std::string namePrefix;    ///< common prefix of nearly all names; labels leave it out
    std::string nameSuffix;    ///< common suffix of nearly all names; labels that do not fit leave it out
    NamesApart names;          ///< names of the first few thousand buffers, as shown, for rows
    bool nameEndsTell = false; ///< without prefix and suffix, names differ more in their last parts than in their first ones

    /// The buffers on which each buffer rests. Computed by the first call (half a second for a million buffers). Thread-safe.
    [[nodiscard]] const SupportFinder& support() const;
    [[nodiscard]] bool supportReady() const { return supportReady_.load(std::memory_order_acquire); }

    /// The fallbacks of each pool, and the gain from a few more bytes: see core/explain/displaced.h. Computed by the first call.
    /// Thread-safe.
    [[nodiscard]] const std::vector<PoolDisplacement>& displaced() const;
    /// The entry of `displaced` for one buffer, with the pool of its first candidate; no value if the buffer is in its first
    /// candidate.
    [[nodiscard]] std::optional<std::pair<PoolId, Displaced>> displacedFrom(BufferId buffer) const;

    /// The simulation of the run on its pipes, with the default options of `analysePipes`; null without pipes. Computed by the
    /// first call. Thread-safe.
    [[nodiscard]] const std::shared_ptr<const PipeScene>& pipes() const;

    /// The index in `pools` of the buffer's pool; `none` if it is not placed.
    [[nodiscard]] std::int32_t poolOf(BufferId buffer) const;
    /// The index in `pools` of the pool with the largest size; `none` without pools.
    [[nodiscard]] std::int32_t largestPool() const;
    /// Steps at which `op` of `function` runs, ascending.
    [[nodiscard]] std::vector<Step> stepsOf(FunctionId function, OpId op) const;
    /// The step that makes the buffer, and the steps that read it while it is live, ascending.
    [[nodiscard]] std::vector<Step> readingSteps(BufferId buffer) const;
    [[nodiscard]] Step makingStep(BufferId buffer) const; ///< -1: made outside the program
    /// The buffers whose producer is `op` of `function`, ascending. O(log buffers + result).
    [[nodiscard]] std::vector<BufferId> madeBy(FunctionId function, OpId op) const;

private:
    struct OpStep {
        FunctionId function;
        OpId op;
        Step step;
        auto operator<=>(const OpStep&) const = default;
    };
    struct OpBuffer {
        FunctionId function;
        OpId op;
        BufferId buffer;
        auto operator<=>(const OpBuffer&) const = default;
    };
    std::vector<OpStep> opSteps_;     ///< ascending
    std::vector<OpBuffer> opBuffers_; ///< ascending
    mutable std::once_flag supportOnce_;
    mutable std::unique_ptr<const SupportFinder> support_;
    mutable std::atomic<bool> supportReady_ = false;
    mutable std::once_flag displacedOnce_;
    mutable std::vector<PoolDisplacement> displaced_;
    mutable std::once_flag pipesOnce_;
    mutable std::shared_ptr<const PipeScene> pipes_;
    friend std::shared_ptr<const RunScene> makeScene(std::shared_ptr<const Run> run);
};

/// Computes the scene. O(n log n): half a second for a million buffers, so large runs need another thread than the window's.
[[nodiscard]] std::shared_ptr<const RunScene> makeScene(std::shared_ptr<const Run> run);

} // namespace stowage

// A discrete-event simulation of a pipeline. Exact in its model, the same on every machine.
#pragma once

#include "core/ir/expected.h"
#include "core/pipeline/model.h"
#include "core/pipeline/run_result.h"

#include <stop_token>

namespace stowage::pipeline {

struct SimulateOptions {
    std::int64_t frames = 100;                         ///< >= 1
    std::int64_t record = 1000;                        ///< frames whose times are kept
    std::vector<std::pair<std::int32_t, double>> slow; ///< stages and the factors on their costs
    std::stop_token cancel;
};

/// All frames wait at the entry from time 0 on, and the application takes what comes out at once. A stage begins a frame when all
/// its inputs have arrived and its device is free; stages that wait for one device get it in the order in which they were ready.
/// What it gives goes to each connection as soon as there is room; then it may begin the next frame. A link moves one frame at a
/// time, in order. Of what happens at one time, room is made before it is taken. Errors: a circle, times that do not fit into 63
/// bits, cancelled. O((stages + transfers) · frames · log(stages)).
Expected<RunResult> simulate(const PipelineModel& model, const SimulateOptions& options);

} // namespace stowage::pipeline

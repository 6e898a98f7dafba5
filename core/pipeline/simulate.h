// Discrete-event simulation of a pipeline. It computes in whole picoseconds and gives the same result on every machine.
#pragma once

#include "core/ir/expected.h"
#include "core/pipeline/model.h"
#include "core/pipeline/run_result.h"

#include <stop_token>

namespace stowage::pipeline {

struct SimulateOptions {
    std::int64_t frames = 100;                         ///< >= 1
    std::int64_t record = 1000;                        ///< number of first frames whose times are kept
    std::vector<std::pair<std::int32_t, double>> slow; ///< pairs (stage, factor on its cost)
    std::stop_token cancel;
};

/// Simulates the run. All frames wait at the entry from time 0 on, and the application takes outputs at once. A stage begins a
/// frame when all inputs of the frame have arrived and its device is free; stages that wait for the same device get it in the
/// order in which they became ready. A finished frame goes to each connection as soon as the connection has room; when it has
/// gone to all of them, the stage may begin the next frame. A link transfers one frame at a time, in order. Of several events at
/// one time, those that free a place in a queue come first. Errors: a cycle of connections, times that do not fit into 63 bits,
/// cancelled. O((stages + transfers) · frames · log(stages)).
Expected<RunResult> simulate(const PipelineModel& model, const SimulateOptions& options);

} // namespace stowage::pipeline

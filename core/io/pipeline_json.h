// Splits and runs of pipelines as JSON, and as traces.
#pragma once

#include "core/io/json_writer.h"
#include "core/pipeline/model.h"
#include "core/pipeline/run_result.h"
#include "core/pipeline/split.h"

#include <string>

namespace stowage::io {

/// `stowage.split/1`. `stages`: the programs of the split, in its order.
std::string writeSplit(const pipeline::Split& split, const pipeline::Splitter& splitter, std::span<const pipeline::Stage> stages);

/// `stowage.pipeline-run/1`; `predicted` may be null.
std::string writeRun(const pipeline::RunResult& result, const pipeline::PipelineModel& model,
                     const pipeline::RunResult* predicted = nullptr);

/// Reads a run back: all that `writeRun` writes of the run itself, without the prediction.
Expected<pipeline::RunResult> readRun(std::string_view text, const std::string& file);

/// Fields of one run, into an object that is open.
void writeRunFields(JsonWriter& out, const pipeline::RunResult& result, const pipeline::PipelineModel& model);

/// A run in a trace: its name in the picture.
struct TracedRun {
    std::string name; ///< "predicted", "measured"
    const pipeline::RunResult* result = nullptr;
};

/// Chrome's trace format (JSON), as Perfetto and chrome://tracing open it: a process for each run, a lane for each stage and each
/// connection that takes time, a slice for each frame, with its waits.
std::string writeChromeTrace(const pipeline::PipelineModel& model, std::span<const TracedRun> runs);

/// Reads a run from such a trace: the process named "measured", else the last one with stages. Frames count from 0; those after a
/// gap are left out. Unknown events and fields are passed over. Errors: no JSON, no frames of stages.
Expected<pipeline::RunResult> readChromeTrace(std::string_view text, const std::string& file);

} // namespace stowage::io

// Reads and writes splits and runs of pipelines, as JSON and as Chrome traces.
#pragma once

#include "core/io/json_writer.h"
#include "core/pipeline/model.h"
#include "core/pipeline/run_result.h"
#include "core/pipeline/split.h"

#include <string>

namespace stowage::io {

/// Writes `stowage.split/1`. `stages`: the programs of the split, in its order.
std::string writeSplit(const pipeline::Split& split, const pipeline::Splitter& splitter, std::span<const pipeline::Stage> stages);

/// Writes `stowage.pipeline-run/1`. `predicted`: the predicted run; may be null. `memory`: by stage; may be empty.
std::string writeRun(const pipeline::RunResult& result, const pipeline::PipelineModel& model,
                     const pipeline::RunResult* predicted = nullptr, std::span<const pipeline::StageFit> memory = {});

/// Reads a run that `writeRun` wrote, without the prediction.
Expected<pipeline::RunResult> readRun(std::string_view text, const std::string& file);

/// Writes the fields of one run into the current object.
void writeRunFields(JsonWriter& out, const pipeline::RunResult& result, const pipeline::PipelineModel& model,
                    std::span<const pipeline::StageFit> memory = {});

/// A run in a trace, and its name there.
struct TracedRun {
    std::string name; ///< "predicted", "measured"
    const pipeline::RunResult* result = nullptr;
};

/// Writes Chrome's trace format (JSON), for Perfetto and chrome://tracing: a process for each run, a thread for each stage and
/// each connection that takes time, and a slice for each frame, with its waits.
std::string writeChromeTrace(const pipeline::PipelineModel& model, std::span<const TracedRun> runs);

/// Reads a run from such a trace: the process named "measured", otherwise the last process with stages. Frames are numbered from
/// 0; frames after a missing one are left out. Unknown events and fields are ignored. Errors: the text is not JSON, or has no
/// frames of stages.
Expected<pipeline::RunResult> readChromeTrace(std::string_view text, const std::string& file);

} // namespace stowage::io

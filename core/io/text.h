// The native text formats, read and written in process. `specs`: README, "File formats".
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <string>
#include <string_view>

namespace stowage::io {

/// What a reader found. Warnings do not keep the value from being used.
template <typename T>
struct Read {
    T value;
    Diagnostics diagnostics;
};

/// `stowage.problem/1`. Unknown fields are errors with a position, except under "x-…". A million buffers take about a second.
Expected<Read<Problem>> readProblemJson(std::string_view text, const std::string& file);
std::string writeProblemJson(const Problem& problem);

/// MiniMalloc's CSV. With `offset`, buffers are pinned; the diagnostics say how many.
Expected<Read<Problem>> readProblemCsv(std::string_view text, const std::string& file);
/// With a plan, each row has its offset; without, pins become the offset column. One pool only; an error otherwise.
Expected<std::string> writeProblemCsv(const Problem& problem, const Plan* plan);

/// `stowage.program/1`.
Expected<Read<Program>> readProgramJson(std::string_view text, const std::string& file);
std::string writeProgramJson(const Program& program);

/// `stowage.plan/1` or a CSV with offsets, matched to `problem` by buffer name.
Expected<Read<Plan>> readPlan(std::string_view text, const std::string& file, const Problem& problem);
std::string writePlanJson(const Run& run);

} // namespace stowage::io

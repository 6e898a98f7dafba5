// Reads and writes Stowage's own text formats. resources/guide/file-formats.md describes them.
#pragma once

#include "core/io/plan_tensors.h"
#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <span>
#include <string>
#include <string_view>

namespace stowage::io {

class JsonWriter;

/// The result of a reader: a value, and warnings about it.
template <typename T>
struct Read {
    T value;
    Diagnostics diagnostics;
};

/// Reads `stowage.problem/1`. Unknown fields are errors with a position, unless their names begin with "x-". A million buffers
/// take about a second. A problem without "pools" gets one unbounded pool named "arena". "clock" is converted to conflicts and
/// live ranges (core/io/clocks.h), and never written.
///
/// Fields in addition to the published ones: in the problem, "loops" ([{"name", "parent", "live": [begin, end], "trip_count"}]; a
/// loop that only buffers name covers the steps of these buffers), "scopes" ([{"name", "live": [[begin, end]]}]: operators with
/// the steps of their calls) and "penalties" ([{"first", "second", "cost"}]: pairs of buffers that may share at a cost); in a
/// buffer, "carried" ([{"distance", "live": [begin, end], "loop", "turn"}]), "early" ([{"live": [begin, end], "turn": {"loop",
/// "iteration"}}]), "scope" (the scope that contains its live ranges) and "traffic" ({"read_bytes", "written_bytes", "reads",
/// "writes"}: accesses in one run).
Expected<Read<Problem>> readProblemJson(std::string_view text, const std::string& file);
std::string writeProblemJson(const Problem& problem);

/// Reads MiniMalloc's CSV. A column `offset` pins the buffers; a diagnostic gives their number. Gaps are cut out of the live
/// range; a gap with bytes becomes a window.
Expected<Read<Problem>> readProblemCsv(std::string_view text, const std::string& file);
/// Writes MiniMalloc's CSV. The column `offset` holds the offsets of the plan; without a plan, the pins. Capacities and penalties
/// have no column and are left out. Errors: more than one pool; a buffer that a row cannot represent (conflicts, slots, …).
Expected<std::string> writeProblemCsv(const Problem& problem, const Plan* plan);

/// Reads `stowage.program/1`.
Expected<Read<Program>> readProgramJson(std::string_view text, const std::string& file);
std::string writeProgramJson(const Program& program);

struct ReadPlan : Read<Plan> {
    std::vector<Mismatch> mismatches;
    std::vector<StatedTensor> tensors; ///< the file's list; compare it by `tensorMismatches`
};

/// Reads `stowage.plan/1` or a CSV with offsets; matches buffers to `problem` by name. Contradictions to the problem (unknown
/// buffers and pools, other sizes, a size of a pool that differs from its placements) are kept as mismatches, which make the plan
/// not valid (`Run`). Buffers that only the file or only the problem contains also cause warnings. Sizes are compared after
/// rounding up to `rounding` (`--alignment N`). Status and proof in the file are kept as a claim only. Of a document with several
/// functions it reads the function named `function`; empty: the only function, or the one with the name of the problem.
Expected<ReadPlan> readPlan(std::string_view text, const std::string& file, const Problem& problem,
                            std::string_view function = {}, Bytes rounding = 1);
std::string writePlanJson(const Run& run);
/// Writes "partial" and "unknown_sizes", the names of the tensors or buffers that were left out, into the current object; nothing
/// if none was.
void writePartial(JsonWriter& out, const Run& run);

/// A run of one function of a file.
struct FunctionRun {
    std::string name;
    const Run* run = nullptr; ///< not null
};
/// Writes one document with several functions.
std::string writePlanJson(std::span<const FunctionRun> functions);

} // namespace stowage::io

// The native text formats, read and written in process. `specs`: README, "File formats".
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <span>
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
/// In addition to the published fields: "loops" ([{"name", "parent", "live": [begin, end], "trip_count"}]; loops that are only
/// named by their buffers span those) and of a buffer "carried" ([{"distance", "live": [begin, end], "loop", "turn"}]), "early"
/// ([{"live": [begin, end], "turn": {"loop", "iteration"}}]: live there in that iteration only); "scopes" ([{"name", "live":
/// [[begin, end]]}]: operators with the steps of their calls) and of a buffer "scope", the one inside which it lives;
/// "penalties" ([{"first", "second", "cost"}]: pairs of buffers whose sharing costs bytes); of a buffer "traffic"
/// ({"read_bytes", "written_bytes", "reads", "writes"}: what one run moves). "clock" is read as conflicts and one order of the
/// steps, and written as these. Without "pools" there is one, unbounded, named "arena".
Expected<Read<Problem>> readProblemJson(std::string_view text, const std::string& file);
std::string writeProblemJson(const Problem& problem);

/// MiniMalloc's CSV. With `offset`, buffers are pinned; a diagnostic gives their number. Gaps are cut out of the live range; a
/// gap with bytes becomes a window.
Expected<Read<Problem>> readProblemCsv(std::string_view text, const std::string& file);
/// With a plan, each row has its offset; without, pins become the offset column. One pool only; an error otherwise.
Expected<std::string> writeProblemCsv(const Problem& problem, const Plan* plan);

/// `stowage.program/1`.
Expected<Read<Program>> readProgramJson(std::string_view text, const std::string& file);
std::string writeProgramJson(const Program& program);

struct ReadPlan : Read<Plan> {
    std::vector<Mismatch> mismatches;
};

/// `stowage.plan/1` or a CSV with offsets, matched to `problem` by buffer name. What contradicts the problem (unknown
/// buffers, other sizes, a pool's size that its placements do not have) is kept as mismatches, which make it invalid (`Run`);
/// buffers that only one of the two knows are warnings too. Sizes that `rounding` makes equal (`--alignment N`) do not differ.
/// What the file says about status and proof is kept as a claim only. Of a document of several functions the one named `function`
/// is taken; empty: the only one, or the one named like the problem.
Expected<ReadPlan> readPlan(std::string_view text, const std::string& file, const Problem& problem,
                            std::string_view function = {}, Bytes rounding = 1);
std::string writePlanJson(const Run& run);

/// One planned function of a file.
struct FunctionRun {
    std::string name;
    const Run* run = nullptr; ///< not null
};
/// One document of several functions.
std::string writePlanJson(std::span<const FunctionRun> functions);

} // namespace stowage::io

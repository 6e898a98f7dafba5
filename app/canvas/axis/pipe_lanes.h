// The simulated run of a kernel as lanes, one for each pipe, with its ops and the gaps between them. No Qt.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/axis/names_apart.h"
#include "core/explain/pipe_run.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// The cause of a gap before an op.
enum class LaneWait : std::uint8_t {
    otherPipe, ///< the op also uses another pipe, which is busy
    data,      ///< an input is not written yet
    ownSlot,   ///< the slot that it writes is still in use
    reuse,     ///< bytes that its buffer reuses are still in use
};

/// [begin, end) of a lane, in units of time of the simulation.
struct LaneOp {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int32_t span = none; ///< into the report's spans
};
struct LaneGap {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int32_t span = none; ///< span of the op after the gap
    LaneWait cause = LaneWait::data;
};

struct PipeLane {
    std::int32_t pipe = none; ///< into the model's pipes
    std::string name;
    std::vector<LaneOp> ops;   ///< ascending, apart
    std::vector<LaneGap> gaps; ///< ascending, apart; never empty
    std::int64_t busy = 0;
    std::int64_t stall = 0; ///< time of the gaps caused by reuse
    std::size_t kinds = 0;  ///< count of ops of the kernel that run on this pipe
};

/// An outermost loop, from the begin of its first op to the end of its last one.
struct LaneLoop {
    LoopId loop = none;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t iterations = 0; ///< count of simulated iterations
};

/// Immutable.
struct PipeScene {
    std::shared_ptr<const Run> run;
    PipeAnalysis analysis;
    std::vector<PipeLane> lanes; ///< of the used pipes, in the order in which data passes them
    std::vector<LaneLoop> loops; ///< by begin
    NamesApart names;            ///< names of the first few thousand buffers, for rows
    ColourBy colourBy = ColourBy::opKind;
    std::vector<std::uint8_t> classOf;   ///< by op of the model: class of the colouring by `colourBy`
    std::vector<std::string> codes;      ///< by op of the model: its op code, as along the steps of a map
    std::vector<std::string> shortCodes; ///< by op of the model: its op code in two letters

    [[nodiscard]] const PipeReport& report() const { return analysis.report; }
    [[nodiscard]] const PipeSpan& span(std::int32_t id) const { return analysis.report.spans[static_cast<std::size_t>(id)]; }
    [[nodiscard]] const PipeOp& opOf(std::int32_t span) const
    {
        return analysis.model.ops[static_cast<std::size_t>(this->span(span).op)];
    }
    /// The end of an execution.
    [[nodiscard]] std::int64_t endOf(std::int32_t span) const { return this->span(span).begin + opOf(span).cost; }
    /// The lane of a pipe; `none` if no op runs on it.
    [[nodiscard]] std::int32_t laneOf(std::int32_t pipe) const;
    /// "MTE2+MTE3".
    [[nodiscard]] std::string pipeNames(std::span<const std::int32_t> pipes) const;
    [[nodiscard]] const std::string& bufferName(BufferId buffer) const
    {
        return run->problem().buffers[static_cast<std::size_t>(buffer)].name;
    }
    [[nodiscard]] bool touches(std::int32_t span, BufferId buffer) const; ///< the op of the span reads or writes it
};

/// Simulates the run. Null for a run without pipes (see `whyNoPipes`). O(executions * (operands + segments)).
[[nodiscard]] std::shared_ptr<const PipeScene> makePipeScene(std::shared_ptr<const Run> run, const PipeOptions& options = {});

/// Estimated count of executions that `makePipeScene` simulates; at most `PipeOptions::maxSpans`.
[[nodiscard]] std::size_t pipeWork(const Run& run, const PipeOptions& options = {});

/// Whether ops of the program name their pipes. O(ops).
[[nodiscard]] bool hasPipes(const Program& program);

/// The reason, in one sentence, why the run has no pipes; empty if it has some.
[[nodiscard]] std::string whyNoPipes(const Run& run);

} // namespace stowage

// The simulated run of a kernel as lanes, one for each pipe: what it does when, and what it waits for. No Qt.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "core/explain/pipe_run.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// Why a pipe does nothing before an op.
enum class LaneWait : std::uint8_t {
    otherPipe, ///< the op holds another pipe too, and that one is busy
    data,      ///< what it reads is not written yet
    ownSlot,   ///< its own buffer's slot is still in use
    reuse,     ///< bytes that it takes over are still in use
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
    std::int32_t span = none; ///< of the op after it
    LaneWait cause = LaneWait::data;
};

struct PipeLane {
    std::int32_t pipe = none; ///< into the model's pipes
    std::string name;
    std::vector<LaneOp> ops;   ///< ascending, apart
    std::vector<LaneGap> gaps; ///< ascending, apart; never empty
    std::int64_t busy = 0;
    std::int64_t stall = 0; ///< time it waits for reuse
    std::size_t kinds = 0;  ///< ops of the kernel that run here
};

/// A loop that is in no other one, from the begin of its first op to the end of its last one.
struct LaneLoop {
    LoopId loop = none;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t iterations = 0; ///< simulated
};

/// Immutable.
struct PipeScene {
    std::shared_ptr<const Run> run;
    PipeAnalysis analysis;
    std::vector<PipeLane> lanes; ///< those in use, in the order in which data passes them
    std::vector<LaneLoop> loops; ///< by begin
    ColourBy colourBy = ColourBy::opKind;
    std::vector<std::uint8_t> classOf;   ///< by op of the model: class of the run's colouring by `colourBy`
    std::vector<std::string> codes;      ///< by op of the model: its kind in two or three letters, as along the steps of a map
    std::vector<std::string> shortCodes; ///< in two

    [[nodiscard]] const PipeReport& report() const { return analysis.report; }
    [[nodiscard]] const PipeSpan& span(std::int32_t id) const { return analysis.report.spans[static_cast<std::size_t>(id)]; }
    [[nodiscard]] const PipeOp& opOf(std::int32_t span) const
    {
        return analysis.model.ops[static_cast<std::size_t>(this->span(span).op)];
    }
    /// The end of an execution.
    [[nodiscard]] std::int64_t endOf(std::int32_t span) const { return this->span(span).begin + opOf(span).cost; }
    /// The lane of a pipe; none when nothing runs on it.
    [[nodiscard]] std::int32_t laneOf(std::int32_t pipe) const;
    /// "MTE2+MTE3".
    [[nodiscard]] std::string pipeNames(std::span<const std::int32_t> pipes) const;
    [[nodiscard]] const std::string& bufferName(BufferId buffer) const
    {
        return run->problem().buffers[static_cast<std::size_t>(buffer)].name;
    }
    [[nodiscard]] bool touches(std::int32_t span, BufferId buffer) const; ///< the op of the span reads or writes it
};

/// Simulates the run. Null for one without pipes: `whyNoPipes` says why. O(executions * (operands + segments)).
[[nodiscard]] std::shared_ptr<const PipeScene> makePipeScene(std::shared_ptr<const Run> run, const PipeOptions& options = {});

/// About the number of executions that `makePipeScene` simulates; at most `PipeOptions::maxSpans`.
[[nodiscard]] std::size_t pipeWork(const Run& run, const PipeOptions& options = {});

/// True when ops of the program say on which pipe they run. O(ops).
[[nodiscard]] bool hasPipes(const Program& program);

/// One sentence for people; empty when there is something to show.
[[nodiscard]] std::string whyNoPipes(const Run& run);

} // namespace stowage

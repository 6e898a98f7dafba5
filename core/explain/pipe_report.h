// The cost of shared bytes in a kernel: which buffer waits for which, and how long the pipes are idle because of it.
#pragma once

#include "core/explain/pipe_model.h"
#include "core/plan/plan.h"

#include <array>

namespace stowage {

/// What a buffer that takes over another one's bytes has to wait for.
enum class ReuseKind : std::uint8_t {
    samePipe,           ///< for its own pipe, which works in order anyway
    crossPipe,          ///< for another pipe: the two are synchronised
    breaksDoubleBuffer, ///< for another pipe, fewer iterations back than it has slots: they cannot run ahead
};

/// "same-pipe", "cross-pipe", "breaks-double-buffer".
[[nodiscard]] std::string_view toText(ReuseKind);

/// `to` is written where `from` was: its first write waits for the last access to `from`.
struct ReuseEdge {
    BufferId from = none;
    BufferId to = none;
    PoolId pool = none;
    ReuseKind kind = ReuseKind::samePipe; ///< the worst that was seen
    std::vector<std::int32_t> fromPipes;  ///< of the accesses waited for, ascending
    std::vector<std::int32_t> toPipes;    ///< of the op that writes
    LoopId loop = none;        ///< whose iterations lie between the two; none: no iteration of a loop lies between them
    std::int64_t distance = 0; ///< the fewest of them
    Bytes bytes = 0;           ///< the most that was taken over at a time
    std::int64_t count = 0;    ///< how often in the simulated time
    std::int64_t stall = 0;    ///< time that pipes stood still for it: beyond their own work, data, and other edges
};

/// What an op waits for when its pipes are free, reuse apart.
enum class PipeWait : std::uint8_t {
    nothing,
    data,    ///< what it reads has not been written yet
    ownSlot, ///< what was in its own buffer's slot is still in use
};

/// One execution of an op. Its pipes are free; then it waits for data (`wait`), then for reuse (`stall`), then it runs.
struct PipeSpan {
    std::int32_t op = none;             ///< into the model's ops
    std::int64_t iteration = 0;         ///< of its innermost loop
    std::int64_t begin = 0;             ///< time; it ends at begin + cost
    std::int64_t stall = 0;             ///< of that: how long the pipe stood still before it because of reuse
    std::int32_t edge = none;           ///< the edge that made it, into the report's; none when `stall` is 0
    std::int64_t wait = 0;              ///< time before the stall in which its pipes were free
    PipeWait cause = PipeWait::nothing; ///< of `wait`
    BufferId waitsFor = none;           ///< the buffer that ended `wait`
};

/// Bytes that went from one execution to another: the first access to a buffer after the last one to the buffer before it.
struct Handover {
    std::int32_t from = none; ///< into the report's spans
    std::int32_t to = none;   ///< likewise, later
    std::int32_t edge = none; ///< into the report's edges
};

struct PipeOptions {
    std::int64_t iterations = 8;     ///< of each loop, or its trip count if that is less; >= 1
    std::int64_t maxSpans = 200'000; ///< executions of ops, over all iterations
};

struct PipeReport {
    std::vector<ReuseEdge> edges;      ///< the worst kind first, then by stall, then by ids
    std::vector<PipeSpan> spans;       ///< in order of issue
    std::vector<Handover> handovers;   ///< as counted by the edges, by `to`
    std::int64_t time = 0;             ///< until the last op ends
    std::int64_t timeWithoutReuse = 0; ///< the same with every buffer in bytes of its own, with as many slots
    std::vector<std::int64_t> busy;    ///< by pipe: time in which it works
    bool truncated = false;            ///< more executions than `maxSpans`

    /// Edges of a kind.
    [[nodiscard]] std::int64_t count(ReuseKind kind) const;
    /// The sum over all edges.
    [[nodiscard]] std::int64_t stall() const;
    /// time / timeWithoutReuse - 1.
    [[nodiscard]] double slowdown() const;
};

/// Simulates the ops in order on their pipes, each pipe one op at a time. An op begins when its pipes are free, what it reads has
/// been written, and what it writes over, of its own buffer (the slot of N iterations ago) or of another one (reuse), has been
/// read and written for the last time. The host issues without delay; branches count as if all of them ran. Edges are between a
/// buffer and the one that held the bytes just before.
///
/// An estimate: pipes are taken to move one byte in a unit of time unless the input gives costs. The dependencies are exact.
/// O(executions * (operands * segments)). Requires a plan whose placements are well formed; buffers that are not placed take no
/// part.
[[nodiscard]] PipeReport pipeReport(const Problem& problem, const Plan& plan, const PipeModel& model,
                                    const PipeOptions& options = {});

} // namespace stowage

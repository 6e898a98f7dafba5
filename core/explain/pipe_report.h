// The cost of byte reuse in a kernel: which buffers wait for which, and how long pipes are idle for that reason.
#pragma once

#include "core/explain/pipe_model.h"
#include "core/plan/plan.h"

#include <array>

namespace stowage {

/// The kind of a reuse, by what the buffer that takes over the bytes has to wait for.
enum class ReuseKind : std::uint8_t {
    samePipe,           ///< only for its own pipe, which executes in order anyway
    crossPipe,          ///< for another pipe: the two pipes have to synchronise
    breaksDoubleBuffer, ///< for another pipe, at a distance of fewer iterations than it has slots, so that the pipes cannot
                        ///< overlap as intended
};

/// "same-pipe", "cross-pipe", "breaks-double-buffer".
[[nodiscard]] std::string_view toText(ReuseKind);

/// A reuse: `to` is written to bytes of `from`, and its first write waits for the last access to `from`.
struct ReuseEdge {
    BufferId from = none;
    BufferId to = none;
    PoolId pool = none;
    ReuseKind kind = ReuseKind::samePipe; ///< the worst kind that occurred
    std::vector<std::int32_t> fromPipes;  ///< pipes of the accesses that it waits for, ascending
    std::vector<std::int32_t> toPipes;    ///< pipes of the op that writes
    LoopId loop = none;        ///< the loop whose iterations lie between the two accesses; none: both are in the same iteration
    std::int64_t distance = 0; ///< smallest number of iterations between them
    Bytes bytes = 0;           ///< largest number of bytes that one write takes over
    std::int64_t count = 0;    ///< number of occurrences in the simulated time
    std::int64_t stall =
        0; ///< time for which pipes were idle because of this edge alone, and not because of their own work, data, or other edges
};

/// Cause other than reuse for which an op waits although its pipes are free.
enum class PipeWait : std::uint8_t {
    nothing,
    data,    ///< an operand has not been written yet
    ownSlot, ///< the previous contents of the slot that it writes are still in use
};

/// One execution of an op. After its pipes became free it waits for `cause` (`wait`), then for reuse (`stall`), then it runs.
struct PipeSpan {
    std::int32_t op = none;             ///< index into the model's ops
    std::int64_t iteration = 0;         ///< iteration of its innermost loop
    std::int64_t begin = 0;             ///< start time; it ends at begin + cost
    std::int64_t stall = 0;             ///< idle time of its pipes directly before `begin`, because of reuse
    std::int32_t edge = none;           ///< index of the edge that causes `stall`; none when `stall` is 0
    std::int64_t wait = 0;              ///< idle time of its pipes before the stall
    PipeWait cause = PipeWait::nothing; ///< of `wait`
    BufferId waitsFor = none;           ///< the buffer that it waited for
};

/// One occurrence of a reuse: the last access to the old buffer, and the first access to the new one.
struct Handover {
    std::int32_t from = none; ///< index into the report's spans
    std::int32_t to = none;   ///< index into the report's spans, larger than `from`
    std::int32_t edge = none; ///< index into the report's edges
};

struct PipeOptions {
    std::int64_t iterations = 8;     ///< number of iterations of each loop, at most its trip count; >= 1
    std::int64_t maxSpans = 200'000; ///< maximum number of executions of ops, over all iterations

    friend bool operator==(const PipeOptions&, const PipeOptions&) = default;
};

struct PipeReport {
    std::vector<ReuseEdge> edges;      ///< worst kind first, then largest stall, then by ids
    std::vector<PipeSpan> spans;       ///< in order of issue
    std::vector<Handover> handovers;   ///< those that the edges count, ascending by `to`
    std::int64_t time = 0;             ///< end of the last op
    std::int64_t timeWithoutReuse = 0; ///< the same when each buffer has bytes of its own, with the same number of slots
    std::vector<std::int64_t> busy;    ///< by pipe: time for which it works
    bool truncated = false;            ///< the simulation ended at `maxSpans`

    /// Number of edges of a kind.
    [[nodiscard]] std::int64_t count(ReuseKind kind) const;
    /// Sum of the stalls of all edges.
    [[nodiscard]] std::int64_t stall() const;
    /// time / timeWithoutReuse - 1.
    [[nodiscard]] double slowdown() const;
};

/// Simulates the ops in order on their pipes; each pipe runs one op at a time. An op begins when three conditions hold: its pipes
/// are free, its operands have been written, and the bytes that it overwrites are no longer used. Overwritten bytes are the
/// previous contents of the same slot or, by reuse, bytes of another buffer. The host issues ops without delay. All branches
/// count as executed. An edge connects a buffer to the one that held the same bytes directly before it.
///
/// Times are estimates: without costs in the input, a pipe moves one byte in a unit of time. Dependencies are exact. Buffers that
/// are not placed are ignored. Requires well-formed placements. O(executions * operands * segments).
[[nodiscard]] PipeReport pipeReport(const Problem& problem, const Plan& plan, const PipeModel& model,
                                    const PipeOptions& options = {});

} // namespace stowage

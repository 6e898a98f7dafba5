// A kernel as its hardware pipes see it: the order of its ops, their operands and their durations.
#pragma once

#include "core/lower/lower.h"

#include <string>
#include <vector>

namespace stowage {

/// An op that runs on a pipe.
struct PipeOp {
    std::string name;
    std::vector<std::int32_t> pipes; ///< into `PipeModel::pipes`, ascending; several: it holds all of them while it runs
    std::vector<BufferId> reads;     ///< ascending
    std::vector<BufferId> writes;    ///< ascending; with temps
    std::vector<Bytes> readBytes;    ///< of each of `reads`: what the op takes of it; empty where nothing is known
    std::vector<Bytes> writeBytes;   ///< of each of `writes`; 0 for a temp
    std::int64_t cost = 1;           ///< time, >= 1, at most 2^40
    Step step = 0;                   ///< on the problem's axis
    LoopId loop = none;              ///< innermost of the problem's loops around it
    FunctionId function = none;      ///< of the program; none when the op was made up
    OpId op = none;
};

/// What a cost counts.
enum class CostUnit : std::uint8_t {
    bytes,       ///< of the larger side of an op, its inputs or its outputs: every pipe moves one in a unit of time
    nanoseconds, ///< as the input says for every op
};

struct PipeModel {
    std::vector<std::string> pipes; ///< in order of first use: "MTE2", "V", …
    std::vector<PipeOp> ops;        ///< by step
    CostUnit unit = CostUnit::bytes;
    bool fromProgram = false; ///< else the ops were made from the lives
};

/// The cost in bytes of what the op moves: of the larger side, at least 1 and at most 2^40.
[[nodiscard]] std::int64_t costInBytes(const PipeOp& op);

/// The ops of a lowered program that run on a pipe and touch a planned buffer. Cost: what the file says when it does for all of
/// them, else bytes. "MTE2+MTE3" holds both. Where a buffer has another size than its tensors ask for, because the user tried
/// half or twice the tile, an op moves as much more or less of it. O(steps * (operands + loops)).
[[nodiscard]] PipeModel pipeModel(const Program& program, const Lowering& lowering);

/// The same for a problem alone: one op at each step at which a life begins or ends; it writes what begins and reads what ends
/// there. Its pipe is a guess from the marks of the buffers: MTE2 when it only writes, and only what is DMA-touched; MTE3 when it
/// only reads such; S when all that it touches is scalar; else V. O(buffers log buffers).
[[nodiscard]] PipeModel pipeModel(const Problem& problem);

/// The first where there is a program with pipes, else the second.
[[nodiscard]] PipeModel pipeModelOf(const Program* program, const Lowering& lowering);

} // namespace stowage

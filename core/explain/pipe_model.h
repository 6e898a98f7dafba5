// Model of a kernel for the simulation of its hardware pipes: its ops in order, with operands and durations.
#pragma once

#include "core/lower/lower.h"

#include <string>
#include <vector>

namespace stowage {

/// An op that runs on a pipe.
struct PipeOp {
    std::string name;
    std::vector<std::int32_t>
        pipes; ///< indices into `PipeModel::pipes`, ascending; an op with several pipes occupies all of them while it runs
    std::vector<BufferId> reads;   ///< ascending
    std::vector<BufferId> writes;  ///< ascending; including temps
    std::vector<Bytes> readBytes;  ///< for each of `reads`: the bytes that the op reads; empty when unknown
    std::vector<Bytes> writeBytes; ///< for each of `writes`: the bytes that the op writes; 0 for a temp
    std::int64_t cost = 1;         ///< duration in the model's unit, 1 to 2^40
    Step step = 0;                 ///< on the problem's axis
    LoopId loop = none;            ///< innermost loop of the problem around it
    FunctionId function = none;    ///< function of the program; none when the op was derived from live ranges
    OpId op = none;
};

/// Unit of costs and times.
enum class CostUnit : std::uint8_t {
    bytes,       ///< the larger of an op's input bytes and output bytes; every pipe moves one byte in a unit of time
    nanoseconds, ///< nanoseconds, as stated by the input for every op
};

struct PipeModel {
    std::vector<std::string> pipes; ///< in order of first use: "MTE2", "V", …
    std::vector<PipeOp> ops;        ///< by step
    CostUnit unit = CostUnit::bytes;
    bool fromProgram = false; ///< false: the ops were derived from live ranges
};

/// The larger of an op's input bytes and output bytes, limited to 1 … 2^40.
[[nodiscard]] std::int64_t costInBytes(const PipeOp& op);

/// The model of a lowered program: its ops that run on a pipe and touch a planned buffer. Costs are those of the file if it
/// states one for each of these ops, otherwise bytes. An op on the pipe "MTE2+MTE3" occupies both pipes. If a buffer's size
/// differs from its tensor's, because the user tries half or twice the tile, the bytes that ops move are scaled by the same
/// factor. O(steps * (operands + loops)).
[[nodiscard]] PipeModel pipeModel(const Program& program, const Lowering& lowering);

/// The model of a problem without a program. There is one op at each step at which a live range begins or ends; it writes the
/// buffers that become live and reads those that end. Its pipe is guessed from the buffers: MTE2 if it only writes, and only
/// DMA-touched buffers; MTE3 if it only reads such buffers; S if all its buffers are scalar-touched; otherwise V. O(buffers log
/// buffers).
[[nodiscard]] PipeModel pipeModel(const Problem& problem);

/// The model of the program if there is one and its ops have pipes; otherwise the model of the problem.
[[nodiscard]] PipeModel pipeModelOf(const Program* program, const Lowering& lowering);

} // namespace stowage

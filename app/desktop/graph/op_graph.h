// The computation graph of a run, cut down to what can be looked at: around a buffer, or whole, or in blocks.
#pragma once

#include "core/plan/run.h"

#include <QString>

#include <optional>
#include <vector>

namespace stowage {

/// One op, or a block of ops that follow on each other.
struct OpNode {
    QString kind;   ///< "conv2d"; of a block the most frequent kind
    QString name;   ///< of the op; of a block how many ops of which steps
    Step step = -1; ///< of the first op
    std::size_t ops = 1;
    std::vector<BufferId> writes; ///< buffers that it writes, ascending
    std::vector<BufferId> touches; ///< all that it reads, writes or uses as scratch, ascending
    Bytes bytes = 0;              ///< that it writes
};

struct OpEdge {
    std::int32_t from = 0;
    std::int32_t to = 0;
    BufferId buffer = none; ///< through which the value goes; of several the largest
    Bytes bytes = 0;
};

struct OpGraph {
    std::vector<OpNode> nodes; ///< by step
    std::vector<OpEdge> edges; ///< by (from, to), each pair once
    std::size_t allOps = 0;    ///< of the whole program
    bool blocks = false;       ///< a node stands for several ops
};

struct OpGraphOptions {
    BufferId around = none;  ///< only ops within `hops` of those that touch this buffer
    int hops = 0;            ///< 0: everything
    std::size_t most = 2000; ///< with more ops than this, blocks of equal length, at most `blocks` of them
    std::size_t blocks = 400;
};

/// Ops are those of the lowered axis, one for each step: a called function appears once for each call. Empty without a program.
/// O(steps * arity).
[[nodiscard]] OpGraph makeOpGraph(const Run& run, const OpGraphOptions& options);

} // namespace stowage

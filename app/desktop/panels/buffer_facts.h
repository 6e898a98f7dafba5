// The facts of one buffer for the inspector, computed from a run.
#pragma once

#include "core/plan/run.h"

#include <QString>

#include <vector>

namespace stowage {

/// An op that touches a buffer.
struct OpUse {
    QString name;
    QString kind;
    Step step = -1; ///< of its first execution; -1: no step of its own
};

struct BufferFacts {
    QString name;
    QString type;   ///< "int8 1 × 4 × 1 × 60"; empty without a program
    QString source; ///< "model.mlir:13"; empty: unknown
    Placement placement;
    Bytes size = 0;
    Bytes padding = 0; ///< bytes up to the next offset that the pool's alignment allows
    std::vector<Interval> live;
    Step steps = 0; ///< count of live steps, without gaps
    QString pool;
    std::size_t choice = 0; ///< position of the pool among the candidates, from 1
    std::size_t choices = 0;
    std::vector<OpUse> producers; ///< at most one
    std::vector<OpUse> consumers;
    std::vector<QString> sharedWith; ///< other tensors in the same bytes: views, in place
    std::vector<BufferId> conflicts; ///< buffers that conflict with it
};

/// O(buffers) for the conflicts, and O(steps) for the uses. Requires a buffer of the run.
[[nodiscard]] BufferFacts factsOf(const Run& run, BufferId buffer);

} // namespace stowage

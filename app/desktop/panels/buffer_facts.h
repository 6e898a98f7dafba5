// What the inspector says about one buffer, worked out from a run alone.
#pragma once

#include "core/plan/run.h"

#include <QString>

#include <vector>

namespace stowage {

/// An op that touches a buffer.
struct OpUse {
    QString name;
    QString kind;
    Step step = -1; ///< of its first instance; -1 when it has none of its own
};

struct BufferFacts {
    QString name;
    QString type;   ///< "int8 1 × 4 × 1 × 60"; empty without a program
    QString source; ///< "model.mlir:13"; empty when not known
    Placement placement;
    Bytes size = 0;
    Bytes padding = 0; ///< up to the next offset that the pool's alignment allows
    std::vector<Interval> live;
    Step steps = 0; ///< gaps not counted
    QString pool;
    std::size_t choice = 0; ///< which of the candidates the pool is, from 1
    std::size_t choices = 0;
    std::vector<OpUse> producers; ///< one at most
    std::vector<OpUse> consumers;
    std::vector<QString> sharedWith; ///< other tensors in the same bytes: views, in-place partners
    std::vector<BufferId> conflicts; ///< buffers that may not share a byte with it
};

/// O(buffers) for the conflicts, and O(steps) for the uses. Requires a buffer of the run.
[[nodiscard]] BufferFacts factsOf(const Run& run, BufferId buffer);

} // namespace stowage

// Plans one pool of an Ascend core in the way of its compiler.
#pragma once

#include "core/planners/hivm/level_search.h"

namespace stowage::hivm {

/// The planner's options for one memory (core/planners/hivm/hivm.cpp describes them for users).
struct MemoryOptions {
    bool largestFirst = false;
    bool documentLevels = false;
    bool workspaceReuse = false;
    std::uint64_t seed = 0;
    std::int64_t attempts = 1;
};

/// The layout of a pool.
struct MemoryPlan {
    PoolId pool = none;
    std::vector<Entry> entries; ///< in the order in which they were placed
    Layout layout;
    Bytes size = 0;          ///< end of the layout
    Bytes withoutStalls = 0; ///< size of a plan with level 3 only, in unbounded memory; 0 when it was not needed
    bool fits = true;
    std::int64_t attempt = 0; ///< number of the attempt that gave the layout

    /// Slots placed at `level`.
    [[nodiscard]] std::size_t placedAt(Level level) const;
};

/// Plans the buffers of one pool (ascending ids):
///  1. end to end in list order, when everything fits so or the pool has no limit; with `workspaceReuse`, workspaces are planned
///     at level 0 without a limit;
///  2. level 3 only, without a limit; kept when it fits;
///  3. levels 3 to 0 with rollback inside the capacity;
///  4. else it does not fit: the layout is that of level 0 alone, without a limit; the compiler calls its end the required size.
/// The unified buffer is placed in order of classes (`ordered`), other memories in list order. With `attempts` above 1, or a
/// seed, random orders are tried. The best layout fits; then it has the fewest slots at level 0, at level 1, at level 2; then it
/// is the smallest. When `effort` is used up, the layout is end to end. Errors: addresses beyond 2^62 would be needed.
[[nodiscard]] Expected<MemoryPlan> planMemory(const Problem& problem, PoolId pool, std::span<const BufferId> buffers,
                                              const MemoryOptions& options, Effort& effort, StepRecorder* recorder);

} // namespace stowage::hivm

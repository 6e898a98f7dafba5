// One memory planned as the compiler plans it.
#pragma once

#include "core/planners/hivm/level_search.h"

namespace stowage::hivm {

struct ScopeOptions {
    bool largestFirst = false;
    bool documentLevels = false;
    bool workspaceReuse = false;
    std::uint64_t seed = 0;
    std::int64_t attempts = 1;
};

/// How a memory was filled.
struct ScopePlan {
    PoolId pool = none;
    std::vector<Entry> entries; ///< in the order in which they were placed
    Layout layout;
    Bytes size = 0;          ///< end of the layout
    Bytes withoutStalls = 0; ///< size of a plan with level 3 only, in unbounded memory; 0 when it was not needed
    bool fits = true;
    std::int64_t attempt = 0; ///< that gave the layout

    /// Slots placed at `level`.
    [[nodiscard]] std::size_t placedAt(Level level) const;
};

/// Plans the buffers of one pool (ascending ids):
///  1. end to end in list order when everything fits so, or nothing has to; workspaces by level 0 without limit with
///     `workspaceReuse`;
///  2. level 3 only without limit, kept when it fits;
///  3. levels 3 to 0 with rollback inside the capacity;
///  4. else it does not fit: the layout is that of level 0 alone without limit, whose end is what the compiler says is required.
/// The unified buffer is placed in order of classes (`ordered`), other memories in list order. With `attempts` above 1, or a
/// seed, orders are drawn; the best layout is one that fits, then one with fewest slots at levels 0, 1 and 2 in this order of
/// weight, then the smallest. An error: addresses beyond 2^62 would be needed. When the effort ends first the layout is end to
/// end.
[[nodiscard]] Expected<ScopePlan> planScope(const Problem& problem, PoolId pool, std::span<const BufferId> buffers,
                                            const ScopeOptions& options, Effort& effort, StepRecorder* recorder);

} // namespace stowage::hivm

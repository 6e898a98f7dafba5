// Conflicts between buffers: their numbers, for orders, and their lists, for searches.
#pragma once

#include "core/planners/common/buffer_table.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

/// The number of conflicts of each buffer, in the sense of `conflict` (core/ir/problem.h). Buffers of one stretch are counted
/// without being paired: O(n log n) for them, plus the pairs in which one has gaps, windows or carried values, plus the explicit
/// conflicts times log.
[[nodiscard]] std::vector<std::int32_t> conflictCounts(const BufferTable& table);

/// Calls visit(a, b) once for each pair in conflict, until it returns false. True when it never returned false. O((n + pairs) log
/// n).
bool eachConflict(const BufferTable& table, const std::function<bool(BufferId, BufferId)>& visit);

/// For each buffer, the buffers in conflict with it, ascending.
class ConflictGraph {
public:
    /// No value when there are more than `maxPairs` pairs. O((n + pairs) log n); memory 8 bytes a pair.
    [[nodiscard]] static std::optional<ConflictGraph> make(const BufferTable& table, std::size_t maxPairs);

    [[nodiscard]] std::span<const BufferId> neighbours(BufferId b) const
    {
        const auto i = static_cast<std::size_t>(b);
        return std::span(neighbours_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
    }

private:
    std::vector<std::size_t> begin_;
    std::vector<BufferId> neighbours_;
};

} // namespace stowage

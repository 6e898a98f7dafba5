// The difference between two plans of one model: buffers that moved, by how much, and buffers that only one of them has.
#pragma once

#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

enum class Moved : std::uint8_t {
    same,       ///< the same pool and the same offsets
    higher,     ///< the same pool, a higher offset
    lower,      ///< the same pool, a lower offset
    otherSlots, ///< the same pool and first offset, but other offsets of its slots or iterations
    otherPool,  ///< another pool
    onlyHere,   ///< no such buffer in the other problem, or not placed there
    unplaced,   ///< not placed here
};
inline constexpr std::size_t changeKinds = 7;

struct BufferChange {
    Moved kind = Moved::unplaced;
    Bytes by = 0;          ///< offset here minus offset there; 0 for other kinds than `higher` and `lower`
    BufferId there = none; ///< id of the same buffer in the other problem
    friend bool operator==(const BufferChange&, const BufferChange&) = default;
};

/// The differences of plan `here` from plan `there`.
struct PlanDifference {
    std::vector<BufferChange> of;         ///< by buffer of the problem `here`
    std::size_t counts[changeKinds] = {}; ///< by kind
    std::vector<BufferId>
        onlyThere;       ///< ids of the problem `there`, ascending: buffers that are placed there, and here absent or not placed
    bool byName = false; ///< true: the problems differ, and buffers were matched by name
    Bytes furthest = 0;  ///< largest |by|

    [[nodiscard]] std::size_t count(Moved kind) const { return counts[std::size_t(kind)]; }
    /// Number of buffers that both have and that lie elsewhere: higher, lower, other slots, another pool.
    [[nodiscard]] std::size_t moved() const;
};

/// For each buffer of `here`: the buffer of the same name in `there`, or `none`. Names are unique in a checked problem.
/// O(n log n).
[[nodiscard]] std::vector<BufferId> matchedByName(const Problem& here, const Problem& there);

/// Compares two plans. If both problems have the same buffers (names and sizes) in the same order, buffers are matched by id.
/// Otherwise they are matched by name, which is unique in a checked problem, and sizes may differ. Pools are matched by name.
/// O(n) by id, O(n log n) by name.
[[nodiscard]] PlanDifference difference(const Problem& here, const Plan& planHere, const Problem& there, const Plan& planThere);

} // namespace stowage

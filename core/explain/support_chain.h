// Why a buffer has its offset: the buffers below it that keep it from a lower one, down to address 0.
#pragma once

#include "core/plan/plan.h"

#include <cstdint>
#include <vector>

namespace stowage {

/// One buffer (one slot of it, when it has several offsets) in the pile.
struct SupportLink {
    BufferId buffer = none;
    Bytes offset = 0;
    Bytes gap = 0;     ///< bytes between its top and the one above: lost to the alignment of that one; 0 for the first link
    Interval together; ///< the first steps that it and the one above are both live in; the hull for the first link; empty
                       ///< when the two conflict explicitly only

    friend bool operator==(const SupportLink&, const SupportLink&) = default;
};

/// What the last link rests on.
enum class SupportEnd : std::uint8_t {
    ground, ///< address 0
    pinned, ///< its offset is fixed
    nothing ///< free bytes below: it could move down
};

struct SupportChain {
    std::vector<SupportLink> links; ///< from the asked buffer downwards; empty when it is not placed
    SupportEnd end = SupportEnd::nothing;
};

/// Answers for one plan. A buffer rests on another when the two conflict, and it could lie no lower, given its alignment, without
/// meeting the other's bytes: 0 <= offset - top < effective alignment. Of several piles the one with the fewest links down to
/// address 0 (or to a pinned buffer) is told; without one, the pile that reaches lowest. Ties: smaller gap, longer common life,
/// lower id. Problem and plan must outlive it.
class SupportFinder {
public:
    /// O(n log n).
    SupportFinder(const Problem& problem, const Plan& plan);
    /// The pile below `buffer` at `offset` (one of its offsets). Breadth first over what lies below: O((alignment + log n) for
    /// each visited slot) in a valid plan; gives up exploring after 16 million looks, and tells the lowest pile until then.
    [[nodiscard]] SupportChain chain(BufferId buffer, Bytes offset) const;
    /// The same for its first offset.
    [[nodiscard]] SupportChain chain(BufferId buffer) const;

private:
    /// Bytes that a slot occupies during some steps: all of them while it is live, a part of them in a window.
    struct Stretch {
        Bytes low = 0;
        Bytes high = 0;
        Interval live;
        BufferId buffer = none;
        Bytes offset = 0;
        bool whole = true;
        Step lastEnd = 0; ///< latest end of this stretch and those before it with the same top
    };
    using Stretches = std::vector<Stretch>;
    void stretchesOf(BufferId buffer, Bytes offset, std::vector<Stretch>& stretches) const;
    [[nodiscard]] bool meet(const Stretch& upper, const Stretch& lower) const;

    const Problem& problem_;
    const Plan& plan_;
    bool anyUnique_ = false;
    std::vector<Stretches> byTop_; ///< by pool; ascending by `high`, then by begin
};

} // namespace stowage

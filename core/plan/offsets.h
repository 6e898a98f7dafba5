// The offsets of a placement, whether it is fixed or rotates.
#pragma once

#include "core/plan/plan.h"

#include <algorithm>
#include <span>
#include <vector>

namespace stowage {

/// All offsets of a placement in order, at least one; a fixed placement has one. The span points into `placement`. O(1).
[[nodiscard]] inline std::span<const Bytes> offsetsOf(const Placement& placement)
{
    return placement.offsets.empty() ? std::span(&placement.offset, 1) : std::span(placement.offsets);
}

/// The distinct offsets, ascending, written to `offsets`, whose memory is reused. O(offsets log offsets).
inline void distinctOffsets(const Placement& placement, std::vector<Bytes>& offsets)
{
    const std::span<const Bytes> all = offsetsOf(placement);
    offsets.assign(all.begin(), all.end());
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
}
[[nodiscard]] inline std::vector<Bytes> distinctOffsets(const Placement& placement)
{
    std::vector<Bytes> offsets;
    distinctOffsets(placement, offsets);
    return offsets;
}

} // namespace stowage

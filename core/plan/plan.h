// What a planner gives: where every buffer lies, and claims about bounds.
#pragma once

#include "core/ir/problem.h"
#include "core/plan/reuse_level.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace stowage {

/// How an offset rotates with one loop: iteration 0 takes the first one when `hasFirst`, iteration i otherwise number i mod
/// `period` of the following ones.
struct Rotation {
    LoopId loop = none;
    std::int32_t period = 1; ///< >= 1
    bool hasFirst = false;

    friend bool operator==(const Rotation&, const Rotation&) = default;
    [[nodiscard]] std::int32_t extent() const { return period + (hasFirst ? 1 : 0); }
    [[nodiscard]] std::int64_t index(std::int64_t iteration) const
    {
        if (!hasFirst) return iteration % period;
        return iteration == 0 ? 0 : 1 + iteration % period;
    }
};

/// Where a buffer lies. Fixed: one offset. Rotating: one offset for each combination of positions of its rotations,
/// the outermost loop varying slowest.
struct Placement {
    PoolId pool = none;           ///< none: not placed
    Bytes offset = 0;             ///< the offset, or the first of `offsets`
    RareList<Bytes> offsets;      ///< empty when fixed; else product of the rotations' extents
    RareList<Rotation> rotations; ///< outermost loop first

    friend bool operator==(const Placement&, const Placement&) = default;
    [[nodiscard]] bool placed() const { return pool != none; }
    [[nodiscard]] bool rotating() const { return !rotations.empty(); }
    /// The offset in the given iterations, one for each rotation, outermost first.
    [[nodiscard]] Bytes at(std::span<const std::int64_t> iterations) const;
};

/// Proof of a lower bound: these buffers of this pool conflict pairwise, so their sizes add up.
struct CliqueCertificate {
    PoolId pool = none; ///< none: of all pools together
    Bytes bytes = 0;    ///< sum of what they occupy, more where alignment adds to it
    Step step = -1;     ///< a step at which all of them are live; -1 when they conflict otherwise
    std::vector<BufferId> buffers;
};

/// The planner's own search ended: nothing smaller (or nothing at all) exists. Accepted from the core's planners only: the host
/// of plug-ins makes theirs a `ForeignClaim`.
struct SearchCertificate {
    PoolId pool = none; ///< none: all pools together
    Bytes bytes = 0;    ///< the size that was proved smallest; with `infeasible` the capacity that cannot be met
    bool infeasible = false;
    std::string by;             ///< which search
    std::uint64_t nodes = 0;    ///< its length
    std::vector<BufferId> core; ///< an irreducible set that cannot fit, where found
};

/// A claim of a plug-in or a file that the core cannot recheck.
struct ForeignClaim {
    PoolId pool = none;
    Bytes bytes = 0;
    std::string statement;
};

using Certificate = std::variant<CliqueCertificate, SearchCertificate, ForeignClaim>;

enum class StoppedBy : std::uint8_t { complete, workLimit, deadline, cancelled };

/// Option values by name, as typed; `OptionSchema` (core/plan/planner.h) says what they mean.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

struct Plan {
    std::string planner;
    OptionValues options;
    std::uint64_t seed = 0;
    std::vector<Placement> placements;              ///< by buffer id
    std::vector<std::optional<hivm::Level>> levels; ///< by buffer id, of its first slot; empty: the planner knows no levels
    std::vector<Certificate> claims;
    Diagnostics diagnostics;
    StoppedBy stoppedBy = StoppedBy::complete;
    /// Buffers tried at an offset: the one unit of work, of limits and of progress. A node of a search is one; a planner whose
    /// steps are not placements divides their number by how many take as long as one placement (core/planners/auto.cpp).
    std::uint64_t work = 0;

    /// max(offset + size) over the buffers in `pool`; 0 without any.
    [[nodiscard]] Bytes poolSize(const Problem& problem, PoolId pool) const;
};

} // namespace stowage

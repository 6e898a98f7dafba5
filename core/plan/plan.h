// The result of a planner: the placements of all buffers, and claims about bounds.
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

/// How offsets rotate with the iterations of a loop. Iteration i uses offset number i mod `period`. With `hasFirst`, iteration 0
/// uses offset 0, and iteration i > 0 uses offset 1 + i mod `period`.
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

/// The placement of a buffer. Fixed: one offset. Rotating: one offset for each combination of the indices of its rotations; the
/// outermost loop varies slowest.
struct Placement {
    PoolId pool = none;           ///< none: not placed
    Bytes offset = 0;             ///< the offset, or the first of `offsets`
    RareList<Bytes> offsets;      ///< empty if fixed; otherwise as many as the product of the rotations' extents
    RareList<Rotation> rotations; ///< outermost loop first

    friend bool operator==(const Placement&, const Placement&) = default;
    [[nodiscard]] bool placed() const { return pool != none; }
    [[nodiscard]] bool rotating() const { return !rotations.empty(); }
    /// The offset in the given iterations, one iteration for each rotation, outermost first.
    [[nodiscard]] Bytes at(std::span<const std::int64_t> iterations) const;
};

/// A proof of a lower bound: the buffers lie in one pool and all conflict, so the pool is at least as large as the sum of their
/// sizes.
struct CliqueCertificate {
    PoolId pool = none; ///< none: all pools together
    Bytes bytes = 0;    ///< the bound: the sum of the bytes that they occupy, plus unavoidable padding
    Step step = -1;     ///< a step at which all of them are live; -1 if explicit conflicts are the reason
    std::vector<BufferId> buffers;
};

/// A search of the planner completed and proved that no smaller plan, or no plan at all, exists. Accepted only from planners of
/// the core; the plug-in host converts those of plug-ins to `ForeignClaim`.
struct SearchCertificate {
    PoolId pool = none; ///< none: all pools together
    Bytes bytes = 0;    ///< the smallest possible size; with `infeasible` the capacity that is too small
    bool infeasible = false;
    std::string by;             ///< name of the search
    std::uint64_t nodes = 0;    ///< nodes searched
    std::vector<BufferId> core; ///< a set of buffers that do not fit, if one was found
    bool irreducible = false;   ///< proved: without any one buffer of `core` the others fit
};

/// A claim of a plug-in or a file that the core cannot recheck.
struct ForeignClaim {
    PoolId pool = none;
    Bytes bytes = 0;
    std::string statement;
};

using Certificate = std::variant<CliqueCertificate, SearchCertificate, ForeignClaim>;

enum class StoppedBy : std::uint8_t { complete, workLimit, deadline, cancelled };

/// Values of options by name, as text; `OptionSpec` (core/ir/option_spec.h) describes options.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

struct Plan {
    std::string planner;
    OptionValues options;
    std::uint64_t seed = 0;
    std::vector<Placement> placements;              ///< by buffer id
    std::vector<std::optional<hivm::Level>> levels; ///< by buffer id: level of its first slot; empty: the planner has no levels
    std::vector<Certificate> claims;
    Diagnostics diagnostics;
    StoppedBy stoppedBy = StoppedBy::complete;
    /// Number of placements tried: the unit of work for limits and progress. A node of a search counts as one. A planner with
    /// other steps divides their number by the number of steps that take as long as one placement (core/planners/auto.cpp).
    std::uint64_t work = 0;

    /// max(offset + size) over the buffers in `pool` with size > 0, which alone occupy bytes; 0 if there are none.
    [[nodiscard]] Bytes poolSize(const Problem& problem, PoolId pool) const;
};

} // namespace stowage

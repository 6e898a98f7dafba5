// Groups runs that may be compared, and ranks the runs of each group.
#pragma once

#include "core/plan/run.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// Runs of one problem: with the same lowering and the same pools. Sizes of runs in different groups are not comparable.
struct RunGroup {
    Fingerprint lowering;
    std::string target;            ///< name; empty: the model's own pools
    std::vector<std::size_t> runs; ///< indices into the runs that were grouped, best first
    std::optional<Bytes> best;     ///< smallest total size of a plan that is valid and fits; no value when there is none

    [[nodiscard]] bool sameProblem(const Run& run) const
    {
        return lowering == run.lowering->fingerprint && target == run.targetName;
    }
};

/// True for a plan that may be called best: it is valid and inside every capacity.
[[nodiscard]] bool isGood(const Run& run);

/// True when `a` is of a better kind than `b`, or of the same kind with a smaller total size over all pools. Kinds, best first:
/// good plans, plans that do not fit, invalid plans.
[[nodiscard]] bool isBetter(const Run& a, const Run& b);
/// The order of `isBetter`; equal runs are ordered by name of the planner. A strict weak order.
[[nodiscard]] bool ranksBefore(const Run& a, const Run& b);

/// The groups of `runs`, in the order of their first runs. O(n log n).
[[nodiscard]] std::vector<RunGroup> groupRuns(std::span<const std::shared_ptr<const Run>> runs);

} // namespace stowage

// Which runs may be ranked together, and which of them is best.
#pragma once

#include "core/plan/run.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// Runs of one problem: the same lowering and the same memories. Sizes of different groups answer different questions.
struct RunGroup {
    Fingerprint lowering;
    std::string target;            ///< name; empty: the model's own pools
    std::vector<std::size_t> runs; ///< indices into what was grouped, best first
    std::optional<Bytes> best;     ///< smallest total size of a plan that is valid and fits; nothing when there is none

    [[nodiscard]] bool sameProblem(const Run& run) const
    {
        return lowering == run.lowering->fingerprint && target == run.targetName;
    }
};

/// A plan that may be called best: valid, and inside every capacity.
[[nodiscard]] bool isGood(const Run& run);

/// A smaller one of the same kind, or one of a better kind: good plans before those that do not fit before invalid ones, then by
/// total size over all pools. Equal ones are not before each other.
[[nodiscard]] bool isBetter(const Run& a, const Run& b);
/// Good plans before those that do not fit before invalid ones; then by total size, then by planner name, then as given. By total
/// size over all pools. A strict weak order.
[[nodiscard]] bool ranksBefore(const Run& a, const Run& b);

/// Groups in the order in which their first run is given. O(n log n).
[[nodiscard]] std::vector<RunGroup> groupRuns(std::span<const std::shared_ptr<const Run>> runs);

} // namespace stowage

// Counterfactuals: the effect of single changes of a problem on the size of a pool.
#pragma once

#include "core/ir/change.h"
#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// The effect of a change on the pool in which the changed buffer lies.
struct Counterfactual {
    Change change;
    Bytes bound = 0;       ///< new lower bound of the pool, for the same set of buffers
    Bytes size = 0;        ///< smallest size found for these buffers
    bool smallest = false; ///< `size` is proved smallest; never if tensors or buffers of unknown size are left out
};

struct CounterfactualLimits {
    std::size_t candidates = 48;     ///< maximum number of changes that are tried
    std::uint64_t nodesEach = 2'000; ///< work limit of the exact search for one change, in nodes
    std::uint64_t seed = 0;
    std::stop_token cancel;
    /// The run of the problem, or null. If it has a program, placement over another buffer is tried only where one op reads that
    /// buffer for the last time and writes this one as a result. If it is partial, no size is proved smallest.
    const Run* run = nullptr;
};

/// Changes of single buffers that make a pool smaller, and the size of the pool without a change.
struct RankedChanges {
    Bytes unchanged = 0; ///< smallest size found for the unchanged pool; below the plan's size if a better plan was found
    bool unchangedSmallest = false; ///< `unchanged` is proved smallest; as `Counterfactual::smallest`
    std::vector<Counterfactual> changes;
};

/// The size of the unchanged pool after replanning it with ten times the work of a change, and no changes. A smaller plan that is
/// found replaces `plan`: a change that only frees bytes leaves it valid, so that such a change never appears to make the pool
/// larger. Requires a valid plan.
[[nodiscard]] RankedChanges withoutChange(const Problem& problem, Plan& plan, PoolId pool,
                                          const CounterfactualLimits& limits = {});

/// Evaluates one change for a valid plan. All buffers keep their pools. The search starts from the plan's offsets if they are
/// still valid after the change. Errors: those of `changed`; a buffer that is not placed.
Expected<Counterfactual> counterfactual(const Problem& problem, const Plan& plan, const Change& change,
                                        const CounterfactualLimits& limits = {});

/// The single changes that reduce `pool` most, best first: by size, then lower bound, then number of changed bytes. Candidates
/// are the buffers of the pool's lower bound and those that support its highest byte, largest first. For each of them the
/// following is tried: half the size; live ranges that end before the fullest step, or begin after it; and placement over a
/// buffer that is last read at the step where this one is first written, was written before, and is not needed afterwards: it is
/// no constant, variable or output, and every loop that runs there makes it anew. As in the lowering, a constant or a variable is
/// not placed over another buffer, and an output of the program not over an input of the program. Only changes that give a
/// smaller size or a smaller bound than replanning without a change are returned. Deterministic, unless `stop` ends it.
RankedChanges bestSingleChanges(const Problem& problem, const Plan& plan, PoolId pool, const CounterfactualLimits& limits = {});

/// The same changes for one buffer, best first, including those without an effect, and including placement over other buffers and
/// of other buffers over it. Empty for a buffer that is not placed.
RankedChanges changesOfBuffer(const Problem& problem, const Plan& plan, BufferId buffer, const CounterfactualLimits& limits = {});

/// Reads a change in the syntax of the command line: "size:NAME=BYTES", "live:NAME=3-7,9-12" (half-open), "in-place:NAME=OTHER".
/// Names may contain ":" and "="; the last "=" separates name and value. Errors: an unknown kind, an unknown buffer, a value that
/// is no number, ranges that are empty or out of order.
Expected<Change> parseChange(const Problem& problem, std::string_view text);

} // namespace stowage

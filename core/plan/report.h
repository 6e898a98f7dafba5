// Measurements of a plan by the core. Nothing here relies on claims of a planner.
#pragma once

#include "core/plan/bound.h"
#include "core/plan/check.h"

namespace stowage {

enum class Status : std::uint8_t { optimal, feasible, doesNotFit, infeasible, undecided, invalid };
std::string_view toText(Status); ///< as in plan files: "does-not-fit"

/// What proves a status of `optimal` or `infeasible`.
enum class ProofKind : std::uint8_t { unproven, bound, search, claim };

/// What a plan of status `optimal` was compared with.
enum class ProofScope : std::uint8_t {
    everyPlan, ///< all plans inside the capacities: none takes less in total, whichever memory each buffer lies in
    /// The plans with the same choice of pools: in none of them is a pool smaller. And the preferences hold: no buffer has
    /// room in a pool that it prefers to its own, beside the buffers that lie there. Another choice may take less in total, at
    /// the price of buffers in memories that they prefer less.
    preferredMemories,
};
std::string_view toText(ProofScope); ///< as in plan files: "preferred-memories"

struct PoolReport {
    PoolId pool = none;
    Bytes size = 0;                ///< max(offset + size) of what is placed in it
    Bytes lowerBound = 0;          ///< no plan that puts the same buffers here needs less
    CliqueCertificate certificate; ///< rechecked proof of `lowerBound`: by the core, or a better one that the planner claimed
    std::optional<Bytes> capacity;
    Bytes excess = 0;     ///< bytes over the capacity
    Bytes liveAtPeak = 0; ///< most bytes live at one step, without alignment; without a time axis those of the certificate
    Step peakStep = -1;   ///< the first such step; -1 without a time axis
    Bytes padding = 0;    ///< at the peak: bytes below buffers that lie at the first aligned address above their neighbour
    Bytes freeAtPeak = 0; ///< at the peak: bytes below the pool's size that nothing occupies
    std::size_t buffers = 0;
    /// size / lowerBound - 1; 0 for an empty pool, and of a plan that is not valid where it is below the bound.
    [[nodiscard]] double gap() const
    {
        return size > lowerBound && lowerBound > 0 ? double(size) / double(lowerBound) - 1.0 : 0.0;
    }
};

struct Report {
    Status status = Status::undecided;
    ProofKind proof = ProofKind::unproven;
    ProofScope scope = ProofScope::everyPlan; ///< of `optimal`; else without meaning
    std::string provedBy;                     ///< what proved it, for people
    Verdict verdict;
    std::vector<PoolReport> pools; ///< by pool id
    /// Tensors of unknown size were left out (`unknownSizes`): the status is at most `feasible`, and nothing is proved.
    bool partial = false;
    /// Two buffers that are pinned to common bytes of the only pool that each may be in, and conflict: no plan is valid.
    std::optional<Violation> collidingPins;
    /// The sum over all pools.
    [[nodiscard]] Bytes totalSize() const;
    [[nodiscard]] Bytes totalBound() const;
};

/// Checks and measures. O(n log n + overlapping pairs).
///
/// The status, in this order:
///  - `infeasible` where two pins collide, whatever the plan does;
///  - `invalid`: the checker found more than an exceeded capacity (but a plan that places nothing is `undecided` when it was
///    stopped early);
///  - over a capacity: `infeasible` with a proof (a bound above the capacity, or a search that ended), `undecided` when the
///    planner was stopped before it could tell, else `does-not-fit`;
///  - `optimal` with a proof: every pool's size equals a bound that holds for every plan (of buffers that can go nowhere else, or
///    proved by search), or the sum of all pools equals the bound of all buffers together; or, in each part of the memories that
///    shares no buffer with the others (core/plan/problem_parts.h), every pool is proved as small as the buffers in it allow, and
///    these can go nowhere else, or the pools add up to the live bytes of the part, or the preferences hold
///    (core/plan/preferred_pools.h). Where some part has only the last of these, the scope is `preferredMemories`;
///  - `feasible`. What a foreign planner claims is named as proof of kind `claim`, and changes no status.
Report evaluate(const Problem& problem, const Plan& plan);

/// A value that is constant from `step` to the next sample's step.
struct UsageSample {
    Step step = 0;
    Bytes live = 0;        ///< bytes of live buffers, with all slots and carried values; of windows their part
    Bytes top = 0;         ///< highest occupied byte + 1; a rotating buffer occupies all its offsets
    Bytes free = 0;        ///< below the pool's size, not occupied
    Bytes largestFree = 0; ///< largest free block below the pool's size
};

/// Use of a pool over time: a sample at step 0 and at each step where something changes, the last one where nothing is live any
/// more. Empty when nothing with a live range is placed in the pool. O(n log n): `largestFree` costs O(log n) a change.
std::vector<UsageSample> usage(const Problem& problem, const Plan& plan, PoolId pool);

} // namespace stowage

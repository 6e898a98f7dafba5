// The measurements of a plan by the core, independent of claims of the planner.
#pragma once

#include "core/plan/bound.h"
#include "core/plan/check.h"

namespace stowage {

enum class Status : std::uint8_t { optimal, feasible, doesNotFit, infeasible, undecided, invalid };
std::string_view toText(Status); ///< as in plan files: "does-not-fit"

/// The kind of proof for a status of `optimal` or `infeasible`.
enum class ProofKind : std::uint8_t { unproven, bound, search, claim };

/// The set of plans among which a plan is `optimal`.
enum class OptimalAmong : std::uint8_t {
    everyPlan, ///< all plans within the capacities: none has a smaller total size
    /// All plans with the same choice of pools: none has a smaller pool. The preferences hold, too: no buffer fits into a pool
    /// that it prefers to its own, together with the buffers there. Another choice of pools may have a smaller total size, but
    /// puts buffers into pools that they prefer less.
    preferredPools,
};
std::string_view toText(OptimalAmong); ///< as in plan files, field "scope": "preferred-memories"

struct PoolReport {
    PoolId pool = none;
    Bytes size = 0;       ///< max(offset + size) of the buffers in it
    Bytes lowerBound = 0; ///< lower bound of the size with the same buffers in the pool
    /// Checked proof of `lowerBound`, computed by the core, or a better one that the planner claimed.
    CliqueCertificate certificate;
    std::optional<Bytes> capacity;
    Bytes excess = 0; ///< bytes over the capacity
    /// Maximum of the bytes live at one step, without alignment; without a time axis the bytes of the certificate.
    Bytes liveAtPeak = 0;
    Step peakStep = -1;   ///< first step with `liveAtPeak`; -1 without a time axis
    Bytes padding = 0;    ///< at the peak: bytes between a buffer at the first aligned address above another one and that buffer
    Bytes freeAtPeak = 0; ///< at the peak: free bytes below the pool's size
    std::size_t buffers = 0;
    /// size / lowerBound - 1; 0 for an empty pool, and if a plan that is not valid is below the bound.
    [[nodiscard]] double gap() const
    {
        return size > lowerBound && lowerBound > 0 ? double(size) / double(lowerBound) - 1.0 : 0.0;
    }
};

struct Report {
    Status status = Status::undecided;
    ProofKind proof = ProofKind::unproven;
    OptimalAmong among = OptimalAmong::everyPlan; ///< of `optimal`; otherwise without meaning
    std::string provedBy;                         ///< name of the proof, for users
    Verdict verdict;
    std::vector<PoolReport> pools; ///< by pool id
    /// True if tensors or buffers of unknown size were left out (`unknownSizes`): the status is at most `feasible`, without a
    /// proof.
    bool partial = false;
    bool pinsChoose = false;                ///< `PinCollision::ofChoices` of `collidingPins`
    std::optional<Violation> collidingPins; ///< `PinCollision::pair`: proves that no plan is valid
    /// Sums over all pools, in bytes; `Objective::saturated` on overflow.
    [[nodiscard]] Bytes totalSize() const;
    [[nodiscard]] Bytes totalBound() const;
    [[nodiscard]] Bytes totalExcess() const;
};

/// Checks and measures a plan. O(n log n + overlapping pairs).
///
/// The status is the first of these that applies:
///  - `infeasible`: two pins collide;
///  - `invalid`: the checker found violations other than exceeded capacities (but a plan without placements is `undecided` if it
///    was stopped early);
///  - if a capacity is exceeded: `infeasible` with a proof (a bound above the capacity, or a completed search), `undecided` if
///    the planner was stopped early, otherwise `does-not-fit`;
///  - `optimal`, with a proof: the size of every pool equals a bound that holds for every plan (of buffers with one candidate, or
///    proved by search), or the sum of all pools equals the bound of all buffers together; or, in each part of the problem
///    (core/plan/problem_parts.h), every pool is proved as small as possible for its buffers, and these have no other candidate,
///    or the sum of the pools equals the live bytes of the part, or the preferences hold (core/plan/preferred_pools.h). If a part
///    has only the last of these proofs, the plan is optimal among `preferredPools`;
///  - `feasible`. A claim of a foreign planner becomes a proof of kind `claim`, and does not change the status.
///
/// The report of a problem with `Problem::unknownSizes` is partial.
Report evaluate(const Problem& problem, const Plan& plan);

/// Makes the report that of a plan from which tensors or buffers of unknown size are left out: see `Report::partial`.
void makePartial(Report& report);

/// True if it is proved that no plan of the problem has a smaller total size, also outside of the capacities if there is one
/// pool. Several pools that equal their lower bounds prove this only if the report is `optimal` among every plan, because their
/// bounds are those of the same buffers in the same pools.
[[nodiscard]] bool provedSmallest(const Report& report);

/// The use of a pool from `step` to the step of the next sample.
struct UsageSample {
    Step step = 0;
    Bytes live = 0;        ///< bytes of live buffers, with all slots and carried values; windows count with their bytes
    Bytes top = 0;         ///< highest occupied byte + 1; a rotating buffer occupies all its offsets
    Bytes free = 0;        ///< free bytes below the pool's size
    Bytes largestFree = 0; ///< largest free block below the pool's size
};

/// The use of a pool over time: a sample at step 0 and at each step with a change; at the last one no buffer is live any more.
/// Empty if no buffer with a live range is placed in the pool. `least`: the pool's size in bytes where that is more than the plan
/// takes, as of a plan from which placements were left out. O(n log n).
std::vector<UsageSample> usage(const Problem& problem, const Plan& plan, PoolId pool, Bytes least = 0);

} // namespace stowage

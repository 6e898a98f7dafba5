// What the core itself measured about a plan. Nothing here is taken from a planner's word.
#pragma once

#include "core/plan/check.h"

namespace stowage {

enum class Status : std::uint8_t { optimal, feasible, doesNotFit, infeasible, undecided, invalid };
std::string_view toText(Status); ///< as in plan files: "does-not-fit"

/// What stands behind a status of `optimal` or `infeasible`.
enum class ProofKind : std::uint8_t { unproven, bound, search, claim };

struct PoolReport {
    PoolId pool = none;
    Bytes size = 0;       ///< max(offset + size) of what is placed in it
    Bytes lowerBound = 0; ///< no plan that puts the same buffers here needs less
    CliqueCertificate certificate; ///< rechecked proof of `lowerBound`
    std::optional<Bytes> capacity;
    Bytes excess = 0;       ///< bytes over the capacity
    Bytes liveAtPeak = 0;   ///< most bytes live at one step, without alignment
    Step peakStep = -1;
    Bytes padding = 0;      ///< bytes lost between neighbours to alignment alone
    Bytes freeAtPeak = 0;   ///< free bytes below the top at the peak step
    std::size_t buffers = 0;
    /// size / lowerBound - 1; 0 for an empty pool.
    [[nodiscard]] double gap() const { return lowerBound > 0 ? double(size) / double(lowerBound) - 1.0 : 0.0; }
};

struct Report {
    Status status = Status::undecided;
    ProofKind proof = ProofKind::unproven;
    std::string provedBy;
    Verdict verdict;
    std::vector<PoolReport> pools; ///< by pool id
    /// The sum over all pools.
    [[nodiscard]] Bytes totalSize() const;
    [[nodiscard]] Bytes totalBound() const;
};

/// Checks and measures. O(n log n + overlapping pairs).
Report evaluate(const Problem& problem, const Plan& plan);

/// A lower bound for one pool with its proof: the largest sum of sizes of buffers that can only go to `pool` and conflict
/// pairwise. With live ranges: the most loaded step, tightened by alignment where that is sound (the top is not rounded).
/// With an axis of `dag` and explicit conflicts: a greedy clique. O(n log n).
CliqueCertificate lowerBound(const Problem& problem, PoolId pool);
/// The same for the buffers that `plan` put into `pool`.
CliqueCertificate lowerBound(const Problem& problem, const Plan& plan, PoolId pool);
/// True when the certificate's members conflict pairwise, are confined as it says, and their sizes add up to its bytes.
bool recheck(const Problem& problem, const CliqueCertificate& certificate);

/// A value that is constant from `step` to the next sample's step.
struct UsageSample {
    Step step = 0;
    Bytes live = 0;         ///< bytes of live buffers
    Bytes top = 0;          ///< highest occupied byte + 1
    Bytes free = 0;         ///< below the pool's size, not occupied
    Bytes largestFree = 0;  ///< largest free block below the pool's size
};

/// Use of a pool over time, a sample at each step where something changes. O(n log n) plus, for `largestFree`, O(log n) a change.
std::vector<UsageSample> usage(const Problem& problem, const Plan& plan, PoolId pool);

} // namespace stowage

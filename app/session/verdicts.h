// The verdict on a plan and its texts, for the command line, the window, pictures and reports.
#pragma once

#include "core/plan/run.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// The verdict that a user sees. Derived from `Status`, the capacities and the tensors that were left out. The program acts on
/// this value, never on its word.
enum class VerdictKind : std::uint8_t {
    optimal,     ///< valid, inside every capacity, and proved that no plan is smaller in total
    asPreferred, ///< valid, inside every capacity, and proved for its choice of pools: `OptimalAmong::preferredPools`
    fits,        ///< valid, inside every capacity, and at least one used pool has one
    valid,       ///< valid; no used pool has a capacity
    partial,     ///< one of the above for the planned buffers, but tensors of unknown size were left out
    doesNotFit,  ///< this planner found no plan inside the capacities
    infeasible,  ///< proved: there is no plan inside the capacities
    undecided,   ///< stopped by a limit before a decision
    invalid,     ///< the checker found an overlap or another broken rule
};

[[nodiscard]] VerdictKind verdictKind(const Run& run);
/// "Optimal", "As preferred", "Fits", "Valid", "Partial", "Does not fit", "Infeasible", "Undecided", "Not valid".
[[nodiscard]] std::string_view verdictWord(VerdictKind kind);
[[nodiscard]] inline std::string_view verdictWord(const Run& run)
{
    return verdictWord(verdictKind(run));
}
/// The verdict of a word that was saved; no value for any other text.
[[nodiscard]] std::optional<VerdictKind> verdictOf(std::string_view word);
/// Whether the verdict is positive: optimal, as preferred, fits, valid, or one of these for a part.
[[nodiscard]] bool isYes(VerdictKind kind);
/// Whether it is neither a success nor a failure: tensors are left out, or a limit stopped the planner.
[[nodiscard]] inline bool isOpen(VerdictKind kind)
{
    return kind == VerdictKind::partial || kind == VerdictKind::undecided;
}

/// Whether a pool that the plan uses has a capacity, so that the verdict of a valid plan is "Fits".
[[nodiscard]] bool usesCapacity(const Report& report);

/// The verdict with the use of each pool, in one line without a full stop: "Fits: sram 253,440 of 262,144 B (96.7 %), psram
/// unused", "Does not fit: sram needs 300,000 B, 37,856 B more than its capacity", "Partial: 67 tensors of unknown size are left
/// out; the others take arena 520 B". Also an optimal plan "fits" if a pool has a capacity.
[[nodiscard]] std::string verdictLine(const Run& run);
/// `verdictLine` of a plan that is no full success: partial, undecided, or with a negative verdict. Empty for any other.
[[nodiscard]] std::string caveatOf(const Run& run);
/// "Partial: 2 tensors of unknown size are left out"; `what` is the singular of what was left out.
[[nodiscard]] std::string leftOutText(std::int64_t count, std::string_view what);
/// The evidence for the verdict in one sentence: "Optimal: no plan is smaller, as 2 buffers are live at step 1.", "At most 3.3 %
/// above the smallest possible size (stopped by the work limit).". Empty if `verdictLine` contains it.
[[nodiscard]] std::string verdictReason(const Run& run);

/// The remarks beside the verdict in a list of runs, the most important first: "proved: no plan fits", "1,024 B short", "equals
/// the bound", "proved smallest by exact", "stopped by the work limit", or the reason why a plan is not valid. `size` formats
/// bytes with their unit.
[[nodiscard]] std::vector<std::string> verdictRemarks(const Run& run, const std::function<std::string(Bytes)>& size);

/// The saving over a plan of another tool, in one line: "theirs (xla) 448 B, proved possible 320 B: 28.6 % less". `ours` is the
/// best plan of the same problem; "proved" if no plan is smaller. Other texts if a verdict is negative, or if `theirs` is not
/// larger.
[[nodiscard]] std::string gainLine(const Run& theirs, const Run& ours);

/// "stopped by the work limit", "stopped by the time limit", "interrupted"; empty for `complete`.
[[nodiscard]] std::string_view stopWords(StoppedBy stopped);

/// Total size / total lower bound - 1; 0 if the bound is 0. The bound holds for the run's choice of pools.
[[nodiscard]] double totalGap(const Report& report);
/// Whether some buffer may lie in one of several pools.
[[nodiscard]] bool choosesPools(const Run& run);
/// A lower bound of the total size that holds for every plan, whichever pools the buffers go to. O(n log n).
[[nodiscard]] Bytes boundOfEveryPlan(const Run& run);

} // namespace stowage

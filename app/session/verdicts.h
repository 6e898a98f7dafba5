// The verdict on a plan in words: written here once, for the command line, the window, pictures and reports.
#pragma once

#include "core/plan/run.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// What a reader is told about a plan. Made from `Status`, the capacities and what was left out; the program acts on this value,
/// never on its word.
enum class VerdictKind : std::uint8_t {
    optimal,     ///< valid, inside every capacity, and proved that no plan is smaller in total
    asPreferred, ///< valid, inside every capacity, and proved for its choice of pools: `OptimalAmong::preferredPools`
    fits,        ///< valid, and inside the capacity that at least one used memory has
    valid,       ///< valid; no used memory has a capacity
    partial,     ///< one of the above for the buffers that were planned, but tensors of unknown size were left out
    doesNotFit,  ///< this planner found no plan inside the capacities
    infeasible,  ///< proved: there is no plan inside the capacities
    undecided,   ///< stopped by a limit before it could tell
    invalid,     ///< the checker found an overlap or another broken rule
};

[[nodiscard]] VerdictKind verdictKind(const Run& run);
/// "Optimal", "As preferred", "Fits", "Valid", "Partial", "Does not fit", "Infeasible", "Undecided", "Not valid".
[[nodiscard]] std::string_view verdictWord(VerdictKind kind);
[[nodiscard]] inline std::string_view verdictWord(const Run& run)
{
    return verdictWord(verdictKind(run));
}
/// The verdict of a word that was kept between starts; nothing for any other text.
[[nodiscard]] std::optional<VerdictKind> verdictOf(std::string_view word);
/// Whether the answer is yes: optimal, as preferred, fits, valid, or one of these for a part.
[[nodiscard]] bool isYes(VerdictKind kind);

/// A memory that the plan uses has a capacity, so that a valid plan is said to fit.
[[nodiscard]] bool usesCapacity(const Report& report);

/// The verdict with each memory's use, in one line without a full stop: "Fits: sram 253,440 of 262,144 B (96.7 %), psram unused",
/// "Does not fit: sram needs 300,000 B, 37,856 B more than its capacity", "Partial: 67 tensors of unknown size are left out; the
/// others take arena 520 B". An optimal plan "fits" where a memory has a capacity.
[[nodiscard]] std::string verdictLine(const Run& run);
/// The evidence for the verdict in one sentence: "Optimal: no plan is smaller, as 2 buffers are live at step 1.", "At most 3.3 %
/// above the smallest possible size (stopped by the work limit).". Empty where `verdictLine` says all.
[[nodiscard]] std::string verdictReason(const Run& run);

/// What stands beside the verdict in a list of runs, the most important first: "proved: no plan fits", "1,024 B short", "equals
/// the bound", "proved smallest by exact", "stopped by the work limit"; of a plan that is not valid why not. `size` writes a
/// size.
[[nodiscard]] std::vector<std::string> verdictRemarks(const Run& run, const std::function<std::string(Bytes)>& size);

/// What a plan that another tool made could give back, in one line: "theirs (xla) 448 B, proved possible 320 B: 28.6 % less".
/// `ours` is the best plan of the same problem; "proved" where no plan is smaller. Says so where theirs is not valid, or as
/// small.
[[nodiscard]] std::string gainLine(const Run& theirs, const Run& ours);

/// "stopped by the work limit", "stopped by the time limit", "interrupted"; empty for `complete`.
[[nodiscard]] std::string_view stopWords(StoppedBy stopped);

/// Total size / total lower bound - 1; 0 when there is no bound.
[[nodiscard]] double totalGap(const Report& report);

} // namespace stowage

// Compares results of a suite with its baseline: a verdict for each row, and its cause.
#pragma once

#include "app/session/regress/baseline.h"
#include "app/session/regress/suite.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace stowage {

/// Worst first: the order in which rows are listed.
enum class RowVerdict : std::uint8_t {
    failed,  ///< the model cannot be read, the target lacks its pools, the planner ended with an error
    worse,   ///< beyond the tolerance
    gone,    ///< only in the baseline
    better,  ///< smaller, a better status, or fewer stalls
    changed, ///< another plan with the same figures
    added,   ///< not in the baseline
    same,
};
inline constexpr std::size_t rowVerdicts = 7;
/// "failed", "worse", "gone", "better", "changed", "new", "same".
std::string_view toText(RowVerdict verdict);

/// The first figure, in this order, that is worse than the tolerance allows.
enum class Worsening : std::uint8_t { status, excess, size, gap, stalls, time };

/// A buffer of the peak whose size changed, as an explanation of a changed bound.
struct PeakChange {
    std::string buffer;
    Bytes before = 0; ///< 0: not part of the baseline's peak
    Bytes after = 0;  ///< 0: not part of the current peak
};

/// The causes of a row's difference from its baseline, derived from the figures.
struct RowCause {
    std::optional<Worsening> worsening; ///< only with `worse`
    Bytes boundMoved = 0;               ///< current bound - baseline's
    Bytes aboveBoundMoved = 0;          ///< current (size - bound) - baseline's: due to the planner
    std::vector<PeakChange> peak;       ///< buffers of different sizes, the largest difference first
};

struct RowResult {
    std::string key;
    std::string model;   ///< empty for `gone`
    std::string planner; ///< with its options; empty for `gone`
    std::string target;  ///< empty: the model's own pools
    Tolerance tolerance;
    RowVerdict verdict = RowVerdict::same;
    std::optional<SuiteFigures> current;
    std::optional<SuiteFigures> baseline;
    RowCause cause;
    std::optional<Error> error; ///< of `failed`
};

/// The verdict of a result against its baseline. Pure; O(peak log peak).
RowResult judge(const std::string& key, const SuiteFigures& current, const SuiteFigures* baseline, const Tolerance& tolerance);

/// The cause in one sentence without a full stop: "size 12,288 B above the baseline: the bound rose by 12,288 B, as conv7/out
/// grew from 8,192 B to 20,480 B". Empty for `same` and `added`.
std::string sentence(const RowResult& result);

/// The same; for a row that failed also the position in a file and the remedy. For logs, pages and the command line.
std::string placedSentence(const RowResult& result);

/// Count of rows by verdict.
using VerdictCounts = std::array<std::size_t, rowVerdicts>;
VerdictCounts countsOf(const std::vector<RowResult>& results);
/// Whether a verdict makes the exit status 1: failed, worse, gone.
bool isRegression(RowVerdict verdict);

} // namespace stowage

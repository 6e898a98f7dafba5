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
    failed,  ///< the model cannot be read, the target lacks its pools, the planner ended with an error, the plan is not valid
    worse,   ///< beyond the tolerance
    gone,    ///< only in the baseline
    better,  ///< smaller, a better status, fewer stalls, or fewer tensors of unknown size
    changed, ///< another plan with the same figures, or with others within the tolerance
    added,   ///< not in the baseline
    same,
};
inline constexpr std::size_t rowVerdicts = 7;
/// "failed", "worse", "gone", "better", "changed", "new", "same".
std::string_view toText(RowVerdict verdict);

/// The first figure, in this order, that is worse than the tolerance allows.
enum class Worsening : std::uint8_t { unknownSizes, status, excess, size, pool, gap, stalls, time };

/// A buffer of the peak whose size changed, as an explanation of a changed bound.
struct PeakChange {
    std::string buffer;
    Bytes before = 0; ///< 0: not part of the baseline's peak
    Bytes after = 0;  ///< 0: not part of the current peak
};

/// The causes of a row's difference from its baseline, derived from the figures.
struct RowCause {
    std::optional<Worsening> worsening; ///< only with `worse`
    std::string pool;                   ///< of `Worsening::pool`: the first scarce pool that grew beyond the tolerance
    Bytes boundMoved = 0;               ///< current bound - baseline's
    Bytes aboveBoundMoved = 0;          ///< current (size - bound) - baseline's: due to the planner
    std::vector<PeakChange> peak;       ///< buffers of different sizes, the largest difference first; those that are certain
};

/// A clock cut a plan, which then differs from machine to machine.
struct PlanCut {
    bool byPlugin = false; ///< the time of a plug-in was over; otherwise the time limit of the row was
    std::string remedy;    ///< empty for a time limit: the suite has a warning of its own
};

struct RowResult {
    std::string key;
    std::string model;    ///< empty for `gone`
    std::string planner;  ///< with its options; empty for `gone`
    std::string target;   ///< empty: the model's own pools
    std::string settings; ///< `settingsOf`; empty for `gone`
    Tolerance tolerance;
    RowVerdict verdict = RowVerdict::same;
    std::optional<SuiteFigures> current;
    std::optional<SuiteFigures> baseline;
    RowCause cause;
    std::optional<Error> error; ///< of `failed`
    std::optional<PlanCut> cut; ///< `cutBy`
    /// Why `Tolerance::time` is not judged: greedy-by-size cannot plan the problem. The other figures decide the verdict.
    std::optional<Error> noTimeRatio;
};

/// The verdict of a result against its baseline. Pure; O(peak log peak + pools log pools). Without a baseline the verdict is
/// `added`, unless a limit that needs none is exceeded (`Tolerance::time`). A plan that is not valid has `failed`, with an error.
RowResult judge(const std::string& key, const SuiteFigures& current, const SuiteFigures* baseline, const Tolerance& tolerance);

/// The cause in one sentence without a full stop: "size 12,288 B above the baseline: the bound rose by 12,288 B, as conv7/out
/// grew from 8,192 B to 20,480 B"; then the remarks. Empty for `same` and `added` without remarks.
std::string sentence(const RowResult& result);

/// The remarks of a row of any verdict: sizes that are not known and not compared, a plan that a clock cut, a time that cannot be
/// compared. Empty: none.
std::string remarks(const RowResult& result);

/// `sentence`; for a row that failed also the position in a file and the remedy. For logs, pages and the command line.
std::string placedSentence(const RowResult& result);

/// Sizes of a pool in the baseline and in the current plan; no value: that side is not known.
struct PoolSizes {
    std::string pool;
    std::optional<Bytes> before;
    std::optional<Bytes> now;
};
/// The pools of both sides, the current ones first, in the target's order.
std::vector<PoolSizes> poolSizes(const RowResult& result);

/// Count of rows by verdict.
using VerdictCounts = std::array<std::size_t, rowVerdicts>;
VerdictCounts countsOf(const std::vector<RowResult>& results);
/// Whether a verdict makes the exit status 1: failed, worse, gone.
bool isRegression(RowVerdict verdict);
/// Whether a row makes the exit status 1: a regression; if a baseline is required, also a row that it lacks.
bool isFailure(const RowResult& result, bool baselineRequired);
/// Why such a row fails: `placedSentence`, and that the baseline lacks the row.
std::string failureSentence(const RowResult& result);

} // namespace stowage

#include "app/session/regress/verdict.h"

#include "core/ir/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace stowage {

namespace {

/// Lower is better.
int rank(Status status)
{
    switch (status) {
    case Status::optimal: return 0;
    case Status::feasible: return 1;
    case Status::undecided: return 2;
    case Status::doesNotFit:
    case Status::infeasible: return 3;
    case Status::invalid: break;
    }
    return 4;
}

bool fits(Status status)
{
    return rank(status) <= 1;
}

std::vector<PeakChange> peakChanges(const SuiteFigures& current, const SuiteFigures& before)
{
    std::map<std::string_view, PeakChange> byName;
    for (const auto& [name, bytes] : before.peak) byName[name].before = bytes;
    for (const auto& [name, bytes] : current.peak) byName[name].after = bytes;
    std::vector<PeakChange> changes;
    for (auto& [name, change] : byName) {
        if (change.before == change.after) continue;
        change.buffer = name;
        changes.push_back(std::move(change));
    }
    std::stable_sort(changes.begin(), changes.end(), [](const PeakChange& a, const PeakChange& b) {
        return std::abs(a.after - a.before) > std::abs(b.after - b.before);
    });
    return changes;
}

std::optional<Worsening> worsening(const SuiteFigures& now, const SuiteFigures& before, const Tolerance& tolerance)
{
    const bool statusCounts =
        tolerance.sameVerdict || now.status == Status::invalid || (fits(before.status) && !fits(now.status));
    if (statusCounts && rank(now.status) > rank(before.status)) return Worsening::status;
    if (now.excess > before.excess) return Worsening::excess;
    // What fits now, or is nearer to it, may take more bytes and wait longer than what did not fit.
    if (now.excess == before.excess && fits(now.status) == fits(before.status)) {
        const double percent = std::floor(static_cast<double>(before.size) * tolerance.sizePercent / 100);
        const Bytes allowed = std::max(tolerance.size, static_cast<Bytes>(std::min(percent, 4e18)));
        if (now.size - before.size > allowed) return Worsening::size;
        if (tolerance.gap && now.gap() - before.gap() > *tolerance.gap) return Worsening::gap;
        if (now.stalls && before.stalls && *now.stalls - *before.stalls > tolerance.stalls) return Worsening::stalls;
    }
    if (tolerance.time && now.timeRatio && *now.timeRatio > *tolerance.time) return Worsening::time;
    return std::nullopt;
}

bool better(const SuiteFigures& now, const SuiteFigures& before)
{
    if (fits(now.status) != fits(before.status)) return fits(now.status);
    if (now.excess != before.excess) return now.excess < before.excess;
    if (now.size != before.size) return now.size < before.size;
    if (rank(now.status) != rank(before.status)) return rank(now.status) < rank(before.status);
    return now.stalls && before.stalls && *now.stalls < *before.stalls;
}

std::string bytes(Bytes value)
{
    return grouped(value) + " B";
}

std::string change(const PeakChange& of)
{
    if (of.before == 0) return fmt::format("{} ({}) is live at the peak now", of.buffer, bytes(of.after));
    if (of.after == 0) return fmt::format("{} ({}) is no longer live at the peak", of.buffer, bytes(of.before));
    return fmt::format("{} {} from {} to {}", of.buffer, of.after > of.before ? "grew" : "shrank", bytes(of.before),
                       bytes(of.after));
}

std::string moved(std::string_view what, Bytes by)
{
    return fmt::format("{} {} by {}", what, by > 0 ? "rose" : "fell", bytes(std::abs(by)));
}

/// The part of the model and the part of the planner.
std::string reasons(const RowCause& cause)
{
    std::string text;
    if (cause.boundMoved != 0) {
        text = moved("the bound of the model", cause.boundMoved);
        std::string tensors;
        std::size_t named = 0;
        for (const PeakChange& peak : cause.peak) {
            if ((peak.after > peak.before) != (cause.boundMoved > 0)) continue;
            if (++named > 3) break;
            tensors += (tensors.empty() ? ", as " : ", ") + change(peak);
        }
        text += tensors;
    }
    if (cause.aboveBoundMoved != 0)
        text += fmt::format("{}the planner's part above the bound {} by {}", text.empty() ? "" : "; ",
                            cause.aboveBoundMoved > 0 ? "rose" : "fell", bytes(std::abs(cause.aboveBoundMoved)));
    return text;
}

} // namespace

std::string_view toText(RowVerdict verdict)
{
    constexpr std::array<std::string_view, rowVerdicts> words{"failed", "worse", "gone", "better", "changed", "new", "same"};
    return words[static_cast<std::size_t>(verdict)];
}

bool isRegression(RowVerdict verdict)
{
    return verdict <= RowVerdict::gone;
}

RowResult judge(const std::string& key, const SuiteFigures& current, const SuiteFigures* baseline, const Tolerance& tolerance)
{
    RowResult result;
    result.key = key;
    result.current = current;
    if (!baseline) {
        result.verdict = RowVerdict::added;
        return result;
    }
    result.baseline = *baseline;
    result.cause.boundMoved = current.bound - baseline->bound;
    result.cause.aboveBoundMoved = (current.size - current.bound) - (baseline->size - baseline->bound);
    result.cause.peak = peakChanges(current, *baseline);
    result.cause.worsening = worsening(current, *baseline, tolerance);
    if (result.cause.worsening)
        result.verdict = RowVerdict::worse;
    else if (better(current, *baseline))
        result.verdict = RowVerdict::better;
    else if (current.plan != baseline->plan || current.size != baseline->size || current.bound != baseline->bound)
        result.verdict = RowVerdict::changed;
    return result;
}

std::string sentence(const RowResult& result)
{
    if (result.error) return result.error->message;
    if (result.verdict == RowVerdict::gone) return "the suite no longer has this row";
    if (!result.current || !result.baseline) return {};
    const SuiteFigures& now = *result.current;
    const SuiteFigures& before = *result.baseline;
    std::string text;
    const auto difference = [&](std::string_view what, Bytes by) {
        return fmt::format("{} {} {} the baseline", what, bytes(std::abs(by)), by > 0 ? "above" : "below");
    };
    if (result.cause.worsening) switch (*result.cause.worsening) {
        case Worsening::status: text = fmt::format("{} was {}", toText(now.status), toText(before.status)); break;
        case Worsening::excess:
            text = fmt::format("{} more than the capacities take, {} before", bytes(now.excess), bytes(before.excess));
            break;
        case Worsening::size: text = difference("size", now.size - before.size); break;
        case Worsening::gap:
            text = fmt::format("gap {:.2f} %, {:.2f} % in the baseline", now.gap() * 100, before.gap() * 100);
            break;
        case Worsening::stalls:
            text = fmt::format("pipes wait {} for reuse, {} in the baseline", grouped(*now.stalls), grouped(*before.stalls));
            break;
        case Worsening::time: text = fmt::format("takes {:.1f} times as long as greedy-by-size", *now.timeRatio); break;
        }
    else if (now.size != before.size)
        text = difference("size", now.size - before.size);
    else if (now.status != before.status)
        text = fmt::format("{} was {}", toText(now.status), toText(before.status));
    else if (result.verdict == RowVerdict::changed)
        text = "another plan with the same figures";
    else if (result.verdict == RowVerdict::better)
        text = "pipes wait less";
    std::string why = reasons(result.cause);
    if (text.empty()) return why;
    return why.empty() ? text : text + ": " + why;
}

std::string placedSentence(const RowResult& result)
{
    return result.error ? placedText(*result.error) : sentence(result);
}

VerdictCounts countsOf(const std::vector<RowResult>& results)
{
    VerdictCounts counts{};
    for (const RowResult& result : results) ++counts[static_cast<std::size_t>(result.verdict)];
    return counts;
}

} // namespace stowage

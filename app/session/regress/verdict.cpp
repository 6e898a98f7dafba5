#include "app/session/regress/verdict.h"

#include "core/ir/digits.h"
#include "core/ir/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <string_view>

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

/// Of a buffer in only one list: if the other list was cut, the buffer may stand beyond its end with any size up to the last one,
/// so that nothing is said about it.
std::vector<PeakChange> peakChanges(const SuiteFigures& current, const SuiteFigures& before)
{
    std::map<std::string_view, PeakChange> byName;
    for (const auto& [name, bytes] : before.peak) byName[name].before = bytes;
    for (const auto& [name, bytes] : current.peak) byName[name].after = bytes;
    std::vector<PeakChange> changes;
    for (auto& [name, change] : byName) {
        if (change.before == change.after) continue;
        if ((change.before == 0 && before.peakIsCut()) || (change.after == 0 && current.peakIsCut())) continue;
        change.buffer = name;
        changes.push_back(std::move(change));
    }
    std::stable_sort(changes.begin(), changes.end(), [](const PeakChange& a, const PeakChange& b) {
        return std::abs(a.after - a.before) > std::abs(b.after - b.before);
    });
    return changes;
}

/// Whether figures have the sizes of the pools. A baseline of another program may have the total only.
bool knowsPools(const SuiteFigures& figures)
{
    return figures.size == 0 || !figures.pools.empty();
}

/// The pools of two plans, either of which may be missing.
std::vector<PoolSizes> sizesOfBoth(const SuiteFigures* before, const SuiteFigures* now)
{
    const auto unused = [](const SuiteFigures* figures) {
        return figures && knowsPools(*figures) ? std::optional<Bytes>(0) : std::nullopt;
    };
    std::vector<PoolSizes> all;
    std::map<std::string_view, std::size_t> places;
    const auto sizesOf = [&](const std::string& pool) -> PoolSizes& {
        const auto [place, added] = places.emplace(pool, all.size());
        if (added) all.push_back({pool, unused(before), unused(now)});
        return all[place->second];
    };
    if (now)
        for (const PoolFigure& pool : now->pools) sizesOf(pool.name).now = pool.size;
    if (before)
        for (const PoolFigure& pool : before->pools) sizesOf(pool.name).before = pool.size;
    return all;
}

/// The pools with another size than in the baseline.
std::vector<PoolSizes> movedPools(const SuiteFigures& before, const SuiteFigures& now)
{
    std::vector<PoolSizes> moved = sizesOfBoth(&before, &now);
    std::erase_if(moved, [](const PoolSizes& pool) { return !pool.before || !pool.now || *pool.before == *pool.now; });
    return moved;
}

Bytes allowedGrowth(Bytes before, const Tolerance& tolerance)
{
    const double percent = std::floor(static_cast<double>(before) * tolerance.sizePercent / 100);
    return std::max(tolerance.size, static_cast<Bytes>(std::min(percent, 4e18)));
}

/// The first scarce pool that grew beyond the tolerance; empty: none.
std::string grownPool(const SuiteFigures& now, const SuiteFigures& before, const Tolerance& tolerance)
{
    std::map<std::string_view, bool> scarce;
    for (const PoolFigure& pool : now.pools) scarce[pool.name] = pool.scarce;
    for (const PoolSizes& pool : movedPools(before, now))
        if (scarce[pool.pool] && *pool.now - *pool.before > allowedGrowth(*pool.before, tolerance)) return pool.pool;
    return {};
}

/// A limit that needs no baseline.
bool tooSlow(const SuiteFigures& now, const Tolerance& tolerance)
{
    return tolerance.time && now.timeRatio && *now.timeRatio > *tolerance.time;
}

/// Compares the counts of tensors that are left out. Equal if a count is not known: that of an older baseline.
std::strong_ordering compareLeftOut(const SuiteFigures& now, const SuiteFigures& before)
{
    if (!now.unknownSizes || !before.unknownSizes) return std::strong_ordering::equal;
    return *now.unknownSizes <=> *before.unknownSizes;
}

/// Whether a plan leaves out tensors, and it is not known whether that of the baseline does.
bool perhapsPartialBefore(const SuiteFigures& now, const SuiteFigures& before)
{
    return now.unknownSizes.value_or(0) > 0 && !before.unknownSizes;
}

std::optional<Worsening> worsening(const SuiteFigures& now, const SuiteFigures& before, const Tolerance& tolerance)
{
    // A plan that leaves out more tensors is smaller for that, and may fit for that.
    const auto order = compareLeftOut(now, before);
    if (std::is_gt(order)) return Worsening::unknownSizes;
    // The older versions that did not count them proved plans optimal that are partial; the same plan is not worse today.
    const bool noLongerProved = perhapsPartialBefore(now, before) && now.plan == before.plan;
    const bool statusCounts = (tolerance.sameVerdict && !noLongerProved) || (fits(before.status) && !fits(now.status));
    if (statusCounts && rank(now.status) > rank(before.status)) return Worsening::status;
    if (now.excess > before.excess) return Worsening::excess;
    // What fits now, is nearer to it or has sizes for more tensors may take more bytes and wait longer than before.
    if (now.excess == before.excess && fits(now.status) == fits(before.status) && std::is_eq(order)) {
        if (now.size - before.size > allowedGrowth(before.size, tolerance)) return Worsening::size;
        if (!grownPool(now, before, tolerance).empty()) return Worsening::pool;
        if (tolerance.gap && now.gap() - before.gap() > *tolerance.gap) return Worsening::gap;
        if (now.stalls && before.stalls && *now.stalls - *before.stalls > tolerance.stalls) return Worsening::stalls;
    }
    if (tooSlow(now, tolerance)) return Worsening::time;
    return std::nullopt;
}

/// Of a plan that is not worse.
bool better(const SuiteFigures& now, const SuiteFigures& before)
{
    // It may be smaller, or fit, only because of tensors that the baseline's plan did not leave out.
    if (perhapsPartialBefore(now, before)) return false;
    if (fits(now.status) != fits(before.status)) return fits(now.status);
    if (now.excess != before.excess) return now.excess < before.excess;
    if (const auto order = compareLeftOut(now, before); !std::is_eq(order)) return std::is_lt(order);
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

/// "2 tensors of unknown size are left out".
std::string leftOut(const SuiteFigures& now)
{
    const std::size_t unknown = now.unknownSizes.value_or(0);
    const std::string thing = now.ofTensors ? "tensor" : "buffer";
    return fmt::format("{} of unknown size {} left out",
                       unknown == 0 ? "no " + thing : counted(static_cast<std::int64_t>(unknown), thing),
                       unknown > 1 ? "are" : "is");
}

std::string_view sizeRemedy(const SuiteFigures& now)
{
    return now.ofTensors
               ? "the true sizes are larger, give the free dimensions a size with \"bind\" in the suite (as --bind NAME=N)"
               : "the true sizes are larger, and the file does not state all of them";
}

/// "sram 100,000 B above the baseline, psram 100,000 B below": the pools with another size, `first` before the others.
std::string movedPoolsText(const SuiteFigures& before, const SuiteFigures& now, std::string_view first)
{
    constexpr std::size_t named = 4;
    std::vector<PoolSizes> moved = movedPools(before, now);
    std::stable_partition(moved.begin(), moved.end(), [&](const PoolSizes& pool) { return pool.pool == first; });
    std::string text;
    for (std::size_t i = 0; i < std::min(moved.size(), named); ++i) {
        const Bytes by = *moved[i].now - *moved[i].before;
        text += fmt::format("{}{} {} {}{}", i == 0 ? "" : ", ", moved[i].pool, bytes(std::abs(by)), by > 0 ? "above" : "below",
                            i == 0 ? " the baseline" : "");
    }
    if (moved.size() > named) text += fmt::format(", and {} more", moved.size() - named);
    return text;
}

std::string slowness(const SuiteFigures& now)
{
    return fmt::format("takes {:.1f} times as long as greedy-by-size", *now.timeRatio);
}

/// How a plan differs from that of the baseline, and why; empty if it does not.
std::string difference(const RowResult& result)
{
    const SuiteFigures& now = *result.current;
    const SuiteFigures& before = *result.baseline;
    std::string text;
    const auto sizes = [&] {
        const Bytes by = now.size - before.size;
        return fmt::format("size {} {} the baseline", bytes(std::abs(by)), by > 0 ? "above" : "below");
    };
    const auto unknown = [&] {
        const std::size_t known = before.unknownSizes.value_or(0);
        return fmt::format("{}, {} in the baseline", leftOut(now),
                           known == 0 ? "none" : grouped(static_cast<std::int64_t>(known)));
    };
    if (result.cause.worsening) switch (*result.cause.worsening) {
        case Worsening::unknownSizes: return fmt::format("{}: {}", unknown(), sizeRemedy(now));
        case Worsening::status: text = fmt::format("{} was {}", toText(now.status), toText(before.status)); break;
        case Worsening::excess:
            text = fmt::format("{} more than the capacities take, {} before", bytes(now.excess), bytes(before.excess));
            break;
        case Worsening::size: text = sizes(); break;
        case Worsening::pool: text = movedPoolsText(before, now, result.cause.pool); break;
        case Worsening::gap:
            text = fmt::format("gap {:.2f} %, {:.2f} % in the baseline", now.gap() * 100, before.gap() * 100);
            break;
        case Worsening::stalls:
            text = fmt::format("pipes wait {} for reuse, {} in the baseline", grouped(*now.stalls), grouped(*before.stalls));
            break;
        case Worsening::time: text = slowness(now); break;
        }
    else if (!std::is_eq(compareLeftOut(now, before)))
        text = unknown();
    else if (now.size != before.size)
        text = sizes();
    else if (now.status != before.status)
        text = fmt::format("{} was {}", toText(now.status), toText(before.status));
    else if (result.verdict == RowVerdict::changed) {
        const std::string pools = movedPoolsText(before, now, {});
        text = pools.empty() ? "another plan with the same figures" : "another plan of the same size in total, " + pools;
    } else if (result.verdict == RowVerdict::better)
        text = "pipes wait less";
    std::string why = reasons(result.cause);
    if (text.empty()) return why;
    return why.empty() ? text : text + ": " + why;
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

bool isFailure(const RowResult& result, bool baselineRequired)
{
    return isRegression(result.verdict) || (baselineRequired && result.verdict == RowVerdict::added);
}

RowResult judge(const std::string& key, const SuiteFigures& current, const SuiteFigures* baseline, const Tolerance& tolerance)
{
    RowResult result;
    result.key = key;
    result.current = current;
    if (baseline) result.baseline = *baseline;
    if (current.status == Status::invalid) {
        result.verdict = RowVerdict::failed;
        result.error = failure(Code::invalidPlan, "the plan is not valid", {},
                               "report it to the author of the planner, and plan the row with another one");
        return result;
    }
    if (!baseline) {
        const bool slow = tooSlow(current, tolerance);
        result.verdict = slow ? RowVerdict::worse : RowVerdict::added;
        if (slow) result.cause.worsening = Worsening::time;
        return result;
    }
    result.cause.boundMoved = current.bound - baseline->bound;
    result.cause.aboveBoundMoved = (current.size - current.bound) - (baseline->size - baseline->bound);
    result.cause.peak = peakChanges(current, *baseline);
    result.cause.worsening = worsening(current, *baseline, tolerance);
    if (result.cause.worsening == Worsening::pool) result.cause.pool = grownPool(current, *baseline, tolerance);
    if (result.cause.worsening)
        result.verdict = RowVerdict::worse;
    else if (better(current, *baseline))
        result.verdict = RowVerdict::better;
    else if (current.plan != baseline->plan || current.size != baseline->size || current.bound != baseline->bound ||
             !movedPools(*baseline, current).empty())
        result.verdict = RowVerdict::changed;
    return result;
}

std::string remarks(const RowResult& result)
{
    std::string text;
    const auto add = [&text](const std::string& remark) { text += (text.empty() ? "" : "; ") + remark; };
    const std::size_t unknown = result.current ? result.current->unknownSizes.value_or(0) : 0;
    if (unknown > 0 && !(result.baseline && result.baseline->unknownSizes))
        add(fmt::format("{}: {}", leftOut(*result.current), sizeRemedy(*result.current)));
    if (result.cut)
        add(fmt::format("the figures may differ from machine to machine, as {} cut the plan{}",
                        result.cut->byPlugin ? "the time of a plug-in" : "time_limit",
                        result.cut->remedy.empty() ? "" : ": " + result.cut->remedy));
    if (result.noTimeRatio)
        add(fmt::format("time_ratio is not judged, as greedy-by-size cannot plan the row ({})", result.noTimeRatio->message));
    return text;
}

std::string sentence(const RowResult& result)
{
    if (result.error) return result.error->message;
    if (result.verdict == RowVerdict::gone) return "the suite no longer has this row";
    std::string text;
    if (result.current && result.baseline)
        text = difference(result);
    else if (result.cause.worsening == Worsening::time)
        text = slowness(*result.current);
    std::string more = remarks(result);
    if (text.empty()) return more;
    return more.empty() ? text : text + "; " + more;
}

std::vector<PoolSizes> poolSizes(const RowResult& result)
{
    return sizesOfBoth(result.baseline ? &*result.baseline : nullptr, result.current ? &*result.current : nullptr);
}

std::string placedSentence(const RowResult& result)
{
    return result.error ? placedText(*result.error) : sentence(result);
}

std::string failureSentence(const RowResult& result)
{
    std::string why = placedSentence(result);
    if (result.verdict != RowVerdict::added) return why;
    return "not in the baseline" + (why.empty() ? why : "; " + why);
}

VerdictCounts countsOf(const std::vector<RowResult>& results)
{
    VerdictCounts counts{};
    for (const RowResult& result : results) ++counts[static_cast<std::size_t>(result.verdict)];
    return counts;
}

} // namespace stowage

#include "app/session/verdicts.h"

#include "app/session/number_words.h"
#include "core/ir/shown_text.h"
#include "core/plan/pins.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

constexpr std::size_t namedMemories = 8; ///< in one line, before "and 3 more"

const Pool& poolOf(const Run& run, const PoolReport& report)
{
    return run.problem().pools[static_cast<std::size_t>(report.pool)];
}

/// "sram 253,440 of 262,144 B (96.7 %), psram unused"
std::string memoriesInUse(const Run& run)
{
    std::string text;
    std::size_t named = 0, further = 0;
    const auto add = [&](const std::string& part) {
        if (named == namedMemories) {
            ++further;
            return;
        }
        text += (text.empty() ? "" : ", ") + part;
        ++named;
    };
    for (const PoolReport& pool : run.report.pools) {
        if (pool.size == 0) continue;
        if (pool.capacity && *pool.capacity > 0)
            add(fmt::format("{} {} of {} B ({})", shownName(poolOf(run, pool).name), grouped(pool.size), grouped(*pool.capacity),
                            percent(static_cast<double>(pool.size) / static_cast<double>(*pool.capacity))));
        else
            add(fmt::format("{} {} B", shownName(poolOf(run, pool).name), grouped(pool.size)));
    }
    std::string unused;
    for (const PoolReport& pool : run.report.pools) {
        if (pool.size > 0) continue;
        if (named == namedMemories) {
            ++further;
            continue;
        }
        unused += (unused.empty() ? "" : ", ") + shownName(poolOf(run, pool).name);
        ++named;
    }
    if (!unused.empty()) text += fmt::format("{}{} unused", text.empty() ? "" : ", ", unused);
    if (further > 0) text += fmt::format(", and {} more", grouped(static_cast<std::int64_t>(further)));
    return text.empty() ? "0 B" : text;
}

/// "dtcm needs 20,000 B, 3,616 B more than its capacity; …"
std::string overflows(const Run& run)
{
    std::string text;
    for (const PoolReport& pool : run.report.pools)
        if (pool.excess > 0)
            text += fmt::format("{}{} needs {} B, {} B more than its capacity", text.empty() ? "" : "; ",
                                shownName(poolOf(run, pool).name), grouped(pool.size), grouped(pool.excess));
    return text;
}

/// Without regard to what was left out.
VerdictKind kindOfPlanned(const Report& report)
{
    switch (report.status) {
    case Status::optimal: return report.among == OptimalAmong::preferredPools ? VerdictKind::asPreferred : VerdictKind::optimal;
    case Status::feasible: return usesCapacity(report) ? VerdictKind::fits : VerdictKind::valid;
    case Status::doesNotFit: return VerdictKind::doesNotFit;
    case Status::infeasible: return VerdictKind::infeasible;
    case Status::undecided: return VerdictKind::undecided;
    case Status::invalid: break;
    }
    return VerdictKind::invalid;
}

std::string lineOfPlanned(const Run& run)
{
    const VerdictKind kind = kindOfPlanned(run.report);
    const std::string_view word = verdictWord(kind);
    switch (kind) {
    case VerdictKind::optimal:
    case VerdictKind::asPreferred:
        return fmt::format("{}: {}", usesCapacity(run.report) ? verdictWord(VerdictKind::fits) : word, memoriesInUse(run));
    case VerdictKind::fits:
    case VerdictKind::valid: return fmt::format("{}: {}", word, memoriesInUse(run));
    case VerdictKind::infeasible: {
        if (run.report.collidingPins)
            return fmt::format("{}: pins collide, {}; move or release one of them", word,
                               describe(run.problem(), PinCollision{*run.report.collidingPins, run.report.pinsChoose}));
        const std::string needs = overflows(run);
        return fmt::format("{}: it is proved that no plan fits{}{}", word, needs.empty() ? "" : "; ", needs);
    }
    case VerdictKind::doesNotFit: return fmt::format("{}: {}", word, overflows(run));
    case VerdictKind::undecided: {
        const std::string needs = overflows(run);
        return fmt::format("{}: {}", word, needs.empty() ? "no plan was found that fits" : needs);
    }
    case VerdictKind::partial:
    case VerdictKind::invalid: break;
    }
    const auto& violations = run.report.verdict.violations;
    return violations.empty() ? std::string(word) : fmt::format("{}: {}", word, describe(run.problem(), violations.front()));
}

/// " and N buffers are live at step 3" of a certificate.
std::string liveAt(const CliqueCertificate& certificate)
{
    return fmt::format("{} {} live at step {}", counted(static_cast<std::int64_t>(certificate.buffers.size()), "buffer"),
                       certificate.buffers.size() == 1 ? "is" : "are", certificate.step);
}

std::string reasonOfOptimum(const Run& run)
{
    const Report& report = run.report;
    if (report.among == OptimalAmong::preferredPools)
        return "Optimal for the preferred pools: each pool is as small as the buffers in it allow, and no buffer has room "
               "in a pool that it prefers; another choice of pools might take less in total.";
    const std::string_view word = verdictWord(VerdictKind::optimal);
    if (report.proof == ProofKind::search)
        return fmt::format("{}: a search that ended found nothing smaller{}", word,
                           report.provedBy.empty() ? "." : fmt::format(" ({}).", report.provedBy));
    const auto used = std::ranges::count_if(report.pools, [](const PoolReport& pool) { return pool.size > 0; });
    if (used > 1) {
        // The bound of one of them would prove nothing about the others.
        const CliqueCertificate all = lowerBound(run.problem(), none);
        if (all.bytes < report.totalSize())
            return fmt::format("{}: no choice of pools takes less in total, as each pool equals its lower bound.", word);
        if (all.step < 0) return fmt::format("{}: the pools together equal their lower bound.", word);
        return fmt::format("{}: no plan is smaller in total, as {}.", word, liveAt(all));
    }
    for (const PoolReport& pool : report.pools)
        if (pool.size > 0 && pool.certificate.step >= 0)
            return fmt::format("{}: no plan is smaller, as {}.", word, liveAt(pool.certificate));
    return fmt::format("{}: the size equals the lower bound.", word);
}

/// A verdict's line in the middle of a sentence: every verdict word begins with a capital letter.
std::string inSentence(std::string line)
{
    line.front() = static_cast<char>(line.front() - 'A' + 'a');
    return line;
}

} // namespace

std::string gainLine(const Run& theirs, const Run& ours)
{
    const Bytes before = theirs.report.totalSize(), after = ours.report.totalSize();
    // A table with offsets does not say who planned it.
    const std::string planner = theirs.plan.planner.empty() ? "" : fmt::format(" ({})", shownName(theirs.plan.planner));
    const std::string who = fmt::format("theirs{} {} B", planner, grouped(before));
    const std::string_view proved = verdictKind(ours) == VerdictKind::optimal ? "proved possible" : "possible";
    const bool planned = isYes(verdictKind(ours));
    if (!isYes(verdictKind(theirs)))
        return fmt::format("{}, but {}; {}", who, inSentence(verdictLine(theirs)),
                           planned ? fmt::format("{} {} B", proved, grouped(after)) : "none that fits was found");
    if (!planned || after > before) return fmt::format("{}, and none smaller was found", who);
    if (after == before)
        return fmt::format("{}, {}", who,
                           verdictKind(ours) == VerdictKind::optimal ? "proved to be the least" : "as small as ours");
    return fmt::format("{}, {} {} B: {} less", who, proved, grouped(after),
                       percent(static_cast<double>(before - after) / static_cast<double>(before)));
}

bool usesCapacity(const Report& report)
{
    return std::ranges::any_of(report.pools, [](const PoolReport& pool) { return pool.size > 0 && pool.capacity.has_value(); });
}

VerdictKind verdictKind(const Run& run)
{
    const VerdictKind kind = kindOfPlanned(run.report);
    return isYes(kind) && !unknownSizeNames(run).empty() ? VerdictKind::partial : kind;
}

std::string_view verdictWord(VerdictKind kind)
{
    switch (kind) {
    case VerdictKind::optimal: return "Optimal";
    case VerdictKind::asPreferred: return "As preferred";
    case VerdictKind::fits: return "Fits";
    case VerdictKind::valid: return "Valid";
    case VerdictKind::partial: return "Partial";
    case VerdictKind::doesNotFit: return "Does not fit";
    case VerdictKind::infeasible: return "Infeasible";
    case VerdictKind::undecided: return "Undecided";
    case VerdictKind::invalid: break;
    }
    return "Not valid";
}

std::optional<VerdictKind> verdictOf(std::string_view word)
{
    for (int kind = 0; kind <= int(VerdictKind::invalid); ++kind)
        if (word == verdictWord(VerdictKind(kind))) return VerdictKind(kind);
    return std::nullopt;
}

bool isYes(VerdictKind kind)
{
    return kind == VerdictKind::optimal || kind == VerdictKind::asPreferred || kind == VerdictKind::fits ||
           kind == VerdictKind::valid || kind == VerdictKind::partial;
}

std::string caveatOf(const Run& run)
{
    const VerdictKind kind = verdictKind(run);
    return isYes(kind) && kind != VerdictKind::partial ? std::string() : verdictLine(run);
}

std::string leftOutText(std::int64_t count, std::string_view what)
{
    return fmt::format("{}: {} of unknown size {} left out", verdictWord(VerdictKind::partial), counted(count, what),
                       count == 1 ? "is" : "are");
}

std::string verdictLine(const Run& run)
{
    const auto unknown = static_cast<std::int64_t>(unknownSizeNames(run).size());
    if (unknown == 0) return lineOfPlanned(run);
    const std::string leftOut = leftOutText(unknown, run.program ? "tensor" : "buffer");
    if (isYes(kindOfPlanned(run.report)))
        return fmt::format("{}; the others take {}", leftOut, run.report.totalSize() > 0 ? memoriesInUse(run) : "0 B");
    return fmt::format("{}; {} without them", leftOut, inSentence(lineOfPlanned(run)));
}

std::string verdictReason(const Run& run)
{
    const Report& report = run.report;
    const std::string_view stopped = stopWords(run.plan.stoppedBy);
    const std::string stop = stopped.empty() ? "." : fmt::format(" ({}).", stopped);
    if (!unknownSizeNames(run).empty())
        return run.program ? "The true sizes are larger: give the free dimensions a size (--bind NAME=N; in the window: Program)."
                           : "The true sizes are larger: the file does not state all of them.";
    switch (report.status) {
    case Status::optimal: return reasonOfOptimum(run);
    case Status::feasible: {
        const double gap = totalGap(report);
        if (gap == 0 && choosesPools(run))
            return "Each pool is as small as the buffers in it allow; another choice of pools might take less in total" + stop;
        if (gap == 0 || report.totalBound() == 0)
            return stopped.empty() ? std::string() : fmt::format("Not proved smallest{}", stop);
        return fmt::format("{} above the lower bound of {} B{}{}", percent(gap), grouped(report.totalBound()),
                           choosesPools(run) ? " for this choice of pools" : "", stop);
    }
    case Status::infeasible: return report.provedBy.empty() ? std::string() : fmt::format("Proved by {}.", report.provedBy);
    case Status::doesNotFit:
    case Status::undecided: return stopped.empty() ? std::string() : fmt::format("The planner was {}.", stopped);
    case Status::invalid: break;
    }
    return {};
}

std::vector<std::string> verdictRemarks(const Run& run, const std::function<std::string(Bytes)>& size)
{
    const Report& report = run.report;
    if (!report.verdict.valid()) return {describe(run.problem(), report.verdict.violations.front())};
    std::vector<std::string> remarks;
    if (report.status == Status::infeasible) remarks.emplace_back("proved: no plan fits");
    if (const Bytes excess = report.totalExcess(); excess > 0) remarks.push_back(fmt::format("{} short", size(excess)));
    if (verdictKind(run) == VerdictKind::asPreferred)
        remarks.emplace_back("each pool equals its bound, preferences hold");
    else if (report.status != Status::infeasible && report.totalSize() == report.totalBound())
        remarks.emplace_back("equals the bound");
    else if (report.status == Status::optimal)
        remarks.push_back(report.provedBy.empty() ? "proved smallest" : fmt::format("proved smallest by {}", report.provedBy));
    if (const std::string_view stopped = stopWords(run.plan.stoppedBy); !stopped.empty()) remarks.emplace_back(stopped);
    return remarks;
}

std::string_view stopWords(StoppedBy stopped)
{
    switch (stopped) {
    case StoppedBy::workLimit: return "stopped by the work limit";
    case StoppedBy::deadline: return "stopped by the time limit";
    case StoppedBy::cancelled: return "cancelled";
    case StoppedBy::complete: break;
    }
    return {};
}

double totalGap(const Report& report)
{
    const Bytes bound = report.totalBound();
    // Only a plan that is not valid is below the bound.
    return bound > 0 && report.totalSize() > bound ? static_cast<double>(report.totalSize() - bound) / static_cast<double>(bound)
                                                   : 0;
}

bool choosesPools(const Run& run)
{
    const Problem& problem = run.problem();
    return std::ranges::any_of(problem.buffers, [&](const Buffer& buffer) { return problem.candidates(buffer).size() > 1; });
}

Bytes boundOfEveryPlan(const Run& run)
{
    return choosesPools(run) ? lowerBound(run.problem(), none).bytes : run.report.totalBound();
}

} // namespace stowage

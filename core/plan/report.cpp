#include "core/plan/report.h"

#include "core/ir/checked.h"
#include "core/ir/occupied.h"
#include "core/plan/load.h"
#include "core/plan/objective.h"
#include "core/plan/offsets.h"
#include "core/plan/pins.h"
#include "core/plan/preferred_pools.h"
#include "core/plan/problem_parts.h"
#include "core/plan/too_small.h"
#include "core/plan/verdict_words.h"

#include <algorithm>
#include <optional>

namespace stowage {

namespace {

/// An occupied range of addresses.
struct Span {
    Bytes low = 0;
    Bytes high = 0;
    Bytes alignment = 1;
};

/// The addresses that `members` occupy in the pool at `step`; all their bytes when `step` is -1.
std::vector<Span> spansAt(const Problem& problem, const Plan& plan, PoolId pool, std::span<const BufferId> members, Step step)
{
    std::vector<Span> spans;
    for (const BufferId id : members) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
        const Placement& at = plan.placements[static_cast<std::size_t>(id)];
        const Bytes alignment = problem.effectiveAlignment(buffer, pool);
        Interval bytes{0, step < 0 ? buffer.size : 0};
        forEachOccupied(buffer, [&](const Occupied& it) {
            if (it.steps.contains(step)) bytes = {it.low, it.high}; // a carried value covers the window at the same step
        });
        if (bytes.empty()) continue;
        for (const Bytes offset : offsetsOf(at))
            if (offset >= 0 && offset <= maxBytes - buffer.size)
                spans.push_back({offset + bytes.begin, offset + bytes.end, bytes.begin == 0 ? alignment : 1});
    }
    std::sort(spans.begin(), spans.end(),
              [](const Span& a, const Span& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
    return spans;
}

/// The live bytes at the peak step of a pool, and the division of the bytes below its top into live, padding and free.
void measurePeak(const Problem& problem, const Plan& plan, std::span<const BufferId> ids, PoolReport& report)
{
    const std::vector<Load> loads = problem.axis == Axis::dag ? std::vector<Load>{} : occupied(problem, ids, none);
    report.peakStep = heaviestStep(loads, false);
    std::optional<Bytes> shared; // largest number of live bytes, counting bytes that buffers share by permission once
    if (!loads.empty() && std::any_of(ids.begin(), ids.end(), [&](BufferId id) {
            return !problem.buffers[static_cast<std::size_t>(id)].mayShare.empty();
        }))
        for (const UsageSample& sample : usage(problem, plan, report.pool))
            if (!shared || sample.live > *shared) shared = sample.live, report.peakStep = sample.step;
    std::vector<BufferId> members;
    if (report.peakStep >= 0) {
        for (const Load& load : loads) {
            if (!load.live.contains(report.peakStep)) continue;
            report.liveAtPeak += load.total();
            members.push_back(load.buffer);
        }
        if (shared) report.liveAtPeak = *shared;
    } else {
        members = report.certificate.buffers;
        for (const BufferId id : members) {
            const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
            report.liveAtPeak += buffer.size * buffer.slots;
        }
    }
    Bytes top = 0, covered = 0;
    for (const Span& span : spansAt(problem, plan, report.pool, members, report.peakStep)) {
        if (span.low > top && span.low == alignUp(top, span.alignment)) report.padding += span.low - top;
        covered += std::max<Bytes>(0, span.high - std::max(span.low, top));
        top = std::max(top, span.high);
    }
    report.freeAtPeak = report.size - covered;
}

/// Finds the reasons for the plan's size, or for its failure to fit.
class Judge {
public:
    Judge(const Problem& problem, const Plan& plan, Report& report) : problem_(problem), plan_(plan), report_(report) {}

    void decide()
    {
        const bool placedAny =
            std::any_of(plan_.placements.begin(), plan_.placements.end(), [](const Placement& p) { return p.placed(); });
        const bool nothingPlaced = !placedAny && !problem_.buffers.empty();
        const bool stopped = plan_.stoppedBy != StoppedBy::complete;
        if (const auto collision = report_.verdict.valid() ? std::nullopt : poolsOfPins(problem_).collision) {
            report_.collidingPins = collision->pair;
            report_.pinsChoose = collision->ofChoices;
            report_.status = Status::infeasible;
            proved(ProofKind::bound, "colliding pins");
            return;
        }
        if (!report_.verdict.valid() && !nothingPlaced) {
            report_.status = Status::invalid;
        } else if (nothingPlaced && !report_.verdict.valid()) {
            report_.status = infeasible() ? Status::infeasible : stopped ? Status::undecided : Status::invalid;
        } else if (report_.verdict.overCapacity) {
            report_.status = infeasible() ? Status::infeasible : stopped ? Status::undecided : Status::doesNotFit;
        } else {
            report_.status = optimal() ? Status::optimal : Status::feasible;
        }
        if (report_.proof == ProofKind::unproven)
            for (const Certificate& claim : plan_.claims)
                if (const auto* foreign = std::get_if<ForeignClaim>(&claim)) proved(ProofKind::claim, foreign->statement);
    }

private:
    bool proved(ProofKind kind, std::string by)
    {
        report_.proof = kind;
        report_.provedBy = std::move(by);
        return true;
    }
    static std::string maxLive(const CliqueCertificate& certificate) { return certificate.step >= 0 ? "max-live" : "clique"; }

    /// The best bound above `least` that the planner claims and that holds for every plan; null if there is none.
    [[nodiscard]] const CliqueCertificate* claimed(PoolId pool, Bytes least) const
    {
        const CliqueCertificate* best = nullptr;
        for (const Certificate& claim : plan_.claims)
            if (const auto* clique = std::get_if<CliqueCertificate>(&claim))
                if (clique->pool == pool && clique->bytes > (best ? best->bytes : least) && recheck(problem_, *clique))
                    best = clique;
        return best;
    }
    /// The best bound that holds for every plan: computed by the core, or claimed.
    [[nodiscard]] CliqueCertificate bound(PoolId pool) const
    {
        CliqueCertificate measured = lowerBound(problem_, pool);
        const auto* better = claimed(pool, measured.bytes);
        return better ? *better : measured;
    }
    const SearchCertificate* search(PoolId pool, bool infeasibility, Bytes least) const
    {
        for (const Certificate& claim : plan_.claims)
            if (const auto* found = std::get_if<SearchCertificate>(&claim))
                if (found->pool == pool && found->infeasible == infeasibility && found->bytes >= least) return found;
        return nullptr;
    }

    /// True if it is proved that no plan fits into the capacities; sets the name of the proof.
    bool infeasible()
    {
        if (const auto small = tooSmall(problem_)) return proved(ProofKind::bound, small->provedBy);
        Bytes capacities = 0;
        bool bounded = true;
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool) {
            const auto& capacity = problem_.pools[static_cast<std::size_t>(pool)].capacity;
            bounded &= capacity.has_value();
            if (!capacity) continue;
            capacities = checkedAdd(capacities, *capacity).value_or(maxBytes);
            if (const auto* clique = claimed(pool, *capacity)) return proved(ProofKind::bound, maxLive(*clique));
            if (const auto* found = search(pool, true, *capacity)) return proved(ProofKind::search, found->by);
        }
        if (const auto* clique = bounded ? claimed(none, capacities) : nullptr) return proved(ProofKind::bound, maxLive(*clique));
        const auto* found = search(none, true, bounded ? capacities : 0);
        return found && proved(ProofKind::search, found->by);
    }

    /// True if it is proved that no plan is smaller in total; sets the name of the proof.
    bool optimal()
    {
        const Bytes total = report_.totalSize();
        if (total == 0) return proved(ProofKind::bound, "max-live");
        std::string by;
        bool searched = false, all = true;
        for (const PoolReport& pool : report_.pools) {
            if (pool.size == 0 || !all) continue;
            // The certificate of the pool may already hold for every plan.
            const bool general = pool.lowerBound == pool.size && recheck(problem_, pool.certificate);
            const CliqueCertificate clique = general                    ? pool.certificate
                                             : report_.pools.size() > 1 ? bound(pool.pool)
                                                                        : CliqueCertificate{};
            if (clique.bytes == pool.size) {
                if (by.empty()) by = maxLive(clique);
            } else if (const auto* found = search(pool.pool, false, pool.size)) {
                searched = true;
                by = found->by;
            } else {
                all = false;
            }
        }
        if (all) return proved(searched ? ProofKind::search : ProofKind::bound, by);
        if (report_.pools.size() > 1)
            if (const CliqueCertificate clique = bound(none); clique.bytes == total)
                return proved(ProofKind::bound, maxLive(clique));
        if (const auto* found = search(none, false, total)) return proved(ProofKind::search, found->by);
        return report_.pools.size() > 1 && settledByParts();
    }

    /// In every part of the problem, each pool is as small as its buffers allow. Moreover, one of these holds: the buffers can go
    /// to no other pool; the sizes add up to the bytes that are live in the whole part at one step, so that no other choice of
    /// pools takes less; or the preferences hold.
    bool settledByParts()
    {
        OptimalAmong among = OptimalAmong::everyPlan;
        std::string searched; // name of the search
        for (const ProblemPart& part : parts()) {
            Bytes live = 0;
            bool general = true;
            for (const PoolId pool : part.pools) {
                const PoolReport& own = report_.pools[static_cast<std::size_t>(pool)];
                if (own.size == 0) continue;
                live = checkedAdd(live, own.size).value_or(maxBytes);
                if (own.size == own.lowerBound && recheck(problem_, own.certificate)) continue;
                if (const auto* found = search(pool, false, own.size)) {
                    searched = found->by; // the proof holds for every plan, so the buffers have no other candidates
                    continue;
                }
                if (own.size != own.lowerBound) return false;
                general = false;
            }
            if (general || (problem_.axis != Axis::dag && lowerBound(part.problem, none).bytes == live)) continue;
            if (firstPassedOver(problem_, plan_, part.pools)) return false;
            among = OptimalAmong::preferredPools;
        }
        report_.among = among;
        std::string by = searched.empty() ? "max-live" : searched;
        by += among == OptimalAmong::preferredPools ? " of each pool, pools as preferred" : " of parts";
        return proved(searched.empty() ? ProofKind::bound : ProofKind::search, std::move(by));
    }

    const std::vector<ProblemPart>& parts()
    {
        if (parts_.empty()) parts_ = separateParts(problem_);
        return parts_;
    }

    const Problem& problem_;
    const Plan& plan_;
    Report& report_;
    std::vector<ProblemPart> parts_; ///< computed on first use
};

} // namespace

std::string_view toText(Status status)
{
    return wordOf(status);
}

std::string_view toText(OptimalAmong among)
{
    return among == OptimalAmong::preferredPools ? "preferred-memories" : "all";
}

Bytes Report::totalSize() const
{
    Bytes total = 0;
    for (const PoolReport& pool : pools) total = saturatedSum(total, pool.size);
    return total;
}

Bytes Report::totalBound() const
{
    Bytes total = 0;
    for (const PoolReport& pool : pools) total = saturatedSum(total, pool.lowerBound);
    return total;
}

Bytes Report::totalExcess() const
{
    Bytes total = 0;
    for (const PoolReport& pool : pools) total = saturatedSum(total, pool.excess);
    return total;
}

bool provedSmallest(const Report& report)
{
    if (report.partial || !report.verdict.valid()) return false;
    if (report.status == Status::optimal && report.among == OptimalAmong::everyPlan) return true;
    return report.pools.size() == 1 && report.pools.front().size == report.pools.front().lowerBound;
}

Report evaluate(const Problem& problem, const Plan& plan)
{
    Report report;
    report.verdict = check(problem, plan);
    std::vector<std::vector<BufferId>> members(problem.pools.size());
    for (std::size_t b = 0; b < std::min(problem.buffers.size(), plan.placements.size()); ++b) {
        const PoolId pool = plan.placements[b].pool;
        if (pool >= 0 && static_cast<std::size_t>(pool) < members.size())
            members[static_cast<std::size_t>(pool)].push_back(static_cast<BufferId>(b));
    }
    for (PoolId id = 0; id < static_cast<PoolId>(problem.pools.size()); ++id) {
        const std::vector<BufferId>& ids = members[static_cast<std::size_t>(id)];
        PoolReport pool;
        pool.pool = id;
        pool.buffers = ids.size();
        pool.size = plan.poolSize(problem, id);
        pool.capacity = problem.pools[static_cast<std::size_t>(id)].capacity;
        if (pool.capacity) pool.excess = std::max<Bytes>(0, pool.size - *pool.capacity);
        pool.certificate.pool = id;
        if (!ids.empty()) {
            pool.certificate = lowerBound(problem, plan, id);
            for (const Certificate& claim : plan.claims)
                if (const auto* clique = std::get_if<CliqueCertificate>(&claim))
                    if (clique->pool == id && clique->bytes > pool.certificate.bytes && recheck(problem, plan, *clique))
                        pool.certificate = *clique;
            pool.lowerBound = pool.certificate.bytes;
            measurePeak(problem, plan, ids, pool);
        }
        report.pools.push_back(std::move(pool));
    }
    Judge(problem, plan, report).decide();
    if (!problem.unknownSizes.empty()) makePartial(report);
    return report;
}

void makePartial(Report& report)
{
    report.partial = true;
    if (report.status == Status::optimal) report.status = Status::feasible;
    report.proof = ProofKind::unproven;
    report.provedBy.clear();
}

} // namespace stowage

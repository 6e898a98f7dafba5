#include "core/pipeline/partition.h"

#include "core/pipeline/partition_search.h"

#include <array>
#include <numeric>
#include <span>

namespace stowage::pipeline {

using namespace searching;

namespace {

/// Lower bound on the objective. On the period: the largest op on its best device, and the sum of all ops on their best devices
/// divided by the number of stages.
Ticks simpleBound(const PartitionProblem& problem, std::size_t maxStages, Objective objective)
{
    Ticks largest = 0;
    Ticks total = 0;
    for (std::size_t o = 0; o < problem.ops; ++o) {
        Ticks quickest = never;
        for (const auto& prefix : problem.prefix) quickest = std::min(quickest, prefix[o + 1] - prefix[o]);
        largest = std::max(largest, quickest);
        total += quickest;
    }
    if (objective == Objective::latency) return total;
    const auto stages = static_cast<Ticks>(std::max<std::size_t>(std::min(maxStages, problem.ops), 1));
    return std::max(largest, (total + stages - 1) / stages);
}

/// The optimal partition, if exactly the stages that `search`'s table accepts fit.
Partition exactPartition(const PartitionProblem& problem, Objective objective, Search& search, Ticks atLeast,
                         const std::stop_token& cancel)
{
    Partition result;
    const Ticks top = largestPeriod(problem);
    result.probes = 1;
    if (objective == Objective::latency) {
        auto found = search.shortest(top, nullptr);
        if (cancel.stop_requested()) return result;
        if (!found) {
            result.status = PartitionStatus::infeasible;
            return result;
        }
        found->status = PartitionStatus::optimal;
        found->bound = found->latency;
        return *std::move(found);
    }
    // Searches upwards from the bound, in growing steps. A round that excludes one more stage starts from the result of the round
    // before.
    // No split has a smaller period than `low`.
    Ticks low = std::min(std::max(simpleBound(problem, search.maxStages(), objective), atLeast), top);
    Ticks high = low;
    for (Ticks step = 1; !search.reachable(high); step *= 4) {
        ++result.probes;
        if (cancel.stop_requested()) {
            result.bound = low;
            return result;
        }
        if (high == top) {
            result.status = PartitionStatus::infeasible;
            return result;
        }
        low = high + 1;
        high = step < top - high ? high + step : top;
    }
    while (low < high) {
        const Ticks middle = low + (high - low) / 2;
        ++result.probes;
        if (search.reachable(middle))
            high = middle;
        else if (cancel.stop_requested())
            break;
        else
            low = middle + 1;
    }
    auto found = search.shortest(high, nullptr);
    if (!found) { // it exists, so that only a stop can prevent finding it
        result.bound = low;
        return result;
    }
    found->probes = result.probes;
    found->bound = low;
    found->status = found->period == low ? PartitionStatus::optimal : PartitionStatus::feasible;
    return *std::move(found);
}

/// The best split for a fixed order of devices, each used or skipped, with at least `PartitionProblem::minStages` stages. Exact;
/// empty when no such split fits.
Partition bestInOrder(const PartitionProblem& problem, Objective objective, FitTable& fits, std::span<const std::size_t> order)
{
    struct Cell {
        Ticks value = never;
        std::uint32_t begin = 0;
        std::size_t before = 0; ///< row of the stage before
    };
    const std::size_t cuts = problem.ops + 1;
    const std::size_t minStages = std::max<std::size_t>(problem.minStages, 1);
    const auto objectiveOf = [&](Ticks a, Ticks b) { return objective == Objective::period ? std::max(a, b) : a + b; };
    Partition found;
    if (minStages > order.size()) return found;
    // Row k * minStages + n - 1: the last of n stages is on device k of the order. From `minStages` on, stages are not counted.
    std::vector<std::vector<Cell>> best(order.size() * minStages);
    Ticks cheapest = never;
    std::size_t minRow = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t d = order[k];
        for (std::size_t n = 1; n <= std::min(k + 1, minStages); ++n) {
            if (n + (order.size() - 1 - k) < minStages) continue; // the devices after this one are too few
            const std::size_t row = k * minStages + n - 1;
            best[row].resize(cuts);
            for (std::size_t i = 0; i < problem.ops; ++i) {
                Ticks from = i == 0 && n == 1 ? 0 : never;
                std::size_t before = 0;
                for (std::size_t p = 0; i > 0 && p < k; ++p)
                    for (std::size_t m = std::max<std::size_t>(n - 1, 1); m <= (n == minStages ? n : n - 1); ++m) {
                        const std::size_t last = p * minStages + m - 1;
                        if (best[last].empty() || best[last][i].value >= never) continue;
                        const Ticks moved =
                            problem.transfer ? problem.transfer(problem.classes[order[p]], problem.classes[d], i) : 0;
                        const Ticks value = objectiveOf(best[last][i].value, moved);
                        if (value < from) from = value, before = last;
                    }
                if (from >= never) continue;
                for (std::size_t j = i + 1; j < cuts; ++j) {
                    if (j < problem.ops && !problem.cutAllowed.empty() && !problem.cutAllowed[j]) continue;
                    const Ticks value = objectiveOf(from, problem.prefix[d][j] - problem.prefix[d][i]);
                    if (value >= best[row][j].value || !fits(problem.classes[d], i, j)) continue;
                    best[row][j] = {value, static_cast<std::uint32_t>(i), before};
                }
            }
            if (n == minStages && best[row].back().value < cheapest) cheapest = best[row].back().value, minRow = row;
        }
    }
    if (cheapest >= never) return found;
    for (std::size_t end = problem.ops, row = minRow; end > 0;) {
        const Cell& cell = best[row][end];
        const std::size_t d = order[row / minStages];
        found.stages.push_back({cell.begin, end, problem.classes[d], static_cast<std::int32_t>(d)});
        end = cell.begin;
        row = cell.before;
    }
    std::reverse(found.stages.begin(), found.stages.end());
    measure(problem, found);
    return found;
}

/// For too many different devices. The order of the devices is improved by exchanging two of them, also one that is used with one
/// that is not, until no exchange helps.
Partition heuristicPartition(const PartitionProblem& problem, Objective objective, FitTable& fits, std::size_t maxStages,
                             const std::stop_token& cancel)
{
    const std::size_t devices = problem.classes.size();
    std::vector<std::size_t> order(devices);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return problem.prefix[a].back() < problem.prefix[b].back(); });
    const std::size_t used = std::min(devices, maxStages);
    const auto bestNow = [&] { return bestInOrder(problem, objective, fits, std::span<const std::size_t>(order).first(used)); };
    const auto valueOf = [&](const Partition& p) {
        return p.stages.empty() ? never : objective == Objective::period ? p.period : p.latency;
    };
    Partition best = bestNow();
    constexpr int maxTries = 400;
    int tries = 0;
    for (bool improved = true; improved && tries < maxTries && !cancel.stop_requested();) {
        improved = false;
        for (std::size_t a = 0; a < used && tries < maxTries; ++a)
            for (std::size_t b = a + 1; b < devices && tries < maxTries; ++b, ++tries) {
                if (cancel.stop_requested()) break;
                std::swap(order[a], order[b]);
                Partition other = bestNow();
                if (valueOf(other) < valueOf(best)) {
                    best = std::move(other);
                    improved = true;
                } else {
                    std::swap(order[a], order[b]);
                }
            }
    }
    best.probes = static_cast<std::uint64_t>(tries) + 1;
    best.bound = simpleBound(problem, maxStages, objective);
    if (best.stages.empty())
        best.status = PartitionStatus::undecided;
    else
        best.status = valueOf(best) == best.bound ? PartitionStatus::optimal : PartitionStatus::feasible;
    return best;
}

} // namespace

bool isExact(const PartitionProblem& problem)
{
    FitTable none(problem);
    return Search(problem, none, {}).states() <= maxStates;
}

Partition partition(const PartitionProblem& problem, Objective objective, const std::stop_token& cancel)
{
    FitTable fits(problem);
    Search search(problem, fits, cancel);
    Partition found;
    if (problem.ops == 0 || problem.classes.empty()) {
        found.status = PartitionStatus::infeasible;
        return found;
    }
    const auto value = [&](const Partition& p) { return objective == Objective::period ? p.period : p.latency; };
    const bool exact = search.states() <= maxStates;
    const auto once = [&](Ticks atLeast) {
        return exact ? exactPartition(problem, objective, search, atLeast, cancel)
                     : heuristicPartition(problem, objective, fits, search.maxStages(), cancel);
    };
    Ticks bound = 0;
    std::uint64_t probes = 0;
    for (;;) {
        found = once(bound);
        probes += found.probes;
        // Excluding stages never makes the best split better, so that the bound of one round holds for the next.
        if (!fits.doubts()) bound = std::max(bound, found.bound);
        if (found.stages.empty() || fits.confirm(found.stages)) break;
        if (cancel.stop_requested()) { // a split with a stage that is not known to fit is not returned
            found = {};
            break;
        }
    }
    found.probes = probes;
    if (!fits.doubts()) {
        if (found.status == PartitionStatus::undecided) found.bound = bound;
        return found;
    }
    // The answer excludes stages that may fit. The best split with these stages is a bound for all splits.
    fits.takeDoubtful(true);
    const Partition hopeful = once(bound);
    found.bound = std::max(bound, hopeful.bound);
    found.probes += hopeful.probes;
    if (found.stages.empty())
        found.status = hopeful.status == PartitionStatus::infeasible ? PartitionStatus::infeasible : PartitionStatus::undecided;
    else
        found.status = value(found) == found.bound ? PartitionStatus::optimal : PartitionStatus::feasible;
    return found;
}

} // namespace stowage::pipeline

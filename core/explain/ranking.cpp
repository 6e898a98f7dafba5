#include "core/explain/ranking.h"

#include <algorithm>
#include <tuple>

namespace stowage {

bool isGood(const Run& run)
{
    return run.report.status == Status::optimal || run.report.status == Status::feasible;
}

bool isBetter(const Run& a, const Run& b)
{
    const auto key = [](const Run& run) { return std::tuple(!isGood(run), !run.report.verdict.valid(), run.report.totalSize()); };
    return key(a) < key(b);
}

bool ranksBefore(const Run& a, const Run& b)
{
    if (isBetter(a, b)) return true;
    return !isBetter(b, a) && a.plan.planner < b.plan.planner;
}

std::vector<RunGroup> groupRuns(std::span<const std::shared_ptr<const Run>> runs)
{
    std::vector<RunGroup> groups;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Run& run = *runs[i];
        auto group = std::find_if(groups.begin(), groups.end(), [&](const RunGroup& g) { return g.sameProblem(run); });
        if (group == groups.end()) group = groups.insert(groups.end(), {run.lowering->fingerprint, run.targetName, {}, {}});
        group->runs.push_back(i);
        if (isGood(run)) group->best = std::min(group->best.value_or(run.report.totalSize()), run.report.totalSize());
    }
    for (RunGroup& group : groups)
        std::stable_sort(group.runs.begin(), group.runs.end(),
                         [&](std::size_t a, std::size_t b) { return ranksBefore(*runs[a], *runs[b]); });
    return groups;
}

} // namespace stowage

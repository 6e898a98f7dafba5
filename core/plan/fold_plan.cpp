// The way back from a plan of unrolled loops.
#include "core/plan/unroll.h"

namespace stowage {

namespace {

/// Removes the loops that do not affect the offsets.
void simplify(Placement& placement)
{
    for (std::size_t r = 0; r < placement.rotations.size();) {
        const auto extent = static_cast<std::size_t>(placement.rotations[r].extent());
        std::size_t inner = 1;
        for (std::size_t i = r + 1; i < placement.rotations.size(); ++i)
            inner *= static_cast<std::size_t>(placement.rotations[i].extent());
        bool same = true;
        for (std::size_t i = 0; i < placement.offsets.size(); ++i)
            same = same && placement.offsets[i] == placement.offsets[i - i / inner % extent * inner];
        if (!same) {
            ++r;
            continue;
        }
        std::vector<Bytes> offsets;
        for (std::size_t i = 0; i < placement.offsets.size(); ++i)
            if (i / inner % extent == 0) offsets.push_back(placement.offsets[i]);
        placement.offsets = offsets;
        placement.rotations.erase(placement.rotations.begin() + static_cast<std::ptrdiff_t>(r));
    }
    if (placement.rotations.empty()) placement.offsets.clear();
}

} // namespace

std::optional<Plan> foldPlan(const Unrolled& unrolled, const Problem& problem, const Plan& plan)
{
    Plan folded;
    folded.planner = plan.planner;
    folded.options = plan.options;
    folded.seed = plan.seed;
    folded.stoppedBy = plan.stoppedBy;
    folded.work = plan.work;
    folded.placements.resize(problem.buffers.size());
    if (!plan.levels.empty()) folded.levels.resize(problem.buffers.size());
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const std::vector<BufferId>& buffers = unrolled.buffersOf[b];
        Placement& to = folded.placements[b];
        to = plan.placements[at(buffers.front())];
        if (!folded.levels.empty()) folded.levels[b] = plan.levels[at(buffers.front())];
        if (buffers.size() == 1) continue;
        for (const LoopId loop : unrolled.loops[b]) to.rotations.push_back({loop, unrolled.repeats[at(loop)], false});
        for (const BufferId id : buffers) {
            const Placement& from = plan.placements[at(id)];
            if (from.pool != to.pool) return std::nullopt;
            to.offsets.push_back(from.offset);
        }
        simplify(to);
    }
    return folded;
}

} // namespace stowage

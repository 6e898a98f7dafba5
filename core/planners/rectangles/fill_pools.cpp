#include "core/planners/rectangles/fill_pools.h"

#include "core/ir/checked.h"
#include "core/plan/check.h"
#include "core/planners/exact/pool_search.h"
#include "core/planners/rectangles/coarse_fill.h"
#include "core/planners/rectangles/perfect_fill.h"

#include <algorithm>
#include <map>

namespace stowage::exact {

namespace {

constexpr std::size_t mostPieces = 20'000;
constexpr double mostIdle = 0.1;                ///< of the rectangle
constexpr std::size_t mostForPerfect = 1000;    ///< pieces; of more, a layout without waste is rarely found, and comes last
constexpr std::uint64_t workOfPerfect = 10'000; ///< for a piece: with less, there is no point in trying

bool simple(const Problem& problem, const Buffer& buffer)
{
    return problem.axis != Axis::dag && buffer.live.size() == 1 && buffer.windows.empty() && buffer.carried.empty() &&
           buffer.early.empty() && buffer.conflicts.empty() && buffer.mayShare.empty() && !buffer.pin && !buffer.unique;
}

Bytes topOf(std::span<const Piece> pieces, const std::vector<Bytes>& offsets)
{
    Bytes top = 0;
    for (std::size_t p = 0; p < pieces.size(); ++p) top = std::max(top, offsets[p] + pieces[p].size);
    return top;
}

/// The most bytes live at one step, if so little is idle under it that all may be full; else 0.
Bytes fullHeight(std::span<const Piece> pieces)
{
    std::map<Step, Bytes> change;
    for (const Piece& piece : pieces) {
        change[piece.begin] += piece.size;
        change[piece.end] -= piece.size;
    }
    Bytes live = 0, most = 0;
    double area = 0;
    Step before = change.begin()->first;
    for (const auto& [step, by] : change) {
        area += static_cast<double>(live) * static_cast<double>(step - before);
        before = step;
        const auto sum = checkedAdd(live, by);
        if (!sum) return 0;
        most = std::max(most, live = *sum);
    }
    const double rectangle = static_cast<double>(most) * static_cast<double>(before - change.begin()->first);
    return area >= (1 - mostIdle) * rectangle ? most : 0;
}

} // namespace

bool fillPools(const Problem& problem, Plan& plan, const PlanContext& context, std::uint64_t most, Waste waste,
               std::uint64_t& work)
{
    bool improved = false;
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) {
        PoolLayout layout;
        std::vector<Piece> pieces;
        bool possible = true;
        for (std::size_t i = 0; i < problem.buffers.size() && possible; ++i) {
            const Buffer& buffer = problem.buffers[i];
            if (plan.placements[i].pool != pool || buffer.size == 0) continue;
            possible = simple(problem, buffer) && pieces.size() + static_cast<std::size_t>(buffer.slots) <= mostPieces;
            for (std::int32_t slot = 0; slot < buffer.slots && possible; ++slot) {
                layout.buffers.push_back(static_cast<BufferId>(i));
                pieces.push_back(
                    {buffer.live[0].begin, buffer.live[0].end, buffer.size, problem.effectiveAlignment(buffer, pool)});
            }
        }
        if (!possible || pieces.empty()) continue;
        const Bytes height = fullHeight(pieces);
        if (height == 0 || plan.poolSize(problem, pool) <= height) continue;
        FillLimits limits;
        limits.stop = [&] { return context.shouldStop(0).has_value(); };
        limits.seed = context.seed + most; // a later round does not repeat an earlier one
        const bool large = pieces.size() > mostForPerfect;
        const auto perfectly = [&](std::uint64_t share) {
            limits.work = share;
            return fillPerfectly(pieces, limits, work);
        };
        std::optional<std::vector<Bytes>> offsets;
        if (waste == Waste::none || !large) offsets = perfectly(waste == Waste::none ? most : most / 2);
        if (!offsets && waste == Waste::some) {
            Bytes below = plan.poolSize(problem, pool);
            limits.work = large ? most / 8 * 7 : most / 4;
            offsets = fillCoarsely(pieces, below, limits, work);
            if (offsets) below = topOf(pieces, *offsets);
            if (large && below > height && most / 16 >= pieces.size() * workOfPerfect)
                if (auto lower = perfectly(most / 16)) offsets = std::move(lower), below = height;
            limits.work = large ? most / 16 : most / 4;
            if (auto lower = fillNearly(pieces, below, limits, work)) offsets = std::move(lower);
        }
        if (!offsets) continue;
        layout.offsets = *std::move(offsets);
        Plan filled = plan;
        apply(layout, pool, filled);
        if (!check(problem, filled).valid()) continue;
        plan = std::move(filled);
        improved = true;
    }
    return improved;
}

} // namespace stowage::exact

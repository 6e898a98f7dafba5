#include "core/explain/robustness.h"

#include "core/ir/random.h"
#include "core/plan/report.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

/// The step of changes of a size: the largest power of two that divides it and is at most `largest`, and at least 1.
Bytes grainOf(Bytes size, Bytes largest)
{
    Bytes grain = size & -size;
    while (grain > 1 && grain > largest) grain /= 2;
    return grain;
}

Problem perturbed(const Problem& problem, std::uint64_t seed, double percent)
{
    Problem result = problem;
    Dice random(seed + 1);
    for (Buffer& buffer : result.buffers) {
        const double part = static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1; // of the largest change, -1 to 1
        if (buffer.size == 0 || buffer.pin || buffer.hasWindows()) continue;
        const double largest = static_cast<double>(buffer.size) * percent / 100;
        const Bytes grain = grainOf(buffer.size, static_cast<Bytes>(largest));
        const double grains = largest / static_cast<double>(grain);
        const Bytes most = static_cast<Bytes>(grains);
        buffer.size += std::clamp<Bytes>(std::llround(grains * part), -most, most) * grain;
    }
    return result;
}

std::size_t sizesChanged(const Problem& before, const Problem& after)
{
    std::size_t count = 0;
    for (std::size_t b = 0; b < before.buffers.size(); ++b) count += before.buffers[b].size != after.buffers[b].size;
    return count;
}

} // namespace

std::optional<SpreadFigures> spreadFigures(std::span<const RobustnessSample> samples)
{
    std::vector<double> ratios;
    SpreadFigures found;
    for (const RobustnessSample& sample : samples) {
        if (!sample.valid) continue;
        ratios.push_back(sample.ratio());
        found.fitting += sample.fits;
        found.atBound += sample.size <= sample.bound;
    }
    if (ratios.empty()) return std::nullopt;
    std::sort(ratios.begin(), ratios.end());
    found.valid = ratios.size();
    found.least = ratios.front();
    found.median = ratios[(ratios.size() - 1) / 2];
    found.most = ratios.back();
    return found;
}

Expected<std::vector<RobustnessSample>> robustness(const Problem& problem, const Planner& planner, const OptionValues& options,
                                                   const PlanContext& context, const RobustnessOptions& which)
{
    std::vector<RobustnessSample> samples;
    PlanContext own = context;
    own.publish = nullptr;
    own.recorder = nullptr;
    for (int k = 0; k < which.seeds + which.perturbed; ++k) {
        if (context.shouldStop(0)) break;
        const bool change = k >= which.seeds;
        own.seed = static_cast<std::uint64_t>(change ? k - which.seeds : k);
        const Problem other = change ? perturbed(problem, own.seed, std::clamp(which.percent, 0.0, 90.0)) : Problem{};
        const Problem& planned = change ? other : problem;
        const auto plan = planner.plan(planned, options, own);
        if (!plan) return plan.error();
        const Report report = evaluate(planned, *plan);
        samples.push_back({own.seed, change, report.totalSize(), report.totalBound(), report.verdict.valid(),
                           !report.verdict.overCapacity, change ? sizesChanged(problem, other) : 0});
    }
    return samples;
}

} // namespace stowage

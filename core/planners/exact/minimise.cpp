#include "core/planners/exact/minimise.h"

#include "core/planners/exact/preferences.h"

#include <algorithm>
#include <numeric>

namespace stowage::exact {

namespace {

constexpr std::uint64_t firstLimit = 600; ///< nodes; most instances that are easy in some order are so within a few hundred
constexpr double growth = 1.3;            ///< of the limit from round to round

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

std::int32_t heightOf(const Instance& instance, const std::vector<std::int32_t>& offsets)
{
    std::int32_t height = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) height = std::max(height, offsets[i] + instance.sizes[i]);
    return height;
}

} // namespace

std::int32_t sectionBound(const Instance& instance)
{
    std::vector<std::int32_t> load(at(instance.sections), 0);
    std::int32_t bound = 0;
    for (std::int32_t i = 0; i < instance.count(); ++i) {
        bound = std::max(bound, instance.sizes[at(i)] + std::max(instance.pins[at(i)], 0));
        for (const SectionRange& range : instance.ranges(i))
            for (std::int32_t s = range.begin; s < range.end; ++s) bound = std::max(bound, load[at(s)] += instance.sizes[at(i)]);
    }
    return bound;
}

std::vector<std::int32_t> firstFit(const Instance& instance, std::span<const double> preference)
{
    std::vector<std::int32_t> order(at(instance.count()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return preference[at(a)] > preference[at(b)]; });
    std::vector<std::int32_t> offsets = instance.pins;
    std::vector<std::pair<std::int32_t, std::int32_t>> taken; // begin, end of placed neighbours
    for (const std::int32_t i : order) {
        if (instance.pins[at(i)] >= 0) continue;
        taken.clear();
        for (const std::int32_t other : instance.neighbours(i))
            if (offsets[at(other)] >= 0) taken.emplace_back(offsets[at(other)], offsets[at(other)] + instance.sizes[at(other)]);
        std::sort(taken.begin(), taken.end());
        const auto aligned = [&](std::int32_t value) {
            const std::int32_t alignment = instance.alignments[at(i)];
            return (value + alignment - 1) / alignment * alignment;
        };
        std::int32_t offset = 0;
        for (const auto& [begin, end] : taken)
            if (begin < offset + instance.sizes[at(i)]) offset = std::max(offset, aligned(end));
        offsets[at(i)] = offset;
    }
    return offsets;
}

std::uint64_t minimise(const Instance& instance, const Problem& problem, std::uint64_t seed, const MinimiseLimits& limits,
                       Bracket& bracket)
{
    std::uint64_t nodes = 0;
    if (instance.count() == 0) {
        bracket = {};
        return nodes;
    }
    const Preferences preferences(instance, problem, seed);
    const auto done = [&] {
        return bracket.closed() || bracket.best <= limits.goodEnough ||
               (limits.goodEnough > 0 && bracket.lower > limits.goodEnough) || (limits.nodes > 0 && nodes >= limits.nodes) ||
               (limits.stop && limits.stop());
    };
    const auto take = [&](const std::vector<std::int32_t>& offsets) {
        const std::int32_t height = heightOf(instance, offsets);
        if (!bracket.offsets.empty() && height >= bracket.best) return;
        bracket.offsets = offsets;
        bracket.best = height;
        if (limits.improved) limits.improved(bracket, nodes);
    };
    bracket.lower = std::max(bracket.lower, sectionBound(instance));
    for (std::uint64_t run = 0; run < preferences.round(); ++run) take(firstFit(instance, preferences.forRun(run)));

    // Two searches, as each remembers what it refuted only while its capacity does not grow.
    SkylineSearch atBound(instance), below(instance);
    double limit = firstLimit;
    std::int32_t step = 0; // how far below the best the second search aims
    for (std::uint64_t run = 0; !done(); ++run) {
        const bool aimAtBound = run % 2 == 0 || bracket.best - bracket.lower <= 1;
        step = std::clamp(step, 1, std::max(1, bracket.best - bracket.lower));
        const std::int32_t target = aimAtBound ? std::max(bracket.lower, limits.goodEnough) : bracket.best - step;
        SkylineSearch& search = aimAtBound ? atBound : below;
        std::uint64_t nodeLimit = static_cast<std::uint64_t>(limit);
        if (limits.nodes > 0) nodeLimit = std::min(nodeLimit, limits.nodes - nodes);
        const Outcome outcome = search.run(target, preferences.forRun(run / 2), nodeLimit, limits.stop);
        nodes += search.nodes();
        switch (outcome) {
        case Outcome::found:
            take(search.offsets());
            step = (bracket.best - bracket.lower) / 2;
            break;
        case Outcome::impossible:
            bracket.lower = std::max(bracket.lower, target + 1);
            if (limits.improved) limits.improved(bracket, nodes);
            break;
        case Outcome::limit:
            if (!aimAtBound) step /= 2;
            break;
        case Outcome::stopped: return nodes;
        }
        if (run % (2 * preferences.round()) == 2 * preferences.round() - 1) limit *= growth;
    }
    return nodes;
}

} // namespace stowage::exact

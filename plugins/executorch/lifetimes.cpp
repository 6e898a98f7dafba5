#include "plugins/executorch/lifetimes.h"

#include <algorithm>

namespace stowage::executorch {

namespace {

constexpr std::size_t maxLoops = 256;

/// Instructions that may run more than once.
struct Loops {
    std::vector<Interval> all;
    bool joined = false; ///< they were too many: one stands for all, and which of them a value crosses is not known
};

Loops loopsOf(const std::vector<Touches>& instructions)
{
    std::vector<Interval> loops;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const Step jump = instructions[i].jump;
        if (jump != none && jump <= static_cast<Step>(i)) loops.push_back({jump, static_cast<Step>(i) + 1});
    }
    // The inner ones first: what they make longer may then reach into those around them.
    std::sort(loops.begin(), loops.end(), [](const Interval& a, const Interval& b) {
        return a.length() != b.length() ? a.length() < b.length() : a.begin < b.begin;
    });
    loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
    if (loops.size() <= maxLoops) return {std::move(loops)};
    Interval all = loops.front();
    for (const Interval& loop : loops) all = {std::min(all.begin, loop.begin), std::max(all.end, loop.end)};
    return {{all}, true};
}

} // namespace

std::vector<Lifetime> lifetimesOf(const std::vector<Touches>& instructions, std::size_t values,
                                  const std::vector<std::int32_t>& inputs, const std::vector<std::int32_t>& outputs)
{
    const Step end = std::max<Step>(1, static_cast<Step>(instructions.size()));
    std::vector<Lifetime> lifetimes(values);
    std::vector<bool> readFirst(values);
    const auto touch = [&](std::int32_t value, Interval step) {
        Interval& live = lifetimes[at(value)].live;
        live = live.empty() ? step : Interval{std::min(live.begin, step.begin), std::max(live.end, step.end)};
    };
    for (const std::int32_t value : inputs) {
        touch(value, {0, 1});
        lifetimes[at(value)].written = true;
    }
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const Interval step{static_cast<Step>(i), static_cast<Step>(i) + 1};
        for (const std::int32_t value : instructions[i].read) {
            if (!lifetimes[at(value)].written) readFirst[at(value)] = true;
            touch(value, step);
        }
        for (const std::int32_t value : instructions[i].written) {
            touch(value, step);
            lifetimes[at(value)].written = true;
        }
    }
    for (const std::int32_t value : outputs) touch(value, {end - 1, end});
    const Loops loops = loopsOf(instructions);
    for (const Interval& loop : loops.all)
        for (std::size_t v = 0; v < values; ++v) {
            Interval& live = lifetimes[v].live;
            if (live.empty() || !live.overlaps(loop)) continue;
            const bool inside = loop.begin <= live.begin && live.end <= loop.end;
            if (inside && !readFirst[v] && !loops.joined) continue;
            live = {std::min(live.begin, loop.begin), std::max(live.end, loop.end)};
        }
    return lifetimes;
}

} // namespace stowage::executorch

#include "plugins/executorch/lifetimes.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

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

/// A move, and the instruction that does it.
struct MoveAt {
    Move move;
    Step step = 0;
};

/// All moves, sorted by destination.
std::vector<MoveAt> movesOf(const std::vector<Touches>& instructions)
{
    std::vector<MoveAt> moves;
    for (std::size_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].move) moves.push_back({*instructions[i].move, static_cast<Step>(i)});
    std::stable_sort(moves.begin(), moves.end(), [](const MoveAt& a, const MoveAt& b) { return a.move.to < b.move.to; });
    return moves;
}

std::span<const MoveAt> movesTo(const std::vector<MoveAt>& moves, std::int32_t to)
{
    const auto begin = std::partition_point(moves.begin(), moves.end(), [&](const MoveAt& each) { return each.move.to < to; });
    const auto end = std::partition_point(begin, moves.end(), [&](const MoveAt& each) { return each.move.to == to; });
    return {begin, end};
}

/// Ends the source of each move with the last of the values that moves lead to from it.
void prolongSources(const std::vector<MoveAt>& moves, std::vector<Lifetime>& lifetimes)
{
    std::vector<std::pair<Step, std::int32_t>> destinations; // with their ends, the last one first
    for (const MoveAt& each : moves)
        if (destinations.empty() || destinations.back().second != each.move.to)
            destinations.emplace_back(lifetimes[at(each.move.to)].live.end, each.move.to);
    std::sort(destinations.begin(), destinations.end(), std::greater<>());
    std::vector<bool> reached(lifetimes.size());
    for (const auto& [end, destination] : destinations) {
        std::vector<std::int32_t> open{destination};
        while (!open.empty()) {
            const std::int32_t value = open.back();
            open.pop_back();
            if (reached[at(value)]) continue;
            reached[at(value)] = true;
            Interval& live = lifetimes[at(value)].live;
            live.end = std::max(live.end, end);
            for (const MoveAt& each : movesTo(moves, value)) open.push_back(each.move.from);
        }
    }
}

/// Lets the sources of the moves in a loop live in all of it, if their destinations do: an iteration may read the bytes that the
/// one before it moved.
void keepSources(const std::vector<MoveAt>& moves, const Interval& loop, std::vector<Lifetime>& lifetimes)
{
    const auto covers = [&](std::int32_t value) {
        const Interval& live = lifetimes[at(value)].live;
        return live.begin <= loop.begin && loop.end <= live.end;
    };
    std::vector<std::int32_t> open; // each value at most once: here, or when it begins to cover the loop
    for (const MoveAt& each : moves)
        if (covers(each.move.to) && (open.empty() || open.back() != each.move.to)) open.push_back(each.move.to);
    while (!open.empty()) {
        const std::int32_t value = open.back();
        open.pop_back();
        for (const MoveAt& each : movesTo(moves, value)) {
            if (!loop.contains(each.step) || covers(each.move.from)) continue;
            Interval& live = lifetimes[at(each.move.from)].live;
            live = {std::min(live.begin, loop.begin), std::max(live.end, loop.end)};
            open.push_back(each.move.from);
        }
    }
}

/// What decides whether a value is state.
struct Uses {
    enum class First : std::uint8_t { none, written, read, opaque };
    First first = First::none;
    Step last = none;     ///< the last instruction that names the value
    bool several = false; ///< more than one instruction names it
    bool writtenBack = false;

    void add(Step step, First use)
    {
        if (first == First::none) first = use;
        several = several || (last != none && last != step);
        last = step;
    }
    [[nodiscard]] bool state(bool written) const
    {
        return first == First::read ? written || several : first == First::opaque && writtenBack;
    }
};

} // namespace

std::vector<Lifetime> lifetimesOf(const std::vector<Touches>& instructions, std::size_t values,
                                  const std::vector<std::int32_t>& inputs, const std::vector<std::int32_t>& outputs)
{
    const Step end = std::max<Step>(1, static_cast<Step>(instructions.size()));
    std::vector<Lifetime> lifetimes(values);
    std::vector<bool> readFirst(values);
    std::vector<Uses> uses(values);
    const auto touch = [&](std::int32_t value, Interval step) {
        Interval& live = lifetimes[at(value)].live;
        live = live.empty() ? step : Interval{std::min(live.begin, step.begin), std::max(live.end, step.end)};
    };
    for (const std::int32_t value : inputs) {
        touch(value, {0, 1});
        lifetimes[at(value)].written = true;
        uses[at(value)].first = Uses::First::written;
    }
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const Interval step{static_cast<Step>(i), static_cast<Step>(i) + 1};
        for (const std::int32_t value : instructions[i].read) {
            if (!lifetimes[at(value)].written) readFirst[at(value)] = true;
            uses[at(value)].add(step.begin, instructions[i].opaque ? Uses::First::opaque : Uses::First::read);
            touch(value, step);
        }
        for (const std::int32_t value : instructions[i].written) {
            touch(value, step);
            lifetimes[at(value)].written = true;
            uses[at(value)].add(step.begin, Uses::First::written);
            if (instructions[i].writesBack) uses[at(value)].writtenBack = true;
        }
    }
    for (std::size_t v = 0; v < values; ++v) lifetimes[v].state = uses[v].state(lifetimes[v].written);
    for (const std::int32_t value : outputs) touch(value, {end - 1, end});
    const std::vector<MoveAt> moves = movesOf(instructions);
    prolongSources(moves, lifetimes);
    const Loops loops = loopsOf(instructions);
    for (const Interval& loop : loops.all) {
        for (std::size_t v = 0; v < values; ++v) {
            Interval& live = lifetimes[v].live;
            if (live.empty() || !live.overlaps(loop)) continue;
            const bool inside = loop.begin <= live.begin && live.end <= loop.end;
            if (inside && !readFirst[v] && !loops.joined) continue;
            live = {std::min(live.begin, loop.begin), std::max(live.end, loop.end)};
        }
        keepSources(moves, loop, lifetimes);
    }
    return lifetimes;
}

} // namespace stowage::executorch

// Which bytes of a buffer are occupied in which steps of which iteration: the one place that puts live ranges, windows, carried
// values and early ranges together. Readers and writers of files, the lowering and the judges (checker, proof checker, executor)
// read the fields themselves; everything else asks here.
#pragma once

#include "core/ir/buffer.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace stowage {

/// Why bytes are occupied.
enum class Occupying : std::uint8_t {
    live,    ///< a live range: all bytes
    window,  ///< a window in a gap: some bytes
    carried, ///< a carried value of an earlier iteration: all bytes
};

/// Bytes [low, high) of a buffer, counted from its offset, that are occupied over some steps.
struct Occupied {
    Interval steps;
    Bytes low = 0;
    Bytes high = 0;
    Occupying by = Occupying::live;
    std::int32_t distance = 0; ///< iterations of `round` between the one that made the value and the one at hand; > 0 if carried
    LoopId round = none;       ///< the loop that a carried value is carried round; none if it is not carried
    LoopIteration when = {};   ///< the only iteration in which they are occupied; without a loop: in each
};

/// How `forEachOccupied` treats steps that are live in single iterations only (`Lifetime::early`).
enum class Iterations : std::uint8_t {
    any,  ///< a step counts as live when it is live in some iteration: one entry for each live range, `when` of live ranges empty
    each, ///< live ranges are cut: entries without `when` hold in every iteration, entries with it in that iteration only
};

namespace detail {

/// Calls visit(Interval) for what is left of a live range without the early ranges. O(early^2).
template <typename Visit>
inline void forEachLasting(const Lifetime& lifetime, Interval live, Visit&& visit)
{
    while (!live.empty()) {
        const Early* next = nullptr; // the first one that meets what is left
        for (const Early& early : lifetime.early)
            if (!early.live.empty() && early.live.overlaps(live) && (!next || early.live.begin < next->live.begin)) next = &early;
        if (!next) return visit(live);
        if (live.begin < next->live.begin) visit(Interval{live.begin, next->live.begin});
        live.begin = next->live.end;
    }
}

} // namespace detail

/// Calls visit(const Occupied&) for the buffer's live ranges in ascending order, then its early ranges (with `Iterations::each`),
/// windows and carried values, each in their own order. Entries with the same bytes may overlap in time when they belong to
/// different iterations. The steps are those of the problem's axis; with `Axis::dag` they only illustrate, and the caller decides
/// whether to ask. O(entries); with `Iterations::each` O(live * early^2). Inlined: planners call it in their inner loops.
template <Iterations iterations = Iterations::any, typename Visit>
inline void forEachOccupied(const Buffer& buffer, Visit&& visit)
{
    for (const Interval& live : buffer.live) {
        if constexpr (iterations == Iterations::any)
            visit(Occupied{live, 0, buffer.size});
        else
            detail::forEachLasting(buffer, live, [&](const Interval& steps) { visit(Occupied{steps, 0, buffer.size}); });
    }
    if constexpr (iterations == Iterations::each)
        for (const Early& early : buffer.early)
            visit(Occupied{.steps = early.live, .low = 0, .high = buffer.size, .when = early.when});
    for (const Window& window : buffer.windows) visit(Occupied{window.live, window.low, window.high, Occupying::window});
    for (const Carried& carried : buffer.carried)
        visit(Occupied{carried.live, 0, buffer.size, Occupying::carried, carried.distance,
                       carried.loop == none ? buffer.loop : carried.loop, carried.when});
}

/// True when `test` (of `const Occupied&`) holds for one of the entries that `forEachOccupied` visits. Stops at the first one.
template <typename Test>
[[nodiscard]] inline bool anyOccupied(const Buffer& buffer, Test&& test)
{
    return std::any_of(buffer.live.begin(), buffer.live.end(),
                       [&](const Interval& live) {
                           return test(Occupied{live, 0, buffer.size});
                       }) ||
           std::any_of(buffer.windows.begin(), buffer.windows.end(),
                       [&](const Window& window) {
                           return test(Occupied{window.live, window.low, window.high, Occupying::window});
                       }) ||
           std::any_of(buffer.carried.begin(), buffer.carried.end(), [&](const Carried& carried) {
               return test(Occupied{carried.live, 0, buffer.size, Occupying::carried, carried.distance,
                                    carried.loop == none ? buffer.loop : carried.loop, carried.when});
           });
}

/// The steps of a live range from its begin to the first one that is live in single iterations only; may be empty.
[[nodiscard]] Interval untilFirstEarly(const Lifetime& lifetime, Interval live);

/// All steps at which some byte is occupied in some iteration: ascending, disjoint, ranges that touch joined. O(n log n).
[[nodiscard]] std::vector<Interval> occupiedSteps(const Buffer& buffer);

/// The steps of `range` that are not live: ascending, disjoint. O(live).
[[nodiscard]] std::vector<Interval> besideLive(const Lifetime& lifetime, Interval range);

/// The steps at which a carried value is held and the buffer is not live: ascending, disjoint. O(n log n).
[[nodiscard]] std::vector<Interval> carriedBesideLive(const Lifetime& lifetime);

/// True when values of two iterations would be in the same one of `slots` slots at the same time: a carried value and the one of
/// the iteration at hand, or two carried values of different age. `slots` >= 1. O(carried * (carried + live)).
[[nodiscard]] bool iterationsMeet(const Buffer& buffer, std::int32_t slots);

/// Addresses that the buffer needs at the same time: its slots, or more where a carried value would meet a newer one in the same
/// slot. >= 1.
[[nodiscard]] std::int32_t slotsNeeded(const Buffer& buffer);

// --- changes --------------------------------------------------------------------------------------------------------------

/// Sets the size, and cuts windows to it; windows above it go.
void resize(Buffer& buffer, Bytes size);

/// Sets the live ranges; windows that are not inside a gap between them go.
void setLive(Buffer& buffer, const std::vector<Interval>& live);

/// Makes windows live ranges over all bytes: what a planner does that cannot place parts. Ranges may overlap afterwards.
void widenWindows(Lifetime& lifetime);

/// Removes entries of one kind. True when there were any.
bool dropWindows(Lifetime& lifetime);
bool dropCarried(Lifetime& lifetime);
bool dropEarly(Lifetime& lifetime);

/// Calls change(Interval&) for each range of steps of the lifetime, of whatever kind.
template <typename Change>
inline void forEachRange(Lifetime& lifetime, Change&& change)
{
    for (Interval& range : lifetime.live) change(range);
    for (Window& window : lifetime.windows) change(window.live);
    for (Carried& carried : lifetime.carried) change(carried.live);
    for (Early& early : lifetime.early) change(early.live);
}

} // namespace stowage

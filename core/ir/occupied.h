// Which bytes of a buffer are occupied in which steps of which iteration. Combines live ranges, windows, carried values and early
// ranges. Only readers and writers of files, the lowering, the checkers and the executor read these fields directly; all other
// code uses these functions.
#pragma once

#include "core/ir/buffer.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace stowage {

/// Why bytes are occupied, and which bytes of the buffer.
enum class Occupying : std::uint8_t {
    live,    ///< in a live range: all bytes
    window,  ///< in a window: the bytes of the window
    carried, ///< by a carried value of an earlier iteration: all bytes
};

/// Bytes [low, high) of a buffer, counted from its offset, that are occupied over some steps.
struct Occupied {
    Interval steps;
    Bytes low = 0;
    Bytes high = 0;
    Occupying by = Occupying::live;
    std::int32_t distance = 0; ///< iterations of `round` since the one that made the value; > 0 if carried
    LoopId round = none;       ///< the loop whose iterations the value is carried across; none if it is not carried
    LoopIteration when = {};   ///< the only iteration in which the bytes are occupied; without a loop: every iteration
};

/// How `forEachOccupied` treats early ranges (`Lifetime::early`), which are live in a single iteration only.
enum class Iterations : std::uint8_t {
    any,  ///< one entry for each live range, as if it were live in every iteration
    each, ///< early ranges are cut out of the live ranges and become entries of their own, with `when`
};

namespace detail {

/// Calls visit(Interval) for the parts of `live` outside of early ranges, ascending. O(early^2).
template <typename Visit>
inline void forEachLasting(const Lifetime& lifetime, Interval live, Visit&& visit)
{
    while (!live.empty()) {
        const Early* next = nullptr; // the first early range that overlaps the rest
        for (const Early& early : lifetime.early)
            if (!early.live.empty() && early.live.overlaps(live) && (!next || early.live.begin < next->live.begin)) next = &early;
        if (!next) return visit(live);
        if (live.begin < next->live.begin) visit(Interval{live.begin, next->live.begin});
        live.begin = next->live.end;
    }
}

} // namespace detail

/// Calls visit(const Occupied&) for the buffer's live ranges in ascending order, then for its early ranges (with
/// `Iterations::each`), its windows and its carried values, each in the order of their list. Entries of different iterations may
/// overlap in bytes and steps. With `Axis::dag` the steps are those of one possible order and decide no conflict. O(entries);
/// with `Iterations::each` O(entries + live * early^2). Inline, because planners call it in inner loops.
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

/// True if `test(const Occupied&)` holds for an entry that `forEachOccupied` visits with `Iterations::any`. Stops at the first
/// such entry.
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

/// The part of `live`, one of the live ranges, before the first early range; may be empty.
[[nodiscard]] Interval untilFirstEarly(const Lifetime& lifetime, Interval live);

/// All steps at which some byte is occupied in some iteration: ascending, disjoint, adjacent ranges joined. O(n log n).
[[nodiscard]] std::vector<Interval> occupiedSteps(const Buffer& buffer);

/// The steps of `range` that are not live: ascending, disjoint. O(live).
[[nodiscard]] std::vector<Interval> besideLive(const Lifetime& lifetime, Interval range);

/// The steps at which the buffer holds a carried value and is not live: ascending, disjoint. O(n log n).
[[nodiscard]] std::vector<Interval> carriedBesideLive(const Lifetime& lifetime);

/// True if, with `slots` slots that rotate, values of two iterations would need the same slot at the same time: a carried value
/// and the current iteration's value, in a live range or a window, or two carried values of different distance. Requires `slots`
/// >= 1. O(carried * entries).
[[nodiscard]] bool iterationsMeet(const Buffer& buffer, std::int32_t slots);

/// Number of slots that the buffer needs, >= 1: the smallest number from `PlaceRules::slots` on for which `iterationsMeet` is
/// false.
[[nodiscard]] std::int32_t slotsNeeded(const Buffer& buffer);

// --- changes --------------------------------------------------------------------------------------------------------------

/// Sets the size. Windows are cut to it, and windows entirely above it are removed.
void resize(Buffer& buffer, Bytes size);

/// Sets the live ranges, and removes windows that are no longer inside a gap.
void setLive(Buffer& buffer, const std::vector<Interval>& live);

/// Turns each window into a live range over all bytes, for planners without support for windows. Live ranges may be out of order
/// afterwards.
void widenWindows(Lifetime& lifetime);

/// Remove all entries of one kind. True if there were any.
bool dropWindows(Lifetime& lifetime);
bool dropCarried(Lifetime& lifetime);
bool dropEarly(Lifetime& lifetime);

/// Calls change(Interval&) for each range of steps: of live ranges, windows, carried values and early ranges.
template <typename Change>
inline void forEachRange(Lifetime& lifetime, Change&& change)
{
    for (Interval& range : lifetime.live) change(range);
    for (Window& window : lifetime.windows) change(window.live);
    for (Carried& carried : lifetime.carried) change(carried.live);
    for (Early& early : lifetime.early) change(early.live);
}

} // namespace stowage

#include "core/ir/occupied.h"

#include <utility>

namespace stowage {

namespace {

/// The union of `ranges`: ascending, disjoint, adjacent ranges joined, without empty ranges.
std::vector<Interval> joined(std::vector<Interval> ranges)
{
    std::sort(ranges.begin(), ranges.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    std::vector<Interval> result;
    for (const Interval& range : ranges) {
        if (range.empty()) continue;
        if (!result.empty() && range.begin <= result.back().end)
            result.back().end = std::max(result.back().end, range.end);
        else
            result.push_back(range);
    }
    return result;
}

template <typename Entry>
bool drop(RareList<Entry>& entries)
{
    return !std::exchange(entries, {}).empty();
}

} // namespace

Interval untilFirstEarly(const Lifetime& lifetime, Interval live)
{
    for (const Early& early : lifetime.early)
        if (early.live.overlaps(live)) live.end = std::min(live.end, early.live.begin);
    return live;
}

std::vector<Interval> occupiedSteps(const Buffer& buffer)
{
    std::vector<Interval> all;
    forEachOccupied(buffer, [&](const Occupied& it) { all.push_back(it.steps); });
    return joined(std::move(all));
}

std::vector<Interval> besideLive(const Lifetime& lifetime, Interval range)
{
    std::vector<Interval> result;
    for (const Interval& live : lifetime.live) {
        if (live.end <= range.begin) continue;
        if (live.begin >= range.end) break;
        if (range.begin < live.begin) result.push_back({range.begin, live.begin});
        range.begin = live.end;
    }
    if (!range.empty()) result.push_back(range);
    return result;
}

std::vector<Interval> carriedBesideLive(const Lifetime& lifetime)
{
    std::vector<Interval> all;
    for (const Carried& carried : lifetime.carried) all.push_back(carried.live);
    std::vector<Interval> result;
    for (const Interval& held : joined(std::move(all))) {
        const std::vector<Interval> parts = besideLive(lifetime, held);
        result.insert(result.end(), parts.begin(), parts.end());
    }
    return result;
}

bool iterationsMeet(const Buffer& buffer, std::int32_t slots)
{
    for (const Carried& held : buffer.carried) {
        const bool meets = anyOccupied(buffer, [&](const Occupied& newer) { // distance 0: a live range or a window
            return held.distance > newer.distance && (held.distance - newer.distance) % slots == 0 &&
                   newer.steps.overlaps(held.live);
        });
        if (meets) return true;
    }
    return false;
}

std::int32_t slotsNeeded(const Buffer& buffer)
{
    std::int32_t slots = std::max(buffer.slots, 1);
    while (iterationsMeet(buffer, slots)) ++slots; // ends at most at the largest distance + 1
    return slots;
}

void resize(Buffer& buffer, Bytes size)
{
    buffer.size = size;
    eraseIf(buffer.windows, [&](const Window& window) { return window.low >= size; });
    for (Window& window : buffer.windows) window.high = std::min(window.high, size);
}

void setLive(Buffer& buffer, const std::vector<Interval>& live)
{
    buffer.live = live;
    eraseIf(buffer.windows, [&](const Window& window) {
        if (!buffer.hull().contains(window.live.begin) || window.live.end > buffer.hull().end) return true;
        return std::any_of(buffer.live.begin(), buffer.live.end(),
                           [&](const Interval& range) { return range.overlaps(window.live); });
    });
}

void widenWindows(Lifetime& lifetime)
{
    for (const Window& window : lifetime.windows) lifetime.live.push_back(window.live);
    lifetime.windows.clear();
}

bool dropWindows(Lifetime& lifetime)
{
    return drop(lifetime.windows);
}

bool dropCarried(Lifetime& lifetime)
{
    return drop(lifetime.carried);
}

bool dropEarly(Lifetime& lifetime)
{
    return drop(lifetime.early);
}

} // namespace stowage

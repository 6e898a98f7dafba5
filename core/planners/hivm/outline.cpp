#include "core/planners/hivm/outline.h"

#include <algorithm>
#include <utility>

namespace stowage::hivm {

namespace {

/// Joins lives that overlap or touch. The first one of a joined row gives its owner.
std::vector<Life> joined(std::vector<Life> lives)
{
    std::stable_sort(lives.begin(), lives.end(), [](const Life& a, const Life& b) {
        return a.steps.begin != b.steps.begin ? a.steps.begin < b.steps.begin : a.steps.end < b.steps.end;
    });
    std::vector<Life> result;
    for (const Life& life : lives) {
        if (!result.empty() && life.steps.begin <= result.back().steps.end)
            result.back().steps.end = std::max(result.back().steps.end, life.steps.end);
        else result.push_back(life);
    }
    return result;
}

/// Something that several bounds held is one thing.
std::vector<Held> distinct(std::vector<Held> held)
{
    const auto key = [](const Held& it) { return std::pair(it.entry, it.offset); };
    std::sort(held.begin(), held.end(), [&](const Held& a, const Held& b) { return key(a) < key(b); });
    held.erase(std::unique(held.begin(), held.end(), [&](const Held& a, const Held& b) { return key(a) == key(b); }), held.end());
    return held;
}

std::vector<Life> own(const std::vector<Interval>& live, BufferId owner)
{
    std::vector<Life> lives;
    lives.reserve(live.size());
    for (const Interval& steps : live) lives.push_back({steps, owner});
    return lives;
}

} // namespace

Outline::Change Outline::put(std::size_t first, std::size_t last, Bytes offset, Bytes size, const std::vector<Interval>& live,
                             BufferId owner, std::int32_t entry, bool follow)
{
    const auto begin = bounds_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = bounds_.begin() + static_cast<std::ptrdiff_t>(last) + 1;
    const Bytes high = offset + size;
    std::vector<Bound> made;
    if (offset > begin->offset) {
        made.push_back(*begin);
        made.back().extent = offset - begin->offset;
    }
    if (split_) {
        for (auto bound = begin; bound != end; ++bound) {
            std::vector<Life> lives = own(live, owner);
            lives.insert(lives.end(), bound->lives.begin(), bound->lives.end());
            const Bytes low = std::max(bound->offset, offset);
            made.push_back({low, std::min(bound->end(), high) - low, joined(std::move(lives)), bound->held, follow ? entry : none});
            made.back().held.push_back({entry, offset});
        }
    } else {
        std::vector<Life> lives = own(live, owner);
        std::vector<Held> held{{entry, offset}};
        for (auto bound = begin; bound != end; ++bound) {
            lives.insert(lives.end(), bound->lives.begin(), bound->lives.end());
            held.insert(held.end(), bound->held.begin(), bound->held.end());
        }
        made.push_back({offset, size, joined(std::move(lives)), distinct(std::move(held)), follow ? entry : none});
    }
    if (const Bound& cut = *(end - 1); cut.end() > high) {
        Bound rest = cut;
        rest.offset = high;
        rest.extent = cut.end() - high;
        made.push_back(std::move(rest));
    }
    Change change{first, made.size(), {begin, end}};
    const auto where = bounds_.erase(begin, end);
    bounds_.insert(where, made.begin(), made.end());
    return change;
}

void Outline::undo(const Change& change)
{
    const auto begin = bounds_.begin() + static_cast<std::ptrdiff_t>(change.index);
    const auto where = bounds_.erase(begin, begin + static_cast<std::ptrdiff_t>(change.count));
    bounds_.insert(where, change.replaced.begin(), change.replaced.end());
}

} // namespace stowage::hivm

#include "core/planners/hivm/outline.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stowage::hivm {

namespace {

constexpr std::size_t mergedAtMost = 4; ///< lists; more are sorted

/// What `from` has in each of the given bounds, and `first`, ascending by `less`; equal ones in the order of the lists, those of
/// `first` in front. All lists ascend already, and `first` is short.
template <typename Item, typename Bounds, typename Less>
std::vector<Item> gathered(const std::vector<Item>& first, Bounds begin, Bounds end, std::vector<Item> Bound::*from, Less less)
{
    std::vector<Item> all;
    if (static_cast<std::size_t>(end - begin) > mergedAtMost) {
        all = first;
        for (auto bound = begin; bound != end; ++bound) all.insert(all.end(), ((*bound).*from).begin(), ((*bound).*from).end());
        std::stable_sort(all.begin(), all.end(), less);
        return all;
    }
    all.reserve(((*begin).*from).size() + first.size());
    all = (*begin).*from;
    for (auto bound = begin + 1; bound != end; ++bound) {
        std::vector<Item> merged;
        merged.reserve(all.size() + ((*bound).*from).size() + first.size());
        std::merge(all.begin(), all.end(), ((*bound).*from).begin(), ((*bound).*from).end(), std::back_inserter(merged), less);
        all = std::move(merged);
    }
    for (std::size_t i = first.size(); i-- > 0;) all.insert(std::lower_bound(all.begin(), all.end(), first[i], less), first[i]);
    return all;
}

bool beginsEarlier(const Life& a, const Life& b)
{
    return a.steps.begin != b.steps.begin ? a.steps.begin < b.steps.begin : a.steps.end < b.steps.end;
}

bool comesBefore(const Held& a, const Held& b)
{
    return a.entry != b.entry ? a.entry < b.entry : a.offset < b.offset;
}

/// Joins lives that overlap or touch, of an ascending list. The first one of a joined row gives its owner.
std::vector<Life> joined(std::vector<Life> lives)
{
    std::size_t kept = 0;
    for (const Life& life : lives) {
        if (kept > 0 && life.steps.begin <= lives[kept - 1].steps.end)
            lives[kept - 1].steps.end = std::max(lives[kept - 1].steps.end, life.steps.end);
        else
            lives[kept++] = life;
    }
    lives.resize(kept);
    return lives;
}

/// Something that several bounds held is one thing; and what does not reach into the bound (any more) is nothing to it.
void keepOwn(Bound& bound)
{
    bound.held.erase(std::unique(bound.held.begin(), bound.held.end(),
                                 [](const Held& a, const Held& b) { return a.entry == b.entry && a.offset == b.offset; }),
                     bound.held.end());
    std::erase_if(bound.held, [&](const Held& held) { return !held.overlaps(bound.offset, bound.end()); });
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
    made.reserve(static_cast<std::size_t>(end - begin) + 2);
    if (offset > begin->offset) {
        made.push_back(*begin);
        made.back().extent = offset - begin->offset;
    }
    const std::vector<Held> it{{entry, offset, size}};
    const auto add = [&](Bytes low, Bytes extent, auto from, auto to) {
        made.push_back({low, extent, joined(gathered(own(live, owner), from, to, &Bound::lives, beginsEarlier)),
                        gathered(it, from, to, &Bound::held, comesBefore), follow ? entry : none});
    };
    if (split_) {
        for (auto bound = begin; bound != end; ++bound) {
            const Bytes low = std::max(bound->offset, offset);
            add(low, std::min(bound->end(), high) - low, bound, bound + 1);
        }
    } else {
        add(offset, size, begin, end);
    }
    if (const Bound& cut = *(end - 1); cut.end() > high) {
        Bound rest = cut;
        rest.offset = high;
        rest.extent = cut.end() - high;
        made.push_back(std::move(rest));
    }
    for (Bound& bound : made) keepOwn(bound);
    Change change{first, made.size(), {std::make_move_iterator(begin), std::make_move_iterator(end)}};
    const auto where = bounds_.erase(begin, end);
    bounds_.insert(where, std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
    return change;
}

void Outline::undo(Change&& change)
{
    const auto begin = bounds_.begin() + static_cast<std::ptrdiff_t>(change.index);
    const auto where = bounds_.erase(begin, begin + static_cast<std::ptrdiff_t>(change.count));
    bounds_.insert(where, std::make_move_iterator(change.replaced.begin()), std::make_move_iterator(change.replaced.end()));
}

} // namespace stowage::hivm

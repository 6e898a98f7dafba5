#include "core/planners/rectangles/rectangle.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <map>

namespace stowage::exact {

namespace {
constexpr std::size_t mostLive = 4096; ///< pieces live together: the depth of a tree of orders
} // namespace

bool fillUp(std::vector<Piece>& pieces, Bytes& height)
{
    std::map<Step, Bytes> change;
    for (const Piece& piece : pieces) {
        change[piece.begin] += piece.size;
        change[piece.end] -= piece.size;
    }
    if (change.empty()) return false;
    Bytes live = 0;
    height = 0;
    for (const auto& [step, by] : change) {
        const auto sum = checkedAdd(live, by);
        if (!sum) return false;
        height = std::max(height, live = *sum);
    }
    std::vector<std::pair<Step, Bytes>> open;                         // begin and size of the slices under way
    const std::size_t limit = pieces.size() + pieces.size() / 16 + 4; // more of them, and it is another kind of input
    std::size_t count = 0;
    std::map<Step, std::int64_t> together;
    for (const auto& [step, by] : change) {
        Bytes more = -by; // bytes not live
        if (step == change.begin()->first) more = height - by;
        if (step == change.rbegin()->first) more = -height;
        while (more < 0 && !open.empty()) {
            auto& [begin, size] = open.back();
            const Bytes part = std::min(size, -more);
            pieces.push_back({begin, step, part, 1});
            more += part;
            size -= part;
            if (size == 0) open.pop_back();
        }
        if (more > 0) open.emplace_back(step, more);
        if (pieces.size() > limit) return false;
    }
    for (const Piece& piece : pieces) {
        ++together[piece.begin];
        --together[piece.end];
    }
    for (const auto& [step, by] : together)
        if ((count += static_cast<std::size_t>(by)) > mostLive) return false;
    return true;
}

bool isLayout(std::span<const Piece> pieces, const std::vector<Bytes>& offsets, Bytes height)
{
    std::map<Step, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> events;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        if (offsets[p] < 0 || offsets[p] + pieces[p].size > height || offsets[p] % pieces[p].alignment != 0) return false;
        events[pieces[p].end].first.push_back(p);
        events[pieces[p].begin].second.push_back(p);
    }
    std::map<Bytes, Bytes> live; // offset, end
    for (const auto& [step, event] : events) {
        for (const std::size_t p : event.first) live.erase(offsets[p]);
        for (const std::size_t p : event.second) {
            const Bytes low = offsets[p], high = low + pieces[p].size;
            const auto [it, isNew] = live.emplace(low, high);
            if (!isNew || (it != live.begin() && std::prev(it)->second > low) ||
                (std::next(it) != live.end() && std::next(it)->first < high))
                return false;
        }
    }
    return true;
}

std::vector<Step> eventsOf(std::span<const Piece> pieces)
{
    std::vector<Step> steps;
    steps.reserve(2 * pieces.size());
    for (const Piece& piece : pieces) {
        steps.push_back(piece.begin);
        steps.push_back(piece.end);
    }
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

std::int32_t eventAt(const std::vector<Step>& events, Step step)
{
    return static_cast<std::int32_t>(std::lower_bound(events.begin(), events.end(), step) - events.begin());
}

} // namespace stowage::exact

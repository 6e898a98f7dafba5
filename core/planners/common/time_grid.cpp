#include "core/planners/common/time_grid.h"

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

/// Ranks are steps minus `base`: no sort needed.
void rankDense(std::span<const Interval> intervals, Step base, std::vector<Ranks>& ranks)
{
    for (const Interval& i : intervals)
        ranks.push_back({static_cast<std::int32_t>(i.begin - base), static_cast<std::int32_t>(i.end - base)});
}

/// Ranks are positions among the distinct ends of the intervals. Returns the largest.
std::int32_t rankSparse(std::span<const Interval> intervals, std::vector<Ranks>& ranks)
{
    std::vector<std::pair<Step, std::uint32_t>> ends; // step, 2 * interval + (1 for its end)
    ends.reserve(intervals.size() * 2);
    for (std::uint32_t i = 0; i < intervals.size(); ++i) {
        ends.emplace_back(intervals[i].begin, 2 * i);
        ends.emplace_back(intervals[i].end, 2 * i + 1);
    }
    std::sort(ends.begin(), ends.end());
    ranks.resize(intervals.size());
    std::int32_t rank = -1;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        if (k == 0 || ends[k].first != ends[k - 1].first) ++rank;
        Ranks& r = ranks[ends[k].second / 2];
        (ends[k].second % 2 == 0 ? r.begin : r.end) = rank;
    }
    return rank;
}

} // namespace

TimeGrid::TimeGrid(std::span<const Interval> intervals, std::vector<Ranks>& ranks)
{
    ranks.clear();
    if (intervals.empty()) return;
    Step low = intervals.front().begin;
    Step high = intervals.front().end;
    for (const Interval& i : intervals) {
        low = std::min(low, i.begin);
        high = std::max(high, i.end);
    }
    ranks.reserve(intervals.size());
    const Step dense = static_cast<Step>(intervals.size()) * 4 + 1024; // arrays over the steps stay linear in the intervals
    std::int32_t size = 0;
    if (low >= high - dense) {
        rankDense(intervals, low, ranks);
        size = static_cast<std::int32_t>(high - low);
    } else {
        size = rankSparse(intervals, ranks);
    }

    std::vector<std::int32_t> events(static_cast<std::size_t>(size) + 1);
    for (const Ranks& r : ranks) {
        ++events[static_cast<std::size_t>(r.begin)];
        ++events[static_cast<std::size_t>(r.end)];
    }
    blockOf_.resize(static_cast<std::size_t>(size));
    std::int32_t inBlock = 0;
    for (std::int32_t rank = 0; rank < size; ++rank) {
        const std::int32_t here = events[static_cast<std::size_t>(rank)];
        if ((inBlock > 0 && inBlock + here > eventsPerBlock) || rank - blockBegin_.back() == maxBlock) {
            blockBegin_.push_back(rank);
            inBlock = 0;
        }
        inBlock += here;
        blockOf_[static_cast<std::size_t>(rank)] = static_cast<std::int32_t>(blockBegin_.size()) - 1;
    }
    blockBegin_.push_back(size);
}

} // namespace stowage

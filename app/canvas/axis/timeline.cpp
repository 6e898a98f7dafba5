#include "app/canvas/axis/timeline.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace stowage {

namespace {

/// Operators by their first call; what lives between them goes first.
void sortByTime(const Problem& problem, Categories& found)
{
    std::unordered_map<std::string_view, Step> firstCall{{betweenOperators, -1}};
    for (const Scope& scope : problem.scopes)
        if (!scope.live.empty()) firstCall.try_emplace(scope.name, scope.live.front().begin);
    const auto begin = [&](const std::string& name) {
        const auto at = firstCall.find(name);
        return at == firstCall.end() ? problem.horizon() : at->second;
    };
    std::vector<std::pair<Step, std::int32_t>> order;
    for (std::size_t i = 0; i < found.names.size(); ++i) order.emplace_back(begin(found.names[i]), std::int32_t(i));
    std::sort(order.begin(), order.end());
    std::vector<std::int32_t> rank(order.size());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < order.size(); ++i) {
        rank[std::size_t(order[i].second)] = std::int32_t(i);
        names.push_back(std::move(found.names[std::size_t(order[i].second)]));
    }
    found.names = std::move(names);
    for (std::int32_t& of : found.of) of = rank[std::size_t(of)];
}

} // namespace

ColourBy defaultGrouping(const Run& run)
{
    if (hasColouring(run, ColourBy::scope)) return ColourBy::scope;
    return run.program ? ColourBy::opKind : ColourBy::kind;
}

Timeline::Timeline(const Run& run, ColourBy by)
{
    const Problem& problem = run.problem();
    Categories found = categories(run, by);
    if (by == ColourBy::scope) sortByTime(problem, found);
    const bool open = problem.buffers.size() <= (found.names.size() == 1 ? openAloneAtMost : openAtMost);
    for (std::string& name : found.names) groups_.push_back({std::move(name), 0, {}, open, false, {}, {}});
    if (by == ColourBy::scope)
        for (std::size_t i = 0; i < problem.buffers.size(); ++i)
            if (const ScopeId scope = problem.buffers[i].scope; scope != none && groups_[std::size_t(found.of[i])].calls.empty())
                groups_[std::size_t(found.of[i])].calls = problem.scopes[std::size_t(scope)].live;
    beginOf_.reserve(problem.buffers.size());
    std::vector<std::vector<WeightedRange>> ranges(groups_.size());
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        TimelineGroup& group = groups_[std::size_t(found.of[i])];
        group.members.push_back(BufferId(i));
        group.bytes += problem.buffers[i].size;
        beginOf_.push_back(problem.buffers[i].hull().begin);
        for (const Interval& live : problem.buffers[i].live)
            ranges[std::size_t(found.of[i])].push_back({live.begin, live.end, 1});
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].live = StepFunction::summing(std::move(ranges[g]));
    groupOf_ = std::move(found.of);
    rankOf_.resize(problem.buffers.size());
    for (TimelineGroup& group : groups_)
        if (group.open) sortMembers(group);
    layOut();
}

void Timeline::sortMembers(TimelineGroup& group)
{
    if (group.sorted) return;
    group.sorted = true;
    std::sort(group.members.begin(), group.members.end(), [this](BufferId a, BufferId b) {
        return std::pair(beginOf_[std::size_t(a)], a) < std::pair(beginOf_[std::size_t(b)], b);
    });
    for (std::size_t i = 0; i < group.members.size(); ++i) rankOf_[std::size_t(group.members[i])] = std::uint32_t(i);
}

void Timeline::layOut()
{
    tops_.assign(1, 0);
    for (const TimelineGroup& group : groups_)
        tops_.push_back(tops_.back() + headHeight + (group.open ? each_ * double(group.members.size()) : 0));
}

double Timeline::height() const
{
    return tops_.empty() ? 0 : tops_.back();
}

void Timeline::fitRows(double room)
{
    const double heads = headHeight * double(groups_.size());
    const double each = std::floor((room - heads) / double(std::max<std::size_t>(1, groupOf_.size())));
    each_ = std::clamp(each, rowHeight, tallestRow);
    layOut();
}

void Timeline::setOpen(std::size_t group, bool open)
{
    if (group >= groups_.size()) return;
    groups_[group].open = open;
    if (open) sortMembers(groups_[group]);
    layOut();
}

void Timeline::setOpen(const std::vector<bool>& open)
{
    for (std::size_t i = 0; i < std::min(open.size(), groups_.size()); ++i) {
        groups_[i].open = open[i];
        if (open[i]) sortMembers(groups_[i]);
    }
    layOut();
}

void Timeline::setAllOpen(bool open)
{
    setOpen(std::vector<bool>(groups_.size(), open));
}

TimelineRow Timeline::row(std::size_t group, std::size_t member) const
{
    return {group, groups_[group].members[member], tops_[group] + headHeight + each_ * double(member), each_};
}

std::vector<TimelineRow> Timeline::rowsIn(double top, double bottom) const
{
    std::vector<TimelineRow> rows;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (tops_[g + 1] <= top) continue;
        if (tops_[g] >= bottom) break;
        if (tops_[g] + headHeight > top) rows.push_back({g, none, tops_[g], headHeight});
        if (!groups_[g].open) continue;
        const double first = tops_[g] + headHeight;
        const auto from = std::size_t(std::max(0.0, (top - first) / each_));
        for (std::size_t i = from; i < groups_[g].members.size() && first + each_ * double(i) < bottom; ++i)
            rows.push_back(row(g, i));
    }
    return rows;
}

std::optional<TimelineRow> Timeline::rowAt(double y) const
{
    if (y < 0 || y >= height()) return std::nullopt;
    const auto next = std::upper_bound(tops_.begin(), tops_.end(), y);
    const auto group = std::size_t(next - tops_.begin()) - 1;
    if (y < tops_[group] + headHeight) return TimelineRow{group, none, tops_[group], headHeight};
    return row(group, std::size_t((y - tops_[group] - headHeight) / each_));
}

std::optional<std::size_t> Timeline::groupOf(BufferId buffer) const
{
    if (buffer < 0 || std::size_t(buffer) >= groupOf_.size()) return std::nullopt;
    return std::size_t(groupOf_[std::size_t(buffer)]);
}

std::optional<TimelineRow> Timeline::rowOf(BufferId buffer) const
{
    const auto group = groupOf(buffer);
    if (!group || !groups_[*group].open) return std::nullopt;
    return row(*group, rankOf_[std::size_t(buffer)]);
}

void Timeline::reveal(BufferId buffer)
{
    if (const auto group = groupOf(buffer)) setOpen(*group, true);
}

} // namespace stowage

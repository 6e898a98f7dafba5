#include "core/planners/rectangles/groupings.h"

#include <algorithm>

namespace stowage::exact {

namespace {

constexpr std::size_t mostSums = 4000;    ///< of parts that end (or begin) at one step
constexpr std::size_t mostGroupings = 32; ///< of one step
constexpr int mostSteps = 5000;           ///< of the enumeration of groupings

std::vector<std::int32_t> partsOf(const std::vector<std::int32_t>& list, const std::vector<std::int32_t>& places)
{
    std::vector<std::int32_t> result;
    for (const std::int32_t m : places) result.push_back(list[at(m)]);
    return result;
}

} // namespace

Groupings::Groupings(const LineGraph& graph, std::vector<std::int32_t> ends, std::vector<std::int32_t> begins,
                     const Possible& possible)
    : parts_(graph.parts()), ends_(std::move(ends)), begins_(std::move(begins)), possible_(possible)
{
}

std::vector<Grouping> Groupings::all()
{
    if (ends_.empty()) return {{}};
    std::vector<Bytes> endSizes, beginSizes;
    for (const std::int32_t p : ends_) endSizes.push_back(parts_[at(p)].size);
    for (const std::int32_t p : begins_) beginSizes.push_back(parts_[at(p)].size);
    lines_.resize(ends_.size());
    for (EqualSums& sums : findEqualSums(endSizes, beginSizes, mostSums).sums)
        if (possible_(partsOf(ends_, sums.ends)))
            for (const std::int32_t e : sums.ends) lines_[at(e)].push_back(sums);
    covered_.assign(ends_.size(), false);
    used_.assign(begins_.size(), false);
    extend();
    std::stable_sort(found_.begin(), found_.end(), [](const Grouping& a, const Grouping& b) { return a.size() > b.size(); });
    if ((found_.empty() || found_.back().size() != 1) && possible_(ends_)) found_.push_back({{ends_, begins_}});
    return std::move(found_);
}

void Groupings::add(const Grouping& grouping)
{
    // Parts that nothing tells apart are interchangeable.
    std::vector<std::pair<Kinds, Kinds>> key;
    const auto kindsOf = [&](const Members& list) {
        Kinds kinds;
        for (const std::int32_t p : list) {
            const LineGraph::Part& part = parts_[at(p)];
            kinds.emplace_back(part.beginEvent, part.endEvent, part.beginLine, part.endLine, part.size);
        }
        std::sort(kinds.begin(), kinds.end());
        return kinds;
    };
    for (const LineEnds& line : grouping) key.emplace_back(kindsOf(line.ends), kindsOf(line.begins));
    std::sort(key.begin(), key.end());
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
    seen_.push_back(std::move(key));
    found_.push_back(grouping);
}

bool Groupings::isFree(const EqualSums& line) const
{
    return std::none_of(line.ends.begin(), line.ends.end(), [&](std::int32_t m) { return covered_[at(m)]; }) &&
           std::none_of(line.begins.begin(), line.begins.end(), [&](std::int32_t m) { return used_[at(m)]; });
}

void Groupings::mark(const EqualSums& line, bool to)
{
    for (const std::int32_t m : line.ends) covered_[at(m)] = to;
    for (const std::int32_t m : line.begins) used_[at(m)] = to;
}

/// Exact cover: next is the part with the fewest lines left to be on (Knuth 2000). Those that no line is left for go onto one
/// together.
void Groupings::extend()
{
    if (found_.size() >= mostGroupings || ++steps_ > mostSteps) return;
    std::size_t best = ends_.size(), fewest = SIZE_MAX;
    for (std::size_t e = 0; e < ends_.size(); ++e) {
        if (covered_[e]) continue;
        const auto count = static_cast<std::size_t>(
            std::count_if(lines_[e].begin(), lines_[e].end(), [&](const EqualSums& line) { return isFree(line); }));
        if (count > 0 && count < fewest) best = e, fewest = count;
    }
    if (best == ends_.size()) {
        Grouping grouping = current_;
        LineEnds last;
        for (std::size_t e = 0; e < ends_.size(); ++e)
            if (!covered_[e]) last.ends.push_back(ends_[e]);
        for (std::size_t b = 0; b < begins_.size(); ++b)
            if (!used_[b]) last.begins.push_back(begins_[b]);
        if (last.ends.empty() != last.begins.empty()) return;
        if (!last.ends.empty()) {
            if (!possible_(last.ends)) return;
            grouping.push_back(std::move(last));
        }
        return add(grouping);
    }
    const std::vector<EqualSums> lines = lines_[best];
    for (const EqualSums& line : lines) {
        if (!isFree(line)) continue;
        mark(line, true);
        current_.push_back({partsOf(ends_, line.ends), partsOf(begins_, line.begins)});
        extend();
        current_.pop_back();
        mark(line, false);
    }
}

} // namespace stowage::exact

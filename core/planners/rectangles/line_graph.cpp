#include "core/planners/rectangles/line_graph.h"

#include "core/planners/rectangles/equal_sums.h"
#include "core/planners/rectangles/rectangle.h"

#include <algorithm>
#include <tuple>

namespace stowage::exact {

namespace {
constexpr std::size_t mostSums = 1200;         ///< of one event, on each side
constexpr std::size_t mostSumsWithin = 20'000; ///< of a line that was found by taking parts together
constexpr double mostWithin = 0.1;             ///< chance of lines that part such a one
constexpr double wholeOfUnits = 0.05; ///< chance of the line of all that ends and begins, when only parts taken together say so
} // namespace

std::array<Bytes, 5> wheelOffsets(std::span<const Bytes> sizes)
{
    const Bytes middle = sizes[0] + sizes[2];
    return {0, 0, sizes[0], sizes[0], std::max(sizes[1], middle)};
}

LineGraph::LineGraph(std::span<const Piece> pieces, const Doubts& doubts) : LineGraph(pieces, doubts, 0) {}

LineGraph::LineGraph(std::span<const Piece> pieces, const Doubts& doubts, Bytes looseBelow) : doubts_(doubts)
{
    const std::vector<Step> steps = eventsOf(pieces);
    openEnds_.resize(steps.size());
    openBegins_.resize(steps.size());
    best_.resize(steps.size());
    for (const Piece& piece : pieces) {
        const std::int32_t index = static_cast<std::int32_t>(parts_.size());
        parts_.push_back({eventAt(steps, piece.begin), eventAt(steps, piece.end), piece.size, piece.size, piece.size});
        if (piece.size < looseBelow) {
            parts_.back().melted = parts_.back().loose = true;
            continue;
        }
        openBegins_[at(parts_.back().beginEvent)].insert(index);
        openEnds_[at(parts_.back().endEvent)].insert(index);
    }
    // The left and the right side.
    const auto all = [](const std::set<std::int32_t>& open) { return std::vector<std::int32_t>(open.begin(), open.end()); };
    decide(0, {}, all(openBegins_.front()), 0);
    decide(events() - 1, all(openEnds_.back()), {}, 0);
    for (std::int32_t event = 1; event + 1 < events(); ++event) dirty_.insert(event);
}

void LineGraph::melt(double mostChance, const std::function<bool()>& stop)
{
    settle();
    for (;;) {
        if (stop && stop()) return;
        for (const std::int32_t event : dirty_) consider(event);
        dirty_.clear();
        const auto surest = std::min_element(best_.begin(), best_.end(),
                                             [](const Candidate& a, const Candidate& b) { return a.chance < b.chance; });
        if (surest->begins.empty() || surest->chance > mostChance) return;
        const Candidate line = *surest;
        decide(static_cast<std::int32_t>(surest - best_.begin()), line.ends, line.begins, line.chance);
        settle();
    }
}

/// Parts of one side of an event that look alike from there, in units: they come from (go to) the same event, and the same line
/// if that is known. Mostly they belong together, and then there are far fewer sums.
LineGraph::Units LineGraph::units(const std::set<std::int32_t>& side, bool ends) const
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> byFar;
    for (const std::int32_t p : side) {
        const Part& part = parts_[at(p)];
        byFar[ends ? std::pair(part.beginEvent, part.beginLine) : std::pair(part.endEvent, part.endLine)].push_back(p);
    }
    std::vector<std::vector<std::int32_t>> result;
    for (auto& [far, list] : byFar) result.push_back(std::move(list));
    return result;
}

/// Finds the surest line of an event.
void LineGraph::consider(std::int32_t event)
{
    Candidate& best = best_[at(event)];
    best = {};
    if (openEnds(event).empty()) return;
    const auto apart = [](const std::set<std::int32_t>& side) {
        std::vector<std::vector<std::int32_t>> units;
        for (const std::int32_t p : side) units.push_back({p});
        return units;
    };
    if (surest(event, apart(openEnds(event)), apart(openBegins(event)), mostSums, 0, best)) return;
    const auto ends = units(openEnds(event), true), begins = units(openBegins(event), false);
    if (ends.size() == openEnds(event).size() && begins.size() == openBegins(event).size()) return;
    Candidate together;
    surest(event, ends, begins, mostSums, wholeOfUnits, together);
    if (together.chance >= best.chance) return;
    best = std::move(together);
    // What was taken together may be several lines all the same: among these few parts an accident is far less likely.
    Candidate within;
    const auto alone = [&](const std::vector<std::int32_t>& side) { return apart({side.begin(), side.end()}); };
    if (surest(event, alone(best.ends), alone(best.begins), mostSumsWithin, 0, within) || within.chance > mostWithin) return;
    within.chance = std::max(within.chance, best.chance);
    best = std::move(within);
}

/// Of lines among units of parts, the one that is least likely an accident. True when there is none but of all of them together.
bool LineGraph::surest(std::int32_t event, const Units& ends, const Units& begins, std::size_t most, double chanceOfWhole,
                       Candidate& best) const
{
    const auto sizes = [&](const Units& lists) {
        std::vector<Bytes> result;
        for (const auto& list : lists) {
            Bytes sum = 0;
            for (const std::int32_t p : list) sum += parts_[at(p)].size;
            result.push_back(sum);
        }
        return result;
    };
    const EqualSumsFound found = findEqualSums(sizes(ends), sizes(begins), most);
    const bool whole = found.complete && found.sums.size() == 1;
    for (const EqualSums& sums : found.sums) {
        const double chance = whole ? chanceOfWhole : sums.chance;
        if (chance >= best.chance || (chance > 0 && doubts_.contains({event, sums.bytes}))) continue;
        best = {chance, {}, {}};
        for (const std::int32_t m : sums.ends) best.ends.insert(best.ends.end(), ends[at(m)].begin(), ends[at(m)].end());
        for (const std::int32_t m : sums.begins)
            best.begins.insert(best.begins.end(), begins[at(m)].begin(), begins[at(m)].end());
    }
    return whole;
}

void LineGraph::decide(std::int32_t event, const std::vector<std::int32_t>& ends, const std::vector<std::int32_t>& begins,
                       double chance)
{
    const auto index = static_cast<std::int32_t>(lines_.size());
    Bytes bytes = 0;
    for (const std::int32_t p : begins) bytes += parts_[at(p)].size;
    lines_.push_back({event, {ends.begin(), ends.end()}, {begins.begin(), begins.end()}, bytes, chance});
    for (const std::int32_t p : ends) {
        openEnds_[at(event)].erase(p);
        parts_[at(p)].endLine = index;
        partsToSettle_.push_back(p);
    }
    for (const std::int32_t p : begins) {
        openBegins_[at(event)].erase(p);
        parts_[at(p)].beginLine = index;
        partsToSettle_.push_back(p);
    }
    linesToSettle_.push_back(index);
    if (event > 0 && event + 1 < events()) dirty_.insert(event);
}

std::vector<std::pair<std::int32_t, Bytes>> LineGraph::doubtful(std::span<const std::int32_t> parts, std::int32_t lastEvent) const
{
    std::set<std::tuple<double, std::int32_t, Bytes>> found;
    const auto add = [&](const Line& line) {
        if (line.chance > 0) found.emplace(-line.chance, line.event, line.bytes);
    };
    std::vector<std::int32_t> open(parts.begin(), parts.end());
    while (!open.empty()) {
        const Part& part = parts_[at(open.back())];
        open.pop_back();
        if (part.beginLine >= 0) add(lines_[at(part.beginLine)]);
        if (part.endLine >= 0) add(lines_[at(part.endLine)]);
        open.insert(open.end(), part.children.begin(), part.children.end());
    }
    if (found.empty())
        for (const Line& line : lines_)
            if (line.event <= lastEvent) add(line);
    std::vector<std::pair<std::int32_t, Bytes>> result;
    for (const auto& [chance, event, bytes] : found) result.emplace_back(event, bytes);
    return result;
}

/// Melts all that the known lines permit.
void LineGraph::settle()
{
    while (!partsToSettle_.empty() || !linesToSettle_.empty()) {
        if (!partsToSettle_.empty()) {
            const std::int32_t part = partsToSettle_.back();
            partsToSettle_.pop_back();
            joinParallel(part);
        } else {
            const std::int32_t line = linesToSettle_.back();
            linesToSettle_.pop_back();
            joinSeries(line);
        }
    }
}

std::int32_t LineGraph::add(Part part)
{
    parts_.push_back(std::move(part));
    return static_cast<std::int32_t>(parts_.size() - 1);
}

/// Puts one part in another's place where that begins or ends.
void LineGraph::replace(std::int32_t old, std::int32_t by, bool atBegin, bool atEnd)
{
    const auto swap = [&](std::set<std::int32_t>& set) {
        set.erase(old);
        set.insert(by);
    };
    const Part& part = parts_[at(old)];
    if (atBegin) {
        if (part.beginLine >= 0)
            swap(lines_[at(part.beginLine)].begins);
        else {
            swap(openBegins_[at(part.beginEvent)]);
            dirty_.insert(part.beginEvent);
        }
    }
    if (atEnd) {
        if (part.endLine >= 0)
            swap(lines_[at(part.endLine)].ends);
        else {
            swap(openEnds_[at(part.endEvent)]);
            dirty_.insert(part.endEvent);
        }
    }
}

void LineGraph::joinSeries(std::int32_t index)
{
    Line& line = lines_[at(index)];
    if (line.ends.size() != 1 || line.begins.size() != 1) return joinWheelsAt(index);
    const std::int32_t a = *line.ends.begin(), b = *line.begins.begin();
    const Part &first = parts_[at(a)], &second = parts_[at(b)];
    Part joined{first.beginEvent, second.endEvent, std::max(first.size, second.size),
                first.beginSize,  second.endSize,  Part::Kind::series,
                {a, b},           first.beginLine, second.endLine};
    line.ends.clear();
    line.begins.clear();
    if (first.beginLine >= 0) between_.erase({first.beginLine, index});
    if (second.endLine >= 0) between_.erase({index, second.endLine});
    const std::int32_t part = add(std::move(joined));
    replace(a, part, true, false);
    replace(b, part, false, true);
    parts_[at(a)].melted = parts_[at(b)].melted = true;
    partsToSettle_.push_back(part);
}

void LineGraph::joinParallel(std::int32_t index)
{
    const Part& part = parts_[at(index)];
    if (part.melted || part.beginLine < 0 || part.endLine < 0) return;
    const auto [it, isNew] = between_.try_emplace({part.beginLine, part.endLine}, index);
    if (isNew || it->second == index) {
        const std::int32_t end = part.endLine;
        joinWheelsAt(part.beginLine);
        joinWheelsAt(end);
        return;
    }
    const std::int32_t other = it->second;
    // One list of all of them, so that they may be put in any order.
    Part joined{part.beginEvent, part.endEvent, 0, 0, 0, Part::Kind::parallel, {}, part.beginLine, part.endLine};
    for (const std::int32_t p : {other, index}) {
        const Part& from = parts_[at(p)];
        joined.size += from.size;
        joined.beginSize += from.beginSize;
        joined.endSize += from.endSize;
        if (from.kind == Part::Kind::parallel)
            joined.children.insert(joined.children.end(), from.children.begin(), from.children.end());
        else
            joined.children.push_back(p);
        parts_[at(p)].melted = true;
        for (std::set<std::int32_t>* set : {&lines_[at(from.beginLine)].begins, &lines_[at(from.endLine)].ends}) set->erase(p);
    }
    const std::int32_t beginLine = part.beginLine, endLine = part.endLine;
    const std::int32_t all = add(std::move(joined));
    it->second = all;
    lines_[at(beginLine)].begins.insert(all);
    lines_[at(endLine)].ends.insert(all);
    linesToSettle_.push_back(beginLine);
    linesToSettle_.push_back(endLine);
}

/// Melts the wheel of which a line with one end and two begins, or two ends and one begin, is one of the two lines inside.
void LineGraph::joinWheelsAt(std::int32_t index)
{
    const Line& line = lines_[at(index)];
    if (line.ends.size() == 1 && line.begins.size() == 2) return joinWheel(index);
    if (line.ends.size() != 2 || line.begins.size() != 1) return;
    for (const std::int32_t middle : std::vector<std::int32_t>(line.ends.begin(), line.ends.end()))
        if (parts_[at(middle)].beginLine >= 0 && !parts_[at(middle)].melted) joinWheel(parts_[at(middle)].beginLine);
}

/// `index` is the earlier one of the lines inside: the first one at the top ends there, the last one at the top and the middle
/// begin.
void LineGraph::joinWheel(std::int32_t index)
{
    Line& line = lines_[at(index)];
    if (line.ends.size() != 1 || line.begins.size() != 2) return;
    const std::int32_t topFirst = *line.ends.begin();
    for (const bool swapped : {false, true}) {
        const std::int32_t middle = swapped ? *line.begins.rbegin() : *line.begins.begin();
        const std::int32_t topLast = swapped ? *line.begins.begin() : *line.begins.rbegin();
        const std::int32_t from = parts_[at(topFirst)].beginLine, later = parts_[at(middle)].endLine,
                           to = parts_[at(topLast)].endLine;
        if (from < 0 || later < 0 || to < 0 || later == to) continue;
        Line& second = lines_[at(later)];
        if (second.ends.size() != 2 || second.begins.size() != 1) continue;
        const std::int32_t bottomFirst = *second.ends.begin() == middle ? *second.ends.rbegin() : *second.ends.begin();
        const std::int32_t bottomLast = *second.begins.begin();
        if (parts_[at(bottomFirst)].beginLine != from || parts_[at(bottomLast)].endLine != to) continue;
        const std::array children{bottomFirst, bottomLast, middle, topFirst, topLast};
        std::array<Bytes, 5> sizes{};
        for (std::size_t k = 0; k < children.size(); ++k) sizes[k] = parts_[at(children[k])].size;
        const std::array<Bytes, 5> offsets = wheelOffsets(sizes);
        Bytes size = 0;
        for (std::size_t k = 0; k < children.size(); ++k) size = std::max(size, offsets[k] + sizes[k]);
        Part joined{parts_[at(topFirst)].beginEvent,
                    parts_[at(topLast)].endEvent,
                    size,
                    parts_[at(bottomFirst)].beginSize + parts_[at(topFirst)].beginSize,
                    parts_[at(bottomLast)].endSize + parts_[at(topLast)].endSize,
                    Part::Kind::wheel,
                    {children.begin(), children.end()},
                    from,
                    to};
        for (const std::int32_t p : children) {
            Part& part = parts_[at(p)];
            part.melted = true;
            between_.erase({part.beginLine, part.endLine});
            lines_[at(part.beginLine)].begins.erase(p);
            lines_[at(part.endLine)].ends.erase(p);
        }
        const std::int32_t wheel = add(std::move(joined));
        lines_[at(from)].begins.insert(wheel);
        lines_[at(to)].ends.insert(wheel);
        partsToSettle_.push_back(wheel);
        linesToSettle_.push_back(from);
        linesToSettle_.push_back(to);
        return;
    }
}

} // namespace stowage::exact

#include "app/canvas/axis/difference_colours.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <set>
#include <utility>

namespace stowage {

namespace {

/// 0, 1, 2: the third of the furthest move that a move falls into.
int third(Bytes by, Bytes furthest)
{
    const double share = double(std::llabs(by)) / double(std::max<Bytes>(1, furthest));
    return share > 2.0 / 3 ? 2 : share > 1.0 / 3 ? 1 : 0;
}

DifferenceClass classOf(const BufferChange& change, Bytes furthest)
{
    const int step = third(change.by, furthest);
    switch (change.kind) {
    case Moved::same: return DifferenceClass::unmoved;
    case Moved::higher: return DifferenceClass(int(DifferenceClass::slightlyHigher) + step);
    case Moved::lower: return DifferenceClass(int(DifferenceClass::slightlyLower) - step);
    case Moved::otherSlots:
    case Moved::otherPool: return DifferenceClass::elsewhere;
    case Moved::onlyHere: return DifferenceClass::onlyHere;
    case Moved::unplaced: break;
    }
    return DifferenceClass::notHere;
}

} // namespace

Colouring differenceColouring(const PlanDifference& difference)
{
    static constexpr const char* names[] = {"far lower", "lower",      "slightly lower", "same",      "slightly higher",
                                            "higher",    "far higher", "other pool",     "only here", "not placed"};
    Colouring result;
    result.by = ColourBy::difference;
    for (const char* name : names) result.classes.push_back({name, 0});
    result.of.reserve(difference.of.size());
    for (const BufferChange& change : difference.of) {
        const auto at = std::uint8_t(classOf(change, difference.furthest));
        result.of.push_back(at);
        ++result.classes[at].buffers;
    }
    return result;
}

std::string describeChange(const PlanDifference& difference, BufferId buffer, const std::function<std::string(Bytes)>& size)
{
    if (buffer < 0 || std::size_t(buffer) >= difference.of.size()) return {};
    const BufferChange& change = difference.of[std::size_t(buffer)];
    switch (change.kind) {
    case Moved::same: return "not moved";
    case Moved::higher: return "moved " + size(change.by) + " higher";
    case Moved::lower: return "moved " + size(-change.by) + " lower";
    case Moved::otherSlots: return "other slots";
    case Moved::otherPool: return "in another pool";
    case Moved::onlyHere: return "only here";
    case Moved::unplaced: break;
    }
    return "not placed";
}

std::vector<DifferenceCount> differenceCounts(const PlanDifference& difference)
{
    std::set<DifferenceClass> drawn;
    for (const BufferChange& change : difference.of) drawn.insert(classOf(change, difference.furthest));
    std::vector<DifferenceCount> counts;
    const auto add = [&](const char* name, std::size_t buffers, std::initializer_list<DifferenceClass> classes) {
        DifferenceCount count{name, buffers, {}};
        for (const DifferenceClass shade : classes)
            if (drawn.contains(shade)) count.shades.push_back(shade);
        if (count.shades.empty()) count.shades.push_back(*classes.begin());
        counts.push_back(std::move(count));
    };
    const auto addIfAny = [&](const char* name, std::size_t buffers, DifferenceClass shade) {
        if (buffers > 0) add(name, buffers, {shade});
    };
    using enum DifferenceClass;
    add("lower", difference.count(Moved::lower), {farLower, lower, slightlyLower});
    add("higher", difference.count(Moved::higher), {farHigher, higher, slightlyHigher});
    add("same", difference.count(Moved::same), {unmoved});
    addIfAny("elsewhere", difference.count(Moved::otherPool) + difference.count(Moved::otherSlots), elsewhere);
    addIfAny("only here", difference.count(Moved::onlyHere), onlyHere);
    addIfAny("only there", difference.onlyThere.size(), notHere);
    return counts;
}

} // namespace stowage

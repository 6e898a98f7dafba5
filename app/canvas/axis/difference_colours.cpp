#include "app/canvas/axis/difference_colours.h"

#include "core/ir/digits.h"

#include <algorithm>
#include <cstdlib>

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

std::string describeChange(const PlanDifference& difference, BufferId buffer)
{
    if (buffer < 0 || std::size_t(buffer) >= difference.of.size()) return {};
    const BufferChange& change = difference.of[std::size_t(buffer)];
    switch (change.kind) {
    case Moved::same: return "not moved";
    case Moved::higher: return "moved " + grouped(change.by) + " B higher";
    case Moved::lower: return "moved " + grouped(-change.by) + " B lower";
    case Moved::otherSlots: return "other slots";
    case Moved::otherPool: return "in another pool";
    case Moved::onlyHere: return "only here";
    case Moved::unplaced: break;
    }
    return "not placed";
}

std::vector<DifferenceCount> differenceCounts(const PlanDifference& difference)
{
    std::vector<DifferenceCount> counts{
        {DifferenceClass::farLower, "lower", difference.count(Moved::lower)},
        {DifferenceClass::farHigher, "higher", difference.count(Moved::higher)},
        {DifferenceClass::unmoved, "same", difference.count(Moved::same)},
    };
    const auto add = [&](DifferenceClass shown, const char* name, std::size_t buffers) {
        if (buffers > 0) counts.push_back({shown, name, buffers});
    };
    add(DifferenceClass::elsewhere, "elsewhere", difference.count(Moved::otherPool) + difference.count(Moved::otherSlots));
    add(DifferenceClass::onlyHere, "only here", difference.count(Moved::onlyHere));
    add(DifferenceClass::notHere, "only there", difference.onlyThere.size());
    return counts;
}

} // namespace stowage

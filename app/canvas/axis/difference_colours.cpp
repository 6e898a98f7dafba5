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
    case Change::same: return DifferenceClass::unmoved;
    case Change::higher: return DifferenceClass(int(DifferenceClass::slightlyHigher) + step);
    case Change::lower: return DifferenceClass(int(DifferenceClass::slightlyLower) - step);
    case Change::copies:
    case Change::otherPool: return DifferenceClass::elsewhere;
    case Change::onlyHere: return DifferenceClass::onlyHere;
    case Change::unplaced: break;
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
    case Change::same: return "not moved";
    case Change::higher: return "moved " + grouped(change.by) + " B higher";
    case Change::lower: return "moved " + grouped(-change.by) + " B lower";
    case Change::copies: return "other copies beside it";
    case Change::otherPool: return "in another pool";
    case Change::onlyHere: return "only here";
    case Change::unplaced: break;
    }
    return "not placed";
}

std::vector<DifferenceCount> differenceCounts(const PlanDifference& difference)
{
    std::vector<DifferenceCount> counts{
        {DifferenceClass::farLower, "lower", difference.count(Change::lower)},
        {DifferenceClass::farHigher, "higher", difference.count(Change::higher)},
        {DifferenceClass::unmoved, "same", difference.count(Change::same)},
    };
    const auto add = [&](DifferenceClass shown, const char* name, std::size_t buffers) {
        if (buffers > 0) counts.push_back({shown, name, buffers});
    };
    add(DifferenceClass::elsewhere, "other pool or copies",
        difference.count(Change::otherPool) + difference.count(Change::copies));
    add(DifferenceClass::onlyHere, "only here", difference.count(Change::onlyHere));
    add(DifferenceClass::notHere, "only there", difference.onlyThere.size());
    return counts;
}

} // namespace stowage

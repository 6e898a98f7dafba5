// The buffer on which `SkylineSearch` branches, chosen without or with a look one step ahead.
#include "core/planners/exact/skyline_search.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace stowage::exact {

namespace {
// The slack of a try that is refuted at once. It is chosen as the branch, because its refutation costs two nodes and gives a
// refusal.
constexpr std::int64_t refuted = std::numeric_limits<std::int64_t>::max();
} // namespace

SkylineSearch::Index SkylineSearch::chooseBranch(const Subproblem& sub) const
{
    // A filler of the most urgent section: the one with the fewest fillers, then with the most failures.
    Index section = -1;
    for (Index s = sub.firstSection; rules_.sectionBound && s < sub.lastSection; ++s) {
        if (unplaced_[at(s)] == 0 || fillers_[at(s)] > strategy_.urgentFirst) continue;
        if (risen_[at(s)] <= capacity_ - unplaced_[at(s)]) continue; // not urgent: a refused or raised buffer can fill it
        if (section < 0 ||
            std::tuple(-fillers_[at(s)], weight_[at(s)]) > std::tuple(-fillers_[at(section)], weight_[at(section)]))
            section = s;
    }
    const auto preference = [&](Index i) { return strategy_.preference[at(i)]; };
    Index best = -1;
    if (section >= 0) {
        const std::int32_t latest = capacity_ - unplaced_[at(section)];
        for (std::size_t k = 0; k < sub.count; ++k) {
            const Index i = lists_[sub.begin + k];
            if (!exposed(i) || release_[at(i)] > latest || comesAfterTwin(i) || !covers(i, section)) continue;
            if (best < 0 || preference(i) > preference(best)) best = i;
        }
        if (best >= 0) return best;
    }
    // Otherwise the lowest place, as in the canonical order.
    for (std::size_t k = 0; k < sub.count; ++k) {
        const Index i = lists_[sub.begin + k];
        if (!exposed(i) || comesAfterTwin(i)) continue;
        if (best < 0 || release_[at(i)] < release_[at(best)] ||
            (release_[at(i)] == release_[at(best)] && preference(i) > preference(best)))
            best = i;
    }
    return best;
}

/// Chooses the buffer to branch on with look-ahead. This only selects which exposed buffer is tried first and leaves none out, so
/// it is sound. The section with the fewest fillers is the hardest to satisfy. Placing a filler wastes space in other sections
/// that it covers, where it lies higher than necessary, and a layout without slack cannot afford much waste in sum. So each
/// filler is tried with one propagation, and the remaining slack (capacity - unplaced bytes - lowest begin) is summed over all
/// sections. O(tries * node).
SkylineSearch::Index SkylineSearch::chooseAhead(const Subproblem& sub)
{
    const auto latest = [&](Index s) { return capacity_ - unplaced_[at(s)]; };
    // The candidate in the section with the fewest fillers; of several, the one with the highest preference.
    Index first = -1;
    std::int32_t fewest = 0;
    for (const Index i : members(sub)) {
        if (!exposed(i) || comesAfterTwin(i)) continue;
        std::int32_t fillers = std::numeric_limits<std::int32_t>::max();
        forSections(i, [&](std::size_t s) {
            if (release_[at(i)] <= latest(static_cast<Index>(s))) fillers = std::min(fillers, fillers_[s]);
        });
        if (first < 0 || fillers < fewest ||
            (fillers == fewest && strategy_.preference[at(i)] > strategy_.preference[at(first)])) {
            first = i;
            fewest = fillers;
        }
    }
    if (first < 0) return -1;
    // Of the sections with equally few fillers: the one with the most failures.
    Index section = -1;
    forSections(first, [&](std::size_t s) {
        if (release_[at(first)] <= latest(static_cast<Index>(s)) && fillers_[s] == fewest &&
            (section < 0 || weight_[s] > weight_[at(section)]))
            section = static_cast<Index>(s);
    });
    if (section < 0) return first;
    tries_.clear();
    for (const Index i : members(sub))
        if (exposed(i) && !comesAfterTwin(i) && release_[at(i)] <= latest(section) && covers(i, section)) tries_.push_back(i);
    std::stable_sort(tries_.begin(), tries_.end(),
                     [&](Index a, Index b) { return strategy_.preference[at(a)] > strategy_.preference[at(b)]; });
    if (tries_.size() > static_cast<std::size_t>(strategy_.lookAhead))
        tries_.resize(static_cast<std::size_t>(strategy_.lookAhead));
    if (tries_.size() < 2) return first;
    Index best = -1;
    std::int64_t most = 0;
    for (const Index i : tries_) {
        const std::int64_t slack = slackAfter(sub, i);
        if (best < 0 || slack > most) {
            best = i;
            most = slack;
        }
        if (slack == refuted) break;
    }
    return best;
}

/// Places `i`, propagates, and undoes both, without log and recorded steps.
std::int64_t SkylineSearch::slackAfter(const Subproblem& sub, Index i)
{
    std::string* const log = std::exchange(log_, nullptr);
    SearchSteps* const steps = std::exchange(steps_, nullptr);
    const bool raised = raised_;
    const std::size_t mark = trail_.size(), listEnd = lists_.size();
    for (std::size_t k = 0; k < sub.count; ++k)
        if (const Index other = lists_[sub.begin + k]; other != i) lists_.push_back(other);
    place(i, StepRule::branch);
    ++nodes_;
    const Subproblem rest{listEnd, sub.count - 1, sub.firstSection, sub.lastSection};
    std::int64_t slack = 0;
    if (rest.count > 0 && !propagate(rest)) slack = refuted;
    for (Index s = sub.firstSection; slack != refuted && s < sub.lastSection; ++s)
        if (unplaced_[at(s)] > 0) slack += capacity_ - unplaced_[at(s)] - begin1_[at(s)];
    undo(mark);
    lists_.resize(listEnd);
    forced_.clear();
    raised_ = raised;
    log_ = log;
    steps_ = steps;
    return slack;
}

} // namespace stowage::exact

// The branch of `SkylineSearch` that looks one step ahead.
#include "core/planners/exact/skyline_search.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stowage::exact {

namespace {
// Of a try that is refuted at once: it is taken, as refusing it then costs two nodes and says something.
constexpr std::int64_t refuted = std::numeric_limits<std::int64_t>::max();
} // namespace

/// The branch with look-ahead: which of the exposed buffers is tried first, never which are left out, so it needs no argument of
/// soundness. The section with the fewest fillers is the hardest to satisfy; placing one of them wastes room in other sections
/// that it covers (where it lies higher than it must), and the waste of all is what a layout without slack cannot afford. So a
/// filler is tried, conclusions are drawn once, and the slack that is left, capacity less unplaced bytes less lowest begin, is
/// summed over the sections. O(tries * node).
SkylineSearch::Index SkylineSearch::chooseAhead(const Subproblem& sub)
{
    const auto latest = [&](Index s) { return capacity_ - unplaced_[at(s)]; };
    // The candidate that fills the section of fewest fillers, and of those the preferred one.
    Index first = -1;
    std::int32_t fewest = 0;
    for (const Index i : members(sub)) {
        if (!exposed(i) || behindTwin(i)) continue;
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
    // Which of its sections: the one that failed most often.
    Index section = -1;
    forSections(first, [&](std::size_t s) {
        if (release_[at(first)] <= latest(static_cast<Index>(s)) && fillers_[s] == fewest &&
            (section < 0 || weight_[s] > weight_[at(section)]))
            section = static_cast<Index>(s);
    });
    if (section < 0) return first;
    tries_.clear();
    for (const Index i : members(sub))
        if (exposed(i) && !behindTwin(i) && release_[at(i)] <= latest(section) && covers(i, section)) tries_.push_back(i);
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

/// Places `i`, draws the conclusions, and takes everything back; nobody is told of it.
std::int64_t SkylineSearch::slackAfter(const Subproblem& sub, Index i)
{
    std::string* const log = std::exchange(log_, nullptr);
    SearchSteps* const steps = std::exchange(steps_, nullptr);
    const bool raised = raised_;
    const std::size_t mark = trail_.size(), listEnd = lists_.size();
    lists_.reserve(listEnd + sub.count);
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

// Complete search for a layout of one pool inside a capacity: finds one, or proves that there is none.
#pragma once

#include "core/planners/exact/instance.h"
#include "core/planners/exact/search_steps.h"
#include "core/planners/exact/section_sweep.h"
#include "core/planners/exact/seen_states.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace stowage::exact {

/// Pruning rules, each sound by itself and off at will, so that a test can compare what they find. What a refused buffer must lie
/// above is none of them: without that no buffer might be left to branch on.
struct Rules {
    /// A section whose unplaced bytes do not fit above the lowest place that one of its buffers can have fails: those that count
    /// lie apart there.
    bool sectionBound = true;
    /// A section in which one buffer alone, and only at its release, can begin low enough for that: it is placed, as any layout
    /// has it there.
    bool onlyFiller = true;
    /// A buffer whose place at its release no other can reach into is placed: higher, it could be moved down, and the layout
    /// would not be compact.
    bool unblocked = true;
    /// Of equal buffers (size, alignment, conflicts) that can lie at one place, the first is branched on first: exchanged, they
    /// make the same layouts.
    bool twins = true;
    /// Sections that no unplaced buffer joins are solved apart: nothing in one conflicts with anything in another.
    bool split = true;
    /// States that were refuted are not searched again: the unplaced buffers with their releases and refusals say all that
    /// decides (`SkylineSearch::key`).
    bool remember = true;
};

/// In which order the search tries things; changes what it finds first, never what it can find.
struct Strategy {
    std::span<const double> preference; ///< by buffer: larger is tried first
    /// Branch first on urgent sections that at most this number of buffers can fill, the fewest first; 0: always on the lowest
    /// place.
    std::int32_t urgentFirst = 2;
    /// Above 1: look one step ahead. Branch on the section that the fewest can fill, urgent or not, try `lookAhead` of those at
    /// their releases, and take the one after which the sections have the most slack together. Each try counts as a node.
    /// `urgentFirst` is not used then.
    std::int32_t lookAhead = 0;
};

/// The search works on *compact* layouts: those in which no buffer can be moved to a lower feasible offset. If any layout fits,
/// one of smallest offset sum does, and that one is compact. So it is enough to decide, buffer by buffer,
///
///     "it lies at its release", or "it lies higher",
///
/// where the release is the lowest offset that the placed neighbours leave it. Both branches say something: the first raises its
/// neighbours' releases; in the second ("refused") something unplaced must block the place, so the buffer cannot begin below the
/// lowest top that an unplaced neighbour can have. The two are disjoint, hence no layout is met twice.
///
/// A buffer may be branched on only when it is *exposed*: no unplaced neighbour can still lie wholly below it. Then all of them
/// end above it, and a single release for each buffer describes the state. The buffer with the lowest top is always exposed, so
/// there is always one.
///
/// The urgent-section rule is the one of largest effect: in a section s let D = capacity - unplaced bytes. Its lowest unplaced
/// buffer must begin at D or below. If no refused or later risen buffer can, those that can now are its *fillers*: none is a
/// failure, one is a placement, two are the best branch to take.
///
/// The ideas of sections, canonical placement and splitting are from MiniMalloc (Moffitt, ASPLOS 2023).
class SkylineSearch {
public:
    explicit SkylineSearch(const Instance& instance, const Rules& rules = {});

    /// Searches for a layout with no top above `capacity` (units). Counts nodes; gives up after `nodeLimit` of them. `stop` is
    /// asked every 256 nodes, of many buffers more often. What was refuted is remembered between runs as long as the capacity
    /// does not grow.
    Outcome run(std::int32_t capacity, const Strategy& strategy, std::uint64_t nodeLimit, const std::function<bool()>& stop = {});

    /// Writes what the next runs do to `log`, line by line as `checkProof` (core/plan/proof/check_proof.h) reads it; null ends
    /// that. A run that ends with `impossible` has then written its proof. Without `Rules::remember`, as a state refuted before
    /// stands in no line.
    void logTo(std::string* log) { log_ = log; }
    /// Tells `steps` what the next runs place, take back and refuse; null ends that. It must have entered the pool of the
    /// instance.
    void stepsTo(SearchSteps* steps) { steps_ = steps; }

    /// After `found`: the offset of every buffer, in units.
    [[nodiscard]] const std::vector<std::int32_t>& offsets() const { return offset_; }
    /// Of the last run.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

private:
    using Index = std::int32_t;
    enum class Change : std::uint8_t { release, floor, refusal, placement };
    struct TrailEntry {
        Change change;
        Index buffer;
        std::int32_t old;
    };
    /// A buffer that can only lie at its release, as it is now.
    struct Forced {
        Index buffer;
        std::int32_t release;
        Index section; ///< that nothing else can fill; -1: nothing can reach into its place
    };
    /// Sections and their unplaced buffers, to be solved by themselves: [begin, begin + count) of `lists_`.
    struct Subproblem {
        std::size_t begin;
        std::size_t count;
        Index firstSection, lastSection; ///< [first, last)
    };

    void reset();
    void place(Index i, StepRule why);
    void refuse(Index i);
    void undo(std::size_t mark);
    [[nodiscard]] std::int32_t lift(Index i, std::int32_t release) const;
    bool solve(Subproblem sub);
    bool search(Subproblem sub);
    bool solveSplit(const Subproblem& sub);
    bool propagate(const Subproblem& sub);
    bool raiseRefused(const Subproblem& sub);
    void forceOnlyFillers(const Subproblem& sub);
    bool placeForced(Subproblem& sub);
    [[nodiscard]] Index chooseBranch(const Subproblem& sub) const;
    [[nodiscard]] Index chooseAhead(const Subproblem& sub);
    [[nodiscard]] std::int64_t slackAfter(const Subproblem& sub, Index i);
    [[nodiscard]] bool covers(Index i, Index section) const;
    [[nodiscard]] bool exposed(Index i) const
    {
        return !refused_[static_cast<std::size_t>(i)] &&
               release_[static_cast<std::size_t>(i)] < topAround_[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] std::span<const Index> members(const Subproblem& sub) const { return {lists_.data() + sub.begin, sub.count}; }
    [[nodiscard]] bool behindTwin(Index i) const;
    [[nodiscard]] SeenStates::Key key(const Subproblem& sub) const;

    template <typename Visit>
    void forSections(Index i, Visit visit) const
    {
        for (const SectionRange& range : instance_.ranges(i))
            for (Index s = range.begin; s < range.end; ++s) visit(static_cast<std::size_t>(s));
    }
    [[nodiscard]] std::int32_t size(Index i) const { return instance_.sizes[static_cast<std::size_t>(i)]; }

    const Instance& instance_;
    Rules rules_;
    std::int32_t capacity_ = 0;
    Strategy strategy_;
    std::uint64_t nodeLimit_ = 0, nodes_ = 0;
    std::function<bool()> stop_;
    std::uint64_t stopEvery_ = 256;   ///< nodes
    Outcome gaveUp_ = Outcome::found; ///< `limit` or `stopped` once the run is given up

    // By buffer.
    std::vector<std::int32_t> release_;     ///< lowest offset that placed neighbours and pins leave
    std::vector<std::int32_t> floor_;       ///< of a refused buffer: it lies here or higher
    std::vector<std::int32_t> lowest_;      ///< release or floor; valid inside a node
    std::vector<std::int32_t> topAround_;   ///< lowest top of an unplaced neighbour; valid inside a node
    std::vector<std::int32_t> beginAround_; ///< lowest begin of an unplaced neighbour; valid inside a node
    std::vector<std::int32_t> offset_;
    std::vector<std::uint8_t> placed_, refused_;
    std::vector<Index> twin_;         ///< an equal buffer of lower index, or -1
    std::vector<std::uint8_t> joins_; ///< takes part in an explicit conflict, so that it joins distant steps
    bool hasPins_ = false;
    std::vector<SectionRange> hull_; ///< sections from its first to its last, explicit neighbours' included

    // By section.
    std::vector<std::int32_t> unplaced_; ///< bytes
    std::vector<std::int32_t> crossing_; ///< unplaced buffers whose hull crosses the boundary before the section
    std::vector<std::int32_t> top1_, top2_, begin1_,
        begin2_;                        ///< smallest and second smallest of the unplaced, valid inside a node
    std::vector<std::int32_t> risen_;   ///< lowest begin that a buffer can have that does not lie at its release
    std::vector<std::int32_t> fillers_; ///< buffers that can begin at D or below
    std::vector<double> weight_;        ///< failures met here, for the choice among urgent sections

    void log(char kind, Index i)
    {
        if (log_) *log_ += std::string(1, kind) + ' ' + std::to_string(i) + '\n';
    }
    void logSection(char kind, Index section, Index i = -1);

    std::string* log_ = nullptr;
    SearchSteps* steps_ = nullptr;
    bool raised_ = false; ///< a floor, in the last `raiseRefused`
    std::vector<TrailEntry> trail_;
    std::vector<Forced> forced_; ///< found by the last `propagate`
    std::vector<Index> tries_;   ///< of the last `chooseAhead`
    std::vector<Index> lists_;
    SweepArrays arrays_; ///< the above, as the sweeps take them
    const SectionSweeps* sweeps_;
    SeenStates seen_;
    std::int32_t seenCapacity_ = 0;
};

} // namespace stowage::exact

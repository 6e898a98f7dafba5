// A complete search for a layout of one pool within a capacity: finds one, or proves that none exists.
#pragma once

#include "core/planners/exact/instance.h"
#include "core/planners/exact/search_steps.h"
#include "core/planners/exact/section_sweep.h"
#include "core/planners/exact/seen_states.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stowage::exact {

/// Pruning rules. Each is sound by itself; tests switch them off to compare the results. Raising the floor of refused buffers is
/// not optional: without it the search could have no buffer left to branch on.
struct Rules {
    /// Fail if the unplaced bytes of a section do not fit between the lowest possible offset of its buffers and the capacity.
    bool sectionBound = true;
    /// If only one buffer of a section can begin low enough for these bytes, and only at its release, place it there: every
    /// layout does.
    bool onlyFiller = true;
    /// If no other buffer can reach into a buffer's place at its release, place it there: if it lay higher, the layout would not
    /// be compact.
    bool unblocked = true;
    /// Branch on equal buffers (size, alignment, conflicts) at the same offset only in order of their index: exchanging them
    /// gives the same layouts.
    bool twins = true;
    /// Solve groups of sections separately if no unplaced buffer connects them: their buffers do not conflict.
    bool split = true;
    /// Do not search refuted states again. The unplaced buffers with their releases and refusals determine a state
    /// (`SkylineSearch::key`).
    bool remember = true;
};

/// The order in which the search tries buffers. It affects the run time and which layout is found, not whether one is found.
struct Strategy {
    std::span<const double> preference; ///< by buffer; larger values are tried first
    /// Branch first on urgent sections that at most this number of buffers can fill, on the section with the fewest such buffers
    /// first; 0: always branch on the lowest place.
    std::int32_t urgentFirst = 2;
    /// If above 1, look one step ahead: in the section that the fewest buffers can fill, try `lookAhead` of these buffers at
    /// their releases, and branch on the one that leaves the largest sum of slack over all sections. Each try counts as a node.
    /// `urgentFirst` is ignored then.
    std::int32_t lookAhead = 0;
};

/// Searches *compact* layouts only: those in which no buffer can be moved to a lower feasible offset. If a layout fits, then the
/// layout with the smallest sum of offsets fits, and it is compact. So it is enough to decide for each buffer:
///
///     "it lies at its release", or "it lies higher",
///
/// where the release is the lowest offset that the placed neighbours leave free. The first branch raises the releases of its
/// neighbours. In the second branch ("refused") an unplaced neighbour must block the release, so the buffer cannot begin below
/// the lowest possible end of its unplaced neighbours (its floor). The branches are disjoint, so no layout is visited twice.
///
/// The search branches only on *exposed* buffers: those that no unplaced neighbour can lie completely below. Then all later
/// neighbours lie above it, and one release for each buffer describes the state. The buffer with the lowest possible end is
/// always exposed, so there is always a buffer to branch on.
///
/// The urgent-section rule has the largest effect. In a section, let D = capacity - unplaced bytes. Its lowest unplaced buffer
/// must begin at D or below. If no refused or raised buffer can, the section is urgent, and the buffers that can begin there at
/// their release are its *fillers*. With no filler the state fails, with one it is placed, and two make the best branch.
///
/// The ideas of sections, canonical placement and splitting are from MiniMalloc (Moffitt, ASPLOS 2023).
///
/// The search is a loop over a stack of frames, not a recursion: a layout of n buffers may need n nested branches. All
/// subproblems share one list of buffers, so that a nested branch takes a frame, not a copy of the list. O(buffers + conflicts)
/// memory.
class SkylineSearch {
public:
    explicit SkylineSearch(const Instance& instance, const Rules& rules = {});

    /// Searches for a layout of at most `capacity` units. Stops after `nodeLimit` nodes, or when `stop` is true; it is asked
    /// every 256 nodes, with many buffers more often. Refuted states are remembered between runs unless the capacity grows.
    Outcome run(std::int32_t capacity, const Strategy& strategy, std::uint64_t nodeLimit, const std::function<bool()>& stop = {});

    /// Appends the log of the next runs to `log`, in the format of `checkProof` (core/plan/proof/check_proof.h); null switches it
    /// off. A run that ends with `impossible` has then written its proof. Requires `Rules::remember` to be off, because a log
    /// cannot refer to states of earlier runs.
    void logTo(std::string* log) { log_ = log; }
    /// Records the placements, removals and refusals of the next runs in `steps`; null switches it off. Requires
    /// `SearchSteps::enter` for the pool of the instance.
    void stepsTo(SearchSteps* steps) { steps_ = steps; }

    /// After a run that returned `found`: the offset of each buffer, in units.
    [[nodiscard]] const std::vector<std::int32_t>& offsets() const { return offset_; }
    /// Nodes of the last run.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

private:
    using Index = std::int32_t;
    enum class Change : std::uint8_t { release, floor, refusal, placement };
    struct TrailEntry {
        Change change;
        Index buffer;
        std::int32_t old;
    };
    /// A buffer that must lie at its current release.
    struct Forced {
        Index buffer;
        std::int32_t release;
        Index section; ///< a section that no other buffer can fill; -1: no buffer can reach into its place
    };
    /// Sections that are solved separately, with their unplaced buffers: the elements [begin, begin + count) of `lists_`,
    /// ascending.
    struct Subproblem {
        std::size_t begin;
        std::size_t count;
        Index firstSection, lastSection; ///< [first, last)
    };
    /// A subproblem that is being solved: either searched as a whole, or group by group. If it has no solution, the elements of
    /// `lists_` that it had at its beginning are in order again.
    struct Frame {
        Subproblem sub;             ///< what is left of it: the buffers that are unplaced
        std::size_t count = 0;      ///< number of buffers at the beginning; those placed since follow those of `sub` in `lists_`
        std::size_t mark = 0;       ///< size of the trail at the beginning
        SeenStates::Key key = {};   ///< of the state at the beginning
        Index branch = -1;          ///< the buffer whose first branch is being solved; -1: the groups of `sub` are
        std::size_t branchMark = 0; ///< size of the trail before that branch
        bool split = false;         ///< true: solves `groups`; false: searches
        std::vector<Subproblem> groups = {}; ///< the tightest first
        std::size_t nextGroup = 0;
        std::size_t written = 0; ///< size of the log before the current group
    };

    void reset();
    void place(Index i, StepRule why);
    void refuse(Index i);
    void undo(std::size_t mark);
    [[nodiscard]] std::int32_t lift(Index i, std::int32_t release) const;
    bool solve();
    std::optional<bool> enter(Subproblem sub);
    std::optional<bool> enterGroup(const Subproblem& sub);
    std::optional<bool> search(std::optional<bool> nested);
    std::optional<bool> solveGroups(std::optional<bool> nested);
    bool leave(bool solved);
    [[nodiscard]] bool connected(const Subproblem& sub) const;
    void takeOut(const Subproblem& sub, Index i);
    void putBack(const Subproblem& sub, Index i);
    void putBackPlaced(const Frame& frame);
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
    [[nodiscard]] bool comesAfterTwin(Index i) const;
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
    std::uint64_t nextStop_ = 0;      ///< `stop_` is asked at this node or the next one after it
    Outcome gaveUp_ = Outcome::found; ///< `limit` or `stopped` when the run ends early

    // By buffer.
    std::vector<std::int32_t> release_;     ///< lowest offset that placed neighbours and pins leave free
    std::vector<std::int32_t> floor_;       ///< lowest offset of a refused buffer
    std::vector<std::int32_t> lowest_;      ///< release, or floor of a refused buffer; valid within a node
    std::vector<std::int32_t> topAround_;   ///< lowest possible end of an unplaced neighbour; valid within a node
    std::vector<std::int32_t> beginAround_; ///< lowest possible offset of an unplaced neighbour; valid within a node
    std::vector<std::int32_t> offset_;
    std::vector<std::uint8_t> placed_, refused_;
    std::vector<Index> twin_;         ///< an equal buffer with a lower index, or -1
    std::vector<std::uint8_t> joins_; ///< true for a buffer with an explicit conflict, which connects distant sections
    bool hasPins_ = false;
    std::vector<SectionRange> hull_; ///< from its first to its last section, including those of explicit neighbours

    // By section.
    std::vector<std::int32_t> unplaced_; ///< sum of loads of unplaced buffers, in units
    std::vector<std::int32_t> crossing_; ///< unplaced buffers whose hull crosses the boundary before the section
    /// Lowest and second lowest end and offset of unplaced buffers; valid within a node.
    std::vector<std::int32_t> top1_, top2_, begin1_, begin2_;
    std::vector<std::int32_t> risen_;   ///< lowest possible offset of a buffer that does not lie at its release
    std::vector<std::int32_t> fillers_; ///< number of buffers that can begin at D or below
    std::vector<double> weight_;        ///< failures in this section, for the choice among urgent sections

    void log(char kind, Index i)
    {
        if (log_) *log_ += std::string(1, kind) + ' ' + std::to_string(i) + '\n';
    }
    void logSection(char kind, Index section, Index i = -1);

    std::string* log_ = nullptr;
    SearchSteps* steps_ = nullptr;
    bool raised_ = false; ///< true if the last `raiseRefused` raised a floor
    std::vector<TrailEntry> trail_;
    std::vector<Forced> forced_; ///< found by the last `propagate`
    std::vector<Index> tries_;   ///< buffers that the last `chooseAhead` tried
    std::vector<Index> lists_;   ///< all buffers without a pin, in the order of the frames; after them a list of `chooseAhead`
    std::vector<Frame> frames_;  ///< the innermost last
    std::vector<Index> moved_;   ///< buffers that move within `lists_`
    SweepArrays arrays_;         ///< the arrays above, for the sweeps
    const SectionSweeps* sweeps_;
    SeenStates seen_;
    std::int32_t seenCapacity_ = 0;
};

} // namespace stowage::exact

// A complete search over pairs of buffers, for problems with windows: their buffers occupy only a part of their bytes at some
// steps.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/planners/exact/skyline_search.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace stowage::exact {

/// The buffers of one pool and, for each pair that is occupied at a common step, the differences of their offsets at which they
/// collide.
struct PairInstance {
    /// The buffers collide if low < offset(second) - offset(first) < high.
    struct Forbidden {
        std::int64_t low, high;
    };
    struct Pair {
        std::int32_t first, second;
        std::int32_t begin, end; ///< into `forbidden`: disjoint, ascending
    };
    std::vector<BufferId> buffers; ///< id in the problem; a buffer with several slots has one entry for each slot
    Bytes unit = 1;                ///< bytes; all following numbers are in units
    std::vector<std::int64_t> sizes, alignments, pins; ///< pin -1: not pinned
    std::vector<Pair> pairs;
    std::vector<Forbidden> forbidden;
    std::int64_t bound = 0; ///< a lower bound: the maximum of the units live at one step and the ends of pinned buffers
    Step fullest = -1;      ///< a step at which `bound` units are live; -1 if the bound is the end of a pinned buffer

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(buffers.size()); }
    /// Errors: carried values, more than 2,000 buffers or sums beyond 2^40 units. O(n^2 * stretches).
    static Expected<PairInstance> make(const Problem& problem, PoolId pool, std::span<const BufferId> members);
};

/// Pruning rules. Each is sound by itself; tests switch them off to compare the results.
struct PairRules {
    bool bound = true; ///< no search if more units are live at one step than the capacity
    /// If one side of a collision exceeds the capacity, take the other side without a branch; if both do, fail.
    bool forced = true;
    bool cycle = true; ///< fail as soon as buffers push each other up in a cycle, instead of at the capacity
    bool slots = true; ///< order the slots of a buffer by address: they are interchangeable
};

/// If a buffer has windows, the set of offset differences at which it collides with another buffer may have holes: one buffer can
/// lie inside the hull of the other. So the argument of `SkylineSearch` about compact layouts does not hold. But for each
/// forbidden interval (l, h) of a pair, every layout satisfies one of two inequalities:
///
///     offset(second) >= offset(first) + h      or      offset(first) >= offset(second) - l.
///
/// Both are lower bounds of an offset. So a set of chosen inequalities has a smallest solution, also with pins and alignments,
/// because rounding up is monotone; a worklist computes it. If the solution has no collision, it is a layout. Otherwise the
/// search branches on a violated interval. The branches cover all layouts, so a search that ends without a layout proves that
/// none exists. After disjunctive scheduling (Carlier and Pinson 1989).
class PairSearch {
public:
    explicit PairSearch(const PairInstance& instance, const PairRules& rules = {});
    /// Like `SkylineSearch::run`; a node is a branch. More than 4,000 nested branches end the run with `limit`.
    Outcome run(std::int64_t capacity, std::uint64_t nodeLimit, const std::function<bool()>& stop = {});
    /// Like `SkylineSearch::stepsTo`. All buffers are placed from the start; the steps show how they push each other up.
    void stepsTo(SearchSteps* steps) { steps_ = steps; }
    /// Like `SkylineSearch::logTo`, for `checkPairProof` (core/plan/proof/check_proof_pairs.h).
    void logTo(std::string* log) { log_ = log; }
    [[nodiscard]] const std::vector<std::int64_t>& offsets() const { return lowest_; }
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

private:
    struct Push {
        std::int32_t to;
        std::int64_t by;
    };
    struct Choice {
        std::int32_t from = -1, to = -1;
        std::int64_t by = 0;
    };
    /// Logs a branch. `up`: the first alternative is that the second buffer lies above.
    void log(bool up, const PairInstance::Pair& pair, std::int32_t range);
    bool search();
    bool push(const Choice& choice);
    bool raise(std::int32_t i, std::int64_t offset);
    void undo(std::size_t raises, std::size_t pushes);
    [[nodiscard]] std::int64_t lifted(const Choice& choice) const;
    [[nodiscard]] std::int64_t highest(std::int32_t i) const;
    [[nodiscard]] std::int64_t aligned(std::int32_t i, std::int64_t offset) const;

    const PairInstance& instance_;
    PairRules rules_;
    bool anyAligned_;
    SearchSteps* steps_ = nullptr;
    std::string* log_ = nullptr;
    std::int64_t capacity_ = 0;
    std::uint64_t nodeLimit_ = 0, nodes_ = 0;
    std::size_t depth_ = 0; ///< number of branches whose first alternative is being searched
    std::function<bool()> stop_;
    Outcome gaveUp_ = Outcome::found;
    std::vector<std::int64_t> lowest_;
    std::vector<std::vector<Push>> pushes_;                     ///< by buffer: the inequalities in which it is the lower one
    std::vector<std::int32_t> pushed_;                          ///< buffers whose list in `pushes_` grew, in order, for `undo`
    std::vector<std::pair<std::int32_t, std::int64_t>> raised_; ///< buffers and their old offsets, for `undo`
    std::vector<std::int32_t> worklist_;                        ///< raised buffers whose inequalities have not been applied yet
    std::vector<std::uint8_t> queued_;                          ///< by buffer: true if it waits in the worklist
};

} // namespace stowage::exact

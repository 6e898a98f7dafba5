// Complete search over pairs of buffers, for problems whose buffers occupy only a part of their bytes at some steps (windows).
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/planners/exact/skyline_search.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace stowage::exact {

/// One pool's buffers and, for each pair that meets, the differences of their offsets at which they collide.
struct PairInstance {
    /// Not allowed: low < offset(second) - offset(first) < high.
    struct Forbidden {
        std::int64_t low, high;
    };
    struct Pair {
        std::int32_t first, second;
        std::int32_t begin, end; ///< into `forbidden`: disjoint, ascending
    };
    std::vector<BufferId> buffers;                     ///< id in the problem; a multi-buffer once for each slot, in turn
    Bytes unit = 1;                                    ///< bytes; what follows is in units
    std::vector<std::int64_t> sizes, alignments, pins; ///< pin -1: free
    std::vector<Pair> pairs;
    std::vector<Forbidden> forbidden;
    std::int64_t bound = 0; ///< a lower bound: most units live at one step, and every pin's top
    Step fullest = -1;      ///< a step at which `bound` units are live; -1 when it is that of a pin

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(buffers.size()); }
    /// Errors: carried values, more than 2,000 buffers or sums beyond 2^40 units. O(n^2 * stretches).
    static Expected<PairInstance> make(const Problem& problem, PoolId pool, std::span<const BufferId> members);
};

/// Pruning rules, each sound by itself and off at will, so that a test can compare what they find.
struct PairRules {
    bool bound = true;  ///< more units are live at one step than there are: nothing is tried
    bool forced = true; ///< of a collision with one side too high the other is taken at once, and with both there is none: a
                        ///< branch would find the same
    bool cycle = true;  ///< buffers that push each other round are not followed up to the capacity
    bool slots = true;  ///< slots of one multi-buffer are alike, so any layout can be renamed to have them in order of address
};

/// Two buffers of which one occupies part of its bytes for a while collide at certain differences of their offsets. Such a set of
/// differences may have holes, so a buffer can lie inside another's hull and a layout need not be a pile; the argument of
/// `SkylineSearch` is lost. But for each forbidden interval (l, h) of a pair one of two things holds in every layout:
///
///     offset(second) >= offset(first) + h      or      offset(first) >= offset(second) - l.
///
/// Both only push upwards. So for a set of such choices there is a least solution (pins and alignments keep that: rounding up is
/// monotone), which a worklist finds. If it collides nowhere, it is a layout; else some interval is violated, and the search
/// branches on it. The branches cover all layouts, hence a search that ends without one is a proof. After disjunctive scheduling
/// (Carlier and Pinson 1989).
class PairSearch {
public:
    explicit PairSearch(const PairInstance& instance, const PairRules& rules = {});
    /// As `SkylineSearch::run`; a node is a branch taken. More than 4,000 branches one inside the other are a limit too.
    Outcome run(std::int64_t capacity, std::uint64_t nodeLimit, const std::function<bool()>& stop = {});
    /// As `SkylineSearch::stepsTo`. Every buffer lies somewhere from the start; what is told is how they push each other up.
    void stepsTo(SearchSteps* steps) { steps_ = steps; }
    /// As `SkylineSearch::logTo`, for `checkPairProof` (core/plan/proof/check_proof_pairs.h).
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
    /// `up`: the second of the pair lies above, at first.
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
    std::size_t depth_ = 0; ///< branches whose first side is being searched
    std::function<bool()> stop_;
    Outcome gaveUp_ = Outcome::found;
    std::vector<std::int64_t> lowest_;
    std::vector<std::vector<Push>> pushes_;                     ///< by buffer: what it pushes
    std::vector<std::int32_t> pushed_;                          ///< whose list grew, in order
    std::vector<std::pair<std::int32_t, std::int64_t>> raised_; ///< old values
    std::vector<std::int32_t> worklist_;                        ///< raised, and not yet passed on to what they push
    std::vector<std::uint8_t> queued_;                          ///< by buffer: it stands in that list, after its head
};

} // namespace stowage::exact

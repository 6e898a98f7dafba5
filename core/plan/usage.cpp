// Computes the use of a pool over time, block by block (TimeBlocks), with a tree over the addresses in use in a block. A single
// tree over all addresses takes ten times as long for a million buffers: each change updates 21 levels, most of them outside the
// cache.
#include "core/ir/checked.h"
#include "core/ir/occupied.h"
#include "core/plan/load.h"
#include "core/plan/meeting.h"
#include "core/plan/offsets.h"
#include "core/plan/report.h"
#include "core/plan/time_blocks.h"

#include <algorithm>
#include <bit>

namespace stowage {

namespace {

/// The bytes of [0, size) covered by a changing set of intervals, with the number of free bytes, the largest free block and the
/// free bytes at the end. A segment tree over the ends of all intervals: a node counts the intervals assigned to it, and computes
/// its free bytes without the intervals of the nodes above it. So removal needs no lazy propagation, and the root is exact. O(log
/// n) for each change.
class AddressTree {
public:
    /// Removes all intervals. `cuts`: at least two, ascending, distinct, from 0 to the size. O(cuts).
    void reset(std::vector<Bytes>& cuts)
    {
        cuts_.swap(cuts);
        leaves_ = std::bit_ceil(cuts_.size() - 1);
        nodes_.assign(2 * leaves_, {});
        for (std::size_t i = 0; i + 1 < cuts_.size(); ++i) {
            const Bytes width = cuts_[i + 1] - cuts_[i];
            nodes_[leaves_ + i] = {{width, width, width, width}, width, 0};
        }
        for (std::size_t node = leaves_ - 1; node > 0; --node) {
            nodes_[node].width = nodes_[2 * node].width + nodes_[2 * node + 1].width;
            join(node);
        }
    }

    void change(Bytes low, Bytes high, std::int32_t by)
    {
        const auto position = [&](Bytes cut) {
            return static_cast<std::size_t>(std::lower_bound(cuts_.begin(), cuts_.end(), cut) - cuts_.begin());
        };
        std::size_t from = position(low) + leaves_;
        std::size_t to = position(high) + leaves_;
        if (from >= to) return;
        std::size_t first = from;
        std::size_t last = to - 1;
        for (; from < to; from /= 2, to /= 2) {
            if (from % 2 == 1) nodes_[from++].covers += by;
            if (to % 2 == 1) nodes_[--to].covers += by;
        }
        // Updates the nodes on the paths from both ends to the root; all other changed nodes are children of these. Common nodes
        // are updated once.
        for (first /= 2, last /= 2; first > 0; first /= 2, last /= 2) {
            join(first);
            if (last != first) join(last);
        }
    }

    [[nodiscard]] Bytes free() const { return seen(1).sum; }
    [[nodiscard]] Bytes largestFree() const { return seen(1).largest; }
    /// One past the highest covered byte.
    [[nodiscard]] Bytes top() const { return cuts_.back() - seen(1).right; }

private:
    struct Free {
        Bytes sum = 0;
        Bytes largest = 0;
        Bytes left = 0;  ///< free run at the low end
        Bytes right = 0; ///< free run at the high end
    };
    struct Node {
        Free free;       ///< without the intervals assigned to the node
        Bytes width = 0; ///< number of its bytes; 0 for leaves after the last cut
        std::int32_t covers = 0;
    };

    [[nodiscard]] const Free& seen(std::size_t node) const
    {
        static constexpr Free nothing;
        return nodes_[node].covers > 0 ? nothing : nodes_[node].free;
    }
    /// Computes the free bytes of a node from its children.
    void join(std::size_t node)
    {
        const Free& low = seen(2 * node);
        const Free& high = seen(2 * node + 1);
        Free& free = nodes_[node].free;
        free.sum = low.sum + high.sum;
        free.largest = std::max({low.largest, high.largest, low.right + high.left});
        free.left = low.left == nodes_[2 * node].width ? low.left + high.left : low.left;
        free.right = high.right == nodes_[2 * node + 1].width ? high.right + low.right : high.right;
    }

    std::vector<Bytes> cuts_;
    std::size_t leaves_ = 1;
    std::vector<Node> nodes_;
};

/// Bytes that are in use over a range of steps.
struct RangeUse {
    Interval live;
    Bytes low = 0;
    Bytes high = 0;
};

/// True if the buffer lies in the pool, at addresses within 0 to 2^62.
bool drawable(const Problem& problem, const Plan& plan, std::size_t b, PoolId pool)
{
    if (b >= plan.placements.size() || plan.placements[b].pool != pool || problem.buffers[b].size == 0) return false;
    const Placement& at = plan.placements[b];
    const auto inside = [&](Bytes offset) { return offset >= 0 && offset <= maxBytes - problem.buffers[b].size; };
    return inside(at.offset) && std::all_of(at.offsets.begin(), at.offsets.end(), inside);
}

/// The ranges in use in the pool; appends their buffers to `ids`.
std::vector<RangeUse> usesOf(const Problem& problem, const Plan& plan, PoolId pool, std::vector<BufferId>& ids)
{
    std::vector<RangeUse> uses;
    uses.reserve(problem.buffers.size());
    const auto use = [&](const Interval& live, Bytes low, Bytes high) {
        if (!live.empty() && low < high) uses.push_back({live, low, high});
    };
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        if (!drawable(problem, plan, b, pool)) continue;
        const Buffer& buffer = problem.buffers[b];
        const Placement& at = plan.placements[b];
        ids.push_back(static_cast<BufferId>(b));
        for (const Bytes offset : offsetsOf(at))
            forEachOccupied(buffer, [&](const Occupied& it) { use(it.steps, offset + it.low, offset + it.high); });
    }
    return uses;
}

/// The sum of all loads, step by step.
class LiveBytes {
public:
    explicit LiveBytes(const std::vector<Load>& loads)
        : loads_(loads),
          byBegin_(sortedBy(loads.size(), [&](std::size_t i) { return loads[i].live.begin; })),
          byEnd_(sortedBy(loads.size(), [&](std::size_t i) { return loads[i].live.end; }))
    {
    }

    /// The live bytes at `step`. Requires ascending steps from call to call.
    Bytes at(Step step)
    {
        for (; begun_ < byBegin_.size() && loads_[byBegin_[begun_]].live.begin <= step; ++begun_)
            live_ += loads_[byBegin_[begun_]].total();
        for (; ended_ < byEnd_.size() && loads_[byEnd_[ended_]].live.end <= step; ++ended_)
            live_ -= loads_[byEnd_[ended_]].total();
        return live_;
    }

private:
    const std::vector<Load>& loads_;
    std::vector<std::uint32_t> byBegin_, byEnd_;
    std::size_t begun_ = 0, ended_ = 0;
    Bytes live_ = 0;
};

} // namespace

std::vector<UsageSample> usage(const Problem& problem, const Plan& plan, PoolId pool, Bytes least)
{
    std::vector<BufferId> ids;
    const std::vector<RangeUse> uses = usesOf(problem, plan, pool, ids);
    if (uses.empty()) return {};
    const Bytes size = std::max(least, plan.poolSize(problem, pool));
    const std::vector<Load> loads = occupied(problem, ids, none);
    LiveBytes live(loads);
    // Bytes that buffers share by permission count once. Without such pairs the live bytes are never more than the occupied
    // bytes.
    const bool shared = std::any_of(ids.begin(), ids.end(),
                                    [&](BufferId id) { return !problem.buffers[static_cast<std::size_t>(id)].mayShare.empty(); });
    AddressTree tree;
    std::vector<Bytes> cuts;
    std::vector<UsageSample> samples;
    TimeBlocks blocks(uses.size(), [&](std::size_t i) { return uses[i].live; });
    while (blocks.next()) {
        cuts.assign({0, size});
        for (const std::uint32_t i : blocks.members()) {
            cuts.push_back(uses[i].low);
            cuts.push_back(uses[i].high);
        }
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        tree.reset(cuts);
        for (const std::uint32_t i : blocks.members().first(blocks.carried())) tree.change(uses[i].low, uses[i].high, 1);

        std::span<const std::uint32_t> beginning = blocks.members().subspan(blocks.carried());
        std::span<const std::uint32_t> ending = blocks.ending();
        if (samples.empty() && uses[beginning.front()].live.begin > 0)
            samples.push_back({0, 0, 0, tree.free(), tree.largestFree()});
        while (!beginning.empty() || !ending.empty()) {
            const bool begins =
                !beginning.empty() && (ending.empty() || uses[beginning.front()].live.begin <= uses[ending.front()].live.end);
            const Step step = begins ? uses[beginning.front()].live.begin : uses[ending.front()].live.end;
            for (; !ending.empty() && uses[ending.front()].live.end == step; ending = ending.subspan(1))
                tree.change(uses[ending.front()].low, uses[ending.front()].high, -1);
            for (; !beginning.empty() && uses[beginning.front()].live.begin == step; beginning = beginning.subspan(1))
                tree.change(uses[beginning.front()].low, uses[beginning.front()].high, 1);
            const Bytes sum = live.at(step);
            samples.push_back(
                {step, shared ? std::min(sum, size - tree.free()) : sum, tree.top(), tree.free(), tree.largestFree()});
        }
    }
    return samples;
}

} // namespace stowage

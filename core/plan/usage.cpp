// Use of a pool over time, from a tree over its addresses.
#include "core/ir/checked.h"
#include "core/plan/copies.h"
#include "core/plan/load.h"
#include "core/plan/report.h"

#include <algorithm>
#include <bit>

namespace stowage {

namespace {

/// Which bytes of [0, size) are covered by intervals that come and go, with the free bytes, the largest free block and the free
/// end at hand: a segment tree over the ends of all intervals. A node counts the intervals that were put on it whole and sums up
/// its free bytes as if nothing lay on the nodes above it; so removal needs no lazy propagation, and the root tells the truth.
/// O(log n) a change.
class AddressTree {
public:
    /// `cuts`: ascending, distinct, first 0, last the size; at least two.
    explicit AddressTree(std::vector<Bytes> cuts)
        : cuts_(std::move(cuts)), leaves_(std::bit_ceil(cuts_.size() - 1)), covers_(2 * leaves_), free_(2 * leaves_)
    {
        for (std::size_t i = 0; i + 1 < cuts_.size(); ++i) {
            const Bytes width = cuts_[i + 1] - cuts_[i];
            free_[leaves_ + i] = {width, width, width, width};
        }
        for (std::size_t node = leaves_ - 1; node > 0; --node) free_[node] = joined(node);
    }

    void change(Bytes low, Bytes high, std::int32_t by)
    {
        const auto position = [&](Bytes cut) {
            return static_cast<std::size_t>(std::lower_bound(cuts_.begin(), cuts_.end(), cut) - cuts_.begin());
        };
        std::size_t from = position(low) + leaves_;
        std::size_t to = position(high) + leaves_;
        if (from >= to) return;
        const std::size_t first = from;
        const std::size_t last = to - 1;
        for (; from < to; from /= 2, to /= 2) {
            if (from % 2 == 1) covers_[from++] += by;
            if (to % 2 == 1) covers_[--to] += by;
        }
        // Every changed node lies on the way up from one of the two ends, or is a sibling's child of it; both ways are summed up
        // anew.
        rebuild(first);
        rebuild(last);
    }

    [[nodiscard]] Bytes free() const { return covers_[1] > 0 ? 0 : free_[1].sum; }
    [[nodiscard]] Bytes largestFree() const { return covers_[1] > 0 ? 0 : free_[1].largest; }
    /// One past the highest covered byte.
    [[nodiscard]] Bytes top() const { return cuts_.back() - (covers_[1] > 0 ? 0 : free_[1].right); }

private:
    struct Free {
        Bytes sum = 0;
        Bytes largest = 0;
        Bytes left = 0;  ///< free run at the low end
        Bytes right = 0; ///< free run at the high end
    };

    /// Width of a node's addresses: the leaves behind the last cut have none.
    [[nodiscard]] Bytes width(std::size_t node) const
    {
        const auto level = static_cast<std::size_t>(std::bit_width(leaves_) - std::bit_width(node));
        const std::size_t first = (node << level) - leaves_;
        const std::size_t end = first + (std::size_t{1} << level);
        const std::size_t last = cuts_.size() - 1;
        return cuts_[std::min(end, last)] - cuts_[std::min(first, last)];
    }
    [[nodiscard]] Free seen(std::size_t node) const { return covers_[node] > 0 ? Free{} : free_[node]; }
    /// The free bytes of a node from its children, without what covers it whole.
    [[nodiscard]] Free joined(std::size_t node) const
    {
        const Free low = seen(2 * node);
        const Free high = seen(2 * node + 1);
        Free free;
        free.sum = low.sum + high.sum;
        free.largest = std::max({low.largest, high.largest, low.right + high.left});
        free.left = low.left == width(2 * node) ? low.left + high.left : low.left;
        free.right = high.right == width(2 * node + 1) ? high.right + low.right : high.right;
        return free;
    }
    void rebuild(std::size_t leaf)
    {
        for (std::size_t node = leaf / 2; node > 0; node /= 2) free_[node] = joined(node);
    }

    std::vector<Bytes> cuts_;
    std::size_t leaves_;
    std::vector<std::int32_t> covers_;
    std::vector<Free> free_;
};

/// A change at a step: bytes that come into use or fall free.
struct Change {
    Step step = 0;
    Bytes low = 0;
    Bytes high = 0;
    std::int32_t by = 1;
};

/// What lies in the pool at addresses that can be drawn.
bool drawable(const Problem& problem, const Plan& plan, std::size_t b, PoolId pool)
{
    if (b >= plan.placements.size() || plan.placements[b].pool != pool || problem.buffers[b].size == 0) return false;
    const Placement& at = plan.placements[b];
    const auto inside = [&](Bytes offset) { return offset >= 0 && offset <= maxBytes - problem.buffers[b].size; };
    return inside(at.offset) && std::all_of(at.offsets.begin(), at.offsets.end(), inside);
}

} // namespace

std::vector<UsageSample> usage(const Problem& problem, const Plan& plan, PoolId pool)
{
    std::vector<Change> changes;
    std::vector<BufferId> ids;
    const auto use = [&](const Interval& live, Bytes low, Bytes high) {
        changes.push_back({live.begin, low, high, 1});
        changes.push_back({live.end, low, high, -1});
    };
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        if (!drawable(problem, plan, b, pool)) continue;
        const Buffer& buffer = problem.buffers[b];
        const Placement& at = plan.placements[b];
        ids.push_back(static_cast<BufferId>(b));
        const std::span<const Bytes> offsets = at.offsets.empty() ? std::span(&at.offset, 1) : std::span(at.offsets);
        for (const Bytes offset : offsets) {
            for (const Interval& live : buffer.live) use(live, offset, offset + buffer.size);
            for (const Window& window : buffer.windows) use(window.live, offset + window.low, offset + window.high);
            for (const Carried& carried : buffer.carried) use(carried.live, offset, offset + buffer.size);
        }
    }
    if (changes.empty()) return {};

    struct Amount {
        Step step;
        Bytes bytes;
    };
    std::vector<Amount> amounts; // of `live`
    for (const Load& load : occupied(problem, ids, none)) {
        amounts.push_back({load.live.begin, load.total()});
        amounts.push_back({load.live.end, -load.total()});
    }
    std::sort(amounts.begin(), amounts.end(), [](const Amount& a, const Amount& b) { return a.step < b.step; });

    std::vector<Bytes> cuts{0, plan.poolSize(problem, pool)};
    for (const Change& change : changes) {
        cuts.push_back(change.low);
        cuts.push_back(change.high);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    AddressTree tree(std::move(cuts));
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.step < b.step; });

    std::vector<UsageSample> samples;
    if (changes.front().step > 0) samples.push_back({0, 0, 0, tree.free(), tree.largestFree()});
    Bytes live = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < changes.size();) {
        const Step step = changes[i].step;
        for (; i < changes.size() && changes[i].step == step; ++i) tree.change(changes[i].low, changes[i].high, changes[i].by);
        for (; next < amounts.size() && amounts[next].step <= step; ++next) live += amounts[next].bytes;
        samples.push_back({step, live, tree.top(), tree.free(), tree.largestFree()});
    }
    return samples;
}

} // namespace stowage

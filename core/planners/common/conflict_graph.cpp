#include "core/planners/common/conflict_graph.h"

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

using Pair = std::pair<BufferId, BufferId>;

/// Finds the pairs that conflict, each once. Plain buffers have one stretch; the others may meet in several, so what they meet is
/// collected and made unique before it counts.
class Pairing {
public:
    explicit Pairing(const BufferTable& table) : table_(table), met_(at(table.size())) {}

    /// Calls visit(a, b) for each pair but those of two plain buffers that only their stretches bring together; for these, too,
    /// when `plainToo`. A visit that returns false ends it all.
    template <typename Visit>
    void run(bool plainToo, Visit visit)
    {
        sweep(plainToo, visit);
        if (ended_) return;
        for (BufferId c = 0; c < table_.size() && !ended_; ++c) {
            std::vector<BufferId>& met = met_[at(c)];
            tidy(met);
            for (const BufferId other : met)
                if (!mayShare(c, other)) give(visit, c, other);
        }
        for (BufferId b = 0; b < table_.size() && !ended_; ++b) {
            if (!counts(b) || unique(b)) continue;
            for (const BufferId other : table_.buffer(b).conflicts)
                if (other > b && counts(other) && !unique(other) && !mayShare(b, other) && !meets(b, other))
                    give(visit, b, other);
        }
        if (!table_.anyUnique()) return;
        for (BufferId u = 0; u < table_.size(); ++u) {
            if (!unique(u) || !counts(u)) continue;
            for (BufferId b = 0; b < table_.size() && !ended_; ++b)
                if (b != u && counts(b) && !(unique(b) && b < u) && !mayShare(u, b)) give(visit, u, b);
        }
    }

    /// Both are plain: whether they meet is seen from their only stretch.
    [[nodiscard]] bool plain(BufferId b) const { return table_.item(b).stretches == 0; }
    [[nodiscard]] bool counts(BufferId b) const { return table_.item(b).size > 0; }
    [[nodiscard]] bool unique(BufferId b) const { return table_.anyUnique() && table_.buffer(b).unique; }
    [[nodiscard]] bool swept(BufferId b) const { return counts(b) && !table_.item(b).timeless && !unique(b); }

private:
    struct Start {
        Ranks ranks;
        BufferId buffer = none;
    };
    /// What has begun and not ended, the first to end on top of the heap.
    class Active {
    public:
        void add(const Start& start)
        {
            heap_.push_back(start);
            std::push_heap(heap_.begin(), heap_.end(), later);
        }
        void endBefore(std::int32_t rank)
        {
            while (!heap_.empty() && heap_.front().ranks.end <= rank) {
                std::pop_heap(heap_.begin(), heap_.end(), later);
                heap_.pop_back();
            }
        }
        [[nodiscard]] const std::vector<Start>& all() const { return heap_; }

    private:
        static bool later(const Start& a, const Start& b) { return a.ranks.end > b.ranks.end; }
        std::vector<Start> heap_;
    };

    template <typename Visit>
    void give(Visit& visit, BufferId a, BufferId b)
    {
        if (!visit(a, b)) ended_ = true;
    }

    [[nodiscard]] bool mayShare(BufferId a, BufferId b) const
    {
        if (!table_.anyMayShare()) return false;
        const RareList<BufferId>& list = table_.buffer(a).mayShare;
        return std::binary_search(list.begin(), list.end(), b);
    }

    [[nodiscard]] bool meets(BufferId a, BufferId b) const
    {
        if (!swept(a) || !swept(b)) return false;
        if (plain(a) && plain(b)) {
            const Ranks x = table_.item(a).ranks;
            const Ranks y = table_.item(b).ranks;
            return x.begin < y.end && y.begin < x.end;
        }
        const bool atFirst = !plain(a) && (plain(b) || a < b);
        const std::vector<BufferId>& met = met_[at(atFirst ? a : b)];
        return std::binary_search(met.begin(), met.end(), atFirst ? b : a);
    }

    static void tidy(std::vector<BufferId>& met)
    {
        std::sort(met.begin(), met.end());
        met.erase(std::unique(met.begin(), met.end()), met.end());
    }

    /// Remembered at the one of the two that has several stretches, at the first of two such.
    void meet(BufferId a, BufferId b)
    {
        if (a == b) return;
        if (plain(a) || (!plain(b) && b < a)) std::swap(a, b);
        std::vector<BufferId>& met = met_[at(a)];
        if (met.size() >= 64 && met.size() == met.capacity()) tidy(met); // the same ones again and again take no more memory
        met.push_back(b);
    }

    /// A sweep over begins: remembers what meets a buffer of several stretches and, with `plainToo`, gives pairs of plain ones
    /// to `visit` as they meet.
    template <typename Visit>
    void sweep(bool plainToo, Visit& visit)
    {
        std::vector<Start> starts;
        bool complex = false;
        for (BufferId b = 0; b < table_.size(); ++b) {
            if (!swept(b)) continue;
            complex |= !plain(b);
            table_.forEachStretch(table_.item(b), [&](const RankStretch& stretch) { starts.push_back({stretch.ranks, b}); });
        }
        if (!complex && !plainToo) return;
        std::sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) {
            return std::pair(a.ranks.begin, a.buffer) < std::pair(b.ranks.begin, b.buffer);
        });
        Active plains;
        Active others;
        for (const Start& start : starts) {
            plains.endBefore(start.ranks.begin);
            others.endBefore(start.ranks.begin);
            for (const Start& other : others.all()) meet(start.buffer, other.buffer);
            if (!plain(start.buffer)) {
                for (const Start& other : plains.all()) meet(start.buffer, other.buffer);
                others.add(start);
                continue;
            }
            if (plainToo)
                for (const Start& other : plains.all()) {
                    if (!mayShare(start.buffer, other.buffer)) give(visit, start.buffer, other.buffer);
                    if (ended_) return;
                }
            plains.add(start);
        }
    }

    const BufferTable& table_;
    std::vector<std::vector<BufferId>> met_; ///< by buffer with several stretches
    bool ended_ = false;
};

} // namespace

std::vector<std::int32_t> conflictCounts(const BufferTable& table)
{
    Pairing pairing(table);
    std::vector<std::int32_t> counts(at(table.size()));
    pairing.run(false, [&](BufferId a, BufferId b) {
        ++counts[at(a)];
        ++counts[at(b)];
        return true;
    });
    // Two plain buffers meet unless one has ended when the other begins.
    const auto ranks = static_cast<std::size_t>(table.grid().size()) + 1;
    std::vector<std::int32_t> begun(ranks + 1); // before rank
    std::vector<std::int32_t> ended(ranks + 1); // at rank or before
    const auto swept = [&](BufferId b) { return pairing.swept(b) && pairing.plain(b); };
    for (BufferId b = 0; b < table.size(); ++b) {
        if (!swept(b)) continue;
        ++begun[static_cast<std::size_t>(table.item(b).ranks.begin) + 1];
        ++ended[static_cast<std::size_t>(table.item(b).ranks.end)];
    }
    for (std::size_t r = 1; r < begun.size(); ++r) {
        begun[r] += begun[r - 1];
        ended[r] += ended[r - 1];
    }
    for (BufferId b = 0; b < table.size(); ++b) {
        if (!swept(b)) continue;
        const Ranks r = table.item(b).ranks;
        counts[at(b)] += begun[static_cast<std::size_t>(r.end)] - ended[static_cast<std::size_t>(r.begin)] - 1;
        if (!table.anyMayShare()) continue;
        for (const BufferId other : table.buffer(b).mayShare) {
            const Ranks o = table.item(other).ranks;
            if (swept(other) && o.begin < r.end && r.begin < o.end) --counts[at(b)];
        }
    }
    return counts;
}

bool eachConflict(const BufferTable& table, const std::function<bool(BufferId, BufferId)>& visit)
{
    bool ended = false;
    Pairing(table).run(true, [&](BufferId a, BufferId b) {
        ended = !visit(a, b);
        return !ended;
    });
    return !ended;
}

std::optional<ConflictGraph> ConflictGraph::make(const BufferTable& table, std::size_t maxPairs)
{
    std::vector<Pair> pairs;
    bool tooMany = false;
    Pairing(table).run(true, [&](BufferId a, BufferId b) {
        tooMany = pairs.size() >= maxPairs;
        if (!tooMany) pairs.emplace_back(a, b);
        return !tooMany;
    });
    if (tooMany) return std::nullopt;
    ConflictGraph graph;
    graph.begin_.assign(at(table.size()) + 1, 0);
    for (const auto& [a, b] : pairs) {
        ++graph.begin_[at(a) + 1];
        ++graph.begin_[at(b) + 1];
    }
    for (std::size_t i = 1; i < graph.begin_.size(); ++i) graph.begin_[i] += graph.begin_[i - 1];
    graph.neighbours_.resize(graph.begin_.back());
    std::vector<std::size_t> next(graph.begin_.begin(), graph.begin_.end() - 1);
    for (const auto& [a, b] : pairs) {
        graph.neighbours_[next[at(a)]++] = b;
        graph.neighbours_[next[at(b)]++] = a;
    }
    // Handing each buffer, in order, to all of its neighbours puts every list into order without a comparison.
    std::vector<BufferId> sorted(graph.neighbours_.size());
    next.assign(graph.begin_.begin(), graph.begin_.end() - 1);
    for (BufferId b = 0; b < table.size(); ++b)
        for (const BufferId other : graph.neighbours(b)) sorted[next[at(other)]++] = b;
    graph.neighbours_ = std::move(sorted);
    return graph;
}

} // namespace stowage

// Which bytes of a pool are occupied during a stretch of time: the structure under all greedy planners.
//
// Placing a buffer asks for the occupied spans of everything placed so far that is live together with it. A list of neighbours
// for each buffer would need memory for every pair, and the networks that people plan have buffers with thousands of neighbours.
// So time is cut into blocks (TimeGrid), with a tree of fan-out 8 above them, and each stretch of time is taken apart once: the
// blocks that it covers only in part, at its two ends, and the few tree nodes that it covers whole.
//
//   - A block keeps one entry, with its own ranks, for each stretch that covers it in part. There are at most as many as begin or
//     end in it (TimeGrid::eventsPerBlock), in one piece of memory, ascending by address: asking is a filter over two lists.
//   - A node keeps the union of the spans that cover it whole (`covers`), and the union of all spans in it (`inside`). Unions
//     melt stacked buffers into a few spans, so a long-lived buffer costs O(log n) short lists however many neighbours it has.
//     `inside` is kept only at nodes that some stretch announced to `announce` will ask for.
//
// Asking and inserting take O(eventsPerBlock + log(blocks) * spans in a union). A union has few spans where buffers that are live
// together were placed together, or where sizes repeat. It has as many as buffers where a large part of all buffers is live at
// once, nested in time, and all sizes differ; `PlacementEngine` then keeps FreeCells in place of the unions.
//
// Memory is linear: two entries and O(log blocks) unions for a stretch at most, and unions are shared. The idea is a segment tree
// with the canonical nodes' lists kept as unions; the partial lists at its leaves keep the usual short-lived buffer from paying
// for a tree at all.
#pragma once

#include "core/planners/common/large_pages.h"
#include "core/planners/common/time_grid.h"
#include "core/planners/placement/span_set.h"
#include "core/planners/placement/time_tree.h"

#include <span>
#include <vector>

namespace stowage {

/// Collects ascending runs of spans, and merges them into one. Reused from query to query, so that nothing is allocated.
class SpanRuns {
public:
    void clear();
    /// Space for `n` more spans; they are written through the pointer, and `endRun` takes their number.
    Span* beginRun(std::size_t n);
    /// The run written since `beginRun` ends at `end`; empty ones are forgotten.
    void endRun(const Span* end, bool disjoint = false);
    /// `disjoint`: no two of the spans overlap.
    void add(std::span<const Span> ascending, bool disjoint = false);
    /// Number of spans, for `shift`.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Moves the ends of all spans from number `from` on. Keeps runs ascending.
    void shift(std::size_t from, Bytes low, Bytes high);
    /// All spans, run by run.
    [[nodiscard]] std::span<const Span> spans() const { return {spans_.data(), size_}; }
    /// The gap between all spans, as findGap(spans, query) gives it for one ascending list. Nothing else may be called after it
    /// but `clear`. O(spans log runs) at most; where spans cover others, those are passed over unread.
    [[nodiscard]] std::optional<GapAnswer> findGap(const GapQuery& query);

private:
    struct Run {
        const Span* at = nullptr;
        const Span* end = nullptr;
        bool disjoint = false; ///< no two of its spans overlap, so their ends ascend too
    };
    std::span<const Span> merged();
    [[nodiscard]] std::optional<GapAnswer> findGapBetweenRuns(const GapQuery& query);

    std::vector<Span> spans_;
    std::vector<Span> other_; ///< the merges' target
    std::size_t size_ = 0;
    std::vector<std::size_t> ends_; ///< of the runs
    std::vector<std::size_t> mergedEnds_;
    std::vector<bool> disjoint_; ///< by run
    std::vector<Run> runs_;      ///< scratch
};

class TimeIndex {
public:
    /// `grid` outlives the index.
    explicit TimeIndex(const TimeGrid& grid);

    /// Every stretch that will be inserted or asked for is announced first, then `ready` is called once.
    void announce(Ranks stretch);
    /// Call instead of trusting announcements for queries: any stretch may then be asked for.
    void announceAll();
    void ready();

    /// `span` is occupied during `stretch`, which has been announced.
    void insert(Ranks stretch, Span span);
    /// The same for `begunIn` only: the unions stay as they are, and `collect` may not be called before `clear`.
    void insertEnds(Ranks stretch, Span span);
    /// Forgets the unions, and gives their memory back. Then as after `insertEnds`.
    void dropUnions();
    /// Appends the spans that are occupied at any time in `stretch`, as ascending runs. Some come more than once, or melted with
    /// others.
    void collect(Ranks stretch, SpanRuns& runs) const;
    /// Spans that become occupied inside `stretch`, after its first rank, ascending; valid until `spans` changes. Requires a
    /// stretch inside one block.
    std::span<const Span> begunIn(Ranks stretch, std::vector<Span>& spans) const;
    /// The blocks at the two ends of a stretch, whose lists `collect` reads.
    struct Ends {
        std::int32_t first = none;
        std::int32_t last = none;
    };
    /// Finds them, and begins to fetch the heads of their lists into the cache.
    [[nodiscard]] Ends fetchHeads(Ranks stretch) const;
    /// Begins to fetch the lists themselves. The heads should have arrived. Nothing for `Ends()`.
    void fetchLists(const Ends& ends) const;
    /// Forgets all insertions.
    void clear();

private:
    /// A stretch that covers its block in part. The ranks count from one before the block's first; 0 began earlier.
    template <typename Address>
    struct Entry {
        std::uint16_t begin = 0;
        std::uint16_t end = 0;
        Address low = 0;
        Address high = 0;
    };
    template <typename Address>
    using Entries = LargeVector<Entry<Address>>;
    struct alignas(64) Node { // one cache line
        SpanSet covers;
        SpanSet inside;
        std::uint32_t firstEntry = 0; ///< blocks only: into `entries_`
        std::uint32_t entries = 0;    ///< in use
        bool asked = false;           ///< `inside` will be asked for
    };
    void collectPartial(std::int32_t block, Ranks stretch, bool onlyNew, SpanRuns& runs) const;
    void insertPartial(std::int32_t block, Ranks stretch, Span span);
    template <typename Address>
    static void insertEntry(Entries<Address>& entries, Node& n, Entry<Address> entry);
    template <typename Address>
    static void filter(const Entries<Address>& entries, const Node& n, std::uint16_t begin, std::uint16_t end, bool onlyNew,
                       SpanRuns& runs);
    void widen();

    void fetchLists(const Node& n) const;

    TimeTree tree_;
    LargeVector<Node> nodes_;
    // 12 bytes an entry instead of 24, as long as no address needs more than 32 bits: half the cache lines, and those are what a
    // placement waits for. The first larger address moves everything to `wide_`.
    Entries<std::uint32_t> narrow_;
    Entries<Bytes> wide_;
    bool isWide_ = false;
};

} // namespace stowage

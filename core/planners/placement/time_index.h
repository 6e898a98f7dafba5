// An index of the bytes of a pool that are occupied during a range of time: the data structure of all greedy planners.
//
// To place a buffer, a planner needs the spans of all placed buffers that are live together with it. Lists of conflicts for each
// buffer would need memory for every pair, and buffers of real networks have thousands of conflicts. So time is divided into
// blocks (TimeGrid), with a tree of fan-out 8 above them. A stretch (a range of time) consists of at most two blocks that it
// covers in part, at its ends, and of a few tree nodes that it covers entirely.
//
//   - A block has one entry, with its ranks, for each stretch that covers it in part. Their number is at most the number that
//     begin or end in it (TimeGrid::eventsPerBlock). They are contiguous, ascending by address: a query filters two lists.
//   - A node has the union of the spans that cover it entirely (`covers`), and the union of all spans below it (`inside`). Unions
//     join adjacent buffers into a few spans, so a long-lived buffer reads O(log n) short lists, however many conflicts it has.
//     `inside` is stored only at nodes that a query of an announced stretch (`announce`) needs.
//
// Queries and insertions take O(eventsPerBlock + log(blocks) * spans of a union). A union has few spans if buffers that are live
// together are placed next to each other, or if sizes repeat. It has as many spans as buffers if a large part of all buffers is
// live at once, nested in time, with different sizes; `PlacementEngine` then uses FreeCells in place of the unions.
//
// Memory is linear: a stretch adds at most two entries, and a span to O(log blocks) unions. The structure is a segment tree with
// unions in place of the lists of its canonical nodes; the lists of the blocks serve the usual short-lived buffers without the
// tree.
#pragma once

#include "core/planners/common/large_pages.h"
#include "core/planners/common/time_grid.h"
#include "core/planners/placement/span_set.h"
#include "core/planners/placement/time_tree.h"

#include <span>
#include <vector>

namespace stowage {

/// Collects ascending runs of spans, and merges them. Reused from query to query to avoid allocations.
class SpanRuns {
public:
    void clear();
    /// Begins a run of at most `n` spans. Write them through the pointer, then call `endRun`.
    Span* beginRun(std::size_t n);
    /// Ends the run at `end`; an empty run is dropped. `disjoint` as in `add`.
    void endRun(const Span* end, bool disjoint = false);
    /// Adds a run. `disjoint`: no two of its spans overlap.
    void add(std::span<const Span> ascending, bool disjoint = false);
    /// Number of spans collected so far.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Adds `low` and `high` to the low and high ends of all spans from number `from` on.
    void shift(std::size_t from, Bytes low, Bytes high);
    /// All spans, run by run.
    [[nodiscard]] std::span<const Span> spans() const { return {spans_.data(), size_}; }
    /// The result of findGap for all spans, merged into one ascending list. After it only `clear` may be called. At most O(spans
    /// log runs); spans that others cover are skipped.
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

    /// Announces a stretch. All stretches of later insertions and queries must be announced; then call `ready` once.
    void announce(Ranks stretch);
    /// Permits queries of any stretch, announced or not.
    void announceAll();
    void ready();

    /// Marks `span` as occupied during `stretch`, which must be announced.
    void insert(Ranks stretch, Span span);
    /// The same only for `begunIn`: does not update the unions. After it, `collect` must not be called before `clear`.
    void insertEnds(Ranks stretch, Span span);
    /// Frees the unions. The same restriction as after `insertEnds` applies.
    void dropUnions();
    /// Appends the spans that are occupied at any time in `stretch`, as ascending runs. Spans may be repeated, or joined with
    /// others.
    void collect(Ranks stretch, SpanRuns& runs) const;
    /// The spans that become occupied in `stretch` after its first rank, ascending; valid until `spans` changes. Requires a
    /// stretch within one block.
    std::span<const Span> begunIn(Ranks stretch, std::vector<Span>& spans) const;
    /// The blocks at the two ends of a stretch, whose lists `collect` reads; `none` if covered entirely.
    struct Ends {
        std::int32_t first = none;
        std::int32_t last = none;
    };
    /// The end blocks of `stretch`. Prefetches the heads of their lists into the cache.
    [[nodiscard]] Ends fetchHeads(Ranks stretch) const;
    /// Prefetches the lists. Call it some time after `fetchHeads`. No effect for `Ends()`.
    void fetchLists(const Ends& ends) const;
    /// Removes all insertions.
    void clear();

private:
    /// A stretch that covers its block in part. Ranks are relative to one before the block's first rank; begin 0: begins in an
    /// earlier block.
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
        std::uint32_t firstEntry = 0; ///< of blocks: index of the first entry
        std::uint32_t entries = 0;    ///< number of entries
        bool asked = false;           ///< a query will read `inside`
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
    // While all addresses fit into 32 bits, an entry takes 12 bytes instead of 24. This halves the cache misses, which dominate
    // the time of a placement. The first larger address moves all entries to `wide_`.
    Entries<std::uint32_t> narrow_;
    Entries<Bytes> wide_;
    bool isWide_ = false;
};

} // namespace stowage

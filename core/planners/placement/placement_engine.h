// Places buffers one after the other: the common part of all greedy planners, which differ only in the order and the gap rule.
#pragma once

#include "core/plan/objective.h"
#include "core/plan/planner.h"
#include "core/plan/recorder.h"
#include "core/planners/common/buffer_table.h"
#include "core/planners/common/range_max.h"
#include "core/planners/placement/free_cells.h"
#include "core/planners/placement/span_set.h"
#include "core/planners/placement/time_index.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace stowage {

/// Places each buffer in the first candidate pool in which it fits by the gap rule, otherwise in the last one, above its
/// capacity. Supports:
///
///  - gaps, windows and carried values: see BufferTable;
///  - explicit conflicts: in addition to those of live ranges, over all bytes;
///  - slots: each one is placed separately, for all steps in which any of them may be in use; they rotate with the buffer's loop;
///  - pins: placed before all other buffers, in the first candidate pool in which the address is free and within the capacity;
///  - pairs that may share: the second one takes the offset of the first one if no other buffer prevents it. They do not overlap
///    in any other way, because an op that works in place reads and writes the same addresses.
///
/// Time: see TimeIndex, and O(log) for each explicit conflict; if almost all pairs conflict explicitly, O(conflicts + placed
/// buffers) for each buffer. Memory: O(buffers + ranges) for each pool.
class PlacementEngine {
public:
    enum class Use : std::uint8_t { gaps, endToEnd };
    /// The end of a placed buffer for later buffers: its exact end, or the next multiple of its own alignment.
    enum class Ends : std::uint8_t { exact, rounded };

    /// The placements of all buffers.
    struct Layout {
        LargeVector<PoolId> pools;  ///< by buffer; none: not placed
        LargeVector<Bytes> offsets; ///< by buffer: offset of the first slot
        /// Offsets of buffers with several slots, by buffer; never iterated, so the order of the map does not matter.
        std::unordered_map<BufferId, std::vector<Bytes>> slots;
        std::vector<Bytes> tops; ///< by pool: highest occupied byte + 1
    };

    /// Places the pinned buffers. `table` and `context` must outlive the engine. Requires a table without an error. Records steps
    /// in `recorder`, if not null. With Use::endToEnd the index contains only the pins, and `place` must not be called.
    PlacementEngine(const BufferTable& table, const PlanContext& context, StepRecorder* recorder, Use use = Use::gaps,
                    Ends ends = Ends::exact);

    /// Places the buffers of `order` that are not placed yet. When a limit of the context is reached, places the rest above all
    /// others, so that the plan is valid and complete.
    void place(std::span<const BufferId> order, GapRule rule);
    /// Places all other buffers end to end, by buffer id, around the pins. No two buffers share a byte.
    void placeEndToEnd();
    /// Removes all buffers except the pinned ones, and continues with another recorder or none. `work` continues to count.
    void reset(StepRecorder* recorder);

    [[nodiscard]] const Layout& layout() const { return layout_; }
    /// Restores an earlier layout. `place` must not be called after it, because the index still contains the later layout.
    void restore(Layout layout) { layout_ = std::move(layout); }
    [[nodiscard]] Objective size() const;
    [[nodiscard]] std::uint64_t work() const { return work_; }
    [[nodiscard]] StoppedBy stoppedBy() const { return stoppedBy_; }
    [[nodiscard]] bool stopped() const { return stoppedBy_ != StoppedBy::complete; }

    /// The plan, with a diagnostic for each pool that exceeds its capacity. Places remaining buffers above all others. Error: an
    /// address above 2^62.
    [[nodiscard]] Expected<Plan> finish(const PlannerInfo& info, const OptionValues& options);

private:
    struct Placed {
        Span bytes;
        BufferId buffer = none;
    };
    struct PoolState {
        explicit PoolState(const TimeGrid& grid) : index(grid) {}
        TimeIndex index;
        std::unique_ptr<FreeCells> cells; ///< replaces the index when its lists have become long; see `keepCells`
        std::uint64_t placed = 0;         ///< number of spans
        double spansToPlaced = 0;         ///< spans that a query of the index read, relative to `placed`, before there were cells
        double spansSaved = 0;         ///< estimate, by that ratio, of the spans that queries of the index would have read since
        std::vector<Placed> byAddress; ///< ascending; only with many explicit conflicts, and only buffers with bytes
        SpanSet unique;                ///< spans of unique buffers, for buffers without live ranges
        SpanSet timeless;              ///< spans of buffers without live ranges, for unique ones
        SpanSet pins;
        Bytes limit = 0;            ///< the capacity, or maxBytes
        Bytes cursor = 0;           ///< next offset of placing end to end
        std::size_t pinsPassed = 0; ///< number of pins below the cursor
    };

    [[nodiscard]] PoolState& pool(PoolId p) { return pools_[static_cast<std::size_t>(p)]; }
    [[nodiscard]] PoolId poolOf(BufferId b) const { return layout_.pools[static_cast<std::size_t>(b)]; }
    [[nodiscard]] Bytes offsetOf(BufferId b) const { return layout_.offsets[static_cast<std::size_t>(b)]; }
    [[nodiscard]] Bytes& top(PoolId p) { return layout_.tops[static_cast<std::size_t>(p)]; }
    [[nodiscard]] bool placed(BufferId b) const { return poolOf(b) != none; }
    void announce(BufferId b);
    void placePins();
    void placeOne(BufferId b, GapRule rule);
    bool placeInPlace(BufferId b);
    bool appendSlots(BufferId b, PoolId p, Bytes limit);
    void append(BufferId b);
    /// Finds the offsets of all slots, into `found_`. False if a slot would end above `limit`.
    bool findPlaces(BufferId b, PoolId p, Bytes limit, GapRule rule);
    [[nodiscard]] bool isFree(Span bytes);
    [[nodiscard]] bool cellsApply(GapRule rule) const;
    void keepCells(PoolId p);
    void giveUpCells(PoolId p);
    [[nodiscard]] std::vector<BufferId> lowestFirst(PoolId p) const;
    [[nodiscard]] std::optional<GapAnswer> findGap(BufferId b, PoolId p, const GapQuery& query);
    void collect(BufferId b, PoolId p);
    void collectStretch(const Item& item, const RankStretch& stretch, PoolId p);
    void collectExplicit(BufferId b, PoolId p, BufferId except);
    void collectApart(BufferId b, BufferId partner, PoolId p);
    void settle(BufferId b, PoolId p);
    void commit(BufferId b, PoolId p);
    void note(StepKind kind, BufferId b, PoolId p, Bytes offset);
    /// The end of a placed buffer, rounded up with `Ends::rounded`. The ends of pins are exact.
    [[nodiscard]] Bytes endFrom(BufferId b, Bytes offset) const;

    const BufferTable& table_;
    const PlanContext& context_;
    Ends ends_;
    std::vector<PoolState> pools_;
    Layout layout_;
    /// Many explicit conflicts: placed buffers are kept in order of address, instead of sorted for each query.
    bool dense_ = false;
    std::vector<std::uint32_t> marks_; ///< by buffer, with `dense_`: number of the last query in which it conflicted
    std::uint32_t query_ = 0;
    std::vector<bool> shared_; ///< by buffer: shares bytes with a partner; empty if no buffers may share

    // Scratch of the current placement.
    SpanRuns runs_;
    /// While the other slots of a pinned buffer are placed: the pins that are not placed yet.
    std::span<const BufferId> pinsAhead_;
    std::vector<Span> explicit_;
    std::vector<Bytes> found_;
    StepRule why_ = StepRule::above;

    bool cellsApply_ = false;                     ///< the current placement can use cells
    std::uint64_t questions_ = 0, spansRead_ = 0; ///< since the last decision between index and cells
    std::optional<RangeMax> live_;                ///< live bytes by rank; only with cells
    std::vector<Span> begun_;                     ///< scratch

    std::uint64_t work_ = 0;
    StoppedBy stoppedBy_ = StoppedBy::complete;
    bool beyondAddresses_ = false;
    Diagnostics diagnostics_;
    StepRecorder* recorder_ = nullptr;
};

} // namespace stowage

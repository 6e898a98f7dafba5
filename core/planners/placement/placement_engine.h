// Places buffers one after the other: what all greedy planners share. They differ in the order and in the gap rule only.
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

/// Places each buffer in the first of its candidate pools in which it fits by the gap rule, else in the last one above its
/// capacity. Understood and kept:
///
///  - gaps, windows and what loops carry round: see BufferTable;
///  - explicit conflicts: in addition to the ranges', over all bytes;
///  - slots: each one is placed by itself, over the time in which any of them may be in use, and they rotate with the buffer's
///    loop;
///  - pins: placed before all others, in the first candidate pool where the address is free and inside the capacity;
///  - pairs that may share: the later one goes onto the earlier one's offset where nothing else is in the way. They are not laid
///    across each other in any other way, as an op that works in place reads and writes the same addresses.
///
/// Time: see TimeIndex, plus explicit conflicts times log; where nearly all conflict, explicit conflicts plus what is placed.
/// Memory O(buffers and ranges) for each pool that they may go to.
class PlacementEngine {
public:
    enum class Use : std::uint8_t { gaps, endToEnd };
    /// Where a placed buffer ends for those that come later: where it does, or at the next multiple of its own alignment.
    enum class Ends : std::uint8_t { exact, rounded };

    /// Where everything lies.
    struct Layout {
        LargeVector<PoolId> pools;  ///< by buffer; none: not placed
        LargeVector<Bytes> offsets; ///< by buffer, of the first slot
        std::unordered_map<BufferId, std::vector<Bytes>>
            slots;               ///< by buffer of several slots: their offsets; looked up, never iterated
        std::vector<Bytes> tops; ///< by pool: highest occupied byte + 1
    };

    /// `table` and `context` outlive the engine. Requires a table without an error. Places the pins. Steps go to
    /// `recorder`, unless it is null. With Use::endToEnd the index holds the pins only, and `place` may not be called.
    PlacementEngine(const BufferTable& table, const PlanContext& context, StepRecorder* recorder, Use use = Use::gaps,
                    Ends ends = Ends::exact);

    /// Places the buffers of `order` that are not placed yet. When the context says stop, the rest goes on top of
    /// everything, so that the plan stays valid and complete.
    void place(std::span<const BufferId> order, GapRule rule);
    /// Places all that is left in order of index from the bottom up, around the pins. Nothing shares a byte with anything.
    void placeEndToEnd();
    /// Takes everything out but the pins, and goes on with another recorder or none. Work goes on counting.
    void reset(StepRecorder* recorder);

    [[nodiscard]] const Layout& layout() const { return layout_; }
    /// Goes back to a layout of before. `place` may not be called after it, as the index still holds the later one.
    void restore(Layout layout) { layout_ = std::move(layout); }
    [[nodiscard]] Objective size() const;
    [[nodiscard]] std::uint64_t work() const { return work_; }
    [[nodiscard]] StoppedBy stoppedBy() const { return stoppedBy_; }
    [[nodiscard]] bool stopped() const { return stoppedBy_ != StoppedBy::complete; }

    /// The plan, with a diagnostic for each pool over its capacity. Buffers not placed yet go on top. An error if addresses
    /// beyond 2^62 would be needed.
    [[nodiscard]] Expected<Plan> finish(const PlannerInfo& info, const OptionValues& options);

private:
    struct Placed {
        Span bytes;
        BufferId buffer = none;
    };
    struct PoolState {
        explicit PoolState(const TimeGrid& grid) : index(grid) {}
        TimeIndex index;
        std::unique_ptr<FreeCells> cells; ///< from when lists have become long on, in place of the index; see `keepCells`
        std::uint64_t placed = 0;         ///< spans
        double spansToPlaced = 0;      ///< spans that a question to the index read for each placed one, before there were cells
        double spansSaved = 0;         ///< that questions to the index would have read since, by that ratio
        std::vector<Placed> byAddress; ///< ascending; kept with many explicit conflicts only
        SpanSet unique;                ///< of unique buffers, for timeless ones
        SpanSet timeless;              ///< of timeless buffers, for unique ones
        SpanSet pins;
        Bytes limit = 0;            ///< the capacity, or maxBytes
        Bytes cursor = 0;           ///< where placing end to end goes on
        std::size_t pinsPassed = 0; ///< by the cursor
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
    /// Offsets of all slots in `found_`, or false when one would end above `limit`.
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
    /// The end of a placed buffer's bytes, rounded if that is asked for. Pins are exact.
    [[nodiscard]] Bytes endFrom(BufferId b, Bytes offset) const;

    const BufferTable& table_;
    const PlanContext& context_;
    Ends ends_;
    std::vector<PoolState> pools_;
    Layout layout_;
    bool dense_ = false; ///< many explicit conflicts: placed buffers are kept by address, which saves sorting them each time
    std::vector<std::uint32_t> marks_; ///< by buffer, with `dense_`: the last query that it was in the way of
    std::uint32_t query_ = 0;
    std::vector<bool> shared_; ///< lies on a partner's bytes or has one on its own; empty when nothing may share

    // Scratch of the placement under way.
    SpanRuns runs_;
    std::span<const BufferId> pinsAhead_; ///< while a pin's other slots are placed: the pins that are not placed yet
    std::vector<Span> explicit_;
    std::vector<Bytes> found_;
    StepRule why_ = StepRule::above;

    bool cellsApply_ = false;                     ///< to what is placed now
    std::uint64_t questions_ = 0, spansRead_ = 0; ///< since it was last looked at whether cells would be better
    std::optional<RangeMax> live_;                ///< bytes by rank, with cells
    std::vector<Span> begun_;                     ///< scratch

    std::uint64_t work_ = 0;
    StoppedBy stoppedBy_ = StoppedBy::complete;
    bool beyondAddresses_ = false;
    Diagnostics diagnostics_;
    StepRecorder* recorder_ = nullptr;
};

} // namespace stowage

// Places the entries of one pool level by level, with rollback.
#pragma once

#include "core/plan/planner.h"
#include "core/plan/recorder.h"
#include "core/planners/hivm/entries.h"
#include "core/planners/hivm/outline.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace stowage::hivm {

/// Counts tries against the limits of a planning.
class Effort {
public:
    Effort(const PlanContext& context, std::uint64_t maxWork) : context_(context), maxWork_(maxWork) {}

    /// Counts one try. True when the planning is to end. Looks at the clock now and then.
    bool spend()
    {
        ++work_;
        if (stopped_) return true;
        if (work_ % 256 == 1 || (context_.workLimit > 0 && work_ >= context_.workLimit)) stopped_ = context_.shouldStop(work_);
        return stopped_.has_value();
    }
    /// Tries since `beginSearch` exceed what one search may take; counted, so that it is the same on every machine.
    [[nodiscard]] bool searchIsLong() const { return work_ - searchBegan_ > maxWork_; }
    void beginSearch() { searchBegan_ = work_; }
    [[nodiscard]] std::uint64_t work() const { return work_; }
    [[nodiscard]] const std::optional<StoppedBy>& stopped() const { return stopped_; }

private:
    const PlanContext& context_;
    std::uint64_t maxWork_;
    std::uint64_t work_ = 0;
    std::uint64_t searchBegan_ = 0;
    std::optional<StoppedBy> stopped_;
};

/// Options of a search.
struct LevelRules {
    Level top = Level::samePipe;
    Level bottom = Level::any;
    bool documentLevels = false; ///< level 2 is left out
    bool rollBack = true;
    Bytes limit = 0; ///< addresses end here
};

/// An offset for every entry.
struct Layout {
    std::vector<Bytes> offsets;             ///< by entry
    std::vector<std::vector<Bytes>> extras; ///< by entry of slot 0: further addresses that an upgrade gave
    std::vector<Level> levels;              ///< by entry
    std::uint64_t rollbacks = 0;
    bool split = false; ///< found after a restart that keeps covered bounds apart

    /// One past the last byte.
    [[nodiscard]] Bytes end(std::span<const Entry> entries) const;
};

/// First fit over the bounds of an outline (core/planners/hivm/outline.h), entry by entry. At each level a place is refused:
///  - at all of them, when a bound's lives meet the entry's; at level 0 the two of a remembered in-place pair may meet in one
///    step;
///  - 3: when it overlaps something whose pipe conflicts (`pipesConflict`);
///  - 2: when it overlaps something of the same innermost loop, or both are in none;
///  - 1: unless it is inside one bound whose last entry is slot 0 of a multi-buffer (or has been upgraded itself) in the same
///    loop, and the addresses of all its other slots are free over the entry's life: those addresses become the entry's too, used
///    in turn.
/// An address of 0 does not count as another slot's: the compiler takes it for "not placed yet", and its plans are to be met.
///
/// When an entry finds no place, placements are undone until one was made above level 0 and lies where the failed entry would
/// fit; that one is placed anew, elsewhere and at least one level lower, and so are all up to the failed entry. When nothing is
/// left to undo, all begins once more with covered bounds kept apart. Each rollback lowers the sequence of levels, so the search
/// ends; `Effort` bounds it besides.
///
/// After AscendNPU-IR's PlanMemory (2025 to 2026). A place costs O(bounds * log lives + what lies in those that are free); the
/// number of rollbacks has no small bound.
class LevelSearch {
public:
    /// All outlive the search. `recorder` may be null.
    LevelSearch(const Problem& problem, PoolId pool, std::span<const Entry> entries, const LevelRules& rules, Effort& effort,
                StepRecorder* recorder);

    /// A layout inside the limit, or nothing: none was found, or the effort ended.
    [[nodiscard]] std::optional<Layout> run();
    /// One attempt with or without bounds kept apart, and no second one.
    [[nodiscard]] std::optional<Layout> attempt(bool split);

private:
    struct Record {
        std::int32_t entry = none;
        Level level = Level::any;
        Bytes offset = 0;
        bool extra = false; ///< made together with its first: undone with it, and never a place to resume at
        Outline::Change change;
    };

    /// Of an entry, packed: the tests look at those of thousands of others.
    struct Facts {
        BufferId buffer = none;
        LoopId loop = none;
        TouchedBy pipes;
        bool unique = false;    ///< of the member that lives first: asked when it is placed
        bool anyUnique = false; ///< of any member: asked of what lies there
        bool conflicts = false; ///< has explicit ones
    };

    void placePins();
    [[nodiscard]] bool place(std::int32_t entry, Level level);
    [[nodiscard]] bool rollBack(std::int32_t failed);
    void undoLast();
    [[nodiscard]] bool livesMeet(const Entry& entry, const Bound& bound, Level level, bool& pairUsed) const;
    [[nodiscard]] bool livesMeetAt(const Entry& entry, std::size_t bound, Level level, bool& pairUsed);
    [[nodiscard]] bool refused(const Entry& entry, std::size_t first, std::size_t last, Bytes offset, Level level,
                               bool pairUsed) const;
    [[nodiscard]] bool mayNotOverlap(const Facts& a, const Facts& b) const;
    [[nodiscard]] const Facts& factsOf(std::int32_t e) const { return facts_[static_cast<std::size_t>(e)]; }
    [[nodiscard]] const Facts& factsOf(const Entry& entry) const
    {
        return facts_[static_cast<std::size_t>(&entry - entries_.data())];
    }
    [[nodiscard]] bool slotsToUpgradeTo(std::int32_t entry, const Bound& bound, std::vector<Bytes>& offsets) const;
    [[nodiscard]] std::optional<std::size_t> boundAt(Bytes offset, Bytes size, std::size_t& last) const;
    void put(std::int32_t entry, std::size_t first, std::size_t last, Bytes offset, Level level, bool extra);
    void putSlots(std::int32_t entry, const std::vector<Bytes>& offsets);
    void note(StepKind kind, StepRule why, std::int32_t entry, Bytes offset);
    [[nodiscard]] const Buffer& bufferOf(const Entry& entry) const
    {
        return problem_.buffers[static_cast<std::size_t>(entry.buffer)];
    }
    [[nodiscard]] const Entry& entry(std::int32_t e) const { return entries_[static_cast<std::size_t>(e)]; }

    const Problem& problem_;
    PoolId pool_;
    std::span<const Entry> entries_;
    std::vector<Facts> facts_; ///< by entry
    LevelRules rules_;
    Effort& effort_;
    StepRecorder* recorder_;
    Outline outline_;
    std::vector<Record> history_;
    std::size_t pins_ = 0; ///< records that are never undone
    std::vector<bool> placed_;
    std::vector<std::int8_t>
        meets_; ///< by bound, of the entry that is being placed, for all levels: 0 not looked at, 1 no, 2 lives meet
    Layout layout_;
    Level top_ = Level::samePipe;
    std::int32_t resumeAt_ = 1;     ///< once this one is placed the top level counts again
    std::int32_t movedFrom_ = none; ///< the entry of the last rollback, which must not return to …
    Bytes movedFromOffset_ = 0;     ///< … this address
};

} // namespace stowage::hivm

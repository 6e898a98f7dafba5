#include "core/planners/hivm/memory_plan.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace stowage::hivm {

namespace {

const Buffer& bufferOf(const Problem& problem, const Entry& entry)
{
    return problem.buffers[static_cast<std::size_t>(entry.buffer)];
}

/// The entries' sizes, rounded up, above the highest pin; nothing when that is beyond 2^62.
std::optional<Bytes> endToEndSize(const Problem& problem, std::span<const BufferId> buffers, PoolId pool, Bytes& pins)
{
    std::optional<Bytes> sum = 0;
    for (const BufferId b : buffers) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(b)];
        if (buffer.size == 0) continue;
        const Bytes alignment =
            checkedLcm(buffer.alignment, problem.pools[static_cast<std::size_t>(pool)].alignment).value_or(maxBytes);
        const Bytes rounded = alignUp(buffer.size, alignment);
        const auto all = checkedMultiply(rounded, buffer.slots);
        sum = all ? checkedAdd(*sum, *all) : std::nullopt;
        if (buffer.pin) pins = std::max(pins, alignUp(*buffer.pin + buffer.size, alignment));
        if (!sum || *sum > maxBytes || pins > maxBytes - *sum) return std::nullopt;
    }
    return sum;
}

/// Running sums in the order of the entries, above the highest pin.
Layout endToEnd(const Problem& problem, std::span<const Entry> entries, Bytes from)
{
    Layout layout;
    layout.offsets.resize(entries.size());
    layout.extras.resize(entries.size());
    layout.levels.assign(entries.size(), Level::sequential);
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const auto& pin = bufferOf(problem, entries[e]).pin;
        if (pin && entries[e].slot == 0) {
            layout.offsets[e] = *pin;
            layout.levels[e] = Level::pinned;
            continue;
        }
        from = alignUp(from, entries[e].alignment);
        layout.offsets[e] = from;
        from += entries[e].size;
    }
    return layout;
}

class MemoryPlanner {
public:
    MemoryPlanner(const Problem& problem, PoolId pool, const MemoryOptions& options, Effort& effort, StepRecorder* recorder)
        : problem_(problem), pool_(pool), options_(options), effort_(effort), recorder_(recorder)
    {
        plan_.pool = pool;
    }

    Expected<MemoryPlan> run(std::span<const BufferId> buffers)
    {
        Bytes pins = 0;
        const auto sum = endToEndSize(problem_, buffers, pool_, pins);
        if (!sum)
            return failure(Code::addressOverflow, "the buffers and their alignments need addresses beyond 2^62 bytes", {},
                           "lower the alignments");
        const std::vector<Entry> listed = entriesOf(problem_, buffers, pool_, Zeros::listed);
        std::vector<Entry> entries = entriesOf(problem_, buffers, pool_);
        const Pool& pool = problem_.pools[static_cast<std::size_t>(pool_)];
        const bool reusedWorkspace = isWorkspace(pool) && options_.workspaceReuse;
        const Bytes capacity = pool.capacity.value_or(maxBytes);
        const bool pinned = pins > 0;
        if (listed.empty()) return std::move(plan_);
        if (!reusedWorkspace && !pinned && (*sum <= capacity || entries.size() == 1)) {
            takeEndToEnd(listed, 0, capacity);
        } else if (reusedWorkspace) {
            const auto layout = search(entries, {Level::any, Level::any, false, false, maxBytes}, recorder_);
            if (layout) take(std::move(entries), *layout, maxBytes, 0);
        } else if (!pool.capacity) {
            takeEndToEnd(listed, pins, capacity);
        } else {
            reuse(entries, capacity);
        }
        if (effort_.stopped() && plan_.entries.empty()) takeEndToEnd(listed, pins, capacity);
        return std::move(plan_);
    }

private:
    std::optional<Layout> search(const std::vector<Entry>& entries, const LevelRules& rules, StepRecorder* recorder)
    {
        LevelSearch levels(problem_, pool_, entries, rules, effort_, recorder);
        return rules.rollBack ? levels.run() : levels.attempt(false);
    }

    /// Steps 2 and 3, as often as asked for; step 4 when none of it fits.
    void reuse(const std::vector<Entry>& listed, Bytes capacity)
    {
        const bool unified = problem_.pools[static_cast<std::size_t>(pool_)].core == CoreMemory::unified;
        const std::int64_t attempts = std::max<std::int64_t>(1, options_.attempts);
        for (std::int64_t attempt = 0; attempt < attempts && !effort_.stopped(); ++attempt) {
            const std::uint64_t shuffle = options_.seed + static_cast<std::uint64_t>(attempt);
            std::vector<Entry> entries = ordered(problem_, listed, {unified, options_.largestFirst && unified, shuffle});
            // Steps are recorded of the only attempt; of several, the best one's places are told at the end.
            StepRecorder* recorder = attempts == 1 ? recorder_ : nullptr;
            const auto free = search(entries, {Level::samePipe, Level::samePipe, false, false, maxBytes}, nullptr);
            if (!free) return; // stopped: without a limit there is always a place
            const Bytes needed = free->end(entries);
            if (attempt == 0) plan_.withoutStalls = needed;
            if (needed <= capacity) {
                if (recorder) tell(entries, *free);
                take(std::move(entries), *free, capacity, attempt);
                if (recorder) return;
                continue;
            }
            auto layout = search(entries, {Level::samePipe, Level::any, options_.documentLevels, true, capacity}, recorder);
            if (layout) {
                take(std::move(entries), *layout, capacity, attempt);
                continue;
            }
            if (effort_.stopped()) return;
            layout = levelZero(entries);
            if (layout) take(std::move(entries), *layout, capacity, attempt);
        }
        if (attempts > 1 && recorder_ && !plan_.entries.empty()) tell(plan_.entries, plan_.layout);
    }

    /// Level 0 alone, without limit. The restart with bounds kept apart has been tried by then, and stays.
    std::optional<Layout> levelZero(const std::vector<Entry>& entries)
    {
        const LevelRules rules{Level::any, Level::any, false, false, maxBytes};
        LevelSearch levels(problem_, pool_, entries, rules, effort_, recorder_);
        return levels.attempt(true);
    }

    void takeEndToEnd(std::vector<Entry> entries, Bytes from, Bytes capacity)
    {
        const Layout layout = endToEnd(problem_, entries, from);
        tell(entries, layout);
        take(std::move(entries), layout, capacity, 0);
    }

    [[nodiscard]] auto worth(const MemoryPlan& plan) const
    {
        return std::tuple(!plan.fits, plan.fits ? 0 : plan.size, plan.placedAt(Level::any), plan.placedAt(Level::upgraded),
                          plan.placedAt(Level::otherLoop), plan.size);
    }

    void take(std::vector<Entry> entries, const Layout& layout, Bytes capacity, std::int64_t attempt)
    {
        MemoryPlan plan{pool_, std::move(entries), layout, 0, plan_.withoutStalls, true, attempt};
        plan.size = plan.layout.end(plan.entries);
        plan.fits = plan.size <= capacity;
        if (plan_.entries.empty() || worth(plan) < worth(plan_)) plan_ = std::move(plan);
    }

    void tell(const std::vector<Entry>& entries, const Layout& layout)
    {
        if (!recorder_) return;
        for (std::size_t e = 0; e < entries.size(); ++e) {
            const std::uint16_t why = recorder_->reason(layout.levels[e]);
            recorder_->add({StepKind::place, why, entries[e].buffer, pool_, layout.offsets[e]});
            for (const Bytes extra : layout.extras[e]) recorder_->add({StepKind::place, why, entries[e].buffer, pool_, extra});
        }
    }

    const Problem& problem_;
    PoolId pool_;
    const MemoryOptions& options_;
    Effort& effort_;
    StepRecorder* recorder_;
    MemoryPlan plan_;
};

} // namespace

std::size_t MemoryPlan::placedAt(Level level) const
{
    return static_cast<std::size_t>(std::count(layout.levels.begin(), layout.levels.end(), level));
}

Expected<MemoryPlan> planMemory(const Problem& problem, PoolId pool, std::span<const BufferId> buffers,
                                const MemoryOptions& options, Effort& effort, StepRecorder* recorder)
{
    return MemoryPlanner(problem, pool, options, effort, recorder).run(buffers);
}

} // namespace stowage::hivm

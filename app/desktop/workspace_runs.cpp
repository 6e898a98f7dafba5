// The runs of a model: which is better, which one is shown, and what a filter leaves of it.
#include "app/desktop/workspace.h"

#include "app/desktop/tables/run_groups.h"
#include "app/session/targets.h"
#include "core/explain/ranking.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

/// Above this many buffers a filter is applied in the background.
constexpr std::size_t filterInBackgroundAbove = 50'000;

} // namespace

bool betterRun(const RunEntry& a, const RunEntry& b)
{
    if (isBetter(*a.run, *b.run)) return true;
    return !isBetter(*b.run, *a.run) && std::tie(a.request.planner, a.id) < std::tie(b.request.planner, b.id);
}

bool sameRequest(const PlanRequest& a, const PlanRequest& b)
{
    return a.model == b.model && a.planner == b.planner && a.options == b.options && sameSetup(a, b) && a.seed == b.seed &&
           a.workLimit == b.workLimit && a.timeLimitSeconds == b.timeLimitSeconds;
}

// --- runs --------------------------------------------------------------------------------------------------------------

std::vector<const RunEntry*> Workspace::runs() const
{
    std::vector<const RunEntry*> entries;
    for (const RunEntry& entry : session_.runs())
        if (entry.model == model_) entries.push_back(&entry);
    std::ranges::sort(entries, [](const RunEntry* a, const RunEntry* b) { return betterRun(*a, *b); });
    return entries;
}

const RunEntry* Workspace::runOf(const std::string& planner) const
{
    const RunEntry* latest = nullptr;
    for (const RunEntry& entry : session_.runs())
        if (entry.model == model_ && entry.request.planner == planner && (!latest || entry.id > latest->id)) latest = &entry;
    return latest;
}

const RunEntry* Workspace::bestRun() const
{
    // Runs for the setup as it is now go before those for another. Of a kernel's plans that fit, the one by its own planner is
    // shown: what is smallest may make pipes wait.
    const RunEntry* best = nullptr;
    const Model* current = model();
    const bool kernel = current && isAscendKernel(*current);
    const PlanRequest now = request({});
    const auto stale = [&](const RunEntry& entry) { return !sameSetup(entry.request, now); };
    for (const RunEntry& entry : session_.runs()) {
        if (entry.model != model_) continue;
        const auto rank = [&](const RunEntry& it, bool later) {
            const Verdict& verdict = it.run->report.verdict;
            return std::tuple(stale(it), kernel && !verdict.valid(), kernel && verdict.overCapacity,
                              kernel && it.request.planner != kernelPlanner, later);
        };
        if (!best || rank(entry, !betterRun(entry, *best)) < rank(*best, true)) best = &entry;
    }
    return best;
}

std::shared_ptr<const Run> Workspace::runOfModel(int id) const
{
    if (id == model_) return run_;
    const auto state = states_.find(id);
    if (const RunEntry* shown = state == states_.end() ? nullptr : session_.run(state->second.shown)) return shown->run;
    const RunEntry* best = nullptr;
    for (const RunEntry& entry : session_.runs())
        if (entry.model == id && (!best || betterRun(entry, *best))) best = &entry;
    return best ? best->run : nullptr;
}

void Workspace::showRun(int id)
{
    const RunEntry* entry = session_.run(id);
    if (!entry) return;
    if (entry->model != model_) setModel(entry->model);
    chosen_ = true;
    followed_ = 0;
    focus_ = entry->request.planner;
    show(id, entry->run);
    Q_EMIT planningChanged();
}

void Workspace::selectTop(PoolId pool)
{
    if (!run_) return;
    if (pool == none) {
        // What is worked in goes before constants, which nothing makes smaller.
        const auto largest = std::ranges::max_element(run_->report.pools, {}, [this](const PoolReport& report) {
            return std::pair(report.size > 0 && run_->problem().pools[std::size_t(report.pool)].kind == PoolKind::workspace,
                             report.size);
        });
        if (largest == run_->report.pools.end()) return;
        pool = largest->pool;
    }
    BufferId highest = none;
    Bytes top = 0;
    for (std::size_t i = 0; i < std::min(run_->plan.placements.size(), run_->problem().buffers.size()); ++i) {
        const Placement& placement = run_->plan.placements[i];
        if (placement.pool != pool) continue;
        Bytes offset = placement.offset;
        for (const Bytes copy : placement.offsets) offset = std::max(offset, copy);
        if (const Bytes end = offset + run_->problem().buffers[i].size; end > top) {
            top = end;
            highest = BufferId(i);
        }
    }
    if (highest != none) selection_.select(highest);
}

void Workspace::showNeighbourRun(int delta)
{
    const auto entries = runs();
    if (entries.empty()) return;
    auto at = std::ranges::find_if(entries, [&](const RunEntry* entry) { return entry->id == shown_; });
    const auto index =
        at == entries.end() ? 0 : std::clamp<std::ptrdiff_t>(at - entries.begin() + delta, 0, std::ssize(entries) - 1);
    showRun(entries[std::size_t(index)]->id);
}

void Workspace::clearRuns()
{
    shown_ = 0;
    run_ = nullptr;
    session_.clearRuns(model_);
    selection_.clear();
    renewMask();
    Q_EMIT runsChanged();
    Q_EMIT contextChanged();
}

void Workspace::show(int id, std::shared_ptr<const Run> run)
{
    if (id == shown_ && run == run_) return;
    // Buffers are the same in runs of one lowering; otherwise a selection would point at something else.
    const bool same = run && run_ && sameBuffers(*run, *run_);
    shown_ = id;
    run_ = std::move(run);
    if (!same) selection_.clear();
    renewMask();
    Q_EMIT contextChanged();
}

void Workspace::setNumbers(const NumberFormat& numbers)
{
    if (numbers == numbers_) return;
    numbers_ = numbers;
    Q_EMIT contextChanged();
}

ViewContext Workspace::context() const
{
    ViewContext context;
    context.run = run_;
    for (const RunEntry* entry : runs()) context.runs.push_back(entry->run);
    context.numbers = numbers_;
    return context;
}

void Workspace::renewMask()
{
    maskJob_.drop();
    const BufferFilter filter = selection_.filter();
    if (!run_ || !filter.active()) {
        selection_.setMask(nullptr);
        return;
    }
    if (run_->problem().buffers.size() <= filterInBackgroundAbove) {
        selection_.setMask(std::make_shared<const BufferMask>(applyFilter(run_->problem(), filter)));
        return;
    }
    maskJob_.start(
        [run = run_, filter](const std::stop_token&) {
            return std::shared_ptr<const BufferMask>(std::make_shared<const BufferMask>(applyFilter(run->problem(), filter)));
        },
        [this](std::shared_ptr<const BufferMask> mask) { selection_.setMask(std::move(mask)); });
}

} // namespace stowage

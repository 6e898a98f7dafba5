#include "app/desktop/workspace/shown_run.h"

#include "app/canvas/pictures/scene_cache.h"
#include "app/session/run_order.h"
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

ShownRun::ShownRun(Session& session, SelectionModel& selection, const OpenModels& models, const Plannings& plannings,
                   QObject* parent)
    : QObject(parent), session_(session), selection_(selection), models_(models), plannings_(plannings)
{
    connect(&selection_, &SelectionModel::filterChanged, this, &ShownRun::renewMask);
}

// --- all of the model --------------------------------------------------------------------------------------------------

std::vector<const RunEntry*> ShownRun::runs() const
{
    std::vector<const RunEntry*> entries;
    for (const RunEntry& entry : session_.runs())
        if (entry.model == models_.current()) entries.push_back(&entry);
    std::ranges::sort(entries, [](const RunEntry* a, const RunEntry* b) { return betterRun(*a, *b); });
    return entries;
}

const RunEntry* ShownRun::runOf(const std::string& planner) const
{
    const RunEntry* latest = nullptr;
    for (const RunEntry& entry : session_.runs())
        if (entry.model == models_.current() && entry.request.planner == planner && (!latest || entry.id > latest->id))
            latest = &entry;
    return latest;
}

const RunEntry* ShownRun::best() const
{
    const RunEntry* best = nullptr;
    const Model* current = models_.model();
    const bool kernel = current && isAscendKernel(*current);
    const PlanRequest now = plannings_.request({});
    const auto stale = [&](const RunEntry& entry) { return !sameSetup(entry.request, now); };
    for (const RunEntry& entry : session_.runs()) {
        if (entry.model != models_.current()) continue;
        const auto rank = [&](const RunEntry& it, bool later) {
            const Verdict& verdict = it.run->report.verdict;
            return std::tuple(stale(it), kernel && !verdict.valid(), kernel && verdict.overCapacity,
                              kernel && it.request.planner != kernelPlanner, later);
        };
        if (!best || rank(entry, !betterRun(entry, *best)) < rank(*best, true)) best = &entry;
    }
    return best;
}

const RunEntry* ShownRun::neighbour(int delta) const
{
    const auto entries = runs();
    if (entries.empty()) return nullptr;
    const auto at = std::ranges::find_if(entries, [&](const RunEntry* entry) { return entry->id == id_; });
    const auto index =
        at == entries.end() ? 0 : std::clamp<std::ptrdiff_t>(at - entries.begin() + delta, 0, std::ssize(entries) - 1);
    return entries[std::size_t(index)];
}

void ShownRun::clear()
{
    id_ = 0;
    run_ = nullptr;
    chosen_ = false;
    session_.clearRuns(models_.current());
    selection_.setRun(nullptr);
    selection_.clear();
    renewMask();
    Q_EMIT listChanged();
    Q_EMIT changed();
}

// --- the one that is shown ---------------------------------------------------------------------------------------------

std::shared_ptr<const Run> ShownRun::runOfModel(int model) const
{
    if (model == models_.current()) return run_;
    if (const RunEntry* shown = session_.run(idOfModel(model))) return shown->run;
    const RunEntry* best = nullptr;
    for (const RunEntry& entry : session_.runs())
        if (entry.model == model && (!best || betterRun(entry, *best))) best = &entry;
    return best ? best->run : nullptr;
}

int ShownRun::idOfModel(int model) const
{
    if (model == models_.current()) return id_;
    const auto kept = kept_.find(model);
    return kept == kept_.end() ? 0 : kept->second.shown;
}

void ShownRun::choose(const RunEntry& entry)
{
    chosen_ = true;
    followed_ = 0;
    show(&entry);
}

void ShownRun::follow(int job)
{
    followed_ = job;
    if (id_) before_ = id_; // else an incumbent
}

void ShownRun::show(int id, std::shared_ptr<const Run> run)
{
    if (id == id_ && run == run_) return;
    // Buffers are the same in runs of one lowering; otherwise a selection would point at something else.
    const bool same = run && run_ && sameBuffers(*run, *run_);
    id_ = id;
    run_ = std::move(run);
    selection_.setRun(run_);
    if (!same) selection_.clear();
    renewMask();
    Q_EMIT changed();
}

void ShownRun::selectTop(PoolId pool)
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
        for (const Bytes slot : placement.offsets) offset = std::max(offset, slot);
        if (const Bytes end = offset + run_->problem().buffers[i].size; end > top) {
            top = end;
            highest = BufferId(i);
        }
    }
    if (highest != none) selection_.select(highest);
}

// --- models come and go ------------------------------------------------------------------------------------------------

void ShownRun::leave(int model)
{
    if (!model) return;
    Kept& kept = kept_[model];
    kept = {id_, chosen_, selection_.buffers(), nullptr};
    if (run_ && !kept.selected.empty()) kept.lowering = run_->lowering;
}

const RunEntry* ShownRun::enter(int model)
{
    selection_.clear();
    chosen_ = false;
    if (!model) return nullptr;
    const Kept& kept = kept_[model];
    const RunEntry* entry = session_.run(kept.shown);
    if (!entry) return best();
    chosen_ = kept.chosen;
    return entry;
}

void ShownRun::selectAsBefore(int model)
{
    const auto kept = kept_.find(model);
    if (kept == kept_.end() || !kept->second.lowering || !run_) return;
    if (sameBuffers(*kept->second.lowering, *run_->lowering)) selection_.selectMany(kept->second.selected);
}

void ShownRun::putShown(int model, int run)
{
    kept_[model].shown = run;
    kept_[model].chosen = run != 0;
}

// --- runs come and go --------------------------------------------------------------------------------------------------

void ShownRun::onIncumbent(int job, const std::shared_ptr<const Run>& run)
{
    const auto status = plannings_.jobs().find(job);
    if (status == plannings_.jobs().end() || status->second.model != models_.current()) return;
    const RunEntry* current = session_.run(id_);
    const bool samePlanner = current && current->request.planner == status->second.planner;
    // Who has chosen no run looks at the best there is: a search that gets ahead of it is followed.
    const bool whole = run->report.status != Status::undecided; // else a part of a plan, whose size says nothing
    const bool ahead = run_ && !chosen_ && whole && isBetter(*run, *run_);
    if (job != followed_ && showsFollowed()) return;
    if (run_ && !showsIncumbent() && !samePlanner && !ahead && job != followed_) return;
    incumbentOf_ = job;
    show(0, run);
}

void ShownRun::onAdded(const RunEntry& added, int job)
{
    const int id = added.id;
    std::vector<int> replaced;
    for (const RunEntry& entry : session_.runs())
        if (entry.id != id && sameRequest(entry.request, added.request)) replaced.push_back(entry.id);
    // The new run takes the place of the one that was shown of a model that is not in front.
    if (const auto kept = kept_.find(added.model);
        kept != kept_.end() && std::ranges::find(replaced, kept->second.shown) != replaced.end())
        kept->second.shown = id;
    if (added.model == models_.current()) {
        const RunEntry* current = session_.run(id_);
        const bool asked = job == followed_ && showsFollowed();
        chosen_ |= asked && session_.run(before_); // who asks for one more planner looks at its result
        const bool incumbentOfIt = asked || (showsIncumbent() && run_->plan.planner == added.request.planner);
        if (!run_ || incumbentOfIt || (current && current->request.planner == added.request.planner)) show(id, added.run);
    }
    for (const int old : replaced) session_.removeRun(old); // `added` may have moved
    Q_EMIT listChanged();
}

void ShownRun::onEnded(int job)
{
    if (job != followed_) return;
    const RunEntry* before = session_.run(before_);
    if (showsFollowed() && before && before->model == models_.current()) show(before); // it has no result
    followed_ = 0;
}

void ShownRun::onRemoved(int run)
{
    if (run == id_) {
        chosen_ = false;
        show(best());
    }
    Q_EMIT listChanged();
}

void ShownRun::renewMask()
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

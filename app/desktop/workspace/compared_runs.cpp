#include "app/desktop/workspace/compared_runs.h"

#include "app/canvas/pictures/compare/compare_sheet.h"
#include "app/desktop/workspace.h"

#include <algorithm>
#include <utility>

namespace stowage {

ComparedRuns::ComparedRuns(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {}

ComparedRuns::Key ComparedRuns::keyOf(const RunEntry& entry)
{
    const Run& run = *entry.run;
    return {run.plan.planner, run.lowering->fingerprint.withoutPins().withoutPools(), run.targetName};
}

const RunEntry* ComparedRuns::entry(int run) const
{
    for (const RunEntry* entry : workspace_.runs())
        if (entry->id == run) return entry;
    return nullptr;
}

void ComparedRuns::renew(int room)
{
    room_ = std::clamp(room, 1, maxMaps);
    if (workspace_.modelId() != model_) {
        model_ = workspace_.modelId();
        picked_.clear();
        pickedPlanners_.clear();
        poolName_.clear();
        poolChosen_ = false;
        hereRun_ = thereRun_ = 0;
    }
    choose();
}

void ComparedRuns::setRoom(int room)
{
    room_ = std::clamp(room, 1, maxMaps);
    if (chosen() != shown_) choose();
}

std::vector<int> ComparedRuns::chosen()
{
    const auto entries = workspace_.runs();
    std::vector<int> shown;
    for (const std::string& planner : pickedPlanners_)
        if (const RunEntry* run = workspace_.shown().runOf(planner)) shown.push_back(run->id);
    if (shown.size() == 2 && pickedPlanners_.size() == 2) {
        hereRun_ = shown[1];
        thereRun_ = shown[0];
    }
    for (const Key& key : picked_)
        for (const RunEntry* entry : entries)
            if (keyOf(*entry) == key && std::ranges::find(shown, entry->id) == shown.end()) {
                shown.push_back(entry->id);
                break;
            }
    if (shown.empty()) {
        for (const RunEntry* entry : entries)
            if (int(shown.size()) < count_) shown.push_back(entry->id);
        const int base = workspace_.shownRun();
        if (base && !shown.empty() && std::ranges::find(shown, base) == shown.end() && entry(base)) shown.back() = base;
    }
    if (int(shown.size()) > room_) shown.resize(std::size_t(room_));
    return shown;
}

void ComparedRuns::choose()
{
    shown_ = chosen();
    choosePoolByItself();
    Q_EMIT changed();
    compare();
}

void ComparedRuns::choosePoolByItself()
{
    std::vector<std::shared_ptr<const Run>> runs;
    for (const RunEntry* entry : workspace_.runs()) runs.push_back(entry->run);
    const auto current = workspace_.run();
    const bool known = poolChosen_ && current && std::ranges::any_of(current->report.pools, [&](const PoolReport& pool) {
                           return pool.size > 0 && current->problem().pools[std::size_t(pool.pool)].name == poolName_;
                       });
    if (known || runs.empty()) return;
    if (const PoolId pool = comparedPool(runs); pool != none) poolName_ = runs.front()->problem().pools[std::size_t(pool)].name;
}

void ComparedRuns::setCount(int count)
{
    count_ = std::clamp(count, 2, maxMaps);
    picked_.clear();
    pickedPlanners_.clear();
    choose();
}

void ComparedRuns::toggle(int run)
{
    const RunEntry* toggled = entry(run);
    if (!toggled) return;
    // What is shown by itself becomes what is picked.
    picked_.clear();
    pickedPlanners_.clear();
    for (const int id : shown_)
        if (const RunEntry* shown = entry(id); shown && id != run) picked_.push_back(keyOf(*shown));
    if (std::ranges::find(shown_, run) == shown_.end()) {
        if (int(picked_.size()) >= maxMaps) picked_.pop_back();
        picked_.push_back(keyOf(*toggled));
    }
    choose();
}

void ComparedRuns::pickPlanners(std::vector<std::string> planners)
{
    setCount(int(planners.size()));
    pickedPlanners_ = std::move(planners);
    choose();
}

PoolId ComparedRuns::poolOf(const Run& run) const
{
    const auto& pools = run.problem().pools;
    const auto found = std::ranges::find(pools, poolName_, &Pool::name);
    return found == pools.end() ? PoolId(none) : PoolId(found - pools.begin());
}

void ComparedRuns::choosePool(const std::string& name)
{
    poolName_ = name;
    poolChosen_ = true;
    choose();
}

void ComparedRuns::chooseHere(int run)
{
    hereRun_ = run;
    compare();
}

void ComparedRuns::chooseThere(int run)
{
    thereRun_ = run;
    compare();
}

void ComparedRuns::compare()
{
    const RunEntry* here = entry(hereRun_);
    const RunEntry* there = entry(thereRun_);
    if (!here) here = entry(workspace_.shownRun());
    if (!here && !shown_.empty()) here = entry(shown_.front());
    if (!there || there == here) {
        there = nullptr;
        for (const int run : shown_)
            if (!there && here && run != here->id) there = entry(run);
        for (const RunEntry* other : workspace_.runs())
            if (!there && here && other->id != here->id) there = other;
    }
    const auto now = here && there ? here->run : nullptr;
    const auto before = here && there ? there->run : nullptr;
    if (now && now == here_ && before == there_) return; // shown, or under way
    here_ = now;
    there_ = before;
    jobs_.drop();
    if (!now) {
        difference_.reset();
        Q_EMIT differenceChanged();
        return;
    }
    // Until the new one is there, the former stays, with its names.
    jobs_.start(
        [now, before](const std::stop_token&) {
            return stowage::difference(now->problem(), now->plan, before->problem(), before->plan);
        },
        [this](PlanDifference found) {
            difference_ = std::move(found);
            Q_EMIT differenceChanged();
        });
}

} // namespace stowage

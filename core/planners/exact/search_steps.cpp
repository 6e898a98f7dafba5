#include "core/planners/exact/search_steps.h"
#include "core/plan/objective.h"

#include <algorithm>

namespace stowage::exact {

SearchSteps::SearchSteps(const Problem& problem, StepRecorder& recorder)
    : problem_(problem), recorder_(recorder), shown_(problem.buffers.size())
{
}

bool SearchSteps::moves()
{
    if (moved_ < maxMoves) {
        ++moved_;
        return true;
    }
    if (!silent_) {
        silent_ = true;
        note(StepRule::movesNotRecorded, static_cast<std::int64_t>(maxMoves));
    }
    return false;
}

void SearchSteps::note(StepRule rule, std::int64_t number)
{
    recorder_.add({StepKind::note, recorder_.reason(RuleApplied{rule, number}), none, none, 0});
}

void SearchSteps::put(BufferId buffer, Spot spot, std::uint16_t reason)
{
    recorder_.add({StepKind::place, reason, buffer, spot.pool, spot.offset});
    shown_[at(buffer)] = spot;
}

void SearchSteps::takeAway(BufferId buffer, std::uint16_t reason)
{
    Spot& spot = shown_[at(buffer)];
    recorder_.add({StepKind::remove, reason, buffer, spot.pool, spot.offset});
    spot = {};
}

void SearchSteps::show(const std::vector<Spot>& wanted, std::uint16_t reason)
{
    for (std::size_t i = 0; i < shown_.size(); ++i)
        if (shown_[i].pool != none && shown_[i] != wanted[i]) takeAway(static_cast<BufferId>(i), reason);
    for (std::size_t i = 0; i < shown_.size(); ++i)
        if (wanted[i].pool != none && shown_[i] != wanted[i]) put(static_cast<BufferId>(i), wanted[i], reason);
}

void SearchSteps::improve()
{
    std::vector<Bytes> tops(problem_.pools.size(), 0);
    for (std::size_t i = 0; i < shown_.size(); ++i)
        if (shown_[i].pool != none && problem_.buffers[i].size > 0)
            tops[at(shown_[i].pool)] = std::max(tops[at(shown_[i].pool)], shown_[i].offset + problem_.buffers[i].size);
    Bytes total = 0;
    for (const Bytes top : tops) total += top;
    recorder_.add({StepKind::improve, 0, none, none, total});
}

void SearchSteps::better(const Plan& plan, StepRule why)
{
    std::vector<Spot> wanted(shown_.size());
    for (std::size_t i = 0; i < wanted.size() && i < plan.placements.size(); ++i)
        if (plan.placements[i].placed()) wanted[i] = {plan.placements[i].pool, plan.placements[i].offset};
    show(wanted, recorder_.reason(why));
    recorder_.add({StepKind::improve, 0, none, none, objectiveOf(problem_, plan).total});
}

void SearchSteps::better(PoolId pool, std::span<const BufferId> slots, std::span<const Bytes> offsets, StepRule why)
{
    std::vector<Spot> wanted = shown_;
    for (std::size_t i = slots.size(); i-- > 0;)
        wanted[at(slots[i])] = {pool, offsets[i]}; // the first slot is written last: it represents all slots
    show(wanted, recorder_.reason(why));
    improve();
}

void SearchSteps::enter(PoolId pool, std::span<const BufferId> slots, Bytes unit)
{
    pool_ = pool;
    unit_ = unit;
    slots_.assign(slots.begin(), slots.end());
    first_.assign(slots_.size(), 1);
    for (std::size_t i = 1; i < slots_.size(); ++i) first_[i] = slots_[i] != slots_[i - 1];
}

void SearchSteps::begin(std::int64_t capacity)
{
    if (moved_ >= maxMoves) return;
    note(StepRule::searchBegins, capacity * unit_);
    const std::uint16_t reason = recorder_.reason(StepRule::newSearch);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const BufferId buffer = slots_[i];
        if (!first_[i]) continue;
        const std::optional<Bytes>& pin = problem_.buffers[at(buffer)].pin;
        if (pin && shown_[at(buffer)] == Spot{pool_, *pin}) continue;
        if (shown_[at(buffer)].pool != none) takeAway(buffer, reason);
        if (pin) put(buffer, {pool_, *pin}, recorder_.reason(StepRule::pinned));
    }
}

void SearchSteps::place(std::int32_t slot, std::int64_t offset, StepRule why)
{
    if (!first_[at(slot)] || !moves()) return;
    put(slots_[at(slot)], {pool_, offset * unit_}, recorder_.reason(why));
}

void SearchSteps::remove(std::int32_t slot)
{
    if (!first_[at(slot)] || !moves()) return;
    takeAway(slots_[at(slot)], recorder_.reason(StepRule::noLayout));
}

void SearchSteps::refuse(std::int32_t slot)
{
    if (!first_[at(slot)] || !moves()) return;
    recorder_.add({StepKind::reject, recorder_.reason(StepRule::liesHigher), slots_[at(slot)], pool_, 0});
}

void SearchSteps::end(Outcome outcome)
{
    if (moved_ >= maxMoves) return;
    switch (outcome) {
    case Outcome::found: return note(StepRule::searchFound);
    case Outcome::impossible: return note(StepRule::searchProved);
    case Outcome::limit: return note(StepRule::searchTurns);
    case Outcome::stopped: return note(StepRule::searchStopped);
    }
}

} // namespace stowage::exact

#include "app/canvas/pictures/replay/replay.h"

#include "core/explain/pipe_run.h"
#include "core/explain/step_text.h"
#include "core/ir/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace stowage {

namespace {

/// Bytes that the kept states may take together.
constexpr std::size_t budget = std::size_t{64} << 20;

/// Steps that are looked back on for the choice that led to one.
constexpr std::size_t maxOfOneChoice = 64;

/// "0x0C70": at least four digits, an even number of them, as addresses have elsewhere.
std::string hexAddress(Bytes address)
{
    const std::string digits = fmt::format("{:X}", address);
    const std::size_t width = std::max<std::size_t>(4, digits.size() + digits.size() % 2);
    return "0x" + std::string(width - digits.size(), '0') + digits;
}

} // namespace

Replay::Replay(std::shared_ptr<const Run> run) : run_(std::move(run))
{
    placements_.resize(run_->problem().buffers.size());
    if (run_->steps)
        for (std::size_t i = 0; i < run_->steps->reasons().size(); ++i)
            slotwise_ |= run_->steps->levelOf(static_cast<std::uint16_t>(i)).has_value();
    findSlotwise();
    const std::size_t each = std::max<std::size_t>(1, placements_.size() * sizeof(Spot));
    const std::size_t states = std::clamp<std::size_t>(budget / each, 2, 512);
    between_ = std::max<std::size_t>(64, steps() / states + 1);
    survey();
    placements_.assign(placements_.size(), Placement{});
    at_ = 0;
    seek(steps());
}

std::size_t Replay::steps() const
{
    return run_->steps ? run_->steps->steps().size() : 0;
}

bool Replay::valid(const RecordedStep& step) const
{
    return step.buffer >= 0 && std::size_t(step.buffer) < placements_.size() &&
           (step.kind != StepKind::place || (step.pool >= 0 && std::size_t(step.pool) < run_->problem().pools.size()));
}

/// The buffers that rotate in the finished plan and hold exactly the offsets that they have there when all steps are taken slot
/// by slot.
void Replay::findSlotwise()
{
    bySlot_.assign(placements_.size(), false);
    if (!run_->steps || slotwise_) return;
    std::map<BufferId, std::set<std::pair<PoolId, Bytes>>> held;
    const auto finished = [&](BufferId id) {
        return std::size_t(id) < run_->plan.placements.size() ? &run_->plan.placements[std::size_t(id)] : nullptr;
    };
    for (const RecordedStep& step : run_->steps->steps()) {
        if ((step.kind != StepKind::place && step.kind != StepKind::remove) || !valid(step)) continue;
        if (!finished(step.buffer) || !finished(step.buffer)->rotating()) continue;
        auto& places = held[step.buffer];
        if (step.kind == StepKind::remove) {
            places.erase({step.pool, step.offset});
        } else {
            if (!places.empty() && places.begin()->first != step.pool) places.clear(); // to another memory go all
            places.emplace(step.pool, step.offset);
        }
    }
    for (const auto& [buffer, places] : held) {
        std::set<std::pair<PoolId, Bytes>> wanted;
        for (const Bytes offset : finished(buffer)->offsets) wanted.emplace(finished(buffer)->pool, offset);
        bySlot_[std::size_t(buffer)] = places == wanted;
    }
}

void Replay::apply(const RecordedStep& step)
{
    if (step.kind == StepKind::place && valid(step)) {
        Placement& placement = placements_[std::size_t(step.buffer)];
        if ((slotwise_ || bySlot_[std::size_t(step.buffer)]) && placement.pool == step.pool) {
            std::vector<Bytes> slots =
                placement.rotating() ? std::vector<Bytes>(placement.offsets) : std::vector<Bytes>{placement.offset};
            if (std::find(slots.begin(), slots.end(), step.offset) == slots.end()) slots.push_back(step.offset);
            setSlots(std::size_t(step.buffer), std::move(slots));
            return;
        }
        placement = Placement{};
        placement.pool = step.pool;
        placement.offset = step.offset;
        if (slotwise_ || bySlot_[std::size_t(step.buffer)]) return;
        // All slots of a rotating buffer move with the first; in which iterations each is used is what the finished plan says.
        const Placement& finished =
            std::size_t(step.buffer) < run_->plan.placements.size() ? run_->plan.placements[std::size_t(step.buffer)] : placement;
        if (finished.rotating() && finished.pool == step.pool) {
            placement.rotations = finished.rotations;
            placement.offsets = finished.offsets;
            for (Bytes& offset : placement.offsets) offset += step.offset - finished.offset;
        }
    } else if (step.kind == StepKind::remove && valid(step)) {
        const Placement& placement = placements_[std::size_t(step.buffer)];
        std::vector<Bytes> slots;
        if ((slotwise_ || bySlot_[std::size_t(step.buffer)]) && placement.rotating()) slots = placement.offsets;
        std::erase(slots, step.offset);
        if (slots.empty())
            placements_[std::size_t(step.buffer)] = Placement{};
        else
            setSlots(std::size_t(step.buffer), std::move(slots));
    }
}

/// The slots that a buffer has, in the order in which they were found; at least one.
void Replay::setSlots(std::size_t buffer, std::vector<Bytes> offsets)
{
    Placement& placement = placements_[buffer];
    placement.offset = offsets.front();
    placement.offsets.clear();
    placement.rotations.clear();
    if (offsets.size() < 2) return;
    if (bySlot_[buffer]) { // all there: in the order that the finished plan gives them
        const Placement& finished = run_->plan.placements[buffer];
        if (std::ranges::all_of(finished.offsets,
                                [&](Bytes offset) { return std::ranges::find(offsets, offset) != offsets.end(); })) {
            placement = finished;
            return;
        }
    }
    placement.rotations = {{run_->problem().buffers[buffer].loop, static_cast<std::int32_t>(offsets.size()), false}};
    placement.offsets = offsets;
}

void Replay::survey()
{
    const Problem& problem = run_->problem();
    most_.assign(problem.pools.size(), 0);
    // Tops of what lies in each pool, so that the highest is known after each step.
    std::vector<std::map<Bytes, std::size_t>> tops(problem.pools.size());
    const auto topOf = [&](const Placement& placement, std::size_t buffer) {
        Bytes top = placement.offset;
        for (const Bytes offset : placement.offsets) top = std::max(top, offset);
        return top + problem.buffers[buffer].size;
    };
    const auto enter = [&](std::size_t buffer, bool in) {
        const Placement& placement = placements_[buffer];
        if (!placement.placed()) return;
        auto& pool = tops[std::size_t(placement.pool)];
        const Bytes top = topOf(placement, buffer);
        if (in) {
            ++pool[top];
        } else if (const auto found = pool.find(top); found != pool.end() && --found->second == 0) {
            pool.erase(found);
        }
    };
    Bytes best = 0;
    const std::size_t part = std::max<std::size_t>(1, (steps() + maxHeights - 1) / maxHeights);
    std::size_t done = 0;
    const auto keep = [&] {
        std::vector<Spot>& state = kept_.emplace_back();
        state.reserve(placements_.size());
        for (const Placement& placement : placements_)
            state.push_back(
                {placement.pool, placement.offset, slotwise_ || bySlot_[state.size()] ? placement.offsets : RareList<Bytes>()});
    };
    keep();
    if (!run_->steps) return;
    for (const RecordedStep& step : run_->steps->steps()) {
        const bool moves = (step.kind == StepKind::place || step.kind == StepKind::remove) && valid(step);
        if (moves) enter(std::size_t(step.buffer), false);
        apply(step);
        if (moves) enter(std::size_t(step.buffer), true);
        if (step.kind == StepKind::improve) best = best == 0 ? step.offset : std::min(best, step.offset);
        ++done;
        Bytes height = 0;
        for (std::size_t p = 0; p < tops.size(); ++p) {
            const Bytes top = tops[p].empty() ? 0 : tops[p].rbegin()->first;
            most_[p] = std::max(most_[p], top);
            height += top;
        }
        if ((done - 1) % part == 0)
            heights_.push_back({done, height, best});
        else
            heights_.back() = {done, std::max(heights_.back().height, height), best};
        if (done % between_ == 0) keep();
    }
}

void Replay::seek(std::size_t step)
{
    step = std::min(step, steps());
    if (step == at_) return;
    const std::size_t nearest = std::min(step / between_, kept_.size() - 1);
    // From where it is, when that is nearer than a kept state.
    if (step < at_ || nearest * between_ > at_) {
        const std::vector<Spot>& state = kept_[nearest];
        for (std::size_t i = 0; i < placements_.size(); ++i) {
            placements_[i] = Placement{};
            if (state[i].pool == none) continue;
            apply({StepKind::place, 0, BufferId(i), state[i].pool, state[i].offset});
            if (!state[i].slots.empty()) setSlots(i, state[i].slots);
        }
        at_ = nearest * between_;
    }
    const auto& all = run_->steps->steps();
    for (; at_ < step; ++at_) apply(all[at_]);
}

std::shared_ptr<const Run> Replay::frame() const
{
    auto run = std::make_shared<Run>();
    run->program = run_->program;
    run->lowering = run_->lowering;
    run->targetName = run_->targetName;
    run->plan.planner = run_->plan.planner;
    run->plan.seed = run_->plan.seed;
    run->plan.placements = placements_;
    run->report.status = Status::undecided;
    run->report.pools = run_->report.pools;
    for (PoolReport& pool : run->report.pools) {
        pool.size = run->plan.poolSize(run->problem(), pool.pool);
        pool.excess = pool.capacity ? std::max<Bytes>(0, pool.size - *pool.capacity) : 0;
    }
    return run;
}

const RecordedStep* Replay::last() const
{
    return at_ > 0 ? &run_->steps->steps()[at_ - 1] : nullptr;
}

Replay::Told Replay::tell() const
{
    const RecordedStep* step = last();
    if (!step) return {};
    Told told;
    const Problem& problem = run_->problem();
    const auto& reasons = run_->steps->reasons();
    const auto reasonOf = [&](const RecordedStep& of) {
        return of.reason < reasons.size() ? stepText(problem, reasons[of.reason]) : std::string();
    };
    told.why = reasonOf(*step);
    const bool known = step->buffer >= 0 && std::size_t(step->buffer) < problem.buffers.size();
    const std::string name = known ? problem.buffers[std::size_t(step->buffer)].name : std::string();
    const bool pool = problem.pools.size() > 1 && step->pool >= 0 && std::size_t(step->pool) < problem.pools.size();
    const std::string where = pool ? fmt::format(" in {}", problem.pools[std::size_t(step->pool)].name) : std::string();
    if (slotwise_ && known && (step->kind == StepKind::place || step->kind == StepKind::remove))
        return {describeSlot(*step, name, where), {}, {}};
    switch (step->kind) {
    case StepKind::place: {
        told.what = fmt::format("places {} at {}{}", name, hexAddress(step->offset), where);
        // A choice goes before what it leads to, which may be several that are placed for the same reason.
        const auto& all = run_->steps->steps();
        for (std::size_t before = at_ - 1; before-- > 0 && at_ - before <= maxOfOneChoice;) {
            if (all[before].kind == StepKind::note && all[before].buffer != none) told.chosen = reasonOf(all[before]);
            if (all[before].kind != StepKind::place || all[before].reason != step->reason) break;
        }
        break;
    }
    case StepKind::remove: told.what = fmt::format("takes {} away", name); break;
    case StepKind::improve: told.what = fmt::format("found a layout of {} bytes", grouped(step->offset)); break;
    case StepKind::reject: told.what = fmt::format("rejects {}{}", name.empty() ? "a place" : name, where); break;
    case StepKind::note:
        told.what = name;
        if (!name.empty()) std::swap(told.chosen, told.why);
        break;
    }
    return told;
}

std::string Replay::describe() const
{
    const Told told = tell();
    const std::string& why = told.why.empty() && last() && last()->kind == StepKind::note ? told.chosen : told.why;
    return told.what.empty() ? why : why.empty() ? told.what : told.what + ": " + why;
}

/// With the level at which the slot was placed, also of one that is taken back.
std::string Replay::describeSlot(const RecordedStep& step, const std::string& name, const std::string& where) const
{
    const auto& steps = run_->steps->steps();
    const auto levelText = [](hivm::Level level) {
        if (level == hivm::Level::pinned) return fmt::format(", {}", shortName(level));
        return level == hivm::Level::sequential ? fmt::format(" ({}: {})", shortName(level), meaningOf(level))
                                                : fmt::format(" at {} ({})", shortName(level), meaningOf(level));
    };
    if (step.kind == StepKind::place) {
        const Placement& placement = placements_[std::size_t(step.buffer)];
        const std::string slot =
            placement.offsets.size() > 1 ? fmt::format("slot {} of ", placement.offsets.size()) : std::string();
        const auto level = levelOf(at_ - 1);
        return fmt::format("places {}{} at {}{}{}", slot, name, hexAddress(step.offset), where,
                           level ? levelText(*level) : std::string());
    }
    // What is taken back was placed last where it lies.
    std::string was;
    for (std::size_t i = at_ - 1; i-- > 0;)
        if (steps[i].kind == StepKind::place && steps[i].buffer == step.buffer && steps[i].offset == step.offset) {
            if (const auto level = levelOf(i)) was = levelText(*level);
            break;
        }
    return fmt::format("rolls back {} from {}{}{}{}", name, hexAddress(step.offset), where, was.empty() ? "" : ", placed", was);
}

std::optional<hivm::Level> Replay::levelOf(std::size_t number) const
{
    if (number >= steps()) return std::nullopt;
    const RecordedStep& step = run_->steps->steps()[number];
    return step.kind == StepKind::place ? run_->steps->levelOf(step.reason) : std::nullopt;
}

bool Replay::isRollback(std::size_t number) const
{
    return slotwise_ && number < steps() && run_->steps->steps()[number].kind == StepKind::remove;
}

std::size_t Replay::rollbacks() const
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < steps(); ++i) count += isRollback(i) ? 1 : 0;
    return count;
}

std::size_t Replay::find(StepKind kind, bool forward) const
{
    const std::size_t count = steps();
    if (count == 0) return 0;
    const auto& all = run_->steps->steps();
    if (forward) {
        for (std::size_t i = at_; i < count; ++i)
            if (all[i].kind == kind) return i + 1;
        return count;
    }
    for (std::size_t i = at_; i-- > 1;)
        if (all[i - 1].kind == kind) return i;
    return 0;
}

} // namespace stowage

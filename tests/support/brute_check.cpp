#include "tests/support/brute_check.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace stowage::test {

namespace {

constexpr std::int64_t iterations = 8; ///< of each loop; more than twice any period in the tests

/// A value that a buffer holds: which iteration made it, and the bytes that are occupied.
struct Value {
    std::int64_t made = 0;
    Bytes low = 0;
    Bytes high = 0;
};

std::vector<Value> occupied(const Buffer& buffer, const Placement& placement, Step step, std::int64_t iteration)
{
    const auto at = [&](std::int64_t made) { return placement.at(std::vector<std::int64_t>(placement.rotations.size(), made)); };
    std::vector<Value> values;
    for (const Interval& r : buffer.live)
        if (r.contains(step)) values.push_back({iteration, at(iteration), at(iteration) + buffer.size});
    for (const Window& w : buffer.windows)
        if (w.live.contains(step)) values.push_back({iteration, at(iteration) + w.low, at(iteration) + w.high});
    for (const Carried& c : buffer.carried)
        if (c.live.contains(step) && iteration >= c.distance) {
            const std::int64_t made = iteration - c.distance;
            values.push_back({made, at(made), at(made) + buffer.size});
        }
    return values;
}

/// What each buffer occupies at each step in each iteration.
class Occupation {
public:
    Occupation(const Problem& problem, const Plan& plan) : horizon_(problem.horizon())
    {
        for (std::size_t b = 0; b < problem.buffers.size(); ++b)
            for (Step step = 0; step < horizon_; ++step)
                for (std::int64_t i = 0; i < iterations; ++i)
                    values_.push_back(occupied(problem.buffers[b], plan.placements[b], step, i));
    }

    [[nodiscard]] Step horizon() const { return horizon_; }
    [[nodiscard]] const std::vector<Value>& of(std::size_t b, Step step, std::int64_t iteration) const
    {
        return values_[(b * static_cast<std::size_t>(horizon_) + static_cast<std::size_t>(step)) * iterations +
                       static_cast<std::size_t>(iteration)];
    }

private:
    Step horizon_ = 0;
    std::vector<std::vector<Value>> values_;
};

bool lists(std::span<const BufferId> ids, std::size_t id)
{
    return std::find(ids.begin(), ids.end(), static_cast<BufferId>(id)) != ids.end();
}

bool common(const Value& a, const Value& b)
{
    return std::max(a.low, b.low) < std::min(a.high, b.high);
}

/// Every byte that a buffer may ever lie on.
std::vector<Value> everywhere(const Buffer& buffer, const Placement& placement)
{
    std::vector<Value> values;
    if (placement.offsets.empty()) values.push_back({0, placement.offset, placement.offset + buffer.size});
    for (const Bytes offset : placement.offsets) values.push_back({0, offset, offset + buffer.size});
    return values;
}

/// Then a loop's iterations may be planned one by one: values lie where they are live, whatever lies there in other iterations.
bool carries(const Problem& problem)
{
    return std::any_of(problem.buffers.begin(), problem.buffers.end(),
                       [](const Buffer& buffer) { return !buffer.carried.empty() || !buffer.early.empty(); });
}

/// All moments of all runs, one by one.
class Moments {
public:
    Moments(const Problem& problem, const Plan& plan, std::int64_t most) : problem_(problem), plan_(plan), most_(most) {}

    std::string run()
    {
        enter(-1, 0); // explicit conflicts have no steps
        for (Step step = 0; step < problem_.horizon(); ++step) enter(step, 0);
        return wrong_;
    }

private:
    /// A value that is in use, at one of these offsets.
    struct Held {
        std::size_t buffer = 0;
        std::int32_t distance = 0;
        LoopId round = none;
        Bytes low = 0, high = 0;
        std::vector<Bytes> offsets;
    };
    enum class Phase { before, inside, after };

    const Loop& loop(LoopId id) const { return problem_.loops[static_cast<std::size_t>(id)]; }
    /// Without a step (-1) all loops are under way.
    Phase phase(LoopId id, Step step) const
    {
        if (step < 0 || loop(id).live.contains(step)) return Phase::inside;
        return step < loop(id).live.begin ? Phase::before : Phase::after;
    }
    bool isInside(LoopId inner, LoopId around) const
    {
        while (inner != none && inner != around) inner = loop(inner).parent;
        return inner == around;
    }
    std::int64_t trips(LoopId id) const { return loop(id).tripCount ? std::max<std::int64_t>(*loop(id).tripCount, 1) : most_; }

    /// `at_`: the iteration that a loop is in, or behind it the number that it has run.
    void enter(Step step, LoopId id)
    {
        if (!wrong_.empty()) return;
        if (static_cast<std::size_t>(id) == problem_.loops.size()) return look(step);
        at_.resize(problem_.loops.size());
        std::int64_t& now = at_[static_cast<std::size_t>(id)];
        switch (phase(id, step)) {
        case Phase::before: now = 0, enter(step, id + 1); break;
        case Phase::inside:
            for (now = 0; now < trips(id); ++now) enter(step, id + 1);
            break;
        case Phase::after:
            for (now = loop(id).tripCount ? trips(id) : 0; now <= trips(id); ++now) enter(step, id + 1);
            break;
        }
    }

    bool isIteration(const LoopIteration& when, Step step) const
    {
        if (when.loop == none) return true;
        return phase(when.loop, step) != Phase::before && at_[static_cast<std::size_t>(when.loop)] == when.iteration;
    }

    /// The buffer takes its slots in turn, whatever the loop: where an iteration's value lies is not known, but how far apart two
    /// are.
    bool inTurn(std::size_t b) const
    {
        const Placement& placement = plan_.placements[b];
        return placement.rotating() && (problem_.buffers[b].slots > 1 || placement.rotations.front().loop == none);
    }

    /// Offsets of the value that iteration `made` of `round` made (none: the present iterations); none when there is no such
    /// value.
    std::optional<std::vector<Bytes>> offsetsOf(std::size_t b, LoopId round, std::int64_t made, Step step) const
    {
        const Placement& placement = plan_.placements[b];
        if (!placement.rotating()) return std::vector<Bytes>{placement.offset};
        if (inTurn(b)) return placement.offsets;
        std::vector<std::vector<std::int64_t>> choices; // by rotation
        for (const Rotation& rotation : placement.rotations) {
            const LoopId l = rotation.loop;
            std::vector<std::int64_t>& choice = choices.emplace_back();
            const std::int64_t now = at_[static_cast<std::size_t>(l)];
            if (round != none && l == round)
                choice = {made};
            else if (round != none && isInside(l, round)) { // the last one of that time
                for (std::int64_t i = loop(l).tripCount ? trips(l) - 1 : 0; i < trips(l); ++i) choice.push_back(i);
            } else
                choice = {phase(l, step) == Phase::after ? now - 1 : now};
            if (choice.front() < 0) return std::nullopt;
        }
        std::vector<Bytes> offsets;
        std::vector<std::int64_t> picked(choices.size());
        const std::function<void(std::size_t)> pick = [&](std::size_t r) {
            if (r == choices.size()) return offsets.push_back(placement.at(picked));
            for (const std::int64_t i : choices[r]) picked[r] = i, pick(r + 1);
        };
        pick(0);
        return offsets;
    }

    std::vector<Held> heldAt(Step step) const
    {
        std::vector<Held> held;
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const Buffer& buffer = problem_.buffers[b];
            if (buffer.size == 0) continue;
            const auto add = [&](std::int32_t distance, LoopId round, std::int64_t made, Bytes low, Bytes high) {
                if (auto offsets = offsetsOf(b, round, made, step))
                    held.push_back({b, distance, round, low, high, *std::move(offsets)});
            };
            // What a loop makes is not there when it has run none.
            bool there = true;
            for (LoopId l = buffer.loop; l != none; l = loop(l).parent)
                there = there && !(phase(l, step) == Phase::after && at_[static_cast<std::size_t>(l)] == 0);
            bool live = step < 0;
            for (const Interval& range : buffer.live) live = live || range.contains(step);
            bool early = false, now = false;
            for (const Early& e : buffer.early)
                if (step >= 0 && e.live.contains(step)) early = true, now = now || isIteration(e.when, step);
            if (there && live && (!early || now)) add(0, none, 0, 0, buffer.size);
            for (const Window& window : buffer.windows)
                if (step >= 0 && window.live.contains(step)) add(0, none, 0, window.low, window.high);
            for (const Carried& c : buffer.carried) {
                const LoopId round = c.loop == none ? buffer.loop : c.loop;
                if ((step >= 0 && !c.live.contains(step)) || phase(round, step) == Phase::before || !isIteration(c.when, step))
                    continue;
                const std::int64_t made =
                    at_[static_cast<std::size_t>(round)] - (phase(round, step) == Phase::after ? 1 : 0) - c.distance;
                if (made >= 0) add(c.distance, round, made, 0, buffer.size);
            }
        }
        return held;
    }

    void look(Step step)
    {
        const std::vector<Held> held = heldAt(step);
        for (std::size_t i = 0; i < held.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const Held& x = held[i];
                const Held& y = held[j];
                const Buffer& first = problem_.buffers[x.buffer];
                const Buffer& second = problem_.buffers[y.buffer];
                if (plan_.placements[x.buffer].pool != plan_.placements[y.buffer].pool) continue;
                if (lists(first.mayShare, y.buffer) || lists(second.mayShare, x.buffer)) continue;
                if (x.buffer == y.buffer && (step < 0 || (x.distance == y.distance && x.round == y.round))) continue;
                if (x.buffer == y.buffer && inTurn(x.buffer) && (x.distance - y.distance) % std::ssize(x.offsets) != 0) continue;
                const bool conflict = lists(first.conflicts, y.buffer) || lists(second.conflicts, x.buffer);
                if (x.buffer != y.buffer && (step < 0 || problem_.axis == Axis::dag) && !(step < 0 && conflict)) continue;
                for (const Bytes a : x.offsets)
                    for (const Bytes b : y.offsets)
                        if (std::max(a + x.low, b + y.low) < std::min(a + x.high, b + y.high)) {
                            wrong_ =
                                first.name + " and " + second.name + " overlap at step " + std::to_string(step) + " in iteration";
                            for (const std::int64_t now : at_) wrong_ += " " + std::to_string(now);
                            return;
                        }
            }
    }

    const Problem& problem_;
    const Plan& plan_;
    const std::int64_t most_;
    std::vector<std::int64_t> at_; ///< by loop
    std::string wrong_;
};

/// `occupation`: null where values are carried from iteration to iteration, which `Moments` judges.
std::string ofOne(const Problem& problem, const Plan& plan, const Occupation* occupation, std::size_t b)
{
    const Buffer& buffer = problem.buffers[b];
    const Placement& placement = plan.placements[b];
    if (!placement.placed()) return buffer.name + " is not placed";
    const std::vector<PoolId> candidates = problem.candidates(buffer);
    if (std::find(candidates.begin(), candidates.end(), placement.pool) == candidates.end())
        return buffer.name + " is in a wrong pool";
    if (buffer.pin && placement.offset != *buffer.pin) return buffer.name + " is not at its pin";
    if (static_cast<std::int32_t>(everywhere(buffer, placement).size()) < buffer.slots) return buffer.name + " lacks a slot";
    if (!placement.offsets.empty() && placement.offsets.front() != placement.offset)
        return buffer.name + " has two first offsets";
    const Pool& pool = problem.pools[static_cast<std::size_t>(placement.pool)];
    for (const Value& value : everywhere(buffer, placement)) {
        if (value.low < 0) return buffer.name + " has a negative offset";
        if (value.low % buffer.alignment != 0 || value.low % pool.alignment != 0) return buffer.name + " is misaligned";
    }
    const std::vector<Value> slots = everywhere(buffer, placement);
    for (std::size_t i = 0; i < slots.size() && (buffer.slots > 1 || occupation); ++i)
        for (std::size_t j = i + 1; j < slots.size(); ++j)
            if (common(slots[i], slots[j])) return buffer.name + " has slots on each other";
    if (!occupation) return {};
    for (Step step = 0; step < occupation->horizon(); ++step)
        for (std::int64_t i = 0; i < iterations; ++i) {
            const std::vector<Value>& values = occupation->of(b, step, i);
            for (const Value& x : values)
                for (const Value& y : values)
                    if (x.made != y.made && common(x, y)) return buffer.name + " meets its own value of another iteration";
        }
    return {};
}

std::string ofPair(const Problem& problem, const Plan& plan, const Occupation* occupation, std::size_t a, std::size_t b)
{
    const Buffer& first = problem.buffers[a];
    const Buffer& second = problem.buffers[b];
    if (plan.placements[a].pool != plan.placements[b].pool) return {};
    if (lists(first.mayShare, b) || lists(second.mayShare, a)) return {};
    const std::string both = first.name + " and " + second.name;
    const bool listed = lists(first.conflicts, b) || lists(second.conflicts, a);
    if (first.unique || second.unique || (listed && occupation)) {
        for (const Value& x : everywhere(first, plan.placements[a]))
            for (const Value& y : everywhere(second, plan.placements[b]))
                if (common(x, y)) return both + " conflict and overlap";
    }
    if (problem.axis == Axis::dag || !occupation) return {};
    for (Step step = 0; step < occupation->horizon(); ++step)
        for (std::int64_t i = 0; i < iterations; ++i)
            for (const Value& x : occupation->of(a, step, i))
                for (std::int64_t j = 0; j < iterations; ++j) {
                    if (first.loop == second.loop && i != j) continue; // in different loops any iterations may meet
                    for (const Value& y : occupation->of(b, step, j))
                        if (common(x, y)) return both + " overlap at step " + std::to_string(step);
                }
    return {};
}

} // namespace

std::string objection(const Problem& problem, const Plan& plan, std::int64_t maxIterations)
{
    if (plan.placements.size() != problem.buffers.size()) return "there is not one placement for each buffer";
    std::optional<Occupation> occupation;
    if (!carries(problem)) occupation.emplace(problem, plan);
    const Occupation* const values = occupation ? &*occupation : nullptr;
    for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
        if (std::string wrong = ofOne(problem, plan, values, a); !wrong.empty()) return wrong;
        for (std::size_t b = a + 1; b < problem.buffers.size(); ++b)
            if (std::string wrong = ofPair(problem, plan, values, a, b); !wrong.empty()) return wrong;
    }
    return carries(problem) ? Moments(problem, plan, maxIterations).run() : std::string();
}

} // namespace stowage::test

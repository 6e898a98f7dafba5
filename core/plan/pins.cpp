#include "core/plan/pins.h"

#include "core/plan/one_iteration.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace stowage {

namespace {

constexpr std::size_t maxChoiceSteps = 100'000;
constexpr std::size_t maxChoosingPins = 2000;  ///< as deep as the search goes
constexpr std::size_t maxCollisions = 200'000; ///< with more, no pools are chosen

class PinSearch {
public:
    explicit PinSearch(const Problem& problem) : problem_(problem)
    {
        for (BufferId b = 0; b < static_cast<BufferId>(problem.buffers.size()); ++b) {
            const Buffer& buffer = problem.buffers[at(b)];
            if (!buffer.pin || buffer.size == 0) continue;
            pins_.push_back({b, problem.candidates(buffer).size() > 1, choicesOf(buffer)});
        }
    }

    /// True if a pin has several candidates, if only one of a suitable alignment, and the search can choose: each pin is aligned
    /// in some pool, and there are not too many.
    [[nodiscard]] bool chooses() const
    {
        return pins_.size() <= maxChoosingPins && std::ranges::any_of(pins_, &Pin::open) &&
               std::ranges::none_of(pins_, [](const Pin& pin) { return pin.choices.empty(); });
    }

    PinnedPools run()
    {
        PinnedPools result;
        if (const auto pair = collisionWithoutChoice()) result.collision = {*pair, false};
        if (result.collision || !chooses()) return result;
        const std::vector<PinId> all = pinsThat([](const Pin&) { return true; });
        std::vector<Violation> certain = colliding(all, Moments::firstIteration, maxCollisions);
        if (!problem_.loops.empty()) {
            const std::vector<PinId> fixed = pinsThat([&](const Pin& pin) { return neverRotates(pin); });
            std::ranges::move(colliding(fixed, Moments::all, maxCollisions), std::back_inserter(certain));
        }
        // Pools that suit planners that never rotate a pin away from another one are better.
        const bool found =
            (!problem_.loops.empty() && search(colliding(all, Moments::all, maxCollisions))) || search(std::move(certain));
        if (found)
            result.pools = chosen();
        else if (steps_ <= maxChoiceSteps)
            result.collision = {*deadEnd_, true};
        return result;
    }

private:
    using PinId = std::int32_t; ///< into `pins_`
    struct Pin {
        BufferId buffer = none;
        bool open = false; ///< several candidates
        std::vector<PoolId> choices;
        std::vector<std::uint32_t> collisions = {}; ///< into `collisions_`
        PoolId pool = none;                         ///< chosen
    };

    enum class Moments : std::uint8_t { all, firstIteration };

    template <typename Test>
    [[nodiscard]] std::vector<PinId> pinsThat(Test test) const
    {
        std::vector<PinId> ids;
        for (PinId pin = 0; pin < static_cast<PinId>(pins_.size()); ++pin)
            if (test(pins_[at(pin)])) ids.push_back(pin);
        return ids;
    }
    [[nodiscard]] bool neverRotates(const Pin& pin) const
    {
        const Buffer& buffer = problem_.buffers[at(pin.buffer)];
        return buffer.slots > 1 || buffer.loop == none;
    }

    /// Two pins with one candidate that collide there; pins with several candidates are left out.
    [[nodiscard]] std::optional<Violation> collisionWithoutChoice() const
    {
        const auto bound = [](const Pin& pin) { return !pin.open && !pin.choices.empty(); };
        for (const Moments moments : {Moments::firstIteration, Moments::all}) {
            const std::vector<PinId> ids =
                pinsThat([&](const Pin& pin) { return bound(pin) && (moments == Moments::firstIteration || neverRotates(pin)); });
            if (ids.size() < 2) continue;
            // A buffer may overlap itself, too: one more than these.
            const std::vector<Violation> pairs = colliding(ids, moments, ids.size() + 1);
            if (!pairs.empty()) return named(pairs.front(), pins_[at(pairs.front().first)].choices.front());
            if (problem_.loops.empty()) break;
        }
        return std::nullopt;
    }

    /// Pools whose alignment suits the pin, those with room for it first.
    [[nodiscard]] std::vector<PoolId> choicesOf(const Buffer& buffer) const
    {
        std::vector<PoolId> choices = problem_.candidates(buffer);
        std::erase_if(choices, [&](PoolId pool) { return *buffer.pin % problem_.effectiveAlignment(buffer, pool) != 0; });
        std::stable_partition(choices.begin(), choices.end(), [&](PoolId pool) {
            const auto& capacity = problem_.pools[at(pool)].capacity;
            return !capacity || *buffer.pin + buffer.size <= *capacity;
        });
        return choices;
    }

    /// The pairs of `ids` that overlap when every buffer lies at its pin in every iteration, as ids of pins, earliest first: pins
    /// with several candidates all in the same pool, those with one there. At most `limit` pairs, with those of a buffer and
    /// itself, which are left out.
    [[nodiscard]] std::vector<Violation> colliding(std::span<const PinId> ids, Moments moments, std::size_t limit) const
    {
        const bool together = std::ranges::any_of(ids, [&](PinId pin) { return pins_[at(pin)].open; });
        Problem inOne; // pool, if `together`; its buffers are pins
        inOne.axis = problem_.axis;
        inOne.loops = problem_.loops;
        inOne.pools.resize(together ? 1 : problem_.pools.size());
        const auto here = [&](std::span<const BufferId> others) {
            std::vector<BufferId> in;
            for (const BufferId other : others) {
                const auto found = std::ranges::lower_bound(ids, other, {}, [&](PinId pin) { return pins_[at(pin)].buffer; });
                if (found != ids.end() && pins_[at(*found)].buffer == other)
                    in.push_back(static_cast<BufferId>(found - ids.begin()));
            }
            return in;
        };
        Plan plan;
        for (const PinId pin : ids) {
            Buffer buffer = problem_.buffers[at(pins_[at(pin)].buffer)];
            if (moments == Moments::firstIteration) keepFirstIteration(problem_, buffer);
            buffer.conflicts = here(buffer.conflicts);
            buffer.mayShare = here(buffer.mayShare);
            const PoolId pool = together ? 0 : pins_[at(pin)].choices.front();
            buffer.pools = {pool};
            buffer.alignment = 1;
            buffer.slots = 1;
            plan.placements.push_back({.pool = pool, .offset = *buffer.pin});
            inOne.buffers.push_back(std::move(buffer));
        }
        std::vector<Violation> pairs = check(inOne, plan, limit).violations;
        std::erase_if(pairs, [](const Violation& v) { return v.kind != ViolationKind::overlap || v.first == v.second; });
        for (Violation& pair : pairs) {
            pair.first = ids[at(pair.first)];
            pair.second = ids[at(pair.second)];
        }
        return pairs;
    }

    [[nodiscard]] Violation named(Violation pair, PoolId pool) const
    {
        pair.first = pins_[at(pair.first)].buffer;
        pair.second = pins_[at(pair.second)].buffer;
        pair.pool = pool;
        return pair;
    }

    /// Gives each pin a pool, so that no pair of `collisions` is in one. False if there is no such choice, which `deadEnd_`
    /// shows, or if none was found (`steps_` above the limit).
    bool search(std::vector<Violation> collisions)
    {
        steps_ = 0;
        if (collisions.size() >= maxCollisions) {
            steps_ = maxChoiceSteps + 1;
            return false;
        }
        collisions_ = std::move(collisions);
        for (Pin& pin : pins_) pin.collisions.clear(), pin.pool = none;
        for (std::uint32_t c = 0; c < collisions_.size(); ++c)
            for (const PinId pin : {collisions_[c].first, collisions_[c].second}) pins_[at(pin)].collisions.push_back(c);
        std::vector<bool> reached(pins_.size(), false);
        for (PinId from = 0; from < static_cast<PinId>(pins_.size()); ++from) {
            if (reached[at(from)]) continue;
            std::vector<PinId> group{from}; // pins that do not collide with a pin of another group: each is searched by itself
            reached[at(from)] = true;
            for (std::size_t i = 0; i < group.size(); ++i)
                for (const std::uint32_t c : pins_[at(group[i])].collisions)
                    for (const PinId pin : {collisions_[c].first, collisions_[c].second})
                        if (!reached[at(pin)]) reached[at(pin)] = true, group.push_back(pin);
            std::ranges::sort(group);
            deepest_ = 0;
            if (!descend(group, 0)) return false;
        }
        return true;
    }

    /// A pin that has chosen `pool` and collides with `pin`: into `collisions_`.
    [[nodiscard]] std::optional<std::uint32_t> inTheWay(PinId pin, PoolId pool) const
    {
        for (const std::uint32_t c : pins_[at(pin)].collisions) {
            const PinId other = collisions_[c].first == pin ? collisions_[c].second : collisions_[c].first;
            if (pins_[at(other)].pool == pool) return c;
        }
        return std::nullopt;
    }

    bool descend(std::span<const PinId> group, std::size_t depth)
    {
        if (depth == group.size()) return true;
        const PinId now = group[depth];
        for (const PoolId pool : pins_[at(now)].choices) {
            if (++steps_ > maxChoiceSteps) return false;
            if (const auto collision = inTheWay(now, pool)) {
                if (depth >= deepest_) deepest_ = depth, deadEnd_ = named(collisions_[*collision], pool);
                continue;
            }
            pins_[at(now)].pool = pool;
            if (descend(group, depth + 1)) return true;
            pins_[at(now)].pool = none;
        }
        return false;
    }

    /// The chosen pools by buffer; none where there was nothing to choose.
    [[nodiscard]] std::vector<PoolId> chosen() const
    {
        std::vector<PoolId> pools(problem_.buffers.size(), none);
        for (const Pin& pin : pins_)
            if (pin.open) pools[at(pin.buffer)] = pin.pool;
        return pools;
    }

    const Problem& problem_;
    std::vector<Pin> pins_;
    std::vector<Violation> collisions_; ///< that the search avoids: `first` and `second` are pins
    std::optional<Violation> deadEnd_;  ///< the last collision at the largest depth
    std::size_t deepest_ = 0;
    std::size_t steps_ = 0;
};

} // namespace

std::string describe(const Problem& problem, const PinCollision& collision)
{
    return (collision.ofChoices ? "whatever memories they take, two overlap, for example " : "") +
           describe(problem, collision.pair);
}

PinnedPools poolsOfPins(const Problem& problem)
{
    return PinSearch(problem).run();
}

std::optional<Problem> withPinsConfined(const Problem& problem)
{
    if (problem.pools.size() < 2) return std::nullopt;
    PinSearch search(problem);
    if (!search.chooses()) return std::nullopt;
    const std::vector<PoolId> pools = search.run().pools;
    if (pools.empty()) return std::nullopt;
    std::optional<Problem> confined = problem;
    for (std::size_t b = 0; b < pools.size(); ++b)
        if (pools[b] != none) confined->buffers[b].pools = {pools[b]};
    return confined;
}

} // namespace stowage

#include "core/planners/exact/minimise.h"

#include "core/planners/exact/preferences.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace stowage::exact {

namespace {

// Nodes of a first run. An instance that is easy for an order needs few more nodes than it has buffers.
constexpr double firstLimit = 50; ///< nodes
constexpr double firstLimitPerBuffer = 1.8;
constexpr double growth = 6; ///< growth of the limit from pass to pass at the bound: of 3 to 7, it needs the fewest nodes on
                             ///< MiniMalloc's I, but more than 3 on E
// Runs that look ahead. On MiniMalloc's E at 1,048,576 bytes and the next two multiples of 4,096, about one in 25 succeeds, with
// about 600 nodes each, independent of the noise; no other order is nearly as good there. On I they are no better than other
// orders.
constexpr double aheadFactor = 1.4;      ///< nodes of such a run, relative to a first run: of 0.8 to 4, values from 1.2 to 1.6
                                         ///< need the fewest nodes in total
constexpr double aheadGrowth = 1.0 / 16; ///< growth of this limit from run to run
constexpr std::size_t attemptsBeforeAhead = 2;
constexpr std::uint64_t aheadShare = 3;   ///< nodes of these runs, relative to the other attempts after the first pass
constexpr double growthBelow = 6;         ///< growth of the limit from sweep to sweep over sizes above the bound
constexpr std::int32_t sizesInSweep = 48; ///< maximum number
constexpr std::uint64_t patience = 3;     ///< passes at the bound until it counts as unreachable

std::int32_t heightOf(const Instance& instance, const std::vector<std::int32_t>& offsets)
{
    std::int32_t height = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) height = std::max(height, offsets[i] + instance.sizes[i]);
    return height;
}

} // namespace

std::int32_t sectionBound(const Instance& instance)
{
    std::vector<std::int32_t> load(at(instance.sections), 0);
    std::int32_t bound = 0;
    for (std::int32_t i = 0; i < instance.count(); ++i) {
        bound = std::max(bound, instance.sizes[at(i)] + std::max(instance.pins[at(i)], 0));
        for (const SectionRange& range : instance.ranges(i))
            for (std::int32_t s = range.begin; s < range.end; ++s) bound = std::max(bound, load[at(s)] += instance.loads[at(i)]);
    }
    return bound;
}

std::vector<std::int32_t> firstFit(const Instance& instance, std::span<const double> preference)
{
    std::vector<std::int32_t> order(at(instance.count()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return preference[at(a)] > preference[at(b)]; });
    std::vector<std::int32_t> offsets = instance.pins;
    std::vector<std::pair<std::int32_t, std::int32_t>> taken; // begin, end of placed neighbours
    for (const std::int32_t i : order) {
        if (instance.pins[at(i)] >= 0) continue;
        taken.clear();
        for (const std::int32_t other : instance.neighbours(i))
            if (offsets[at(other)] >= 0) taken.emplace_back(offsets[at(other)], offsets[at(other)] + instance.sizes[at(other)]);
        std::sort(taken.begin(), taken.end());
        const auto aligned = [&](std::int32_t value) {
            const std::int32_t alignment = instance.alignments[at(i)];
            return (value + alignment - 1) / alignment * alignment;
        };
        std::int32_t offset = 0;
        for (const auto& [begin, end] : taken)
            if (begin < offset + instance.sizes[at(i)]) offset = std::max(offset, aligned(end));
        offsets[at(i)] = offset;
    }
    return offsets;
}

namespace {

/// A sequence of restarts: determines the next attempt and its node limit.
class Restarts {
public:
    Restarts(const Instance& instance, const Preferences& preferences, SearchSteps* steps, bool lookAhead)
        : search_(instance),
          preferences_(preferences),
          lookAhead_(lookAhead),
          limit_(firstLimit + firstLimitPerBuffer * instance.count()),
          aheadLimit_(aheadFactor * limit_)
    {
        search_.stepsTo(steps);
    }

    /// Makes the next attempt at `target`, with at most `most` nodes.
    Outcome next(std::int32_t target, std::uint64_t most, const std::function<bool()>& stop)
    {
        // From the second pass on, after the first attempts of a pass, most nodes go to short runs that look ahead.
        const bool ahead = lookAhead_ && pass_ > 0 && which_ >= attemptsBeforeAhead && aheadNodes_ < aheadShare * laterNodes_;
        const Attempt attempt = ahead ? preferences_.ahead(runs_) : preferences_.attempt(pass_, which_);
        const auto limit = static_cast<std::uint64_t>(ahead ? aheadLimit_ * (1.0 + static_cast<double>(runs_) * aheadGrowth)
                                                            : limit_ * attempt.share);
        const Outcome outcome = search_.run(target, attempt.strategy(), std::max<std::uint64_t>(1, std::min(limit, most)), stop);
        nodes_ += search_.nodes();
        if (ahead) {
            aheadNodes_ += search_.nodes();
            ++runs_;
        } else {
            if (pass_ > 0) laterNodes_ += search_.nodes();
            if (++which_ == preferences_.attempts()) which_ = 0, ++pass_;
        }
        passEnded_ = !ahead && which_ == 0;
        return outcome;
    }
    /// True after the last attempt of a pass.
    [[nodiscard]] bool passEnded() const { return passEnded_; }
    void longer(double factor) { limit_ *= factor; }
    /// For another target: begins a pass with the same limit.
    void beginPass() { which_ = 0; }

    [[nodiscard]] const std::vector<std::int32_t>& offsets() const { return search_.offsets(); }
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
    [[nodiscard]] std::uint64_t pass() const { return pass_; }

private:
    SkylineSearch search_;
    const Preferences& preferences_;
    bool lookAhead_;
    double limit_;
    std::size_t which_ = 0;
    std::uint64_t pass_ = 0, nodes_ = 0;
    double aheadLimit_;
    /// Number of runs that look ahead, their nodes, and the nodes of the other attempts after the first pass.
    std::uint64_t runs_ = 0, aheadNodes_ = 0, laterNodes_ = 0;
    bool passEnded_ = false;
};

/// True if no layout has the pins, with any capacity: two of them collide, or one is not a multiple of its alignment.
bool pinsCannotHold(const Instance& instance)
{
    for (std::int32_t i = 0; i < instance.count(); ++i) {
        const std::int32_t pin = instance.pins[at(i)];
        if (pin < 0) continue;
        if (pin % instance.alignments[at(i)] != 0) return true;
        for (const std::int32_t other : instance.neighbours(i))
            if (const std::int32_t there = instance.pins[at(other)];
                there >= 0 && there < pin + instance.sizes[at(i)] && pin < there + instance.sizes[at(other)])
                return true;
    }
    return false;
}

} // namespace

std::uint64_t minimise(const Instance& instance, const Problem& problem, std::uint64_t seed, const MinimiseLimits& limits,
                       Bracket& bracket)
{
    if (instance.count() == 0) {
        bracket = {};
        return 0;
    }
    const Preferences preferences(instance, problem, seed);
    // Two searches, because a search keeps its refuted states only while its capacity does not grow. Look-ahead is useful where
    // no byte may be wasted.
    Restarts atBound(instance, preferences, limits.steps, true), below(instance, preferences, limits.steps, false);
    const auto nodes = [&] { return atBound.nodes() + below.nodes(); };
    const auto done = [&] {
        return bracket.closed() || bracket.best <= limits.goodEnough ||
               (limits.goodEnough > 0 && bracket.lower > limits.goodEnough) || (limits.nodes > 0 && nodes() >= limits.nodes) ||
               (limits.stop && limits.stop());
    };
    const auto take = [&](const std::vector<std::int32_t>& offsets) {
        const std::int32_t height = heightOf(instance, offsets);
        if (!bracket.offsets.empty() && height >= bracket.best) return false;
        bracket.offsets = offsets;
        bracket.best = height;
        if (limits.improved) limits.improved(bracket, nodes());
        return true;
    };
    const auto raise = [&](std::int32_t lower) {
        bracket.lower = std::max(bracket.lower, lower);
        if (limits.improved) limits.improved(bracket, nodes());
    };
    bracket.lower = std::max(bracket.lower, sectionBound(instance));
    const bool fitOnly = limits.goodEnough > 0;
    // To minimise the size, all orders are worth their time; if the layout only has to fit, a search finds it as fast.
    for (std::size_t which = 0;
         which < (fitOnly ? 1 : preferences.attempts()) &&
         (bracket.offsets.empty() || !(bracket.closed() || (!limits.spent && limits.stop && limits.stop())));
         ++which)
        take(firstFit(instance, preferences.attempt(0, which).preference));
    // There is no layout of any size: proves this for all sizes at once, not unit by unit.
    if (!done() && pinsCannotHold(instance)) {
        raise(bracket.best);
        return 0;
    }

    std::int32_t target = std::numeric_limits<std::int32_t>::max(); // target of the second search
    std::int32_t sizes = 2;                                         // number of sizes in its sweep
    while (!done()) {
        const std::uint64_t left = limits.nodes > 0 ? limits.nodes - nodes() : ~std::uint64_t{0};
        const std::int32_t gap = bracket.best - bracket.lower;
        if (fitOnly || gap == 1 || atBound.pass() == 0 ||
            atBound.nodes() <= (atBound.pass() < patience ? 2 * below.nodes() : below.nodes() / 4)) {
            const std::int32_t lowest = std::max(bracket.lower, limits.goodEnough);
            const Outcome outcome = atBound.next(lowest, left, limits.stop);
            if (outcome == Outcome::found)
                take(atBound.offsets());
            else if (outcome == Outcome::impossible)
                raise(lowest + 1);
            else if (outcome == Outcome::stopped)
                return nodes();
            if (atBound.passEnded()) atBound.longer(growth);
            continue;
        }
        // A sweep downwards, a pass of attempts at each size.
        if (target >= bracket.best) target = bracket.best - std::max(1, gap / sizes);
        if (target <= bracket.lower) { // the first search covers the bound
            // At first the sweep halves the gap; it takes smaller steps only if that is too hard.
            if (sizes < sizesInSweep)
                sizes = std::min(sizesInSweep, sizes * 3);
            else
                below.longer(growthBelow);
            target = bracket.best;
            continue;
        }
        const Outcome outcome = below.next(target, left, limits.stop);
        if (outcome == Outcome::found) {
            take(below.offsets());
            below.beginPass();
        } else if (outcome == Outcome::impossible) {
            raise(target + 1);
            below.beginPass();
        } else if (outcome == Outcome::stopped) {
            return nodes();
        } else if (below.passEnded()) {
            target -= std::max(1, gap / sizes);
        }
    }
    return nodes();
}

} // namespace stowage::exact

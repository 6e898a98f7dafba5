#include "core/planners/exact/pair_search.h"

#include "core/ir/occupied.h"
#include "core/plan/proof/check_proof_pairs.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace stowage::exact {

namespace {

constexpr std::size_t maxBuffers = 2000;
constexpr Bytes largestPairSum = Bytes{1} << 40;
constexpr std::size_t maxDepth = 4'000; ///< maximum nesting of branches: fits into the stack, also with sanitizers
static_assert(maxDepth < maxLoggedDepth, "else a log could be refused");
constexpr std::size_t maxLoggedRaises = 1'000'000; ///< of one branch, with a log: the limit of passes of the checker

/// Bytes [low, high) of a buffer that are occupied at some steps.
struct Stretch {
    Interval live;
    Bytes low, high;
};

/// All live ranges, with all bytes, and windows, with their bytes. None with `Axis::dag`, where only explicit conflicts count.
std::vector<Stretch> stretchesOf(const Problem& problem, const Buffer& buffer)
{
    std::vector<Stretch> stretches;
    if (problem.axis == Axis::dag) return stretches; // only explicit conflicts count
    forEachOccupied(buffer, [&](const Occupied& it) {
        stretches.push_back({it.steps, it.low, it.high});
    }); // buffers with carried values were refused
    return stretches;
}

bool lists(std::span<const BufferId> ids, BufferId id)
{
    return std::binary_search(ids.begin(), ids.end(), id);
}

/// Open intervals of `offset(b) - offset(a)` at which the two buffers collide, in bytes, disjoint and ascending. Adjacent
/// intervals are not joined: the difference between them is allowed.
std::vector<PairInstance::Forbidden> collisions(const Problem& problem, BufferId a, BufferId b)
{
    const Buffer& first = problem.buffers[static_cast<std::size_t>(a)];
    const Buffer& second = problem.buffers[static_cast<std::size_t>(b)];
    std::vector<PairInstance::Forbidden> all;
    if (a != b && (lists(first.mayShare, b) || lists(second.mayShare, a))) return all;
    if (a == b || first.unique || second.unique || lists(first.conflicts, b) || lists(second.conflicts, a))
        return {{-second.size, first.size}};
    for (const Stretch& x : stretchesOf(problem, first))
        for (const Stretch& y : stretchesOf(problem, second))
            if (x.live.overlaps(y.live)) all.push_back({x.low - y.high, x.high - y.low});
    std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.low < y.low; });
    std::vector<PairInstance::Forbidden> merged;
    for (const auto& next : all)
        if (!merged.empty() && next.low < merged.back().high)
            merged.back().high = std::max(merged.back().high, next.high);
        else
            merged.push_back(next);
    return merged;
}

} // namespace

Expected<PairInstance> PairInstance::make(const Problem& problem, PoolId pool, std::span<const BufferId> members)
{
    const auto cannot = [](std::string message) {
        return failure(Code::exactCannotTake, std::move(message), {}, "use another planner for this problem");
    };
    PairInstance instance;
    Bytes unit = 0;
    for (const BufferId id : members) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
        if (buffer.size == 0) continue;
        if (buffer.isCarried())
            return cannot("the exact search cannot take buffer '" + buffer.name + "': its values outlive their iteration");
        unit = std::gcd(unit, buffer.size);
        if (const Bytes alignment = problem.effectiveAlignment(buffer, pool); alignment > 1) unit = std::gcd(unit, alignment);
        if (buffer.pin) unit = std::gcd(unit, *buffer.pin);
        forEachOccupied(buffer, [&](const Occupied& it) { unit = std::gcd(std::gcd(unit, it.low), it.high); });
        for (std::int32_t slot = 0; slot < buffer.slots; ++slot) {
            if (instance.buffers.size() == maxBuffers) return cannot("more than 2000 buffers, some of them with windows");
            instance.buffers.push_back(id);
        }
    }
    instance.unit = std::max<Bytes>(unit, 1);
    Bytes sum = 0;
    for (std::size_t i = 0; i < instance.buffers.size(); ++i) {
        const BufferId id = instance.buffers[i];
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
        const bool firstSlot = i == 0 || instance.buffers[i - 1] != id;
        const Bytes alignment = std::max<Bytes>(problem.effectiveAlignment(buffer, pool) / instance.unit, 1);
        const Bytes pin = firstSlot && buffer.pin ? *buffer.pin / instance.unit : -1;
        if (alignment > largestPairSum || buffer.size / instance.unit > largestPairSum || pin > largestPairSum)
            return cannot("the sizes are too large for a search over pairs");
        sum += buffer.size / instance.unit + alignment + std::max<Bytes>(pin, 0);
        if (sum > largestPairSum) return cannot("the sizes are too large for a search over pairs");
        instance.sizes.push_back(buffer.size / instance.unit);
        instance.alignments.push_back(alignment);
        instance.pins.push_back(pin);
        instance.bound = std::max(instance.bound, instance.sizes.back() + std::max<Bytes>(pin, 0));
    }
    for (std::int32_t i = 0; i < instance.count(); ++i)
        for (std::int32_t j = i + 1; j < instance.count(); ++j) {
            const auto found = collisions(problem, instance.buffers[at(i)], instance.buffers[at(j)]);
            if (found.empty()) continue;
            const auto begin = static_cast<std::int32_t>(instance.forbidden.size());
            for (const Forbidden& range : found)
                instance.forbidden.push_back({range.low / instance.unit, range.high / instance.unit});
            instance.pairs.push_back({i, j, begin, static_cast<std::int32_t>(instance.forbidden.size())});
        }
    // The maximum of the live bytes. Only buffers that may not share count.
    std::map<Step, std::int64_t> change;
    for (std::int32_t i = 0; i < instance.count() && problem.axis != Axis::dag; ++i) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(instance.buffers[at(i)])];
        if (!buffer.mayShare.empty()) continue;
        for (const Stretch& stretch : stretchesOf(problem, buffer)) {
            change[stretch.live.begin] += (stretch.high - stretch.low) / instance.unit;
            change[stretch.live.end] -= (stretch.high - stretch.low) / instance.unit;
        }
    }
    std::int64_t live = 0;
    for (const auto& [step, by] : change)
        if ((live += by) > instance.bound) {
            instance.bound = live;
            instance.fullest = step;
        }
    return instance;
}

PairSearch::PairSearch(const PairInstance& instance, const PairRules& rules)
    : instance_(instance),
      rules_(rules),
      anyAligned_(std::any_of(instance.alignments.begin(), instance.alignments.end(), [](std::int64_t a) { return a > 1; }))
{
}

std::int64_t PairSearch::aligned(std::int32_t i, std::int64_t offset) const
{
    const std::int64_t alignment = instance_.alignments[at(i)];
    return (offset + alignment - 1) / alignment * alignment;
}

std::int64_t PairSearch::highest(std::int32_t i) const
{
    return instance_.pins[at(i)] >= 0 ? instance_.pins[at(i)] : capacity_ - instance_.sizes[at(i)];
}

/// The offset that the inequality gives for the upper buffer.
std::int64_t PairSearch::lifted(const Choice& choice) const
{
    return std::max(lowest_[at(choice.to)], aligned(choice.to, std::max<std::int64_t>(0, lowest_[at(choice.from)] + choice.by)));
}

bool PairSearch::raise(std::int32_t i, std::int64_t offset)
{
    if (offset <= lowest_[at(i)]) return true;
    if (offset > highest(i)) return false;
    raised_.emplace_back(i, lowest_[at(i)]);
    lowest_[at(i)] = offset;
    if (steps_) steps_->place(i, offset, StepRule::pushed);
    if (!queued_[at(i)]) worklist_.push_back(i);
    queued_[at(i)] = 1;
    return true;
}

/// Adds a choice and applies all inequalities that follow from it. A cycle of inequalities would raise its buffers up to the
/// capacity. Without alignments, it is detected earlier (`PairRules::cycle`), as in the algorithm of Bellman and Ford: the
/// worklist is first in, first out and contains each buffer at most once, so after k rounds every buffer satisfies all chains of
/// k inequalities. Without a cycle, the longest chains visit no buffer twice, so n rounds of at most n buffers suffice. With
/// alignments, rounding can take longer, so this work is counted: 4,096 raises are a node.
bool PairSearch::push(const Choice& choice)
{
    pushes_[at(choice.from)].push_back({choice.to, choice.by});
    pushed_.push_back(choice.from);
    for (const std::int32_t i : worklist_) queued_[at(i)] = 0;
    worklist_.clear();
    if (!raise(choice.to, lifted(choice))) return false;
    const auto n = at(instance_.count());
    for (std::size_t head = 0; head < worklist_.size(); ++head) {
        if (rules_.cycle && !anyAligned_ && head > n * n) return false;
        if (head % 4096 == 4095) {
            if (++nodes_ > nodeLimit_ || (log_ && head >= maxLoggedRaises))
                gaveUp_ = Outcome::limit;
            else if (stop_ && stop_())
                gaveUp_ = Outcome::stopped;
            if (gaveUp_ != Outcome::found) return false;
        }
        const std::int32_t i = worklist_[head];
        queued_[at(i)] = 0;
        for (const Push& next : pushes_[at(i)])
            if (!raise(next.to, lifted({i, next.to, next.by}))) return false;
    }
    return true;
}

void PairSearch::undo(std::size_t raises, std::size_t pushes)
{
    for (; raised_.size() > raises; raised_.pop_back()) {
        const auto& [i, before] = raised_.back();
        lowest_[at(i)] = before;
        if (steps_) steps_->place(i, before, StepRule::restored);
    }
    for (; pushed_.size() > pushes; pushed_.pop_back()) pushes_[at(pushed_.back())].pop_back();
}

void PairSearch::log(bool up, const PairInstance::Pair& pair, std::int32_t range)
{
    if (!log_) return;
    *log_ += (up ? "/ " : "\\ ") + std::to_string(pair.first) + ' ' + std::to_string(pair.second) + ' ' +
             std::to_string(range - pair.begin) + '\n';
}

bool PairSearch::search()
{
    const std::size_t raises = raised_.size(), pushes = pushed_.size();
    while (true) {
        Choice best, other;
        std::int64_t impact = -1;
        bool forced = false;
        struct {
            const PairInstance::Pair* pair = nullptr;
            std::int32_t range = 0;
            bool up = true;
        } branch;
        for (const PairInstance::Pair& pair : instance_.pairs) {
            const std::int64_t difference = lowest_[at(pair.second)] - lowest_[at(pair.first)];
            for (std::int32_t k = pair.begin; k < pair.end && !forced; ++k) {
                const PairInstance::Forbidden& range = instance_.forbidden[at(k)];
                if (difference <= range.low || difference >= range.high) continue;
                Choice up{pair.first, pair.second, range.high}, down{pair.second, pair.first, -range.low};
                const std::int64_t upTo = lifted(up), downTo = lifted(down);
                const bool upFits = upTo <= highest(up.to), downFits = downTo <= highest(down.to);
                if (rules_.forced && !upFits && !downFits) {
                    log(true, pair, k);
                    undo(raises, pushes);
                    return false;
                }
                const std::int64_t upBy = upTo - lowest_[at(up.to)], downBy = downTo - lowest_[at(down.to)];
                if (rules_.forced && (!upFits || !downFits)) {
                    best = upFits ? up : down;
                    forced = true;
                    log(downFits, pair, k); // the impossible alternative comes first, and is refuted at once
                } else if (std::min(upBy, downBy) > impact) {
                    // Branch on the pair whose cheaper alternative costs most; try the cheaper alternative first.
                    impact = std::min(upBy, downBy);
                    best = upBy <= downBy ? up : down;
                    other = upBy <= downBy ? down : up;
                    branch = {&pair, k, upBy <= downBy};
                }
            }
            if (forced) break;
        }
        if (best.to < 0) return true; // no collision
        ++nodes_;
        if (nodes_ > nodeLimit_ || depth_ > maxDepth)
            gaveUp_ = Outcome::limit;
        else if (stop_ && nodes_ % 256 == 0 && stop_())
            gaveUp_ = Outcome::stopped;
        if (gaveUp_ != Outcome::found) return false;
        const std::size_t here = raised_.size(), made = pushed_.size();
        if (!forced) {
            log(branch.up, *branch.pair, branch.range);
            ++depth_;
            const bool found = push(best) && search();
            --depth_;
            if (found) return true;
            if (gaveUp_ != Outcome::found) return false;
            undo(here, made);
            best = other;
        }
        if (!push(best)) {
            if (gaveUp_ == Outcome::found) undo(raises, pushes);
            return false;
        }
    }
}

Outcome PairSearch::run(std::int64_t capacity, std::uint64_t nodeLimit, const std::function<bool()>& stop)
{
    capacity_ = capacity;
    nodeLimit_ = nodeLimit;
    stop_ = stop;
    nodes_ = 0;
    depth_ = 0;
    gaveUp_ = Outcome::found;
    pushes_.assign(at(instance_.count()), {});
    worklist_.clear();
    queued_.assign(at(instance_.count()), 0);
    pushed_.clear();
    raised_.clear();
    lowest_.clear();
    for (std::int32_t i = 0; i < instance_.count(); ++i) {
        lowest_.push_back(std::max<std::int64_t>(instance_.pins[at(i)], 0));
        // A pin may be misaligned, or too high for this capacity.
        if (aligned(i, lowest_.back()) != lowest_.back() || lowest_.back() + instance_.sizes[at(i)] > capacity)
            return Outcome::impossible;
    }
    if (rules_.bound && instance_.bound > capacity) {
        if (log_ && instance_.fullest >= 0) *log_ += "# " + std::to_string(instance_.fullest) + '\n';
        return Outcome::impossible;
    }
    if (steps_) {
        steps_->begin(capacity);
        for (std::int32_t i = 0; i < instance_.count(); ++i)
            if (instance_.pins[at(i)] < 0) steps_->place(i, 0, StepRule::lowest);
    }
    // Slots of one buffer are interchangeable, except for a pinned first slot: order them by address.
    bool inOrder = true;
    for (std::int32_t i = 1; rules_.slots && inOrder && i < instance_.count(); ++i)
        if (instance_.buffers[at(i)] == instance_.buffers[at(i - 1)] && instance_.pins[at(i - 1)] < 0)
            inOrder = push({i - 1, i, instance_.sizes[at(i)]});
    const Outcome outcome = inOrder && search() ? Outcome::found : gaveUp_ == Outcome::found ? Outcome::impossible : gaveUp_;
    if (steps_) steps_->end(outcome);
    return outcome;
}

} // namespace stowage::exact

#include "core/plan/meeting.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace stowage {

namespace {

/// The iterations t of one loop in which a value is at a given offset: t - shift is congruent to `residue` modulo `period` and at
/// least `least`; or t - shift equals `least`.
struct Iterations {
    std::int64_t period = 1;
    std::int64_t residue = 0;
    std::int64_t least = 0;
    std::int64_t shift = 0;
    bool exact = false;

    [[nodiscard]] bool contains(std::int64_t t) const
    {
        const std::int64_t made = t - shift;
        return exact ? made == least : made >= least && made % period == residue;
    }
};

/// The loop across whose iterations a value is carried; none for the value of the current iteration.
LoopId roundOf(const PlacedValue& value)
{
    if (value.distance == 0) return none;
    return value.round == none ? value.buffer->loop : value.round;
}

/// The position in `rotation` that belongs to the offset index of a value.
std::int64_t digitOf(const PlacedValue& value, const Rotation& rotation)
{
    std::size_t rest = value.index;
    for (auto it = value.placement->rotations.rbegin(); it != value.placement->rotations.rend(); ++it) {
        const auto extent = static_cast<std::size_t>(it->extent());
        if (&*it == &rotation) return static_cast<std::int64_t>(rest % extent);
        rest /= extent;
    }
    return 0;
}

/// True if `loop` is inside the loop across which the value is carried: the value is then that of the last iteration of `loop`.
bool isOfLast(const Problem& problem, const PlacedValue& value, LoopId loop)
{
    const LoopId round = roundOf(value);
    return round != none && loop != round && isInside(problem, loop, round);
}

/// False if the trip count of an inner loop is known and its last iteration uses another offset.
bool canBeLast(const Problem& problem, const PlacedValue& value)
{
    if (!value.alternates) return true;
    return std::all_of(value.placement->rotations.begin(), value.placement->rotations.end(), [&](const Rotation& rotation) {
        if (rotation.loop == none || !isOfLast(problem, value, rotation.loop)) return true;
        const auto trips = problem.loops[static_cast<std::size_t>(rotation.loop)].tripCount;
        return !trips || digitOf(value, rotation) == rotation.index(std::max<std::int64_t>(*trips, 1) - 1);
    });
}

/// The iterations of `loop` in which `value` is at its offset. The position in a rotation is the digit of its loop in the index
/// of the offset.
Iterations iterationsOf(const Problem& problem, const PlacedValue& value, LoopId loop)
{
    Iterations result;
    if (loop == value.when.loop && loop != none) {
        result.exact = true;
        result.least = value.when.iteration;
        return result; // early values have no digit for that loop; values carried across an outer loop are of its last iteration
    }
    if (loop == roundOf(value)) result.shift = value.distance;
    if (!value.alternates || isOfLast(problem, value, loop)) return result;
    for (const Rotation& rotation : value.placement->rotations) {
        if (rotation.loop != loop) continue;
        const std::int64_t digit = digitOf(value, rotation);
        if (rotation.hasFirst && digit == 0) {
            result.exact = true;
        } else {
            result.period = rotation.period;
            result.residue = digit - (rotation.hasFirst ? 1 : 0);
            result.least = rotation.hasFirst ? 1 : 0;
        }
        break;
    }
    return result;
}

/// x with a * x congruent to 1 modulo m; a and m have no common divisor. Extended Euclid.
std::int64_t inverse(std::int64_t a, std::int64_t m)
{
    std::int64_t r = m, next = a % m, x = 0, nextX = 1;
    while (next != 0) {
        const std::int64_t q = r / next;
        r = std::exchange(next, r - q * next);
        x = std::exchange(nextX, x - q * nextX);
    }
    return x < 0 ? x + m : x;
}

/// The first t in both sets, by the Chinese remainder theorem.
std::optional<std::int64_t> firstCommon(const Iterations& a, const Iterations& b)
{
    if (a.exact || b.exact) {
        const std::int64_t t = a.exact ? a.least + a.shift : b.least + b.shift;
        return a.contains(t) && b.contains(t) ? std::optional(t) : std::nullopt;
    }
    const std::int64_t divisor = std::gcd(a.period, b.period);
    const std::int64_t fromA = (a.residue + a.shift) % a.period;
    const std::int64_t difference = (b.residue + b.shift) % b.period - fromA;
    if (difference % divisor != 0) return std::nullopt;
    const std::int64_t modulus = b.period / divisor; // periods are below 2^31, so no product here exceeds 64 bits
    const std::int64_t steps =
        modulus == 1 ? 0
                     : ((difference / divisor % modulus + modulus) % modulus) * inverse(a.period / divisor, modulus) % modulus;
    const std::int64_t common = a.period * modulus;
    const std::int64_t least = std::max(a.least + a.shift, b.least + b.shift);
    std::int64_t t = fromA + a.period * steps;
    if (t < least) t += (least - t + common - 1) / common * common;
    return t;
}

/// Position of a step relative to a loop.
enum class Phase { before, inside, after };

/// The first iteration of `loop` in which both values are at their offsets, at a step in `phase`.
std::optional<std::int64_t> firstIteration(const Problem& problem, const PlacedValue& a, const PlacedValue& b, LoopId loop,
                                           Phase phase)
{
    const Iterations ofA = iterationsOf(problem, a, loop);
    const Iterations ofB = iterationsOf(problem, b, loop);
    if (loop == none) return 0; // unknown loop: any two values may be in use together
    auto trips = problem.loops[static_cast<std::size_t>(loop)].tripCount;
    if (trips) trips = std::max<std::int64_t>(*trips, 1); // a loop without iterations is checked as if it had one
    if (phase == Phase::inside) {
        const auto t = firstCommon(ofA, ofB);
        return t && (!trips || *t < *trips) ? t : std::nullopt;
    }
    if (phase == Phase::before) {
        // Before the loop there are no carried values.
        return ofA.shift == 0 && ofB.shift == 0 && ofA.contains(0) && ofB.contains(0) ? std::optional<std::int64_t>(0)
                                                                                      : std::nullopt;
    }
    for (const auto& [early, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
        if (early->when.loop != loop) continue;
        // After the loop: the number of iterations that it ran.
        const std::int64_t count = early->when.iteration;
        if ((trips && *trips != count) || (other->when.loop == loop && other->when.iteration != count)) return std::nullopt;
        if (other->when.loop == loop || !isInside(problem, other->buffer->loop, loop)) return count;
        return count > 0 && iterationsOf(problem, *other, loop).contains(count - 1) ? std::optional(count - 1) : std::nullopt;
    }
    if (!trips) return firstCommon(ofA, ofB);
    return ofA.contains(*trips - 1) && ofB.contains(*trips - 1) ? std::optional(*trips - 1) : std::nullopt;
}

/// The loops that determine whether two values are in use together, outer loops first (a loop has a higher id than the loop
/// around it).
std::vector<LoopId> decidingLoops(const PlacedValue& a, const PlacedValue& b)
{
    std::vector<LoopId> loops;
    for (const PlacedValue* value : {&a, &b}) {
        if (value->alternates)
            for (const Rotation& rotation : value->placement->rotations) loops.push_back(rotation.loop);
        if (value->distance > 0) loops.push_back(roundOf(*value));
        if (value->when.loop != none) loops.push_back(value->when.loop);
    }
    std::sort(loops.begin(), loops.end());
    loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
    return loops;
}

} // namespace

std::optional<Meeting> firstMeeting(const Problem& problem, const PlacedValue& a, const PlacedValue& b, const Interval& steps)
{
    const std::vector<LoopId> loops = decidingLoops(a, b);
    if (loops.empty()) return Meeting{steps.begin, -1};
    if (!canBeLast(problem, a) || !canBeLast(problem, b)) return std::nullopt;
    // The phases do not change between two ends of loops.
    std::vector<Step> cuts{steps.begin};
    for (const LoopId loop : loops) {
        if (loop == none) continue;
        const Interval& live = problem.loops[static_cast<std::size_t>(loop)].live;
        for (const Step cut : {live.begin, live.end})
            if (steps.begin < cut && cut < steps.end) cuts.push_back(cut);
    }
    std::sort(cuts.begin(), cuts.end());
    for (const Step step : cuts) {
        Meeting meeting{step, -1};
        const bool met = std::all_of(loops.begin(), loops.end(), [&](LoopId loop) {
            Phase phase = Phase::inside;
            if (loop != none) {
                const Interval& live = problem.loops[static_cast<std::size_t>(loop)].live;
                phase = step < live.begin ? Phase::before : step < live.end ? Phase::inside : Phase::after;
            }
            const auto iteration = firstIteration(problem, a, b, loop, phase);
            meeting.iteration = iteration.value_or(-1);
            return iteration.has_value();
        });
        if (met) return meeting;
    }
    return std::nullopt;
}

std::optional<Meeting> firstMeeting(const Problem& problem, const PlacedValue& a, const PlacedValue& b)
{
    Meeting meeting;
    if (!canBeLast(problem, a) || !canBeLast(problem, b)) return std::nullopt;
    for (const LoopId loop : decidingLoops(a, b)) {
        const auto iteration = firstIteration(problem, a, b, loop, Phase::inside);
        if (!iteration) return std::nullopt;
        meeting.iteration = *iteration;
    }
    return meeting;
}

bool wellFormed(const Problem& problem, const Buffer& buffer, const Placement& placement)
{
    if (placement.rotations.empty()) return placement.offsets.empty() && buffer.slots <= 1;
    if (placement.offsets.empty() || placement.offset != placement.offsets.front()) return false;
    std::optional<Bytes> count = 1;
    for (const Rotation& rotation : placement.rotations) {
        if (rotation.period < 1 || rotation.period == std::numeric_limits<std::int32_t>::max()) return false;
        count = checkedMultiply(*count, rotation.extent());
        if (!count) return false;
    }
    if (static_cast<std::size_t>(*count) != placement.offsets.size() || *count < buffer.slots) return false;
    if (placement.rotations.size() == 1 && placement.rotations.front().loop == none) return true;
    // From innermost to outermost: each loop must be outside of the one before.
    LoopId around = buffer.loop;
    for (auto rotation = placement.rotations.rbegin(); rotation != placement.rotations.rend(); ++rotation) {
        if (rotation->loop < 0 || static_cast<std::size_t>(rotation->loop) >= problem.loops.size()) return false;
        while (around != none && around != rotation->loop) around = problem.loops[static_cast<std::size_t>(around)].parent;
        if (around == none) return false;
        around = problem.loops[static_cast<std::size_t>(around)].parent;
    }
    return true;
}

} // namespace stowage

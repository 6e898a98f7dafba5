#include "core/planners/hivm/advice.h"

#include "core/ir/change.h"
#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace stowage::hivm {

namespace {

constexpr std::size_t namedOccupants = 8;
constexpr std::size_t namedChanges = 4;
constexpr std::size_t keptChanges = 12;
constexpr std::uint64_t effortOfOneTry = 200'000; ///< places looked at

const Buffer& bufferOf(const Problem& problem, BufferId b)
{
    return problem.buffers[static_cast<std::size_t>(b)];
}

std::vector<BufferId> buffersOf(const MemoryPlan& plan)
{
    std::vector<BufferId> buffers;
    for (const Entry& entry : plan.entries)
        if (entry.slot == 0) buffers.push_back(entry.buffer);
    std::sort(buffers.begin(), buffers.end());
    return buffers;
}

/// The first step at which most bytes of the entries are live, and how many.
std::pair<Step, Bytes> fullestStep(const MemoryPlan& plan)
{
    std::map<Step, Bytes> changes;
    for (const Entry& entry : plan.entries)
        for (const Interval& range : entry.live) {
            changes[range.begin] += entry.size;
            changes[range.end] -= entry.size;
        }
    std::pair<Step, Bytes> fullest{-1, 0};
    Bytes live = 0;
    for (const auto& [step, change] : changes) {
        live += change;
        if (live > fullest.second) fullest = {step, live};
    }
    return fullest;
}

/// The highest level that allows `buffer` its places, by whatever else lies in their bytes.
std::optional<Level> levelOfPlaces(const Problem& problem, const MemoryPlan& plan, BufferId buffer)
{
    const Buffer& it = bufferOf(problem, buffer);
    std::optional<Level> level;
    const auto places = [&](std::size_t e, auto visit) {
        visit(plan.layout.offsets[e]);
        for (const Bytes extra : plan.layout.extras[e]) visit(extra);
    };
    for (std::size_t e = 0; e < plan.entries.size(); ++e) {
        if (plan.entries[e].buffer != buffer) continue;
        for (std::size_t o = 0; o < plan.entries.size(); ++o) {
            if (plan.entries[o].buffer == buffer) continue;
            bool share = false;
            places(e, [&](Bytes a) {
                places(o, [&](Bytes b) { share = share || (a < b + plan.entries[o].size && b < a + plan.entries[e].size); });
            });
            if (!share) continue;
            const Buffer& other = bufferOf(problem, plan.entries[o].buffer);
            const Level with = !pipesConflict(it, other) ? Level::samePipe
                               : it.loop != other.loop   ? Level::otherLoop
                                                         : Level::any;
            level = level ? std::min(*level, with) : with;
        }
    }
    return level;
}

std::vector<Occupant> occupantsAt(const Problem& problem, const MemoryPlan& plan, Step step)
{
    std::map<BufferId, Occupant> found;
    for (const Entry& entry : plan.entries) {
        const bool live =
            std::any_of(entry.live.begin(), entry.live.end(), [&](const Interval& range) { return range.contains(step); });
        if (!live) continue;
        const auto [place, added] = found.try_emplace(entry.buffer, Occupant{entry.buffer, entry.size, 0, {}});
        ++place->second.slots;
    }
    std::vector<Occupant> occupants;
    for (const auto& [buffer, occupant] : found) {
        occupants.push_back(occupant);
        occupants.back().level = levelOfPlaces(problem, plan, buffer);
    }
    std::stable_sort(occupants.begin(), occupants.end(),
                     [](const Occupant& a, const Occupant& b) { return a.total() > b.total(); });
    return occupants;
}

/// In bits, as the compiler counts; the largest number for what does not fit into 64.
Bytes bitsOf(Bytes bytes)
{
    return checkedMultiply(bytes, 8).value_or(std::numeric_limits<Bytes>::max());
}

std::string nameOf(const Problem& problem, BufferId b)
{
    return bufferOf(problem, b).name;
}

} // namespace

std::string overflowText(std::string_view scope, Bytes required, Bytes available)
{
    return fmt::format(
        "{} overflow, requires {} bits while {} bits available! (possible reason: tiling basic block is too large or block "
        "number is more than what user expect due to multi-buffer feature is enabled and some ops need extra local buffer.)",
        scope, bitsOf(required), bitsOf(available));
}

Bytes Overflow::furtherSlots() const
{
    Bytes sum = 0;
    for (const Occupant& it : occupants) sum += it.total() - it.bytes;
    return sum;
}

Overflow explainOverflow(const Problem& problem, const MemoryPlan& plan, const MemoryOptions& options, const PlanContext& context,
                         int tries)
{
    Overflow overflow;
    overflow.pool = plan.pool;
    overflow.required = plan.size;
    overflow.capacity = problem.pools[static_cast<std::size_t>(plan.pool)].capacity.value_or(maxBytes);
    std::tie(overflow.step, overflow.live) = fullestStep(plan);
    overflow.occupants = occupantsAt(problem, plan, overflow.step);

    const std::vector<BufferId> buffers = buffersOf(plan);
    MemoryOptions once = options;
    once.attempts = 1;
    PlanContext limited = context;
    limited.recorder = nullptr;
    limited.workLimit = 0;
    const auto add = [&](const Change& change) {
        if (tries-- <= 0 || context.cancel.stop_requested()) return;
        Effort effort(limited, effortOfOneTry);
        const auto other = planMemory(applied(problem, change), plan.pool, buffers, once, effort, nullptr);
        if (!other || effort.stopped() || other->size >= plan.size) return;
        overflow.changes.push_back({change, other->size, other->fits});
    };
    for (const Occupant& occupant : overflow.occupants)
        if (occupant.slots > 1 && bufferOf(problem, occupant.buffer).slots > 1) add(Change::ofSlots(occupant.buffer, 1));
    std::vector<LoopId> loops;
    for (const Occupant& occupant : overflow.occupants)
        if (const LoopId loop = bufferOf(problem, occupant.buffer).loop;
            loop != none && std::find(loops.begin(), loops.end(), loop) == loops.end())
            loops.push_back(loop);
    for (const LoopId loop : loops) add(Change::scaledTile(loop, 1, 2));
    for (std::size_t i = 0; i < std::min<std::size_t>(8, overflow.occupants.size()); ++i)
        add(Change::scaled(overflow.occupants[i].buffer, 1, 2));
    std::stable_sort(overflow.changes.begin(), overflow.changes.end(), [](const TriedChange& a, const TriedChange& b) {
        if (a.fits != b.fits) return a.fits;
        if (a.fits) return a.change.kind < b.change.kind; // slots, a buffer, a tile: what fits is best when it changes little
        return a.required < b.required;
    });
    if (overflow.changes.size() > keptChanges) overflow.changes.resize(keptChanges);
    return overflow;
}

Diagnostic describe(const Problem& problem, const Overflow& overflow)
{
    std::string message =
        overflowText(problem.pools[static_cast<std::size_t>(overflow.pool)].name, overflow.required, overflow.capacity);
    if (overflow.step >= 0) {
        message += fmt::format(" At step {}, {} bits are live:", overflow.step, bitsOf(overflow.live));
        for (std::size_t i = 0; i < std::min(namedOccupants, overflow.occupants.size()); ++i) {
            const Occupant& it = overflow.occupants[i];
            message += fmt::format("{} {} ({}{})", i == 0 ? "" : ",", nameOf(problem, it.buffer),
                                   it.slots > 1 ? fmt::format("{} slots of ", it.slots) : std::string(), bitsOf(it.bytes));
        }
        if (overflow.occupants.size() > namedOccupants)
            message += fmt::format(" and {} more", overflow.occupants.size() - namedOccupants);
        message += ".";
    }
    std::string remedy = fmt::format("{} bits have to go", bitsOf(overflow.excess()));
    if (overflow.step >= 0 && !overflow.tooMuchLive())
        remedy += ", though no step has too many: buffers apart in time are in each other's way";
    for (std::size_t i = 0; i < std::min(namedChanges, overflow.changes.size()); ++i) {
        const TriedChange& it = overflow.changes[i];
        remedy += fmt::format("{} {} ({} bits then, {})", i == 0 ? ":" : ", or", describe(problem, it.change),
                              bitsOf(it.required), it.fits ? "fits" : "still too many");
    }
    return {Severity::error, Code::overflow, std::move(message), {}, std::move(remedy)};
}

} // namespace stowage::hivm

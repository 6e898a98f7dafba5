#include "core/planners/exact/proof.h"

#include "core/planners/exact/pair_search.h"
#include "core/planners/exact/preferences.h"
#include "core/planners/exact/skyline_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace stowage::exact {

namespace {

std::string headOf(const char* kind, const Problem& problem, PoolId pool, Bytes capacity, std::int32_t copies)
{
    return fmt::format("{} 1\npool {}\ncapacity {}\ncopies {}\n", kind, problem.pools[at(pool)].name, capacity, copies);
}

Error thereIsOne(const Problem& problem, PoolId pool, Bytes capacity)
{
    return failure("no-proof", fmt::format("there is a layout of {} in {} bytes", problem.pools[at(pool)].name, capacity));
}

Error tooLong(std::uint64_t nodeLimit)
{
    return failure("no-proof", fmt::format("no search ended within {} nodes when its steps were written down", nodeLimit), {}, "give a larger --proof-limit");
}

/// Where buffers occupy a part of their bytes at times.
Expected<std::string> writePairProof(const Problem& problem, PoolId pool, std::span<const BufferId> members, Bytes capacity, std::uint64_t nodeLimit,
                                     const std::function<bool()>& stop)
{
    const auto instance = PairInstance::make(problem, pool, members);
    if (!instance) return instance.error();
    std::string log = headOf("stowage-pair-proof", problem, pool, capacity, instance->count());
    PairSearch search(*instance);
    search.logTo(&log);
    switch (search.run(capacity / instance->unit, nodeLimit, stop)) {
    case Outcome::impossible: return log;
    case Outcome::found: return thereIsOne(problem, pool, capacity);
    case Outcome::stopped: return failure("no-proof", "stopped before the search had ended");
    case Outcome::limit: break;
    }
    return tooLong(nodeLimit);
}

} // namespace

Expected<std::string> writeProof(const Problem& problem, PoolId pool, Bytes capacity, std::uint64_t nodeLimit, const std::function<bool()>& stop)
{
    std::vector<BufferId> members;
    for (BufferId id = 0; id < static_cast<BufferId>(problem.buffers.size()); ++id) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
        const std::vector<PoolId> candidates = problem.candidates(buffer);
        if (buffer.size == 0 || candidates.size() != 1 || candidates[0] != pool) continue;
        if (!buffer.mayShare.empty())
            return failure("no-proof", fmt::format("buffer '{}' may share bytes: such problems have no checkable log", buffer.name), {},
                           "plan without --proof");
        members.push_back(id);
    }
    if (std::any_of(members.begin(), members.end(), [&](BufferId id) { return !problem.buffers[at(id)].windows.empty(); }) && problem.axis != Axis::dag)
        return writePairProof(problem, pool, members, capacity, nodeLimit, stop);
    const auto instance = Instance::make(problem, pool, members);
    if (!instance) return instance.error();
    const std::string head = headOf("stowage-proof", problem, pool, capacity, instance->count());
    const auto units = static_cast<std::int32_t>(std::clamp<Bytes>(capacity / instance->unit, 0, std::numeric_limits<std::int32_t>::max() / 2));
    const Preferences preferences(*instance, problem, 0);
    Rules rules;
    rules.remember = false;
    SkylineSearch search(*instance, rules);
    for (std::size_t which = 0; which < preferences.turns(); ++which) {
        std::string log = head;
        search.logTo(&log);
        const Turn turn = preferences.turn(0, which);
        switch (search.run(units, turn.strategy(), nodeLimit, stop)) {
        case Outcome::impossible: return log;
        case Outcome::found:
            return thereIsOne(problem, pool, capacity);
        case Outcome::stopped: return failure("no-proof", "stopped before the search had ended");
        case Outcome::limit: break;
        }
    }
    return tooLong(nodeLimit);
}

} // namespace stowage::exact

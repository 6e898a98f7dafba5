#include "core/planners/exact/proof.h"

#include "core/plan/one_iteration.h"
#include "core/plan/proof/check_proof.h"
#include "core/plan/proof/check_proof_pairs.h"
#include "core/planners/exact/pair_search.h"
#include "core/planners/exact/preferences.h"
#include "core/planners/exact/skyline_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace stowage::exact {

namespace {

/// The header of a log. core/plan/proof/check_proof.h describes how `slots` are counted.
std::string headOf(const char* kind, const Problem& problem, PoolId pool, Bytes capacity, std::int32_t slots)
{
    return fmt::format("{} 1\npool {}\ncapacity {}\ncopies {}\n", kind, problem.pools[at(pool)].name, capacity, slots);
}

Error layoutFound(const Problem& problem, PoolId pool, Bytes capacity)
{
    return failure(Code::fits, fmt::format("there is a layout of {} in {} bytes", problem.pools[at(pool)].name, capacity));
}

Error tooLong(std::uint64_t nodeLimit)
{
    return failure(Code::noProof, fmt::format("no search completed within {} nodes while its steps were logged", nodeLimit), {},
                   "give a larger --proof-limit");
}

/// The buffers with size > 0 whose only candidate is `pool`, ascending: the subject of a log of one pool.
std::vector<BufferId> confinedTo(const Problem& problem, PoolId pool)
{
    std::vector<BufferId> members;
    for (BufferId id = 0; id < static_cast<BufferId>(problem.buffers.size()); ++id) {
        const Buffer& buffer = problem.buffers[at(id)];
        const std::vector<PoolId> candidates = problem.candidates(buffer);
        if (buffer.size > 0 && candidates.size() == 1 && candidates[0] == pool) members.push_back(id);
    }
    return members;
}

bool anyWindows(const Problem& problem, const std::vector<BufferId>& members)
{
    return std::any_of(members.begin(), members.end(), [&](BufferId id) { return problem.buffers[at(id)].hasWindows(); });
}

/// Writes a proof for buffers with windows.
Expected<std::string> writePairProof(const Problem& problem, PoolId pool, std::span<const BufferId> members, Bytes capacity,
                                     std::uint64_t nodeLimit, const std::function<bool()>& stop)
{
    const auto instance = PairInstance::make(problem, pool, members);
    if (!instance) return noLog(instance.error());
    if (capacity > largestLogged)
        return failure(Code::noProof, "there is no checkable log: the capacity is too large for a problem with windows", {},
                       "plan without --proof");
    std::string log = headOf("stowage-pair-proof", problem, pool, capacity, instance->count());
    PairSearch search(*instance);
    search.logTo(&log);
    switch (search.run(capacity / instance->unit, nodeLimit, stop)) {
    case Outcome::impossible: return log;
    case Outcome::found: return layoutFound(problem, pool, capacity);
    case Outcome::stopped: return failure(Code::noProof, "stopped before the search had ended");
    case Outcome::limit: break;
    }
    return tooLong(nodeLimit);
}

Expected<std::string> writeProofOfOneIteration(const Problem& problem, PoolId pool, Bytes capacity, std::uint64_t nodeLimit,
                                               const std::function<bool()>& stop)
{
    if (auto error = cannotBeLogged(problem, pool)) return *error;
    const std::vector<BufferId> members = confinedTo(problem, pool);
    if (anyWindows(problem, members)) return writePairProof(problem, pool, members, capacity, nodeLimit, stop);
    const auto instance = Instance::make(problem, pool, members);
    if (!instance) return noLog(instance.error());
    const std::string head = headOf("stowage-proof", problem, pool, capacity, instance->count());
    const auto units =
        static_cast<std::int32_t>(std::clamp<Bytes>(capacity / instance->unit, 0, std::numeric_limits<std::int32_t>::max() / 2));
    const Preferences preferences(*instance, problem, 0);
    Rules rules;
    rules.remember = false;
    SkylineSearch search(*instance, rules);
    for (std::size_t which = 0; which < preferences.attempts(); ++which) {
        std::string log = head;
        search.logTo(&log);
        const Attempt attempt = preferences.attempt(0, which);
        switch (search.run(units, attempt.strategy(), nodeLimit, stop)) {
        case Outcome::impossible: return log;
        case Outcome::found: return layoutFound(problem, pool, capacity);
        case Outcome::stopped: return failure(Code::noProof, "stopped before the search had ended");
        case Outcome::limit: break;
        }
    }
    return tooLong(nodeLimit);
}

} // namespace

Error noLog(const Error& why)
{
    return failure(Code::noProof, "there is no checkable log: " + why.message, {}, "plan without --proof");
}

std::optional<Error> cannotBeLogged(const Problem& problem, PoolId pool)
{
    const auto because = [](std::string cause) {
        return failure(Code::noProof, std::move(cause) + ": such problems have no checkable log", {}, "plan without --proof");
    };
    if (problem.pools[at(pool)].name.find('\n') != std::string::npos) return because("the name of a pool has more than one line");
    const std::vector<BufferId> members = confinedTo(problem, pool);
    const bool windows = anyWindows(problem, members);
    const std::size_t most = windows ? maxLoggedPairSlots : maxLoggedSlots;
    std::size_t slots = 0;
    for (const BufferId id : members) {
        const Buffer& buffer = problem.buffers[at(id)];
        if (!buffer.mayShare.empty()) return because(fmt::format("buffer '{}' may share bytes", buffer.name));
        if (buffer.isCarried()) return because(fmt::format("the values of buffer '{}' outlive their iteration", buffer.name));
        if ((slots += static_cast<std::size_t>(buffer.slots)) > most)
            return because(fmt::format("there are more than {} buffers", most));
        if (windows && std::max({buffer.size, buffer.pin.value_or(0), problem.effectiveAlignment(buffer, pool)}) > largestLogged)
            return because(fmt::format("buffer '{}' is too large, or too high", buffer.name));
    }
    return std::nullopt;
}

Expected<std::string> writeProof(const Problem& problem, PoolId pool, Bytes capacity, std::uint64_t nodeLimit,
                                 const std::function<bool()>& stop)
{
    if (!differsByIteration(problem)) return writeProofOfOneIteration(problem, pool, capacity, nodeLimit, stop);
    auto log = writeProofOfOneIteration(ofOneIteration(problem), pool, capacity, nodeLimit, stop);
    if (!log && log.error().code == Code::fits)
        return failure(Code::fits,
                       log.error().message +
                           " when ranges that differ between iterations, which a log cannot express, are left out",
                       {}, "plan without --proof");
    return log;
}

Expected<PlanProof> writePlanProof(const Problem& problem, const Report& report, std::uint64_t nodeLimit,
                                   const std::function<bool()>& stop)
{
    const bool optimal = report.status == Status::optimal;
    if (!optimal && report.status != Status::infeasible)
        return failure(Code::noProof, fmt::format("the plan is {}: there is nothing to prove", toText(report.status)), {},
                       "give the exact planner more time, or a capacity");
    if (optimal && report.among == OptimalAmong::preferredPools)
        return failure(Code::noProof,
                       "each pool is proved as small as its buffers allow, but not that no other choice of pools takes less", {},
                       "the exact planner compares all choices of pools");
    const auto ofAll = [&]() -> Expected<PlanProof> {
        if (optimal && report.totalSize() == 0) return failure(Code::noProof, "nothing is placed, so there is nothing to prove");
        const Bytes total = optimal ? report.totalSize() - 1 : 0;
        auto log = optimal ? writeSumProof(problem, total, nodeLimit, stop) : writePoolProof(problem, nodeLimit, stop);
        if (!log) return log.error();
        return PlanProof{*std::move(log), {{none, total}}};
    };
    const bool choice = std::any_of(problem.buffers.begin(), problem.buffers.end(),
                                    [&](const Buffer& b) { return b.size > 0 && problem.candidates(b).size() > 1; });
    if (choice) return ofAll();
    PlanProof proof;
    std::vector<const PoolReport*> pools; // pools above their capacity first
    for (const bool full : {true, false})
        for (const PoolReport& each : report.pools)
            if ((each.excess > 0) == full && (optimal ? each.size > 0 : each.capacity.has_value())) pools.push_back(&each);
    // For `optimal`, every pool needs a log; for `infeasible`, one pool that is too small is enough.
    std::optional<Error> why;
    for (const PoolReport* each : pools) {
        const Bytes bytes = optimal ? each->size - 1 : *each->capacity;
        const auto log = writeProof(problem, each->pool, bytes, nodeLimit, stop);
        if (log) {
            proof.logs += *log;
            proof.refuted.push_back({each->pool, bytes});
            if (!optimal) return proof;
        } else if (optimal || !why) {
            why = log.error();
            if (optimal) break;
        }
    }
    if (why) { // the bytes live at one step, or a pin, may still be a proof
        if (auto proofOfAll = ofAll()) return proofOfAll;
        return *why;
    }
    if (proof.logs.empty()) return failure(Code::noProof, "nothing is placed, so there is nothing to prove");
    return proof;
}

} // namespace stowage::exact

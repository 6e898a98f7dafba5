#include "core/planners/exact/infeasible_set.h"
#include "core/plan/objective.h"

#include "core/plan/check.h"
#include "core/planners/exact/joint.h"
#include "core/planners/exact/pool_search.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace stowage::exact {

namespace {

enum class Answer : std::uint8_t { fits, doesNot, unknown };

/// What a search of `members` takes of the limit of all searches (`InfeasibleSetLimits::nodes`).
std::uint64_t chargeOf(std::uint64_t nodes, const std::vector<BufferId>& members)
{
    return std::max<std::uint64_t>(nodes, members.size());
}

/// Reduces a set of buffers that do not fit. `ask` decides whether a subset fits.
class Filter {
public:
    using Ask = std::function<Answer(const std::vector<BufferId>&)>;
    explicit Filter(const Problem& problem) : problem_(problem) {}

    /// No value unless `ask` proves that all members together do not fit. Calls `ask` O(members) times.
    std::optional<InfeasibleSet> run(std::span<const BufferId> members, const Ask& ask) const
    {
        InfeasibleSet set;
        set.buffers.assign(members.begin(), members.end());
        std::sort(set.buffers.begin(), set.buffers.end());
        std::erase_if(set.buffers, [&](BufferId id) { return sizeOf(id) == 0; });
        if (ask(set.buffers) != Answer::doesNot) return std::nullopt;
        // Removes small buffers first: a set of few large buffers is a better explanation.
        std::stable_sort(set.buffers.begin(), set.buffers.end(), [&](BufferId a, BufferId b) { return sizeOf(a) < sizeOf(b); });
        for (std::size_t chunk = std::max<std::size_t>(1, set.buffers.size() / 2);; chunk /= 2) {
            bool allNeeded = true;
            for (std::size_t begin = 0; begin < set.buffers.size();) {
                std::vector<BufferId> rest = set.buffers;
                const std::size_t end = std::min(begin + chunk, rest.size());
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(begin), rest.begin() + static_cast<std::ptrdiff_t>(end));
                const Answer answer = rest.empty() ? Answer::fits : ask(rest);
                if (answer == Answer::doesNot)
                    set.buffers = std::move(rest);
                else
                    begin = end;
                allNeeded &= answer != Answer::unknown;
            }
            if (chunk == 1) {
                set.irreducible = allNeeded;
                break;
            }
        }
        std::sort(set.buffers.begin(), set.buffers.end());
        return set;
    }

private:
    [[nodiscard]] Bytes sizeOf(BufferId id) const { return problem_.buffers[at(id)].size; }

    const Problem& problem_;
};

/// Decides with the search of one pool.
class OnePool {
public:
    OnePool(const Problem& problem, PoolId pool, Bytes capacity, const InfeasibleSetLimits& limits)
        : problem_(problem), pool_(pool), capacity_(capacity), limits_(limits)
    {
    }

    Expected<std::optional<InfeasibleSet>> run(std::span<const BufferId> members)
    {
        auto set = Filter(problem_).run(members, [this](const std::vector<BufferId>& asked) { return ask(asked); });
        if (set && !error_) {
            PoolLayout layout;
            search(set->buffers, std::nullopt, layout);
            if (layout.closed()) set->needs = layout.size;
            set->nodes = nodes_;
        }
        if (error_) return *error_;
        return set;
    }

private:
    /// Searches the smallest layout of `members`; with `enough`, only until it is known whether `enough` bytes suffice.
    void search(const std::vector<BufferId>& members, std::optional<Bytes> enough, PoolLayout& layout)
    {
        PoolLimits own;
        own.seed = limits_.seed;
        own.nodes = limits_.nodesEach;
        own.enough = enough;
        own.stop = limits_.stop;
        auto nodes = minimisePool(problem_, pool_, members, nullptr, own, layout);
        if (!nodes)
            error_ = nodes.error();
        else
            nodes_ += *nodes, spent_ += chargeOf(*nodes, members);
    }
    Answer ask(const std::vector<BufferId>& members)
    {
        if (error_ || spent_ > limits_.nodes || (limits_.stop && limits_.stop())) return Answer::unknown;
        PoolLayout layout;
        search(members, capacity_, layout);
        if (error_) return Answer::unknown;
        if (layout.lower > capacity_) return Answer::doesNot;
        return layout.size <= capacity_ ? Answer::fits : Answer::unknown;
    }

    const Problem& problem_;
    PoolId pool_;
    Bytes capacity_;
    const InfeasibleSetLimits& limits_;
    std::uint64_t nodes_ = 0, spent_ = 0; ///< `spent_`: of the limit
    std::optional<Error> error_;
};

} // namespace

Expected<std::optional<InfeasibleSet>> infeasibleSet(const Problem& problem, PoolId pool, std::span<const BufferId> members,
                                                     Bytes capacity, const InfeasibleSetLimits& limits)
{
    return OnePool(problem, pool, capacity, limits).run(members);
}

std::optional<InfeasibleSet> infeasibleStack(const Problem& problem, PoolId pool, const CliqueCertificate& together,
                                             Bytes capacity)
{
    if (together.bytes <= capacity || together.buffers.empty()) return std::nullopt;
    Bytes sum = 0, grid = 1;
    for (const BufferId id : together.buffers) {
        const Buffer& buffer = problem.buffers[at(id)];
        if (buffer.pin || buffer.slots != 1) return std::nullopt;
        grid = std::max(grid, problem.effectiveAlignment(buffer, pool));
        sum += buffer.size;
    }
    // The sum of sizes equals the bytes of the certificate only if every buffer counts with all its bytes, without padding. If
    // all sizes are multiples of the largest alignment, which all other alignments divide, any subset can be placed end to end.
    if (sum != together.bytes) return std::nullopt;
    InfeasibleSet set;
    for (const BufferId id : together.buffers) {
        const Buffer& buffer = problem.buffers[at(id)];
        if (buffer.size % grid != 0 || grid % problem.effectiveAlignment(buffer, pool) != 0) return std::nullopt;
        set.buffers.push_back(id);
    }
    // Removes small buffers first: a set of few large buffers is a better explanation. A needed buffer stays needed when others
    // are removed.
    std::stable_sort(set.buffers.begin(), set.buffers.end(),
                     [&](BufferId a, BufferId b) { return problem.buffers[at(a)].size < problem.buffers[at(b)].size; });
    std::erase_if(set.buffers, [&](BufferId id) {
        const Bytes size = problem.buffers[at(id)].size;
        if (sum - size <= capacity) return false;
        sum -= size;
        return true;
    });
    std::sort(set.buffers.begin(), set.buffers.end());
    set.irreducible = true;
    set.needs = sum;
    return set;
}

Expected<std::optional<InfeasibleSet>> infeasibleSetOfAll(const Problem& problem, const Plan& plan,
                                                          const InfeasibleSetLimits& limits)
{
    std::vector<BufferId> all(problem.buffers.size());
    std::iota(all.begin(), all.end(), 0);
    std::uint64_t nodes = 0, spent = 0;
    std::optional<Error> error;
    PlanContext quiet;
    quiet.seed = limits.seed;
    auto set = Filter(problem).run(all, [&](const std::vector<BufferId>& asked) {
        if (error || spent > limits.nodes || (limits.stop && limits.stop())) return Answer::unknown;
        Problem part = problem; // buffers outside of the subset get size 0 and offset 0, so they make no pool larger
        Plan best = plan;
        std::vector<bool> isAsked(part.buffers.size(), false);
        for (const BufferId id : asked) isAsked[at(id)] = true;
        for (std::size_t b = 0; b < part.buffers.size(); ++b) {
            if (isAsked[b]) continue;
            part.buffers[b].size = 0;
            part.buffers[b].pin.reset();
            best.placements[b].offset = 0;
            std::fill(best.placements[b].offsets.begin(), best.placements[b].offsets.end(), Bytes{0});
        }
        JointLimits own;
        own.nodes = limits.nodesEach;
        own.fitOnly = true;
        own.stop = limits.stop;
        const auto found = searchJointly(part, best, own, quiet);
        if (!found) {
            error = found.error();
            return Answer::unknown;
        }
        nodes += found->nodes;
        spent += chargeOf(found->nodes, asked);
        if (objectiveOf(part, best).fits() && check(part, best).valid()) return Answer::fits;
        return found->complete ? Answer::doesNot : Answer::unknown;
    });
    if (error) return *error;
    if (set) set->nodes = nodes;
    return set;
}

} // namespace stowage::exact

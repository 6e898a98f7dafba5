#include "core/plan/preferred_pools.h"

#include "core/plan/bound.h"
#include "core/plan/load.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr std::uint64_t maxSteps = 20'000'000;   ///< limit of steps read in all profiles: a few hundredths of a second
constexpr std::uint64_t maxMeasured = 2'000'000; ///< limit of buffers in lower bounds for pairs that the profiles do not decide

/// Live bytes of some buffers, as a step function.
class Profile {
public:
    explicit Profile(const std::vector<Load>& loads)
    {
        std::vector<std::pair<Step, Bytes>> changes;
        for (const Load& load : loads) {
            changes.emplace_back(load.live.begin, load.total());
            changes.emplace_back(load.live.end, -load.total());
        }
        std::sort(changes.begin(), changes.end());
        Bytes live = 0;
        for (const auto& [step, bytes] : changes) {
            live += bytes;
            if (steps_.empty() || steps_.back() != step) {
                steps_.push_back(step);
                live_.push_back(live);
            }
            live_.back() = live;
        }
    }

    /// The maximum of the live bytes at `steps`; adds the number of steps examined to `read`.
    [[nodiscard]] Bytes most(const Interval& steps, std::uint64_t& read) const
    {
        auto at = static_cast<std::size_t>(std::upper_bound(steps_.begin(), steps_.end(), steps.begin) - steps_.begin());
        if (at > 0) --at; // the value at the first step begins earlier
        Bytes most = 0;
        for (; at < steps_.size() && steps_[at] < steps.end; ++at, ++read) most = std::max(most, live_[at]);
        return most;
    }

private:
    std::vector<Step> steps_;
    std::vector<Bytes> live_; ///< from the step of the same position to the next
};

/// Decides whether a pool has space for one more buffer.
class Rooms {
public:
    Rooms(const Problem& problem, const Plan& plan) : problem_(problem), moved_(plan) {}

    std::optional<Passed> passedOver(std::span<const PoolId> pools)
    {
        for (const PoolId pool : pools) {
            std::optional<Profile> profile; // computed once for all buffers
            for (BufferId id = 0; id < static_cast<BufferId>(problem_.buffers.size()); ++id)
                if (prefers(id, pool) && !full(id, pool, profile)) return Passed{id, pool};
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] const Buffer& buffer(BufferId id) const { return problem_.buffers[static_cast<std::size_t>(id)]; }

    /// True if `pool` comes before the buffer's own pool among its candidates.
    [[nodiscard]] bool prefers(BufferId id, PoolId pool) const
    {
        const PoolId own = moved_.placements[static_cast<std::size_t>(id)].pool;
        if (buffer(id).size == 0 || own == pool) return false;
        if (buffer(id).pools.empty()) // the candidates are all workspace pools, by id
            return pool < own && problem_.pools[static_cast<std::size_t>(pool)].kind == PoolKind::workspace;
        for (const PoolId candidate : buffer(id).pools) {
            if (candidate == pool) return true;
            if (candidate == own) break;
        }
        return false;
    }

    /// True for buffers whose bytes cannot be added to a profile: they may share, are unique, or have no time axis.
    [[nodiscard]] bool special(const Buffer& each) const
    {
        return problem_.axis == Axis::dag || each.unique || !each.mayShare.empty();
    }

    /// True if a bound proves that the buffer does not fit into `pool` together with the buffers there. Tries cheap bounds first,
    /// then the lower bound of the pool.
    bool full(BufferId id, PoolId pool, std::optional<Profile>& profile)
    {
        const auto& capacity = problem_.pools[static_cast<std::size_t>(pool)].capacity;
        if (!capacity) return false;
        if (buffer(id).pin.value_or(0) + buffer(id).size > *capacity) return true;
        if (!special(buffer(id)) && read_ < maxSteps) {
            if (!profile) profile.emplace(plainLoads(pool));
            for (const Load& own : occupied(problem_, std::span(&id, 1), none))
                if (profile->most(own.live, read_) + own.total() > *capacity) return true;
        }
        if (measured_ > maxMeasured) return false;
        measured_ += problem_.buffers.size();
        PoolId& at = moved_.placements[static_cast<std::size_t>(id)].pool;
        const PoolId own = at;
        at = pool;
        const Bytes needed = lowerBound(problem_, moved_, pool).bytes;
        at = own;
        return needed > *capacity;
    }

    [[nodiscard]] std::vector<Load> plainLoads(PoolId pool) const
    {
        std::vector<BufferId> plain; // without the others the profile is lower, so still a bound
        for (BufferId id = 0; id < static_cast<BufferId>(problem_.buffers.size()); ++id)
            if (moved_.placements[static_cast<std::size_t>(id)].pool == pool && !special(buffer(id))) plain.push_back(id);
        return occupied(problem_, plain, none);
    }

    const Problem& problem_;
    Plan moved_; ///< the plan, in which one buffer at a time is moved for a question
    std::uint64_t read_ = 0, measured_ = 0;
};

} // namespace

std::optional<Passed> firstPassedOver(const Problem& problem, const Plan& plan, std::span<const PoolId> pools)
{
    return Rooms(problem, plan).passedOver(pools);
}

} // namespace stowage

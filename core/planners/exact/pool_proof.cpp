#include "core/planners/exact/pool_search.h"
#include "core/planners/exact/proof.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::exact {

namespace {

/// Puts one buffer after the other into each of its pools, the largest first, and ends a branch as soon as a step has more than fits, or, when all are placed, a
/// pool that a search refutes.
class PoolProof {
public:
    PoolProof(const Problem& problem, std::uint64_t nodeLimit, const std::function<bool()>& stop) : problem_(problem), nodeLimit_(nodeLimit), stop_(stop), pool_(problem.buffers.size(), none)
    {
        for (std::size_t b = 0; b < pool_.size(); ++b) {
            const Buffer& buffer = problem.buffers[b];
            const auto candidates = problem.candidates(buffer);
            if (candidates.size() == 1) pool_[b] = candidates[0];
            else if (buffer.size > 0) order_.push_back(static_cast<BufferId>(b));
        }
        std::stable_sort(order_.begin(), order_.end(), [&](BufferId a, BufferId b) { return problem.buffers[at(a)].size > problem.buffers[at(b)].size; });
    }

    Expected<std::string> run()
    {
        log_ = "stowage-pool-proof 1\n";
        if (auto error = refute(0)) return *error;
        return std::move(log_);
    }

private:
    std::optional<Error> refute(std::size_t depth)
    {
        if (++nodes_ > nodeLimit_) return failure("no-proof", fmt::format("more than {} choices of memories", nodeLimit_), {}, "give a larger --proof-limit");
        if (stop_ && stop_()) return failure("no-proof", "stopped before the search had ended");
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool)
            if (const auto step = fullStep(pool)) {
                log_ += fmt::format("# {} {}\n", pool, *step);
                return std::nullopt;
            }
        if (depth == order_.size()) return refuteChoice();
        const BufferId buffer = order_[depth];
        log_ += fmt::format("| {}\n", buffer);
        for (const PoolId pool : problem_.candidates(problem_.buffers[at(buffer)])) {
            pool_[at(buffer)] = pool;
            if (auto error = refute(depth + 1)) return error;
        }
        pool_[at(buffer)] = none;
        return std::nullopt;
    }

    /// A step at which what is in the pool is more than fits. What may share is left out. O(buffers^2).
    [[nodiscard]] std::optional<Step> fullStep(PoolId pool) const
    {
        const auto& capacity = problem_.pools[at(pool)].capacity;
        if (!capacity || problem_.axis == Axis::dag) return std::nullopt;
        for (std::size_t first = 0; first < pool_.size(); ++first) {
            if (pool_[first] != pool) continue;
            for (const Interval& begin : problem_.buffers[first].live) {
                Bytes sum = 0;
                for (std::size_t b = 0; b < pool_.size() && sum <= *capacity; ++b) {
                    const Buffer& buffer = problem_.buffers[b];
                    if (pool_[b] == pool && buffer.mayShare.empty() && std::any_of(buffer.live.begin(), buffer.live.end(), [&](const Interval& live) { return live.contains(begin.begin); }))
                        sum += buffer.size * buffer.slots;
                }
                if (sum > *capacity) return begin.begin;
            }
        }
        return std::nullopt;
    }

    std::optional<Error> refuteChoice()
    {
        Problem part = problem_;
        std::optional<Error> last;
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool) {
            const auto& capacity = problem_.pools[at(pool)].capacity;
            if (!capacity) continue;
            for (std::size_t b = 0; b < pool_.size(); ++b) {
                part.buffers[b].pools = {pool};
                part.buffers[b].size = pool_[b] == pool ? problem_.buffers[b].size : 0;
            }
            auto inside = writeProof(part, pool, *capacity, nodeLimit_, stop_);
            if (!inside) {
                last = inside.error();
                continue;
            }
            log_ += fmt::format("{{ {}\n{}}}\n", pool, *inside);
            return std::nullopt;
        }
        return last ? last : failure("no-proof", "no memory has a capacity");
    }

    const Problem& problem_;
    std::uint64_t nodeLimit_, nodes_ = 0;
    const std::function<bool()>& stop_;
    std::vector<PoolId> pool_;
    std::vector<BufferId> order_;
    std::string log_;
};

} // namespace

Expected<std::string> writePoolProof(const Problem& problem, std::uint64_t nodeLimit, const std::function<bool()>& stop)
{
    return PoolProof(problem, nodeLimit, stop).run();
}

} // namespace stowage::exact

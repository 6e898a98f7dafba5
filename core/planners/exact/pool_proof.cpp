#include "core/ir/checked.h"
#include "core/ir/occupied.h"
#include "core/plan/one_iteration.h"
#include "core/planners/exact/pool_search.h"
#include "core/planners/exact/proof.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::exact {

namespace {

/// Assigns one buffer after the other to each of its pools, the largest buffer first. Ends a branch when the lower bounds of the
/// pools exceed the capacities or, if given, the total. The bounds are usually the bytes live at one step; when all buffers are
/// assigned, also the result of a search.
class PoolProof {
public:
    PoolProof(const Problem& problem, std::optional<Bytes> total, std::uint64_t nodeLimit, const std::function<bool()>& stop)
        : problem_(problem),
          one_(ofOneIteration(problem)),
          total_(total),
          nodeLimit_(nodeLimit),
          stop_(stop),
          pool_(problem.buffers.size(), none)
    {
        for (std::size_t b = 0; b < pool_.size(); ++b) {
            const Buffer& buffer = problem.buffers[b];
            const auto candidates = problem.candidates(buffer);
            if (candidates.size() == 1)
                pool_[b] = candidates[0];
            else if (buffer.size > 0)
                order_.push_back(static_cast<BufferId>(b));
            if (buffer.size > 0 && buffer.mayShare.empty() && problem.axis != Axis::dag) addChanges(static_cast<BufferId>(b));
        }
        std::stable_sort(order_.begin(), order_.end(),
                         [&](BufferId a, BufferId b) { return problem.buffers[at(a)].size > problem.buffers[at(b)].size; });
        std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.step < b.step; });
    }

    Expected<std::string> run()
    {
        log_ = total_ ? fmt::format("stowage-sum-proof 1\ntotal {}\n", *total_) : "stowage-pool-proof 1\n";
        if (const Step step = overfullOfAll(); step >= 0) {
            log_ += fmt::format("+ {}\n", step);
            return std::move(log_);
        }
        if (auto error = refute(0)) return *error;
        return std::move(log_);
    }

private:
    /// A change of the live bytes of a buffer at `step`.
    struct Change {
        Step step;
        BufferId buffer;
        Bytes by;
    };
    /// The lower bound of a pool, and its reason.
    struct Need {
        Bytes bytes = 0;
        Step step = -1;
        BufferId buffer = none;
    };

    /// Counts steps that are live in every iteration. Early ranges are left out, as in the checker.
    void addChanges(BufferId id)
    {
        const Buffer& buffer = problem_.buffers[at(id)];
        const Bytes bytes = buffer.size * buffer.slots;
        forEachOccupied<Iterations::each>(buffer, [&](const Occupied& it) {
            if (it.by != Occupying::live || it.when.loop != none) return;
            changes_.push_back({it.steps.begin, id, bytes});
            changes_.push_back({it.steps.end, id, -bytes});
        });
    }

    /// Visits the steps at which live bytes change, with the live bytes of each pool and of all buffers. At most O(changes *
    /// pools).
    template <typename Visit>
    void sweep(Visit visit) const
    {
        std::vector<Bytes> live(problem_.pools.size(), 0);
        Bytes all = 0;
        for (std::size_t k = 0; k < changes_.size();) {
            const Step step = changes_[k].step;
            for (; k < changes_.size() && changes_[k].step == step; ++k) {
                all += changes_[k].by;
                if (const PoolId pool = pool_[at(changes_[k].buffer)]; pool != none) live[at(pool)] += changes_[k].by;
            }
            visit(step, live, all);
        }
    }

    /// A step at which the live bytes of all buffers exceed the total or the sum of capacities; -1: none.
    [[nodiscard]] Step overfullOfAll() const
    {
        std::optional<Bytes> room = 0;
        for (const Pool& pool : problem_.pools) room = room && pool.capacity ? checkedAdd(*room, *pool.capacity) : std::nullopt;
        if (total_ && (!room || *total_ < *room)) room = total_;
        if (!room) return -1;
        Step full = -1;
        sweep([&](Step step, const std::vector<Bytes>&, Bytes all) {
            if (full < 0 && all > *room) full = step;
        });
        return full;
    }

    /// By pool: the lower bound for the buffers assigned to it: the bytes live at a step, or the end of one buffer with all its
    /// slots or at its pin. O(changes * pools + buffers).
    [[nodiscard]] std::vector<Need> needs() const
    {
        std::vector<Need> result(problem_.pools.size());
        sweep([&](Step step, const std::vector<Bytes>& live, Bytes) {
            for (std::size_t pool = 0; pool < live.size(); ++pool)
                if (live[pool] > result[pool].bytes) result[pool] = {live[pool], step, none};
        });
        for (std::size_t b = 0; b < pool_.size(); ++b) {
            const Buffer& buffer = problem_.buffers[b];
            if (pool_[b] == none || buffer.size == 0) continue;
            const Bytes bytes = std::max(buffer.size * buffer.slots, buffer.pin.value_or(0) + buffer.size);
            if (Need& need = result[at(pool_[b])]; bytes > need.bytes) need = {bytes, -1, static_cast<BufferId>(b)};
        }
        return result;
    }

    void logNeed(PoolId pool, const Need& need)
    {
        if (need.buffer != none)
            log_ += fmt::format("~ {} {}\n", pool, need.buffer);
        else if (need.bytes > 0)
            log_ += fmt::format("# {} {}\n", pool, need.step);
    }

    /// True if the bounds exceed the capacities or the total; logs it.
    bool refutedBy(const std::vector<Need>& needs)
    {
        Bytes sum = 0;
        for (PoolId pool = 0; pool < static_cast<PoolId>(needs.size()); ++pool) {
            if (const auto& capacity = problem_.pools[at(pool)].capacity; capacity && needs[at(pool)].bytes > *capacity) {
                logNeed(pool, needs[at(pool)]);
                return true;
            }
            sum = checkedAdd(sum, needs[at(pool)].bytes).value_or(maxBytes);
        }
        if (!total_ || sum <= *total_) return false;
        Bytes said = 0;
        for (PoolId pool = 0; said <= *total_; ++pool) {
            logNeed(pool, needs[at(pool)]);
            said = checkedAdd(said, needs[at(pool)].bytes).value_or(maxBytes);
        }
        return true;
    }

    /// Logs the refutation of all choices of pools for `order_` from `depth` on. Errors: a choice fits, or no log of it is found.
    std::optional<Error> refute(std::size_t depth)
    {
        if (++nodes_ > nodeLimit_)
            return failure(Code::noProof, fmt::format("more than {} choices of pools", nodeLimit_), {},
                           "give a larger --proof-limit");
        if (stop_ && stop_()) return failure(Code::noProof, "stopped before the search had ended");
        const std::vector<Need> needs = this->needs();
        if (refutedBy(needs)) return std::nullopt;
        if (depth == order_.size()) return refuteChoice(needs);
        const BufferId buffer = order_[depth];
        log_ += fmt::format("| {}\n", buffer);
        for (const PoolId pool : problem_.candidates(problem_.buffers[at(buffer)])) {
            pool_[at(buffer)] = pool;
            if (auto error = refute(depth + 1)) return error;
        }
        pool_[at(buffer)] = none;
        return std::nullopt;
    }

    /// All buffers are assigned: refutes one pool with the capacity that is left for it, or, with a total, the sum of the
    /// smallest sizes.
    std::optional<Error> refuteChoice(const std::vector<Need>& needs)
    {
        Bytes all = 0;
        for (const Need& need : needs) all += need.bytes;
        std::optional<Error> last;
        for (PoolId pool = 0; pool < static_cast<PoolId>(needs.size()); ++pool) {
            auto room = problem_.pools[at(pool)].capacity;
            if (total_) room = std::min(room.value_or(maxBytes), *total_ - (all - needs[at(pool)].bytes));
            if (!room || needs[at(pool)].bytes == 0) continue;
            const auto inside = writeProof(partOf(pool), pool, *room, nodeLimit_, stop_);
            if (!inside) {
                keep(inside.error(), last);
                continue;
            }
            // The lower bounds of the other pools limit the size that is left for this pool.
            for (PoolId other = 0; other < static_cast<PoolId>(needs.size()); ++other)
                if (const auto& capacity = problem_.pools[at(pool)].capacity; other != pool && (!capacity || *capacity > *room))
                    logNeed(other, needs[at(other)]);
            log_ += fmt::format("{{ {}{}\n{}}}\n", pool, total_ ? fmt::format(" {}", *room) : "", *inside);
            return std::nullopt;
        }
        if (total_) return refuteSum(needs, std::move(last));
        return last ? last : failure(Code::noProof, "no pool has a capacity");
    }

    /// Refutes a choice of pools by its total alone: pool by pool, raises the bound to the size of the smallest layout, until the
    /// sum exceeds the total. `last`: an earlier error, returned if there is no better one.
    std::optional<Error> refuteSum(const std::vector<Need>& needs, std::optional<Error> last)
    {
        Bytes sum = 0;
        for (const Need& need : needs) sum += need.bytes;
        for (PoolId pool = 0; pool < static_cast<PoolId>(needs.size()); ++pool) logNeed(pool, needs[at(pool)]);
        for (PoolId pool = 0; pool < static_cast<PoolId>(needs.size()); ++pool) {
            if (needs[at(pool)].bytes == 0) continue;
            PoolLimits limits;
            limits.nodes = nodeLimit_;
            limits.stop = stop_;
            PoolLayout layout;
            const Problem part = partOf(pool);
            if (const auto nodes = minimisePool(part, pool, membersOf(pool), nullptr, limits, layout); !nodes)
                return noLog(nodes.error());
            if (layout.lower <= needs[at(pool)].bytes) continue;
            const auto inside = writeProof(part, pool, layout.lower - 1, nodeLimit_, stop_);
            if (!inside) {
                keep(inside.error(), last);
                continue;
            }
            log_ += fmt::format("{{ {} {}\n{}}}\n", pool, layout.lower - 1, *inside);
            sum += layout.lower - needs[at(pool)].bytes;
            if (sum > *total_) return std::nullopt;
        }
        if (last && last->code != Code::fits) return last;
        return failure(Code::fits,
                       fmt::format("a choice of pools takes {} bytes together, or what more it needs has no checkable log", sum));
    }

    /// Keeps the more informative error: that a pool has no log is more informative than that a pool fits.
    static void keep(const Error& error, std::optional<Error>& last)
    {
        if (!last || last->code == Code::fits) last = error;
    }

    [[nodiscard]] std::vector<BufferId> membersOf(PoolId pool) const
    {
        std::vector<BufferId> members;
        for (std::size_t b = 0; b < pool_.size(); ++b)
            if (pool_[b] == pool) members.push_back(static_cast<BufferId>(b));
        return members;
    }

    /// The problem with only the buffers of this pool.
    [[nodiscard]] Problem partOf(PoolId pool) const
    {
        Problem part = one_;
        for (std::size_t b = 0; b < pool_.size(); ++b) {
            part.buffers[b].pools = {pool};
            if (pool_[b] != pool) part.buffers[b].size = 0;
        }
        return part;
    }

    const Problem& problem_;
    Problem one_; ///< the problem of proofs of complete choices
    std::optional<Bytes> total_;
    std::uint64_t nodeLimit_, nodes_ = 0;
    const std::function<bool()>& stop_;
    std::vector<PoolId> pool_;
    std::vector<BufferId> order_;
    std::vector<Change> changes_; ///< by step
    std::string log_;
};

} // namespace

Expected<std::string> writePoolProof(const Problem& problem, std::uint64_t nodeLimit, const std::function<bool()>& stop)
{
    return PoolProof(problem, std::nullopt, nodeLimit, stop).run();
}

Expected<std::string> writeSumProof(const Problem& problem, Bytes total, std::uint64_t nodeLimit,
                                    const std::function<bool()>& stop)
{
    return PoolProof(problem, total, nodeLimit, stop).run();
}

} // namespace stowage::exact

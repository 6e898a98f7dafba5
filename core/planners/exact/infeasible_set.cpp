#include "core/planners/exact/infeasible_set.h"

#include "core/planners/exact/pool_search.h"

#include <algorithm>

namespace stowage::exact {

namespace {

enum class Answer : std::uint8_t { fits, doesNot, unknown };

class Filter {
public:
    Filter(const Problem& problem, PoolId pool, Bytes capacity, const InfeasibleSetLimits& limits)
        : problem_(problem), pool_(pool), capacity_(capacity), limits_(limits)
    {
    }

    Expected<std::optional<InfeasibleSet>> run(std::span<const BufferId> members)
    {
        InfeasibleSet set;
        set.buffers.assign(members.begin(), members.end());
        std::sort(set.buffers.begin(), set.buffers.end());
        std::erase_if(set.buffers, [&](BufferId id) { return problem_.buffers[static_cast<std::size_t>(id)].size == 0; });
        if (ask(set.buffers) != Answer::doesNot) return finish(std::nullopt);
        // The small ones first: a set of few large buffers says more.
        std::stable_sort(set.buffers.begin(), set.buffers.end(), [&](BufferId a, BufferId b) { return sizeOf(a) < sizeOf(b); });
        for (std::size_t chunk = std::max<std::size_t>(1, set.buffers.size() / 2);; chunk /= 2) {
            bool allNeeded = true;
            for (std::size_t begin = 0; begin < set.buffers.size();) {
                std::vector<BufferId> rest = set.buffers;
                const std::size_t end = std::min(begin + chunk, rest.size());
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(begin), rest.begin() + static_cast<std::ptrdiff_t>(end));
                const Answer answer = rest.empty() ? Answer::fits : ask(rest);
                if (answer == Answer::doesNot) set.buffers = std::move(rest);
                else begin = end;
                allNeeded &= answer != Answer::unknown;
                if (error_) return *error_;
            }
            if (chunk == 1) {
                set.irreducible = allNeeded;
                break;
            }
        }
        std::sort(set.buffers.begin(), set.buffers.end());
        PoolLayout layout;
        search(set.buffers, std::nullopt, layout);
        if (layout.closed()) set.needs = layout.size;
        return finish(std::move(set));
    }

private:
    [[nodiscard]] Bytes sizeOf(BufferId id) const { return problem_.buffers[static_cast<std::size_t>(id)].size; }

    Expected<std::optional<InfeasibleSet>> finish(std::optional<InfeasibleSet> set)
    {
        if (error_) return *error_;
        if (set) set->nodes = nodes_;
        return set;
    }
    void search(const std::vector<BufferId>& members, std::optional<Bytes> enough, PoolLayout& layout)
    {
        PoolLimits own;
        own.seed = limits_.seed;
        own.nodes = limits_.nodesEach;
        own.enough = enough;
        own.stop = limits_.stop;
        auto nodes = minimisePool(problem_, pool_, members, nullptr, own, layout);
        if (!nodes) error_ = nodes.error();
        else nodes_ += *nodes;
    }
    Answer ask(const std::vector<BufferId>& members)
    {
        if (nodes_ > limits_.nodes || (limits_.stop && limits_.stop())) return Answer::unknown;
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
    std::uint64_t nodes_ = 0;
    std::optional<Error> error_;
};

} // namespace

Expected<std::optional<InfeasibleSet>> infeasibleSet(const Problem& problem, PoolId pool, std::span<const BufferId> members, Bytes capacity,
                                                     const InfeasibleSetLimits& limits)
{
    return Filter(problem, pool, capacity, limits).run(members);
}

} // namespace stowage::exact

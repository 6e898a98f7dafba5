#include "core/explain/reduce.h"

#include "core/ir/occupied.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace stowage {

namespace {

class Reducer {
public:
    Reducer(const Problem& problem, const Shows& shows, const ReduceOptions& options) : shows_(shows), options_(options)
    {
        result_.problem = problem;
    }

    ReduceResult run()
    {
        leaveOutBuffers();
        result_.minimal = !result_.stopped;
        if (options_.simplify && !result_.stopped) {
            const std::size_t before = result_.problem.buffers.size();
            simplifyBuffers();
            leaveOutPools();
            renumberSteps();
            // After a simplification, further buffers may be removable.
            if (!result_.stopped) leaveOutBuffers();
            result_.minimal = !result_.stopped && result_.problem.buffers.size() <= before;
        }
        return std::move(result_);
    }

private:
    [[nodiscard]] bool over()
    {
        result_.stopped =
            result_.stopped || (options_.tests > 0 && result_.tests >= options_.tests) || (options_.stop && options_.stop());
        return result_.stopped;
    }

    /// Replaces the problem by `smaller` if it has the property.
    bool take(Problem smaller)
    {
        for (const Diagnostic& diagnostic : checkAndRepair(smaller))
            if (diagnostic.severity == Severity::error) return false;
        ++result_.tests;
        const bool shows = shows_(smaller);
        if (shows) result_.problem = std::move(smaller);
        if (options_.progress) options_.progress(result_.problem.buffers.size(), result_.tests);
        return shows;
    }

    void leaveOutBuffers()
    {
        // In order of begin, so that each group has buffers that are live at about the same time.
        std::vector<BufferId> order(result_.problem.buffers.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) {
            return result_.problem.buffers[at(a)].hull().begin < result_.problem.buffers[at(b)].hull().begin;
        });
        const Problem all = result_.problem;
        for (std::size_t part = std::max<std::size_t>(1, order.size() / 2); !order.empty();) {
            bool removed = false;
            for (std::size_t begin = 0; begin < order.size();) {
                if (over()) return;
                const std::size_t end = std::min(order.size(), begin + part);
                std::vector<BufferId> rest;
                for (std::size_t k = 0; k < order.size(); ++k)
                    if (k < begin || k >= end) rest.push_back(order[k]);
                std::vector<BufferId> keep = rest;
                std::sort(keep.begin(), keep.end());
                if (!take(subproblem(all, keep))) {
                    begin = end;
                    continue;
                }
                order = std::move(rest);
                removed = true;
            }
            if (part == 1 && !removed) break;
            if (part > 1) part = std::min(part / 2, std::max<std::size_t>(1, order.size() / 2));
        }
    }

    /// Simplifies one detail: first of all buffers at once, which mostly works, then of one buffer at a time.
    template <typename Change>
    void tryEach(Change change)
    {
        Problem all = result_.problem;
        bool any = false;
        for (Buffer& buffer : all.buffers) any |= change(buffer);
        if (!any || over() || take(std::move(all))) return;
        for (std::size_t b = 0; b < result_.problem.buffers.size() && !over(); ++b) {
            Problem one = result_.problem;
            if (change(one.buffers[b])) take(std::move(one));
        }
    }

    void simplifyBuffers()
    {
        tryEach([](Buffer& b) { return std::exchange(b.pin, std::nullopt).has_value(); });
        tryEach([](Buffer& b) { return dropWindows(b); });
        tryEach([](Buffer& b) { return std::exchange(b.slots, 1) != 1; });
        tryEach([](Buffer& b) { return dropCarried(b); });
        tryEach([](Buffer& b) { return dropEarly(b); });
        tryEach([](Buffer& b) { return std::exchange(b.unique, false); });
        tryEach([](Buffer& b) { return std::exchange(b.scope, none) != none; });
        tryEach([](Buffer& b) { return b.slots == 1 && !b.isCarried() && std::exchange(b.loop, none) != none; });
        tryEach([](Buffer& b) {
            const bool any = b.dma || b.scalar || !b.members.empty();
            b.dma = b.scalar = false;
            b.members.clear();
            return any;
        });
        tryEach([](Buffer& b) { return std::exchange(b.traffic, Traffic{}).known(); });
        tryEach([](Buffer& b) { return std::exchange(b.alignment, 1) != 1; });
        tryEach([](Buffer& b) {
            if (b.pools.size() < 2) return false;
            b.pools.erase(b.pools.begin() + 1, b.pools.end());
            return true;
        });
        tryEach([](Buffer& b) { // one range, from the first step to the last
            if (b.live.size() < 2) return false;
            setLive(b, {b.hull()});
            return true;
        });
        // A pair is removed from the lists of both buffers.
        for (const bool share : {false, true})
            for (std::size_t b = 0; b < result_.problem.buffers.size() && !over(); ++b) {
                Problem one = result_.problem;
                const auto list = [&](std::size_t id) -> auto&
                {
                    return share ? one.buffers[id].mayShare : one.buffers[id].conflicts;
                };
                if (list(b).empty()) continue;
                for (const BufferId other : list(b)) eraseEqual(list(at(other)), static_cast<BufferId>(b));
                list(b).clear();
                take(std::move(one));
            }
    }

    void leaveOutPools()
    {
        for (std::size_t p = result_.problem.pools.size(); p-- > 0 && result_.problem.pools.size() > 1;) {
            if (over()) return;
            Problem one = result_.problem;
            one.pools.erase(one.pools.begin() + static_cast<std::ptrdiff_t>(p));
            bool possible = true;
            for (Buffer& buffer : one.buffers) {
                const bool named = !buffer.pools.empty();
                eraseEqual(buffer.pools, static_cast<PoolId>(p));
                possible &= !named || !buffer.pools.empty();
                for (PoolId& pool : buffer.pools) pool -= pool > static_cast<PoolId>(p);
            }
            if (possible) take(std::move(one));
        }
        // Removes loops and scopes without buffers.
        Problem one = result_.problem;
        if (std::none_of(one.buffers.begin(), one.buffers.end(), [](const Buffer& b) { return b.loop != none; }))
            one.loops.clear();
        if (std::none_of(one.buffers.begin(), one.buffers.end(), [](const Buffer& b) { return b.scope != none; }))
            one.scopes.clear();
        if (!(one == result_.problem) && !over()) take(std::move(one));
        for (std::size_t p = result_.problem.penalties.size(); p-- > 0 && !over();) {
            one = result_.problem;
            one.penalties.erase(one.penalties.begin() + static_cast<std::ptrdiff_t>(p));
            take(std::move(one));
        }
    }

    /// Renumbers the steps at which a range begins or ends to 0, 1, 2, … Ranges that overlap still do, and no others.
    void renumberSteps()
    {
        Problem one = result_.problem;
        std::vector<Step> steps;
        const auto visit = [](Problem& problem, auto f) {
            for (Buffer& buffer : problem.buffers) forEachRange(buffer, f);
            for (Loop& loop : problem.loops) f(loop.live);
            for (Scope& scope : problem.scopes)
                for (Interval& range : scope.live) f(range);
        };
        visit(one, [&](Interval& range) { steps.push_back(range.begin), steps.push_back(range.end); });
        std::sort(steps.begin(), steps.end());
        steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
        const auto number = [&](Step step) {
            return static_cast<Step>(std::lower_bound(steps.begin(), steps.end(), step) - steps.begin());
        };
        visit(one, [&](Interval& range) { range = {number(range.begin), number(range.end)}; });
        if (!(one == result_.problem) && !over()) take(std::move(one));
    }

    const Shows& shows_;
    const ReduceOptions& options_;
    ReduceResult result_;
};

} // namespace

Problem subproblem(const Problem& problem, std::span<const BufferId> keep)
{
    Problem result;
    result.name = problem.name;
    result.axis = problem.axis;
    result.pools = problem.pools;
    result.loops = problem.loops;
    result.scopes = problem.scopes;
    std::vector<BufferId> number(problem.buffers.size(), none);
    for (std::size_t k = 0; k < keep.size(); ++k) number[at(keep[k])] = static_cast<BufferId>(k);
    result.buffers.reserve(keep.size());
    for (const BufferId id : keep) {
        Buffer& buffer = result.buffers.emplace_back(problem.buffers[at(id)]);
        for (auto* list : {&buffer.conflicts, &buffer.mayShare}) {
            for (BufferId& other : *list) other = number[at(other)];
            eraseEqual(*list, none); // the remaining elements stay in order
        }
    }
    for (ReusePenalty penalty : problem.penalties) {
        penalty.first = number[at(penalty.first)];
        penalty.second = number[at(penalty.second)];
        if (penalty.first == none || penalty.second == none) continue;
        if (penalty.first > penalty.second) std::swap(penalty.first, penalty.second);
        result.penalties.push_back(penalty);
    }
    return result;
}

ReduceResult reduceProblem(const Problem& problem, const Shows& shows, const ReduceOptions& options)
{
    return Reducer(problem, shows, options).run();
}

} // namespace stowage

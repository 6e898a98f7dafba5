// Checks and repairs a problem before it is planned.
#include "core/ir/checked.h"
#include "core/ir/duplicate_names.h"
#include "core/ir/limits.h"
#include "core/ir/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace stowage {

namespace {

constexpr std::size_t maxMessages = 100;
/// Maximum number of conflicts that are added from the live ranges of a `dag` problem. A file that needs more probably has no
/// conflicts at all.
constexpr std::size_t maxCompletedPairs = 50'000'000;

template <typename List>
bool inRange(Id id, const List& things)
{
    return id >= 0 && static_cast<std::size_t>(id) < things.size();
}

class Checker {
public:
    Checker(Problem& problem, const std::function<Position(BufferId)>& where) : problem_(problem), where_(where) {}

    Diagnostics run()
    {
        checkPools();
        checkLoops();
        checkScopes();
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) checkBuffer(static_cast<BufferId>(b));
        checkNames();
        checkPenalties();
        if (!failed_) {
            closeConflicts();
            closeSharing();
            if (problem_.axis == Axis::dag) completeDag();
        }
        if (suppressed_ > 0)
            messages_.push_back({failed_ ? Severity::error : Severity::warning,
                                 Code::more,
                                 fmt::format("{} more messages like these", suppressed_),
                                 {},
                                 {}});
        return std::move(messages_);
    }

private:
    void error(Code code, std::string message, Position where = {}, std::string remedy = {})
    {
        failed_ = true;
        if (messages_.size() >= maxMessages)
            ++suppressed_;
        else
            messages_.push_back({Severity::error, code, std::move(message), std::move(where), std::move(remedy)});
    }
    void warn(Code code, std::string message, Position where = {}, std::string remedy = {})
    {
        if (messages_.size() >= maxMessages)
            ++suppressed_;
        else
            messages_.push_back({Severity::warning, code, std::move(message), std::move(where), std::move(remedy)});
    }
    Position place(BufferId b) const { return where_ ? where_(b) : Position{}; }
    Buffer& buffer(BufferId b) { return problem_.buffers[static_cast<std::size_t>(b)]; }
    /// An error of a buffer: "buffer 'a': …".
    void wrong(BufferId b, Code code, std::string_view message, std::string remedy = {})
    {
        error(code, fmt::format("buffer '{}': {}", buffer(b).name, message), place(b), std::move(remedy));
    }

    void checkPools();
    void checkLoops();
    void checkScopes();
    void checkBuffer(BufferId b);
    void checkRanges(BufferId b);
    void checkWindows(BufferId b);
    void checkCarried(BufferId b);
    [[nodiscard]] bool inside(LoopId loop, LoopId around) const;
    void checkPlace(BufferId b);
    void checkReferences(BufferId b, RareList<BufferId>& ids, std::string_view what);
    void checkNames();
    void checkPenalties();
    void closeConflicts();
    void closeSharing();
    void completeDag();

    Problem& problem_;
    const std::function<Position(BufferId)>& where_;
    Diagnostics messages_;
    std::size_t suppressed_ = 0;
    bool failed_ = false;
    /// Workspace pools, the candidates of buffers that name no pool; one pool for each alignment.
    std::vector<PoolId> workspaces_;
    Bytes sum_ = 0;
};

void Checker::checkPools()
{
    if (problem_.pools.empty()) error(Code::noPool, "the problem has no pool", {}, "name at least one pool, or choose a target");
    std::unordered_set<std::string_view> names;
    for (const Pool& pool : problem_.pools) {
        if (pool.name.empty())
            error(Code::noName, "a pool has no name");
        else if (!names.insert(pool.name).second)
            error(Code::duplicateName, fmt::format("there are two pools named '{}'", pool.name));
        if (pool.alignment < 1 || pool.alignment > maxBytes)
            error(Code::outOfRange, fmt::format("pool '{}': the alignment is {}, outside 1 to 2^62", pool.name, pool.alignment));
        if (pool.capacity && (*pool.capacity < 0 || *pool.capacity > maxBytes))
            error(Code::outOfRange, fmt::format("pool '{}': the capacity is {}, outside 0 to 2^62", pool.name, *pool.capacity));
    }
    std::unordered_set<Bytes> alignments;
    for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool)
        if (problem_.pools[pool].kind == PoolKind::workspace && alignments.insert(problem_.pools[pool].alignment).second)
            workspaces_.push_back(static_cast<PoolId>(pool));
}

void Checker::checkScopes()
{
    for (Scope& scope : problem_.scopes) {
        for (const Interval& steps : scope.live)
            if (steps.begin < 0 || steps.end > maxBytes || steps.empty())
                error(Code::badScope,
                      fmt::format("operator '{}': [{}, {}) is not a range of steps", scope.name, steps.begin, steps.end));
        std::sort(scope.live.begin(), scope.live.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
        for (std::size_t i = 1; i < scope.live.size(); ++i)
            if (scope.live[i].begin < scope.live[i - 1].end)
                error(Code::badScope,
                      fmt::format("operator '{}': two of its calls overlap at step {}", scope.name, scope.live[i].begin));
    }
}

void Checker::checkPenalties()
{
    std::vector<ReusePenalty>& penalties = problem_.penalties;
    for (ReusePenalty& penalty : penalties) {
        if (penalty.first > penalty.second) std::swap(penalty.first, penalty.second);
        if (!inRange(penalty.first, problem_.buffers) || !inRange(penalty.second, problem_.buffers) ||
            penalty.first == penalty.second)
            error(Code::unknownBuffer,
                  fmt::format("a penalty is for the buffers {} and {}, which are not two buffers of the problem", penalty.first,
                              penalty.second));
        if (penalty.cost < 0 || penalty.cost > maxBytes)
            error(Code::outOfRange, fmt::format("a penalty costs {}, outside 0 to 2^62", penalty.cost));
    }
    std::sort(penalties.begin(), penalties.end(), [](const ReusePenalty& a, const ReusePenalty& b) {
        return std::pair(a.first, a.second) < std::pair(b.first, b.second);
    });
    std::size_t kept = 0;
    for (const ReusePenalty& penalty : penalties)
        if (kept > 0 && penalties[kept - 1].first == penalty.first && penalties[kept - 1].second == penalty.second)
            penalties[kept - 1].cost = std::min(maxBytes, penalties[kept - 1].cost + penalty.cost);
        else
            penalties[kept++] = penalty;
    penalties.resize(kept);
}

void Checker::checkLoops()
{
    for (std::size_t l = 0; l < problem_.loops.size(); ++l) {
        const Loop& loop = problem_.loops[l];
        if (loop.live.begin < 0 || loop.live.end > maxBytes || loop.live.empty())
            error(Code::badLoop,
                  fmt::format("loop '{}': [{}, {}) is not a range of steps", loop.name, loop.live.begin, loop.live.end));
        if (loop.tripCount && *loop.tripCount < 0)
            error(Code::outOfRange, fmt::format("loop '{}': the trip count is {}", loop.name, *loop.tripCount));
        if (loop.parent == none) continue;
        if (!inRange(loop.parent, problem_.loops)) {
            error(Code::badLoop, fmt::format("loop '{}': there is no loop {} around it", loop.name, loop.parent));
            continue;
        }
        const Loop& parent = problem_.loops[static_cast<std::size_t>(loop.parent)];
        if (loop.parent >= static_cast<LoopId>(l))
            error(Code::badLoop,
                  fmt::format("loop '{}': the loop around it, '{}', must be listed before it", loop.name, parent.name));
        else if (parent.live.begin > loop.live.begin || parent.live.end < loop.live.end)
            error(Code::badLoop, fmt::format("loop '{}' is not inside '{}'", loop.name, parent.name));
    }
}

void Checker::checkBuffer(BufferId b)
{
    const Buffer& it = buffer(b);
    if (it.name.empty()) error(Code::noName, fmt::format("buffer {} has no name", b), place(b));
    if (it.size < 0 || it.size > maxBytes) wrong(b, Code::outOfRange, fmt::format("the size is {}, outside 0 to 2^62", it.size));
    if (it.alignment < 1 || it.alignment > maxBytes)
        wrong(b, Code::outOfRange, fmt::format("the alignment is {}, outside 1 to 2^62", it.alignment));
    if (it.slots < 1 || it.slots > maxSlots)
        wrong(b, Code::outOfRange, fmt::format("the number of slots is {}, outside 1 to {}", it.slots, maxSlots));
    if (it.loop != none && !inRange(it.loop, problem_.loops)) wrong(b, Code::badLoop, "its loop does not exist");
    if (it.scope != none && !inRange(it.scope, problem_.scopes)) wrong(b, Code::badScope, "its operator does not exist");
    const Traffic& moved = it.traffic;
    for (const std::int64_t value : {moved.read, moved.written, moved.reads, moved.writes})
        if (value < 0 || value > maxBytes) wrong(b, Code::outOfRange, fmt::format("{} is not a valid amount of traffic", value));
    checkRanges(b);
    checkWindows(b);
    checkCarried(b);
    checkReferences(b, buffer(b).conflicts, "conflict");
    checkReferences(b, buffer(b).mayShare, "share");
    checkPlace(b);
}

void Checker::checkRanges(BufferId b)
{
    ShortList<Interval>& live = buffer(b).live;
    for (const Interval& range : live)
        if (range.begin < 0 || range.end > maxBytes || range.empty())
            return wrong(b, Code::badLiveRange, fmt::format("[{}, {}) is not a range of steps", range.begin, range.end),
                         "live ranges are half-open: the end is one past the last step");
    if (live.size() < 2) return;
    const auto before = [](const Interval& x, const Interval& y) { return x.begin < y.begin; };
    if (!std::is_sorted(live.begin(), live.end(), before)) std::stable_sort(live.begin(), live.end(), before);
    bool overlapping = false;
    std::size_t last = 0;
    for (std::size_t i = 1; i < live.size(); ++i) {
        if (live[i].begin > live[last].end) {
            live[++last] = live[i];
            continue;
        }
        overlapping |= live[i].begin < live[last].end;
        live[last].end = std::max(live[last].end, live[i].end);
    }
    live.resize(last + 1);
    if (overlapping)
        warn(Code::overlappingRanges, fmt::format("buffer '{}': its live ranges overlap; they were united", buffer(b).name),
             place(b));
}

void Checker::checkWindows(BufferId b)
{
    Buffer& it = buffer(b);
    if (it.windows.empty()) return;
    std::stable_sort(it.windows.begin(), it.windows.end(),
                     [](const Window& x, const Window& y) { return x.live.begin < y.live.begin; });
    const Interval hull = it.hull();
    auto range = it.live.begin();
    Step free = 0; // first step at which the next window may begin
    for (const Window& window : it.windows) {
        if (window.low < 0 || window.high > it.size || window.low >= window.high)
            return wrong(
                b, Code::badWindow,
                fmt::format("the bytes [{}, {}) of a window are not inside its {} bytes", window.low, window.high, it.size));
        if (window.live.empty())
            return wrong(b, Code::badWindow, fmt::format("[{}, {}) is not a range of steps", window.live.begin, window.live.end));
        if (window.live.begin < free)
            return wrong(b, Code::badWindow, fmt::format("two windows overlap at step {}", window.live.begin));
        free = window.live.end;
        while (range != it.live.end() && range->end <= window.live.begin) ++range;
        const bool inGap = window.live.begin >= hull.begin && range != it.live.end() && window.live.end <= range->begin;
        if (!inGap)
            return wrong(
                b, Code::badWindow,
                fmt::format("the window over [{}, {}) is not in a hole between live ranges", window.live.begin, window.live.end));
    }
}

/// True if `loop` is `around` or nested in it. False for invalid ids.
bool Checker::inside(LoopId loop, LoopId around) const
{
    while (inRange(loop, problem_.loops) && loop != around) {
        const LoopId parent = problem_.loops[static_cast<std::size_t>(loop)].parent;
        loop = parent < loop ? parent : none;
    }
    return loop == around && loop != none;
}

void Checker::checkCarried(BufferId b)
{
    const Buffer& it = buffer(b);
    for (const Carried& carried : it.carried) {
        if (it.loop == none) return wrong(b, Code::badCarried, "it has carried values, but belongs to no loop");
        if (!inRange(it.loop, problem_.loops)) return; // already reported
        const LoopId round = carried.loop == none ? it.loop : carried.loop;
        if (!inRange(round, problem_.loops) || !inside(it.loop, round))
            return wrong(b, Code::badCarried, "the loop of a carried value is not around its own loop");
        const Interval& loop = problem_.loops[static_cast<std::size_t>(round)].live;
        if (carried.distance < 1)
            return wrong(b, Code::badCarried, fmt::format("a carried value has a distance of {} iterations", carried.distance));
        if (carried.live.empty() || carried.live.begin < loop.begin ||
            (carried.live.begin < loop.end && carried.live.end > loop.end) || carried.live.end > maxBytes)
            return wrong(b, Code::badCarried,
                         fmt::format("the range [{}, {}) of a carried value is not inside its loop", carried.live.begin,
                                     carried.live.end));
        if (carried.when.loop == none) continue;
        if (!inRange(carried.when.loop, problem_.loops) || carried.when.iteration < 0 || carried.when.loop == round ||
            !inside(carried.when.loop, round) ||
            carried.live.begin < problem_.loops[static_cast<std::size_t>(carried.when.loop)].live.begin ||
            carried.live.end > problem_.loops[static_cast<std::size_t>(carried.when.loop)].live.end)
            return wrong(b, Code::badCarried, "the iteration of a carried value is not one of an inner loop");
    }
    for (const Early& early : it.early) {
        const LoopId turning = early.when.loop;
        if (!inRange(turning, problem_.loops) || early.when.iteration < 0)
            return wrong(b, Code::badEarly, "an early range names no iteration of a loop");
        const Interval& loop = problem_.loops[static_cast<std::size_t>(turning)].live;
        if (early.live.empty() || early.live.begin < loop.begin || (early.live.begin < loop.end && early.live.end > loop.end) ||
            early.live.end > maxBytes)
            return wrong(b, Code::badEarly,
                         fmt::format("[{}, {}) is neither inside the loop of its iteration nor after it", early.live.begin,
                                     early.live.end));
        const auto within = [&](const Interval& live) { return live.begin <= early.live.begin && early.live.end <= live.end; };
        if (std::none_of(it.live.begin(), it.live.end(), within))
            return wrong(b, Code::badEarly,
                         fmt::format("the early range [{}, {}) is not inside a live range", early.live.begin, early.live.end));
        if (inside(it.loop, turning)) return wrong(b, Code::badEarly, "an early range is in a loop that the buffer belongs to");
    }
}

void Checker::checkPlace(BufferId b)
{
    const Buffer& it = buffer(b);
    std::unordered_set<PoolId> seen;
    for (const PoolId pool : it.pools) {
        if (!inRange(pool, problem_.pools)) return wrong(b, Code::unknownPool, fmt::format("there is no pool {}", pool));
        if (!seen.insert(pool).second)
            return wrong(b, Code::duplicatePool,
                         fmt::format("pool '{}' is named twice", problem_.pools[static_cast<std::size_t>(pool)].name));
    }
    if (failed_) return; // the rest requires valid sizes and alignments
    if (it.pools.empty() && workspaces_.empty())
        return wrong(b, Code::noPool, "it has no candidate pool, and there is no workspace pool",
                     "name a pool for it, or add a workspace pool");
    Bytes widest = 1;
    bool pinAligned = !it.pin;
    for (const PoolId pool : it.pools.empty() ? std::span<const PoolId>(workspaces_) : it.pools) {
        const Pool& at = problem_.pools[static_cast<std::size_t>(pool)];
        const auto alignment = checkedLcm(it.alignment, at.alignment);
        if (!alignment)
            return wrong(b, Code::outOfRange,
                         fmt::format("its alignment {} and that of pool '{}', {}, have no common multiple up to 2^62",
                                     it.alignment, at.name, at.alignment));
        widest = std::max(widest, *alignment);
        pinAligned |= it.pin && *it.pin % *alignment == 0;
    }
    if (it.pin && (*it.pin < 0 || *it.pin > maxBytes - it.size))
        return wrong(b, Code::outOfRange, fmt::format("it is pinned at {}, outside 0 to 2^62", *it.pin));
    if (!pinAligned)
        return wrong(b, Code::misalignedPin,
                     fmt::format("it is pinned at {}, which is not a multiple of its alignment", *it.pin));

    // All buffers end to end must fit into 2^62 bytes: then no sum of sizes in a planner can overflow.
    const auto all = checkedMultiply(alignUp(it.size, widest), it.slots);
    const auto sum = all ? checkedAdd(sum_, *all) : std::nullopt;
    if (!sum || *sum > maxBytes) return wrong(b, Code::outOfRange, "up to here the sizes add up to more than 2^62 bytes");
    sum_ = *sum;
}

void Checker::checkReferences(BufferId b, RareList<BufferId>& ids, std::string_view what)
{
    if (ids.empty()) return;
    for (const BufferId id : ids)
        if (!inRange(id, problem_.buffers))
            return wrong(b, Code::unknownBuffer, fmt::format("there is no buffer {} for it to {} with", id, what));
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (const auto self = std::lower_bound(ids.begin(), ids.end(), b); self != ids.end() && *self == b) {
        ids.erase(self);
        warn(Code::selfReference, fmt::format("buffer '{}' names itself to {} with; that was left out", buffer(b).name, what),
             place(b));
    }
}

void Checker::checkNames()
{
    const auto nameOf = [&](std::size_t b) -> std::string_view { return problem_.buffers[b].name; };
    for (const DuplicateName& duplicate : duplicateNames(problem_.buffers.size(), nameOf)) {
        const Position at = place(static_cast<BufferId>(duplicate.first));
        error(Code::duplicateName,
              fmt::format("there are two buffers named '{}'{}", nameOf(duplicate.number),
                          at.line > 0 ? fmt::format(", the first in line {}", at.line) : ""),
              place(static_cast<BufferId>(duplicate.number)));
    }
}

/// Adds the missing reverse entries of `list` and returns their number; `example` is one of them.
template <typename Member>
std::size_t closeSymmetrically(BorrowingList<Buffer>& buffers, Member list, std::pair<BufferId, BufferId>& example)
{
    std::vector<std::pair<BufferId, BufferId>> missing; // (where, what)
    for (std::size_t a = 0; a < buffers.size(); ++a)
        for (const BufferId b : buffers[a].*list) {
            const RareList<BufferId>& back = buffers[static_cast<std::size_t>(b)].*list;
            if (!std::binary_search(back.begin(), back.end(), static_cast<BufferId>(a)))
                missing.emplace_back(b, static_cast<BufferId>(a));
        }
    if (missing.empty()) return 0;
    example = missing.front();
    for (const auto& [where, what] : missing) (buffers[static_cast<std::size_t>(where)].*list).push_back(what);
    std::sort(missing.begin(), missing.end());
    for (std::size_t i = 0; i < missing.size(); ++i)
        if (i == 0 || missing[i].first != missing[i - 1].first) {
            RareList<BufferId>& grown = buffers[static_cast<std::size_t>(missing[i].first)].*list;
            std::sort(grown.begin(), grown.end());
        }
    return missing.size();
}

void Checker::closeConflicts()
{
    std::pair<BufferId, BufferId> example;
    const std::size_t added = closeSymmetrically(problem_.buffers, &Buffer::conflicts, example);
    if (added == 0) return;
    const std::string more = added == 1 ? "" : fmt::format(" (and {} more)", added - 1);
    warn(Code::oneSidedConflict,
         fmt::format("'{}' conflicts with '{}', but not the other way round{}; completed", buffer(example.second).name,
                     buffer(example.first).name, more),
         place(example.second));
}

void Checker::closeSharing()
{
    std::pair<BufferId, BufferId> example;
    closeSymmetrically(problem_.buffers, &Buffer::mayShare, example);
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        Buffer& it = problem_.buffers[b];
        if (it.mayShare.empty()) continue;
        const auto contradicted = [&](BufferId other) {
            return it.unique || buffer(other).unique || std::binary_search(it.conflicts.begin(), it.conflicts.end(), other);
        };
        const auto end = std::remove_if(it.mayShare.begin(), it.mayShare.end(), [&](BufferId other) {
            if (!contradicted(other)) return false;
            if (other > static_cast<BufferId>(b))
                warn(Code::contradiction,
                     fmt::format("'{}' and '{}' may share, but conflict or are unique; they will not share", it.name,
                                 buffer(other).name),
                     place(static_cast<BufferId>(b)));
            return true;
        });
        it.mayShare.erase(end, it.mayShare.end());
    }
}

/// Adds conflicts between buffers that are live together in the order shown: they are live together in at least one order.
void Checker::completeDag()
{
    struct Range {
        Interval live;
        BufferId buffer;
    };
    std::vector<Range> ranges;
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b)
        if (problem_.buffers[b].size > 0)
            for (const Interval& live : problem_.buffers[b].live) ranges.push_back({live, static_cast<BufferId>(b)});
    std::sort(ranges.begin(), ranges.end(), [](const Range& x, const Range& y) {
        return std::pair(x.live.begin, x.buffer) < std::pair(y.live.begin, y.buffer);
    });
    std::vector<std::pair<BufferId, BufferId>> missing;
    std::vector<Range> active;
    for (const Range& range : ranges) {
        std::erase_if(active, [&](const Range& other) { return other.live.end <= range.live.begin; });
        for (const Range& other : active)
            if (!conflict(problem_, range.buffer, other.buffer) && range.buffer != other.buffer) {
                const RareList<BufferId>& share = buffer(range.buffer).mayShare;
                if (!std::binary_search(share.begin(), share.end(), other.buffer))
                    missing.emplace_back(range.buffer, other.buffer);
            }
        if (missing.size() > maxCompletedPairs)
            return error(Code::tooManyConflicts,
                         fmt::format("more than {} pairs are live together without a conflict entry", maxCompletedPairs), {},
                         "a dag problem needs explicit conflicts");
        active.push_back(range);
    }
    for (auto& [a, b] : missing)
        if (a > b) std::swap(a, b);
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    if (missing.empty()) return;
    for (const auto& [a, b] : missing) {
        buffer(a).conflicts.push_back(b);
        buffer(b).conflicts.push_back(a);
    }
    for (Buffer& it : problem_.buffers) std::sort(it.conflicts.begin(), it.conflicts.end());
    const auto& [a, b] = missing.front();
    const std::string more = missing.size() == 1 ? "" : fmt::format(" (and {} more pairs)", missing.size() - 1);
    warn(Code::incompleteConflicts,
         fmt::format("'{}' and '{}' are live together in the order shown, but do not conflict{}; completed", buffer(a).name,
                     buffer(b).name, more),
         place(a));
}

} // namespace

Diagnostics checkAndRepair(Problem& problem, const std::function<Position(BufferId)>& where)
{
    return Checker(problem, where).run();
}

} // namespace stowage

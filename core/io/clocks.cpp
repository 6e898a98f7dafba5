#include "core/io/clocks.h"

#include "core/ir/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace stowage::io {

namespace {

constexpr std::int64_t maxComparisons = 2'000'000'000;

/// The position of an event in the order shown: by the sum of its entries; for equal or too large sums, entry by entry. Both are
/// monotone.
struct Standing {
    std::uint64_t sum = 0;
    const std::vector<std::int64_t>* event = nullptr;

    friend bool operator<(const Standing& a, const Standing& b) { return a.sum != b.sum ? a.sum < b.sum : *a.event < *b.event; }
};

Standing standingOf(const std::vector<std::int64_t>& event)
{
    std::uint64_t sum = 0;
    for (const std::int64_t entry : event)
        if (sum == std::numeric_limits<std::uint64_t>::max() ||
            __builtin_add_overflow(sum, static_cast<std::uint64_t>(entry), &sum))
            sum = std::numeric_limits<std::uint64_t>::max();
    return {sum, &event};
}

/// True if event `a` happens before `b`: at most `b` in every entry, and less in one.
bool before(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b)
{
    bool less = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] > b[i]) return false;
        less |= a[i] < b[i];
    }
    return less;
}

Error ofBuffer(const Problem& problem, std::size_t b, Code code, const std::string& message, std::string remedy)
{
    return failure(code, fmt::format("buffer '{}': {}", problem.buffers[b].name, message),
                   {{}, 0, 0, static_cast<std::int64_t>(b)}, std::move(remedy));
}

} // namespace

std::optional<Error> applyClocks(Problem& problem, const std::vector<Clock>& clocks, ShownOrder order, std::size_t maxConflicts)
{
    const std::size_t count = clocks.size();
    const std::size_t entries = count > 0 ? clocks.front().first.size() : 0;
    for (std::size_t b = 0; b < count; ++b) {
        const auto& [first, last] = clocks[b];
        if (entries == 0 || first.size() != entries || last.size() != entries)
            return ofBuffer(problem, b, Code::wrongSize,
                            fmt::format("its clock has {} and {} entries; every event has as many as there are threads ({})",
                                        first.size(), last.size(), entries),
                            "Give an entry for each thread or stream, 0 for those that it did not hear of.");
        for (std::size_t i = 0; i < entries; ++i)
            if (last[i] < first[i])
                return ofBuffer(problem, b, Code::badRange,
                                fmt::format("entry {} of its clock goes back from {} to {}", i, first[i], last[i]),
                                "Its last event is the largest of all its uses, entry by entry.");
    }
    const auto pairs = static_cast<std::int64_t>(count) * static_cast<std::int64_t>(count) / 2;
    if (pairs > maxComparisons / static_cast<std::int64_t>(std::max<std::size_t>(1, entries)))
        return ofBuffer(problem, 0, Code::tooLarge,
                        fmt::format("{} buffers with clocks of {} entries are too many to compare in pairs",
                                    grouped(static_cast<std::int64_t>(count)), entries),
                        "Give live ranges over one order of the steps.");

    problem.axis = Axis::dag;
    std::vector<Standing> events;
    for (const Clock& clock : clocks) {
        if (order == ShownOrder::asGiven) break;
        events.push_back(standingOf(clock.first));
        events.push_back(standingOf(clock.last));
    }
    std::sort(events.begin(), events.end());
    const auto equal = [](const Standing& a, const Standing& b) { return !(a < b) && !(b < a); };
    events.erase(std::unique(events.begin(), events.end(), equal), events.end());
    const auto rank = [&](const std::vector<std::int64_t>& event) {
        return static_cast<Step>(std::lower_bound(events.begin(), events.end(), standingOf(event)) - events.begin());
    };
    std::size_t conflicts = 0;
    for (std::size_t a = 0; a < count; ++a) {
        if (order == ShownOrder::ofClocks) problem.buffers[a].live = {{rank(clocks[a].first), rank(clocks[a].last) + 1}};
        for (std::size_t b = a + 1; b < count; ++b) {
            if (before(clocks[a].last, clocks[b].first) || before(clocks[b].last, clocks[a].first)) continue;
            if (++conflicts > maxConflicts)
                return ofBuffer(problem, a, Code::tooManyConflicts,
                                fmt::format("more than {} pairs of buffers are in use at a time", grouped(maxConflicts)),
                                "Give live ranges over one order of the steps.");
            problem.buffers[a].conflicts.push_back(static_cast<BufferId>(b));
            problem.buffers[b].conflicts.push_back(static_cast<BufferId>(a));
        }
    }
    return std::nullopt;
}

} // namespace stowage::io

#include "tests/support/brute_check.h"

#include <algorithm>
#include <vector>

namespace stowage::test {

namespace {

constexpr std::int64_t iterations = 8; ///< of each loop; more than twice any period in the tests

/// A copy of a buffer in memory: which iteration made it, and the bytes that are occupied.
struct Copy {
    std::int64_t made = 0;
    Bytes low = 0;
    Bytes high = 0;
};

std::vector<Copy> occupied(const Buffer& buffer, const Placement& placement, Step step, std::int64_t iteration)
{
    const auto at = [&](std::int64_t made) { return placement.at(std::vector<std::int64_t>(placement.rotations.size(), made)); };
    std::vector<Copy> copies;
    for (const Interval& r : buffer.live)
        if (r.contains(step)) copies.push_back({iteration, at(iteration), at(iteration) + buffer.size});
    for (const Window& w : buffer.windows)
        if (w.live.contains(step)) copies.push_back({iteration, at(iteration) + w.low, at(iteration) + w.high});
    for (const Carried& c : buffer.carried)
        if (c.live.contains(step) && iteration >= c.distance) {
            const std::int64_t made = iteration - c.distance;
            copies.push_back({made, at(made), at(made) + buffer.size});
        }
    return copies;
}

bool lists(const std::vector<BufferId>& ids, std::size_t id)
{
    return std::find(ids.begin(), ids.end(), static_cast<BufferId>(id)) != ids.end();
}

bool common(const Copy& a, const Copy& b)
{
    return std::max(a.low, b.low) < std::min(a.high, b.high);
}

/// Every byte that a buffer may ever lie on.
std::vector<Copy> everywhere(const Buffer& buffer, const Placement& placement)
{
    std::vector<Copy> copies;
    if (placement.offsets.empty()) copies.push_back({0, placement.offset, placement.offset + buffer.size});
    for (const Bytes offset : placement.offsets) copies.push_back({0, offset, offset + buffer.size});
    return copies;
}

/// Then a loop's iterations may be planned one by one: copies lie where they are live, whatever lies there in other iterations.
bool carries(const Problem& problem)
{
    return std::any_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& buffer) { return !buffer.carried.empty(); });
}

std::string ofOne(const Problem& problem, const Plan& plan, std::size_t b)
{
    const Buffer& buffer = problem.buffers[b];
    const Placement& placement = plan.placements[b];
    if (!placement.placed()) return buffer.name + " is not placed";
    const std::vector<PoolId> candidates = problem.candidates(buffer);
    if (std::find(candidates.begin(), candidates.end(), placement.pool) == candidates.end())
        return buffer.name + " is in a wrong pool";
    if (buffer.pin && placement.offset != *buffer.pin) return buffer.name + " is not at its pin";
    if (static_cast<std::int32_t>(everywhere(buffer, placement).size()) < buffer.slots) return buffer.name + " lacks a slot";
    if (!placement.offsets.empty() && placement.offsets.front() != placement.offset)
        return buffer.name + " has two first offsets";
    const Pool& pool = problem.pools[static_cast<std::size_t>(placement.pool)];
    for (const Copy& copy : everywhere(buffer, placement)) {
        if (copy.low < 0) return buffer.name + " has a negative offset";
        if (copy.low % buffer.alignment != 0 || copy.low % pool.alignment != 0) return buffer.name + " is misaligned";
    }
    if (carries(problem)) return {};
    const std::vector<Copy> slots = everywhere(buffer, placement);
    for (std::size_t i = 0; i < slots.size(); ++i)
        for (std::size_t j = i + 1; j < slots.size(); ++j)
            if (common(slots[i], slots[j])) return buffer.name + " has slots on each other";
    for (Step step = 0; step < problem.horizon(); ++step)
        for (std::int64_t i = 0; i < iterations; ++i) {
            const std::vector<Copy> copies = occupied(buffer, placement, step, i);
            for (const Copy& x : copies)
                for (const Copy& y : copies)
                    if (x.made != y.made && common(x, y)) return buffer.name + " meets its own copy of another iteration";
        }
    return {};
}

std::string ofPair(const Problem& problem, const Plan& plan, std::size_t a, std::size_t b)
{
    const Buffer& first = problem.buffers[a];
    const Buffer& second = problem.buffers[b];
    if (plan.placements[a].pool != plan.placements[b].pool) return {};
    if (lists(first.mayShare, b) || lists(second.mayShare, a)) return {};
    const std::string both = first.name + " and " + second.name;
    if (first.unique || second.unique || lists(first.conflicts, b) || lists(second.conflicts, a)) {
        for (const Copy& x : everywhere(first, plan.placements[a]))
            for (const Copy& y : everywhere(second, plan.placements[b]))
                if (common(x, y)) return both + " conflict and overlap";
    }
    if (problem.axis == Axis::dag || carries(problem)) return {};
    for (Step step = 0; step < problem.horizon(); ++step)
        for (std::int64_t i = 0; i < iterations; ++i)
            for (std::int64_t j = 0; j < iterations; ++j) {
                if (first.loop == second.loop && i != j) continue; // in different loops any iterations may meet
                for (const Copy& x : occupied(first, plan.placements[a], step, i))
                    for (const Copy& y : occupied(second, plan.placements[b], step, j))
                        if (common(x, y)) return both + " overlap at step " + std::to_string(step);
            }
    return {};
}

} // namespace

std::string objection(const Problem& problem, const Plan& plan)
{
    if (plan.placements.size() != problem.buffers.size()) return "there is not one placement for each buffer";
    for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
        if (std::string wrong = ofOne(problem, plan, a); !wrong.empty()) return wrong;
        for (std::size_t b = a + 1; b < problem.buffers.size(); ++b)
            if (std::string wrong = ofPair(problem, plan, a, b); !wrong.empty()) return wrong;
    }
    return {};
}

} // namespace stowage::test

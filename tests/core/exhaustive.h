// Brute force over all plans of a small problem.
#pragma once

#include "core/ir/checked.h"
#include "core/plan/check.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <vector>

namespace stowage::test {

/// Is there a valid plan whose pools' sizes do not add up to more than `limit`? Tries all offsets of all buffers, slots and (for
/// carried values) rotations of period 1 and 2. `insideCapacities`: plans that exceed one do not count.
class Exhaustive {
public:
    Exhaustive(const Problem& problem, Bytes limit, bool insideCapacities = false)
        : problem_(problem), limit_(limit), insideCapacities_(insideCapacities)
    {
        plan_.placements.resize(problem.buffers.size());
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            Problem& first = firsts_.emplace_back(problem);
            first.buffers.resize(b + 1);
            for (Buffer& buffer : first.buffers)
                for (RareList<BufferId>* list : {&buffer.conflicts, &buffer.mayShare})
                    eraseIf(*list, [&](BufferId other) { return other > static_cast<BufferId>(b); });
        }
    }
    bool anyPlan() { return place(0); }

private:
    bool place(std::size_t b)
    {
        if (b == problem_.buffers.size()) {
            if (total() > limit_) return false;
            const Verdict verdict = check(problem_, plan_, 1);
            return verdict.valid() && !(insideCapacities_ && verdict.overCapacity);
        }
        const Buffer& it = problem_.buffers[b];
        for (const PoolId pool : problem_.candidates(it))
            for (std::int32_t period = it.slots; period <= (it.carried.empty() ? it.slots : std::max(it.slots, 2)); ++period) {
                Placement& at = plan_.placements[b];
                at = {.pool = pool};
                if (period > 1) {
                    at.rotations = {{.loop = it.loop, .period = period}};
                    at.offsets.assign(static_cast<std::size_t>(period), 0);
                }
                if (offsets(b, 0)) return true;
            }
        plan_.placements[b] = {};
        return false;
    }
    bool offsets(std::size_t b, std::size_t slot)
    {
        const Buffer& it = problem_.buffers[b];
        const std::size_t count = std::max<std::size_t>(1, plan_.placements[b].offsets.size());
        if (slot == count) {
            // Everything that collides already stays so: cut the search there. The checker is asked at every node, which is where
            // the time goes; so it sees the buffers placed so far and no others, and nothing is copied for it.
            return check(firsts_[b], plan_, 1).violations.empty() && place(b + 1);
        }
        const Bytes alignment = problem_.effectiveAlignment(it, plan_.placements[b].pool);
        // Slots are all held at once, so their order does not matter: one after the other.
        const Bytes from = slot > 0 && it.slots > 1 ? alignUp(plan_.placements[b].offsets[slot - 1] + it.size, alignment) : 0;
        for (Bytes offset = from; offset + it.size <= limit_; offset += alignment) {
            if (it.pin && slot == 0 && offset != *it.pin) continue;
            Placement& at = plan_.placements[b];
            if (slot == 0) at.offset = offset;
            if (!at.offsets.empty()) at.offsets[slot] = offset;
            if (offsets(b, slot + 1)) return true;
        }
        return false;
    }
    Bytes total() const
    {
        Bytes sum = 0;
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool) sum += plan_.poolSize(problem_, pool);
        return sum;
    }

    const Problem& problem_;
    Bytes limit_;
    bool insideCapacities_;
    Plan plan_;
    std::vector<Problem> firsts_; ///< [b]: the problem of the buffers up to b alone
};

} // namespace stowage::test

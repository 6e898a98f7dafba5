#include "core/plan/proof/check_proof.h"

#include "core/ir/checked.h"
#include "core/plan/one_iteration.h"
#include "core/plan/proof/check_proof_pairs.h"
#include "core/plan/proof/check_proof_pools.h"
#include "core/plan/proof/proof_lines.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace stowage {

namespace {

constexpr Bytes infinite = maxBytes;

/// One slot of a buffer, numbered as in the log, with its state after the lines read so far.
struct Slot {
    BufferId buffer = none;
    Bytes size = 0, alignment = 1;
    std::optional<Bytes> pin;
    std::vector<std::size_t> neighbours;
    // State.
    Bytes offset = -1; ///< -1: not placed
    Bytes release = 0;
    Bytes floor = 0; ///< lowest offset of a refused slot
    bool refused = false;
    bool active = true; ///< false: set aside by '@'
};

/// An old value, to undo a change.
struct Undo {
    std::size_t slot;
    Bytes offset, release, floor;
    bool refused, active;
};

class Verifier : private ProofLines {
public:
    Verifier(const Problem& problem, std::string_view log) : ProofLines(log), problem_(problem) {}

    Expected<ProvedImpossible> run()
    {
        if (auto error = head()) return *error;
        if (auto error = prepare()) return *error;
        bool done = initiallyRefuted_;
        while (!rest_.empty()) {
            const std::string_view line = next();
            if (line.empty()) continue;
            if (done) return wrong("the proof has ended before");
            const auto refuted = step(line);
            if (!refuted) return refuted.error();
            if (!*refuted) continue;
            if (open_.empty()) {
                done = true;
                continue;
            }
            // Second alternative of the last branch: the slot lies higher than its release.
            const Open branch = open_.back();
            open_.pop_back();
            undo(branch.mark);
            save(branch.slot);
            slots_[branch.slot].refused = true;
            slots_[branch.slot].floor = 0;
        }
        if (!done) return wrong("the log ends before everything is refuted");
        return ProvedImpossible{pool_, capacity_, false, number_};
    }

private:
    struct Open {
        std::size_t slot, mark;
    };

    std::optional<Error> head()
    {
        if (next() != "stowage-proof 1") return wrong("this is no stowage-proof/1");
        std::string_view line = next();
        if (!line.starts_with("pool ")) return wrong("the pool is missing");
        line.remove_prefix(5);
        for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool)
            if (problem_.pools[pool].name == line) pool_ = static_cast<PoolId>(pool);
        if (pool_ == none) return wrong("the problem has no such pool");
        line = next();
        if (!line.starts_with("capacity ")) return wrong("the capacity is missing");
        line.remove_prefix(9);
        const auto capacity = integer(line);
        if (!capacity || !line.empty() || *capacity < 0 || *capacity > maxBytes)
            return wrong("the capacity is no number of bytes");
        capacity_ = *capacity;
        line = next();
        if (!line.starts_with("copies ")) return wrong("the number after 'copies' is missing");
        line.remove_prefix(7);
        const auto count = integer(line);
        if (!count || !line.empty()) return wrong("the number after 'copies' is missing");
        expected_ = *count;
        return std::nullopt;
    }

    std::optional<Error> prepare()
    {
        for (BufferId id = 0; id < static_cast<BufferId>(problem_.buffers.size()); ++id) {
            const Buffer& buffer = problem_.buffers[static_cast<std::size_t>(id)];
            const std::vector<PoolId> candidates = problem_.candidates(buffer);
            if (buffer.size == 0 || candidates.size() != 1 || candidates[0] != pool_) continue;
            if (!buffer.windows.empty() || !buffer.carried.empty() || !buffer.mayShare.empty())
                return wrong("buffer '" + buffer.name +
                             "' has windows, is carried or may share: such problems have no checkable log");
            for (std::int32_t number = 0; number < buffer.slots; ++number) {
                if (slots_.size() == maxLoggedSlots) return wrong("the problem has too many buffers to be checked");
                Slot slot;
                slot.buffer = id;
                slot.size = buffer.size;
                slot.alignment = problem_.effectiveAlignment(buffer, pool_);
                if (number == 0) slot.pin = buffer.pin;
                slots_.push_back(std::move(slot));
            }
        }
        if (static_cast<std::int64_t>(slots_.size()) != expected_)
            return wrong("the log is of another problem: the number of slots differs");
        for (std::size_t i = 0; i < slots_.size(); ++i)
            for (std::size_t j = i + 1; j < slots_.size(); ++j)
                if (slots_[i].buffer == slots_[j].buffer || conflict(problem_, slots_[i].buffer, slots_[j].buffer)) {
                    slots_[i].neighbours.push_back(j);
                    slots_[j].neighbours.push_back(i);
                }
        for (Slot& slot : slots_)
            if (slot.pin) {
                slot.offset = *slot.pin;
                initiallyRefuted_ |= *slot.pin + slot.size > capacity_ || *slot.pin % slot.alignment != 0;
                for (const std::size_t j : slot.neighbours)
                    if (const auto pin = slots_[j].pin)
                        initiallyRefuted_ |= *pin < *slot.pin + slot.size && *slot.pin < *pin + slots_[j].size;
            }
        for (std::size_t i = 0; i < slots_.size(); ++i)
            if (!slots_[i].pin) slots_[i].release = lifted(i, 0);
        return std::nullopt;
    }

    [[nodiscard]] bool waiting(std::size_t i) const { return slots_[i].active && slots_[i].offset < 0; }

    /// The lowest aligned offset from `offset` on without an overlap with a pinned neighbour.
    [[nodiscard]] Bytes lifted(std::size_t i, Bytes offset) const
    {
        const Slot& slot = slots_[i];
        while (true) {
            offset = (offset + slot.alignment - 1) / slot.alignment * slot.alignment;
            Bytes higher = offset;
            for (const std::size_t j : slot.neighbours)
                if (const auto pin = slots_[j].pin; pin && offset < *pin + slots_[j].size && *pin < offset + slot.size)
                    higher = std::max(higher, *pin + slots_[j].size);
            if (higher == offset) return offset;
            offset = higher;
        }
    }

    /// The lowest offset that an unplaced slot can have.
    [[nodiscard]] Bytes lowest(std::size_t i) const
    {
        return slots_[i].refused ? std::max(slots_[i].floor, slots_[i].release) : slots_[i].release;
    }
    [[nodiscard]] Bytes lowestTopAround(std::size_t i) const
    {
        Bytes top = infinite;
        for (const std::size_t j : slots_[i].neighbours)
            if (waiting(j)) top = std::min(top, lowest(j) + slots_[j].size);
        return top;
    }
    [[nodiscard]] Bytes lowestBeginAround(std::size_t i) const
    {
        Bytes begin = infinite;
        for (const std::size_t j : slots_[i].neighbours)
            if (waiting(j)) begin = std::min(begin, lowest(j));
        return begin;
    }

    void save(std::size_t i)
    {
        const Slot& slot = slots_[i];
        trail_.push_back({i, slot.offset, slot.release, slot.floor, slot.refused, slot.active});
    }
    void undo(std::size_t mark)
    {
        for (; trail_.size() > mark; trail_.pop_back()) {
            const Undo& old = trail_.back();
            Slot& slot = slots_[old.slot];
            slot.offset = old.offset;
            slot.release = old.release;
            slot.floor = old.floor;
            slot.refused = old.refused;
            slot.active = old.active;
        }
    }

    /// Raises refused slots above the slots that can block them until nothing changes, at most as many times as there are slots.
    void raiseRefused()
    {
        bool changed = true;
        for (std::size_t round = 0; changed && round < slots_.size(); ++round) {
            changed = false;
            for (std::size_t i = 0; i < slots_.size(); ++i) {
                if (!waiting(i) || !slots_[i].refused) continue;
                const Bytes above = std::max(slots_[i].release + 1, lowestTopAround(i));
                if (above >= infinite) continue; // no slot can block it: a line '-' refutes this
                const Bytes floor = lifted(i, above);
                if (floor <= slots_[i].floor || slots_[i].floor > capacity_) continue;
                save(i);
                slots_[i].floor = floor;
                changed = true;
            }
        }
    }

    void place(std::size_t i)
    {
        save(i);
        slots_[i].offset = slots_[i].release;
        const Bytes top = slots_[i].offset + slots_[i].size;
        for (const std::size_t j : slots_[i].neighbours) {
            if (!waiting(j) || slots_[j].release >= top) continue;
            save(j);
            slots_[j].release = lifted(j, top);
            slots_[j].refused = false; // its refused place is occupied now
            slots_[j].floor = 0;
        }
    }

    [[nodiscard]] bool liveAt(std::size_t i, Step step) const
    {
        const auto& live = problem_.buffers[static_cast<std::size_t>(slots_[i].buffer)].live;
        return std::any_of(live.begin(), live.end(), [&](const Interval& range) { return range.contains(step); });
    }
    /// The unplaced slots live at a step, if they all conflict with each other.
    [[nodiscard]] std::optional<std::vector<std::size_t>> clique(Step step) const
    {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < slots_.size(); ++i)
            if (waiting(i) && liveAt(i, step)) members.push_back(i);
        for (std::size_t k = 0; problem_.axis == Axis::dag && k < members.size(); ++k)
            for (const std::size_t j : members)
                if (j != members[k] && !std::binary_search(slots_[j].neighbours.begin(), slots_[j].neighbours.end(), members[k]))
                    return std::nullopt;
        return members;
    }

    /// True if the line refutes the state; false if the state continues.
    Expected<bool> step(std::string_view line)
    {
        const char kind = line.front();
        line.remove_prefix(1);
        if (kind == '@') return setAside(line);
        if (kind == '*') {
            bool any = false;
            for (std::size_t i = 0; i < slots_.size(); ++i) {
                if (waiting(i) && !slots_[i].refused) return wrong("a slot that waits may lie at its release");
                any |= waiting(i);
            }
            return any && line.empty() ? Expected<bool>(true) : Expected<bool>(wrong("no slot waits"));
        }
        const auto first = integer(line);
        if (!first) return wrong("a number is missing");
        if (kind == '#')
            return line.empty() ? refuteStep(*first) : Expected<bool>(wrong("there is more on the line than belongs there"));
        if (*first < 0 || static_cast<std::size_t>(*first) >= slots_.size() || !waiting(static_cast<std::size_t>(*first)))
            return wrong("the slot is not among those that wait");
        const auto i = static_cast<std::size_t>(*first);
        std::optional<std::int64_t> second;
        if (kind == '!') second = integer(line);
        if (!line.empty()) return wrong("there is more on the line than belongs there");
        raiseRefused();
        const Slot& slot = slots_[i];
        switch (kind) {
        case '^':
            if (lowest(i) + slot.size <= capacity_) return wrong("the slot can still end inside the capacity");
            return true;
        case '-':
            if (!slot.refused) return wrong("the slot may lie at its release");
            if (lowestBeginAround(i) < slot.release + slot.size) return wrong("something can still be in the slot's way");
            return true;
        case '?':
        case '=':
        case '!':
            if (slot.refused) return wrong("the slot was refused its release");
            if (lowestTopAround(i) <= slot.release) return wrong("a neighbour can still lie below the slot");
            if (kind == '?') open_.push_back({i, trail_.size()});
            if (kind == '=' && lowestBeginAround(i) < slot.release + slot.size)
                return wrong("a neighbour can still reach into its place");
            if (kind == '!')
                if (auto error = onlyFiller(i, second)) return *error;
            place(i);
            return false;
        default: return wrong("unknown kind of line");
        }
    }

    std::optional<Error> onlyFiller(std::size_t i, std::optional<std::int64_t> step) const
    {
        if (!step) return wrong("the step is missing");
        const auto members = clique(*step);
        if (!members) return wrong("not all slots live at the step conflict");
        Bytes needed = 0;
        for (const std::size_t j : *members) needed += slots_[j].size;
        const Bytes latest = capacity_ - needed; // the lowest of them begins here or lower
        if (std::find(members->begin(), members->end(), i) == members->end()) return wrong("the slot is not live at the step");
        for (const std::size_t j : *members)
            if (j != i && lowest(j) <= latest) return wrong("another slot can fill the step");
        if (std::max(slots_[i].release + 1, lowestTopAround(i)) <= latest)
            return wrong("the slot can fill the step without lying at its release");
        return std::nullopt;
    }

    Expected<bool> refuteStep(Step step)
    {
        raiseRefused();
        const auto members = clique(step);
        if (!members) return wrong("not all slots live at the step conflict");
        Bytes needed = 0, begin = infinite;
        for (const std::size_t j : *members) {
            needed += slots_[j].size;
            begin = std::min(begin, lowest(j));
        }
        if (members->empty() || begin + needed <= capacity_) return wrong("what waits at the step can still fit");
        return true;
    }

    Expected<bool> setAside(std::string_view line)
    {
        std::vector<bool> kept(slots_.size(), false);
        while (!line.empty()) {
            const auto i = integer(line);
            if (!i || *i < 0 || static_cast<std::size_t>(*i) >= slots_.size() || !waiting(static_cast<std::size_t>(*i)))
                return wrong("a slot is not among those that wait");
            kept[static_cast<std::size_t>(*i)] = true;
        }
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            if (!kept[i]) continue;
            for (const std::size_t j : slots_[i].neighbours)
                if (!kept[j] && waiting(j)) return wrong("a slot that is set aside conflicts with one that is kept");
        }
        for (std::size_t i = 0; i < slots_.size(); ++i)
            if (waiting(i) && !kept[i]) {
                save(i);
                slots_[i].active = false;
            }
        return false;
    }

    const Problem& problem_;
    PoolId pool_ = none;
    Bytes capacity_ = 0;
    std::int64_t expected_ = 0;
    bool initiallyRefuted_ = false; ///< by the pins alone
    std::vector<Slot> slots_;
    std::vector<Undo> trail_;
    std::vector<Open> open_;
};

} // namespace

Expected<ProvedImpossible> checkProof(const Problem& problem, std::string_view log)
{
    if (log.starts_with("stowage-pair-proof ")) return checkPairProof(problem, log);
    if (log.starts_with("stowage-pool-proof ") || log.starts_with("stowage-sum-proof "))
        return checkPoolProof(problem, log, checkProof);
    if (differsByIteration(problem)) return Verifier(ofOneIteration(problem), log).run();
    return Verifier(problem, log).run();
}

} // namespace stowage

#include "core/plan/proof/check_proof_pairs.h"

#include "core/ir/checked.h"
#include "core/plan/one_iteration.h"
#include "core/plan/proof/proof_lines.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace stowage {

namespace {

constexpr Bytes largest = largestLogged;
constexpr std::uint64_t maxPasses = 1'000'000; ///< maximum number of passes over all statements for one state

/// The slots collide if low < offset(second) - offset(first) < high.
struct Collision {
    Bytes low, high;
};

/// offset(above) >= offset(below) + by.
struct Statement {
    std::size_t below, above;
    Bytes by;
};

/// One slot of a buffer, numbered as in the log.
struct PairSlot {
    BufferId buffer = none;
    Bytes size = 0, alignment = 1;
    std::optional<Bytes> pin;
};

/// Bytes [low, high) that a buffer occupies at a step; no value if it is not live there.
std::optional<std::pair<Bytes, Bytes>> occupied(const Buffer& buffer, Step step)
{
    for (const Interval& range : buffer.live)
        if (range.contains(step)) return std::pair(Bytes{0}, buffer.size);
    for (const Window& window : buffer.windows)
        if (window.live.contains(step)) return std::pair(window.low, window.high);
    return std::nullopt;
}

std::vector<Collision> collisionsOf(const Problem& problem, BufferId first, BufferId second)
{
    const Buffer &a = problem.buffers[at(first)], &b = problem.buffers[at(second)];
    const auto names = [](std::span<const BufferId> list, BufferId id) {
        return std::find(list.begin(), list.end(), id) != list.end();
    };
    if (first == second || a.unique || b.unique || names(a.conflicts, second) || names(b.conflicts, first))
        return {{-b.size, a.size}};
    std::vector<Collision> all;
    if (problem.axis == Axis::dag) return all;
    // The steps at which the occupied bytes of either buffer change.
    std::vector<Step> steps;
    for (const Buffer* buffer : {&a, &b}) {
        for (const Interval& range : buffer->live) steps.push_back(range.begin);
        for (const Window& window : buffer->windows) steps.push_back(window.live.begin);
    }
    for (const Step step : steps) {
        const auto ofA = occupied(a, step), ofB = occupied(b, step);
        if (ofA && ofB && ofA->first < ofA->second && ofB->first < ofB->second)
            all.push_back({ofA->first - ofB->second, ofA->second - ofB->first});
    }
    std::sort(all.begin(), all.end(),
              [](const Collision& x, const Collision& y) { return std::pair(x.low, x.high) < std::pair(y.low, y.high); });
    std::vector<Collision> joined;
    for (const Collision& next : all) {
        if (joined.empty() || next.low >= joined.back().high)
            joined.push_back(next);
        else
            joined.back().high = std::max(joined.back().high, next.high);
    }
    return joined;
}

class PairVerifier : private ProofLines {
public:
    PairVerifier(const Problem& problem, std::string_view log) : ProofLines(log), problem_(problem) {}

    Expected<ProvedImpossible> run()
    {
        if (auto error = head()) return *error;
        if (auto error = prepare()) return *error;
        const auto refuted = propagate();
        if (!refuted) return refuted.error();
        bool done = *refuted;
        for (bool first = true; !rest_.empty(); first = false) {
            const std::string_view line = next();
            if (line.empty()) continue;
            // If the capacity and the pins alone refute the state, a line '#' is still permitted.
            if (done && (!first || line.front() != '#')) return wrong("the proof has ended before");
            if (line.front() == '#') {
                if (!first) return wrong("this may stand in front of all branches only");
                if (auto error = overfull(line.substr(1))) return *error;
                done = true;
                continue;
            }
            auto ended = branch(line);
            if (!ended) return ended.error();
            done = *ended;
        }
        if (!done) return wrong("the log ends before everything is refuted");
        return ProvedImpossible{pool_, capacity_, false, number_};
    }

private:
    /// A branch whose first alternative is being refuted.
    struct Open {
        Statement other;
        std::size_t statements;    ///< number of statements before it
        std::vector<Bytes> lowest; ///< smallest offsets that satisfy them
    };

    /// The number in a line that consists of `word` and a number.
    std::optional<std::int64_t> numberAfter(std::string_view word)
    {
        std::string_view line = next();
        if (!line.starts_with(word)) return std::nullopt;
        line.remove_prefix(word.size());
        const auto value = integer(line);
        return line.empty() ? value : std::nullopt;
    }

    std::optional<Error> head()
    {
        if (next() != "stowage-pair-proof 1") return wrong("this is no stowage-pair-proof/1");
        const std::string_view line = next();
        for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool)
            if (line.starts_with("pool ") && problem_.pools[pool].name == line.substr(5)) pool_ = static_cast<PoolId>(pool);
        if (pool_ == none) return wrong("the problem has no such pool");
        const auto capacity = numberAfter("capacity ");
        if (!capacity || *capacity < 0 || *capacity > largest)
            return wrong("the capacity is no number of bytes, or too large to be checked");
        capacity_ = *capacity;
        const auto count = numberAfter("copies ");
        if (!count) return wrong("the number after 'copies' is missing");
        expected_ = *count;
        return std::nullopt;
    }

    std::optional<Error> prepare()
    {
        for (BufferId id = 0; id < static_cast<BufferId>(problem_.buffers.size()); ++id) {
            const Buffer& buffer = problem_.buffers[at(id)];
            const std::vector<PoolId> candidates = problem_.candidates(buffer);
            if (buffer.size == 0 || candidates.size() != 1 || candidates[0] != pool_) continue;
            if (!buffer.carried.empty() || !buffer.mayShare.empty())
                return wrong("buffer '" + buffer.name + "' is carried or may share: such problems have no checkable log");
            if (buffer.size > largest || buffer.pin.value_or(0) > largest || problem_.effectiveAlignment(buffer, pool_) > largest)
                return wrong("the problem has buffers too large to be checked");
            for (std::int32_t slot = 0; slot < buffer.slots; ++slot) {
                if (slots_.size() == maxLoggedPairSlots) return wrong("the problem has too many buffers to be checked");
                slots_.push_back(
                    {id, buffer.size, problem_.effectiveAlignment(buffer, pool_), slot == 0 ? buffer.pin : std::nullopt});
            }
        }
        if (static_cast<std::int64_t>(slots_.size()) != expected_)
            return wrong("the log is of another problem: the number of slots differs");
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            lowest_.push_back(slots_[i].pin.value_or(0));
            if (i > 0 && slots_[i].buffer == slots_[i - 1].buffer && !slots_[i - 1].pin)
                statements_.push_back({i - 1, i, slots_[i].size});
        }
        return std::nullopt;
    }

    /// Computes the smallest offsets that satisfy the statements; true if one of them is too high.
    Expected<bool> propagate()
    {
        const bool aligned = std::any_of(slots_.begin(), slots_.end(), [](const PairSlot& slot) { return slot.alignment > 1; });
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            if (slots_[i].pin && *slots_[i].pin % slots_[i].alignment != 0) return true;
            if (lowest_[i] > highest(i)) return true;
        }
        for (std::uint64_t pass = 0;; ++pass) {
            bool changed = false;
            for (const Statement& statement : statements_) {
                const Bytes alignment = slots_[statement.above].alignment;
                const Bytes least = std::max<Bytes>(0, lowest_[statement.below] + statement.by);
                const Bytes offset = (least + alignment - 1) / alignment * alignment;
                if (offset <= lowest_[statement.above]) continue;
                if (offset > highest(statement.above)) return true;
                lowest_[statement.above] = offset;
                changed = true;
            }
            if (!changed) return false;
            // Without alignments, offsets that still rise after one pass for each slot rise forever (Bellman and Ford).
            if (!aligned && pass > slots_.size()) return true;
            if (pass > maxPasses) return wrong("what follows from the branches takes too long to find");
        }
    }
    [[nodiscard]] Bytes highest(std::size_t i) const
    {
        const Bytes room = capacity_ - slots_[i].size;
        return slots_[i].pin ? std::min(*slots_[i].pin, room) : room;
    }

    std::optional<Error> overfull(std::string_view line)
    {
        const auto step = integer(line);
        if (!step || !line.empty()) return wrong("a step is missing");
        if (problem_.axis == Axis::dag) return wrong("steps count for nothing in this problem");
        Bytes sum = 0;
        for (const PairSlot& slot : slots_)
            if (const auto part = occupied(problem_.buffers[at(slot.buffer)], *step))
                sum = checkedAdd(sum, part->second - part->first).value_or(maxBytes);
        if (sum <= capacity_) return wrong("what is live at the step fits");
        return std::nullopt;
    }

    /// True if nothing is left to refute.
    Expected<bool> branch(std::string_view line)
    {
        const char kind = line.front();
        if (kind != '/' && kind != '\\') return wrong("unknown kind of line");
        line.remove_prefix(1);
        const auto i = integer(line), j = integer(line), k = integer(line);
        const auto count = static_cast<std::int64_t>(slots_.size());
        if (!i || !j || !k || !line.empty() || *i < 0 || *j <= *i || *j >= count)
            return wrong("two slots and a number are missing");
        const auto first = static_cast<std::size_t>(*i), second = static_cast<std::size_t>(*j);
        const auto collisions = collisionsOf(problem_, slots_[first].buffer, slots_[second].buffer);
        if (*k < 0 || *k >= static_cast<std::int64_t>(collisions.size())) return wrong("the slots do not collide so often");
        const Collision& range = collisions[static_cast<std::size_t>(*k)];
        Statement now{first, second, range.high}, other{second, first, -range.low};
        if (kind == '\\') std::swap(now, other);
        if (open_.size() == maxLoggedDepth) return wrong("the branches are too deep to be checked");
        open_.push_back({other, statements_.size(), lowest_});
        statements_.push_back(now);
        while (true) {
            auto refuted = propagate();
            if (!refuted || !*refuted) return refuted;
            if (open_.empty()) return true;
            // Replaces the first alternative by the second.
            Open last = std::move(open_.back());
            open_.pop_back();
            statements_.resize(last.statements, last.other);
            statements_.push_back(last.other);
            lowest_ = std::move(last.lowest);
        }
    }

    const Problem& problem_;
    PoolId pool_ = none;
    Bytes capacity_ = 0;
    std::int64_t expected_ = 0;
    std::vector<PairSlot> slots_;
    std::vector<Statement> statements_;
    std::vector<Bytes> lowest_; ///< by slot
    std::vector<Open> open_;
};

} // namespace

Expected<ProvedImpossible> checkPairProof(const Problem& problem, std::string_view log)
{
    if (differsByIteration(problem)) return PairVerifier(ofOneIteration(problem), log).run();
    return PairVerifier(problem, log).run();
}

} // namespace stowage

#include "core/plan/proof/check_proof_pools.h"

#include "core/ir/checked.h"
#include "core/plan/proof/proof_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace stowage {

namespace {

class PoolVerifier : private ProofLines {
public:
    PoolVerifier(const Problem& problem, std::string_view log, ProofCheck* checkInside)
        : ProofLines(log),
          problem_(problem),
          checkInside_(checkInside),
          pool_(problem.buffers.size(), none),
          needs_(problem.pools.size(), 0)
    {
        for (std::size_t b = 0; b < pool_.size(); ++b)
            if (const auto candidates = problem.candidates(problem.buffers[b]); candidates.size() == 1) pool_[b] = candidates[0];
    }

    Expected<ProvedImpossible> run()
    {
        if (auto error = head()) return *error;
        bool done = false;
        while (!rest_.empty()) {
            std::string_view line = next();
            if (line.empty()) continue;
            if (done) return wrong("the proof has ended before");
            const char kind = line.front();
            line.remove_prefix(1);
            const auto first = integer(line);
            if (!first) return wrong("a number is missing");
            std::optional<Error> error;
            bool refuted = false;
            switch (kind) {
            case '|': error = branch(*first, line); break;
            case '#': error = liveTogether(*first, line); break;
            case '~': error = oneBuffer(*first, line); break;
            case '{': error = inside(*first, line); break;
            case '+':
                error = allTogether(*first, line);
                refuted = true;
                break;
            default: return wrong("unknown kind of line");
            }
            if (error) return *error;
            if (kind == '|') continue;
            if (refuted || tooMuch())
                done = !nextChoice();
            else if (!total_)
                return wrong("that fits");
        }
        if (!done) return wrong("the log ends before everything is refuted");
        if (total_) return ProvedImpossible{none, *total_, true, number_};
        Bytes all = 0;
        for (const Pool& pool : problem_.pools) all = checkedAdd(all, pool.capacity.value_or(maxBytes)).value_or(maxBytes);
        return ProvedImpossible{none, all, false, number_};
    }

private:
    struct Open {
        BufferId buffer;
        std::vector<PoolId> candidates;
        std::size_t which;
        std::vector<Bytes> needs; ///< bounds before it
    };

    std::optional<Error> head()
    {
        std::string_view line = next();
        if (line == "stowage-pool-proof 1") return std::nullopt;
        if (line != "stowage-sum-proof 1") return wrong("this is neither a stowage-pool-proof/1 nor a stowage-sum-proof/1");
        line = next();
        if (!line.starts_with("total ")) return wrong("the total is missing");
        line.remove_prefix(6);
        total_ = integer(line);
        if (!total_ || !line.empty() || *total_ < 0 || *total_ > maxBytes) return wrong("the total is no number of bytes");
        return std::nullopt;
    }

    std::optional<Error> branch(std::int64_t number, std::string_view line)
    {
        if (!line.empty() || number < 0 || number >= static_cast<std::int64_t>(pool_.size()) || pool_[at(number)] != none)
            return wrong("the buffer has no choice left");
        const auto buffer = static_cast<BufferId>(number);
        auto candidates = problem_.candidates(problem_.buffers[at(buffer)]);
        if (candidates.empty()) return wrong("the buffer has no pool at all");
        pool_[at(buffer)] = candidates.front();
        open_.push_back({buffer, std::move(candidates), 0, needs_});
        return std::nullopt;
    }

    /// Takes the next choice of the last branch that has one; false if none has.
    bool nextChoice()
    {
        for (; !open_.empty(); open_.pop_back()) {
            Open& last = open_.back();
            if (++last.which < last.candidates.size()) {
                pool_[at(last.buffer)] = last.candidates[last.which];
                needs_ = last.needs;
                return true;
            }
            pool_[at(last.buffer)] = none;
        }
        return false;
    }

    /// True if the choice is refuted: the bound of a pool exceeds its capacity, or their sum exceeds the total.
    [[nodiscard]] bool tooMuch() const
    {
        Bytes sum = 0;
        for (std::size_t pool = 0; pool < needs_.size(); ++pool) {
            if (const auto& capacity = problem_.pools[pool].capacity; capacity && needs_[pool] > *capacity) return true;
            sum = checkedAdd(sum, needs_[pool]).value_or(maxBytes);
        }
        return total_ && sum > *total_;
    }

    /// False for an unbounded pool in a log without a total: its bound refutes nothing.
    [[nodiscard]] bool counts(std::int64_t pool) const
    {
        return pool >= 0 && pool < static_cast<std::int64_t>(problem_.pools.size()) &&
               (total_ || problem_.pools[at(pool)].capacity);
    }

    /// The bytes that count at a step, of one pool, or of all buffers with `none`.
    [[nodiscard]] Bytes liveAt(std::int64_t pool, Step step) const
    {
        Bytes sum = 0;
        for (std::size_t b = 0; b < pool_.size(); ++b) {
            const Buffer& buffer = problem_.buffers[b];
            const auto atStep = [&](const auto& part) { return part.live.contains(step); };
            // Buffers that may share, or are live in a single iteration only, do not count, because others may occupy their
            // bytes.
            if ((pool != none && pool_[b] != pool) || !buffer.mayShare.empty() ||
                std::any_of(buffer.early.begin(), buffer.early.end(), atStep))
                continue;
            if (std::any_of(buffer.live.begin(), buffer.live.end(), [&](const Interval& range) { return range.contains(step); }))
                sum = checkedAdd(sum, checkedMultiply(buffer.size, buffer.slots).value_or(maxBytes)).value_or(maxBytes);
        }
        return sum;
    }

    std::optional<Error> liveTogether(std::int64_t pool, std::string_view line)
    {
        const auto step = integer(line);
        if (!step || !line.empty() || !counts(pool)) return wrong("a pool with a capacity and a step are missing");
        if (problem_.axis == Axis::dag) return wrong("steps count for nothing in this problem");
        needs_[at(pool)] = std::max(needs_[at(pool)], liveAt(pool, *step));
        return std::nullopt;
    }

    std::optional<Error> oneBuffer(std::int64_t pool, std::string_view line)
    {
        const auto number = integer(line);
        if (!number || !line.empty() || !counts(pool) || *number < 0 || *number >= static_cast<std::int64_t>(pool_.size()))
            return wrong("a pool and a buffer are missing");
        if (pool_[at(*number)] != pool) return wrong("the buffer has not been put into that pool");
        const Buffer& buffer = problem_.buffers[at(*number)];
        if (buffer.size == 0) return wrong("the buffer has no bytes");
        const Bytes slots = checkedMultiply(buffer.size, buffer.slots).value_or(maxBytes);
        needs_[at(pool)] =
            std::max({needs_[at(pool)], slots, checkedAdd(buffer.pin.value_or(0), buffer.size).value_or(maxBytes)});
        return std::nullopt;
    }

    std::optional<Error> allTogether(Step step, std::string_view line) const
    {
        std::optional<Bytes> room = 0;
        for (const Pool& pool : problem_.pools) room = room && pool.capacity ? checkedAdd(*room, *pool.capacity) : std::nullopt;
        if (total_ && (!room || *total_ < *room)) room = total_;
        if (!line.empty() || !room)
            return wrong("this belongs on a line of its own, and where there is a total or every pool has a capacity");
        if (problem_.axis == Axis::dag) return wrong("steps count for nothing in this problem");
        if (liveAt(none, step) <= *room) return wrong("what is live at the step is not more than the total");
        return std::nullopt;
    }

    /// Checks the lines up to `}` as a proof of one pool, which then needs at least one byte more than the refuted size.
    std::optional<Error> inside(std::int64_t pool, std::string_view line)
    {
        if (!counts(pool)) return wrong("a pool with a capacity is missing");
        std::optional<Bytes> refuted = problem_.pools[at(pool)].capacity;
        if (!line.empty()) refuted = integer(line);
        if (!line.empty() || !refuted || *refuted < 0 || *refuted >= maxBytes)
            return wrong("the bytes that it does not fit into are missing");
        const std::uint64_t before = number_;
        const std::string_view begin = rest_;
        std::size_t length = 0;
        while (true) {
            if (rest_.empty()) return wrong("the proof inside does not end");
            const std::size_t left = rest_.size();
            if (next() == "}") break;
            length += left - rest_.size();
        }
        // The problem with only the buffers of this pool.
        Problem part = problem_;
        for (std::size_t b = 0; b < pool_.size(); ++b) {
            if (pool_[b] == pool)
                part.buffers[b].pools = {static_cast<PoolId>(pool)};
            else
                part.buffers[b].size = 0;
        }
        const auto proved = checkInside_(part, begin.substr(0, length));
        if (!proved)
            return failure(Code::badProof,
                           fmt::format("in the proof that begins after line {}: {}", before, proved.error().message), {},
                           proved.error().remedy);
        if (proved->pool != pool || proved->capacity < *refuted)
            return wrong("the proof inside is of another pool, or of less room");
        needs_[at(pool)] = std::max(needs_[at(pool)], *refuted + 1);
        return std::nullopt;
    }

    const Problem& problem_;
    ProofCheck* checkInside_;
    std::optional<Bytes> total_;
    std::vector<PoolId> pool_; ///< by buffer: its pool; none: not chosen yet
    std::vector<Bytes> needs_; ///< by pool: lower bound for its buffers
    std::vector<Open> open_;
};

} // namespace

Expected<ProvedImpossible> checkPoolProof(const Problem& problem, std::string_view log, ProofCheck* checkInside)
{
    return PoolVerifier(problem, log, checkInside).run();
}

} // namespace stowage

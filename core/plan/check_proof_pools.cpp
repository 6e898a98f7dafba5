#include "core/plan/check_proof_pools.h"

#include "core/ir/checked.h"
#include "core/plan/proof_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace stowage {

namespace {

class PoolVerifier : private ProofLines {
public:
    PoolVerifier(const Problem& problem, std::string_view log) : ProofLines(log), problem_(problem), pool_(problem.buffers.size(), none)
    {
        for (std::size_t b = 0; b < pool_.size(); ++b)
            if (const auto candidates = problem.candidates(problem.buffers[b]); candidates.size() == 1) pool_[b] = candidates[0];
    }

    Expected<ProvedImpossible> run()
    {
        if (next() != "stowage-pool-proof 1") return wrong("this is no stowage-pool-proof/1");
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
            switch (kind) {
            case '|': error = branch(*first, line); break;
            case '#': error = overfull(*first, line); break;
            case '{': error = inside(*first, line); break;
            default: return wrong("unknown kind of line");
            }
            if (error) return *error;
            if (kind == '|') continue;
            done = !nextChoice();
        }
        if (!done) return wrong("the log ends before everything is refuted");
        Bytes all = 0;
        for (const Pool& pool : problem_.pools) all = checkedAdd(all, pool.capacity.value_or(maxBytes)).value_or(maxBytes);
        return ProvedImpossible{none, all, number_};
    }

private:
    struct Open {
        BufferId buffer;
        std::vector<PoolId> candidates;
        std::size_t which;
    };

    std::optional<Error> branch(std::int64_t number, std::string_view line)
    {
        if (!line.empty() || number < 0 || number >= static_cast<std::int64_t>(pool_.size()) || pool_[at(number)] != none) return wrong("the buffer has no choice left");
        const auto buffer = static_cast<BufferId>(number);
        auto candidates = problem_.candidates(problem_.buffers[at(buffer)]);
        if (candidates.empty()) return wrong("the buffer has no pool at all");
        pool_[at(buffer)] = candidates.front();
        open_.push_back({buffer, std::move(candidates), 0});
        return std::nullopt;
    }

    /// The last branch that has another choice takes it; false when none has.
    bool nextChoice()
    {
        for (; !open_.empty(); open_.pop_back()) {
            Open& last = open_.back();
            if (++last.which < last.candidates.size()) {
                pool_[at(last.buffer)] = last.candidates[last.which];
                return true;
            }
            pool_[at(last.buffer)] = none;
        }
        return false;
    }

    [[nodiscard]] bool limited(std::int64_t pool) const
    {
        return pool >= 0 && pool < static_cast<std::int64_t>(problem_.pools.size()) && problem_.pools[at(pool)].capacity.has_value();
    }

    std::optional<Error> overfull(std::int64_t pool, std::string_view line) const
    {
        const auto step = integer(line);
        if (!step || !line.empty() || !limited(pool)) return wrong("a pool with a capacity and a step are missing");
        if (problem_.axis == Axis::dag) return wrong("steps count for nothing in this problem");
        Bytes sum = 0;
        for (std::size_t b = 0; b < pool_.size(); ++b) {
            const Buffer& buffer = problem_.buffers[b];
            const auto atStep = [&](const auto& part) { return part.live.contains(*step); };
            // Beside what is live in early iterations only, or may share, something may lie on the same bytes.
            if (pool_[b] != pool || !buffer.mayShare.empty() || std::any_of(buffer.early.begin(), buffer.early.end(), atStep)) continue;
            if (std::any_of(buffer.live.begin(), buffer.live.end(), [&](const Interval& range) { return range.contains(*step); }))
                sum = checkedAdd(sum, checkedMultiply(buffer.size, buffer.slots).value_or(maxBytes)).value_or(maxBytes);
        }
        if (sum <= *problem_.pools[at(pool)].capacity) return wrong("what is live at the step fits");
        return std::nullopt;
    }

    std::optional<Error> inside(std::int64_t pool, std::string_view line)
    {
        if (!line.empty() || !limited(pool)) return wrong("a pool with a capacity is missing");
        const std::uint64_t before = number_;
        const std::string_view begin = rest_;
        std::size_t length = 0;
        while (true) {
            if (rest_.empty()) return wrong("the proof inside does not end");
            const std::size_t left = rest_.size();
            if (next() == "}") break;
            length += left - rest_.size();
        }
        // The same problem with nothing but what is in this pool.
        Problem part = problem_;
        for (std::size_t b = 0; b < pool_.size(); ++b) {
            if (pool_[b] == pool) part.buffers[b].pools = {static_cast<PoolId>(pool)};
            else part.buffers[b].size = 0;
        }
        const auto proved = checkProof(part, begin.substr(0, length));
        if (!proved) return failure("bad-proof", fmt::format("in the proof that begins behind line {}: {}", before, proved.error().message), {}, proved.error().remedy);
        if (proved->pool != pool || proved->capacity < *problem_.pools[at(pool)].capacity) return wrong("the proof inside is of another pool, or of less room");
        return std::nullopt;
    }

    const Problem& problem_;
    std::vector<PoolId> pool_; ///< by buffer: where it has been put; none: not yet
    std::vector<Open> open_;
};

} // namespace

Expected<ProvedImpossible> checkPoolProof(const Problem& problem, std::string_view log) { return PoolVerifier(problem, log).run(); }

} // namespace stowage

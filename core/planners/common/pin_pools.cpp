#include "core/planners/common/pin_pools.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr std::size_t maxSteps = 100'000;
constexpr std::size_t maxPins = 2000; ///< compared pairwise, and as deep as the search goes

class PinSearch {
public:
    explicit PinSearch(const Problem& problem) : problem_(problem)
    {
        for (BufferId b = 0; b < static_cast<BufferId>(problem.buffers.size()); ++b) {
            const Buffer& buffer = problem.buffers[static_cast<std::size_t>(b)];
            if (!buffer.pin || buffer.size == 0) continue;
            pins_.push_back(b);
            open_.push_back(problem.candidates(buffer).size() > 1);
            choices_.push_back(choicesOf(buffer));
            chooses_ |= open_.back();
        }
    }

    std::vector<PoolId> run()
    {
        if (!chooses_ || pins_.size() > maxPins) return {};
        taken_.assign(problem_.pools.size(), {});
        if (!descend(0)) return {};
        std::vector<PoolId> pools(problem_.buffers.size(), none);
        for (std::size_t pool = 0; pool < taken_.size(); ++pool)
            for (const BufferId b : taken_[pool]) pools[static_cast<std::size_t>(b)] = static_cast<PoolId>(pool);
        for (std::size_t i = 0; i < pins_.size(); ++i)
            if (!open_[i]) pools[static_cast<std::size_t>(pins_[i])] = none; // nothing to say about it
        return pools;
    }

private:
    /// Pools whose alignment suits the pin, those with room for it first.
    [[nodiscard]] std::vector<PoolId> choicesOf(const Buffer& buffer) const
    {
        std::vector<PoolId> choices = problem_.candidates(buffer);
        std::erase_if(choices, [&](PoolId pool) { return *buffer.pin % problem_.effectiveAlignment(buffer, pool) != 0; });
        std::stable_partition(choices.begin(), choices.end(), [&](PoolId pool) {
            const auto& capacity = problem_.pools[static_cast<std::size_t>(pool)].capacity;
            return !capacity || *buffer.pin + buffer.size <= *capacity;
        });
        return choices;
    }

    [[nodiscard]] bool free(BufferId b, PoolId pool) const
    {
        const Buffer& buffer = problem_.buffers[static_cast<std::size_t>(b)];
        return std::none_of(taken_[static_cast<std::size_t>(pool)].begin(), taken_[static_cast<std::size_t>(pool)].end(),
                            [&](BufferId id) {
                                const Buffer& other = problem_.buffers[static_cast<std::size_t>(id)];
                                return *buffer.pin < *other.pin + other.size && *other.pin < *buffer.pin + buffer.size &&
                                       conflict(problem_, b, id);
                            });
    }

    bool descend(std::size_t depth)
    {
        if (depth == pins_.size()) return true;
        for (const PoolId pool : choices_[depth]) {
            if (++steps_ > maxSteps) return false;
            if (!free(pins_[depth], pool)) continue;
            taken_[static_cast<std::size_t>(pool)].push_back(pins_[depth]);
            if (descend(depth + 1)) return true;
            taken_[static_cast<std::size_t>(pool)].pop_back();
        }
        return false;
    }

    const Problem& problem_;
    std::vector<BufferId> pins_;
    std::vector<std::vector<PoolId>> choices_; ///< by position in `pins_`
    std::vector<bool> open_; ///< by position in `pins_`: several candidates, if only one of a suitable alignment
    std::vector<std::vector<BufferId>> taken_; ///< by pool
    std::size_t steps_ = 0;
    bool chooses_ = false;
};

} // namespace

std::vector<PoolId> poolsOfPins(const Problem& problem)
{
    if (problem.pools.size() < 2) return {};
    return PinSearch(problem).run();
}

std::optional<Problem> withPinsConfined(const Problem& problem)
{
    const std::vector<PoolId> pools = poolsOfPins(problem);
    if (pools.empty()) return std::nullopt;
    std::optional<Problem> confined = problem;
    for (std::size_t b = 0; b < pools.size(); ++b)
        if (pools[b] != none) confined->buffers[b].pools = {pools[b]};
    return confined;
}

} // namespace stowage

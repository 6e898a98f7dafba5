// The searches of `partition` and `tradeOff`: the prefixes that stages on each multiset of device classes can reach within a
// period, and the cheapest split within a period.
#pragma once

#include "core/pipeline/partition_problem.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <stop_token>
#include <unordered_map>

namespace stowage::pipeline::searching {

inline constexpr std::size_t maxStates = 4096;
inline constexpr Ticks never = std::numeric_limits<Ticks>::max() / 4;
/// Largest number of ops for which results are kept in a table with one byte for each pair of cuts; above, they are kept in a
/// hash map.
inline constexpr std::size_t maxTabled = 4096;

/// Remembers which stages fit on which device classes. A stage that `PartitionProblem::fits` accepts counts as fitting until
/// `confirms` refuses it.
class FitTable {
public:
    explicit FitTable(const PartitionProblem& problem) : problem_(problem), width_(problem.ops + 1)
    {
        if ((problem.fits || problem.confirms) && problem.ops <= maxTabled)
            known_.resize(static_cast<std::size_t>(classCount()), std::vector<Known>(width_ * width_, Known::nothing));
    }
    [[nodiscard]] std::int32_t classCount() const
    {
        return problem_.classes.empty() ? 0 : *std::max_element(problem_.classes.begin(), problem_.classes.end()) + 1;
    }
    bool operator()(std::int32_t c, std::size_t begin, std::size_t end)
    {
        if (!problem_.fits && !problem_.confirms) return true;
        const Known known = cell(c, begin, end);
        return known == Known::fits || known == Known::confirmed || (known == Known::doubtful && takesDoubtful_);
    }
    /// Asks `confirms` for each stage. True when all stages fit; a stage that does not fit, or may not, is no longer used.
    bool confirm(const std::vector<PartitionStage>& stages)
    {
        bool all = true;
        for (const PartitionStage& stage : stages) {
            if (!problem_.confirms) break;
            Known& known = cell(stage.deviceClass, stage.begin, stage.end);
            if (known == Known::confirmed) continue;
            const Fit fit =
                known == Known::doubtful ? Fit::unknown : problem_.confirms(stage.deviceClass, stage.begin, stage.end);
            known = fit == Fit::yes ? Known::confirmed : fit == Fit::no ? Known::tooLarge : Known::doubtful;
            doubts_ = doubts_ || fit == Fit::unknown;
            all = all && fit == Fit::yes;
        }
        return all;
    }
    /// True when some stage is no longer used although there is no proof that it does not fit.
    [[nodiscard]] bool doubts() const { return doubts_; }
    /// With `take`, stages of unknown fit count as fitting. Used for bounds.
    void takeDoubtful(bool take) { takesDoubtful_ = take; }

private:
    enum class Known : std::int8_t { nothing, fits, tooLarge, confirmed, doubtful };

    Known& cell(std::int32_t c, std::size_t begin, std::size_t end)
    {
        Known& known = known_.empty() ? sparse_[(static_cast<std::uint64_t>(c) * width_ + begin) * width_ + end]
                                      : known_[static_cast<std::size_t>(c)][begin * width_ + end];
        if (known == Known::nothing) known = !problem_.fits || problem_.fits(c, begin, end) ? Known::fits : Known::tooLarge;
        return known;
    }

    const PartitionProblem& problem_;
    std::size_t width_;
    std::vector<std::vector<Known>> known_;
    std::unordered_map<std::uint64_t, Known> sparse_;
    bool doubts_ = false;
    bool takesDoubtful_ = false;
};

/// Dynamic programmes over multisets of device classes. A multiset is a number in a mixed radix: the digit of class c counts the
/// devices of that class that are in use.
class Search {
public:
    Search(const PartitionProblem& problem, FitTable& fits, const std::stop_token& cancel)
        : problem_(problem), fits_(fits), cancel_(cancel), ops_(problem.ops)
    {
        classes_ = static_cast<std::size_t>(fits.classCount());
        counts_.assign(classes_, 0);
        prefix_.assign(classes_, nullptr);
        for (std::size_t d = 0; d < problem.classes.size(); ++d) {
            const auto c = static_cast<std::size_t>(problem.classes[d]);
            if (counts_[c]++ == 0) prefix_[c] = &problem.prefix[d];
        }
        weights_.assign(classes_, 1);
        std::size_t states = 1;
        for (std::size_t c = 0; c < classes_; ++c) {
            weights_[c] = states;
            states = states > maxStates * 2 ? states : states * (counts_[c] + 1);
        }
        states_ = states;
        maxStages_ = problem.maxStages == 0 ? problem.classes.size() : std::min(problem.maxStages, problem.classes.size());
        minStages_ = std::max<std::size_t>(problem.minStages, 1);
    }

    [[nodiscard]] std::size_t states() const { return states_; }
    [[nodiscard]] std::size_t digit(std::size_t state, std::size_t c) const { return state / weights_[c] % (counts_[c] + 1); }
    [[nodiscard]] Ticks cost(std::size_t c, std::size_t begin, std::size_t end) const
    {
        return (*prefix_[c])[end] - (*prefix_[c])[begin];
    }
    [[nodiscard]] Ticks link(std::size_t from, std::size_t to, std::size_t cut) const
    {
        return problem_.transfer ? problem_.transfer(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), cut) : 0;
    }
    [[nodiscard]] bool mayEnd(std::size_t cut) const
    {
        return cut == ops_ || problem_.cutAllowed.empty() || problem_.cutAllowed[cut];
    }
    [[nodiscard]] bool stopped() const { return cancel_.stop_requested(); }
    [[nodiscard]] std::size_t used(std::size_t state) const
    {
        std::size_t sum = 0;
        for (std::size_t c = 0; c < classes_; ++c) sum += digit(state, c);
        return sum;
    }

    /// True when some split has at most this period. For each multiset of classes and each class of the last stage, the reachable
    /// prefixes are computed. Multisets are visited in ascending order of their numbers, so that each comes after the multisets
    /// that it contains.
    bool reachable(Ticks period)
    {
        const std::size_t row = ops_ + 1;
        std::vector<std::vector<char>> reach(states_ * classes_);
        std::vector<char> from(row);
        for (std::size_t state = 0; state < states_; ++state) {
            if (stopped()) return false;
            const std::size_t stages = used(state);
            if (stages >= maxStages_) continue;
            for (std::size_t next = 0; next < classes_; ++next) {
                if (digit(state, next) == counts_[next]) continue;
                std::fill(from.begin(), from.end(), 0);
                bool any = state == 0;
                if (state == 0) from[0] = 1;
                for (std::size_t last = 0; last < classes_; ++last) {
                    const auto& reached = reach[state * classes_ + last];
                    if (reached.empty()) continue;
                    for (std::size_t i = 1; i < ops_; ++i)
                        if (reached[i] != 0 && from[i] == 0 && link(last, next, i) <= period) from[i] = 1, any = true;
                }
                if (!any) continue;
                auto& target = reach[(state + weights_[next]) * classes_ + next];
                if (target.empty()) target.assign(row, 0);
                extend(from, target, next, period);
                if (target[ops_] != 0 && stages + 1 >= minStages_) return true;
            }
        }
        return false;
    }

    /// The cheapest split of at most this period: of the smallest latency, or, with `bytes`, of the smallest sum of `bytes(class,
    /// begin, end)`. Nothing when every split costs `limit` or more, or after a stop. O(states · classes · ops²).
    std::optional<Partition> shortest(Ticks period,
                                      const std::function<std::int64_t(std::size_t, std::size_t, std::size_t)>* bytes,
                                      std::int64_t limit = never)
    {
        const std::size_t row = ops_ + 1;
        struct Step {
            std::uint32_t begin = 0;
            std::int32_t before = -1; ///< class of the stage before
        };
        std::vector<std::vector<Ticks>> best(states_ * classes_);
        std::vector<std::vector<Step>> steps(states_ * classes_);
        std::vector<Ticks> from(row);
        std::vector<std::int32_t> fromClass(row);
        Ticks cheapest = limit;
        bool any = false;
        std::size_t minState = 0;
        std::size_t minClass = 0;
        for (std::size_t state = 0; state < states_; ++state) {
            if (stopped()) return std::nullopt;
            const std::size_t stages = used(state);
            if (stages >= maxStages_) continue;
            for (std::size_t next = 0; next < classes_; ++next) {
                if (digit(state, next) == counts_[next]) continue;
                std::fill(from.begin(), from.end(), never);
                std::fill(fromClass.begin(), fromClass.end(), -1);
                if (state == 0) from[0] = 0;
                for (std::size_t last = 0; last < classes_; ++last) {
                    const auto& reached = best[state * classes_ + last];
                    if (reached.empty()) continue;
                    for (std::size_t i = 1; i < ops_; ++i) {
                        if (reached[i] >= never) continue;
                        const Ticks moved = link(last, next, i);
                        if (moved > period) continue;
                        const Ticks sum = reached[i] + (bytes ? 0 : moved);
                        if (sum < from[i]) from[i] = sum, fromClass[i] = static_cast<std::int32_t>(last);
                    }
                }
                const std::size_t index = (state + weights_[next]) * classes_ + next;
                for (std::size_t i = 0; i < ops_; ++i) {
                    if (from[i] >= never) continue;
                    if (i % 64 == 0 && stopped()) return std::nullopt;
                    for (std::size_t j = i + 1; j <= ops_; ++j) {
                        if (cost(next, i, j) > period) break;
                        if (!mayEnd(j)) continue;
                        const Ticks known = best[index].empty() ? never : best[index][j];
                        if (from[i] >= known || from[i] >= cheapest) continue;
                        if (!fits_(static_cast<std::int32_t>(next), i, j)) continue;
                        const Ticks sum = from[i] + (bytes ? (*bytes)(next, i, j) : cost(next, i, j));
                        if (sum >= known || sum >= cheapest) continue;
                        if (best[index].empty()) {
                            best[index].assign(row, never);
                            steps[index].resize(row);
                        }
                        best[index][j] = sum;
                        steps[index][j] = {static_cast<std::uint32_t>(i), fromClass[i]};
                    }
                }
                if (stages + 1 >= minStages_ && !best[index].empty() && best[index][ops_] < cheapest) {
                    cheapest = best[index][ops_];
                    any = true;
                    minState = state + weights_[next];
                    minClass = next;
                }
            }
        }
        if (!any) return std::nullopt;
        Partition found;
        std::size_t end = ops_;
        for (std::size_t state = minState, c = minClass;;) {
            const Step step = steps[state * classes_ + c][end];
            found.stages.push_back({step.begin, end, static_cast<std::int32_t>(c), 0});
            end = step.begin;
            if (end == 0) break;
            state -= weights_[c];
            c = static_cast<std::size_t>(step.before);
        }
        std::reverse(found.stages.begin(), found.stages.end());
        assign(found.stages);
        if (bytes) found.bytes = cheapest;
        measure(problem_, found);
        return found;
    }

    /// Gives each stage the first free device of its class.
    void assign(std::vector<PartitionStage>& stages) const
    {
        std::vector<bool> taken(problem_.classes.size(), false);
        for (PartitionStage& stage : stages)
            for (std::size_t d = 0; d < problem_.classes.size(); ++d)
                if (!taken[d] && problem_.classes[d] == stage.deviceClass) {
                    taken[d] = true;
                    stage.device = static_cast<std::int32_t>(d);
                    break;
                }
    }

    [[nodiscard]] std::size_t classes() const { return classes_; }
    [[nodiscard]] std::size_t maxStages() const { return maxStages_; }

private:
    /// Marks in `target` all ends of stages of class `c` that begin at a cut marked in `from` and take at most `period`.
    void extend(const std::vector<char>& from, std::vector<char>& target, std::size_t c, Ticks period)
    {
        std::size_t done = 0; // without memory limits: all ends below this one are marked already
        for (std::size_t i = 0; i < ops_; ++i) {
            if (from[i] == 0) continue;
            std::size_t j = i + 1;
            if (!problem_.fits && !problem_.confirms) j = std::max(j, done);
            for (; j <= ops_ && cost(c, i, j) <= period; ++j)
                if (target[j] == 0 && mayEnd(j) && fits_(static_cast<std::int32_t>(c), i, j)) target[j] = 1;
            done = std::max(done, j);
        }
    }

    const PartitionProblem& problem_;
    FitTable& fits_;
    std::stop_token cancel_;
    std::size_t ops_;
    std::size_t classes_ = 0;
    std::size_t states_ = 1;
    std::size_t maxStages_ = 0;
    std::size_t minStages_ = 1;
    std::vector<std::size_t> counts_;
    std::vector<std::size_t> weights_;
    std::vector<const std::vector<Ticks>*> prefix_;
};

} // namespace stowage::pipeline::searching

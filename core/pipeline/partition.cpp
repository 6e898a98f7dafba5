#include "core/pipeline/partition.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace stowage::pipeline {

namespace {

constexpr std::size_t mostStates = 4096;
constexpr Ticks never = std::numeric_limits<Ticks>::max() / 4;
/// Of a table with a byte for each pair of cuts; above, pairs are remembered one by one.
constexpr std::size_t mostTabled = 4096;

/// Remembers what fits where.
class FitTable {
public:
    explicit FitTable(const PartitionProblem& problem) : problem_(problem), width_(problem.ops + 1)
    {
        if (problem.fits && problem.ops <= mostTabled)
            known_.resize(static_cast<std::size_t>(classCount()), std::vector<std::int8_t>(width_ * width_, -1));
    }
    [[nodiscard]] std::int32_t classCount() const
    {
        return problem_.classes.empty() ? 0 : *std::max_element(problem_.classes.begin(), problem_.classes.end()) + 1;
    }
    bool operator()(std::int32_t c, std::size_t begin, std::size_t end)
    {
        if (!problem_.fits) return true;
        if (!known_.empty()) {
            std::int8_t& cell = known_[static_cast<std::size_t>(c)][begin * width_ + end];
            if (cell < 0) cell = problem_.fits(c, begin, end) ? 1 : 0;
            return cell == 1;
        }
        const std::uint64_t key = (static_cast<std::uint64_t>(c) * width_ + begin) * width_ + end;
        const auto known = sparse_.find(key);
        if (known != sparse_.end()) return known->second;
        return sparse_[key] = problem_.fits(c, begin, end);
    }

private:
    const PartitionProblem& problem_;
    std::size_t width_;
    std::vector<std::vector<std::int8_t>> known_;
    std::unordered_map<std::uint64_t, bool> sparse_;
};

/// The devices as classes with counts, and multisets of them as numbers in a mixed radix.
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
            states = states > mostStates * 2 ? states : states * (counts_[c] + 1);
        }
        states_ = states;
        most_ = problem.maxStages == 0 ? problem.classes.size() : std::min(problem.maxStages, problem.classes.size());
        least_ = std::max<std::size_t>(problem.minStages, 1);
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

    /// Whether some split has at most this period: which prefixes the stages of each multiset of classes reach, by the class of
    /// the last one. Multisets come after those that they contain, as their numbers are larger.
    bool reachable(Ticks period)
    {
        const std::size_t row = ops_ + 1;
        std::vector<std::vector<char>> reach(states_ * classes_);
        std::vector<char> from(row);
        for (std::size_t state = 0; state < states_; ++state) {
            if (stopped()) return false;
            const std::size_t stages = used(state);
            if (stages >= most_) continue;
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
                if (target[ops_] != 0 && stages + 1 >= least_) return true;
            }
        }
        return false;
    }

    /// The cheapest split under a period: by latency, or by bytes. `exactBytes` says of which stages the true bytes are wanted.
    std::optional<Partition> shortest(Ticks period,
                                      const std::function<std::int64_t(std::size_t, std::size_t, std::size_t)>* bytes)
    {
        const std::size_t row = ops_ + 1;
        struct Step {
            std::uint32_t begin = 0;
            std::int32_t before = -1; ///< class of the stage in front
        };
        std::vector<std::vector<Ticks>> best(states_ * classes_);
        std::vector<std::vector<Step>> steps(states_ * classes_);
        std::vector<Ticks> from(row);
        std::vector<std::int32_t> fromClass(row);
        Ticks least = never;
        std::size_t leastState = 0;
        std::size_t leastClass = 0;
        for (std::size_t state = 0; state < states_; ++state) {
            if (stopped()) return std::nullopt;
            const std::size_t stages = used(state);
            if (stages >= most_) continue;
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
                    for (std::size_t j = i + 1; j <= ops_; ++j) {
                        if (cost(next, i, j) > period) break;
                        if (!mayEnd(j)) continue;
                        const Ticks known = best[index].empty() ? never : best[index][j];
                        if (from[i] >= known) continue;
                        if (!fits_(static_cast<std::int32_t>(next), i, j)) continue;
                        const Ticks sum = from[i] + (bytes ? (*bytes)(next, i, j) : cost(next, i, j));
                        if (sum >= known) continue;
                        if (best[index].empty()) {
                            best[index].assign(row, never);
                            steps[index].resize(row);
                        }
                        best[index][j] = sum;
                        steps[index][j] = {static_cast<std::uint32_t>(i), fromClass[i]};
                    }
                }
                if (stages + 1 >= least_ && !best[index].empty() && best[index][ops_] < least) {
                    least = best[index][ops_];
                    leastState = state + weights_[next];
                    leastClass = next;
                }
            }
        }
        if (least >= never) return std::nullopt;
        Partition found;
        std::size_t end = ops_;
        for (std::size_t state = leastState, c = leastClass;;) {
            const Step step = steps[state * classes_ + c][end];
            found.stages.push_back({step.begin, end, static_cast<std::int32_t>(c), 0});
            end = step.begin;
            if (end == 0) break;
            state -= weights_[c];
            c = static_cast<std::size_t>(step.before);
        }
        std::reverse(found.stages.begin(), found.stages.end());
        assign(found.stages);
        if (bytes) found.bytes = least;
        measure(problem_, found);
        return found;
    }

    /// Gives each stage a device of its class.
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
    [[nodiscard]] std::size_t most() const { return most_; }

private:
    /// Marks the ends of stages that begin in `from`.
    void extend(const std::vector<char>& from, std::vector<char>& target, std::size_t c, Ticks period)
    {
        std::size_t done = 0; // without memory limits: all ends below are marked already
        for (std::size_t i = 0; i < ops_; ++i) {
            if (from[i] == 0) continue;
            std::size_t j = i + 1;
            if (!problem_.fits) j = std::max(j, done);
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
    std::size_t most_ = 0;
    std::size_t least_ = 1;
    std::vector<std::size_t> counts_;
    std::vector<std::size_t> weights_;
    std::vector<const std::vector<Ticks>*> prefix_;
};

/// No period is smaller: the largest op on its best device, and all work shared evenly by the best devices for each op.
Ticks simpleBound(const PartitionProblem& problem, std::size_t most, Objective objective)
{
    Ticks largest = 0;
    Ticks total = 0;
    for (std::size_t o = 0; o < problem.ops; ++o) {
        Ticks least = never;
        for (const auto& prefix : problem.prefix) least = std::min(least, prefix[o + 1] - prefix[o]);
        largest = std::max(largest, least);
        total += least;
    }
    if (objective == Objective::latency) return total;
    const auto stages = static_cast<Ticks>(std::max<std::size_t>(std::min(most, problem.ops), 1));
    return std::max(largest, (total + stages - 1) / stages);
}

Ticks largestPeriod(const PartitionProblem& problem)
{
    Ticks largest = 0;
    for (const auto& prefix : problem.prefix) largest = std::max(largest, prefix.back());
    const auto classes = static_cast<std::int32_t>(
        problem.classes.empty() ? 0 : *std::max_element(problem.classes.begin(), problem.classes.end()) + 1);
    if (problem.transfer)
        for (std::int32_t a = 0; a < classes; ++a)
            for (std::int32_t b = 0; b < classes; ++b)
                for (std::size_t cut = 1; cut < problem.ops; ++cut) largest = std::max(largest, problem.transfer(a, b, cut));
    return largest;
}

Partition exactPartition(const PartitionProblem& problem, Objective objective, Search& search, const std::stop_token& cancel)
{
    Partition result;
    const Ticks top = largestPeriod(problem);
    result.probes = 1;
    if (objective == Objective::latency) {
        auto found = search.shortest(top, nullptr);
        if (cancel.stop_requested()) return result;
        if (!found) {
            result.status = PartitionStatus::infeasible;
            return result;
        }
        found->status = PartitionStatus::optimal;
        found->bound = found->latency;
        return *std::move(found);
    }
    if (!search.reachable(top)) {
        result.status = cancel.stop_requested() ? PartitionStatus::undecided : PartitionStatus::infeasible;
        return result;
    }
    Ticks low = simpleBound(problem, search.most(), objective); // every period below is impossible
    Ticks high = top;
    while (low < high) {
        const Ticks middle = low + (high - low) / 2;
        ++result.probes;
        if (search.reachable(middle))
            high = middle;
        else if (cancel.stop_requested())
            break;
        else
            low = middle + 1;
    }
    auto found = search.shortest(high, nullptr);
    if (!found) { // only a stop keeps it from being found
        result.bound = low;
        return result;
    }
    found->probes = result.probes;
    found->bound = low;
    found->status = found->period == low ? PartitionStatus::optimal : PartitionStatus::feasible;
    return *std::move(found);
}

/// Too many different devices: for a fixed order of devices, each used or left out, the best split is exact; orders are improved
/// by exchanging two of them until that does not help.
Partition heuristicPartition(const PartitionProblem& problem, Objective objective, FitTable& fits, std::size_t most,
                             const std::stop_token& cancel)
{
    const std::size_t devices = problem.classes.size();
    const std::size_t row = problem.ops + 1;
    std::vector<std::size_t> order(devices);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return problem.prefix[a].back() < problem.prefix[b].back(); });
    if (order.size() > most) order.resize(most);
    const auto objectiveOf = [&](Ticks a, Ticks b) { return objective == Objective::period ? std::max(a, b) : a + b; };
    const auto bestFor = [&](const std::vector<std::size_t>& devicesInOrder) {
        struct Cell {
            Ticks value = never;
            std::uint32_t begin = 0;
            std::int32_t before = -1; ///< position in the order
        };
        const std::size_t count = devicesInOrder.size();
        std::vector<std::vector<Cell>> best(count, std::vector<Cell>(row));
        Partition found;
        Ticks least = never;
        std::size_t leastAt = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t d = devicesInOrder[k];
            for (std::size_t i = 0; i < problem.ops; ++i) {
                Ticks from = i == 0 ? 0 : never;
                std::int32_t before = -1;
                for (std::size_t p = 0; i > 0 && p < k; ++p) {
                    if (best[p][i].value >= never) continue;
                    const Ticks moved =
                        problem.transfer ? problem.transfer(problem.classes[devicesInOrder[p]], problem.classes[d], i) : 0;
                    const Ticks value = objectiveOf(best[p][i].value, moved);
                    if (value < from) from = value, before = static_cast<std::int32_t>(p);
                }
                if (from >= never) continue;
                for (std::size_t j = i + 1; j < row; ++j) {
                    if (j < problem.ops && !problem.cutAllowed.empty() && !problem.cutAllowed[j]) continue;
                    const Ticks value = objectiveOf(from, problem.prefix[d][j] - problem.prefix[d][i]);
                    if (value >= best[k][j].value || !fits(problem.classes[d], i, j)) continue;
                    best[k][j] = {value, static_cast<std::uint32_t>(i), before};
                }
            }
            if (best[k][problem.ops].value < least) least = best[k][problem.ops].value, leastAt = k;
        }
        if (least >= never) return found;
        std::size_t end = problem.ops;
        for (std::size_t k = leastAt;;) {
            const Cell& cell = best[k][end];
            const std::size_t d = devicesInOrder[k];
            found.stages.push_back({cell.begin, end, problem.classes[d], static_cast<std::int32_t>(d)});
            end = cell.begin;
            if (end == 0) break;
            k = static_cast<std::size_t>(cell.before);
        }
        std::reverse(found.stages.begin(), found.stages.end());
        measure(problem, found);
        return found;
    };
    const auto valueOf = [&](const Partition& p) {
        return p.stages.empty() ? never : objective == Objective::period ? p.period : p.latency;
    };
    Partition best = bestFor(order);
    constexpr int mostTries = 400;
    int tries = 0;
    for (bool improved = true; improved && tries < mostTries && !cancel.stop_requested();) {
        improved = false;
        for (std::size_t a = 0; a < order.size() && tries < mostTries; ++a)
            for (std::size_t b = a + 1; b < order.size() && tries < mostTries; ++b, ++tries) {
                if (cancel.stop_requested()) break;
                std::swap(order[a], order[b]);
                Partition other = bestFor(order);
                if (valueOf(other) < valueOf(best)) {
                    best = std::move(other);
                    improved = true;
                } else {
                    std::swap(order[a], order[b]);
                }
            }
    }
    best.probes = static_cast<std::uint64_t>(tries) + 1;
    best.bound = simpleBound(problem, most, objective);
    if (best.stages.empty())
        best.status = PartitionStatus::undecided;
    else
        best.status = valueOf(best) == best.bound ? PartitionStatus::optimal : PartitionStatus::feasible;
    return best;
}

} // namespace

void measure(const PartitionProblem& problem, Partition& partition)
{
    partition.period = 0;
    partition.latency = 0;
    for (std::size_t s = 0; s < partition.stages.size(); ++s) {
        const PartitionStage& stage = partition.stages[s];
        const auto& prefix = problem.prefix[static_cast<std::size_t>(stage.device)];
        const Ticks cost = prefix[stage.end] - prefix[stage.begin];
        const Ticks moved =
            s > 0 && problem.transfer ? problem.transfer(partition.stages[s - 1].deviceClass, stage.deviceClass, stage.begin) : 0;
        partition.period = std::max({partition.period, cost, moved});
        partition.latency += cost + moved;
    }
}

bool isExact(const PartitionProblem& problem)
{
    FitTable none(problem);
    return Search(problem, none, {}).states() <= mostStates;
}

Partition partition(const PartitionProblem& problem, Objective objective, const std::stop_token& cancel)
{
    FitTable fits(problem);
    Search search(problem, fits, cancel);
    if (problem.ops == 0 || problem.classes.empty()) {
        Partition none;
        none.status = PartitionStatus::infeasible;
        return none;
    }
    return search.states() <= mostStates ? exactPartition(problem, objective, search, cancel)
                                         : heuristicPartition(problem, objective, fits, search.most(), cancel);
}

std::optional<Partition> cheapest(const PartitionProblem& problem, Ticks period, bool byBytes, const std::stop_token& cancel)
{
    FitTable fits(problem);
    Search search(problem, fits, cancel);
    if (search.states() > mostStates || problem.ops == 0) return std::nullopt;
    if (!byBytes || !problem.bytes) return search.shortest(period, nullptr);
    // Bounds first: the true bytes are found only for stages that a best split uses, until all of those are known.
    std::unordered_map<std::uint64_t, std::int64_t> known;
    const auto key = [&](std::size_t c, std::size_t i, std::size_t j) {
        return (static_cast<std::uint64_t>(c) * (problem.ops + 1) + i) * (problem.ops + 1) + j;
    };
    const std::function<std::int64_t(std::size_t, std::size_t, std::size_t)> bytes = [&](std::size_t c, std::size_t i,
                                                                                         std::size_t j) {
        const auto found = known.find(key(c, i, j));
        return found != known.end() ? found->second : problem.bytes(static_cast<std::int32_t>(c), i, j, false);
    };
    for (;;) {
        auto found = search.shortest(period, &bytes);
        if (!found) return found;
        bool exact = true;
        for (const PartitionStage& stage : found->stages) {
            const auto [place, fresh] =
                known.emplace(key(static_cast<std::size_t>(stage.deviceClass), stage.begin, stage.end), 0);
            if (!fresh) continue;
            exact = false;
            place->second = problem.bytes(stage.deviceClass, stage.begin, stage.end, true);
        }
        if (exact) return found;
    }
}

std::vector<Partition> tradeOff(const PartitionProblem& problem, bool byBytes, std::size_t limit, const std::stop_token& cancel)
{
    std::vector<Partition> points;
    for (Ticks period = largestPeriod(problem); points.size() < limit && !cancel.stop_requested();) {
        auto next = cheapest(problem, period, byBytes, cancel);
        if (!next) break;
        period = next->period - 1;
        const auto value = [&](const Partition& p) { return byBytes ? p.bytes : p.latency; };
        // The same price at a smaller period: the point before is beaten.
        while (!points.empty() && value(points.back()) >= value(*next)) points.pop_back();
        next->status = PartitionStatus::optimal;
        next->bound = next->period;
        points.push_back(*std::move(next));
        if (period < 0) break;
    }
    return points;
}

} // namespace stowage::pipeline

#include "core/passes/op_order.h"

#include "core/ir/random.h"
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace stowage {

namespace {

using Index = std::int32_t;
using Word = std::uint64_t;

constexpr Index maxNodesForReach = 8192;
constexpr std::size_t widestBeam = 4096;
constexpr std::size_t workBetweenAsks = 2000; ///< nodes, uses of storages, or words of sets

/// Asks for a stop by a count of work, because a downset of a large graph takes long.
class Stops {
public:
    explicit Stops(const std::function<bool()>& stop) : stop_(stop) {}

    /// Counts `work`. True from the first question on that was answered with a stop.
    bool after(std::size_t work)
    {
        work_ += work;
        if (work_ >= workBetweenAsks && stop_ && !stopped_) {
            work_ = 0;
            stopped_ = stop_();
        }
        return stopped_;
    }
    [[nodiscard]] bool stopped() const { return stopped_; }

private:
    const std::function<bool()>& stop_;
    std::size_t work_ = 0;
    bool stopped_ = false;
};

/// A set of nodes that have run, and the state after it. `bits` points to `words` words.
bool contains(const Word* bits, Index node)
{
    return (bits[at(node) / 64] >> (at(node) % 64) & 1U) != 0;
}
void add(Word* bits, Index node)
{
    bits[at(node) / 64] |= Word{1} << (at(node) % 64);
}

/// A 128-bit key of a set: the sum of a hash of each node, so that it does not depend on the order of insertion. Two different
/// sets have equal keys with a probability of about 2^-128.
struct Key {
    Word low = 0, high = 0;
    friend bool operator==(const Key&, const Key&) = default;
    [[nodiscard]] Key with(Index node) const
    {
        const Word n = at(node) + 1;
        return {low + mix64(n * 0x9e3779b97f4a7c15U), high + mix64(n * 0xd6e8feb86659fd93U + 0xa0761d6478bd642fU)};
    }
};
struct KeyHash {
    std::size_t operator()(const Key& key) const { return key.low; }
};

/// The problem, with the derived lists that the searches need.
class Graph {
public:
    explicit Graph(const OrderProblem& problem)
        : problem_(problem),
          before_(problem.nodes.size()),
          after_(problem.nodes.size()),
          touchers_(problem.storages.size()),
          words_((problem.nodes.size() + 63) / 64)
    {
        for (const auto& [first, second] : problem.edges) {
            before_[at(second)].push_back(first);
            after_[at(first)].push_back(second);
        }
        uses_ = problem.storages.size();
        for (Index v = 0; v < count(); ++v) {
            for (const Index s : problem.nodes[at(v)].touches) touchers_[at(s)].push_back(v);
            uses_ += problem.nodes[at(v)].touches.size();
        }
        for (const OrderProblem::Storage& storage : problem.storages) {
            const std::size_t s = static_cast<std::size_t>(&storage - problem.storages.data());
            if (storage.atEntry && (storage.atExit || !touchers_[s].empty())) entry_ += storage.size;
        }
        entry_ += problem.base;
    }

    [[nodiscard]] Index count() const { return static_cast<Index>(problem_.nodes.size()); }
    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] Bytes entryBytes() const { return entry_; } ///< live before the first node
    [[nodiscard]] const std::vector<Index>& before(Index v) const { return before_[at(v)]; }
    [[nodiscard]] const std::vector<Index>& after(Index v) const { return after_[at(v)]; }
    [[nodiscard]] const std::vector<Index>& touchers(Index s) const { return touchers_[at(s)]; }
    [[nodiscard]] std::size_t uses() const { return uses_; } ///< of storages by nodes, and one for each storage
    [[nodiscard]] const OrderProblem& problem() const { return problem_; }

    [[nodiscard]] bool ready(Index v, const Word* done) const
    {
        return std::all_of(before_[at(v)].begin(), before_[at(v)].end(), [&](Index u) { return contains(done, u); });
    }

    struct Effect {
        Bytes during = 0;
        Bytes after = 0;
    };
    /// The effect of running `v` next, with `live` bytes live after `done`.
    [[nodiscard]] Effect effect(Index v, const Word* done, Bytes live) const
    {
        const OrderProblem::Node& node = problem_.nodes[at(v)];
        Effect effect{live, live};
        Bytes touchedBefore = 0;
        const auto state = [&](Index s) { // (is live before, is live after)
            const OrderProblem::Storage& storage = problem_.storages[at(s)];
            bool earlier = storage.atEntry, later = storage.atExit;
            for (const Index u : touchers_[at(s)]) {
                if (u == v) continue;
                (contains(done, u) ? earlier : later) = true;
                if (earlier && later) break;
            }
            return std::pair(earlier, later);
        };
        for (const Index s : node.touches) {
            const auto [earlier, later] = state(s);
            const Bytes size = problem_.storages[at(s)].size;
            if (earlier)
                touchedBefore += size;
            else
                effect.during += size;
            effect.after += (later ? size : 0) - (earlier ? size : 0);
        }
        if (!node.moments.empty()) {
            Bytes most = 0;
            for (const OrderProblem::Moment& moment : node.moments) {
                Bytes bytes = moment.own;
                for (const OrderProblem::TouchedStorage& it : moment.touched)
                    if (state(it.storage).second ? it.ifNot : it.ifLast) bytes += problem_.storages[at(it.storage)].size;
                most = std::max(most, bytes);
            }
            effect.during = live - touchedBefore + most;
            return effect;
        }
        effect.during += node.own;
        if (!node.overwrites.empty()) effect.during -= saved(node, state);
        return effect;
    }

private:
    /// Bytes that in-place writing saves: each output in turn takes the smallest dying input that is large enough.
    template <typename State>
    Bytes saved(const OrderProblem::Node& node, State state) const
    {
        Bytes bytes = 0;
        std::vector<Index> taken, written;
        for (const OrderProblem::Overwrite& first : node.overwrites) {
            if (std::find(written.begin(), written.end(), first.output) != written.end()) continue;
            written.push_back(first.output);
            const Bytes size = problem_.storages[at(first.output)].size;
            if (state(first.output).first) continue; // the output is live already
            Index best = none;
            for (const OrderProblem::Overwrite& pair : node.overwrites) {
                if (pair.output != first.output || problem_.storages[at(pair.input)].size < size) continue;
                if (const auto [earlier, later] = state(pair.input); !earlier || later) continue;
                if (std::find(taken.begin(), taken.end(), pair.input) != taken.end()) continue;
                if (best == none || problem_.storages[at(pair.input)].size < problem_.storages[at(best)].size) best = pair.input;
            }
            if (best == none) continue;
            taken.push_back(best);
            bytes += size;
        }
        return bytes;
    }

    const OrderProblem& problem_;
    std::vector<std::vector<Index>> before_, after_, touchers_;
    std::size_t words_, uses_ = 0;
    Bytes entry_ = 0;
};

/// The current downset, with storage for its bits.
struct Walk {
    std::vector<Word> done;
    Key key;
    Bytes live = 0;
    Bytes peak = 0;
    Index ran = 0;

    void run(Index v, const Graph::Effect& effect)
    {
        add(done.data(), v);
        key = key.with(v);
        live = effect.after;
        peak = std::max(peak, effect.during);
        ++ran;
    }
};

/// Runs all nodes that the reduction of `smallestPeak` runs without an alternative, and appends them to `moves`. Afterwards
/// `ready` holds the nodes that can run next. Ends early when it is stopped.
void close(const Graph& graph, Walk& walk, Bytes threshold, std::vector<Index>& moves, std::vector<Index>& ready, Stops& stops)
{
    ready.clear();
    if (stops.after(at(graph.count()))) return;
    for (Index v = 0; v < graph.count(); ++v)
        if (!contains(walk.done.data(), v) && graph.ready(v, walk.done.data())) ready.push_back(v);
    for (std::size_t k = 0; k < ready.size();) {
        const Index v = ready[k];
        if (stops.after(1 + graph.problem().nodes[at(v)].touches.size())) return;
        const Graph::Effect effect = graph.effect(v, walk.done.data(), walk.live);
        if (effect.during > threshold || effect.after > walk.live) {
            ++k;
            continue;
        }
        walk.run(v, effect);
        moves.push_back(v);
        ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(k));
        for (const Index w : graph.after(v))
            if (!contains(walk.done.data(), w) && graph.ready(w, walk.done.data()) &&
                std::find(ready.begin(), ready.end(), w) == ready.end())
                ready.push_back(w);
        k = 0; // the bytes that it freed may let another node run
    }
    std::sort(ready.begin(), ready.end());
}

/// The exact search: a dynamic programme over downsets.
class DownsetSearch {
public:
    DownsetSearch(const Graph& graph, const OrderLimits& limits, Stops& stops) : graph_(graph), limits_(limits), stops_(stops) {}

    /// Starts at `threshold`, a lower bound, and ends at `upper`, the peak of a known order. True when the search was complete.
    bool run(Bytes threshold, Bytes upper, OrderResult& result)
    {
        threshold_ = threshold;
        Walk start;
        start.done.assign(graph_.words(), 0);
        start.live = graph_.entryBytes();
        start.peak = start.live;
        const bool ended = threshold_ >= upper || search(std::move(start), upper, result);
        result.states += states_.size();
        result.bound = std::max(result.bound, std::min(threshold_, upper));
        return ended;
    }

private:
    struct State {
        Index parent = none;
        std::uint32_t firstMove = 0; ///< index into `moves_` of the first node that was run after the parent
        std::uint32_t moves = 0;
        Bytes live = 0;
        Key key;
    };

    bool search(Walk start, Bytes upper, OrderResult& result)
    {
        if (const Index whole = push(std::move(start), none, none); whole != none) return finish(whole, result);
        for (;;) {
            while (!open_.empty() && !stops_.stopped()) {
                if (states_.size() >= limits_.states || memory() > limits_.memory) return false;
                const Index state = open_.back();
                open_.pop_back();
                if (const Index whole = expand(state); whole != none) return finish(whole, result);
            }
            if (stops_.stopped()) return false; // states are missing, so the threshold must not rise
            if (held_.empty()) return false;    // impossible, because the edges have no cycle
            threshold_ = held_.top().first;
            if (threshold_ >= upper) return true; // the known order is optimal
            while (!held_.empty() && held_.top().first <= threshold_) {
                open_.push_back(held_.top().second);
                held_.pop();
            }
        }
    }

    /// Pushes all successors within the threshold, and records the smallest peak among those above it. Returns a state in which
    /// all nodes have run, or none. Stopped: pushes some of them.
    Index expand(Index state)
    {
        if (stops_.after(at(graph_.count()))) return none;
        Walk walk = walkOf(state);
        readyNow_.clear();
        for (Index v = 0; v < graph_.count(); ++v)
            if (!contains(walk.done.data(), v) && graph_.ready(v, walk.done.data())) readyNow_.push_back(v);
        Bytes held = std::numeric_limits<Bytes>::max();
        // The stack is last in, first out: the successor with the fewest live bytes is pushed last.
        std::vector<std::pair<Bytes, Index>> next;
        for (const Index v : readyNow_) {
            const Graph::Effect effect = graph_.effect(v, walk.done.data(), walk.live);
            if (effect.during > threshold_)
                held = std::min(held, effect.during);
            else
                next.emplace_back(-effect.after, v);
        }
        std::sort(next.begin(), next.end());
        for (const auto& [key, v] : next) {
            Walk moved = walk;
            moved.run(v, graph_.effect(v, walk.done.data(), walk.live));
            if (const Index whole = push(std::move(moved), state, v); whole != none) return whole;
            if (stops_.stopped()) return none;
        }
        // Successors that were pushed at a smaller threshold are recognised by their keys.
        if (held != std::numeric_limits<Bytes>::max()) held_.emplace(held, state);
        return none;
    }

    /// Reduces a state and stores it unless it is known. Returns its number when all nodes have run; otherwise, or stopped, none.
    Index push(Walk walk, Index parent, Index move)
    {
        const std::size_t first = moves_.size();
        if (move != none) moves_.push_back(move);
        close(graph_, walk, threshold_, moves_, readyNow_, stops_);
        if (stops_.stopped()) return none;
        const auto index = static_cast<Index>(states_.size());
        if (!known_.emplace(walk.key, index).second) {
            moves_.resize(first);
            return none;
        }
        states_.push_back(
            {parent, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(moves_.size() - first), walk.live, walk.key});
        bits_.insert(bits_.end(), walk.done.begin(), walk.done.end());
        if (walk.ran == graph_.count()) return index;
        open_.push_back(index);
        return none;
    }

    [[nodiscard]] Walk walkOf(Index state) const
    {
        Walk walk;
        const auto begin = bits_.begin() + static_cast<std::ptrdiff_t>(at(state) * graph_.words());
        walk.done.assign(begin, begin + static_cast<std::ptrdiff_t>(graph_.words()));
        walk.key = states_[at(state)].key;
        walk.live = states_[at(state)].live;
        walk.peak = threshold_;
        for (const Word word : walk.done) walk.ran += std::popcount(word);
        return walk;
    }

    bool finish(Index whole, OrderResult& result) const
    {
        std::vector<Index> order;
        for (Index state = whole; state != none; state = states_[at(state)].parent)
            for (std::uint32_t k = states_[at(state)].moves; k-- > 0;) order.push_back(moves_[states_[at(state)].firstMove + k]);
        std::reverse(order.begin(), order.end());
        result.order = std::move(order);
        result.peak = peakOf(graph_.problem(), result.order);
        return true;
    }

    [[nodiscard]] std::size_t memory() const
    {
        return states_.size() * (sizeof(State) + graph_.words() * sizeof(Word) + 64) + moves_.size() * sizeof(Index) +
               held_.size() * 16;
    }

    const Graph& graph_;
    const OrderLimits& limits_;
    Bytes threshold_ = 0;
    std::vector<State> states_;
    std::vector<Word> bits_;
    std::vector<Index> moves_;
    std::vector<Index> open_; ///< states to be expanded at the current threshold
    using Held = std::pair<Bytes, Index>;
    std::priority_queue<Held, std::vector<Held>, std::greater<>>
        held_; ///< pairs (threshold, state): to be expanded again at that threshold
    std::unordered_map<Key, Index, KeyHash> known_;
    std::vector<Index> readyNow_;
    Stops& stops_;
};

/// Beam search: keeps the best downsets of each size, by peak so far, then by bytes live now.
class Beam {
public:
    Beam(const Graph& graph, const OrderLimits& limits, Stops& stops) : graph_(graph), limits_(limits), stops_(stops) {}

    void run(OrderResult& result)
    {
        for (std::size_t width = 8; width <= widestBeam && !result.proved() && !stops_.stopped() && states_ < limits_.beamStates;
             width *= 4)
            pass(width, result);
        result.states += states_;
    }

private:
    struct Node {
        Walk walk;
        std::vector<Index> order;
    };

    void pass(std::size_t width, OrderResult& result)
    {
        std::vector<std::vector<Node>> bySize(at(graph_.count()) + 1);
        Node start;
        start.walk.done.assign(graph_.words(), 0);
        start.walk.live = start.walk.peak = graph_.entryBytes();
        if (!settle(start, result.bound)) return;
        bySize[at(start.walk.ran)].push_back(std::move(start));
        for (std::size_t size = 0; size + 1 < bySize.size(); ++size) {
            std::vector<Node> nodes = pruned(std::move(bySize[size]), width);
            bySize[size] = {};
            for (const Node& node : nodes) {
                if (++states_ >= limits_.beamStates || stops_.after(at(graph_.count()))) return;
                for (Index v = 0; v < graph_.count(); ++v) {
                    if (contains(node.walk.done.data(), v) || !graph_.ready(v, node.walk.done.data())) continue;
                    const Graph::Effect effect = graph_.effect(v, node.walk.done.data(), node.walk.live);
                    if (std::max(node.walk.peak, effect.during) >= result.peak) continue;
                    Node next = node;
                    next.walk.run(v, effect);
                    next.order.push_back(v);
                    if (!settle(next, result.bound)) return;
                    bySize[at(next.walk.ran)].push_back(std::move(next));
                }
                for (std::size_t later = size + 1; later < bySize.size(); ++later)
                    if (bySize[later].size() > 8 * width) bySize[later] = pruned(std::move(bySize[later]), width);
            }
        }
        for (const Node& node : bySize.back()) {
            if (node.walk.peak >= result.peak) continue;
            result.order = node.order;
            result.peak = node.walk.peak;
        }
    }

    /// Reduces a state. False when it was stopped.
    bool settle(Node& node, Bytes bound)
    {
        close(graph_, node.walk, std::max(node.walk.peak, bound), node.order, ready_, stops_);
        return !stops_.stopped();
    }

    static std::vector<Node> pruned(std::vector<Node> nodes, std::size_t width)
    {
        const auto key = [](const Node& node) {
            return std::tuple(node.walk.peak, node.walk.live, node.walk.key.low, node.walk.key.high);
        };
        std::stable_sort(nodes.begin(), nodes.end(), [&](const Node& a, const Node& b) { return key(a) < key(b); });
        std::unordered_map<Key, bool, KeyHash> seen;
        std::erase_if(nodes, [&](const Node& node) {
            return !seen.emplace(node.walk.key, true).second;
        }); // the first has the smallest peak
        if (nodes.size() > width) nodes.resize(width);
        return nodes;
    }

    const Graph& graph_;
    const OrderLimits& limits_;
    std::size_t states_ = 0;
    std::vector<Index> ready_;
    Stops& stops_;
};

/// A lower bound on the bytes that are live while `v` runs, in every order. `heldOver`: bytes of storages that it does not use
/// and that are live then in every order. `later`: whether a storage that it uses is needed after it in every order.
template <typename Later>
Bytes boundAt(const OrderProblem& problem, Index v, Bytes heldOver, Later later)
{
    const OrderProblem::Node& node = problem.nodes[at(v)];
    Bytes bytes = problem.base + heldOver;
    if (node.moments.empty()) {
        bytes += node.own;
        for (const Index s : node.touches) bytes += problem.storages[at(s)].size;
        // Upper bound on the bytes that in-place writing saves: every output that fits into some input.
        std::vector<Index> saved;
        for (const OrderProblem::Overwrite& pair : node.overwrites) {
            if (later(pair.input) || problem.storages[at(pair.input)].size < problem.storages[at(pair.output)].size) continue;
            if (std::find(saved.begin(), saved.end(), pair.output) != saved.end()) continue;
            saved.push_back(pair.output);
            bytes -= problem.storages[at(pair.output)].size;
        }
    }
    Bytes most = 0;
    for (const OrderProblem::Moment& moment : node.moments) {
        Bytes inside = moment.own;
        for (const OrderProblem::TouchedStorage& it : moment.touched)
            if (later(it.storage) ? it.ifNot : it.ifNot && it.ifLast) inside += problem.storages[at(it.storage)].size;
        most = std::max(most, inside);
    }
    return bytes + most;
}

/// `orderBound` for many nodes: without predecessors and successors, a storage is live at a node that does not use it only if it
/// is live from the entry to the exit. O(uses).
Bytes boundWithoutReach(const Graph& graph, Stops& stops)
{
    const OrderProblem& problem = graph.problem();
    const auto always = [&](Index s) { return problem.storages[at(s)].atEntry && problem.storages[at(s)].atExit; };
    Bytes whole = 0; // of the storages that are always live
    for (Index s = 0; s < static_cast<Index>(problem.storages.size()); ++s)
        if (always(s)) whole += problem.storages[at(s)].size;
    Bytes bound = graph.entryBytes();
    for (Index v = 0; v < graph.count(); ++v) {
        const std::vector<Index>& touches = problem.nodes[at(v)].touches;
        if (stops.after(1 + touches.size())) break;
        Bytes heldOver = whole;
        for (const Index s : touches)
            if (always(s)) heldOver -= problem.storages[at(s)].size;
        bound = std::max(bound, boundAt(problem, v, heldOver, [&](Index s) { return problem.storages[at(s)].atExit; }));
    }
    return bound;
}

/// `orderBound`. Stopped: of the nodes looked at so far, which is a bound too.
Bytes boundOf(const Graph& graph, Stops& stops)
{
    const Index n = graph.count();
    if (n > maxNodesForReach) return boundWithoutReach(graph, stops);
    const OrderProblem& problem = graph.problem();
    Bytes bound = graph.entryBytes();
    const std::size_t words = graph.words();
    std::vector<Word> above(at(n) * words, 0), below(at(n) * words, 0); // all predecessors, all successors
    const auto take = [&](std::vector<Word>& sets, Index into, Index from) {
        for (std::size_t w = 0; w < words; ++w) sets[at(into) * words + w] |= sets[at(from) * words + w];
        add(&sets[at(into) * words], from);
    };
    for (Index v = 0; v < n; ++v) { // the listed order respects the edges
        if (stops.after(1 + graph.before(v).size() * words)) return bound;
        for (const Index u : graph.before(v)) take(above, v, u);
    }
    for (Index v = n; v-- > 0;) {
        if (stops.after(1 + graph.after(v).size() * words)) return bound;
        for (const Index u : graph.after(v)) take(below, v, u);
    }

    std::vector<std::uint8_t> mustStay(problem.storages.size());
    for (Index v = 0; v < n; ++v) {
        if (stops.after(1 + graph.uses())) return bound;
        const OrderProblem::Node& node = problem.nodes[at(v)];
        Bytes heldOver = 0;
        for (std::size_t s = 0; s < problem.storages.size(); ++s) {
            const OrderProblem::Storage& storage = problem.storages[s];
            bool earlier = storage.atEntry, later = storage.atExit;
            for (const Index u : graph.touchers(static_cast<Index>(s))) {
                if (u == v) continue;
                earlier = earlier || contains(&above[at(v) * words], u);
                later = later || contains(&below[at(v) * words], u);
            }
            mustStay[s] = later;
            if (earlier && later && !std::binary_search(node.touches.begin(), node.touches.end(), static_cast<Index>(s)))
                heldOver += storage.size;
        }
        bound = std::max(bound, boundAt(problem, v, heldOver, [&](Index s) { return mustStay[at(s)] != 0; }));
    }
    return bound;
}

} // namespace

std::vector<Bytes> liveAlong(const OrderProblem& problem, std::span<const std::int32_t> order)
{
    const Graph graph(problem);
    std::vector<Word> done(graph.words(), 0);
    std::vector<Bytes> along;
    Bytes live = graph.entryBytes();
    for (const Index v : order) {
        const Graph::Effect effect = graph.effect(v, done.data(), live);
        along.push_back(effect.during);
        live = effect.after;
        add(done.data(), v);
    }
    return along;
}

Bytes peakOf(const OrderProblem& problem, std::span<const std::int32_t> order)
{
    Bytes peak = Graph(problem).entryBytes();
    for (const Bytes bytes : liveAlong(problem, order)) peak = std::max(peak, bytes);
    return peak;
}

Bytes orderBound(const OrderProblem& problem)
{
    const std::function<bool()> never;
    Stops stops(never);
    return boundOf(Graph(problem), stops);
}

OrderResult smallestPeak(const OrderProblem& problem, const OrderLimits& limits)
{
    const Graph graph(problem);
    OrderResult result;
    result.order.resize(problem.nodes.size());
    std::iota(result.order.begin(), result.order.end(), 0);
    result.listed = result.peak = peakOf(problem, result.order);
    Stops stops(limits.stop);
    result.bound = boundOf(graph, stops);
    const auto open = [&] { return !result.proved() && !stops.stopped(); };
    if (open() && limits.states > 0) DownsetSearch(graph, limits, stops).run(result.bound, result.peak, result);
    if (open()) Beam(graph, limits, stops).run(result);
    result.stopped = stops.stopped() && !result.proved();
    return result;
}

} // namespace stowage

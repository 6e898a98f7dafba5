#include "core/planners/nnc/selection.h"

#include <algorithm>
#include <bit>

namespace stowage::nnc {

namespace {

/// True if both sets have a common member in the words [begin, end).
bool meet(const Words& a, const Words& b, std::size_t begin, std::size_t end)
{
    for (std::size_t w = begin; w < end; ++w)
        if ((a[w] & b[w]) != 0) return true;
    return false;
}

constexpr std::uint32_t stepsBetweenSweeps = 16;
constexpr std::int32_t fewTies = 64; ///< with more, following each of them takes too long

/// Removes all members below `node`.
void clearBelow(std::span<std::uint64_t> set, Node node)
{
    const auto word = at(node) / 64;
    std::fill(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(std::min(word, set.size())), 0);
    if (word < set.size()) set[word] &= ~std::uint64_t{0} << (static_cast<unsigned>(node) % 64);
}

} // namespace

Selection::Selection(const Tensors& tensors, AllocationGraph& graph, Words& pending, bool strict)
    : tensors_(tensors),
      graph_(graph),
      pending_(pending),
      strict_(strict),
      interference_(at(tensors.size())),
      most_(tensors.words()),
      reach_(tensors.words()),
      pairable_(tensors.words()),
      apart_(tensors.words()),
      partners_(tensors.words())
{
    forEach(pending_, [&](Node node) {
        for (std::size_t w = 0; w < pending_.size(); ++w)
            interference_[at(node)] += std::popcount(tensors_.conflictsIn(node, w) & pending_[w]);
        return true;
    });
}

void Selection::remove(Node node)
{
    nnc::remove(pending_, node);
    tensors_.eachConflict(node, [&](Node other) {
        --interference_[at(other)];
        return true;
    });
}

/// Adds the new edges of the graph to `fitting_`, and removes those that no pending tensor fits.
void Selection::follow()
{
    while (pendingBegin_ < pending_.size() && pending_[pendingBegin_] == 0) ++pendingBegin_;
    const bool sweep = ++steps_ % stepsBetweenSweeps == 0;
    std::size_t kept = 0;
    for (Fitting& fitting : fitting_) {
        if (graph_.edge(fitting.edge).bytes == 0) continue;
        if (sweep && !meet(fitting.tensors, pending_, pendingBegin_, pending_.size())) continue;
        if (&fitting_[kept] != &fitting) fitting_[kept] = std::move(fitting);
        ++kept;
    }
    fitting_.resize(kept);
    for (; followed_ < graph_.edges().size(); ++followed_) {
        const Edge& edge = graph_.edges()[followed_];
        if (edge.bytes == 0 || edge.dummyEnds() == 2) continue;
        Fitting fitting{static_cast<EdgeId>(followed_), edge.dummyEnds() == 0, Words(tensors_.words())};
        const auto after = tensors_.after(edge.from);
        const auto before = tensors_.before(edge.to);
        for (std::size_t w = 0; w < tensors_.words(); ++w) fitting.tensors[w] = after[w] & before[w] & pending_[w];
        clearBelow(fitting.tensors, tensors_.firstWithin(edge.bytes));
        if (meet(fitting.tensors, pending_, pendingBegin_, pending_.size())) fitting_.push_back(std::move(fitting));
    }
}

void Selection::maxInterfering()
{
    interferenceOfMost_ = -1;
    forEach(pending_, [&](Node node) {
        const std::int32_t own = interference_[at(node)];
        if (own > interferenceOfMost_) {
            interferenceOfMost_ = own;
            std::fill(most_.begin(), most_.end(), 0);
            ties_ = 0;
        }
        if (own == interferenceOfMost_) {
            add(most_, node);
            lastOfMost_ = node;
            ++ties_;
        }
        return true;
    });
    maxEnd_ = at(lastOfMost_) / 64 + 1;
    maxBegin_ = 0;
    while (maxBegin_ < maxEnd_ && most_[maxBegin_] == 0) ++maxBegin_;
}

Candidate Selection::next()
{
    follow();
    maxInterfering();
    Candidate candidate;
    candidate.interference = interferenceOfMost_;
    candidate.ties = ties_;
    if (!search(Ends::inner, candidate) && (strict_ || !search(Ends::one, candidate))) first(candidate);
    lookRound(candidate);
    return candidate;
}

/// Fills in the alternatives of the choice, for the recorded reason. O(n / 64 + larger tensors).
void Selection::lookRound(Candidate& to) const
{
    const auto members = to.tuple.all();
    const Node largest = *std::min_element(members.begin(), members.end()); // numbered by size
    forEach(most_, [&](Node node) {
        const bool larger = classEnd(node) <= largest;
        to.passedOver += larger ? 1 : 0;
        if (node != to.chosen && to.others.count < 3 && std::find(members.begin(), members.end(), node) == members.end())
            to.others.add(node);
        return larger || to.others.count < 3;
    });
}

std::vector<Node> Selection::sizeClass(std::span<const std::uint64_t> set, Node from) const
{
    std::vector<Node> members;
    const Node end = classEnd(from);
    for (Node node = from; node < end; ++node)
        if (contains(set, node)) members.push_back(node);
    std::stable_sort(members.begin(), members.end(), [&](Node a, Node b) { return interference_[at(a)] > interference_[at(b)]; });
    return members;
}

/// Step 4: finds the first candidate with an edge of kind `ends`.
bool Selection::search(Ends ends, Candidate& to)
{
    // The largest member of a candidate must fit an edge that a tensor of `most_` fits, too.
    std::fill(reach_.begin(), reach_.end(), 0);
    taking_.clear();
    for (const Fitting& fitting : fitting_) {
        if ((ends == Ends::inner && !fitting.inner) || !meet(fitting.tensors, most_, maxBegin_, maxEnd_)) continue;
        taking_.push_back(&fitting);
        for (std::size_t w = pendingBegin_; w < reach_.size(); ++w) reach_[w] |= fitting.tensors[w] & pending_[w];
    }
    if (taking_.empty()) return false;
    if (ties_ <= fewTies) followMost();
    bool found = false;
    Node nextClass = 0; ///< the first tensor of the next size class
    forEach(reach_, [&](Node node) {
        if (node < nextClass) return true;
        nextClass = classEnd(node);
        const bool pairs = lastOfMost_ >= nextClass; // otherwise no tensor of `most_` is smaller
        if (pairs)
            for (const Node large : sizeClass(ties_ <= fewTies ? pairable_ : reach_, node))
                if (!found) found = pairUp(large, ends, to);
        for (Node single = node; single < nextClass && !found; ++single)
            if (contains(most_, single) && contains(reach_, single)) found = alone(single, ends, to);
        return pairs && !found;
    });
    return found;
}

/// Updates the set of possible partners: tensors that come before or after a tensor of `most_`.
void Selection::followMost()
{
    std::fill(pairable_.begin(), pairable_.end(), 0);
    forEach(most_, [&](Node node) {
        const auto after = tensors_.after(node);
        const auto before = tensors_.before(node);
        for (std::size_t w = pendingBegin_; w < reach_.size(); ++w) pairable_[w] |= after[w] | before[w];
        return true;
    });
    for (std::size_t w = 0; w < reach_.size(); ++w) pairable_[w] &= reach_[w];
}

bool Selection::alone(Node node, Ends ends, Candidate& to)
{
    to.tuple = {};
    to.tuple.add(node);
    to.place = graph_.find(to.tuple, ends == Ends::inner ? 0 : 1);
    to.ends = ends;
    to.chosen = node;
    return to.place.found();
}

/// Pairs `large` with the first smaller tensor of `most_` that has no conflict with it and fits an edge together with it.
bool Selection::pairUp(Node large, Ends ends, Candidate& to)
{
    std::fill(partners_.begin(), partners_.end(), 0);
    const auto after = tensors_.after(large);
    const auto before = tensors_.before(large);
    std::fill(apart_.begin(), apart_.end(), 0);
    for (std::size_t w = maxBegin_; w < maxEnd_; ++w) apart_[w] = most_[w] & (after[w] | before[w]);
    clearBelow(apart_, classEnd(large));
    std::size_t begin = maxBegin_, end = maxEnd_; // the words of `most_` with members
    while (begin < end && apart_[begin] == 0) ++begin;
    while (begin < end && apart_[end - 1] == 0) --end;
    if (begin == end) return false;
    for (const Fitting* fitting : taking_) {
        ++looked_;
        if (!contains(fitting->tensors, large)) continue;
        for (std::size_t w = begin; w < end; ++w) partners_[w] |= fitting->tensors[w] & apart_[w];
    }
    bool found = false;
    forEach(partners_, [&](Node small) {
        to.tuple = pair(small, large);
        to.place = graph_.find(to.tuple, ends == Ends::inner ? 0 : 1);
        to.ends = ends;
        to.chosen = small;
        found = to.place.found();
        return !found;
    });
    return found;
}

bool Selection::hasPartner(Node large, Node& partner) const
{
    const auto after = tensors_.after(large);
    const auto before = tensors_.before(large);
    const Node end = classEnd(large);
    bool found = false;
    for (std::size_t w = std::max(maxBegin_, at(end) / 64); w < maxEnd_ && !found; ++w) {
        std::uint64_t bits = most_[w] & (after[w] | before[w]);
        if (w == at(end) / 64) bits &= ~std::uint64_t{0} << (static_cast<unsigned>(end) % 64);
        if (bits == 0) continue;
        partner = static_cast<Node>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
        found = true;
    }
    return found;
}

/// Step 5: the first candidate, with or without an edge for it.
void Selection::first(Candidate& to)
{
    to.place = {};
    to.ends = Ends::fresh;
    Node nextClass = 0;
    forEach(pending_, [&](Node node) {
        if (node < nextClass) return true;
        nextClass = classEnd(node);
        if (lastOfMost_ >= nextClass)
            for (const Node large : sizeClass(pending_, node))
                if (Node partner = source; hasPartner(large, partner)) {
                    to.tuple = pair(partner, large);
                    to.chosen = partner;
                    return false;
                }
        for (Node single = node; single < nextClass; ++single)
            if (contains(most_, single)) {
                to.tuple = {};
                to.tuple.add(single);
                to.chosen = single;
                return false;
            }
        return true;
    });
    to.place = graph_.find(to.tuple, 2);
    if (to.place.found() && graph_.edge(to.place.edge).dummyEnds() < 2)
        to.place = {}; // with `strict`, only left-over edges are used here
}

Tuple Selection::pair(Node a, Node b) const
{
    Tuple tuple;
    tuple.add(tensors_.rank(a) < tensors_.rank(b) ? a : b);
    tuple.add(tensors_.rank(a) < tensors_.rank(b) ? b : a);
    return tuple;
}

} // namespace stowage::nnc

#include "core/planners/rectangles/restack.h"

#include "core/ir/checked.h"
#include "core/planners/rectangles/rectangle.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace stowage::exact {

namespace {

constexpr double aimBelow = 0.002; ///< of the height: by how much the target is below it
constexpr std::size_t mostOut = 6; ///< pieces taken out in one round
constexpr std::size_t roundsOfStop = 16;
constexpr std::uint64_t partsOfWork = 10; ///< of what is for improving between additions

Bytes alignedUp(Bytes offset, Bytes alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

} // namespace

Restack::Restack(std::span<const Piece> pieces, std::uint64_t seed)
    : pieces_(pieces),
      nodes_(pieces.size()),
      below_(pieces.size(), -1),
      above_(pieces.size(), 0),
      lower_(pieces.size()),
      higher_(pieces.size()),
      dice_(seed),
      isSaved_(pieces.size(), 0)
{
    const std::vector<Step> steps = eventsOf(pieces);
    events_ = steps.size();
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        nodes_[p].begin = eventAt(steps, pieces[p].begin);
        nodes_[p].end = eventAt(steps, pieces[p].end);
    }
    dirtyUp_.resize(pieces.size() / 64 + 1);
    dirtyDown_.resize(pieces.size() / 64 + 1);
    nextFree_.resize(events_ + 1);
}

void Restack::start(std::span<const Bytes> offsets)
{
    order_.clear();
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        nodes_[p].rank = -1;
        below_[p] = -1;
        if (offsets[p] >= 0) order_.push_back(static_cast<Id>(p));
    }
    std::stable_sort(order_.begin(), order_.end(), [&](Id a, Id b) { return offsets[at(a)] < offsets[at(b)]; });
    rankFrom(0);
    link();
    for (const Id p : order_) {
        below_[at(p)] = above_[at(p)] = 0;
        dirty(p, false);
        dirty(p, true);
    }
    settle();
}

/// Finds all neighbours anew: a piece rests on those that one sees from it looking down.
void Restack::link()
{
    std::vector<Id> top(events_, -1), seenBy(pieces_.size(), -1);
    for (auto* lists : {&lower_, &higher_})
        for (Neighbours& list : *lists) list.clear();
    links_ = 0;
    for (const Id p : order_) {
        for (std::int32_t event = node(p).begin; event < node(p).end; ++event) {
            const Id under = std::exchange(top[at(event)], p);
            if (under < 0 || std::exchange(seenBy[at(under)], p) == p) continue;
            lower_[at(p)].push_back(under);
            higher_[at(under)].push_back(p);
            ++links_;
        }
        work_ += at(node(p).end - node(p).begin);
    }
    linksWhenMade_ = links_;
}

void Restack::rankFrom(std::size_t place)
{
    for (; place < order_.size(); ++place) nodes_[at(order_[place])].rank = static_cast<std::int32_t>(place);
}

void Restack::remember(Id p)
{
    if (!recording_ || isSaved_[at(p)] != 0) return;
    isSaved_[at(p)] = 1;
    saved_.push_back({p, lower_[at(p)], higher_[at(p)]});
}

void Restack::dirty(Id p, bool down)
{
    const auto rank = at(node(p).rank);
    (down ? dirtyDown_ : dirtyUp_)[rank / 64] |= std::uint64_t{1} << (rank % 64);
}

double Restack::over(Id p) const
{
    return static_cast<double>(std::max<Bytes>(0, below_[at(p)] + above_[at(p)] - target_));
}

void Restack::set(Id p, Bytes& length, Bytes to)
{
    if (recording_) lengths_.emplace_back(&length, length);
    excess_ -= over(p);
    length = to;
    excess_ += over(p);
}

void Restack::settle()
{
    settleUp();
    settleDown();
}

/// Offsets of what is dirty, and of what rests on it as far as that changes: in order, so that each is looked at once.
void Restack::settleUp()
{
    for (std::size_t word = 0; word < dirtyUp_.size(); ++word)
        while (dirtyUp_[word] != 0) {
            const Id p = order_[word * 64 + static_cast<std::size_t>(std::countr_zero(dirtyUp_[word]))];
            dirtyUp_[word] &= dirtyUp_[word] - 1;
            Bytes end = 0;
            for (const Id q : lower_[at(p)]) end = std::max(end, below_[at(q)] + pieces_[at(q)].size);
            work_ += 2 + lower_[at(p)].size();
            const Bytes offset = alignedUp(end, pieces_[at(p)].alignment);
            if (offset == below_[at(p)]) continue;
            set(p, below_[at(p)], offset);
            for (const Id q : higher_[at(p)]) dirty(q, false);
        }
}

/// The same of chains to the top, in the other direction.
void Restack::settleDown()
{
    for (std::size_t word = dirtyDown_.size(); word-- > 0;)
        while (dirtyDown_[word] != 0) {
            const auto bit = static_cast<std::size_t>(std::bit_width(dirtyDown_[word])) - 1;
            const Id p = order_[word * 64 + bit];
            dirtyDown_[word] ^= std::bit_floor(dirtyDown_[word]);
            Bytes chain = 0;
            for (const Id q : higher_[at(p)]) chain = std::max(chain, above_[at(q)]);
            work_ += 2 + higher_[at(p)].size();
            chain += pieces_[at(p)].size;
            if (chain == above_[at(p)]) continue;
            set(p, above_[at(p)], chain);
            for (const Id q : lower_[at(p)]) dirty(q, true);
        }
}

/// Takes a piece out. What was above it then may rest on what was below it. Leaves both dirty.
void Restack::remove(Id p)
{
    remember(p);
    const Neighbours under = std::move(lower_[at(p)]), upper = std::move(higher_[at(p)]);
    lower_[at(p)].clear();
    higher_[at(p)].clear();
    for (const Id b : under) {
        remember(b);
        std::erase(higher_[at(b)], p);
        dirty(b, true);
    }
    for (const Id a : upper) {
        remember(a);
        std::erase(lower_[at(a)], p);
        dirty(a, false);
        for (const Id b : under) {
            if (!meet(a, b) || std::find(lower_[at(a)].begin(), lower_[at(a)].end(), b) != lower_[at(a)].end()) continue;
            lower_[at(a)].push_back(b);
            higher_[at(b)].push_back(a);
            ++links_;
        }
    }
    work_ += under.size() * upper.size() + under.size() + upper.size();
    links_ -= under.size() + upper.size();
    const auto rank = at(node(p).rank);
    for (auto* bits : {&dirtyUp_, &dirtyDown_}) (*bits)[rank / 64] &= ~(std::uint64_t{1} << (rank % 64));
    excess_ -= over(p);
    if (recording_) {
        lengths_.emplace_back(&below_[at(p)], below_[at(p)]);
        lengths_.emplace_back(&above_[at(p)], above_[at(p)]);
    }
    below_[at(p)] = -1;
    above_[at(p)] = 0;
}

/// Puts a piece where the longest chain through it is shortest.
void Restack::insert(Id p)
{
    overlapping_.clear();
    for (const Id q : order_)
        if (meet(p, q)) overlapping_.push_back(q);
    work_ += order_.size() / 4 + overlapping_.size();
    const std::size_t count = overlapping_.size();
    chains_.assign(count + 1, 0);
    for (std::size_t k = count; k-- > 0;) chains_[k] = std::max(chains_[k + 1], above_[at(overlapping_[k])]);
    const Piece& piece = pieces_[at(p)];
    const bool late = dice_.below(2) == 0; // among equals
    Bytes end = 0, shortest = maxBytes;
    std::size_t best = 0;
    for (std::size_t k = 0; k <= count; ++k) { // so many of them below it
        const Bytes chain = alignedUp(end, piece.alignment) + piece.size + chains_[k];
        if (chain < shortest || (late && chain == shortest)) {
            shortest = chain;
            best = k;
        }
        if (k < count) end = std::max(end, below_[at(overlapping_[k])] + pieces_[at(overlapping_[k])].size);
    }
    join(p, best);
}

/// Puts a piece above the first `place` of those that overlap it.
void Restack::join(Id p, std::size_t place)
{
    const std::size_t rank = place < overlapping_.size() ? at(node(overlapping_[place]).rank) : order_.size();
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(rank), p);
    rankFrom(rank);
    work_ += (order_.size() - rank) / 4;
    remember(p);
    // Neighbours are those that some step of the piece sees; `nextFree_` leads from a step to the next that has seen none.
    const auto see = [&](auto from, auto to, std::vector<Neighbours>& own, std::vector<Neighbours>& theirs) {
        for (std::int32_t event = node(p).begin; event <= node(p).end; ++event) nextFree_[at(event)] = event;
        const auto find = [&](std::int32_t event) {
            std::int32_t last = event;
            while (nextFree_[at(last)] != last) last = nextFree_[at(last)];
            while (nextFree_[at(event)] != last) event = std::exchange(nextFree_[at(event)], last);
            return last;
        };
        std::int32_t left = node(p).end - node(p).begin;
        work_ += static_cast<std::uint64_t>(left) / 4;
        for (; from != to && left > 0; ++from) {
            const std::int32_t end = std::min(node(*from).end, node(p).end);
            bool seen = false;
            for (std::int32_t event = find(std::max(node(*from).begin, node(p).begin)); event < end; event = find(event)) {
                nextFree_[at(event)] = event + 1;
                seen = true;
                --left;
            }
            ++work_;
            if (!seen) continue;
            remember(*from);
            own[at(p)].push_back(*from);
            theirs[at(*from)].push_back(p);
            ++links_;
        }
    };
    const auto middle = static_cast<std::ptrdiff_t>(place);
    see(std::make_reverse_iterator(overlapping_.begin() + middle), overlapping_.rend(), lower_, higher_);
    see(overlapping_.begin() + middle, overlapping_.end(), higher_, lower_);
    if (recording_) {
        lengths_.emplace_back(&below_[at(p)], below_[at(p)]);
        lengths_.emplace_back(&above_[at(p)], above_[at(p)]);
    }
    below_[at(p)] = 0;
    above_[at(p)] = 0;
    excess_ += over(p);
    dirty(p, false);
    dirty(p, true);
    for (const Id q : higher_[at(p)]) dirty(q, false);
    for (const Id q : lower_[at(p)]) dirty(q, true);
    settle();
}

bool Restack::addRest(Bytes bound, const FillLimits& limits)
{
    std::vector<Id> rest;
    for (std::size_t p = 0; p < pieces_.size(); ++p)
        if (below_[p] < 0) rest.push_back(static_cast<Id>(p));
    std::stable_sort(rest.begin(), rest.end(), [&](Id a, Id b) { return pieces_[at(a)].size > pieces_[at(b)].size; });
    std::size_t done = 0;
    Bytes largest = rest.empty() ? 0 : pieces_[at(rest.front())].size;
    for (const Id p : rest) {
        if (++done % 64 == 0 && limits.stop && limits.stop()) return false;
        if (pieces_[at(p)].size <= largest / 2) {
            // As long as few are in it, a round costs little, and the larger ones can still move.
            largest = pieces_[at(p)].size;
            link();
            improve(bound, {limits.work / partsOfWork, limits.stop});
        }
        insert(p);
        if (links_ > 3 * linksWhenMade_ + 64) link();
    }
    link();
    return true;
}

Bytes Restack::height() const
{
    Bytes height = 0;
    for (const Id p : order_) height = std::max(height, below_[at(p)] + pieces_[at(p)].size);
    return height;
}

/// A new target, below the height.
void Restack::aim()
{
    const Bytes now = height();
    target_ = now - std::max<Bytes>(1, static_cast<Bytes>(aimBelow * static_cast<double>(now)));
    excess_ = 0;
    for (const Id p : order_) excess_ += over(p);
}

/// The pieces of a round: `first`, and some that are live with it.
void Restack::chooseOut(Id first)
{
    out_.assign(1, first);
    near_.clear();
    const std::size_t kind = dice_.below(3), more = dice_.below(mostOut);
    for (const Id p : order_)
        if (p != first && meet(p, first) && (kind != 0 || over(p) > 0)) near_.push_back(p);
    work_ += order_.size() / 4;
    if (kind == 1 && near_.size() > 2 * more + 2) { // those beside it only
        const auto distance = [&](Id p) { return std::abs(below_[at(p)] - below_[at(first)]); };
        std::nth_element(near_.begin(), near_.begin() + static_cast<std::ptrdiff_t>(2 * more + 2), near_.end(),
                         [&](Id a, Id b) { return std::pair(distance(a), a) < std::pair(distance(b), b); });
        near_.resize(2 * more + 2);
        std::sort(near_.begin(), near_.end());
    }
    for (std::size_t k = 0; k < more && !near_.empty(); ++k) {
        const std::size_t chosen = dice_.below(near_.size());
        out_.push_back(near_[chosen]);
        near_[chosen] = near_.back();
        near_.pop_back();
    }
}

/// True if what it came to is kept.
bool Restack::round()
{
    critical_.clear();
    for (const Id p : order_)
        if (over(p) > 0) critical_.push_back(p);
    if (critical_.empty()) // what is too high is so by alignments only, which chains leave out
        for (const Id p : order_)
            if (below_[at(p)] + pieces_[at(p)].size > target_) critical_.push_back(p);
    work_ += order_.size() / 4;
    const Bytes before = height();
    const double excessBefore = excess_;
    const std::size_t linksBefore = links_;
    orderBefore_ = order_;
    recording_ = true;
    chooseOut(critical_[dice_.below(critical_.size())]);
    for (const Id p : out_) remove(p);
    // What is dirty is known by rank, so the ranks change last.
    settle();
    for (const Id p : out_) nodes_[at(p)].rank = -1;
    std::erase_if(order_, [&](Id p) { return node(p).rank < 0; });
    rankFrom(0);
    const auto area = [&](Id p) {
        return static_cast<double>(pieces_[at(p)].size) * static_cast<double>(node(p).end - node(p).begin);
    };
    std::sort(out_.begin(), out_.end(), [&](Id a, Id b) { return area(a) != area(b) ? area(a) > area(b) : a < b; });
    if (out_.size() > 1 && dice_.below(2) == 0) std::swap(out_[0], out_[dice_.below(out_.size())]);
    for (const Id p : out_) insert(p);
    recording_ = false;
    const Bytes now = height();
    const bool keep = now < before || (now == before && excess_ <= excessBefore);
    if (!keep) {
        undo();
        excess_ = excessBefore;
        links_ = linksBefore;
    }
    for (const Saved& saved : saved_) isSaved_[at(saved.piece)] = 0;
    saved_.clear();
    lengths_.clear();
    return keep;
}

void Restack::undo()
{
    order_ = orderBefore_;
    rankFrom(0);
    for (Saved& saved : saved_) {
        lower_[at(saved.piece)] = std::move(saved.lower);
        higher_[at(saved.piece)] = std::move(saved.higher);
    }
    for (auto entry = lengths_.rbegin(); entry != lengths_.rend(); ++entry) *entry->first = entry->second;
}

void Restack::improve(Bytes bound, const FillLimits& limits)
{
    if (order_.empty() || height() <= bound) return;
    const std::uint64_t end = work_ + limits.work;
    aim();
    for (std::size_t rounds = 0; work_ < end; ++rounds) {
        if (rounds % roundsOfStop == 0 && limits.stop && limits.stop()) return;
        if (!round()) continue;
        if (links_ > 2 * linksWhenMade_ + 64) link();
        const Bytes now = height();
        if (now <= bound) return;
        if (now <= target_ || excess_ <= 0.5) aim();
    }
}

} // namespace stowage::exact

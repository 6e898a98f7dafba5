#include "core/planners/rectangles/coarse_graph.h"

#include "core/planners/rectangles/equal_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace stowage::exact {

namespace {

std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

constexpr std::size_t firstSums = 600, laterSums = 6000; ///< of one event, on each side
constexpr std::size_t mostLoose = 8;                     ///< of those at one event, the largest, that sums are made with
constexpr std::size_t mostPairs = 2000;                  ///< of equal sums at one event
constexpr double sure = 0.05;                            ///< accidents expected, at the most
constexpr double inside = 30;       ///< a line with another one inside is believed when that is so much less likely …
constexpr double believable = 0.02; ///< … or less likely than this
// Where nothing but one line of all that is open can be: how likely that is wrong.
constexpr double wrongPair = 1e-4, wrongFan = 1e-3, wrongAll = 0.02, wrongWithSmall = 0.3, wrongWithOthers = 1;

const LineGraph::Doubts& noDoubts()
{
    static const LineGraph::Doubts none;
    return none;
}

struct Sets {
    std::uint64_t ends, begins; ///< without the loose ones
    double chance;
};

} // namespace

double roughPowerOfTwo(double exponent)
{
    const double whole = std::floor(exponent);
    return std::ldexp(1 + (exponent - whole), static_cast<int>(whole));
}

/// The largest size of which all smaller pieces together never have more than `share` of the height, about.
Bytes CoarseGraph::looseBelow(std::span<const Piece> pieces, Bytes height, double share)
{
    const auto most = [&](Bytes below) {
        std::map<Step, Bytes> change;
        for (const Piece& piece : pieces) {
            if (piece.size >= below) continue;
            change[piece.begin] += piece.size;
            change[piece.end] -= piece.size;
        }
        Bytes live = 0, result = 0;
        for (const auto& [step, by] : change) result = std::max(result, live += by);
        return result;
    };
    const Bytes enough = static_cast<Bytes>(share * static_cast<double>(height));
    Bytes below = 1;
    for (Bytes next = 2; next < height && most(next) < enough; next = next * 5 / 4 + 1) below = next;
    return below;
}

CoarseGraph::CoarseGraph(std::span<const Piece> pieces, Bytes height, const CoarseRules& rules)
    : LineGraph(pieces, noDoubts(), looseBelow(pieces, height, rules.looseFirst)),
      height_(height),
      rules_(rules),
      mostSums_(firstSums),
      dice_(rules.seed)
{
    looseEnds_.resize(at(events()));
    looseBegins_.resize(at(events()));
    looseLive_.resize(at(events()));
    guesses_.resize(at(events()));
    for (std::size_t p = 0; p < parts_.size(); ++p)
        if (parts_[p].loose) setLoose(static_cast<std::int32_t>(p));
}

void CoarseGraph::setLoose(std::int32_t index)
{
    Part& part = parts_[at(index)];
    part.loose = part.melted = true;
    looseBegins_[at(part.beginEvent)].push_back(index);
    looseEnds_[at(part.endEvent)].push_back(index);
    for (std::int32_t event = part.beginEvent; event < part.endEvent; ++event) looseLive_[at(event)] += part.size;
}

void CoarseGraph::melt(const std::function<bool()>& stop)
{
    settle();
    for (;;) {
        if (stop && stop()) return;
        for (const std::int32_t event : dirty_) consider(event);
        dirty_.clear();
        const auto best = [&](auto key) {
            return static_cast<std::int32_t>(std::min_element(guesses_.begin(), guesses_.end(),
                                                              [&](const Guess& a, const Guess& b) { return key(a) < key(b); }) -
                                             guesses_.begin());
        };
        const std::int32_t surest = best([](const Guess& guess) { return guess.line.chance; });
        if (guesses_[at(surest)].line.chance <= sure) {
            take(surest);
        } else if (loosenSmallest()) {
            settle();
        } else if (mostSums_ < laterSums) {
            mostSums_ = laterSums;
            for (std::int32_t event = 1; event + 1 < events(); ++event)
                if (!openEnds(event).empty()) dirty_.insert(event);
        } else {
            const std::int32_t least = best(
                [](const Guess& guess) { return guess.line.begins.empty() ? std::numeric_limits<double>::max() : guess.harm; });
            if (guesses_[at(least)].line.begins.empty()) return;
            take(least);
        }
    }
}

void CoarseGraph::take(std::int32_t event)
{
    const Candidate line = guesses_[at(event)].line;
    decide(event, line.ends, line.begins, line.chance);
    settle();
}

/// The smallest part with an end that is open becomes loose, if that is not too much at some step.
bool CoarseGraph::loosenSmallest()
{
    const Bytes most = static_cast<Bytes>(rules_.looseMost * static_cast<double>(height_));
    std::int32_t smallest = -1;
    for (std::int32_t event = 0; event < events(); ++event)
        for (const std::set<std::int32_t>* open : {&openEnds(event), &openBegins(event)})
            for (const std::int32_t p : *open) {
                const Part& part = parts_[at(p)];
                if (smallest >= 0 && part.size >= parts_[at(smallest)].size) continue;
                const auto from = looseLive_.begin() + part.beginEvent, to = looseLive_.begin() + part.endEvent;
                work_ += 1;
                if (*std::max_element(from, to) + part.size <= most) smallest = p;
            }
    if (smallest < 0) return false;
    const Part& part = parts_[at(smallest)];
    if (part.beginLine >= 0 && part.endLine >= 0) between_.erase({part.beginLine, part.endLine});
    (part.beginLine >= 0 ? lines_[at(part.beginLine)].begins : openBegins_[at(part.beginEvent)]).erase(smallest);
    (part.endLine >= 0 ? lines_[at(part.endLine)].ends : openEnds_[at(part.endEvent)]).erase(smallest);
    if (part.beginLine >= 0) linesToSettle_.push_back(part.beginLine);
    if (part.endLine >= 0) linesToSettle_.push_back(part.endLine);
    for (const std::int32_t event : {part.beginEvent, part.endEvent})
        if (event > 0 && event + 1 < events()) dirty_.insert(event);
    setLoose(smallest);
    return true;
}

void CoarseGraph::consider(std::int32_t event)
{
    Guess& guess = guesses_[at(event)];
    guess = {};
    if (openEnds(event).empty() || openBegins(event).empty()) return;
    Units ends, begins;
    for (const std::int32_t p : openEnds(event)) ends.push_back({p});
    for (const std::int32_t p : openBegins(event)) begins.push_back({p});
    consider(event, ends, begins, 1);
    if (guess.line.chance > wrongFan && rules_.unitFactor > 0) {
        const Units endUnits = units(openEnds(event), true), beginUnits = units(openBegins(event), false);
        if (endUnits.size() < ends.size() || beginUnits.size() < begins.size())
            consider(event, endUnits, beginUnits, rules_.unitFactor);
    }
    if (rules_.noise > 0) {
        constexpr double octave = 347; // of 500 for a factor of e: about its logarithm of two
        guess.harm *= roughPowerOfTwo(rules_.noise * (static_cast<double>(dice_.below(1000)) - 500) / octave);
    }
}

/// Finds the surest line among units of parts. What it finds is believed less by `factor`.
void CoarseGraph::consider(std::int32_t event, const Units& ends, const Units& begins, double factor)
{
    const auto sizesOf = [&](const Units& list, std::vector<std::int32_t> loose, Bytes Part::*size) {
        std::vector<Bytes> sizes;
        for (const auto& unit : list) {
            sizes.push_back(0);
            for (const std::int32_t p : unit) sizes.back() += parts_[at(p)].*size;
        }
        std::sort(loose.begin(), loose.end(), [&](std::int32_t a, std::int32_t b) {
            return parts_[at(a)].size != parts_[at(b)].size ? parts_[at(a)].size > parts_[at(b)].size : a < b;
        });
        for (std::size_t k = 0; k < std::min(loose.size(), mostLoose); ++k) sizes.push_back(parts_[at(loose[k])].*size);
        return sizes;
    };
    const auto total = [](const std::vector<Bytes>& sizes, std::size_t count) {
        Bytes sum = 0;
        for (std::size_t k = 0; k < count; ++k) sum += sizes[k];
        return sum;
    };
    const std::vector<Bytes> endSizes = sizesOf(ends, looseEnds_[at(event)], &Part::endSize),
                             beginSizes = sizesOf(begins, looseBegins_[at(event)], &Part::beginSize);
    if (endSizes.size() > 63 || beginSizes.size() > 63) return;
    bool complete = true;
    const auto endSums = setSums(endSizes, mostSums_, complete), beginSums = setSums(beginSizes, mostSums_, complete);
    work_ += 4 * (endSums.size() + beginSums.size());
    const std::uint64_t allEnds = (std::uint64_t{1} << ends.size()) - 1, allBegins = (std::uint64_t{1} << begins.size()) - 1;
    const Bytes whole = std::min(total(endSizes, endSizes.size()), total(beginSizes, beginSizes.size()));
    std::vector<Sets> found;
    for (auto e = endSums.begin(), b = beginSums.begin(); e != endSums.end() && b != beginSums.end();) {
        if (e->bytes != b->bytes) {
            ++(e->bytes < b->bytes ? e : b);
            continue;
        }
        const Bytes bytes = e->bytes, rest = std::min(bytes, whole - bytes);
        const auto firstBegin = b;
        for (; e != endSums.end() && e->bytes == bytes; ++e)
            for (b = firstBegin; b != beginSums.end() && b->bytes == bytes; ++b) {
                const Sets sets{e->members & allEnds, b->members & allBegins, 0};
                if (found.size() >= mostPairs || sets.ends == 0 || sets.begins == 0 || rest <= 0 ||
                    (sets.ends == allEnds && sets.begins == allBegins))
                    continue;
                found.push_back(sets);
                found.back().chance = binomial(endSizes.size(), static_cast<std::size_t>(std::popcount(e->members))) *
                                      binomial(beginSizes.size(), static_cast<std::size_t>(std::popcount(b->members))) /
                                      static_cast<double>(rest);
            }
    }
    Sets best{0, 0, std::numeric_limits<double>::max()};
    for (const Sets& sets : found) {
        if (sets.chance >= best.chance) continue;
        work_ += found.size() / 4;
        const double credible = std::max(sets.chance * inside, believable);
        const bool parted = std::any_of(found.begin(), found.end(), [&](const Sets& other) {
            return (other.ends != sets.ends || other.begins != sets.begins) && (other.ends & ~sets.ends) == 0 &&
                   (other.begins & ~sets.begins) == 0 && other.chance < credible;
        });
        if (!parted) best = sets;
    }
    const bool onePair = ends.size() == 1 && begins.size() == 1, fan = ends.size() == 1 || begins.size() == 1;
    if (best.chance > (fan ? wrongFan : believable)) {
        // All that is open, if the loose ones can make up for the difference. One part on a side is surely on a line with all
        // those on the other that loose ones could not be opposite to.
        const Bytes more = total(endSizes, ends.size()) - total(beginSizes, begins.size());
        Bytes looseEnding = 0, looseBeginning = 0;
        for (const std::int32_t p : looseEnds_[at(event)]) looseEnding += parts_[at(p)].endSize;
        for (const std::int32_t p : looseBegins_[at(event)]) looseBeginning += parts_[at(p)].beginSize;
        if (more <= looseBeginning && -more <= looseEnding) {
            bool small = false;
            for (std::size_t k = 0; k < ends.size() && ends.size() > 1; ++k) small |= endSizes[k] <= looseBeginning;
            for (std::size_t k = 0; k < begins.size() && begins.size() > 1; ++k) small |= beginSizes[k] <= looseEnding;
            double chance = wrongWithOthers;
            if (onePair)
                chance = factor > 1 ? wrongWithSmall / factor : wrongPair;
            else if (fan)
                chance = small ? wrongWithSmall : factor > 1 ? wrongWithSmall / factor : wrongFan;
            else if (found.empty() && complete)
                chance = small ? wrongWithSmall : wrongAll;
            if (chance < best.chance) best = {allEnds, allBegins, chance};
        }
    }
    best.chance *= factor;
    Guess& guess = guesses_[at(event)];
    if (best.ends == 0 || best.chance >= guess.line.chance) return;
    guess.line = {best.chance, {}, {}};
    Bytes ending = 0, beginning = 0;
    for (std::size_t k = 0; k < ends.size(); ++k)
        if (((best.ends >> k) & 1) != 0) {
            guess.line.ends.insert(guess.line.ends.end(), ends[k].begin(), ends[k].end());
            ending += endSizes[k];
        }
    for (std::size_t k = 0; k < begins.size(); ++k)
        if (((best.begins >> k) & 1) != 0) {
            guess.line.begins.insert(guess.line.begins.end(), begins[k].begin(), begins[k].end());
            beginning += beginSizes[k];
        }
    guess.harm = best.chance * static_cast<double>(std::max(ending, beginning));
}

} // namespace stowage::exact

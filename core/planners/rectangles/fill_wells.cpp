#include "core/planners/rectangles/fill_wells.h"

#include <algorithm>

namespace stowage::exact {

FillWells::FillWells(const LineGraph& graph, const AlignedParts& aligned, Bytes height)
    : parts_(graph.parts()),
      aligned_(aligned),
      floors_(at(graph.events() - 1), 0),
      ceilings_(floors_.size(), height),
      beginning_(floors_.size()),
      ending_(floors_.size() + 1),
      weight_(parts_.size(), 0),
      keys_(parts_.size()),
      offsets_(parts_.size(), -1)
{
    const auto add = [&](std::int32_t p) {
        beginning_[at(parts_[at(p)].beginEvent)].push_back(p);
        ending_[at(parts_[at(p)].endEvent)].push_back(p);
        bySize_.push_back(p);
        keys_[at(p)].add(at(p));
        left_ += areaOf(p);
    };
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        if (parts_[p].melted) continue;
        if (parts_[p].kind == LineGraph::Part::Kind::parallel)
            for (const std::int32_t child : parts_[p].children) add(child);
        else
            add(static_cast<std::int32_t>(p));
    }
    state_.add(parts_.size()); // the empty set, too, has a key
    open_ = bySize_.size();
    leastLeft_ = left_;
    byLength_ = bySize_;
    std::stable_sort(bySize_.begin(), bySize_.end(),
                     [&](std::int32_t a, std::int32_t b) { return parts_[at(a)].size < parts_[at(b)].size; });
    const auto length = [&](std::int32_t p) { return parts_[at(p)].endEvent - parts_[at(p)].beginEvent; };
    std::stable_sort(byLength_.begin(), byLength_.end(), [&](std::int32_t a, std::int32_t b) { return length(a) < length(b); });
}

double FillWells::areaOf(std::int32_t part) const
{
    const LineGraph::Part& p = parts_[at(part)];
    return static_cast<double>(p.size) * (p.endEvent - p.beginEvent);
}

/// Ranks by size and by length, mixed anew for each run. Some runs leave out the wells that hang from above: they get further in
/// other inputs. Mostly the long ones first: they need the most room in one piece.
void FillWells::weigh(Dice& dice)
{
    const auto within = [&](std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(dice.below(static_cast<std::size_t>(high - low + 1)));
    };
    const std::int64_t size = within(-100, 100), length = within(-60, 200), noise = within(0, 100);
    fromAbove_ = !dice.chance(40);
    const auto count = static_cast<std::int64_t>(bySize_.size());
    for (std::int64_t rank = 0; rank < count; ++rank) weight_[at(bySize_[static_cast<std::size_t>(rank)])] = rank * size;
    for (std::int64_t rank = 0; rank < count; ++rank)
        weight_[at(byLength_[static_cast<std::size_t>(rank)])] += rank * length + noise * within(-count, count) / 2;
}

/// Appends those that can fill a corner of the well.
void FillWells::candidates(const Well& well, bool atBegin)
{
    for (const std::int32_t p : atBegin ? beginning_[at(well.first)] : ending_[at(well.last)]) {
        const LineGraph::Part& part = parts_[at(p)];
        if (offsets_[at(p)] >= 0 || part.beginEvent < well.first || part.endEvent > well.last) continue;
        const Bytes low = well.top ? well.base - part.size : well.base, high = low + part.size;
        if (low < 0 || !aligned_.canBegin(p, low)) continue;
        bool free = true;
        for (std::int32_t e = part.beginEvent; e < part.endEvent && free; ++e)
            free = well.top ? floors_[at(e)] <= low : ceilings_[at(e)] >= high;
        if (free) candidates_.push_back(p);
    }
}

/// Opens a choice at the corner that the fewest can fill; false when there is one that none can.
bool FillWells::branch()
{
    const auto events = static_cast<std::int32_t>(floors_.size());
    const std::size_t from = candidates_.size();
    std::size_t fewest = SIZE_MAX;
    Well best;
    const auto closed = [&](std::int32_t e) { return floors_[at(e)] == ceilings_[at(e)]; };
    for (const bool top : {false, true}) {
        if (top && !fromAbove_) break;
        const std::vector<Bytes>& level = top ? ceilings_ : floors_;
        for (Well well; well.first < events; well.first = well.last) {
            well.top = top;
            well.base = level[at(well.first)];
            for (well.last = well.first + 1;
                 well.last < events && level[at(well.last)] == well.base && closed(well.last) == closed(well.first);)
                ++well.last;
            const auto open = [&](std::int32_t e) {
                return e >= 0 && e < events && !closed(e) && (top ? level[at(e)] > well.base : level[at(e)] < well.base);
            };
            if (closed(well.first) || open(well.first - 1) || open(well.last)) continue;
            for (const bool atBegin : {true, false}) {
                const std::size_t mark = candidates_.size();
                candidates(well, atBegin);
                const std::size_t count = candidates_.size() - mark;
                if (count < fewest) {
                    fewest = count;
                    best = well;
                    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(from),
                                      candidates_.begin() + static_cast<std::ptrdiff_t>(mark));
                } else {
                    candidates_.resize(mark);
                }
                if (fewest == 0) return false;
            }
        }
    }
    std::stable_sort(candidates_.begin() + static_cast<std::ptrdiff_t>(from), candidates_.end(),
                     [&](std::int32_t a, std::int32_t b) {
                         return weight_[at(a)] != weight_[at(b)] ? weight_[at(a)] > weight_[at(b)] : a < b;
                     });
    choices_.push_back({best.base, best.top, from, from, candidates_.size()});
    return true;
}

void FillWells::put(std::int32_t part, Bytes base, bool top)
{
    const LineGraph::Part& p = parts_[at(part)];
    offsets_[at(part)] = top ? base - p.size : base;
    std::vector<Bytes>& level = top ? ceilings_ : floors_;
    std::fill(level.begin() + p.beginEvent, level.begin() + p.endEvent, top ? base - p.size : base + p.size);
    const SeenStates::Key& key = keys_[at(part)];
    state_.low += top ? key.low * 3 : key.low;
    state_.high += top ? key.high * 3 : key.high;
    left_ -= areaOf(part);
    --open_;
}

void FillWells::take(std::int32_t part, Bytes base, bool top)
{
    const LineGraph::Part& p = parts_[at(part)];
    offsets_[at(part)] = -1;
    std::vector<Bytes>& level = top ? ceilings_ : floors_;
    std::fill(level.begin() + p.beginEvent, level.begin() + p.endEvent, base);
    const SeenStates::Key& key = keys_[at(part)];
    state_.low -= top ? key.low * 3 : key.low;
    state_.high -= top ? key.high * 3 : key.high;
    left_ += areaOf(part);
    ++open_;
}

FillWells::Result FillWells::run(std::uint64_t nodes, Dice& dice)
{
    weigh(dice);
    const std::uint64_t end = nodes_ + nodes;
    const auto back = [&] {
        Choice& choice = choices_.back();
        take(choice.placed, choice.base, choice.top);
        choice.placed = -1;
    };
    bool enter = true;
    for (;;) {
        if (enter) {
            if (open_ == 0) break;
            if (nodes_ == end) {
                while (!choices_.empty()) {
                    back();
                    candidates_.resize(choices_.back().first);
                    choices_.pop_back();
                }
                return Result::limit;
            }
            ++nodes_;
            leastLeft_ = std::min(leastLeft_, left_);
            const std::size_t mark = candidates_.size();
            if (failed_.contains(state_) || !branch()) {
                candidates_.resize(mark);
                failed_.insert(state_);
                if (choices_.empty()) return Result::none;
                back();
            }
        }
        Choice& choice = choices_.back();
        enter = choice.next < choice.end;
        if (enter) {
            choice.placed = candidates_[choice.next++];
            put(choice.placed, choice.base, choice.top);
            continue;
        }
        failed_.insert(state_);
        candidates_.resize(choice.first);
        choices_.pop_back();
        if (choices_.empty()) return Result::none;
        back();
    }
    choices_.clear();
    candidates_.clear();
    return Result::found;
}

} // namespace stowage::exact

#include "core/plan/unroll.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace stowage {

namespace {

constexpr std::int32_t maxRepeats = 4096;

/// A range of an unrolled buffer's occupied steps, with the iterations of loops in which it holds.
struct Use {
    Interval steps;
    std::int32_t shift = 0; ///< of loop `round`
    LoopId round = none;    ///< none: the value of this iteration
    LoopIteration when;
};

/// A part of the unrolled axis that an unrolled buffer occupies.
struct Stretch {
    Interval steps;
    const Use* use = nullptr;
};

/// The buffer that an original buffer becomes in one iteration of the loops with which it rotates.
struct UnrolledBuffer {
    BufferId buffer = none;           ///< of the original
    std::vector<std::int32_t> digits; ///< by loop that it rotates with, outermost first
    std::vector<Stretch> stretches;
};

class Unroller {
public:
    Unroller(const Problem& problem, std::size_t maxBuffers) : problem_(problem), maxBuffers_(maxBuffers) {}

    std::optional<Unrolled> run()
    {
        for (const Buffer& buffer : problem_.buffers)
            if (buffer.slots > 1 && !buffer.carried.empty()) return std::nullopt;
        collectUses();
        if (!findRepeats() || !layOut() || !makeAllUnrolled()) return std::nullopt;
        putTogether();
        makeProblem();
        if (problem_.axis == Axis::dag ||
            std::any_of(problem_.buffers.begin(), problem_.buffers.end(), [](const Buffer& b) { return !b.conflicts.empty(); }))
            addConflicts();
        return std::move(out_);
    }

private:
    const Buffer& buffer(BufferId b) const { return problem_.buffers[at(b)]; }
    const Loop& loop(LoopId l) const { return problem_.loops[at(l)]; }
    std::int32_t repeat(LoopId l) const { return out_.repeats[at(l)]; }

    /// True if `inner` is `around` or nested in it.
    bool isInside(LoopId inner, LoopId around) const
    {
        while (inner != none && inner != around) inner = loop(inner).parent;
        return inner == around;
    }

    void collectUses()
    {
        uses_.resize(problem_.buffers.size());
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const Buffer& it = problem_.buffers[b];
            std::vector<Interval> early;
            for (const Early& e : it.early) {
                uses_[b].push_back({e.live, 0, none, e.when});
                early.push_back(e.live);
            }
            std::sort(early.begin(), early.end(), [](const Interval& x, const Interval& y) { return x.begin < y.begin; });
            for (const Interval& live : it.live) {
                Step from = live.begin;
                for (const Interval& cut : early) {
                    if (!cut.overlaps({from, live.end})) continue;
                    if (from < cut.begin) uses_[b].push_back({{from, cut.begin}, 0, none, {}});
                    from = cut.end;
                }
                if (from < live.end) uses_[b].push_back({{from, live.end}, 0, none, {}});
            }
            for (const Carried& c : it.carried)
                uses_[b].push_back({c.live, c.distance, c.loop == none ? it.loop : c.loop, c.when});
        }
    }

    /// Differences of iterations of `l` for which values of one buffer are in use together, so that each needs its own address.
    bool findRepeats()
    {
        out_.repeats.assign(problem_.loops.size(), 1);
        std::vector<std::vector<std::int32_t>> apart(problem_.loops.size());
        for (std::size_t b = 0; b < uses_.size(); ++b)
            for (const Use& x : uses_[b]) {
                const auto keepApart = [&](const Use& y) {
                    if (const std::int32_t difference = differenceOf(x, y); difference > 0)
                        apart[at(x.round)].push_back(difference);
                };
                for (const Use& y : uses_[b]) keepApart(y);
                for (const Window& window : problem_.buffers[b].windows) keepApart({.steps = window.live, .when = {}});
            }
        for (std::size_t l = 0; l < apart.size(); ++l) {
            std::sort(apart[l].begin(), apart[l].end());
            apart[l].erase(std::unique(apart[l].begin(), apart[l].end()), apart[l].end());
            std::int32_t& n = out_.repeats[l];
            while (std::any_of(apart[l].begin(), apart[l].end(), [&](std::int32_t d) { return d % n == 0; }))
                if (++n > maxRepeats) return false;
        }
        return true;
    }

    /// The number of iterations of `x.round` by which two values in use together differ; `x` is the older one. 0: they do not
    /// differ, or differ in a loop further out, which then decides.
    std::int32_t differenceOf(const Use& x, const Use& y) const
    {
        if (x.shift == 0 || !x.steps.overlaps(y.steps) || !possible(x, y)) return 0;
        if (x.round == y.round) return std::max(x.shift - y.shift, 0);
        return y.round == none || isInside(y.round, x.round) ? x.shift : 0;
    }

    /// True if `when` and `shift` allow that both are in use in a common iteration.
    static bool possible(const Use& x, const Use& y)
    {
        const auto excludes = [](const Use& early, const Use& other) {
            if (early.when.loop == none) return false;
            if (other.when.loop == early.when.loop) return other.when.iteration != early.when.iteration;
            return other.round == early.when.loop && other.shift > early.when.iteration;
        };
        return !excludes(x, y) && !excludes(y, x);
    }

    // --- the axis ---------------------------------------------------------------------------------------------------------

    /// False if sibling loops overlap, or if the axis would be longer than 2^62 steps: such an axis cannot be unrolled.
    bool layOut()
    {
        inner_.resize(problem_.loops.size() + 1);
        length_.assign(problem_.loops.size(), 0);
        for (std::size_t l = 0; l < problem_.loops.size(); ++l)
            if (!problem_.loops[l].live.empty()) inner_[at(problem_.loops[l].parent + 1)].push_back(static_cast<LoopId>(l));
        for (auto& list : inner_) {
            std::sort(list.begin(), list.end(), [&](LoopId a, LoopId b) { return loop(a).live.begin < loop(b).live.begin; });
            for (std::size_t i = 1; i < list.size(); ++i)
                if (loop(list[i]).live.begin < loop(list[i - 1]).live.end) return false;
        }
        // `offsetIn`; no value above `maxBytes`.
        const auto checked = [&](LoopId l, Step step) {
            std::optional<Step> offset = step - begin(l);
            for (const LoopId c : inner_[at(l + 1)]) {
                if (loop(c).live.end > step) continue;
                const auto passes = checkedMultiply(repeat(c), length_[at(c)]);
                if (passes) offset = checkedAdd(*offset, *passes - (loop(c).live.end - loop(c).live.begin));
                if (!passes || !offset || *offset > maxBytes) return std::optional<Step>();
            }
            return offset;
        };
        Step last = problem_.horizon();
        for (std::size_t l = problem_.loops.size(); l-- > 0;) { // inner loops come after outer ones
            const auto length = checked(static_cast<LoopId>(l), problem_.loops[l].live.end);
            if (!length) return false;
            length_[l] = *length;
            last = std::max(last, problem_.loops[l].live.end);
        }
        for (const Scope& scope : problem_.scopes)
            if (!scope.live.empty()) last = std::max(last, scope.live.back().end);
        return checked(none, last).has_value(); // the largest step of the unrolled axis
    }

    Step begin(LoopId l) const { return l == none ? 0 : loop(l).live.begin; }

    /// Distance of a step from the begin of one pass through `l`. Requires a step in no inner loop, or at the begin of one.
    Step offsetIn(LoopId l, Step step) const
    {
        Step offset = step - begin(l);
        for (const LoopId c : inner_[at(l + 1)])
            if (loop(c).live.end <= step) offset += repeat(c) * length_[at(c)] - (loop(c).live.end - loop(c).live.begin);
        return offset;
    }

    /// The unrolled steps of `steps` in the iterations that `digit` gives for a loop (-1: all iterations).
    template <typename Digit>
    void place(LoopId l, Step base, Interval steps, const Digit& digit, std::vector<Interval>& to) const
    {
        const auto emit = [&](Step from, Step end) {
            if (from >= end) return;
            const Step low = base + offsetIn(l, from);
            if (!to.empty() && to.back().end == low)
                to.back().end = low + (end - from);
            else
                to.push_back({low, low + (end - from)});
        };
        for (const LoopId c : inner_[at(l + 1)]) {
            const Interval& live = loop(c).live;
            if (live.end <= steps.begin || live.begin >= steps.end || live.begin < begin(l)) continue;
            emit(steps.begin, live.begin);
            const Interval inside = steps.common(live);
            const std::int32_t wanted = digit(c);
            for (std::int32_t k = 0; k < repeat(c); ++k)
                if (wanted < 0 || wanted == k) place(c, base + offsetIn(l, live.begin) + k * length_[at(c)], inside, digit, to);
            steps.begin = std::max(steps.begin, live.end);
        }
        emit(steps.begin, steps.end);
    }

    // --- the buffers ------------------------------------------------------------------------------------------------------

    bool makeAllUnrolled()
    {
        out_.loops.resize(problem_.buffers.size());
        first_.resize(problem_.buffers.size());
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const Buffer& it = problem_.buffers[b];
            const bool stays =
                it.slots > 1 || it.pin || it.unique || it.kind == BufferKind::constant || it.kind == BufferKind::variable;
            std::size_t count = 1;
            for (LoopId l = it.loop; l != none && (!stays || !it.carried.empty()); l = loop(l).parent) {
                if (repeat(l) == 1 || keeps(it, l)) continue;
                out_.loops[b].insert(out_.loops[b].begin(), l);
                count *= static_cast<std::size_t>(repeat(l));
                if (count > maxBuffers_) return false;
            }
            first_[b] = unrolled_.size();
            if (unrolled_.size() + count > maxBuffers_) return false;
            for (std::size_t i = 0; i < count; ++i) unrolled_.push_back(makeUnrolled(static_cast<BufferId>(b), i));
        }
        return true;
    }

    /// True if its value may come from the previous iteration: it is live at the end of an iteration of `l` and at the begin of
    /// the next one, without a carried value in between.
    bool keeps(const Buffer& it, LoopId l) const
    {
        const auto liveAt = [&](Step step) {
            return std::any_of(it.live.begin(), it.live.end(),
                               [&](const Interval& live) { return live.begin <= step && step < live.end; });
        };
        const bool carried = std::any_of(it.carried.begin(), it.carried.end(),
                                         [&](const Carried& c) { return (c.loop == none ? it.loop : c.loop) == l; });
        return !carried && liveAt(loop(l).live.begin) && liveAt(loop(l).live.end - 1);
    }

    UnrolledBuffer makeUnrolled(BufferId b, std::size_t index) const
    {
        const std::vector<LoopId>& loops = out_.loops[at(b)];
        UnrolledBuffer made{b, std::vector<std::int32_t>(loops.size()), {}};
        for (std::size_t i = loops.size(); i-- > 0; index /= static_cast<std::size_t>(repeat(loops[i])))
            made.digits[i] = static_cast<std::int32_t>(index % static_cast<std::size_t>(repeat(loops[i])));
        for (const Use& use : uses_[at(b)]) {
            // The phases of the loops with which it rotates: before, inside, after.
            std::vector<Step> cuts{use.steps.begin, use.steps.end};
            for (const LoopId l : loops)
                for (const Step cut : {loop(l).live.begin, loop(l).live.end})
                    if (use.steps.begin < cut && cut < use.steps.end) cuts.push_back(cut);
            std::sort(cuts.begin(), cuts.end());
            for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
                const Interval steps{cuts[i], cuts[i + 1]};
                if (steps.empty() || !there(made, use, steps)) continue;
                std::vector<Interval> placed;
                place(
                    none, 0, steps, [&](LoopId l) { return digitOf(made, use, l); }, placed);
                for (const Interval& p : placed) made.stretches.push_back({p, &use});
            }
        }
        return made;
    }

    /// The iteration (modulo the repeat) of `l` to which a use of an unrolled buffer belongs; -1: any.
    std::int32_t digitOf(const UnrolledBuffer& it, const Use& use, LoopId l) const
    {
        if (use.when.loop == l) return use.when.iteration % repeat(l);
        const std::vector<LoopId>& loops = out_.loops[at(it.buffer)];
        const auto found = std::find(loops.begin(), loops.end(), l);
        if (found == loops.end()) return -1;
        if (use.round != none && l != use.round && isInside(l, use.round)) return -1; // the value is of the last iteration
        const std::int32_t own = it.digits[static_cast<std::size_t>(found - loops.begin())];
        return (own + (l == use.round ? use.shift : 0)) % repeat(l);
    }

    /// Outside of a loop, only the buffer of the first or the last iteration exists, if it is known.
    bool there(const UnrolledBuffer& it, const Use& use, const Interval& steps) const
    {
        const std::vector<LoopId>& loops = out_.loops[at(it.buffer)];
        for (std::size_t i = 0; i < loops.size(); ++i) {
            const Loop& l = loop(loops[i]);
            const bool ofLast = use.round != none && loops[i] != use.round && isInside(loops[i], use.round);
            if (!ofLast && steps.end <= l.live.begin && it.digits[i] != 0) return false;
            if (!l.tripCount || (!ofLast && steps.begin < l.live.end)) continue;
            const std::int64_t shift = loops[i] == use.round ? use.shift : 0;
            const std::int64_t last = std::max<std::int64_t>(*l.tripCount, 1) - 1 - shift;
            if (last < 0 || it.digits[i] != last % repeat(loops[i])) return false;
        }
        return true;
    }

    // --- buffers with the same place ---------------------------------------------------------------------------------------

    bool isAfterLoop(const Use& use) const { return use.when.loop != none && use.steps.begin >= loop(use.when.loop).live.end; }

    /// True if both are in use at the same time in some iteration. Requires that they overlap on the unrolled axis.
    bool meet(const UnrolledBuffer& a, const Use& x, const UnrolledBuffer& b, const Use& y) const
    {
        if (!possible(x, y)) return false;
        // After its loop, an early use of iteration n means that the loop ended after n iterations. With n = 0 no value of the
        // loop exists.
        const auto excludes = [&](const Use& early, const UnrolledBuffer& other) {
            return isAfterLoop(early) && early.when.iteration == 0 && isInside(buffer(other.buffer).loop, early.when.loop);
        };
        return !excludes(x, b) && !excludes(y, a);
    }

    bool mayBeTogether(const UnrolledBuffer& a, const UnrolledBuffer& b) const
    {
        bool overlap = false;
        for (const Stretch& x : a.stretches)
            for (const Stretch& y : b.stretches) {
                if (!x.steps.overlaps(y.steps)) continue;
                if (meet(a, *x.use, b, *y.use)) return false;
                overlap = true;
            }
        return overlap;
    }

    static bool apart(const UnrolledBuffer& a, const UnrolledBuffer& b)
    {
        for (const Stretch& x : a.stretches)
            for (const Stretch& y : b.stretches)
                if (x.steps.overlaps(y.steps)) return false;
        return true;
    }

    bool alike(const Buffer& a, const Buffer& b) const
    {
        return a.size == b.size && a.pools == b.pools && !a.pin && !b.pin && !a.unique && !b.unique && a.slots == 1 &&
               b.slots == 1 && a.mayShare.empty() && b.mayShare.empty() && a.conflicts.empty() && b.conflicts.empty() &&
               a.windows.empty() && b.windows.empty() && a.size > 0 && kept(a) == kept(b) && checkedLcm(a.alignment, b.alignment);
    }
    static bool kept(const Buffer& b) { return b.kind == BufferKind::constant || b.kind == BufferKind::variable; }

    /// Unites a buffer that is in use in single iterations only with the buffer that replaces it in the other iterations.
    void putTogether()
    {
        group_.resize(unrolled_.size());
        std::iota(group_.begin(), group_.end(), 0U);
        if (problem_.axis == Axis::dag) return;
        std::vector<std::size_t> early, carried;
        for (std::size_t c = 0; c < unrolled_.size(); ++c) {
            const auto& uses = uses_[at(unrolled_[c].buffer)];
            if (std::any_of(uses.begin(), uses.end(), [](const Use& use) { return use.when.loop != none; })) early.push_back(c);
            if (std::any_of(uses.begin(), uses.end(), [](const Use& use) { return use.shift > 0; })) carried.push_back(c);
        }
        std::map<std::size_t, std::vector<std::size_t>> members; // of groups with more than one
        const auto membersOf = [&](std::size_t c) {
            const auto found = members.find(group_[c]);
            return found == members.end() ? std::vector<std::size_t>{c} : found->second;
        };
        for (const std::size_t x : early)
            for (const std::size_t y : carried) {
                if (group_[x] == group_[y] || !alike(buffer(unrolled_[x].buffer), buffer(unrolled_[y].buffer))) continue;
                if (!mayBeTogether(unrolled_[x], unrolled_[y])) continue;
                std::vector<std::size_t> all = membersOf(x);
                const std::vector<std::size_t> more = membersOf(y);
                const bool fits = std::all_of(all.begin(), all.end(), [&](std::size_t a) {
                    return std::all_of(more.begin(), more.end(), [&](std::size_t b) {
                        return apart(unrolled_[a], unrolled_[b]) || mayBeTogether(unrolled_[a], unrolled_[b]);
                    });
                });
                if (!fits) continue;
                all.insert(all.end(), more.begin(), more.end());
                std::sort(all.begin(), all.end());
                members.erase(group_[x]);
                members.erase(group_[y]);
                for (const std::size_t m : all) group_[m] = all.front();
                members[all.front()] = std::move(all);
            }
    }

    // --- the problem ----------------------------------------------------------------------------------------------------------

    /// The problem on the unrolled axis: one buffer for each group, live wherever one of its members is.
    void makeProblem()
    {
        Problem& to = out_.problem;
        to.name = problem_.name;
        to.axis = problem_.axis;
        to.pools = problem_.pools;
        to.scopes = problem_.scopes;
        to.unknownSizes = problem_.unknownSizes;
        to.loops = problem_.loops;
        const auto anywhere = [](LoopId) { return -1; };
        std::vector<Interval> placed;
        for (Loop& l : to.loops) {
            placed.clear();
            place(none, 0, l.live, anywhere, placed);
            if (!placed.empty()) l.live = {placed.front().begin, placed.back().end};
        }
        for (Scope& scope : to.scopes) {
            placed.clear();
            for (const Interval& live : scope.live) place(none, 0, live, anywhere, placed);
            scope.live = joined(placed);
        }
        ids_.assign(unrolled_.size(), none);
        out_.buffersOf.resize(problem_.buffers.size());
        for (std::size_t c = 0; c < unrolled_.size(); ++c) {
            const UnrolledBuffer& it = unrolled_[c];
            BufferId& id = ids_[group_[c]]; // a group begins with its first member
            if (id == none) {
                id = static_cast<BufferId>(to.buffers.size());
                to.buffers.push_back(makeBuffer(it, c - first_[at(it.buffer)]));
                out_.origins.push_back(it.buffer);
            } else {
                to.buffers[at(id)].alignment = *checkedLcm(to.buffers[at(id)].alignment, buffer(it.buffer).alignment);
            }
            for (const Stretch& stretch : it.stretches) to.buffers[at(id)].live.push_back(stretch.steps);
            out_.buffersOf[at(it.buffer)].push_back(id);
        }
        for (Buffer& made : to.buffers) {
            made.live = joined(std::move(made.live));
            widenOuterWindows(made);
        }
        shareAgain();
    }

    /// Of the live ranges around a loop, the buffers of most iterations have none. Their windows are in no hole then, and become
    /// live ranges.
    static void widenOuterWindows(Buffer& made)
    {
        const Interval hull = made.hull();
        const auto outside = [&](const Window& window) { return window.live.begin < hull.begin || window.live.end > hull.end; };
        std::vector<Interval> live(made.live.begin(), made.live.end());
        for (const Window& window : made.windows)
            if (outside(window)) live.push_back(window.live);
        if (live.size() == made.live.size()) return;
        eraseIf(made.windows, outside);
        made.live = joined(std::move(live));
    }

    Buffer makeBuffer(const UnrolledBuffer& it, std::size_t index) const
    {
        Buffer made = buffer(it.buffer);
        if (!it.digits.empty()) made.name += fmt::format("@{}", index);
        made.live.clear();
        made.carried.clear();
        made.early.clear();
        made.conflicts.clear();
        made.mayShare.clear();
        if (made.slots == 1) made.loop = none; // it does not rotate
        if (index > 0) made.pin.reset();
        std::vector<Window> windows;
        for (const Window& window : made.windows) {
            std::vector<Interval> placed;
            place(
                none, 0, window.live, [&](LoopId l) { return digitOf(it, Use{}, l); }, placed);
            for (const Interval& p : placed) windows.push_back({p, window.low, window.high});
        }
        made.windows = windows;
        return made;
    }

    /// Keeps permissions to share between buffers that do not rotate.
    void shareAgain()
    {
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b)
            for (const BufferId other : problem_.buffers[b].mayShare)
                if (out_.buffersOf[b].size() == 1 && out_.buffersOf[at(other)].size() == 1) {
                    auto& list = out_.problem.buffers[at(out_.buffersOf[b].front())].mayShare;
                    list.push_back(out_.buffersOf[at(other)].front());
                    std::sort(list.begin(), list.end());
                }
    }

    static std::vector<Interval> joined(std::vector<Interval> ranges)
    {
        std::sort(ranges.begin(), ranges.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
        std::vector<Interval> out;
        for (const Interval& range : ranges) {
            if (!out.empty() && range.begin <= out.back().end)
                out.back().end = std::max(out.back().end, range.end);
            else
                out.push_back(range);
        }
        return out;
    }

    /// Explicit conflicts hold between the buffers of one iteration, and those that either buffer carries into it. Without steps,
    /// the buffers of the iterations of one buffer conflict, too.
    void addConflicts()
    {
        for (BufferId a = 0; a < static_cast<BufferId>(problem_.buffers.size()); ++a) {
            for (const BufferId b : buffer(a).conflicts)
                if (a < b) eachPair(a, b, false);
            if (problem_.axis == Axis::dag && out_.buffersOf[at(a)].size() > 1) eachPair(a, a, true);
        }
        for (Buffer& made : out_.problem.buffers) {
            std::sort(made.conflicts.begin(), made.conflicts.end());
            made.conflicts.erase(std::unique(made.conflicts.begin(), made.conflicts.end()), made.conflicts.end());
        }
    }

    void eachPair(BufferId a, BufferId b, bool bySteps)
    {
        for (std::size_t i = 0; i < out_.buffersOf[at(a)].size(); ++i)
            for (std::size_t j = a == b ? i + 1 : 0; j < out_.buffersOf[at(b)].size(); ++j) {
                const UnrolledBuffer& x = unrolled_[first_[at(a)] + i];
                const UnrolledBuffer& y = unrolled_[first_[at(b)] + j];
                const BufferId first = ids_[group_[first_[at(a)] + i]];
                const BufferId second = ids_[group_[first_[at(b)] + j]];
                if (first == second || !(bySteps ? !apart(x, y) : inOneIteration(x, y))) continue;
                out_.problem.buffers[at(first)].conflicts.push_back(second);
                out_.problem.buffers[at(second)].conflicts.push_back(first);
            }
    }

    bool inOneIteration(const UnrolledBuffer& x, const UnrolledBuffer& y) const
    {
        const Use own;
        std::vector<const Use*> ofX{&own}, ofY{&own};
        for (const Use& use : uses_[at(x.buffer)])
            if (use.shift > 0) ofX.push_back(&use);
        for (const Use& use : uses_[at(y.buffer)])
            if (use.shift > 0) ofY.push_back(&use);
        const auto agree = [&](const Use& u, const Use& v) {
            for (const LoopId l : out_.loops[at(x.buffer)]) {
                const std::int32_t d = digitOf(x, u, l);
                const std::int32_t e = digitOf(y, v, l);
                if (d >= 0 && e >= 0 && d != e) return false;
            }
            return possible(u, v);
        };
        return std::any_of(ofX.begin(), ofX.end(), [&](const Use* u) {
            return std::any_of(ofY.begin(), ofY.end(), [&](const Use* v) { return agree(*u, *v); });
        });
    }

    const Problem& problem_;
    std::size_t maxBuffers_;
    Unrolled out_;
    std::vector<std::vector<Use>> uses_;     ///< by buffer of the original
    std::vector<std::vector<LoopId>> inner_; ///< by loop + 1: its direct inner loops, in order
    std::vector<Step> length_;               ///< by loop: length of one pass on the unrolled axis
    std::vector<UnrolledBuffer> unrolled_;   ///< by buffer of the original, then by index
    std::vector<std::size_t> first_;         ///< by buffer of the original: into `unrolled_`
    std::vector<std::size_t> group_;         ///< by index in `unrolled_`: the first buffer of its group
    std::vector<BufferId> ids_;              ///< by index in `unrolled_` of the first of a group
};

} // namespace

bool needsUnrolling(const Problem& problem)
{
    return std::any_of(problem.buffers.begin(), problem.buffers.end(),
                       [](const Buffer& buffer) { return !buffer.carried.empty() || !buffer.early.empty(); });
}

std::optional<Unrolled> unroll(const Problem& problem, std::size_t maxBuffers)
{
    return Unroller(problem, maxBuffers).run();
}

} // namespace stowage

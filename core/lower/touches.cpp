#include "core/lower/touches.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace stowage::lowering {

namespace {

class Collector {
public:
    Collector(const Expansion& expansion, const std::vector<Sharing>& sharing, const Elements& elements,
              const PartialOrder* order, const Carries& carries, const std::vector<PhiView>& phis, bool withWrites)
        : expansion_(expansion), sharing_(sharing), elements_(elements), order_(order), withWrites_(withWrites)
    {
        for (const PhiView& phi : phis) follow(phi);
        for (const PreciseCarry& carry : carries.precise) {
            inPlace_.insert(element(expansion.instances[at(carry.instance)], carry.to));
            if (carry.result != none) results_.insert(element(expansion.instances[at(carry.instance)], carry.result));
        }
    }

    Touches run()
    {
        std::size_t operands = 0;
        for (const Instance& instance : expansion_.instances)
            for (const Op& op : function(instance).ops) operands += op.inputs.size() + op.outputs.size() + op.temps.size();
        out_.touches.reserve(operands);
        entryAndExit();
        for (std::size_t i = 0; i < expansion_.instances.size(); ++i) {
            instance_ = static_cast<InstanceId>(i);
            current_ = &expansion_.instances[i];
            own_ = &sharing_[at(current_->function)];
            const auto& ops = function(*current_).ops;
            for (std::size_t op = 0; op < ops.size(); ++op) visit(ops[op], op);
        }
        return std::move(out_);
    }

private:
    /// Reads are by the op or by copies before it; `readAfter` is a read after the op.
    enum class Access : std::uint8_t { read, readAfter, writeBefore, write, writeAfter };

    /// The time of an access: in listed order, and as a point.
    struct When {
        std::span<const Step> steps;
        Point point = none;
    };

    const Function& function(const Instance& instance) const { return expansion_.program->functions[at(instance.function)]; }
    Element element(const Instance& instance, TensorId tensor) const
    {
        return static_cast<Element>(instance.firstTensor) + tensor;
    }
    Element element(TensorId tensor) const { return element(*current_, tensor); }

    /// The outermost loop around `inner` (itself included) that does not make the element's bytes anew; none when each does.
    LoopId reach(Element which, LoopId inner) const
    {
        LoopId outermost = none;
        for (LoopId loop = inner; loop != none && loop != elements_.homeLoops[at(which)];
             loop = expansion_.loops[at(loop)].parent)
            outermost = loop;
        return outermost;
    }

    void add(Element which, Interval steps, PathId path, bool scratch = false)
    {
        out_.touches.push_back({elements_.owner[at(which)],
                                {static_cast<std::int32_t>(steps.begin), static_cast<std::int32_t>(steps.end), path},
                                scratch});
    }

    void addLoop(Element which, LoopId loop)
    {
        add(which, expansion_.loops[at(loop)].live, expansion_.loopPaths[at(loop)]);
        noteNeed(which, expansion_.loops[at(loop)].live);
        if (order_) notePoints(which, order_->loopBegin(loop), order_->loopEnd(loop));
    }

    void notePoints(Element which, Point first, Point last, bool scratch = false)
    {
        if (order_) out_.points.push_back({elements_.owner[at(which)], first, last, scratch});
    }
    void noteWrite(Element which, Point point)
    {
        if (order_ && withWrites_) out_.pointWrites.push_back({elements_.owner[at(which)], point});
    }

    void noteWrite(Element which, Step step, Phase phase)
    {
        if (withWrites_) out_.writes.push_back({elements_.owner[at(which)], tickOf(step, phase)});
    }

    void noteNeed(Element which, Interval steps)
    {
        if (withWrites_) out_.needs.push_back({elements_.owner[at(which)], steps});
    }

    /// The possible values of a phi view, which may be phi views themselves.
    struct Shown {
        Step from = 0;    ///< first step of the view; inside the op that chooses, each value is touched by itself
        bool own = false; ///< its own storage is one of the values
        std::vector<Element> others;
    };

    void follow(const PhiView& phi)
    {
        const Instance& instance = expansion_.instances[at(phi.instance)];
        Shown shown;
        shown.from = expansion_.opSteps[instance.firstOp + at(phi.op)].end;
        for (const TensorId value : phi.values) {
            if (value == none)
                shown.own = true;
            else
                shown.others.push_back(element(instance, value));
        }
        std::sort(shown.others.begin(), shown.others.end());
        shown.others.erase(std::unique(shown.others.begin(), shown.others.end()), shown.others.end());
        shown_.emplace(elements_.owner[at(element(instance, phi.tensor))], std::move(shown));
    }

    bool isInside(LoopId loop, LoopId around) const
    {
        while (loop != none && loop != around) loop = expansion_.loops[at(loop)].parent;
        return loop == around;
    }

    /// Calls `visit` with each element that is touched when `which` is at `step` in `loop`, and the one that says which loops
    /// around make its bytes anew: of what a loop made that has ended, the view itself.
    template <typename Visit>
    void eachShown(Element which, Step step, LoopId loop, const Visit& visit) const
    {
        std::vector<std::pair<Element, Element>> pending{{which, which}};
        for (std::size_t next = 0; next < pending.size(); ++next) {
            const auto [target, home] = pending[next];
            const auto shown = shown_.find(elements_.owner[at(target)]);
            const bool there = shown != shown_.end() && step >= shown->second.from;
            if (!there || shown->second.own) visit(target, home);
            if (!there) continue;
            for (const Element other : shown->second.others) {
                const std::pair<Element, Element> entry{other, isInside(loop, elements_.homeLoops[at(other)]) ? other : home};
                if (std::find(pending.begin(), pending.end(), entry) == pending.end()) pending.push_back(entry);
            }
        }
    }

    /// A touch at one step of something that happens in `loop` (the step may lie deeper, where a region begins or ends with a
    /// loop); over the whole of the outermost loop around it outside which the bytes were made.
    void touch(Element which, const When& when, LoopId loop, Access access)
    {
        eachShown(which, when.steps.front(), loop, [&](Element target, Element home) {
            const bool mine = elements_.owner[at(target)] == elements_.owner[at(which)];
            touchOwn(target, home, when, loop, mine || access == Access::readAfter ? access : Access::read);
        });
    }

    /// As `touch`, of one element. `home`: the one that says which loops around make its bytes anew.
    void touchOwn(Element which, Element home, const When& when, LoopId loop, Access access)
    {
        if (const LoopId outer = reach(home, loop); outer != none) {
            addLoop(which, outer);
        } else {
            for (const Step step : when.steps)
                add(which, {step, step + 1}, expansion_.steps[static_cast<std::size_t>(step)].path);
            notePoints(which, when.point, when.point);
        }
        for (const Step step : when.steps) switch (access) {
            case Access::read: break;
            case Access::readAfter: noteNeed(which, {step, step + 1}); break;
            case Access::writeBefore: noteWrite(which, step, Phase::before); break;
            case Access::write: noteWrite(which, step, Phase::op); break;
            case Access::writeAfter: noteWrite(which, step, Phase::after); break;
            }
        if (access != Access::read && access != Access::readAfter) noteWrite(which, when.point);
    }

    /// An input of a loop is touched at the loop's begin; the loop adds its further uses itself.
    void touchBefore(Element which, LoopId loop)
    {
        if (const LoopId outer = reach(which, expansion_.loops[at(loop)].parent); outer != none) return addLoop(which, outer);
        const Step begin = expansion_.loops[at(loop)].live.begin;
        add(which, {begin, begin}, expansion_.loopPaths[at(loop)]);
        if (order_) notePoints(which, order_->loopBegin(loop), order_->loopBegin(loop));
    }

    /// A touch over all steps of a loop.
    void touchLoop(Element which, LoopId loop)
    {
        eachShown(which, expansion_.loops[at(loop)].live.begin, loop,
                  [&](Element target, Element home) { touchLoopOwn(target, home, loop); });
    }

    void touchLoopOwn(Element which, Element home, LoopId loop)
    {
        const LoopId outer = elements_.homeLoops[at(home)] == loop ? none : reach(home, expansion_.loops[at(loop)].parent);
        addLoop(which, outer != none ? outer : loop);
    }

    When entries(InstanceId instance, RegionId region)
    {
        entries_.clear();
        expansion_.entries(instance, region, entries_);
        return {entries_, order_ ? order_->entry(instance, region) : none};
    }
    When exits(InstanceId instance, RegionId region)
    {
        exits_.clear();
        expansion_.exits(instance, region, exits_);
        return {exits_, order_ ? order_->exit(instance, region) : none};
    }

    /// Inputs of the program are written before step 0; its outputs are needed after the last step.
    void entryAndExit()
    {
        const Instance& entry = expansion_.instances.front();
        const Region& body = function(entry).body();
        for (const TensorId input : body.inputs) {
            add(element(entry, input), {0, 1}, 0);
            noteWrite(element(entry, input), 0, Phase::before);
            if (!order_) continue;
            notePoints(element(entry, input), order_->entry(0, 0), order_->entry(0, 0));
            noteWrite(element(entry, input), order_->entry(0, 0));
        }
        const When last = exits(0, 0);
        for (const TensorId output : body.outputs) touch(element(entry, output), last, none, Access::readAfter);
    }

    void visit(const Op& op, std::size_t id)
    {
        const Interval steps = expansion_.opSteps[current_->firstOp + id];
        const LoopId loop = expansion_.regionLoops[current_->firstRegion + at(op.parent)];
        holder_ = static_cast<OpId>(id);
        switch (op.control) {
        case Control::leaf:
            visitLeaf(op, {{&steps.begin, 1}, order_ ? order_->begin(instance_, static_cast<OpId>(id)) : none}, loop);
            break;
        case Control::branch: visitCase(op, loop); break;
        case Control::loop: visitLoop(op, steps); break;
        case Control::call: visitCall(op, expansion_.callees[current_->firstOp + id], loop); break;
        case Control::exit: visitExit(op, loop); break;
        }
        const PathId path = expansion_.regionPaths[current_->firstRegion + at(op.parent)];
        for (const TensorId scratch : op.temps) {
            add(element(scratch), steps, path, true);
            if (order_)
                notePoints(element(scratch), order_->begin(instance_, static_cast<OpId>(id)),
                           order_->end(instance_, static_cast<OpId>(id)), true);
        }
    }

    void visitLeaf(const Op& op, const When& when, LoopId loop)
    {
        for (const TensorId input : op.inputs) touch(element(input), when, loop, Access::read);
        for (const TensorId output : op.outputs) touch(element(output), when, loop, Access::write);
    }

    void visitCase(const Op& op, LoopId loop)
    {
        const Function& fn = function(*current_);
        std::size_t mapped = 0;
        for (const RegionId id : op.regions) mapped = std::max(mapped, fn.regions[at(id)].inputs.size());
        for (const RegionId id : op.regions) {
            const Region& branch = fn.regions[at(id)];
            const When first = entries(instance_, id);
            touch(element(op.inputs.front()), first, loop, Access::read);
            for (std::size_t i = mapped + 1; i < op.inputs.size(); ++i) touch(element(op.inputs[i]), first, loop, Access::read);
            for (std::size_t i = 0; i < branch.inputs.size(); ++i) {
                if (own_->shared(branch.inputs[i], op.inputs[i + 1])) continue;
                out_.copies.push_back({instance_, holder_, element(op.inputs[i + 1]), element(branch.inputs[i])});
                touch(element(op.inputs[i + 1]), first, loop, Access::read);
                touch(element(branch.inputs[i]), first, loop, Access::writeBefore);
            }
            copyOut(instance_, id, branch.outputs, op.outputs, loop, loop);
        }
    }

    /// Outputs of a region that do not lie in the op's outputs are copied there at the end of the region.
    void copyOut(InstanceId inside, RegionId region, const std::vector<TensorId>& from, const std::vector<TensorId>& to,
                 LoopId innerLoop, LoopId outerLoop)
    {
        const When last = exits(inside, region);
        for (std::size_t i = 0; i < to.size(); ++i) {
            const Element source = element(expansion_.instances[at(inside)], from[i]);
            const Element target = element(to[i]);
            if (sameBytes(source, target)) continue;
            const bool loop = function(*current_).ops[at(holder_)].control == Control::loop;
            if (!loop && shown_.contains(target)) {
                touch(source, last, innerLoop, Access::readAfter);
                continue;
            }
            if (!results_.contains(target)) {
                out_.copies.push_back({instance_, holder_, source, target});
                touch(source, last, innerLoop, Access::readAfter);
            }
            touchOwn(target, target, last, outerLoop, Access::writeAfter);
        }
    }

    /// When this exit is taken, the loop's results are the values listed there.
    void visitExit(const Op& op, LoopId loop)
    {
        const RegionId id = op.regions.front();
        const Region& condition = function(*current_).regions[at(id)];
        const When first = entries(instance_, id);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            touch(element(op.inputs[i]), first, loop, Access::read);
            if (i >= condition.inputs.size() || own_->shared(condition.inputs[i], op.inputs[i])) continue;
            out_.copies.push_back({instance_, holder_, element(op.inputs[i]), element(condition.inputs[i])});
            touch(element(condition.inputs[i]), first, loop, Access::writeBefore);
        }
        const When last = exits(instance_, id);
        touch(element(condition.outputs.front()), last, loop, Access::readAfter);
        for (const Carry& carry : op.carries) {
            const Element source = element(carry.from);
            const Element target = element(carry.to);
            if (sameBytes(source, target)) continue;
            touch(source, last, loop, Access::readAfter);
            if (shown_.contains(target)) continue;
            out_.copies.push_back({instance_, holder_, source, target});
            touchOwn(target, target, last, loop, Access::writeAfter);
        }
    }

    bool sameBytes(Element a, Element b) const
    {
        return elements_.owner[at(a)] == elements_.owner[at(b)] && elements_.delta[at(a)] == elements_.delta[at(b)];
    }

    void visitCall(const Op& op, InstanceId callee, LoopId loop)
    {
        copyOut(callee, 0, function(expansion_.instances[at(callee)]).body().outputs, op.outputs, loop, loop);
    }

    /// Inputs and carries at the begin of the loop, and between its iterations; condition and results have functions of their
    /// own.
    void visitLoop(const Op& op, Interval steps)
    {
        const Function& fn = function(*current_);
        const RegionId bodyId = op.regions.back();
        const Region& body = fn.regions[at(bodyId)];
        const LoopId loop = expansion_.regionLoops[current_->firstRegion + at(bodyId)];
        const bool hasCondition = op.regions.size() == 2;

        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (i < body.inputs.size() && inPlace_.contains(element(body.inputs[i])))
                touchBefore(element(op.inputs[i]), loop);
            else
                touchLoop(element(op.inputs[i]), loop);
        }
        std::unordered_set<TensorId> carried;
        std::unordered_set<TensorId> keptAsIs; // inputs that are carried unchanged
        const When last = exits(instance_, bodyId);
        for (const Carry& carry : op.carries) {
            if (carry.from == carry.to) {
                keptAsIs.insert(carry.to);
                continue;
            }
            carried.insert(carry.to);
            if (inPlace_.contains(element(carry.to))) {
                touch(element(carry.from), last, loop, Access::readAfter);
                touch(element(carry.to), entries(instance_, op.regions.front()), loop, Access::writeBefore);
                continue;
            }
            touchLoop(element(carry.from), loop);
            touchLoop(element(carry.to), loop);
            noteWrite(element(carry.to), steps.begin, Phase::before);
            for (const Step step : last.steps) noteWrite(element(carry.to), step, Phase::after);
            noteWrite(element(carry.to), last.point);
            if (order_) noteWrite(element(carry.to), order_->loopBegin(loop));
        }
        const std::size_t matched = std::min(op.inputs.size(), body.inputs.size());
        for (std::size_t i = 0; i < body.inputs.size(); ++i) {
            const TensorId input = body.inputs[i];
            if (carried.contains(input)) continue;
            if (i >= matched) { // made by the loop itself, for the first iteration or for each iteration
                touch(element(input), entries(instance_, bodyId), loop, Access::writeBefore);
                if (keptAsIs.contains(input)) touchLoop(element(input), loop);
            } else if (!own_->shared(input, op.inputs[i])) {
                out_.copies.push_back({instance_, holder_, element(op.inputs[i]), element(input)});
                touchLoop(element(input), loop);
                noteWrite(element(input), steps.begin, Phase::before);
                if (order_) noteWrite(element(input), order_->loopBegin(loop));
            }
        }
        if (hasCondition) visitCondition(op, op.regions.front(), body, loop);
        visitResults(op, body, bodyId, loop, hasCondition);
    }

    void visitCondition(const Op& op, RegionId id, const Region& body, LoopId loop)
    {
        // The last test comes after the last iteration, whose values are needed until then.
        for (const Carry& carry : op.carries)
            if (carry.from != carry.to && inPlace_.contains(element(carry.to)))
                touch(element(carry.to), exits(instance_, id), loop, Access::readAfter);
        const Region& condition = function(*current_).regions[at(id)];
        for (std::size_t i = 0; i < condition.inputs.size(); ++i) {
            const TensorId source = i < body.inputs.size() ? body.inputs[i] : op.inputs[i];
            if (own_->shared(condition.inputs[i], source)) continue;
            out_.copies.push_back({instance_, holder_, element(source), element(condition.inputs[i])});
            touch(element(condition.inputs[i]), entries(instance_, id), loop, Access::writeBefore);
        }
        touch(element(condition.outputs.front()), exits(instance_, id), loop, Access::readAfter);
    }

    void visitResults(const Op& op, const Region& body, RegionId bodyId, LoopId loop, bool hasCondition)
    {
        const Function& fn = function(*current_);
        const LoopId around = expansion_.loops[at(loop)].parent;
        copyOut(instance_, bodyId, body.outputs, op.outputs, loop, around);
        const bool mayRunNone = hasCondition || op.tripCount.value_or(0) == 0;
        for (std::size_t i = 0; i < op.outputs.size(); ++i) {
            const Element result = element(op.outputs[i]);
            // Without an iteration, a result is the initial value of the carried value, and is copied when the loop ends.
            if (mayRunNone) noteWrite(result, expansion_.loops[at(loop)].live.end - 1, Phase::after);
            if (mayRunNone && order_) {
                noteWrite(result, order_->loopEnd(loop));
                notePoints(result, order_->loopEnd(loop), order_->loopEnd(loop));
            }
            // A result of another size than the value of one iteration collects the values of all iterations.
            const bool collects = fn.tensors[at(op.outputs[i])].bytes != fn.tensors[at(body.outputs[i])].bytes;
            // A carried value is kept for the last test, as the next iteration's input.
            const bool kept = std::any_of(op.carries.begin(), op.carries.end(), [&](const Carry& carry) {
                return carry.from == body.outputs[i] && carry.from != carry.to && inPlace_.contains(element(carry.to)) &&
                       (sameBytes(element(carry.from), result) || results_.contains(result));
            });
            if ((hasCondition && !kept) || collects)
                touchLoopOwn(result, result, loop);
            else if (const LoopId outer = reach(result, around); outer != none)
                addLoop(result, outer);
        }
    }

    const Expansion& expansion_;
    const std::vector<Sharing>& sharing_;
    const Elements& elements_;
    const PartialOrder* order_;
    bool withWrites_;
    std::unordered_set<Element> inPlace_;      ///< inputs of bodies
    std::unordered_set<Element> results_;      ///< results of loops that lie where the next iteration's inputs would lie
    std::unordered_map<Element, Shown> shown_; ///< by the owner of a phi view
    Touches out_;
    InstanceId instance_ = 0;
    const Instance* current_ = nullptr;
    OpId holder_ = none; ///< the current op
    const Sharing* own_ = nullptr;
    std::vector<Step> entries_;
    std::vector<Step> exits_;
};

} // namespace

Elements Elements::of(const Expansion& expansion, const std::vector<Sharing>& sharing)
{
    Elements out;
    out.owner.resize(expansion.tensors);
    out.delta.resize(expansion.tensors);
    out.homeLoops.resize(expansion.tensors);
    // Callers come before callees, so that the tensors for which a callee's inputs and outputs stand are known.
    for (const Instance& instance : expansion.instances) {
        const Sharing& own = sharing[at(instance.function)];
        const Function& fn = expansion.program->functions[at(instance.function)];
        const auto actual = [&](const Formal& formal) {
            const Instance& caller = expansion.instances[at(instance.caller)];
            const Op& call = expansion.program->functions[at(caller.function)].ops[at(instance.callSite)];
            const auto& given = formal.kind == Formal::Kind::input ? call.inputs : call.outputs;
            return caller.firstTensor + at(given[at(formal.position)]);
        };
        for (std::size_t t = 0; t < fn.tensors.size(); ++t) {
            const std::size_t element = instance.firstTensor + t;
            const Spot& spot = own.spots[t];
            if (const Formal& formal = own.formals[at(spot.owner)]; formal.kind != Formal::Kind::none) {
                const std::size_t given = actual(formal);
                out.owner[element] = out.owner[given];
                out.delta[element] = std::min(checkedAdd(out.delta[given], spot.delta).value_or(maxBytes), maxBytes);
            } else {
                out.owner[element] = static_cast<Element>(instance.firstTensor) + spot.owner;
                out.delta[element] = spot.delta;
            }
            const TensorId home = own.homes[t];
            if (const Formal& formal = own.formals[at(home)]; formal.kind != Formal::Kind::none)
                out.homeLoops[element] = out.homeLoops[actual(formal)];
            else
                out.homeLoops[element] = expansion.regionLoops[instance.firstRegion + at(fn.tensors[at(home)].region)];
        }
    }
    return out;
}

Touches collectTouches(const Expansion& expansion, const std::vector<Sharing>& sharing, const Elements& elements,
                       const PartialOrder* order, const Carries& carries, const std::vector<PhiView>& phis, bool withWrites)
{
    return Collector(expansion, sharing, elements, order, carries, phis, withWrites).run();
}

} // namespace stowage::lowering

#include "core/lower/assemble.h"

#include "core/ir/checked.h"
#include "core/ir/kernel_marks.h"
#include "core/lower/conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace stowage::lowering {

namespace {

constexpr std::int64_t maxRuns =
    std::int64_t{1} << 40; ///< executions of an op in one run; a larger product of trip counts is treated as this number

class Assembler {
public:
    Assembler(const Expansion& expansion, const PartialOrder* order, const Storages& storages, const Facts& facts,
              const Merged& merged, Lowering& to)
        : expansion_(expansion), order_(order), storages_(storages), facts_(facts), merged_(merged), to_(to)
    {
    }

    std::optional<Error> run()
    {
        describeAxis();
        describeScopes();
        if (auto error = makeBuffers()) return error;
        if (order_)
            if (auto error = addConflicts(*order_, storages_, withKept(), to_.problem)) return error;
        bindTensors();
        findOrigins();
        markPipes();
        countTraffic();
        listLeftOut();
        return std::nullopt;
    }

private:
    const Tensor& owner(const Storage& storage) const
    {
        return expansion_.function(storage.instance).tensors[at(storage.tensor)];
    }

    void describeAxis()
    {
        to_.problem.name = expansion_.program->name;
        to_.problem.axis = order_ ? Axis::dag : Axis::ops;
        to_.problem.loops = expansion_.loops;
        // The last test is in an iteration of its own, so that the trip count does not give the number of tests.
        for (const LoopId loop : storages_.tested) to_.problem.loops[at(loop)].tripCount.reset();
        to_.steps.reserve(expansion_.steps.size());
        for (const StepPlace& step : expansion_.steps)
            to_.steps.push_back({expansion_.instances[at(step.instance)].function, step.op, step.instance});
    }

    /// The functions that the entry calls, and for each instance the one that it belongs to.
    void describeScopes()
    {
        scopes_.assign(expansion_.instances.size(), none);
        std::vector<ScopeId> scopeOf(expansion_.program->functions.size(), none);
        for (std::size_t i = 1; i < expansion_.instances.size(); ++i) {
            const Instance& instance = expansion_.instances[i];
            if (instance.caller != 0) {
                scopes_[i] = scopes_[at(instance.caller)];
                continue;
            }
            ScopeId& scope = scopeOf[at(instance.function)];
            if (scope == none) {
                scope = static_cast<ScopeId>(to_.problem.scopes.size());
                to_.problem.scopes.push_back({expansion_.function(static_cast<InstanceId>(i)).name, {}});
            }
            scopes_[i] = scope;
            to_.problem.scopes[at(scope)].live.push_back(
                expansion_.opSteps[expansion_.instances[0].firstOp + at(instance.callSite)]);
        }
        for (Scope& scope : to_.problem.scopes)
            std::sort(scope.live.begin(), scope.live.end(),
                      [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    }

    /// The operator to which a storage is internal: the one whose calls contain all its live ranges.
    ScopeId scopeOf(const Storage& storage) const
    {
        const ScopeId scope = scopes_[at(storage.instance)];
        if (scope == none || storage.live.empty()) return none;
        const std::vector<Interval>& calls = to_.problem.scopes[at(scope)].live;
        for (const Interval& live : storage.live)
            if (std::none_of(calls.begin(), calls.end(),
                             [&](const Interval& call) { return call.begin <= live.begin && live.end <= call.end; }))
                return none;
        return scope;
    }

    /// A buffer for each storage that is planned and neither merged into another one nor carried in its place. Errors: beyond
    /// 2^62 bytes.
    std::optional<Error> makeBuffers()
    {
        buffers_.assign(storages_.all.size(), none);
        keptBy_.assign(storages_.all.size(), none);
        madeBy_.resize(storages_.all.size());
        for (std::size_t c = 0; c < storages_.carries.size(); ++c) {
            keptBy_[at(storages_.carries[c].kept)] = static_cast<std::int32_t>(c);
            madeBy_[at(storages_.carries[c].made)].push_back(static_cast<std::int32_t>(c));
        }
        std::unordered_set<std::string> names;
        Bytes total = 0;
        for (std::size_t s = 0; s < storages_.all.size(); ++s) {
            const StorageFacts& facts = facts_.storages[s];
            if (at(merged_.root[s]) != s || !facts.planned || keptBy_[s] != none) continue;
            const Storage& storage = storages_.all[s];
            const Tensor& tensor = owner(storage);
            Buffer buffer;
            buffer.name = nameOf(storage, names);
            buffer.kind = facts.kind;
            buffer.pools = facts_.poolSets[at(facts.pools)];
            buffer.pin = tensor.pinnedOffset;
            buffer.loop = loopOf(storage);
            for (const std::int32_t c : madeBy_[s]) // the innermost one: a loop comes before those inside
                buffer.loop = std::max(buffer.loop, storages_.carries[at(c)].loop);
            buffer.slots = slotsOf(tensor, buffer.loop);
            const bool kept = buffer.kind == BufferKind::constant || buffer.kind == BufferKind::variable;
            if (kept)
                buffer.live = {{0, expansion_.horizon()}};
            else
                buffer.live = storage.live;
            buffer.early = kept ? std::vector<Early>{} : storage.early;
            for (const std::int32_t c : madeBy_[s]) carryOver(storages_.carries[at(c)], buffer);
            if (!kept) buffer.scope = scopeOf(storage);
            const Bytes raised = std::max<Bytes>(1, to_.options.alignment);
            const auto alignment = checkedLcm(facts.alignment, raised);
            if (!alignment || facts.size > maxBytes - raised) return tooLarge(tensor);
            buffer.alignment = *alignment;
            buffer.size = alignUp(facts.size, raised);
            const auto all = checkedMultiply(buffer.size, buffer.slots);
            const auto sum = all ? checkedAdd(total, *all) : std::nullopt;
            if (!sum || *sum > maxBytes) return tooLarge(tensor);
            total = *sum;
            buffers_[s] = static_cast<BufferId>(to_.problem.buffers.size());
            to_.problem.buffers.push_back(std::move(buffer));
            BufferOrigin origin;
            origin.function = expansion_.instances[at(storage.instance)].function;
            origin.tensor = storage.tensor;
            to_.origins.push_back(std::move(origin));
            originInstances_.push_back(storage.instance);
        }
        if (!withoutLoop_.empty())
            to_.diagnostics.push_back(
                warning(Code::noLoop, fmt::format("{} {} several slots and no loop to rotate with: one slot is planned",
                                                  listNames(withoutLoop_), withoutLoop_.size() == 1 ? "has" : "have")));
        return std::nullopt;
    }

    /// Adds the steps of later iterations in which the value of an iteration is in use. Without an order these are all steps,
    /// unless all its uses in the later iteration come before the op that makes the next value.
    void carryOver(const StorageCarry& carry, Buffer& buffer) const
    {
        const Storage& kept = storages_.all[at(carry.kept)];
        const Interval loop = expansion_.loops[at(carry.loop)].live;
        const std::int32_t distance = carry.distance - (carry.after ? 1 : 0); // a result is counted from the last iteration
        const LoopId round = carry.loop == buffer.loop ? none : carry.loop;
        const auto add = [&](const Interval& live, const LoopIteration& when) {
            if (live.empty()) return;
            if (distance == 0)
                buffer.live = unite(buffer.live, {&live, 1});
            else
                buffer.carried.push_back({distance, live, round, when});
        };
        if (order_ && distance > 0 && !allBeforeMaking(kept, storages_.all[at(carry.made)])) return add(loop, {});
        for (const Interval& live : kept.live) {
            add({live.begin, std::min(live.end, loop.end)}, {});
            add({std::max(live.begin, loop.end), live.end}, {}); // a result, or in use when an exit is taken
        }
        for (const Early& early : kept.early) {
            const Interval& within = expansion_.loops[at(early.when.loop)].live;
            LoopId turning = early.when.loop; // of a loop inside, or there is no saying when
            while (turning != none && turning != carry.loop) turning = expansion_.loops[at(turning)].parent;
            for (const Interval& live : {Interval{early.live.begin, std::min(early.live.end, loop.end)},
                                         Interval{std::max(early.live.begin, loop.end), early.live.end}}) {
                const bool inside = turning != none && within.begin <= live.begin && live.end <= within.end;
                add(live, inside ? early.when : LoopIteration{});
            }
        }
    }

    bool allBeforeMaking(const Storage& kept, const Storage& made) const
    {
        for (const auto& uses : kept.segments)
            for (const auto& makes : made.segments)
                for (const Point use : uses)
                    for (const Point make : makes)
                        if (!order_->before(use, make)) return false;
        return true;
    }

    static Error tooLarge(const Tensor& tensor)
    {
        return failure(Code::tooLarge, fmt::format("all buffers up to '{}' exceed 2^62 bytes with their alignment", tensor.name),
                       tensor.where);
    }

    /// The entry's buffers have their tensors' names; a callee's have its name in front.
    std::string nameOf(const Storage& storage, std::unordered_set<std::string>& names) const
    {
        const Function& function = expansion_.function(storage.instance);
        const std::string base =
            storage.instance == 0 ? owner(storage).name : fmt::format("{}/{}", function.name, owner(storage).name);
        std::string name = base;
        for (std::int32_t copy = storage.instance + 1; !names.insert(name).second; ++copy)
            name = fmt::format("{}~{}", base, copy);
        return name;
    }

    /// The innermost loop that makes the storage anew. A function called from several places shares its storages between calls:
    /// the loop is then that of the first call, unless another call is outside it.
    LoopId loopOf(const Storage& storage) const
    {
        const Instance& instance = expansion_.instances[at(storage.instance)];
        LoopId loop = expansion_.regionLoops[instance.firstRegion + at(owner(storage).region)];
        const auto inside = [&](const Interval& range) {
            return expansion_.loops[at(loop)].live.begin <= range.begin && range.end <= expansion_.loops[at(loop)].live.end;
        };
        while (loop != none && !(inside(storage.live.front()) && inside(storage.live.back())))
            loop = expansion_.loops[at(loop)].parent;
        return loop;
    }

    std::int32_t slotsOf(const Tensor& tensor, LoopId loop)
    {
        if (tensor.multiBuffer == 1) return 1;
        if (loop != none) return tensor.multiBuffer;
        withoutLoop_.push_back(tensor.name);
        return 1;
    }

    /// For each storage: its buffer, also for carried storages.
    std::vector<BufferId> withKept() const
    {
        std::vector<BufferId> buffers = buffers_;
        for (const StorageCarry& carry : storages_.carries) buffers[at(carry.kept)] = buffers_[at(carry.made)];
        return buffers;
    }

    // Recursion here follows the nesting of what chooses: a value may be chosen itself.
    TensorBinding bindingOf(std::size_t element) const
    {
        const auto phi = phis_.find(storages_.owner[element]);
        if (phi == phis_.end() || isInside(element, phi->second->by)) return ownBinding(element);
        TensorBinding bound;
        for (const Element value : phi->second->values) {
            TensorBinding each = value == none ? ownBinding(element) : bindingOf(static_cast<std::size_t>(value));
            if (value != none) shift(each, storages_.delta[element]);
            if (bound.buffer == none && each.buffer != none) {
                bound.buffer = each.buffer;
                bound.delta = each.delta;
            }
            bound.choices.push_back(std::move(each));
        }
        bound.chosenBy = phi->second->by;
        return bound;
    }

    /// True for a tensor that is declared inside that op, or inside a function that is called there: it is one of the values.
    bool isInside(std::size_t element, const Choice& op) const
    {
        auto instance =
            static_cast<InstanceId>(std::partition_point(expansion_.instances.begin(), expansion_.instances.end(),
                                                         [&](const Instance& i) { return i.firstTensor <= element; }) -
                                    expansion_.instances.begin()) -
            1;
        RegionId region = expansion_.function(instance).tensors[element - expansion_.instances[at(instance)].firstTensor].region;
        for (;;) {
            const Function& function = expansion_.function(instance);
            OpId around = function.regions[at(region)].owner;
            if (around == none) {
                around = expansion_.instances[at(instance)].callSite;
                instance = expansion_.instances[at(instance)].caller;
                if (instance == none) return false;
            } else if (instance == op.instance && around == op.op) {
                return true;
            }
            region = expansion_.function(instance).ops[at(around)].parent;
        }
    }

    static void shift(TensorBinding& bound, Bytes delta)
    {
        if (bound.buffer != none) bound.delta += delta;
        for (TensorBinding& early : bound.first) shift(early, delta);
        for (TensorBinding& choice : bound.choices) shift(choice, delta);
    }

    TensorBinding ownBinding(std::size_t element) const
    {
        const std::int32_t storage = storages_.of[element];
        if (storage == none) return {};
        if (const auto result = results_.find(element); result != results_.end()) return carriedBinding(result->second->carry, 0);
        return bindingAt(storage, storages_.delta[element]);
    }

    // Recursion here follows the nesting of loops: what one is given may be carried round the one around it.
    TensorBinding bindingAt(std::int32_t storage, Bytes delta) const
    {
        if (storage == none) return {};
        if (const std::int32_t c = keptBy_[at(storage)]; c != none) return carriedBinding(storages_.carries[at(c)], delta);
        const BufferId buffer = buffers_[at(merged_.root[at(storage)])];
        if (buffer == none) return {};
        return {.buffer = buffer, .delta = merged_.delta[at(storage)] + delta};
    }

    TensorBinding carriedBinding(const StorageCarry& carry, Bytes delta) const
    {
        TensorBinding bound{.buffer = buffers_[at(carry.made)],
                            .delta = delta,
                            .distance = carry.distance,
                            .loop = carry.loop,
                            .after = carry.after};
        for (const StorageCarry::Place& place : carry.initials)
            bound.first.push_back(bindingAt(place.storage, place.delta + delta));
        return bound;
    }

    void bindTensors()
    {
        for (const StorageResult& result : storages_.results) results_.emplace(result.element, &result);
        for (const StoragePhi& phi : storages_.phis) phis_.emplace(static_cast<Element>(phi.element), &phi);
        to_.instances.reserve(expansion_.instances.size());
        for (std::size_t i = 0; i < expansion_.instances.size(); ++i) {
            const Instance& instance = expansion_.instances[i];
            FunctionInstance& bound = to_.instances.emplace_back();
            bound.function = instance.function;
            bound.caller = instance.caller;
            bound.callSite = instance.callSite;
            const auto& ops = expansion_.function(static_cast<InstanceId>(i)).ops;
            for (std::size_t o = 0; o < ops.size(); ++o)
                if (ops[o].control == Control::loop)
                    bound.loops.emplace_back(static_cast<OpId>(o),
                                             expansion_.regionLoops[instance.firstRegion + at(ops[o].regions.back())]);
            bound.bindings.resize(expansion_.function(static_cast<InstanceId>(i)).tensors.size());
            for (std::size_t t = 0; t < bound.bindings.size(); ++t) bound.bindings[t] = bindingOf(instance.firstTensor + t);
        }
    }

    /// Members, producer and consumers of each buffer, in the instance that its storage belongs to. The producer is the op that
    /// is the first to end with it as a result, a leaf before ops around it; an input has none.
    void findOrigins()
    {
        std::vector<Step> written(to_.origins.size(), 0); // when the producer writes
        for (std::size_t i = 0; i < expansion_.instances.size(); ++i) {
            const Instance& instance = expansion_.instances[i];
            const Function& function = expansion_.function(static_cast<InstanceId>(i));
            const auto& bindings = to_.instances[i].bindings;
            const auto ownHere = [&](TensorId tensor) -> BufferId {
                const BufferId buffer = bindings[at(tensor)].buffer;
                return buffer != none && originInstances_[at(buffer)] == static_cast<InstanceId>(i) ? buffer : none;
            };
            for (std::size_t t = 0; t < bindings.size(); ++t)
                if (const BufferId buffer = ownHere(static_cast<TensorId>(t)); buffer != none)
                    to_.origins[at(buffer)].members.push_back(static_cast<TensorId>(t));
            for (std::size_t o = 0; o < function.ops.size(); ++o) {
                const Op& op = function.ops[o];
                const auto id = static_cast<OpId>(o);
                for (const TensorId input : op.inputs) {
                    const BufferId buffer = ownHere(input);
                    if (buffer == none) continue;
                    auto& consumers = to_.origins[at(buffer)].consumers;
                    if (consumers.empty() || consumers.back() != id) consumers.push_back(id);
                }
                const Step step = expansion_.opSteps[instance.firstOp + o].end;
                for (const auto* list : {&op.outputs, &op.temps})
                    for (const TensorId output : *list) {
                        const BufferId buffer = ownHere(output);
                        if (buffer == none) continue;
                        BufferOrigin& origin = to_.origins[at(buffer)];
                        const bool first = origin.producer == none || step < written[at(buffer)] ||
                                           (step == written[at(buffer)] && op.control == Control::leaf);
                        if (!first) continue;
                        origin.producer = id;
                        written[at(buffer)] = step;
                    }
            }
        }
        for (std::size_t b = 0; b < to_.origins.size(); ++b)
            if (to_.problem.buffers[b].kind == BufferKind::input) to_.origins[b].producer = none;
    }

    /// Marks the buffers that DMA pipes and the scalar pipe touch, by Ascend's names of pipes. Names of other targets mark
    /// nothing.
    void markPipes()
    {
        for (std::size_t i = 0; i < expansion_.instances.size(); ++i) {
            const auto& bindings = to_.instances[i].bindings;
            const auto each = [&](const std::vector<TensorId>& tensors, bool Buffer::*flag) {
                for (const TensorId tensor : tensors)
                    if (const BufferId buffer = bindings[at(tensor)].buffer; buffer != none)
                        to_.problem.buffers[at(buffer)].*flag = true;
            };
            for (const Op& op : expansion_.function(static_cast<InstanceId>(i)).ops) {
                if (op.pipe.empty()) continue;
                if (op.pipe == pipes::load) each(op.outputs, &Buffer::dma);
                if (op.pipe == pipes::store || op.pipe == pipes::storeAccumulators) each(op.inputs, &Buffer::dma);
                if (op.pipe == pipes::scalar) {
                    each(op.inputs, &Buffer::scalar);
                    each(op.outputs, &Buffer::scalar);
                    each(op.temps, &Buffer::scalar);
                }
            }
        }
    }

    /// Adds the bytes that each leaf op reads and writes, times the trip counts of the loops around it. Sums are limited to 2^62.
    void countTraffic()
    {
        for (std::size_t s = 1; s < expansion_.steps.size(); ++s) {
            const StepPlace& step = expansion_.steps[s];
            if (step.op == none) continue;
            const Op& op = expansion_.function(step.instance).ops[at(step.op)];
            if (op.control != Control::leaf) continue;
            std::int64_t runs = 1;
            for (LoopId loop = step.loop; loop != none; loop = expansion_.loops[at(loop)].parent)
                runs =
                    std::min(checkedMultiply(runs, expansion_.loops[at(loop)].tripCount.value_or(1)).value_or(maxRuns), maxRuns);
            const auto& tensors = expansion_.function(step.instance).tensors;
            const auto each = [&](const std::vector<TensorId>& ids, Bytes Traffic::*bytes, std::int64_t Traffic::*times) {
                for (const TensorId id : ids) {
                    const BufferId b = to_.instances[at(step.instance)].bindings[at(id)].buffer;
                    if (b == none) continue;
                    Traffic& traffic = to_.problem.buffers[at(b)].traffic;
                    const Bytes moved = checkedMultiply(tensors[at(id)].bytes.value_or(0), runs).value_or(maxBytes);
                    traffic.*bytes = std::min(checkedAdd(traffic.*bytes, moved).value_or(maxBytes), maxBytes);
                    traffic.*times = std::min(traffic.*times + runs, maxBytes);
                }
            };
            each(op.inputs, &Traffic::read, &Traffic::reads);
            each(op.outputs, &Traffic::written, &Traffic::writes);
            each(op.temps, &Traffic::read, &Traffic::reads);
            each(op.temps, &Traffic::written, &Traffic::writes);
        }
    }

    void listLeftOut()
    {
        std::vector<std::string_view> unknown;
        const Tensor* firstUnknown = nullptr;
        for (std::size_t s = 0; s < storages_.all.size(); ++s) {
            const StorageFacts& facts = facts_.storages[s];
            if (facts.planned || at(merged_.root[s]) != s) continue;
            const Storage& storage = storages_.all[s];
            const Tensor& tensor = owner(storage);
            to_.leftOut.push_back(
                {expansion_.instances[at(storage.instance)].function, storage.tensor, facts.size, facts.leftOut});
            if (tensor.bytes || !tensor.planned) continue;
            unknown.push_back(tensor.name);
            if (!firstUnknown) firstUnknown = &tensor;
        }
        if (!firstUnknown) return;
        to_.diagnostics.push_back(
            warning(Code::dynamicSize,
                    fmt::format("{} of unknown size {} left out of planning: {}",
                                unknown.size() == 1 ? "a tensor" : fmt::format("{} tensors", unknown.size()),
                                unknown.size() == 1 ? "is" : "are", listNames(unknown)),
                    firstUnknown->where, "give free dimensions a size (--bind NAME=N; in the window: Program)"));
    }

    const Expansion& expansion_;
    const PartialOrder* order_;
    const Storages& storages_;
    const Facts& facts_;
    const Merged& merged_;
    Lowering& to_;
    std::vector<BufferId> buffers_;                                 ///< by storage: of roots that are planned
    std::vector<std::int32_t> keptBy_;                              ///< by storage: into the carries, or none
    std::vector<std::vector<std::int32_t>> madeBy_;                 ///< by storage: into the carries
    std::unordered_map<std::size_t, const StorageResult*> results_; ///< by element
    std::unordered_map<Element, const StoragePhi*> phis_;           ///< by the element that owns the storage
    std::vector<InstanceId> originInstances_;                       ///< by buffer
    std::vector<ScopeId> scopes_;                                   ///< by instance
    std::vector<std::string_view> withoutLoop_;
};

} // namespace

std::optional<Error> assemble(const Expansion& expansion, const PartialOrder* order, const Storages& storages, const Facts& facts,
                              const Merged& merged, Lowering& to)
{
    return Assembler(expansion, order, storages, facts, merged, to).run();
}

} // namespace stowage::lowering

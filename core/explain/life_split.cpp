#include "core/explain/life_split.h"

#include "core/ir/views.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace stowage {

namespace {

/// How the ops of a function use one tensor.
struct Uses {
    std::vector<std::pair<Step, OpId>> ops; ///< in order of steps
    std::vector<OpId> writers;
    bool hidden = false; ///< some uses are not in leaf ops of the function's own region
};

/// Finds the last writes to the bytes of tensors of the entry function. Ops are compared by their place: the index, in the listed
/// order of the entry's region, of the op there that holds or calls them.
class LastWrites {
public:
    LastWrites(const Program& program, const Lowering& lowering)
        : lowering_(lowering), function_(program.functions[at(lowering.instances.front().function)])
    {
        findPlaces();
        shareBytes();
        last_.assign(function_.tensors.size(), -1);
        variable_.assign(function_.tensors.size(), false);
        for (std::size_t t = 0; t < function_.tensors.size(); ++t)
            if (function_.tensors[t].kind == TensorKind::variable) variable_[ownerOf(static_cast<TensorId>(t))] = true;
        for (std::size_t o = 0; o < function_.ops.size(); ++o) {
            const Op& op = function_.ops[o];
            for (const auto* list : {&op.outputs, &op.temps})
                for (const TensorId tensor : *list) {
                    const std::size_t owner = ownerOf(tensor);
                    if (isView(op) && owner == ownerOf(op.inputs.front())) continue; // the same bytes under another name
                    last_[owner] = std::max(last_[owner], places_[o]);
                }
        }
        findCalledWrites(program);
    }

    /// True if nothing writes to the bytes of `tensor` while `op` runs or after it.
    [[nodiscard]] bool isOver(TensorId tensor, OpId op) const
    {
        const std::size_t owner = ownerOf(tensor);
        const BufferId buffer = lowering_.instances.front().bindings[at(tensor)].buffer;
        const std::int64_t called = buffer == none ? -1 : called_[at(buffer)];
        return !variable_[owner] && std::max(last_[owner], called) < places_[at(op)];
    }

private:
    void findPlaces()
    {
        places_.assign(function_.ops.size(), -1);
        const std::vector<OpId>& listed = function_.body().ops;
        for (std::size_t k = 0; k < listed.size(); ++k) places_[at(listed[k])] = static_cast<std::int64_t>(k);
        for (std::size_t o = 0; o < function_.ops.size(); ++o) {
            const Op* outer = &function_.ops[o];
            while (outer->parent != 0) outer = &function_.ops[at(function_.regions[at(outer->parent)].owner)];
            places_[o] = places_[static_cast<std::size_t>(outer - function_.ops.data())];
        }
    }

    /// A view has the bytes of the viewed tensor, an obligatory in-place result those of its input, and the input of a region may
    /// have those of an input of the op that holds the region.
    void shareBytes()
    {
        owners_.resize(function_.tensors.size());
        std::iota(owners_.begin(), owners_.end(), std::size_t{0});
        const std::vector<ViewOrigin> origins = viewOrigins(function_);
        for (std::size_t t = 0; t < origins.size(); ++t) join(static_cast<TensorId>(t), origins[t].root);
        for (const Op& op : function_.ops) {
            if (op.inPlaceRequired)
                for (const InPlace& pair : op.inPlace) join(pair.input, pair.output);
            const std::size_t selector = op.control == Control::branch ? 1 : 0;
            for (const RegionId region : op.regions) {
                const std::vector<TensorId>& inner = function_.regions[at(region)].inputs;
                for (std::size_t k = 0; k < inner.size() && k + selector < op.inputs.size(); ++k)
                    join(inner[k], op.inputs[k + selector]);
            }
        }
        for (std::size_t& owner : owners_) owner = owners_[owner]; // no index is below its owner's, so one step is enough
    }
    [[nodiscard]] std::size_t ownerOf(TensorId tensor) const
    {
        std::size_t owner = at(tensor);
        while (owners_[owner] != owner) owner = owners_[owner];
        return owner;
    }
    void join(TensorId a, TensorId b)
    {
        const std::size_t first = std::min(ownerOf(a), ownerOf(b)), second = std::max(ownerOf(a), ownerOf(b));
        owners_[second] = first;
        for (const TensorId tensor : {a, b}) owners_[at(tensor)] = first; // short paths
    }

    /// Called functions write to buffers of their caller through their inputs.
    void findCalledWrites(const Program& program)
    {
        called_.assign(lowering_.problem.buffers.size(), -1);
        for (const StepInfo& info : lowering_.steps) {
            if (info.op == none || info.instance == 0) continue;
            const FunctionInstance* outer = &lowering_.instances[at(info.instance)];
            const std::vector<TensorBinding>& bindings = outer->bindings;
            while (outer->caller != 0) outer = &lowering_.instances[at(outer->caller)];
            const Op& op = program.functions[at(info.function)].ops[at(info.op)];
            if (isView(op)) continue;
            for (const auto* list : {&op.outputs, &op.temps})
                for (const TensorId tensor : *list)
                    if (const BufferId buffer = bindings[at(tensor)].buffer; buffer != none)
                        called_[at(buffer)] = std::max(called_[at(buffer)], places_[at(outer->callSite)]);
        }
    }

    const Lowering& lowering_;
    const Function& function_;
    std::vector<std::int64_t> places_; ///< by op; -1: the op is in no list
    std::vector<std::size_t> owners_;  ///< by tensor: another one with its bytes; itself for one of each set
    std::vector<std::int64_t> last_;   ///< by owner: the place of its last write; -1: none
    std::vector<bool> variable_;       ///< by owner: it keeps its value between runs
    std::vector<std::int64_t> called_; ///< by buffer: the place of the last call that writes to it; -1: none
};

class Splitter {
public:
    Splitter(const Program& program, const Lowering& lowering)
        : lowering_(lowering),
          function_(program.functions[at(lowering.instances.front().function)]),
          uses_(function_.tensors.size()),
          writes_(program, lowering)
    {
        std::vector<Step> stepOf(function_.ops.size(), -1);
        for (std::size_t s = 0; s < lowering.steps.size(); ++s)
            if (const StepInfo& info = lowering.steps[s]; info.instance == 0 && info.op != none)
                stepOf[at(info.op)] = static_cast<Step>(s);
        for (const Region& region : function_.regions) {
            hide(region.inputs);
            hide(region.outputs);
        }
        for (const Tensor& tensor : function_.tensors)
            if (tensor.aliasOf != none) hide({tensor.aliasOf});
        for (std::size_t o = 0; o < function_.ops.size(); ++o) note(static_cast<OpId>(o), stepOf[o]);
        for (Uses& uses : uses_) std::ranges::sort(uses.ops);
    }

    void split(BufferId buffer, Step step, std::vector<LifeSplit>& found) const
    {
        const BufferOrigin& origin = lowering_.origins[at(buffer)];
        if (origin.function != lowering_.instances.front().function || origin.members.size() != 1) return;
        const Tensor& tensor = function_.tensors[at(origin.tensor)];
        const Uses& uses = uses_[at(origin.tensor)];
        const bool plain = tensor.kind == TensorKind::intermediate && tensor.region == 0 && tensor.aliasOf == none &&
                           tensor.multiBuffer == 1 && !tensor.pinnedOffset;
        if (!plain || uses.hidden || uses.writers.size() != 1 || uses.ops.front().second != uses.writers.front()) return;
        const auto next = std::ranges::lower_bound(uses.ops, step, {}, &std::pair<Step, OpId>::first);
        if (next == uses.ops.begin() || next == uses.ops.end() || next->first == step) return;
        const auto [after, last] = *std::prev(next);
        LifeSplit split{.tensor = origin.tensor,
                        .producer = uses.writers.front(),
                        .last = last,
                        .reader = next->second,
                        .after = after,
                        .before = next->first};
        if (!mustOverwrite(function_.ops[at(last)], origin.tensor)) found.push_back(split);
        if (!canRunTwice(split.producer)) return;
        split.by = Regain::compute;
        found.push_back(split);
    }

private:
    void hide(const std::vector<TensorId>& tensors)
    {
        for (const TensorId tensor : tensors) uses_[at(tensor)].hidden = true;
    }
    void note(OpId id, Step step)
    {
        const Op& op = function_.ops[at(id)];
        const bool listed = op.control == Control::leaf && op.parent == 0 && step >= 0;
        for (const auto* list : {&op.inputs, &op.outputs, &op.temps}) {
            if (!listed) hide(*list);
            for (const TensorId tensor : *list) {
                Uses& uses = uses_[at(tensor)];
                uses.ops.emplace_back(step, id);
                if (list != &op.inputs) uses.writers.push_back(id);
            }
        }
    }
    [[nodiscard]] static bool mustOverwrite(const Op& op, TensorId tensor)
    {
        return op.inPlaceRequired && std::ranges::find(op.inPlace, tensor, &InPlace::input) != op.inPlace.end();
    }
    /// True when executing the op again later gives the same result, because its operands are unchanged.
    [[nodiscard]] bool canRunTwice(OpId id) const
    {
        const Op& op = function_.ops[at(id)];
        const bool computes = op.traits.effect == OpEffect::computes || op.traits.effect == OpEffect::elementWise ||
                              op.traits.effect == OpEffect::repeats;
        return computes && op.outputs.size() == 1 && op.temps.empty() && !op.inPlaceRequired &&
               std::ranges::all_of(op.inputs, [&](TensorId operand) { return writes_.isOver(operand, id); });
    }

    const Lowering& lowering_;
    const Function& function_;
    std::vector<Uses> uses_; ///< by tensor
    LastWrites writes_;
};

/// `name`, with a suffix if another element of `all` has that name.
template <typename All>
std::string unusedName(std::string name, const All& all)
{
    while (std::ranges::any_of(all, [&](const auto& each) { return each.name == name; })) name += '\'';
    return name;
}

} // namespace

std::vector<LifeSplit> lifeSplits(const Program& program, const Lowering& lowering, Step step,
                                  const std::vector<BufferId>& buffers)
{
    std::vector<LifeSplit> found;
    if (lowering.problem.axis != Axis::ops || lowering.instances.empty()) return found;
    const Splitter splitter(program, lowering);
    for (const BufferId buffer : buffers) splitter.split(buffer, step, found);
    return found;
}

Program withSplit(Program program, FunctionId function, const LifeSplit& split)
{
    Function& to = program.functions[at(function)];
    Tensor again = to.tensors[at(split.tensor)];
    again.name = unusedName(again.name + " again", to.tensors);
    const auto tensor = static_cast<TensorId>(to.tensors.size());
    to.tensors.push_back(std::move(again));

    Op op;
    if (split.by == Regain::compute) {
        op = to.ops[at(split.producer)];
        op.inPlace.clear();
        op.name = unusedName(op.name + " again", to.ops);
    } else {
        op.name = unusedName("reload " + to.tensors[at(split.tensor)].name, to.ops);
        op.kind = "reload";
        op.traits.effect = OpEffect::stateful;
        // The contents are copied after the last use, which therefore must not overwrite them.
        std::erase_if(to.ops[at(split.last)].inPlace, [&](const InPlace& pair) { return pair.input == split.tensor; });
    }
    op.outputs = {tensor};
    // The reader and all ops after it in listed order read the new tensor.
    std::vector<OpId>& listed = to.regions.front().ops;
    const auto reader = std::ranges::find(listed, split.reader);
    for (auto each = reader; each != listed.end(); ++each) {
        std::ranges::replace(to.ops[at(*each)].inputs, split.tensor, tensor);
        for (InPlace& pair : to.ops[at(*each)].inPlace)
            if (pair.input == split.tensor) pair.input = tensor;
    }
    listed.insert(reader, static_cast<OpId>(to.ops.size()));
    to.ops.push_back(std::move(op));
    return program;
}

} // namespace stowage

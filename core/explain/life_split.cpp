#include "core/explain/life_split.h"

#include <algorithm>
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

class Splitter {
public:
    Splitter(const Program& program, const Lowering& lowering)
        : lowering_(lowering),
          function_(program.functions[at(lowering.instances.front().function)]),
          uses_(function_.tensors.size())
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
        LifeSplit split{.tensor = origin.tensor,
                        .producer = uses.writers.front(),
                        .reader = next->second,
                        .after = std::prev(next)->first,
                        .before = next->first};
        found.push_back(split);
        if (!canRunTwice(function_.ops[at(split.producer)])) return;
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
    /// True when executing the op again gives the same result, because its operands are unchanged.
    [[nodiscard]] bool canRunTwice(const Op& op) const
    {
        const bool computes = op.traits.effect == OpEffect::computes || op.traits.effect == OpEffect::elementWise ||
                              op.traits.effect == OpEffect::repeats;
        return computes && op.outputs.size() == 1 && op.temps.empty() && !op.inPlaceRequired &&
               std::ranges::all_of(op.inputs, [&](TensorId operand) {
                   return function_.tensors[at(operand)].kind != TensorKind::variable && uses_[at(operand)].writers.size() <= 1;
               });
    }

    const Lowering& lowering_;
    const Function& function_;
    std::vector<Uses> uses_; ///< by tensor
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

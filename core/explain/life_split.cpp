#include "core/explain/life_split.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace stowage {

namespace {

/// How the ops of the entry function use one buffer.
struct Uses {
    std::vector<Step> steps; ///< ascending, each once
    std::vector<OpId> writers;
    bool hidden = false; ///< some uses are not known one by one
};

bool dependsOnOperandsOnly(const Op& op)
{
    return op.traits.effect == OpEffect::computes || op.traits.effect == OpEffect::elementWise ||
           op.traits.effect == OpEffect::repeats;
}

class Splitter {
public:
    Splitter(const Program& program, const Lowering& lowering)
        : problem_(lowering.problem),
          bindings_(lowering.instances.front().bindings),
          function_(program.functions[at(lowering.instances.front().function)]),
          uses_(problem_.buffers.size()),
          stepOf_(function_.ops.size(), -1)
    {
        for (std::size_t s = 0; s < lowering.steps.size(); ++s)
            if (const StepInfo& info = lowering.steps[s]; info.instance == 0 && info.op != none)
                stepOf_[at(info.op)] = static_cast<Step>(s);
        for (std::size_t i = 1; i < lowering.instances.size(); ++i)
            for (const TensorBinding& binding : lowering.instances[i].bindings) hide(binding);
        for (const Region& region : function_.regions)
            if (region.owner != none)
                for (const auto* list : {&region.inputs, &region.outputs}) hide(*list);
        for (std::size_t o = 0; o < function_.ops.size(); ++o) note(function_.ops[o], static_cast<OpId>(o));
        for (const TensorBinding& binding : bindings_)
            if (binding.loop != none || !binding.first.empty() || !binding.choices.empty()) hide(binding);
        for (Uses& uses : uses_) {
            std::ranges::sort(uses.steps);
            uses.steps.erase(std::ranges::unique(uses.steps).begin(), uses.steps.end());
        }
    }

    void split(BufferId id, Step step, std::vector<LifeSplit>& found) const
    {
        const Buffer& buffer = problem_.buffers[at(id)];
        const Uses& uses = uses_[at(id)];
        if (buffer.kind != BufferKind::intermediate || uses.hidden || !buffer.isPlain() || buffer.loop != none ||
            buffer.slots > 1)
            return;
        const auto next = std::ranges::lower_bound(uses.steps, step);
        if (next == uses.steps.begin() || next == uses.steps.end() || *next == step) return;
        LifeSplit split{.buffer = id, .after = *std::prev(next), .before = *next};
        const Interval life = buffer.live.front();
        split.changes.push_back(Change::ofLive(id, {{life.begin, split.after + 1}, {split.before, life.end}}));
        found.push_back(split);
        if (uses.writers.size() != 1 || stepOf_[at(uses.writers.front())] != uses.steps.front()) return;
        split.by = Regain::compute;
        split.producer = uses.writers.front();
        if (keepOperands(split)) found.push_back(std::move(split));
    }

private:
    [[nodiscard]] BufferId bufferOf(TensorId tensor) const { return bindings_[at(tensor)].buffer; }

    void hide(const TensorBinding& binding)
    {
        if (binding.buffer != none) uses_[at(binding.buffer)].hidden = true;
        for (const auto* list : {&binding.first, &binding.choices})
            for (const TensorBinding& each : *list) hide(each);
    }
    void hide(const std::vector<TensorId>& tensors)
    {
        for (const TensorId tensor : tensors) hide(bindings_[at(tensor)]);
    }
    void note(const Op& op, OpId id)
    {
        const Step step = stepOf_[at(id)];
        const bool listed = op.control == Control::leaf && op.parent == 0 && step >= 0;
        for (const auto* list : {&op.inputs, &op.outputs, &op.temps}) {
            if (!listed) hide(*list);
            for (const TensorId tensor : *list) {
                if (bufferOf(tensor) == none) continue;
                Uses& uses = uses_[at(bufferOf(tensor))];
                if (listed) uses.steps.push_back(step);
                if (list != &op.inputs) uses.writers.push_back(id);
            }
        }
    }

    /// Makes what the op reads and its scratch live where it runs a second time; false where that would not be the same value.
    [[nodiscard]] bool keepOperands(LifeSplit& split) const
    {
        const Op& op = function_.ops[at(split.producer)];
        if (!dependsOnOperandsOnly(op) || op.outputs.size() != 1) return false;
        const Step step = split.before;
        const auto mentioned = [&](BufferId id) {
            return std::ranges::any_of(split.changes, [&](const Change& change) { return change.buffer == id; });
        };
        for (const TensorId tensor : op.inputs) {
            const BufferId id = bufferOf(tensor);
            if (function_.tensors[at(tensor)].kind == TensorKind::constant) continue;
            if (id == none || id == split.buffer) return false;
            const Buffer& operand = problem_.buffers[at(id)];
            const Uses& uses = uses_[at(id)];
            // What is written later, or gives its bytes to a result, does not hold the value any more.
            if (uses.hidden || uses.writers.size() > 1 || !operand.mayShare.empty() || !operand.isPlain() || operand.slots > 1 ||
                operand.kind == BufferKind::variable)
                return false;
            const Interval life = operand.live.front();
            if (life.end <= step && !mentioned(id)) split.changes.push_back(Change::ofLive(id, {{life.begin, step + 1}}));
        }
        for (const TensorId tensor : op.temps) {
            const BufferId id = bufferOf(tensor);
            if (id == none || mentioned(id)) continue;
            const Buffer& scratch = problem_.buffers[at(id)];
            if (uses_[at(id)].hidden || !scratch.isPlain() || scratch.slots > 1) return false;
            const Interval life = scratch.live.front();
            if (life.end <= step) split.changes.push_back(Change::ofLive(id, {life, {step, step + 1}}));
        }
        return true;
    }

    const Problem& problem_;
    const std::vector<TensorBinding>& bindings_;
    const Function& function_;
    std::vector<Uses> uses_; ///< by buffer
    std::vector<Step> stepOf_;
};

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

} // namespace stowage

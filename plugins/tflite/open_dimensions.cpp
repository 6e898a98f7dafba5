#include "plugins/tflite/open_dimensions.h"

#include "plugins/tflite/extent_rules.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace stowage::tflite {
namespace {

constexpr std::string_view batch = "batch";
constexpr std::size_t shownNames = 6;
constexpr std::size_t shownTensors = 3; ///< besides inputs; converters give them long names
constexpr int maxRounds = 16;           ///< after it, loops keep only what their bodies do not make anew

/// The binding that a dimension takes: "tensor:axis" before "tensor" (when it is the only one) before "batch".
class BindingTable {
public:
    explicit BindingTable(const Bindings& bindings)
    {
        for (const auto& [name, extent] : bindings) table_[name] = {extent, false};
    }

    std::optional<std::int64_t> find(const TensorInfo& tensor, Index axis)
    {
        if (const auto extent = named(tensor, axis)) return extent;
        return axis == 0 ? useBatch() : std::nullopt;
    }

    /// The same without "batch".
    std::optional<std::int64_t> named(const TensorInfo& tensor, Index axis)
    {
        if (table_.empty()) return std::nullopt;
        if (const auto extent = use(tensor.name + ':' + std::to_string(axis))) return extent;
        return tensor.dynamicAxes.size() == 1 ? use(tensor.name) : std::nullopt;
    }

    std::optional<std::int64_t> useBatch() { return use(std::string(batch)); }

    /// The extent of "batch", which counts as taken only after `useBatch`.
    [[nodiscard]] std::optional<std::int64_t> batchExtent() const
    {
        const auto found = table_.find(std::string(batch));
        return found == table_.end() ? std::nullopt : std::optional(found->second.extent);
    }

    /// A binding that no dimension took.
    [[nodiscard]] const std::string* unused() const
    {
        const auto found = std::find_if(table_.begin(), table_.end(), [](const auto& entry) { return !entry.second.used; });
        return found == table_.end() ? nullptr : &found->first;
    }

private:
    struct Binding {
        std::int64_t extent = 0;
        bool used = false;
    };

    std::optional<std::int64_t> use(const std::string& name)
    {
        const auto found = table_.find(name);
        if (found == table_.end()) return std::nullopt;
        found->second.used = true;
        return found->second.extent;
    }

    std::map<std::string, Binding> table_;
};

/// What can be bound, for messages: the open dimensions of the main graph's inputs, or of other tensors where the inputs have
/// none.
std::string choices(const Model& model)
{
    std::vector<std::string> names;
    bool anyBatch = false;
    const Subgraph& main = model.subgraphs.front();
    const auto add = [&](const TensorInfo& tensor) {
        for (const Index axis : tensor.dynamicAxes) {
            anyBatch = anyBatch || axis == 0;
            if (names.size() < shownNames) names.push_back(bindingName(tensor, axis));
        }
    };
    for (const Index input : main.inputs) add(main.tensors[at(input)]);
    if (names.empty()) {
        std::for_each(main.tensors.begin(), main.tensors.end(), add);
        anyBatch = false; // rows that depend on data
    }
    if (names.empty()) return "No dimension of this model is open.";
    std::string text = anyBatch ? "Names: batch" : "Names:";
    for (const std::string& name : names) text += (text.back() == ':' ? " " : ", ") + name;
    return text + ".";
}

/// Which operands of loops have the same extents in every iteration. At first all are taken to have them. `drop` compares what
/// the bodies then give back, and the model is settled again until nothing is dropped: what is left holds by induction over the
/// iterations, as a body that takes these extents gives them back.
class LoopStates {
public:
    explicit LoopStates(const Model& model)
    {
        for (const Subgraph& graph : model.subgraphs) {
            for (const OperatorInfo& op : graph.operators) {
                if (op.call != CallKind::loop) continue;
                const Subgraph& body = model.subgraphs[at(op.callees.back())];
                kept_[&op].resize(std::min({op.inputs.size(), body.inputs.size(), body.outputs.size()}), true);
            }
        }
    }

    /// Whether each run of a callee of `op`, and a result at this position, has the extents of the operand at its input `input`.
    [[nodiscard]] bool handsOn(const OperatorInfo& op, std::size_t input) const
    {
        if (op.call != CallKind::loop) return true;
        const std::vector<bool>& kept = kept_.at(&op);
        return input < kept.size() && kept[input];
    }

    /// Drops those that the settled model gives back with other extents, or with unknown ones; with `all` each one that a body
    /// does not give back as the tensor that it took. False if it drops none.
    bool drop(const Model& model, bool all)
    {
        bool dropped = false;
        for (const Subgraph& graph : model.subgraphs) {
            for (const OperatorInfo& op : graph.operators) {
                if (op.call != CallKind::loop) continue;
                const Subgraph& body = model.subgraphs[at(op.callees.back())];
                std::vector<bool>& kept = kept_.at(&op);
                for (std::size_t i = 0; i < kept.size(); ++i) {
                    if (!kept[i] || body.inputs[i] == body.outputs[i] || (!all && givesBack(graph, op, body, i))) continue;
                    kept[i] = false;
                    dropped = true;
                }
            }
        }
        return dropped;
    }

private:
    static bool givesBack(const Subgraph& graph, const OperatorInfo& op, const Subgraph& body, std::size_t i)
    {
        if (op.inputs[i] < 0 || body.outputs[i] < 0) return false;
        const std::vector<std::int64_t>& taken = graph.tensors[at(op.inputs[i])].shape;
        return taken == body.tensors[at(body.outputs[i])].shape && std::ranges::none_of(taken, [](auto n) { return n < 0; });
    }

    std::map<const OperatorInfo*, std::vector<bool>> kept_; ///< by loop, then by input
};

/// What calls hand to the inputs of a sub-graph, by position; null: not known, or not the same extents in all calls.
struct Handed {
    bool any = false;
    std::vector<const TensorInfo*> operands;

    void add(const LoopStates& loops, const Subgraph& caller, const OperatorInfo& op)
    {
        const std::size_t selector = choosesCallee(op.call) ? 1 : 0;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const Index t = i + selector < op.inputs.size() && loops.handsOn(op, i) ? op.inputs[i + selector] : none;
            const TensorInfo* operand = t < 0 ? nullptr : &caller.tensors[at(t)];
            if (!any)
                operands[i] = operand;
            else if (operand == nullptr || operands[i] == nullptr || operand->shape != operands[i]->shape)
                operands[i] = nullptr;
        }
        any = true;
    }
};

/// By sub-graph: what is handed to it before any call is looked at. Nothing to those that a sub-graph after them calls: the
/// sub-graphs are settled in the order of the file.
std::vector<Handed> handedAtFirst(const Model& model)
{
    std::vector<Handed> handed(model.subgraphs.size());
    for (std::size_t g = 0; g < handed.size(); ++g) handed[g].operands.resize(model.subgraphs[g].inputs.size());
    for (std::size_t g = 0; g < handed.size(); ++g) {
        for (const OperatorInfo& op : model.subgraphs[g].operators) {
            for (const Index callee : op.callees) {
                if (at(callee) <= g) handed[at(callee)].any = true; // with null for each input, which stays
            }
        }
    }
    return handed;
}

/// By tensor: the caller gives it its shape.
std::vector<bool> entryInputs(const Subgraph& graph, bool entry)
{
    std::vector<bool> inputs(graph.tensors.size());
    for (const Index t : graph.inputs) inputs[at(t)] = entry;
    return inputs;
}

bool hasOpenInput(const Model& model)
{
    const std::vector<bool> entry = entryGraphs(model);
    for (std::size_t g = 0; g < model.subgraphs.size(); ++g) {
        const Subgraph& graph = model.subgraphs[g];
        const auto open = [&](Index t) { return !graph.tensors[at(t)].dynamicAxes.empty(); };
        if (entry[g] && std::any_of(graph.inputs.begin(), graph.inputs.end(), open)) return true;
    }
    return false;
}

/// Settles the open axes of a sub-graph: by a binding, from other extents, or not at all.
class GraphBinder {
public:
    GraphBinder(Subgraph& graph, bool entry, const Handed& handed, const LoopStates& loops, BindingTable& table)
        : graph_(graph),
          table_(table),
          handed_(handed),
          loops_(loops),
          given_(entryInputs(graph, entry)),
          taken_(entryInputs(graph, !entry)),
          written_(graph.tensors.size())
    {
        for (const OperatorInfo& op : graph.operators) {
            for (const Index t : op.outputs) {
                if (t >= 0) written_[at(t)] = true;
            }
        }
    }

    void run()
    {
        for (std::size_t t = 0; t < graph_.tensors.size(); ++t) bind(t);
        for (std::size_t i = 0; i < graph_.inputs.size(); ++i) take(graph_.tensors[at(graph_.inputs[i])], handed_.operands[i]);
        for (const OperatorInfo& op : graph_.operators) {
            if (op.call == CallKind::loop) takeStates(op);
            const bool batched = hasBatch(op);
            for (const Index t : op.outputs) {
                if (t >= 0) settle(op, graph_.tensors[at(t)], batched);
            }
        }
    }

private:
    void bind(std::size_t t)
    {
        TensorInfo& tensor = graph_.tensors[t];
        const bool kept = given_[t] || tensor.constant || tensor.variable;
        for (const Index axis : tensor.dynamicAxes) {
            std::int64_t& extent = tensor.shape[at(axis)];
            const bool made = (written_[t] || taken_[t]) && !kept;
            if (const auto bound = made ? table_.named(tensor, axis) : table_.find(tensor, axis))
                extent = *bound;
            else if (kept)
                tensor.assumed = tensor.assumed || extent >= 0;
            else
                extent = -1;
        }
    }

    /// The open extents of a tensor that has those of `operand`: the input of a sub-graph that is called, the result of a loop.
    static void take(TensorInfo& tensor, const TensorInfo* operand)
    {
        if (operand == nullptr || operand->shape.size() != tensor.shape.size()) return;
        for (const Index axis : tensor.dynamicAxes) {
            std::int64_t& extent = tensor.shape[at(axis)];
            if (extent < 0) extent = operand->shape[at(axis)];
        }
    }

    /// A loop gives back a state as it took it, however often it ran.
    void takeStates(const OperatorInfo& op)
    {
        for (std::size_t i = 0; i < std::min(op.inputs.size(), op.outputs.size()); ++i) {
            if (op.inputs[i] < 0 || op.outputs[i] < 0 || !loops_.handsOn(op, i)) continue;
            take(graph_.tensors[at(op.outputs[i])], &graph_.tensors[at(op.inputs[i])]);
        }
    }

    /// Whether the operator works on the batch: each operand with open rows has as many. There is such an operand, or a shape.
    [[nodiscard]] bool hasBatch(const OperatorInfo& op) const
    {
        const auto extent = table_.batchExtent();
        if (!extent) return false;
        bool found = takesShapeAsOperand(op);
        for (const Index t : op.inputs) {
            if (t < 0 || !hasOpenRows(graph_.tensors[at(t)])) continue;
            if (graph_.tensors[at(t)].shape.front() != *extent) return false;
            found = true;
        }
        return found;
    }

    void settle(const OperatorInfo& op, TensorInfo& tensor, bool batched)
    {
        follow(op, tensor);
        if (batched && hasOpenRows(tensor) && tensor.shape.front() < 0 && keepsRows(graph_, op, tensor)) {
            if (const auto extent = table_.useBatch()) tensor.shape.front() = *extent;
            follow(op, tensor); // the last open axis of a reshape
        }
    }

    void follow(const OperatorInfo& op, TensorInfo& tensor) const
    {
        for (const Index axis : tensor.dynamicAxes) {
            std::int64_t& extent = tensor.shape[at(axis)];
            if (extent >= 0) continue;
            if (const auto following = followingExtent(graph_, op, axis)) extent = *following;
        }
    }

    Subgraph& graph_;
    BindingTable& table_;
    const Handed& handed_;
    const LoopStates& loops_;
    std::vector<bool> given_;   ///< by tensor
    std::vector<bool> taken_;   ///< by tensor: an operand of a call
    std::vector<bool> written_; ///< by tensor: an operator makes it
};

/// Settles all sub-graphs in the order of the file. O(tensors + operands).
void settleAll(Model& model, const std::vector<bool>& entry, const LoopStates& loops, BindingTable& table)
{
    std::vector<Handed> handed = handedAtFirst(model);
    for (std::size_t g = 0; g < model.subgraphs.size(); ++g) {
        Subgraph& graph = model.subgraphs[g];
        GraphBinder(graph, entry[g], handed[g], loops, table).run();
        for (const OperatorInfo& op : graph.operators) {
            for (const Index callee : op.callees) handed[at(callee)].add(loops, graph, op);
        }
    }
}

void assumeAll(Model& model)
{
    for (Subgraph& graph : model.subgraphs) {
        for (TensorInfo& tensor : graph.tensors) {
            const auto stated = [&](Index axis) { return tensor.shape[at(axis)] >= 0; };
            tensor.assumed = std::any_of(tensor.dynamicAxes.begin(), tensor.dynamicAxes.end(), stated);
        }
    }
}

/// The tensors other than inputs of the main sub-graph that need memory and have an assumed extent: "68 tensors (…)", or nothing.
std::string otherAssumed(const Model& model)
{
    std::string listed;
    std::size_t count = 0;
    for (std::size_t g = 0; g < model.subgraphs.size(); ++g) {
        const Subgraph& graph = model.subgraphs[g];
        const std::vector<bool> touched = touchedTensors(graph), inputs = entryInputs(graph, g == 0);
        for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
            const TensorInfo& tensor = graph.tensors[t];
            if (!touched[t] || inputs[t] || !tensor.assumed || tensor.constant) continue;
            if (++count > shownTensors) continue;
            listed += (listed.empty() ? "" : ", ") + describeTensor(model, static_cast<Index>(g), static_cast<Index>(t));
        }
    }
    if (count == 0) return {};
    return std::to_string(count) + " tensors (" + listed + (count > shownTensors ? ", …)" : ")");
}

} // namespace

std::string bindingName(const TensorInfo& tensor, Index axis)
{
    return tensor.dynamicAxes.size() == 1 ? tensor.name : tensor.name + ':' + std::to_string(axis);
}

std::optional<Error> bindOpenDimensions(Model& model, const Bindings& bindings)
{
    for (const auto& [name, extent] : bindings) {
        if (extent < 1)
            return failure(Code::badBinding, "'" + name + "' is bound to " + std::to_string(extent), {model.file},
                           "Bind it to 1 or more.");
    }
    if (bindings.empty() && hasOpenInput(model)) {
        assumeAll(model);
        return std::nullopt;
    }
    const std::vector<bool> entry = entryGraphs(model);
    LoopStates loops(model);
    for (int round = 1;; ++round) {
        BindingTable table(bindings); // anew: a name counts as used only if the last round uses it
        settleAll(model, entry, loops, table);
        if (loops.drop(model, round >= maxRounds)) continue;
        const std::string* name = table.unused();
        if (!name) return std::nullopt;
        return failure(Code::unknownBinding, "no open dimension is called '" + *name + "'", {model.file}, choices(model));
    }
}

void noteAssumptions(const Model& model, const Bindings& bindings, Diagnostics& diagnostics)
{
    BindingTable table(bindings);
    const Subgraph& main = model.subgraphs.front();
    std::string assumed;
    std::size_t count = 0;
    for (const Index input : main.inputs) {
        const TensorInfo& tensor = main.tensors[static_cast<std::size_t>(input)];
        for (const Index axis : tensor.dynamicAxes) {
            const std::int64_t extent = tensor.shape[static_cast<std::size_t>(axis)];
            if (extent < 0 || table.find(tensor, axis)) continue;
            if (++count > shownNames) continue;
            assumed += (assumed.empty() ? "" : ", ") + ("axis " + std::to_string(axis) + " of '" + tensor.name) + "' as " +
                       std::to_string(extent);
        }
    }
    if (count > shownNames) assumed += ", and " + std::to_string(count - shownNames) + " more";
    if (const std::string others = otherAssumed(model); !others.empty())
        assumed += (assumed.empty() ? "open axes of " : "; open axes of another ") + others;
    if (assumed.empty()) return;
    Diagnostic note =
        failure(Code::assumedSize, "the model leaves dimensions open; taken as in the file: " + assumed, {model.file},
                "To plan for other sizes, bind them (--bind NAME=N; in the window: Program). " + choices(model));
    note.severity = Severity::note;
    diagnostics.push_back(std::move(note));
}

std::vector<FreeDimension> openDimensions(const Model& model, const Bindings& bindings)
{
    std::vector<FreeDimension> open;
    BindingTable table(bindings);
    const Subgraph& main = model.subgraphs.front();
    for (const Index input : main.inputs) {
        const TensorInfo& tensor = main.tensors[static_cast<std::size_t>(input)];
        for (const Index axis : tensor.dynamicAxes) {
            const std::int64_t extent = tensor.shape[static_cast<std::size_t>(axis)];
            if (table.find(tensor, axis)) continue;
            const std::string name = bindingName(tensor, axis);
            const auto same = [&](const FreeDimension& known) { return known.name == name; };
            if (std::none_of(open.begin(), open.end(), same)) open.push_back({name, std::max<std::int64_t>(extent, 0)});
        }
    }
    return open;
}

} // namespace stowage::tflite

#include "plugins/onnx/program_builder.h"

#include "core/ir/unique_names.h"
#include "plugins/onnx/element_types.h"
#include "plugins/onnx/graph_check.h"
#include "plugins/onnx/op_traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace stowage::onnxfile {

namespace {

/// Takes `name`, or, where that is taken, the name with the prefix in front of it, or with a number after that. Names of tensors
/// and of ops are unique in a function, which ONNX does not ask for.
std::string takeName(UniqueNames& names, const std::string& name, const std::string& prefix)
{
    return names.insert(name) ? name : names.take(prefix + name);
}

/// A graph that is being added.
struct Frame {
    const onnx::GraphProto& graph;
    Scope scope;
    const Frame* outer = nullptr;
    GraphPath path;
    RegionId region = 0;
    std::string prefix; ///< for names that are taken: "loop/"
    std::map<std::string, TensorId, std::less<>> names;

    [[nodiscard]] TensorId find(std::string_view name) const
    {
        for (const Frame* frame = this; frame; frame = frame->outer)
            if (const auto found = frame->names.find(name); found != frame->names.end()) return found->second;
        return none;
    }
    [[nodiscard]] const Value& value(const std::string& name) const
    {
        static const Value unknown;
        const Value* found = scope.find(name);
        return found ? *found : unknown;
    }
};

class Builder {
public:
    Builder(const Model& model, const GraphFacts& facts, const BuildOptions& options)
        : model_(model), facts_(facts), options_(options)
    {
    }

    Expected<Built> run()
    {
        const auto& graph = model_.proto.graph();
        built_.program.name = graph.name();
        function().name = "main";
        function().regions.emplace_back();
        Frame frame{graph, Scope{&facts_, nullptr}, nullptr, {}, 0, {}, {}};
        function().regions[0].inputs = addInputs(frame);
        addConstants(frame);
        addNodes(frame);
        if (error_) return *error_;
        function().regions[0].outputs = outputsOf(frame);
        for (const TensorId output : function().regions[0].outputs) {
            Tensor& tensor = function().tensors[at(output)];
            if (tensor.kind == TensorKind::intermediate && tensor.available == Availability::unknown)
                tensor.kind = TensorKind::output;
            if (tensor.kind == TensorKind::output && !options_.planIo) tensor.planned = false;
        }
        return std::move(built_);
    }

private:
    Function& function()
    {
        if (built_.program.functions.empty()) built_.program.functions.emplace_back();
        return built_.program.functions.front();
    }
    Op& op(OpId id) { return function().ops[at(id)]; }

    void fail(Code code, std::string message, const Position& where, std::string remedy)
    {
        if (!error_) error_ = failure(code, std::move(message), where, std::move(remedy));
    }

    Tensor tensorFor(const std::string& name, const Value& value, const Position& where, const Frame& frame)
    {
        Tensor tensor;
        tensor.name = takeName(tensorNames_, name, frame.prefix);
        auto size = sizeOf(value.type);
        tensor.dtype = std::move(size.dtype);
        tensor.shape = std::move(size.shape);
        tensor.bytes = size.bytes;
        tensor.region = frame.region;
        tensor.where = where;
        if (size.tooLarge)
            fail(Code::sizeOverflow,
                 fmt::format("'{}' of {} [{}] has more than 2^62 bytes", name, tensor.dtype, fmt::join(tensor.shape, ", ")),
                 tensor.where, "the file is damaged, or a dimension was bound to a size that cannot be meant");
        return tensor;
    }

    TensorId add(Tensor tensor, const std::string& name, Frame& frame)
    {
        const auto id = static_cast<TensorId>(function().tensors.size());
        if (!tensor.bytes && tensor.kind != TensorKind::constant && tensor.available == Availability::unknown)
            built_.unknownSizes.push_back(tensor.name);
        function().tensors.push_back(std::move(tensor));
        frame.names.emplace(name, id);
        return id;
    }

    std::vector<TensorId> addInputs(Frame& frame)
    {
        std::set<std::string_view> initialized;
        for (const auto& tensor : frame.graph.initializer()) initialized.insert(tensor.name());
        for (const auto& tensor : frame.graph.sparse_initializer()) initialized.insert(tensor.values().name());
        std::vector<TensorId> inputs;
        for (const auto& input : frame.graph.input()) {
            if (initialized.count(input.name()) > 0) continue;
            Tensor tensor = tensorFor(input.name(), frame.value(input.name()), positionOf(model_, input), frame);
            if (!frame.outer) {
                tensor.kind = TensorKind::input;
                tensor.planned = options_.planIo;
            }
            inputs.push_back(add(std::move(tensor), input.name(), frame));
        }
        return inputs;
    }

    void addConstants(Frame& frame)
    {
        const auto addConstant = [&](const std::string& name, const Position& where) {
            if (frame.names.count(name) > 0) return; // listed twice
            Tensor tensor = tensorFor(name, frame.value(name), where, frame);
            tensor.kind = TensorKind::constant;
            tensor.available = Availability::compileTime;
            add(std::move(tensor), name, frame);
        };
        for (const auto& tensor : frame.graph.initializer()) addConstant(tensor.name(), positionOf(model_, tensor));
        for (const auto& tensor : frame.graph.sparse_initializer())
            addConstant(tensor.values().name(), positionOf(model_, tensor.values()));
    }

    void addNodes(Frame& frame)
    {
        for (int i = 0; i < frame.graph.node_size() && !error_; ++i) addNode(frame.graph.node(i), i, frame);
    }

    std::vector<TensorId> outputsOf(const Frame& frame)
    {
        std::vector<TensorId> outputs;
        for (const auto& output : frame.graph.output()) outputs.push_back(frame.find(output.name()));
        return outputs;
    }

    void addNode(const onnx::NodeProto& node, int index, Frame& frame)
    {
        const auto id = static_cast<OpId>(function().ops.size());
        Op& added = function().ops.emplace_back();
        added.kind = node.domain().empty() ? node.op_type() : node.domain() + ":" + node.op_type();
        const std::string plain = node.name().empty() ? fmt::format("{}_{}", node.op_type(), index) : node.name();
        added.name = takeName(opNames_, plain, frame.prefix);
        added.parent = frame.region;
        added.where = positionOf(model_, node);
        function().regions[at(frame.region)].ops.push_back(id);
        const bool folded = frame.scope.facts->folded[static_cast<std::size_t>(index)];
        for (const auto& input : node.input())
            if (!input.empty() && (!folded || frame.value(input).constant)) added.inputs.push_back(frame.find(input));
        addOutputs(node, folded, id, frame);
        if (folded) return;
        const auto control = controlOf(node, model_.versionOf(node));
        if (options_.subgraphs != Subgraphs::nested || control == ControlKind::none) addCaptured(node, id, frame);
        if (options_.subgraphs == Subgraphs::nested) {
            switch (control) {
            case ControlKind::branch: addBranch(node, index, id, frame); break;
            case ControlKind::loop: addLoop(node, index, id, frame); break;
            case ControlKind::scan: addScan(node, index, id, frame); break;
            case ControlKind::none: break;
            }
        } else if (options_.subgraphs == Subgraphs::flat && control != ControlKind::none) {
            addFlat(node, index, id, control, frame);
        }
        markOverwritable(node, id);
    }

    void addOutputs(const onnx::NodeProto& node, bool folded, OpId id, Frame& frame)
    {
        for (const auto& output : node.output()) {
            if (output.empty()) continue;
            Tensor tensor = tensorFor(output, frame.value(output), op(id).where, frame);
            if (folded) {
                tensor.available = Availability::compileTime;
                tensor.planned = false;
            }
            const TensorId added = add(std::move(tensor), output, frame);
            op(id).outputs.push_back(added);
        }
    }

    /// A graph that is not a region of its node is still read from: whatever it needs of the graph around is an input of the
    /// node.
    void addCaptured(const onnx::NodeProto& node, OpId id, const Frame& frame)
    {
        auto& inputs = op(id).inputs;
        std::set<TensorId> listed(inputs.begin(), inputs.end());
        forEachBody(node, [&](const std::string&, const onnx::GraphProto& graph) {
            for (const auto& name : capturedNames(graph))
                if (const TensorId captured = frame.find(name); listed.insert(captured).second) inputs.push_back(captured);
        });
    }

    void markOverwritable(const onnx::NodeProto& node, OpId id)
    {
        const int count = overwritableInputs(node);
        Op& each = op(id);
        if (count == 0 || each.outputs.empty() || each.control != Control::leaf) return;
        const Tensor& output = function().tensors[at(each.outputs.front())];
        for (int i = 0; i < count && i < node.input_size() && i < static_cast<int>(each.inputs.size()); ++i) {
            const TensorId input = each.inputs[static_cast<std::size_t>(i)];
            const Tensor& tensor = function().tensors[at(input)];
            if (tensor.kind != TensorKind::constant && tensor.available == Availability::unknown && output.bytes &&
                tensor.bytes == output.bytes)
                each.inPlace.push_back({input, each.outputs.front()});
        }
    }

    // --- control flow ----------------------------------------------------------------------------------------------------------

    /// The frame of a graph that a node holds; null, with an error, when it holds none of that name.
    std::unique_ptr<Frame> frameFor(const onnx::NodeProto& node, int index, OpId id, const char* attribute, RegionId region,
                                    Frame& outer)
    {
        const auto* graph = bodyOf(node, attribute);
        if (!graph) {
            mismatch(node, index, id, outer, fmt::format("has no '{}'", attribute));
            return nullptr;
        }
        return std::make_unique<Frame>(Frame{*graph,
                                             Scope{outer.scope.facts->bodies.at(graph).get(), &outer.scope},
                                             &outer,
                                             GraphPath{&outer.path, &node, index, attribute},
                                             region,
                                             fmt::format("{}/{}/", op(id).name, attribute),
                                             {}});
    }

    /// A graph as a region of its op, with all that is inside it. The region's lists are left to the caller.
    std::unique_ptr<Frame> addRegion(const onnx::NodeProto& node, int index, OpId id, const char* attribute, RegionRole role,
                                     Frame& outer, std::vector<TensorId>& inputs)
    {
        const auto region = static_cast<RegionId>(function().regions.size());
        auto frame = frameFor(node, index, id, attribute, region, outer);
        if (!frame) return nullptr;
        auto& added = function().regions.emplace_back();
        added.role = role;
        added.owner = id;
        op(id).regions.push_back(region);
        inputs = addInputs(*frame);
        addConstants(*frame);
        addNodes(*frame);
        return frame;
    }

    /// The graphs of an op in their order, after the op itself. What goes in and out of the op is held until the last of them is
    /// left.
    void addFlat(const onnx::NodeProto& node, int index, OpId id, ControlKind control, Frame& frame)
    {
        const std::vector<const char*> attributes =
            control == ControlKind::branch ? std::vector{"then_branch", "else_branch"} : std::vector{"body"};
        for (const char* attribute : attributes) {
            const auto inner = frameFor(node, index, id, attribute, frame.region, frame);
            if (!inner) return;
            const auto inputs = addInputs(*inner);
            addConstants(*inner);
            const OpId enter = addMarker("enter", id, *inner);
            op(enter).inputs = op(id).inputs;
            op(enter).outputs = inputs;
            addNodes(*inner);
            if (error_) return;
            const OpId leave = addMarker("leave", id, *inner);
            op(leave).inputs = outputsOf(*inner);
            if (attribute != attributes.back()) continue;
            for (const auto* list : {&op(id).inputs, &op(id).outputs})
                op(leave).inputs.insert(op(leave).inputs.end(), list->begin(), list->end());
        }
    }

    /// An op that is not in the file: where a graph is entered or left.
    OpId addMarker(const char* kind, OpId caller, const Frame& inner)
    {
        const auto id = static_cast<OpId>(function().ops.size());
        Op marker;
        marker.kind = kind;
        marker.name = opNames_.take(inner.prefix + kind);
        marker.parent = inner.region;
        marker.where = op(caller).where;
        function().ops.push_back(std::move(marker));
        function().regions[at(inner.region)].ops.push_back(id);
        return id;
    }

    void mismatch(const onnx::NodeProto& node, int index, OpId id, const Frame& frame, const std::string& what)
    {
        fail(Code::wrongArity, fmt::format("{} {}", describe(node, index, frame.path), what), op(id).where,
             "the file is damaged; export the model again");
    }

    /// The results of a node that are used, with the position that each has among all.
    std::vector<std::pair<TensorId, std::size_t>> resultsOf(const onnx::NodeProto& node, const Frame& frame) const
    {
        std::vector<std::pair<TensorId, std::size_t>> results;
        for (int i = 0; i < node.output_size(); ++i)
            if (!node.output(i).empty()) results.emplace_back(frame.find(node.output(i)), static_cast<std::size_t>(i));
        return results;
    }

    void addBranch(const onnx::NodeProto& node, int index, OpId id, Frame& frame)
    {
        op(id).control = Control::branch;
        if (node.input(0).empty()) return mismatch(node, index, id, frame, "has no condition");
        for (const char* attribute : {"then_branch", "else_branch"}) {
            std::vector<TensorId> inputs;
            const auto branch = addRegion(node, index, id, attribute, RegionRole::branch, frame, inputs);
            if (!branch || error_) return;
            const auto outputs = outputsOf(*branch);
            if (!inputs.empty() || outputs.size() < static_cast<std::size_t>(node.output_size()))
                return mismatch(node, index, id, frame,
                                fmt::format("has {} outputs, but its {} gives {} and takes {} inputs", node.output_size(),
                                            attribute, outputs.size(), inputs.size()));
            for (const auto& [result, position] : resultsOf(node, frame))
                function().regions[at(branch->region)].outputs.push_back(outputs[position]);
        }
    }

    /// Node: trip count, condition, states. Body: iteration, condition, states -> condition, states, slices of results.
    void addLoop(const onnx::NodeProto& node, int index, OpId id, Frame& frame)
    {
        op(id).control = Control::loop;
        std::vector<TensorId> inner;
        const auto body = addRegion(node, index, id, "body", RegionRole::body, frame, inner);
        if (!body || error_) return;
        const auto states = static_cast<std::size_t>(node.input_size()) - 2;
        const auto made = outputsOf(*body);
        if (inner.size() != states + 2 || made.size() < 1 + std::max(states, static_cast<std::size_t>(node.output_size())))
            return mismatch(node, index, id, frame,
                            fmt::format("has {} inputs and {} outputs, but its body takes {} and gives {}", node.input_size(),
                                        node.output_size(), inner.size(), made.size()));
        op(id).tripCount = tripCount(node, *body, frame);
        Region& region = function().regions[at(body->region)];
        op(id).inputs.clear();
        const auto match = [&](const std::string& outer, TensorId innerId) {
            op(id).inputs.push_back(frame.find(outer));
            region.inputs.push_back(innerId);
        };
        for (std::size_t i = 0; i < states; ++i) {
            const auto& state = node.input(static_cast<int>(i) + 2);
            if (state.empty()) return mismatch(node, index, id, frame, fmt::format("leaves out its state {}", i));
            match(state, inner[i + 2]);
            op(id).carries.push_back({made[i + 1], inner[i + 2]});
        }
        // The trip count is read before each iteration: the body has it as a value that nothing changes.
        if (!node.input(0).empty()) match(node.input(0), addTripCount(node.input(0), id, *body));
        if (!node.input(1).empty()) match(node.input(1), inner[1]);
        op(id).carries.push_back({made[0], inner[1]});
        // What the loop itself makes has no counterpart outside and comes last.
        if (node.input(1).empty()) region.inputs.push_back(inner[1]);
        region.inputs.push_back(inner[0]);
        addResults(node, id, {made.begin() + 1, made.end()}, states, *body, frame);
        region.outputs.push_back(made[0]);
    }

    TensorId addTripCount(const std::string& outerName, OpId id, Frame& body)
    {
        Tensor tensor = tensorFor(op(id).name + "/trip_count", body.value(outerName), op(id).where, body);
        const std::string name = tensor.name;
        return add(std::move(tensor), name, body);
    }

    /// Node: states, sequences. Body: states, elements of the sequences -> states, elements of results.
    void addScan(const onnx::NodeProto& node, int index, OpId id, Frame& frame)
    {
        op(id).control = Control::loop;
        std::vector<TensorId> inner;
        const auto body = addRegion(node, index, id, "body", RegionRole::body, frame, inner);
        if (!body || error_) return;
        std::int64_t sequences = 0;
        for (const auto& attribute : node.attribute())
            if (attribute.name() == "num_scan_inputs") sequences = attribute.i();
        const std::int64_t states = node.input_size() - sequences;
        const auto made = outputsOf(*body);
        const bool fits = sequences >= 1 && states >= 0 && inner.size() == static_cast<std::size_t>(node.input_size()) &&
                          made.size() >= static_cast<std::size_t>(std::max<std::int64_t>(states, node.output_size())) &&
                          op(id).inputs.size() == inner.size();
        if (!fits)
            return mismatch(node, index, id, frame,
                            fmt::format("has {} inputs, {} of them sequences, and {} outputs, but its body takes {} and gives {}",
                                        node.input_size(), sequences, node.output_size(), inner.size(), made.size()));
        op(id).tripCount = scanLength(node, states, frame);
        function().regions[at(body->region)].inputs = inner;
        for (std::size_t i = 0; i < static_cast<std::size_t>(states); ++i) op(id).carries.push_back({made[i], inner[i]});
        addResults(node, id, made, static_cast<std::size_t>(states), *body, frame);
    }

    /// Outputs of the body at the positions of the op's; after them the states that no result is taken of, as carries name them.
    void addResults(const onnx::NodeProto& node, OpId id, const std::vector<TensorId>& made, std::size_t states,
                    const Frame& body, const Frame& frame)
    {
        auto& outputs = function().regions[at(body.region)].outputs;
        std::vector<bool> used(made.size(), false);
        op(id).outputs.clear();
        for (const auto& [result, position] : resultsOf(node, frame)) {
            op(id).outputs.push_back(result);
            outputs.push_back(made[position]);
            used[position] = true;
        }
        for (std::size_t i = 0; i < states; ++i)
            if (!used[i]) outputs.push_back(made[i]);
    }

    /// Iterations of a Loop: its trip count is a known constant, and its condition never ends it early.
    std::optional<std::int64_t> tripCount(const onnx::NodeProto& node, const Frame& body, const Frame& frame) const
    {
        const auto known = [](const Value& value) -> std::optional<std::int64_t> {
            if (!value.contents || value.contents->literal.integers.size() != 1) return std::nullopt;
            return value.contents->literal.integers[0];
        };
        const auto count = node.input(0).empty() ? std::nullopt : known(frame.value(node.input(0)));
        if (!count) return std::nullopt;
        if (!node.input(1).empty()) {
            const auto first = known(frame.value(node.input(1)));
            if (!first) return std::nullopt;
            if (*first == 0) return 0;
            const auto& inside = body.graph.input(1).name();
            const std::string* next = &body.graph.output(0).name();
            for (int i = body.graph.node_size() - 1; i >= 0 && *next != inside; --i) {
                const auto& maker = body.graph.node(i);
                if (maker.op_type() == "Identity" && maker.domain().empty() && maker.input_size() == 1 &&
                    maker.output_size() == 1 && maker.output(0) == *next)
                    next = &maker.input(0);
            }
            if (*next != inside && known(body.value(*next)).value_or(0) == 0) return std::nullopt;
        }
        return std::max<std::int64_t>(0, *count);
    }

    /// Elements of a Scan's first sequence, which all sequences have in common.
    std::optional<std::int64_t> scanLength(const onnx::NodeProto& node, std::int64_t states, const Frame& frame) const
    {
        std::int64_t axis = 0;
        for (const auto& attribute : node.attribute())
            if (attribute.name() == "scan_input_axes" && attribute.ints_size() > 0) axis = attribute.ints(0);
        const auto size = sizeOf(frame.value(node.input(static_cast<int>(states))).type);
        const auto rank = static_cast<std::int64_t>(size.shape.size());
        if (axis < 0) axis += rank;
        if (axis < 0 || axis >= rank || size.shape[static_cast<std::size_t>(axis)] < 0) return std::nullopt;
        return size.shape[static_cast<std::size_t>(axis)];
    }

    const Model& model_;
    const GraphFacts& facts_;
    BuildOptions options_;
    Built built_;
    UniqueNames tensorNames_;
    UniqueNames opNames_;
    std::optional<Error> error_;
};

} // namespace

Expected<Built> buildProgram(const Model& model, const GraphFacts& facts, const BuildOptions& options)
{
    return Builder(model, facts, options).run();
}

} // namespace stowage::onnxfile

#include "plugins/onnx/inference.h"

#include "plugins/onnx/contrib_rules.h"
#include "plugins/onnx/evaluate.h"
#include "plugins/onnx/newer_rules.h"
#include "plugins/onnx/rule_guard.h"

#include <fmt/format.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <array>
#include <exception>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

namespace stowage::onnxfile {

namespace {

using InputTypes = std::vector<const onnx::TypeProto*>;

/// More complaints than this about one file help nobody.
constexpr std::size_t maxReported = 10;

/// Some exporters write -1 for a dimension that is not known; as a size it means nothing.
void clearNegative(onnx::TypeProto& type)
{
    if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return;
    for (auto& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim())
        if (dim.has_dim_value() && dim.dim_value() < 0) dim.clear_dim_value();
}

bool isSet(const onnx::TypeProto& type)
{
    return type.value_case() != onnx::TypeProto::VALUE_NOT_SET;
}

/// Gives another value in every run, although it may have no input that changes.
bool isRandom(const onnx::NodeProto& node)
{
    static constexpr std::array<std::string_view, 6> kinds = {"RandomNormal",      "RandomUniform", "RandomNormalLike",
                                                              "RandomUniformLike", "Multinomial",   "Bernoulli"};
    const bool trains = node.op_type() == "Dropout" && node.input_size() > 2;
    return trains || std::find(kinds.begin(), kinds.end(), node.op_type()) != kinds.end();
}

/// Domains whose operators compute nothing but their outputs.
bool isPureDomain(const std::string& domain)
{
    return domain.empty() || domain == "ai.onnx.ml" || domain == "com.microsoft";
}

/// Operators whose shape argument is empty when it describes a scalar, or whose list of axes may be empty.
bool mayBeEmpty(std::string_view kind)
{
    return kind == "Reshape" || kind == "Expand" || kind == "ConstantOfShape" || kind.starts_with("Reduce");
}

/// Why the rule of an operator of version `opset` may be missing or wrong.
std::string beyondRules(int opset)
{
    return fmt::format("version {} of its operator set is newer than the shape rules, which end at version {}", opset,
                       latestOpset);
}

onnx::TypeProto typeOf(const onnx::TensorProto& tensor)
{
    onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(tensor.data_type());
    auto& shape = *type.mutable_tensor_type()->mutable_shape();
    for (const auto dim : tensor.dims()) shape.add_dim()->set_dim_value(dim);
    return type;
}

onnx::TypeProto typeOf(const onnx::SparseTensorProto& tensor)
{
    onnx::TypeProto type;
    type.mutable_sparse_tensor_type()->set_elem_type(tensor.values().data_type());
    auto& shape = *type.mutable_sparse_tensor_type()->mutable_shape();
    for (const auto dim : tensor.dims()) shape.add_dim()->set_dim_value(dim);
    return type;
}

std::shared_ptr<const Contents> contentsOf(std::optional<Literal> literal)
{
    if (!literal) return nullptr;
    auto tensor = toTensor(*literal);
    return std::make_shared<const Contents>(Contents{std::move(*literal), std::move(tensor)});
}

class Inference {
public:
    Inference(const Model& model, Shapes shapes, Diagnostics& diagnostics)
        : model_(model), shapes_(shapes), diagnostics_(diagnostics)
    {
        onnx::shape_inference::TraverseGraphsToAddExistingSymbols(model.proto.graph(), symbols_);
    }

    /// Fills `facts`. Returns why the given input types, or the declared output types, cannot be; empty when they can.
    std::string run(const onnx::GraphProto& graph, GraphFacts& facts, const Scope* outer, const GraphPath& path,
                    const InputTypes& inputs = {});
    [[nodiscard]] std::vector<const onnx::TypeProto*> bodyOutputs(const onnx::GraphProto& graph, const GraphFacts& facts,
                                                                  const Scope* outer);
    void reportRest();

private:
    friend class NodeContext;

    std::string declare(const onnx::GraphProto& graph, GraphFacts& facts, const InputTypes& inputs);
    void process(const onnx::NodeProto& node, int index, GraphFacts& facts, const Scope& scope, const GraphPath& path);
    /// Returns false if the operator has no rule.
    bool inferTypes(const onnx::NodeProto& node, class NodeContext& context);
    /// The version of the default domain that `node` belongs to, if it is above `latestOpset`; else 0.
    [[nodiscard]] int newerOpset(const onnx::NodeProto& node) const;
    void compute(const onnx::NodeProto& node, GraphFacts& facts, const Scope& scope, bool& folded);
    void chooseBranch(const onnx::NodeProto& node, GraphFacts& facts, const Scope& scope);
    /// Adds what was inferred to what is known already. Returns how the two contradict each other; empty when they do not.
    std::string update(Value& value, onnx::TypeProto inferred);
    void report(const onnx::NodeProto& node, int index, const GraphPath& path, const std::string& what);
    [[nodiscard]] bool isFolded(const onnx::NodeProto& node, const Scope& scope) const;

    const Model& model_;
    Shapes shapes_;
    Diagnostics& diagnostics_;
    onnx::shape_inference::SymbolTableImpl symbols_;
    std::set<const onnx::NodeProto*> reported_;
};

/// Runs a nested graph when a rule asks for it.
class BodyInferencer final : public onnx::GraphInferencer {
public:
    BodyInferencer(Inference& inference, const onnx::GraphProto& graph, GraphFacts& facts, const Scope& scope, GraphPath path)
        : inference_(inference), graph_(graph), facts_(facts), scope_(scope), path_(path)
    {
    }

    std::vector<const onnx::TypeProto*> doInferencing(const InputTypes& inputs,
                                                      const std::vector<const onnx::TensorProto*>&) override
    {
        // Initializers of a body may be listed among its inputs; those that are fed come first.
        if (inputs.size() > static_cast<std::size_t>(graph_.input_size()))
            fail_shape_inference("a graph with ", graph_.input_size(), " inputs is given ", inputs.size());
        const std::string conflict = inference_.run(graph_, facts_, &scope_, path_, inputs);
        if (!conflict.empty()) fail_shape_inference(conflict);
        return inference_.bodyOutputs(graph_, facts_, &scope_);
    }

private:
    Inference& inference_;
    const onnx::GraphProto& graph_;
    GraphFacts& facts_;
    const Scope& scope_;
    GraphPath path_;
};

/// What a rule sees of a node.
class NodeContext final : public onnx::InferenceContext {
public:
    NodeContext(Inference& inference, const onnx::NodeProto& node, int index, GraphFacts& facts, const Scope& scope,
                const GraphPath& path)
        : inference_(inference),
          node_(node),
          facts_(facts),
          scope_(scope),
          path_(path),
          index_(index),
          outputs_(static_cast<std::size_t>(node.output_size()))
    {
        for (const auto& input : node.input()) inputs_.push_back(input.empty() ? nullptr : scope.find(input));
    }

    [[nodiscard]] const onnx::AttributeProto* getAttribute(const std::string& name) const override
    {
        for (const auto& attribute : node_.attribute())
            if (attribute.name() == name) return &attribute;
        return nullptr;
    }
    [[nodiscard]] size_t getNumInputs() const override { return inputs_.size(); }
    [[nodiscard]] const onnx::TypeProto* getInputType(size_t index) const override
    {
        // Rules take a null for an input that is left out, and follow it where that is not allowed.
        static const onnx::TypeProto unknown;
        const Value* value = input(index);
        if (node_.input(static_cast<int>(index)).empty()) return nullptr;
        return value ? &value->type : &unknown;
    }
    [[nodiscard]] const onnx::TensorProto* getInputData(size_t index) const override
    {
        const Value* value = input(index);
        if (!value || !value->contents) return nullptr;
        // Most rules take the first element without asking whether there is one.
        if (value->contents->literal.size() == 0 && !mayBeEmpty(node_.op_type())) return nullptr;
        // The library's own driver shows a body no constants of the graphs around it.
        if (inference_.shapes_ == Shapes::inferred && facts_.values.count(node_.input(static_cast<int>(index))) == 0)
            return nullptr;
        return &value->contents->tensor;
    }
    [[nodiscard]] size_t getNumOutputs() const override { return outputs_.size(); }
    onnx::TypeProto* getOutputType(size_t index) override
    {
        if (index >= outputs_.size()) fail_type_inference("output ", index, " is out of bounds");
        return &outputs_[index];
    }
    onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override
    {
        const auto* attribute = getAttribute(name);
        if (!attribute || !attribute->has_g()) fail_type_inference("attribute ", name, " does not hold a graph");
        auto& inferencer = bodies_[name];
        if (!inferencer) {
            auto& facts = facts_.bodies[&attribute->g()];
            facts = std::make_unique<GraphFacts>();
            inferencer = std::make_unique<BodyInferencer>(inference_, attribute->g(), *facts, scope_,
                                                          GraphPath{&path_, &node_, index_, attribute->name()});
        }
        return inferencer.get();
    }
    [[nodiscard]] const onnx::SparseTensorProto* getInputSparseData(size_t) const override { return nullptr; }
    [[nodiscard]] const onnx::TensorShapeProto* getSymbolicInput(size_t) const override { return nullptr; }

    onnx::TypeProto& output(int index) { return outputs_[static_cast<std::size_t>(index)]; }

private:
    [[nodiscard]] const Value* input(size_t index) const
    {
        if (index >= inputs_.size()) fail_type_inference("input ", index, " is out of bounds");
        return inputs_[index];
    }

    Inference& inference_;
    const onnx::NodeProto& node_;
    GraphFacts& facts_;
    const Scope& scope_;
    const GraphPath& path_;
    int index_;
    std::vector<const Value*> inputs_;
    std::vector<onnx::TypeProto> outputs_;
    std::map<std::string, std::unique_ptr<BodyInferencer>> bodies_; ///< by attribute
};

std::string Inference::declare(const onnx::GraphProto& graph, GraphFacts& facts, const InputTypes& inputs)
{
    std::string conflict;
    for (int i = 0; i < graph.input_size(); ++i) {
        Value& value = facts.values[graph.input(i).name()];
        value.type = graph.input(i).type();
        clearNegative(value.type);
        if (static_cast<std::size_t>(i) >= inputs.size() || !inputs[static_cast<std::size_t>(i)]) continue;
        if (auto problem = update(value, *inputs[static_cast<std::size_t>(i)]); !problem.empty()) conflict = std::move(problem);
    }
    for (const auto& tensor : graph.initializer()) {
        Value& value = facts.values[tensor.name()];
        if (!staticShape(value.type)) value.type = typeOf(tensor);
        value.constant = true;
        value.contents = contentsOf(literalOf(tensor));
    }
    for (const auto& tensor : graph.sparse_initializer()) {
        Value& value = facts.values[tensor.values().name()];
        if (!isSet(value.type)) value.type = typeOf(tensor);
        value.constant = true;
    }
    for (const auto& node : graph.node())
        for (const auto& output : node.output())
            if (!output.empty()) facts.values.try_emplace(output);
    // Names of outer graphs may be listed too; what those are is known there.
    const auto declared = [&](const onnx::ValueInfoProto& info) {
        const auto found = facts.values.find(info.name());
        if (found == facts.values.end()) return;
        if (auto problem = update(found->second, info.type()); !problem.empty()) conflict = std::move(problem);
    };
    for (const auto& info : graph.value_info()) declared(info);
    for (const auto& output : graph.output()) declared(output);
    return conflict;
}

std::string Inference::run(const onnx::GraphProto& graph, GraphFacts& facts, const Scope* outer, const GraphPath& path,
                           const InputTypes& inputs)
{
    facts = {};
    auto conflict = declare(graph, facts, inputs);
    facts.folded.assign(static_cast<std::size_t>(graph.node_size()), false);
    const Scope scope{&facts, outer};
    for (int i = 0; i < graph.node_size(); ++i) process(graph.node(i), i, facts, scope, path);
    facts.complete = true;
    return conflict;
}

std::vector<const onnx::TypeProto*> Inference::bodyOutputs(const onnx::GraphProto& graph, const GraphFacts& facts,
                                                           const Scope* outer)
{
    const Scope scope{&facts, outer};
    std::vector<const onnx::TypeProto*> types;
    for (const auto& output : graph.output()) {
        const Value* value = scope.find(output.name());
        types.push_back(value ? &value->type : &output.type());
    }
    return types;
}

bool Inference::isFolded(const onnx::NodeProto& node, const Scope& scope) const
{
    if (hasBodies(node) || isRandom(node) || !isPureDomain(node.domain())) return false;
    bool any = node.op_type() == "Constant" && node.domain().empty();
    for (const auto& input : node.input()) {
        if (input.empty()) continue;
        const Value* value = scope.find(input);
        if (!value || !value->constant) return false;
        any = true;
    }
    return any;
}

void Inference::process(const onnx::NodeProto& node, int index, GraphFacts& facts, const Scope& scope, const GraphPath& path)
{
    NodeContext context(*this, node, index, facts, scope, path);
    bool hasRule = true;
    try {
        hasRule = inferTypes(node, context);
    } catch (const std::exception& error) {
        report(node, index, path, error.what());
    }
    // Bodies that no rule asked for, or that one gave up before it went through them, still have ops and tensors of their own.
    forEachBody(node, [&](const std::string& attribute, const onnx::GraphProto& graph) {
        auto& body = facts.bodies[&graph];
        if (body && body->complete) return;
        body = std::make_unique<GraphFacts>();
        run(graph, *body, &scope, GraphPath{&path, &node, index, attribute});
    });
    bool folded = isFolded(node, scope);
    for (int i = 0; i < node.output_size(); ++i) {
        if (node.output(i).empty()) continue;
        const auto conflict = update(facts.values[node.output(i)], context.output(i));
        if (!conflict.empty()) report(node, index, path, conflict);
    }
    if (node.op_type() == "Constant" && node.domain().empty() && node.output_size() == 1 && !node.output(0).empty())
        facts.values[node.output(0)].contents = contentsOf(literalOf(node));
    if (shapes_ == Shapes::computed) {
        compute(node, facts, scope, folded);
        chooseBranch(node, facts, scope);
    }
    // The file may declare the shapes all the same.
    const int newer = hasRule ? 0 : newerOpset(node);
    if (newer > 0 && std::any_of(node.output().begin(), node.output().end(), [&](const std::string& output) {
            return !output.empty() && !onnx::hasShape(facts.values[output].type);
        }))
        report(node, index, path, beyondRules(newer));
    for (const auto& output : node.output())
        if (!output.empty()) facts.values[output].constant = folded;
    facts.folded[static_cast<std::size_t>(index)] = folded;
}

int Inference::newerOpset(const onnx::NodeProto& node) const
{
    const int version = node.domain().empty() ? model_.versionOf(node) : 0;
    return version > latestOpset ? version : 0;
}

bool Inference::inferTypes(const onnx::NodeProto& node, NodeContext& context)
{
    const int newer = newerOpset(node);
    if (newer > 0 && inferNewer(node.op_type(), newer, context)) return true;
    const auto* registry = onnx::OpSchemaRegistry::Instance();
    const onnx::OpSchema* schema = nullptr;
    if (const auto standard = standardCounterpart(node); !standard.empty()) {
        const auto imported = model_.opsetsOf(node).find("");
        const int version = imported == model_.opsetsOf(node).end() ? latestOpset : imported->second;
        schema = registry->GetSchema(std::string(standard), version);
    } else if (const int version = model_.versionOf(node); version > 0) {
        schema = registry->GetSchema(node.op_type(), version, node.domain());
    }
    if (!schema) return inferContrib(node, context, shapes_);
    try {
        if (!mayInfer(*schema, node, context))
            fail_type_inference("its inputs, outputs or attributes are not as the operator wants them");
        if (schema->has_type_and_shape_inference_function()) {
            schema->GetTypeAndShapeInferenceFunction()(context);
        } else if (schema->HasFunction()) {
            std::unordered_map<std::string, onnx::TensorShapeProto> generated;
            onnx::shape_inference::InferShapeForFunctionNode(*schema->GetFunction(), registry, context, {}, {}, &symbols_,
                                                             &generated);
        }
    } catch (const std::exception& error) {
        if (newer == 0) throw;
        throw std::runtime_error(fmt::format("{}; {}", error.what(), beyondRules(newer)));
    }
    return true;
}

std::string Inference::update(Value& value, onnx::TypeProto inferred)
{
    if (!isSet(inferred)) return {};
    clearNegative(inferred);
    try {
        onnx::shape_inference::MaterializeSymbolicShape(&inferred, symbols_);
        onnx::shape_inference::mergeShapesAndTypes(inferred, &value.type);
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

void Inference::compute(const onnx::NodeProto& node, GraphFacts& facts, const Scope& scope, bool& folded)
{
    if (node.output_size() != 1 || node.output(0).empty() || isRandom(node)) return;
    std::vector<Operand> operands;
    for (const auto& input : node.input()) {
        Operand& operand = operands.emplace_back();
        const Value* value = input.empty() ? nullptr : scope.find(input);
        if (!value) continue;
        operand.type = &value->type;
        if (value->contents) operand.contents = &value->contents->literal;
    }
    auto literal = evaluate(node, model_.versionOf(node), operands);
    if (!literal) return;
    Value& value = facts.values[node.output(0)];
    value.contents = contentsOf(std::move(literal));
    value.type = typeOf(value.contents->tensor);
    folded = true;
}

void Inference::chooseBranch(const onnx::NodeProto& node, GraphFacts& facts, const Scope& scope)
{
    if (node.op_type() != "If" || !node.domain().empty() || node.input_size() != 1) return;
    const Value* condition = scope.find(node.input(0));
    if (!condition || !condition->contents || condition->contents->literal.integers.size() != 1) return;
    const bool taken = condition->contents->literal.integers[0] != 0;
    forEachBody(node, [&](const std::string& attribute, const onnx::GraphProto& body) {
        if (attribute != (taken ? "then_branch" : "else_branch") || body.output_size() != node.output_size()) return;
        const Scope inner{facts.bodies[&body].get(), &scope};
        for (int i = 0; i < node.output_size(); ++i) {
            const Value* value = inner.find(body.output(i).name());
            if (node.output(i).empty() || !value || !isSet(value->type)) continue;
            Value& output = facts.values[node.output(i)];
            output.type = value->type;
            output.contents = value->contents;
        }
    });
}

void Inference::report(const onnx::NodeProto& node, int index, const GraphPath& path, const std::string& what)
{
    if (!reported_.insert(&node).second || reported_.size() > maxReported) return;
    std::string reason = what;
    for (const char* prefix : {"[ShapeInferenceError] ", "[TypeInferenceError] "})
        if (reason.rfind(prefix, 0) == 0) reason.erase(0, std::string_view(prefix).size());
    diagnostics_.push_back({Severity::warning, Code::shapeInference,
                            fmt::format("the shapes of what {} makes are not known: {}", describe(node, index, path), reason),
                            positionOf(model_, node),
                            "what depends on them is left out of planning unless the file declares its shape"});
}

void Inference::reportRest()
{
    if (reported_.size() <= maxReported) return;
    Position where;
    where.file = model_.file;
    diagnostics_.push_back({Severity::warning,
                            Code::shapeInference,
                            fmt::format("the same holds for {} more nodes", reported_.size() - maxReported),
                            where,
                            {}});
}

} // namespace

GraphFacts inferModel(const Model& model, Shapes shapes, Diagnostics& diagnostics)
{
    Inference inference(model, shapes, diagnostics);
    GraphFacts facts;
    inference.run(model.proto.graph(), facts, nullptr, GraphPath{});
    inference.reportRest();
    return facts;
}

} // namespace stowage::onnxfile

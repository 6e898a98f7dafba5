#include "plugins/onnx/local_functions.h"

#include "core/ir/unique_names.h"
#include "plugins/onnx/model_reader.h"

#include <fmt/format.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace stowage::onnxfile {

namespace {

constexpr std::size_t maxCallDepth = 32;
constexpr std::size_t maxNodes = 1'000'000;            ///< nodes and calls
constexpr std::size_t maxBytes = std::size_t{1} << 30; ///< of function bodies, copied once for each call

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Renames = std::map<std::string, std::string, std::less<>>;
/// Domain, name, overload.
using FunctionKey = std::tuple<std::string, std::string, std::string>;

/// The text of a field that the linked ONNX library does not know; empty if it is left out.
std::string textOf(const google::protobuf::UnknownFieldSet& fields, int number)
{
    std::string text;
    for (int i = 0; i < fields.field_count(); ++i)
        if (fields.field(i).number() == number && fields.field(i).type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
            text = fields.field(i).length_delimited();
    return text;
}

FunctionKey keyOf(const onnx::FunctionProto& function)
{
    return {function.domain(), function.name(), textOf(function.unknown_fields(), functionOverload)};
}

struct LocalFunction {
    const onnx::FunctionProto* proto = nullptr;
    std::size_t opsets = 0; ///< into Model::opsets
    std::size_t bytes = 0;
    std::map<std::string, onnx::AttributeProto, std::less<>> defaults;
};

std::map<std::string, onnx::AttributeProto, std::less<>> defaultsOf(const onnx::FunctionProto& function)
{
    std::map<std::string, onnx::AttributeProto, std::less<>> defaults;
    const auto& fields = function.unknown_fields();
    for (int i = 0; i < fields.field_count(); ++i) {
        onnx::AttributeProto attribute;
        if (fields.field(i).number() == functionAttributeDefaults &&
            fields.field(i).type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED &&
            attribute.ParseFromString(fields.field(i).length_delimited()))
            defaults[attribute.name()] = attribute;
    }
    return defaults;
}

/// One call that is being replaced.
struct Call {
    const LocalFunction* function = nullptr;
    const onnx::NodeProto* node = nullptr;
    std::string prefix; ///< of all names inside
};

class Inliner {
public:
    explicit Inliner(Model& model) : model_(model) {}

    std::optional<Error> run(onnx::GraphProto& graph)
    {
        if (auto error = collectFunctions()) return error;
        collectNames(graph);
        return nodes(*graph.mutable_node());
    }

private:
    std::optional<Error> collectFunctions()
    {
        for (const auto& function : model_.proto.functions()) {
            const auto [place, added] = functions_.try_emplace(keyOf(function));
            if (!added) {
                const auto& [domain, name, overload] = place->first;
                const auto title = overload.empty() ? name : fmt::format("{}' with overload '{}", name, overload);
                return failure(
                    Code::definedTwice, fmt::format("the file defines function '{}' of domain '{}' twice", title, domain),
                    positionOf(model_, function),
                    "a function is called by its domain, name and overload, so these are unique; export the model again");
            }
            Opsets opsets;
            for (const auto& opset : function.opset_import()) opsets[opset.domain()] = static_cast<int>(opset.version());
            if (opsets.empty()) opsets = model_.opsets.front();
            model_.opsets.push_back(std::move(opsets));
            place->second = {&function, model_.opsets.size() - 1, function.SpaceUsedLong(), defaultsOf(function)};
        }
        return std::nullopt;
    }

    void collectNames(const onnx::GraphProto& graph)
    {
        for (const auto& input : graph.input()) names_.insert(input.name());
        for (const auto& tensor : graph.initializer()) names_.insert(tensor.name());
        for (const auto& node : graph.node()) {
            for (const auto& output : node.output()) names_.insert(output);
            forEachBody(node, [&](const std::string&, const onnx::GraphProto& body) { collectNames(body); });
        }
    }

    /// `name`, or with a number after it when that is taken.
    std::string fresh(const std::string& name) { return names_.insert(name) ? name : names_.numbered(name + '_'); }

    const LocalFunction* functionOf(const onnx::NodeProto& node) const
    {
        const auto found =
            functions_.find(FunctionKey{node.domain(), node.op_type(), textOf(node.unknown_fields(), nodeOverload)});
        return found == functions_.end() ? nullptr : &found->second;
    }

    /// Replaces the calls among `list`, and those in the graphs inside.
    std::optional<Error> nodes(Nodes& list)
    {
        Nodes result;
        for (int i = 0; i < list.size(); ++i) {
            auto& node = *list.Mutable(i);
            if (const auto* function = functionOf(node)) {
                if (auto error = expand(node, i, *function, result)) return error;
                continue;
            }
            for (auto& attribute : *node.mutable_attribute()) {
                if (attribute.has_g())
                    if (auto error = nodes(*attribute.mutable_g()->mutable_node())) return error;
                for (auto& graph : *attribute.mutable_graphs())
                    if (auto error = nodes(*graph.mutable_node())) return error;
            }
            if (++count_ > maxNodes) return tooLarge(node);
            *result.Add() = std::move(node);
        }
        list = std::move(result);
        return std::nullopt;
    }

    std::optional<Error> expand(const onnx::NodeProto& node, int index, const LocalFunction& function, Nodes& out)
    {
        const auto& proto = *function.proto;
        bytes_ += function.bytes;
        if (++count_ > maxNodes || bytes_ > maxBytes) return tooLarge(node);
        const std::string title = fmt::format("function '{}'", proto.name());
        if (std::find(stack_.begin(), stack_.end(), &function) != stack_.end())
            return failure(Code::recursiveFunction, title + " calls itself", at(node), "ONNX functions may not be recursive");
        if (stack_.size() >= maxCallDepth)
            return failure(Code::nestedTooDeeply, fmt::format("calls of functions are nested more than {} deep", maxCallDepth),
                           at(node), "inline the functions when exporting");
        if (node.input_size() > proto.input_size() || node.output_size() > proto.output_size())
            return failure(Code::wrongArity,
                           fmt::format("{} has {} inputs and {} outputs, but {} takes {} and gives {}", describe(node, index, {}),
                                       node.input_size(), node.output_size(), title, proto.input_size(), proto.output_size()),
                           at(node), "export the model again");

        Call call{&function, &node, fresh(node.name().empty() ? fmt::format("{}_{}", node.op_type(), index) : node.name()) + "/"};
        Renames renames;
        for (int i = 0; i < proto.input_size(); ++i)
            renames[proto.input(i)] = i < node.input_size() ? node.input(i) : std::string();
        std::vector<std::pair<std::string, std::string>> passedThrough;
        for (int i = 0; i < node.output_size(); ++i) {
            if (node.output(i).empty()) continue;
            if (renames.count(proto.output(i)) > 0)
                passedThrough.emplace_back(renames[proto.output(i)], node.output(i));
            else
                renames[proto.output(i)] = node.output(i);
        }
        Nodes body = proto.node();
        for (auto& inner : body) rename(inner, renames, call);
        stack_.push_back(&function);
        auto error = nodes(body);
        stack_.pop_back();
        if (error) return error;
        for (auto& inner : body) *out.Add() = std::move(inner);
        for (const auto& [from, to] : passedThrough) {
            auto& identity = *out.Add();
            identity.set_op_type("Identity");
            identity.set_name(call.prefix + "Identity");
            identity.add_input(from);
            identity.add_output(to);
        }
        return std::nullopt;
    }

    void rename(onnx::NodeProto& node, Renames& renames, const Call& call)
    {
        setOpsets(node, call.function->opsets);
        if (!node.name().empty()) node.set_name(call.prefix + node.name());
        for (auto& input : *node.mutable_input()) {
            // A name that the function does not define must not find one of the graph that calls it.
            const auto found = renames.find(input);
            input = found != renames.end() ? found->second : input.empty() ? input : call.prefix + input;
        }
        resolveAttributes(node, call);
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) rename(*attribute.mutable_g(), renames, call);
            for (auto& graph : *attribute.mutable_graphs()) rename(graph, renames, call);
        }
        for (auto& output : *node.mutable_output()) define(output, renames, call);
    }

    void define(std::string& name, Renames& renames, const Call& call)
    {
        if (name.empty()) return;
        const auto [found, added] = renames.try_emplace(name);
        if (added) found->second = fresh(call.prefix + name);
        name = found->second;
    }

    /// A graph inside a function: its names are its own, those of the function are visible.
    void rename(onnx::GraphProto& graph, Renames renames, const Call& call)
    {
        std::set<std::string> owned;
        const auto own = [&](std::string& name) {
            if (owned.insert(name).second) renames.erase(name);
            define(name, renames, call);
        };
        for (auto& input : *graph.mutable_input()) own(*input.mutable_name());
        for (auto& tensor : *graph.mutable_initializer()) own(*tensor.mutable_name());
        for (auto& tensor : *graph.mutable_sparse_initializer()) own(*tensor.mutable_values()->mutable_name());
        for (auto& node : *graph.mutable_node()) rename(node, renames, call);
        graph.clear_value_info(); // names the function's, for shapes that hold for no call in particular
        for (auto& output : *graph.mutable_output()) {
            const auto found = renames.find(output.name());
            if (found != renames.end()) output.set_name(found->second);
        }
    }

    /// Attributes that refer to one of the call: taken from it, else the function's default, else left out.
    void resolveAttributes(onnx::NodeProto& node, const Call& call)
    {
        google::protobuf::RepeatedPtrField<onnx::AttributeProto> resolved;
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.ref_attr_name().empty()) {
                *resolved.Add() = std::move(attribute);
                continue;
            }
            const onnx::AttributeProto* value = nullptr;
            for (const auto& given : call.node->attribute())
                if (given.name() == attribute.ref_attr_name()) value = &given;
            if (const auto found = call.function->defaults.find(attribute.ref_attr_name());
                !value && found != call.function->defaults.end())
                value = &found->second;
            if (!value) continue;
            auto& copy = *resolved.Add();
            copy = *value;
            copy.set_name(attribute.name());
        }
        *node.mutable_attribute() = std::move(resolved);
    }

    [[nodiscard]] Error tooLarge(const onnx::NodeProto& node) const
    {
        return failure(Code::modelTooLarge, "the model has more than a million nodes once its functions are inlined", at(node),
                       "functions that call each other many times cannot be planned node by node");
    }

    [[nodiscard]] Position at(const onnx::NodeProto& node) const { return positionOf(model_, node); }

    Model& model_;
    std::map<FunctionKey, LocalFunction> functions_;
    std::vector<const LocalFunction*> stack_;
    UniqueNames names_;
    std::size_t count_ = 0;
    std::size_t bytes_ = 0;
};

} // namespace

std::optional<Error> inlineLocalFunctions(Model& model)
{
    if (model.proto.functions_size() == 0) return std::nullopt;
    return Inliner(model).run(*model.proto.mutable_graph());
}

} // namespace stowage::onnxfile

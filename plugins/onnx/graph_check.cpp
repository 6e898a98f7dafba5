#include "plugins/onnx/graph_check.h"

#include <fmt/format.h>

#include <set>

namespace stowage::onnxfile {

namespace {

struct Names {
    const Names* outer = nullptr;
    std::set<std::string_view> defined;

    [[nodiscard]] bool has(std::string_view name) const { return defined.count(name) > 0 || (outer && outer->has(name)); }
};

/// Defines inputs and initializers; a name may be both.
void defineSources(const onnx::GraphProto& graph, Names& names)
{
    for (const auto& input : graph.input()) names.defined.insert(input.name());
    for (const auto& tensor : graph.initializer()) names.defined.insert(tensor.name());
    for (const auto& tensor : graph.sparse_initializer()) names.defined.insert(tensor.values().name());
}

class Checker {
public:
    explicit Checker(const Model& model) : model_(model) {}

    std::optional<Error> check(const onnx::GraphProto& graph, const Names* outer, const GraphPath& path)
    {
        Names names{outer, {}};
        for (const auto& input : graph.input()) {
            const Position where = positionOf(model_, input);
            if (input.name().empty())
                return failure(Code::unnamedInput, fmt::format("{} has an input without a name", title(path)), where,
                               "ONNX wants every input to have one; export the model again");
            if (!names.defined.insert(input.name()).second)
                return failure(Code::definedTwice, fmt::format("{} has two inputs named '{}'", title(path), input.name()), where,
                               "names are unique in a graph; export the model again");
        }
        const auto unnamed = [&](const onnx::TensorProto& tensor) {
            return failure(Code::unnamedInitializer, fmt::format("{} has an initializer without a name", title(path)),
                           positionOf(model_, tensor), "nothing can read it; export the model again");
        };
        for (const auto& tensor : graph.initializer())
            if (tensor.name().empty()) return unnamed(tensor);
        for (const auto& tensor : graph.sparse_initializer())
            if (tensor.values().name().empty()) return unnamed(tensor.values());
        defineSources(graph, names);
        for (int i = 0; i < graph.node_size(); ++i)
            if (auto error = check(graph.node(i), i, graph, names, path)) return error;
        for (const auto& output : graph.output())
            if (!names.has(output.name()))
                return failure(Code::undefinedName,
                               fmt::format("output '{}' of {} is made by nothing", output.name(), title(path)),
                               positionOf(model_, output), "the file is damaged, or was cut out of a larger model");
        return std::nullopt;
    }

private:
    static std::string title(const GraphPath& path)
    {
        if (!path.node) return "the graph";
        return fmt::format("the {} of {}", path.attribute, describe(*path.node, path.index, *path.outer));
    }

    std::optional<Error> check(const onnx::NodeProto& node, int index, const onnx::GraphProto& graph, Names& names,
                               const GraphPath& path)
    {
        for (const auto& input : node.input()) {
            if (input.empty() || names.has(input)) continue;
            for (int later = index; later < graph.node_size(); ++later)
                for (const auto& output : graph.node(later).output())
                    if (output == input)
                        return failure(Code::notSorted,
                                       fmt::format("{} reads '{}' before {} makes it", describe(node, index, path), input,
                                                   later == index ? "itself" : describe(graph.node(later), later, path)),
                                       positionOf(model_, node),
                                       "ONNX wants nodes in the order in which they can run; sort the graph topologically");
            return failure(
                Code::undefinedName,
                fmt::format("{} reads '{}', which no input, initializer or node defines", describe(node, index, path), input),
                positionOf(model_, node), "the file is damaged, or was cut out of a larger model");
        }
        std::optional<Error> error;
        forEachBody(node, [&](const std::string& attribute, const onnx::GraphProto& body) {
            const GraphPath inner{&path, &node, index, attribute};
            if (!error) error = check(body, &names, inner);
        });
        if (error) return error;
        for (const auto& output : node.output())
            if (!output.empty() && !names.defined.insert(output).second)
                return failure(Code::definedTwice,
                               fmt::format("'{}' is made by {} and defined before", output, describe(node, index, path)),
                               positionOf(model_, node), "ONNX wants every name to be assigned once; export the model again");
        return std::nullopt;
    }

    const Model& model_;
};

void collectCaptured(const onnx::GraphProto& graph, const Names* outer, std::set<std::string_view>& seen,
                     std::vector<std::string>& captured)
{
    Names names{outer, {}};
    defineSources(graph, names);
    const auto read = [&](const std::string& name) {
        if (!name.empty() && !names.has(name) && seen.insert(name).second) captured.push_back(name);
    };
    for (const auto& node : graph.node()) {
        for (const auto& input : node.input()) read(input);
        forEachBody(node,
                    [&](const std::string&, const onnx::GraphProto& body) { collectCaptured(body, &names, seen, captured); });
        for (const auto& output : node.output()) names.defined.insert(output);
    }
    for (const auto& output : graph.output()) read(output.name());
}

} // namespace

std::optional<Error> checkNames(const Model& model)
{
    return Checker(model).check(model.proto.graph(), nullptr, GraphPath{});
}

std::vector<std::string> capturedNames(const onnx::GraphProto& graph)
{
    std::set<std::string_view> seen;
    std::vector<std::string> captured;
    collectCaptured(graph, nullptr, seen, captured);
    return captured;
}

} // namespace stowage::onnxfile

// A model as the importer works on it: protobuf messages, with calls of local functions already replaced by the functions'
// bodies.
#pragma once

#include "core/ir/expected.h"

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::onnxfile {

/// Version of each imported operator set by domain; the default domain is "".
using Opsets = std::map<std::string, int, std::less<>>;

struct Model {
    std::string file; ///< for messages
    onnx::ModelProto proto;
    std::vector<Opsets> opsets; ///< [0]: of the model itself; the others: of local functions whose nodes were inlined

    [[nodiscard]] const Opsets& opsetsOf(const onnx::NodeProto& node) const;
    /// The version of the operator set that the node belongs to; 0 if the model does not import that set.
    [[nodiscard]] int versionOf(const onnx::NodeProto& node) const;
};

/// Marks a node as written against `Model::opsets[index]`.
void setOpsets(onnx::NodeProto& node, std::size_t index);

/// The graphs around a node, innermost first, for messages.
struct GraphPath {
    const GraphPath* outer = nullptr;
    const onnx::NodeProto* node = nullptr; ///< the node that holds this graph; null for the main graph
    int index = 0;                         ///< of that node in its graph
    std::string_view attribute;            ///< name of the attribute that holds the graph
};

/// "node 12 (Conv 'stem')"; in a nested graph followed by " of the then_branch of node 3 (If)".
std::string describe(const onnx::NodeProto& node, int index, const GraphPath& graph);
/// The position in the file at which the node, tensor, input or output begins.
Position positionOf(const Model& model, const google::protobuf::Message& part);

/// The graphs that a node holds, in the order of its attributes.
template <typename Visit>
void forEachBody(const onnx::NodeProto& node, Visit visit)
{
    for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) visit(attribute.name(), attribute.g());
        for (const auto& graph : attribute.graphs()) visit(attribute.name(), graph);
    }
}
bool hasBodies(const onnx::NodeProto& node);

} // namespace stowage::onnxfile

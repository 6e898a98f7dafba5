#include "plugins/onnx/model.h"

#include "plugins/onnx/model_reader.h"

#include <fmt/format.h>
#include <google/protobuf/unknown_field_set.h>

namespace stowage::onnxfile {

namespace {

/// Not used by ONNX; carries an index into `Model::opsets`.
constexpr int opsetsField = 200'000'002;

} // namespace

void setOpsets(onnx::NodeProto& node, std::size_t index)
{
    auto* fields = node.mutable_unknown_fields();
    fields->DeleteByNumber(opsetsField);
    fields->AddVarint(opsetsField, index);
}

const Opsets& Model::opsetsOf(const onnx::NodeProto& node) const
{
    const auto& fields = node.unknown_fields();
    for (int i = 0; i < fields.field_count(); ++i)
        if (fields.field(i).number() == opsetsField) return opsets[fields.field(i).varint()];
    return opsets.front();
}

int Model::versionOf(const onnx::NodeProto& node) const
{
    const Opsets& imported = opsetsOf(node);
    const auto found = imported.find(node.domain());
    return found == imported.end() ? 0 : found->second;
}

std::string describe(const onnx::NodeProto& node, int index, const GraphPath& graph)
{
    std::string text = node.name().empty() ? fmt::format("node {} ({})", index, node.op_type())
                                           : fmt::format("node {} ({} '{}')", index, node.op_type(), node.name());
    if (graph.node) text += fmt::format(" of the {} of {}", graph.attribute, describe(*graph.node, graph.index, *graph.outer));
    return text;
}

Position positionOf(const Model& model, const google::protobuf::Message& part)
{
    Position where;
    where.file = model.file;
    where.byte = fileOffset(part);
    return where;
}

bool hasBodies(const onnx::NodeProto& node)
{
    for (const auto& attribute : node.attribute())
        if (attribute.has_g() || attribute.graphs_size() > 0) return true;
    return false;
}

} // namespace stowage::onnxfile

#include "plugins/onnx/model_reader.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>
#include <simdjson.h>

#include <map>
#include <optional>

namespace stowage::onnxfile {

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

/// protobuf itself stops at 100.
constexpr int maxDepth = 96;
constexpr std::int64_t maxMemory = std::int64_t{1} << 30;
/// What an empty message and an empty string take in memory, roughly: two bytes in the file can cost a hundred times as much.
constexpr std::int64_t messageMemory = 200;
constexpr std::int64_t stringMemory = 48;

/// Not used by ONNX; carries a message's place in the file through protobuf.
constexpr int offsetField = 200'000'001;

enum Wire : std::uint8_t { varint = 0, fixed64 = 1, delimited = 2, fixed32 = 5 };

void appendVarint(std::string& out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
    out.push_back(static_cast<char>(value));
}

void appendTag(std::string& out, int field, Wire wire)
{
    appendVarint(out, (std::uint64_t(field) << 3) | wire);
}

void appendDelimited(std::string& out, int field, std::string_view payload)
{
    appendTag(out, field, delimited);
    appendVarint(out, payload.size());
    out += payload;
}

Wire wireOf(const FieldDescriptor& field)
{
    switch (field.type()) {
    case FieldDescriptor::TYPE_DOUBLE:
    case FieldDescriptor::TYPE_FIXED64:
    case FieldDescriptor::TYPE_SFIXED64: return fixed64;
    case FieldDescriptor::TYPE_FLOAT:
    case FieldDescriptor::TYPE_FIXED32:
    case FieldDescriptor::TYPE_SFIXED32: return fixed32;
    case FieldDescriptor::TYPE_STRING:
    case FieldDescriptor::TYPE_BYTES:
    case FieldDescriptor::TYPE_MESSAGE: return delimited;
    default: return varint;
    }
}

/// Documentation, provenance and training graphs say nothing about memory.
bool isDropped(const FieldDescriptor& field)
{
    const auto& name = field.name();
    return name == "doc_string" || name == "metadata_props" || name == "training_info" || name == "quantization_annotation" ||
           name == "denotation" || name == "string_data";
}

/// The fields of a tensor that hold its contents.
bool isPayload(const FieldDescriptor& field)
{
    const auto& name = field.name();
    return field.containing_type() == onnx::TensorProto::descriptor() &&
           (name == "raw_data" || name == "float_data" || name == "int32_data" || name == "int64_data" || name == "double_data" ||
            name == "uint64_data");
}

/// What complaints point at.
bool hasPlace(const Descriptor& type)
{
    return &type == onnx::NodeProto::descriptor() || &type == onnx::TensorProto::descriptor() ||
           &type == onnx::ValueInfoProto::descriptor() || &type == onnx::FunctionProto::descriptor();
}

/// Fields of later versions of ONNX that are kept as they are.
bool isOverload(const Descriptor& type, int number)
{
    return (&type == onnx::NodeProto::descriptor() && number == nodeOverload) ||
           (&type == onnx::FunctionProto::descriptor() && number == functionOverload);
}

/// The messages around the one at hand, for error texts: "graph.node[12].attribute[0]".
struct Path {
    const Path* parent = nullptr;
    const FieldDescriptor* field = nullptr;
    int index = 0;

    [[nodiscard]] std::string text() const
    {
        if (!field) return "the model";
        std::string text = parent->field ? parent->text() + "." : std::string();
        text += field->name();
        if (field->is_repeated()) text += fmt::format("[{}]", index);
        return text;
    }
};

/// Walks the wire format along the descriptors and writes what is kept.
class Trimmer {
public:
    Trimmer(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

    bool message(const Descriptor& type, std::size_t begin, std::size_t end, const Path& path, int depth, std::string& out)
    {
        if (depth > maxDepth)
            return fail(Code::nestedTooDeeply, begin, fmt::format("the model is nested more than {} messages deep", maxDepth),
                        "no exporter writes such a file; it is probably damaged");
        if (!charge(messageMemory, begin)) return false;
        std::map<int, int> counts; // elements so far of each repeated field of messages
        for (std::size_t at = begin; at < end;) {
            const std::size_t start = at;
            std::uint64_t tag = 0;
            if (!readVarint(at, end, path, tag)) return false;
            const auto number = static_cast<int>(tag >> 3);
            const auto wire = static_cast<Wire>(tag & 7);
            if (tag > 0xffffffffU || number == 0 || (wire != varint && wire != fixed64 && wire != delimited && wire != fixed32))
                return malformed(start, path, fmt::format("0x{:x} is not a field", tag));
            std::uint64_t value = 0;
            std::size_t length = wire == fixed64 ? 8 : wire == fixed32 ? 4 : 0;
            if (wire == varint) {
                if (!readVarint(at, end, path, value)) return false;
            } else if (wire == delimited) {
                if (!readVarint(at, end, path, value)) return false;
                length = static_cast<std::size_t>(value);
            }
            if (length > end - at) return cutOff(start, end, at, length, path);
            const std::string_view payload = bytes_.substr(at, length);
            const std::size_t payloadAt = at;
            at += length;

            const FieldDescriptor* field = type.FindFieldByNumber(number);
            if (!field) {
                if (number == functionAttributeDefaults && wire == delimited && &type == onnx::FunctionProto::descriptor()) {
                    std::string child;
                    const Path childPath{&path, type.FindFieldByName("attribute"), counts[number]++};
                    if (!message(*onnx::AttributeProto::descriptor(), payloadAt, at, childPath, depth + 1, child)) return false;
                    appendDelimited(out, number, child);
                } else if (wire == delimited && isOverload(type, number)) {
                    if (!text("overload", payload, payloadAt, path) || !charge(stringMemory + std::int64_t(length), payloadAt))
                        return false;
                    appendDelimited(out, number, payload);
                }
                continue; // of a later version of ONNX
            }
            const Wire expected = wireOf(*field);
            if (wire != expected && !(wire == delimited && field->is_packable()))
                return malformed(
                    start, path,
                    fmt::format("field '{}' has wire type {} instead of {}", field->name(), int(wire), int(expected)));
            if (isDropped(*field) || (isPayload(*field) && length > keptPayloadBytes)) continue;

            if (field->type() == FieldDescriptor::TYPE_MESSAGE) {
                std::string child;
                const Path childPath{&path, field, field->is_repeated() ? counts[number]++ : 0};
                if (!message(*field->message_type(), payloadAt, at, childPath, depth + 1, child)) return false;
                appendDelimited(out, number, child);
            } else if (wire == delimited) {
                if (field->type() == FieldDescriptor::TYPE_STRING && !text(field->name(), payload, payloadAt, path)) return false;
                // A packed number takes eight bytes at most, and one in the file at least.
                const std::int64_t memory = field->is_packable() ? 8 * std::int64_t(length) : stringMemory + std::int64_t(length);
                if (!charge(memory, payloadAt)) return false;
                appendDelimited(out, number, payload);
            } else {
                if (field->is_repeated() && !charge(8, start)) return false;
                out += bytes_.substr(start, at - start);
            }
        }
        if (hasPlace(type)) {
            appendTag(out, offsetField, varint);
            appendVarint(out, begin);
        }
        return true;
    }

    [[nodiscard]] Error error() const { return *error_; }

private:
    static constexpr const char* damaged = "the file is damaged or not an ONNX model; export or fetch it again";

    bool fail(Code code, std::size_t at, std::string message, std::string remedy)
    {
        Position where;
        where.file = file_;
        where.byte = static_cast<std::int64_t>(at);
        error_ = failure(code, std::move(message), std::move(where), std::move(remedy));
        return false;
    }

    bool malformed(std::size_t at, const Path& path, const std::string& what)
    {
        return fail(Code::malformedProtobuf, at, fmt::format("{} is not well-formed: {}", path.text(), what), damaged);
    }

    bool cutOff(std::size_t start, std::size_t end, std::size_t at, std::uint64_t length, const Path& path)
    {
        if (end == bytes_.size())
            return fail(Code::truncated, start,
                        fmt::format("the file ends inside {}: {} more bytes should follow, {} do", path.text(), length, end - at),
                        "the file is incomplete; export or fetch it again");
        return malformed(start, path,
                         fmt::format("a field of {} bytes does not fit into the {} that are left", length, end - at));
    }

    /// Whether `payload` may be the text of field `name`.
    bool text(std::string_view name, std::string_view payload, std::size_t at, const Path& path)
    {
        if (simdjson::validate_utf8(payload.data(), payload.size())) return true;
        return fail(Code::notUtf8, at, fmt::format("the '{}' of {} is not valid UTF-8", name, path.text()), damaged);
    }

    bool charge(std::int64_t memory, std::size_t at)
    {
        memory_ += memory;
        if (memory_ <= maxMemory) return true;
        return fail(Code::modelTooLarge, at, "the model without its weights takes more than 1 GiB of memory",
                    "split the model; graphs of this size are not planned");
    }

    bool readVarint(std::size_t& at, std::size_t end, const Path& path, std::uint64_t& value)
    {
        const std::size_t start = at;
        value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at == end) return cutOff(start, end, at, 1, path);
            const auto byte = static_cast<std::uint8_t>(bytes_[at++]);
            value |= std::uint64_t(byte & 0x7f) << (shift > 63 ? 63 : shift);
            if (byte < 0x80) return true;
        }
        return malformed(start, path, "a number is longer than ten bytes");
    }

    std::string_view bytes_;
    const std::string& file_;
    std::int64_t memory_ = 0;
    std::optional<Error> error_;
};

/// "" and "ai.onnx" are the same domain; one spelling saves every later comparison from knowing that.
void normaliseDomains(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes);

void normaliseDomains(onnx::GraphProto& graph)
{
    normaliseDomains(*graph.mutable_node());
}

void normaliseDomains(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes)
{
    for (auto& node : nodes) {
        if (node.domain() == "ai.onnx") node.clear_domain();
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) normaliseDomains(*attribute.mutable_g());
            for (auto& graph : *attribute.mutable_graphs()) normaliseDomains(graph);
        }
    }
}

void normaliseDomains(google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& opsets)
{
    for (auto& opset : opsets)
        if (opset.domain() == "ai.onnx") opset.clear_domain();
}

} // namespace

Expected<onnx::ModelProto> readModel(std::string_view bytes, const std::string& file)
{
    Position where;
    where.file = file;
    if (bytes.empty()) return failure(Code::emptyFile, "the file is empty", where, "export or fetch it again");
    std::string kept;
    Trimmer trimmer(bytes, file);
    if (!trimmer.message(*onnx::ModelProto::descriptor(), 0, bytes.size(), Path{}, 1, kept)) return trimmer.error();
    onnx::ModelProto model;
    if (!model.ParseFromString(kept))
        return failure(Code::malformedProtobuf, "the model is not well-formed", where,
                       "the file is damaged or not an ONNX model");
    if (!model.has_graph())
        return failure(Code::noGraph, "the file holds no graph", where,
                       "an ONNX model has a field 'graph'; is this a tensor or another protobuf file?");
    normaliseDomains(*model.mutable_graph());
    normaliseDomains(*model.mutable_opset_import());
    for (auto& function : *model.mutable_functions()) {
        normaliseDomains(*function.mutable_node());
        normaliseDomains(*function.mutable_opset_import());
        if (function.domain() == "ai.onnx") function.clear_domain();
    }
    return model;
}

std::int64_t fileOffset(const google::protobuf::Message& part)
{
    const auto& fields = part.GetReflection()->GetUnknownFields(part);
    for (int i = 0; i < fields.field_count(); ++i)
        if (fields.field(i).number() == offsetField && fields.field(i).type() == google::protobuf::UnknownField::TYPE_VARINT)
            return static_cast<std::int64_t>(fields.field(i).varint());
    return -1;
}

int likeness(std::string_view head)
{
    bool version = false;
    bool graph = false;
    bool opset = false;
    for (std::size_t at = 0; at < head.size();) {
        const auto readVarint = [&](std::uint64_t& value) {
            value = 0;
            for (int shift = 0; shift < 63 && at < head.size(); shift += 7) {
                const auto byte = static_cast<std::uint8_t>(head[at++]);
                value |= std::uint64_t(byte & 0x7f) << shift;
                if (byte < 0x80) return true;
            }
            return false;
        };
        std::uint64_t tag = 0;
        std::uint64_t value = 0;
        if (!readVarint(tag)) break;
        const auto* field =
            tag >> 3 <= 1000 ? onnx::ModelProto::descriptor()->FindFieldByNumber(static_cast<int>(tag >> 3)) : nullptr;
        if (!field || wireOf(*field) != (tag & 7)) return 0;
        if (!readVarint(value)) break;
        if (field->name() == "ir_version") {
            if (value == 0 || value > 1000) return 0;
            version = true;
        }
        graph = graph || field->name() == "graph";
        opset = opset || field->name() == "opset_import";
        if ((tag & 7) == delimited) {
            if (value > head.size() - at) break; // goes on after the head
            at += static_cast<std::size_t>(value);
        }
    }
    if (version && (graph || opset)) return 90;
    return graph || opset ? 50 : version ? 30 : 0;
}

} // namespace stowage::onnxfile

#include "tests/plugins/made_onnx.h"

namespace stowage::test {

namespace {

template <typename Owner>
onnx::NodeProto& nodeIn(Owner& owner, const char* kind, Names inputs, Names outputs)
{
    auto& node = *owner.add_node();
    node.set_op_type(kind);
    for (const char* name : inputs) node.add_input(name);
    for (const char* name : outputs) node.add_output(name);
    if (outputs.size() > 0) node.set_name(std::string("make_") + *outputs.begin());
    return node;
}

onnx::AttributeProto& attribute(onnx::NodeProto& node, const char* name, onnx::AttributeProto::AttributeType type)
{
    auto& added = *node.add_attribute();
    added.set_name(name);
    added.set_type(type);
    return added;
}

} // namespace

onnx::ModelProto onnxModel(int opset)
{
    onnx::ModelProto model;
    model.set_ir_version(8);
    auto& imported = *model.add_opset_import();
    imported.set_domain("");
    imported.set_version(opset);
    model.mutable_graph()->set_name("made");
    return model;
}

onnx::ValueInfoProto valueInfo(const std::string& name, const Shape& shape, onnx::TensorProto::DataType type)
{
    onnx::ValueInfoProto info;
    info.set_name(name);
    auto& tensor = *info.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(type);
    auto& dims = *tensor.mutable_shape();
    for (const Dim& dim : shape) {
        auto& added = *dims.add_dim();
        if (const auto* size = std::get_if<std::int64_t>(&dim))
            added.set_dim_value(*size);
        else if (const char* free = std::get<const char*>(dim); *free != '\0')
            added.set_dim_param(free);
    }
    return info;
}

void addInput(onnx::GraphProto& graph, const std::string& name, const Shape& shape, onnx::TensorProto::DataType type)
{
    *graph.add_input() = valueInfo(name, shape, type);
}

void addOutput(onnx::GraphProto& graph, const std::string& name)
{
    auto& output = *graph.add_output();
    output.set_name(name);
    output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
}

void addOutput(onnx::GraphProto& graph, const std::string& name, const Shape& shape, onnx::TensorProto::DataType type)
{
    *graph.add_output() = valueInfo(name, shape, type);
}

onnx::NodeProto& addNode(onnx::GraphProto& graph, const char* kind, Names inputs, Names outputs)
{
    return nodeIn(graph, kind, inputs, outputs);
}

onnx::NodeProto& addNode(onnx::FunctionProto& function, const char* kind, Names inputs, Names outputs)
{
    return nodeIn(function, kind, inputs, outputs);
}

void setInteger(onnx::NodeProto& node, const char* name, std::int64_t value)
{
    attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}

void setIntegers(onnx::NodeProto& node, const char* name, const std::vector<std::int64_t>& values)
{
    auto& list = attribute(node, name, onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) list.add_ints(value);
}

void setGraph(onnx::NodeProto& node, const char* name, const onnx::GraphProto& graph)
{
    *attribute(node, name, onnx::AttributeProto::GRAPH).mutable_g() = graph;
}

void setReference(onnx::NodeProto& node, const char* name, const char* functionAttribute)
{
    attribute(node, name, onnx::AttributeProto::INT).set_ref_attr_name(functionAttribute);
}

onnx::TensorProto integers(const std::string& name, const std::vector<std::int64_t>& values, bool scalar)
{
    onnx::TensorProto tensor;
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::INT64);
    if (!scalar) tensor.add_dims(static_cast<std::int64_t>(values.size()));
    for (const std::int64_t value : values) tensor.add_int64_data(value);
    return tensor;
}

onnx::TensorProto truth(const std::string& name, bool value)
{
    onnx::TensorProto tensor;
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::BOOL);
    tensor.add_int32_data(value ? 1 : 0);
    return tensor;
}

onnx::TensorProto externalWeights(const std::string& name, const std::vector<std::int64_t>& dims)
{
    onnx::TensorProto tensor;
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    for (const std::int64_t dim : dims) tensor.add_dims(dim);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : {std::pair{"location", "weights.bin"}, std::pair{"offset", "4096"}}) {
        auto& entry = *tensor.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    }
    return tensor;
}

onnx::NodeProto& addConstant(onnx::GraphProto& graph, const onnx::TensorProto& tensor)
{
    auto& node = addNode(graph, "Constant", {}, {tensor.name().c_str()});
    *attribute(node, "value", onnx::AttributeProto::TENSOR).mutable_t() = tensor;
    return node;
}

onnx::FunctionProto& addFunction(onnx::ModelProto& model, const char* name, Names inputs, Names outputs, int opset)
{
    if (model.functions_size() == 0) {
        auto& imported = *model.add_opset_import();
        imported.set_domain("local");
        imported.set_version(1);
    }
    auto& function = *model.add_functions();
    function.set_domain("local");
    function.set_name(name);
    for (const char* input : inputs) function.add_input(input);
    for (const char* output : outputs) function.add_output(output);
    auto& imported = *function.add_opset_import();
    imported.set_domain("");
    imported.set_version(opset);
    auto& local = *function.add_opset_import();
    local.set_domain("local");
    local.set_version(1);
    return function;
}

onnx::ModelProto branching()
{
    auto model = onnxModel(13);
    auto& graph = *model.mutable_graph();
    addInput(graph, "c", {}, onnx::TensorProto::BOOL);
    addInput(graph, "x", {16});
    addNode(graph, "Neg", {"x"}, {"h"});

    onnx::GraphProto then;
    then.set_name("then");
    addNode(then, "Relu", {"h"}, {"a"});
    addNode(then, "Exp", {"a"}, {"b"});
    addConstant(then, integers("from", {0}));
    addConstant(then, integers("to", {4}));
    addNode(then, "Slice", {"b", "from", "to"}, {"t"});
    addOutput(then, "t", {4});
    onnx::GraphProto otherwise;
    otherwise.set_name("else");
    addNode(otherwise, "ReduceMean", {"x"}, {"m"});
    addConstant(otherwise, integers("four", {4}));
    addNode(otherwise, "Expand", {"m", "four"}, {"e"});
    addOutput(otherwise, "e", {4});

    auto& pick = addNode(graph, "If", {"c"}, {"y"});
    setGraph(pick, "then_branch", then);
    setGraph(pick, "else_branch", otherwise);
    addNode(graph, "Neg", {"y"}, {"z"});
    addOutput(graph, "z", {4});
    return model;
}

onnx::ModelProto looping()
{
    auto model = onnxModel(13);
    auto& graph = *model.mutable_graph();
    addInput(graph, "x", {8});
    *graph.add_initializer() = integers("trips", {3}, true);
    *graph.add_initializer() = truth("yes", true);

    onnx::GraphProto body;
    body.set_name("body");
    addInput(body, "i", {}, onnx::TensorProto::INT64);
    addInput(body, "go", {}, onnx::TensorProto::BOOL);
    addInput(body, "state", {8});
    addNode(body, "Identity", {"go"}, {"goOn"});
    addNode(body, "Exp", {"state"}, {"grown"});
    addNode(body, "Add", {"grown", "x"}, {"next"});
    addNode(body, "Neg", {"next"}, {"row"});
    addOutput(body, "goOn", {}, onnx::TensorProto::BOOL);
    addOutput(body, "next", {8});
    addOutput(body, "row", {8});

    auto& loop = addNode(graph, "Loop", {"trips", "yes", "x"}, {"last", "rows"});
    setGraph(loop, "body", body);
    *graph.add_value_info() = valueInfo("last", {8}); // a loop may change the shape of its state: inference does not say
    addNode(graph, "Relu", {"last"}, {"y"});
    addOutput(graph, "y", {8});
    addOutput(graph, "rows", {3, 8});
    return model;
}

onnx::ModelProto scanning()
{
    auto model = onnxModel(13);
    auto& graph = *model.mutable_graph();
    addInput(graph, "start", {2});
    addInput(graph, "x", {5, 2});

    onnx::GraphProto body;
    body.set_name("body");
    addInput(body, "sum", {2});
    addInput(body, "element", {2});
    addNode(body, "Add", {"sum", "element"}, {"next"});
    addNode(body, "Neg", {"next"}, {"out"});
    addOutput(body, "next", {2});
    addOutput(body, "out", {2});

    auto& scan = addNode(graph, "Scan", {"start", "x"}, {"total", "sums"});
    setGraph(scan, "body", body);
    setInteger(scan, "num_scan_inputs", 1);
    addOutput(graph, "total", {2});
    addOutput(graph, "sums", {5, 2});
    return model;
}

onnx::ModelProto shapeChain()
{
    auto model = onnxModel(13);
    auto& graph = *model.mutable_graph();
    addInput(graph, "x", {2, 3, 4});
    *graph.add_initializer() = integers("zero", {0});
    *graph.add_initializer() = integers("one", {1});
    *graph.add_initializer() = integers("rest", {-1});
    addNode(graph, "Relu", {"x"}, {"h"});
    addNode(graph, "Shape", {"h"}, {"dims"});
    addNode(graph, "Gather", {"dims", "zero"}, {"d0"});
    addNode(graph, "Gather", {"dims", "one"}, {"d1"});
    addNode(graph, "Mul", {"d0", "d1"}, {"rows"});
    setInteger(addNode(graph, "Concat", {"rows", "rest"}, {"wanted"}), "axis", 0);
    addNode(graph, "Reshape", {"h", "wanted"}, {"flat"});
    addNode(graph, "Neg", {"flat"}, {"y"});
    addOutput(graph, "y");
    return model;
}

onnx::ModelProto calling()
{
    auto model = onnxModel(13);
    auto& twice = addFunction(model, "Twice", {"a"}, {"b"}, 13);
    addNode(twice, "Relu", {"a"}, {"t"});
    addNode(twice, "Exp", {"t"}, {"b"});
    auto& outer = addFunction(model, "Outer", {"a"}, {"b"}, 13);
    addNode(outer, "Neg", {"a"}, {"t"});
    addNode(outer, "Twice", {"t"}, {"b"}).set_domain("local");

    auto& graph = *model.mutable_graph();
    addInput(graph, "c", {}, onnx::TensorProto::BOOL);
    addInput(graph, "x", {16});
    addNode(graph, "Twice", {"x"}, {"h"}).set_domain("local");
    addNode(graph, "Outer", {"h"}, {"k"}).set_domain("local");
    onnx::GraphProto then;
    then.set_name("then");
    addNode(then, "Twice", {"k"}, {"t"}).set_domain("local");
    addOutput(then, "t", {16});
    onnx::GraphProto otherwise;
    otherwise.set_name("else");
    addNode(otherwise, "Neg", {"k"}, {"e"});
    addOutput(otherwise, "e", {16});
    auto& pick = addNode(graph, "If", {"c"}, {"y"});
    setGraph(pick, "then_branch", then);
    setGraph(pick, "else_branch", otherwise);
    addOutput(graph, "y", {16});
    return model;
}

onnx::ModelProto freeDimensions()
{
    auto model = onnxModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x", {"batch", 4});
    addInput(graph, "y", {"batch", 4});
    addInput(graph, "u", {"", 3});
    addNode(graph, "Add", {"x", "y"}, {"z"});
    addNode(graph, "Neg", {"u"}, {"v"});
    addOutput(graph, "z");
    addOutput(graph, "v");
    return model;
}

onnx::ModelProto decoderStep()
{
    auto model = onnxModel();
    auto& microsoft = *model.add_opset_import();
    microsoft.set_domain("com.microsoft");
    microsoft.set_version(1);
    auto& graph = *model.mutable_graph();
    for (const char* name : {"query", "key", "value"}) addInput(graph, name, {"batch", 1, 16});
    for (const char* name : {"past_key", "past_value"}) addInput(graph, name, {"batch", 1, "past", 16});
    addInput(graph, "seqlens_k", {"batch"}, onnx::TensorProto::INT32);
    addInput(graph, "total_length", {1}, onnx::TensorProto::INT32);
    auto& attention =
        addNode(graph, "GroupQueryAttention", {"query", "key", "value", "past_key", "past_value", "seqlens_k", "total_length"},
                {"attended", "present_key", "present_value"});
    attention.set_domain("com.microsoft");
    setInteger(attention, "num_heads", 1);
    setInteger(attention, "kv_num_heads", 1);
    addNode(graph, "Relu", {"attended"}, {"y"});
    addOutput(graph, "y", {"batch", 1, 16});
    for (const char* name : {"present_key", "present_value"}) addOutput(graph, name, {"batch", 1, "total", 16});
    return model;
}

std::vector<onnx::ModelProto> exampleOnnxModels()
{
    return {branching(), looping(), scanning(), shapeChain(), calling(), freeDimensions(), decoderStep()};
}

} // namespace stowage::test

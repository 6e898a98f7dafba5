// ONNX models made to measure: for tests of what no real file at hand has, and as seeds for the fuzzer.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

namespace stowage::test {

/// A size, the name of a free dimension, or (empty name) a free dimension without a name.
using Dim = std::variant<std::int64_t, const char*>;
using Shape = std::vector<Dim>;

/// A model of IR version 8 that imports one version of the default operator set, with an empty main graph.
onnx::ModelProto onnxModel(int opset = 17);

/// A value's name with element type (float unless told) and shape.
onnx::ValueInfoProto valueInfo(const std::string& name, const Shape& shape,
                               onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT);
void addInput(onnx::GraphProto& graph, const std::string& name, const Shape& shape,
              onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT);
/// Without a shape: left to shape inference.
void addOutput(onnx::GraphProto& graph, const std::string& name);
void addOutput(onnx::GraphProto& graph, const std::string& name, const Shape& shape,
               onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT);

using Names = std::initializer_list<const char*>;
/// Named after its first output.
onnx::NodeProto& addNode(onnx::GraphProto& graph, const char* kind, Names inputs, Names outputs);
onnx::NodeProto& addNode(onnx::FunctionProto& function, const char* kind, Names inputs, Names outputs);

void setInteger(onnx::NodeProto& node, const char* name, std::int64_t value);
void setIntegers(onnx::NodeProto& node, const char* name, const std::vector<std::int64_t>& values);
void setGraph(onnx::NodeProto& node, const char* name, const onnx::GraphProto& graph);
/// The node's attribute is the one that is given to the function around it.
void setReference(onnx::NodeProto& node, const char* name, const char* functionAttribute);

/// A list of int64, or a scalar where `scalar` says so.
onnx::TensorProto integers(const std::string& name, const std::vector<std::int64_t>& values, bool scalar = false);
onnx::TensorProto truth(const std::string& name, bool value);
/// An initializer of floats whose bytes are in a file beside the model.
onnx::TensorProto externalWeights(const std::string& name, const std::vector<std::int64_t>& dims);
/// A node Constant that makes `tensor` under its name.
onnx::NodeProto& addConstant(onnx::GraphProto& graph, const onnx::TensorProto& tensor);

/// A function of one input and one output in the domain "local", which the model imports.
onnx::FunctionProto& addFunction(onnx::ModelProto& model, const char* name, Names inputs, Names outputs, int opset = 17);

/// An If whose branches read `x` (16 floats) of the graph around them: then: Relu, Exp, and 4 of its elements; else: a constant.
onnx::ModelProto branching();
/// A Loop of 3 iterations: a state that goes round, and a result that grows by one row with each iteration.
onnx::ModelProto looping();
/// A Scan over the first axis of `x`: running sums.
onnx::ModelProto scanning();
/// A shape that is computed: Shape, Gather, Mul, Concat, Reshape.
onnx::ModelProto shapeChain();
/// Two calls of a function, one inside another function, and one in a body.
onnx::ModelProto calling();
/// Two inputs that share the free dimension "batch", and one with a free dimension that has no name.
onnx::ModelProto freeDimensions();
/// One step of a decoder: com.microsoft's GroupQueryAttention over a cache, whose next contents come out of the graph with the
/// free dimensions "batch" and "total", of which no input has the latter. One head of 16 floats, sequence length 1.
onnx::ModelProto decoderStep();
/// Those above.
std::vector<onnx::ModelProto> exampleOnnxModels();

} // namespace stowage::test

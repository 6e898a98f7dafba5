// The facts of a TensorFlow Lite model that planning needs, as plain values: read from the flatbuffer, with every index and size
// checked. Only read_model.cpp reads the flatbuffer.
#pragma once

#include "core/ir/diagnostic.h"
#include "core/ir/types.h"
#include "plugins/tflite/tensor_types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stowage::tflite {

using Index = std::int32_t;

struct TensorInfo {
    std::string name; ///< may be empty, need not be unique
    ElementType type;
    std::vector<std::int64_t> shape;   ///< -1: not known
    std::vector<Index> dynamicAxes;    ///< axes that the file leaves open, ascending
    bool assumed = false;              ///< the extent of an open axis is that of the file, and nothing else states it
    std::optional<Bytes> bytes;        ///< no value: no static size
    bool constant = false;             ///< its buffer has data
    bool variable = false;             ///< keeps its value between runs
    std::vector<std::int64_t> numbers; ///< elements of a small constant of whole numbers, as paddings; empty for others
    std::int64_t byte = -1;            ///< position of its table in the file
};

/// How an operator calls other sub-graphs.
enum class CallKind : std::uint8_t {
    none,
    conditional, ///< IF
    choice,      ///< STABLEHLO_CASE: one of any number of branches
    loop,        ///< WHILE, STABLEHLO_WHILE
    once,        ///< CALL_ONCE
    call,        ///< STABLEHLO_COMPOSITE: runs its decomposition
};

/// Whether input 0 selects which callee runs. The callees take the inputs after it.
[[nodiscard]] constexpr bool choosesCallee(CallKind kind)
{
    return kind == CallKind::conditional || kind == CallKind::choice;
}

/// Whether the callee is a function of its own, where others are regions of the op.
[[nodiscard]] constexpr bool callsFunction(CallKind kind)
{
    return kind == CallKind::once || kind == CallKind::call;
}

/// What the callee at a position is to the operator, for names: "then", "branch2", "body".
[[nodiscard]] std::string partName(CallKind kind, std::size_t callee);

/// The steps of a convolution or pooling along [height, width].
struct FilterWindow {
    bool same = true; ///< padded, so that the stride alone decides the extent of the result
    std::array<std::int64_t, 2> stride{1, 1};
    std::array<std::int64_t, 2> dilation{1, 1};
    std::array<std::int64_t, 2> extent{0, 0}; ///< of a pooling; 0: a convolution, whose weights have it
};

/// Of a STRIDED_SLICE: bit i tells of entry i of its operands.
struct SliceMasks {
    std::int32_t begin = 0;    ///< from the first element on, whatever the operand says
    std::int32_t end = 0;      ///< up to the last element
    std::int32_t ellipsis = 0; ///< the entry stands for all axes that have none
    std::int32_t newAxis = 0;
    std::int32_t shrink = 0; ///< of one element, and the result lacks the axis
};

struct OperatorInfo {
    std::string kind;          ///< "CONV_2D", or the name of a custom operator
    std::vector<Index> inputs; ///< tensors; -1: an optional one that is absent
    std::vector<Index> outputs;
    CallKind call = CallKind::none;
    /// Sub-graphs. conditional: then, else; choice: the branches by number; loop: condition, body; once: the initialisation;
    /// call: the decomposition.
    std::vector<Index> callees;
    std::optional<FilterWindow> window;
    std::optional<SliceMasks> masks;
    std::optional<std::int64_t> joined; ///< axis of a concatenation; negative: from the last one
    bool custom = false;
    std::int64_t byte = -1;
};

struct Subgraph {
    std::string name; ///< may be empty
    std::vector<TensorInfo> tensors;
    std::vector<Index> inputs;
    std::vector<Index> outputs;
    std::vector<OperatorInfo> operators;
    std::int64_t byte = -1;
};

/// The plan in a file: an offset for each tensor of all sub-graphs, -1 for tensors that the runtime places.
struct OfflinePlan {
    std::vector<std::int32_t> offsets; ///< as many as there are tensors
};

struct Model {
    std::string file;                ///< for messages
    std::vector<Subgraph> subgraphs; ///< at least one; [0] is the main one
    std::optional<OfflinePlan> plan;
};

/// By tensor of a sub-graph: true for its inputs and outputs and for operands and results of its operators. Requires indices in
/// range.
std::vector<bool> touchedTensors(const Subgraph& graph);
/// By sub-graph: true for those that no operator gives operands: the main one, what runs once, and further entry points.
std::vector<bool> entryGraphs(const Model& model);

/// "sub-graph 1 'body'".
std::string describe(const Model& model, Index subgraph);
/// "tensor 4 'conv1/out'", with " of sub-graph 0 'main'" where the model is given.
std::string describeTensor(const Subgraph& graph, Index tensor);
std::string describeTensor(const Model& model, Index subgraph, Index tensor);
/// "operator 7 (CONV_2D)", likewise.
std::string describeOperator(const Subgraph& graph, Index op);
std::string describeOperator(const Model& model, Index subgraph, Index op);

} // namespace stowage::tflite

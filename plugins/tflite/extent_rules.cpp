#include "plugins/tflite/extent_rules.h"

#include "core/ir/checked.h"
#include "core/ir/types.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stowage::tflite {
namespace {

using Extent = std::optional<std::int64_t>;

constexpr std::size_t maxKernelRank = 8;      ///< of the runtime's kernels
constexpr std::size_t maxFullyJoinedRank = 2; ///< up to it, a fully connected layer may join axes of its operand

/// Their result has the shape of the first operand. Sorted, as the other lists.
constexpr auto shapeOfFirst = std::to_array<std::string_view>({
    "ABS",
    "CAST",
    "CEIL",
    "COS",
    "CUMSUM",
    "DEQUANTIZE",
    "ELU",
    "EXP",
    "FAKE_QUANT",
    "FLOOR",
    "GELU",
    "HARD_SWISH",
    "L2_NORMALIZATION",
    "LEAKY_RELU",
    "LOCAL_RESPONSE_NORMALIZATION",
    "LOG",
    "LOGICAL_NOT",
    "LOGISTIC",
    "LOG_SOFTMAX",
    "NEG",
    "QUANTIZE",
    "RELU",
    "RELU6",
    "RELU_0_TO_1",
    "RELU_N1_TO_1",
    "REVERSE_SEQUENCE",
    "REVERSE_V2",
    "ROUND",
    "RSQRT",
    "SIGN",
    "SIN",
    "SOFTMAX",
    "SQRT",
    "SQUARE",
    "TANH",
    "ZEROS_LIKE",
});
/// Their operands are broadcast.
constexpr auto broadcasting = std::to_array<std::string_view>({
    "ADD",
    "ADD_N",
    "ATAN2",
    "BITWISE_XOR",
    "DIV",
    "EQUAL",
    "FLOOR_DIV",
    "FLOOR_MOD",
    "GREATER",
    "GREATER_EQUAL",
    "LESS",
    "LESS_EQUAL",
    "LOGICAL_AND",
    "LOGICAL_OR",
    "MAXIMUM",
    "MINIMUM",
    "MUL",
    "NOT_EQUAL",
    "POW",
    "PRELU",
    "RIGHT_SHIFT",
    "SELECT_V2",
    "SQUARED_DIFFERENCE",
    "SUB",
});
/// Axis 0 of their result is not that of their operands.
constexpr auto otherRows = std::to_array<std::string_view>({
    "BATCH_TO_SPACE_ND",
    "GATHER",
    "GATHER_ND",
    "NON_MAX_SUPPRESSION_V4",
    "NON_MAX_SUPPRESSION_V5",
    "RANGE",
    "SCATTER_ND",
    "SEGMENT_SUM",
    "SHAPE",
    "SPACE_TO_BATCH_ND",
    "SPARSE_TO_DENSE",
    "STABLEHLO_GATHER",
    "STABLEHLO_SCATTER",
    "STABLEHLO_TRANSPOSE",
    "TILE",
    "TRANSPOSE",
    "UNIQUE",
    "UNSORTED_SEGMENT_MAX",
    "UNSORTED_SEGMENT_MIN",
    "UNSORTED_SEGMENT_PROD",
    "UNSORTED_SEGMENT_SUM",
    "WHERE",
});
/// They keep the order of the elements.
constexpr auto reshaping = std::to_array<std::string_view>({
    "EXPAND_DIMS",
    "RESHAPE",
    "SQUEEZE",
    "STABLEHLO_RESHAPE",
});
/// An operand has the shape of their result as its elements.
constexpr auto shapeFromValues = std::to_array<std::string_view>({
    "BROADCAST_TO",
    "FILL",
    "RANDOM_STANDARD_NORMAL",
    "RANDOM_UNIFORM",
});
static_assert(std::is_sorted(shapeOfFirst.begin(), shapeOfFirst.end()));
static_assert(std::is_sorted(broadcasting.begin(), broadcasting.end()));
static_assert(std::is_sorted(otherRows.begin(), otherRows.end()));
static_assert(std::is_sorted(reshaping.begin(), reshaping.end()));
static_assert(std::is_sorted(shapeFromValues.begin(), shapeFromValues.end()));

template <std::size_t count>
bool contains(const std::array<std::string_view, count>& kinds, std::string_view kind)
{
    return std::binary_search(kinds.begin(), kinds.end(), kind);
}

const TensorInfo* operandOf(const Subgraph& graph, const OperatorInfo& op, std::size_t index)
{
    return index < op.inputs.size() && op.inputs[index] >= 0 ? &graph.tensors[at(op.inputs[index])] : nullptr;
}

/// The number of elements, without those along the axis `without`.
Extent elements(const TensorInfo* tensor, Index without)
{
    if (tensor == nullptr) return std::nullopt;
    std::int64_t count = 1;
    for (std::size_t axis = 0; axis < tensor->shape.size(); ++axis) {
        if (without >= 0 && axis == at(without)) continue;
        const auto product = tensor->shape[axis] < 0 ? std::nullopt : checkedMultiply(count, tensor->shape[axis]);
        if (!product) return std::nullopt;
        count = *product;
    }
    return count;
}

class ExtentRules {
public:
    ExtentRules(const Subgraph& graph, const OperatorInfo& op)
        : graph_(graph), op_(op), result_(graph.tensors[at(op.outputs.front())])
    {
    }

    /// Requires an operator that is not custom.
    [[nodiscard]] Extent extent(Index axis) const
    {
        const std::string_view kind = op_.kind;
        if (contains(shapeOfFirst, kind)) return likeFirst(axis);
        if (contains(broadcasting, kind)) return broadcast(axis);
        if (op_.window) return ofWindow(axis);
        if (op_.joined) return ofConcatenation(axis);
        if (kind == "FULLY_CONNECTED") return ofFullyConnected(axis);
        if (kind == "GATHER") return ofGather(axis);
        if (contains(reshaping, kind) || kind == "TRANSPOSE" || kind == "STABLEHLO_TRANSPOSE")
            return ofCount(axis, elements(operand(0), none));
        return std::nullopt;
    }

private:
    [[nodiscard]] const TensorInfo* operand(std::size_t index) const { return operandOf(graph_, op_, index); }

    [[nodiscard]] static Extent known(const TensorInfo* tensor, std::size_t rank, std::size_t axis)
    {
        if (tensor == nullptr || tensor->shape.size() != rank || tensor->shape[axis] < 0) return std::nullopt;
        return tensor->shape[axis];
    }

    [[nodiscard]] Extent likeFirst(Index axis) const { return known(operand(0), result_.shape.size(), at(axis)); }

    /// An operand of another extent than 1 decides; the others have the same one, or 1.
    [[nodiscard]] Extent broadcast(Index axis) const
    {
        bool unknown = false;
        Extent decided;
        for (std::size_t i = 0; i < op_.inputs.size(); ++i) {
            const TensorInfo* tensor = operand(i);
            if (tensor == nullptr) return std::nullopt;
            const std::size_t fromEnd = result_.shape.size() - at(axis); // axes are aligned at the last one
            if (fromEnd > tensor->shape.size()) continue;
            const std::int64_t extent = tensor->shape[tensor->shape.size() - fromEnd];
            if (extent < 0) unknown = true;
            if (extent < 0 || extent == 1) continue;
            if (decided && *decided != extent) return std::nullopt;
            decided = extent;
        }
        if (decided) return decided;
        return unknown || op_.inputs.empty() ? std::nullopt : Extent(1);
    }

    /// Tensors are [batch, height, width, channels]; weights [out, height, width, in], of a depthwise convolution [1, height,
    /// width, out].
    [[nodiscard]] Extent ofWindow(Index axis) const
    {
        constexpr std::size_t rank = 4, channels = 3;
        if (result_.shape.size() != rank) return std::nullopt;
        const Extent in = known(operand(0), rank, at(axis));
        if (axis == 0) return in;
        const FilterWindow& window = *op_.window;
        const bool pooling = window.extent[0] > 0;
        if (at(axis) == channels) {
            if (pooling) return in;
            return known(operand(1), rank, op_.kind == "DEPTHWISE_CONV_2D" ? channels : 0);
        }
        const std::size_t direction = at(axis) - 1;
        const Extent taps = pooling ? Extent(window.extent[direction]) : known(operand(1), rank, at(axis));
        if (!in || !taps || *taps < 1) return std::nullopt;
        const std::int64_t stride = window.stride[direction];
        if (window.same) return *in / stride + (*in % stride != 0 ? 1 : 0);
        const auto span = checkedMultiply(*taps - 1, window.dilation[direction]);
        if (!span || *span >= *in) return std::nullopt;
        return (*in - *span - 1) / stride + 1;
    }

    [[nodiscard]] Extent ofConcatenation(Index axis) const
    {
        const std::size_t rank = result_.shape.size();
        const std::int64_t joined = *op_.joined < 0 ? *op_.joined + static_cast<std::int64_t>(rank) : *op_.joined;
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < op_.inputs.size(); ++i) {
            const Extent extent = known(operand(i), rank, at(axis));
            if (axis != joined && extent) return extent;
            if (axis != joined) continue;
            const auto total = extent ? checkedAdd(sum, *extent) : std::nullopt;
            if (!total) return std::nullopt;
            sum = *total;
        }
        return axis == joined && !op_.inputs.empty() ? Extent(sum) : std::nullopt;
    }

    /// The weights are [units, depth]. The result has all rows of `depth` elements in axis 0, or keeps the operand's axes.
    [[nodiscard]] Extent ofFullyConnected(Index axis) const
    {
        const std::size_t rank = result_.shape.size();
        if (at(axis) + 1 == rank) return known(operand(1), 2, 0);
        if (rank > maxFullyJoinedRank) return likeFirst(axis);
        const Extent count = elements(operand(0), none), depth = known(operand(1), 2, 1);
        if (!count || !depth || *depth < 1 || *count % *depth != 0) return std::nullopt;
        return *count / *depth;
    }

    /// Of a table, whose own axes are fixed: where axis 0 of the result is open, the axes of the indices come first.
    [[nodiscard]] Extent ofGather(Index axis) const
    {
        const TensorInfo *table = operand(0), *indices = operand(1);
        if (table == nullptr || indices == nullptr || !table->constant || !table->dynamicAxes.empty()) return std::nullopt;
        if (result_.dynamicAxes.empty() || result_.dynamicAxes.front() != 0 || at(axis) >= indices->shape.size())
            return std::nullopt;
        return known(indices, indices->shape.size(), at(axis));
    }

    /// The axis has what the other axes leave of the elements.
    [[nodiscard]] Extent ofCount(Index axis, Extent count) const
    {
        const Extent others = elements(&result_, axis);
        if (!count || !others || *others < 1 || *count % *others != 0) return std::nullopt;
        return *count / *others;
    }

    const Subgraph& graph_;
    const OperatorInfo& op_;
    const TensorInfo& result_;
};

} // namespace

std::optional<std::int64_t> followingExtent(const Subgraph& graph, const OperatorInfo& op, Index axis)
{
    if (op.custom || op.outputs.size() != 1 || op.outputs.front() < 0) return std::nullopt;
    if (graph.tensors[at(op.outputs.front())].shape.size() > maxKernelRank) return std::nullopt;
    return ExtentRules(graph, op).extent(axis);
}

bool keepsRows(const Subgraph& graph, const OperatorInfo& op, const TensorInfo& result)
{
    if (op.custom || contains(otherRows, op.kind)) return false;
    if (op.kind == "FULLY_CONNECTED") return result.shape.size() > maxFullyJoinedRank;
    const TensorInfo* first = operandOf(graph, op, 0);
    // Known other axes decide axis 0. If they do not divide the elements, nothing does.
    if (contains(reshaping, op.kind)) return elements(first, none).has_value() && !elements(&result, 0).has_value();
    const bool losesAxes = first != nullptr && first->shape.size() > result.shape.size();
    return !losesAxes || first->dynamicAxes.empty() || first->dynamicAxes.back() == 0;
}

bool takesShapeAsOperand(const OperatorInfo& op)
{
    return !op.custom && contains(shapeFromValues, op.kind);
}

} // namespace stowage::tflite

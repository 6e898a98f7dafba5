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
    "BUCKETIZE",
    "CAST",
    "CEIL",
    "COMPLEX_ABS",
    "COS",
    "CUMSUM",
    "DEQUANTIZE",
    "DYNAMIC_UPDATE_SLICE",
    "ELU",
    "EXP",
    "FAKE_QUANT",
    "FLOOR",
    "GELU",
    "HARD_SWISH",
    "IMAG",
    "L2_NORMALIZATION",
    "LEAKY_RELU",
    "LOCAL_RESPONSE_NORMALIZATION",
    "LOG",
    "LOGICAL_NOT",
    "LOGISTIC",
    "LOG_SOFTMAX",
    "MATRIX_SET_DIAG",
    "NEG",
    "QUANTIZE",
    "REAL",
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
    "STABLEHLO_ABS",
    "STABLEHLO_CBRT",
    "STABLEHLO_CONVERT",
    "STABLEHLO_COSINE",
    "STABLEHLO_DYNAMIC_UPDATE_SLICE",
    "STABLEHLO_EXPONENTIAL",
    "STABLEHLO_FLOOR",
    "STABLEHLO_LOG",
    "STABLEHLO_LOGISTIC",
    "STABLEHLO_NEGATE",
    "STABLEHLO_RSQRT",
    "STABLEHLO_TANH",
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
    "STABLEHLO_ADD",
    "STABLEHLO_AND",
    "STABLEHLO_CLAMP",
    "STABLEHLO_COMPARE",
    "STABLEHLO_DIVIDE",
    "STABLEHLO_MAXIMUM",
    "STABLEHLO_MINIMUM",
    "STABLEHLO_MULTIPLY",
    "STABLEHLO_OR",
    "STABLEHLO_POWER",
    "STABLEHLO_REMAINDER",
    "STABLEHLO_SELECT",
    "STABLEHLO_SHIFT_LEFT",
    "STABLEHLO_SUBTRACT",
    "SUB",
});
/// An operator with results whose axis 0 is that of an operand.
struct RowSource {
    std::string_view kind;
    std::size_t operand = 0;
    std::size_t ownAxes = 0; ///< last axes of the results that are not those of the operand
};
constexpr auto keepingRows = std::to_array<RowSource>({
    {"AVERAGE_POOL_2D"},
    {"BIDIRECTIONAL_SEQUENCE_LSTM"},
    {"BIDIRECTIONAL_SEQUENCE_RNN"},
    {"BITCAST"},
    {"CONV_2D"},
    {"CONV_3D"},
    {"CONV_3D_TRANSPOSE", 2},
    {"DEPTHWISE_CONV_2D"},
    {"DEPTH_TO_SPACE"},
    {"EMBEDDING_LOOKUP"},
    {"HASHTABLE_FIND", 1},
    {"HASHTABLE_LOOKUP"},
    {"L2_POOL_2D"},
    {"LSTM"},
    {"MATRIX_DIAG"},
    {"MAX_POOL_2D"},
    {"MULTINOMIAL", 0, 1},
    {"PACK"}, // a new axis 0 is not open: it has the number of operands
    {"RESIZE_BILINEAR"},
    {"RESIZE_NEAREST_NEIGHBOR"},
    {"RFFT2D", 0, 2},
    {"RNN"},
    {"SELECT", 1},
    {"SPACE_TO_DEPTH"},
    {"STABLEHLO_SORT"},
    {"SVDF"},
    {"TOPK_V2", 0, 1},
    {"TRANSPOSE_CONV", 2},
    {"UNIDIRECTIONAL_SEQUENCE_LSTM"},
    {"UNIDIRECTIONAL_SEQUENCE_RNN"},
});
/// They remove axes of the first operand, or make their extents 1.
constexpr auto reducing = std::to_array<std::string_view>({
    "ARG_MAX",
    "ARG_MIN",
    "MEAN",
    "REDUCE_ALL",
    "REDUCE_ANY",
    "REDUCE_MAX",
    "REDUCE_MIN",
    "REDUCE_PROD",
    "STABLEHLO_REDUCE",
    "SUM",
    "UNPACK",
});
/// Operand 1 has two numbers for each axis: the elements added before and after those of operand 0.
constexpr auto padding = std::to_array<std::string_view>({
    "MIRROR_PAD",
    "PAD",
    "PADV2",
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
static_assert(std::ranges::is_sorted(keepingRows, {}, &RowSource::kind));
static_assert(std::is_sorted(reducing.begin(), reducing.end()));
static_assert(std::is_sorted(padding.begin(), padding.end()));
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
        if (kind == "TRANSPOSE")
            if (const Extent moved = ofPermutation(axis)) return moved;
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

    /// The axis of the operand that a constant permutation puts there.
    [[nodiscard]] Extent ofPermutation(Index axis) const
    {
        const TensorInfo* order = operand(1);
        const std::size_t rank = result_.shape.size();
        if (order == nullptr || order->numbers.size() != rank) return std::nullopt;
        const std::int64_t from = order->numbers[at(axis)];
        return from < 0 || from >= static_cast<std::int64_t>(rank) ? std::nullopt
                                                                   : known(operand(0), rank, static_cast<std::size_t>(from));
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

/// Whether the rows of a result are those of an operand with open rows: never for operators that no rule names.
class RowRules {
public:
    RowRules(const Subgraph& graph, const OperatorInfo& op, const TensorInfo& result) : graph_(graph), op_(op), result_(result) {}

    /// Requires an operator that is not custom.
    [[nodiscard]] bool keep() const
    {
        const std::string_view kind = op_.kind;
        const auto* const source = std::ranges::lower_bound(keepingRows, kind, {}, &RowSource::kind);
        if (source != keepingRows.end() && source->kind == kind) return open(source->operand) && rank() > source->ownAxes;
        if (contains(reducing, kind)) return open(0) && keptByReduction();
        if (contains(reshaping, kind)) return open(0) && keptByReshape();
        if (contains(padding, kind)) return open(0) && number(1, 0) == 0 && number(1, 1) == 0;
        if (kind == "BATCH_MATMUL") return keptByProduct();
        if (kind == "FULLY_CONNECTED") return open(0) && rank() > maxFullyJoinedRank;
        if (kind == "ONE_HOT") return open(0) && operand(1) != nullptr && operand(1)->constant; // the depth is not open
        if (kind == "SLICE") return open(0) && number(1, 0) == 0 && number(2, 0) == -1;         // all from the first one on
        if (kind == "SPLIT") return open(1) && isOtherAxis(number(0, 0));
        if (kind == "SPLIT_V") return open(0) && isOtherAxis(number(2, 0));
        if (kind == "STRIDED_SLICE") return open(0) && keptByStrides();
        if (kind == "TILE") return open(0) && number(1, 0) == 1;
        return false;
    }

private:
    [[nodiscard]] const TensorInfo* operand(std::size_t index) const { return operandOf(graph_, op_, index); }
    [[nodiscard]] std::size_t rank() const { return result_.shape.size(); }
    [[nodiscard]] bool open(std::size_t index) const { return operand(index) != nullptr && hasOpenRows(*operand(index)); }

    /// An element of an operand, where it is known.
    [[nodiscard]] std::optional<std::int64_t> number(std::size_t index, std::size_t element) const
    {
        const TensorInfo* tensor = operand(index);
        return tensor != nullptr && element < tensor->numbers.size() ? std::optional(tensor->numbers[element]) : std::nullopt;
    }

    /// Whether it is an axis, and not axis 0. Negative: from the last one.
    [[nodiscard]] bool isOtherAxis(std::optional<std::int64_t> axis) const
    {
        const auto axes = static_cast<std::int64_t>(rank());
        return axis && *axis != 0 && *axis > -axes && *axis < axes;
    }

    /// An open axis of the result is one of the operand. If the result has fewer axes, its axis 0 may be another one, unless the
    /// axes that it lacks are constants.
    [[nodiscard]] bool keptByReduction() const
    {
        if (operand(0)->shape.size() == rank() || operand(0)->dynamicAxes.back() == 0) return true;
        if (op_.kind == "STABLEHLO_REDUCE" || op_.kind == "UNPACK") return false; // operand 1 is no list of axes
        const auto axes = static_cast<std::int64_t>(operand(0)->shape.size());
        const TensorInfo* lost = operand(1);
        return lost != nullptr && !lost->numbers.empty() &&
               std::ranges::all_of(lost->numbers, [axes](std::int64_t axis) { return axis != 0 && axis > -axes && axis < axes; });
    }

    /// Known other axes decide axis 0. If they do not divide the elements, nothing does.
    [[nodiscard]] bool keptByReshape() const
    {
        return elements(operand(0), none).has_value() && !elements(&result_, 0).has_value();
    }

    /// Matrices are the last two axes, and the axes before them are broadcast. The first matrix may be a transposed one: then its
    /// columns are the rows of the result, which are open only if the columns are.
    [[nodiscard]] bool keptByProduct() const
    {
        constexpr std::size_t matrix = 2;
        if (rank() <= matrix) return open(0) && operand(0)->dynamicAxes.back() == 0;
        const auto full = [this](std::size_t index) { return open(index) && operand(index)->shape.size() == rank(); };
        return full(0) || full(1);
    }

    /// All rows, in steps of 1. An entry with another meaning than a range of rows is not worth a rule.
    [[nodiscard]] bool keptByStrides() const
    {
        if (!op_.masks) return false;
        const SliceMasks& masks = *op_.masks;
        const auto first = [](std::int32_t mask) { return (mask & 1) != 0; };
        if (first(masks.ellipsis) || first(masks.newAxis) || first(masks.shrink)) return false;
        return (first(masks.begin) || number(1, 0) == 0) && first(masks.end) && number(3, 0) == 1;
    }

    const Subgraph& graph_;
    const OperatorInfo& op_;
    const TensorInfo& result_;
};

} // namespace

bool hasOpenRows(const TensorInfo& tensor)
{
    return !tensor.dynamicAxes.empty() && tensor.dynamicAxes.front() == 0;
}

std::optional<std::int64_t> followingExtent(const Subgraph& graph, const OperatorInfo& op, Index axis)
{
    if (op.custom || op.outputs.size() != 1 || op.outputs.front() < 0) return std::nullopt;
    if (graph.tensors[at(op.outputs.front())].shape.size() > maxKernelRank) return std::nullopt;
    return ExtentRules(graph, op).extent(axis);
}

bool keepsRows(const Subgraph& graph, const OperatorInfo& op, const TensorInfo& result)
{
    if (op.custom) return false;
    return takesShapeAsOperand(op) || RowRules(graph, op, result).keep();
}

bool takesShapeAsOperand(const OperatorInfo& op)
{
    return !op.custom && contains(shapeFromValues, op.kind);
}

} // namespace stowage::tflite

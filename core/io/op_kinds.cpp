#include "core/io/op_kinds.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace stowage::io {

namespace {

/// The kind in lower case, without '_': "BROADCAST_TO" and "BroadcastTo" become equal.
std::string plainKind(std::string_view kind)
{
    std::string plain;
    for (const char c : kind)
        if (c != '_') plain.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    return plain;
}

/// Ops whose result is not a function of their operands, or that change a state.
constexpr std::array<std::string_view, 22> stateful = {
    "assignvariable", "bernoulli",         "callonce",
    "custom",         "delegate",          "hashtable",
    "hashtablefind",  "hashtableimport",   "hashtablesize",
    "multinomial",    "optional",          "print",
    "randomnormal",   "randomnormallike",  "randomstandardnormal",
    "randomuniform",  "randomuniformlike", "readvariable",
    "sequenceat",     "sequenceinsert",    "unidirectionalsequencelstm",
    "varhandle",
};

/// Element-wise kinds. Kinds with an operand of another shape (slope of PRelu) are not listed, because postponing requires that
/// all other operands are scalars, which is checked separately.
constexpr std::array<std::string_view, 53> elementWise = {
    "abs",     "acos",    "acosh",     "add",       "and",      "asin", "asinh",      "atan", "atanh",   "cast",  "ceil",
    "celu",    "clip",    "cos",       "cosh",      "div",      "elu",  "equal",      "erf",  "exp",     "floor", "floordiv",
    "gelu",    "greater", "hardswish", "leakyrelu", "less",     "log",  "logistic",   "max",  "maximum", "min",   "minimum",
    "mod",     "mul",     "neg",       "not",       "or",       "pow",  "reciprocal", "relu", "relu6",   "round", "rsqrt",
    "sigmoid", "sign",    "sin",       "softplus",  "softsign", "sqrt", "sub",        "tanh", "xor",
};

constexpr std::array<std::string_view, 4> repeating = {"broadcast", "broadcastto", "expand", "tile"};

constexpr std::array<std::string_view, 7> views = {"bitcast", "expanddims", "flatten",  "identity",
                                                   "reshape", "squeeze",    "unsqueeze"};

static_assert(std::is_sorted(stateful.begin(), stateful.end()) && std::is_sorted(elementWise.begin(), elementWise.end()) &&
              std::is_sorted(repeating.begin(), repeating.end()) && std::is_sorted(views.begin(), views.end()));

template <std::size_t n>
bool listed(const std::array<std::string_view, n>& sorted, std::string_view kind)
{
    return std::binary_search(sorted.begin(), sorted.end(), kind);
}

/// True for operators of domains other than those of ONNX and ONNX Runtime, whose effect is unknown.
bool foreignDomain(std::string_view kind)
{
    const auto colon = kind.rfind(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view domain = kind.substr(0, colon);
    return domain != "ai.onnx.ml" && domain != "com.microsoft";
}

OpEffect effectOf(std::string_view kind, std::string_view plain)
{
    if (listed(stateful, plain) || foreignDomain(kind)) return OpEffect::stateful;
    if (listed(elementWise, plain)) return OpEffect::elementWise;
    if (listed(repeating, plain)) return OpEffect::repeats;
    if (listed(views, plain)) return OpEffect::view;
    return plain == "constant" ? OpEffect::constant : OpEffect::computes;
}

struct WorkRule {
    std::string_view part; ///< a part of the plain kind
    OpWork work;
    bool whole = false; ///< `part` is the entire kind
};

/// The first matching rule applies.
constexpr std::array workRules{
    WorkRule{"convert", OpWork::moving},     WorkRule{"conv", OpWork::convolution},   WorkRule{"fullyconnected", OpWork::dense},
    WorkRule{"matmul", OpWork::product},     WorkRule{"gemm", OpWork::product},       WorkRule{"dense", OpWork::dense},
    WorkRule{"linear", OpWork::dense, true}, WorkRule{"lstm", OpWork::dense},         WorkRule{"gru", OpWork::dense, true},
    WorkRule{"svdf", OpWork::dense},         WorkRule{"softmax", OpWork::softmax},    WorkRule{"pool", OpWork::pooling},
    WorkRule{"reduce", OpWork::pooling},     WorkRule{"mean", OpWork::pooling, true}, WorkRule{"sum", OpWork::pooling, true},
    WorkRule{"argmax", OpWork::pooling},     WorkRule{"lrn", OpWork::softmax, true},  WorkRule{"normalization", OpWork::softmax},
    WorkRule{"reshape", OpWork::moving},     WorkRule{"concat", OpWork::moving},      WorkRule{"transpose", OpWork::moving, true},
    WorkRule{"squeeze", OpWork::moving},     WorkRule{"expanddims", OpWork::moving},  WorkRule{"pad", OpWork::moving},
    WorkRule{"split", OpWork::moving},       WorkRule{"slice", OpWork::moving},       WorkRule{"gather", OpWork::moving},
    WorkRule{"pack", OpWork::moving},        WorkRule{"flatten", OpWork::moving},     WorkRule{"identity", OpWork::moving, true},
    WorkRule{"cast", OpWork::moving},        WorkRule{"copy", OpWork::moving},        WorkRule{"shape", OpWork::moving, true},
    WorkRule{"constant", OpWork::moving},
};

OpWork workOf(std::string_view plain)
{
    const auto has = [&](std::string_view part) { return plain.find(part) != std::string_view::npos; };
    const auto found = std::find_if(workRules.begin(), workRules.end(),
                                    [&](const WorkRule& rule) { return rule.whole ? plain == rule.part : has(rule.part); });
    if (found == workRules.end()) return OpWork::elementWise;
    if (found->work == OpWork::convolution && has("depthwise")) return OpWork::depthwiseConvolution;
    if (found->work == OpWork::dense && (has("matmul") || has("gemm"))) return OpWork::product;
    return found->work;
}

} // namespace

OpTraits traitsOfKind(std::string_view kind)
{
    const std::string plain = plainKind(kind);
    return {effectOf(kind, plain), workOf(plain), plain == "if"};
}

void stateTraits(Program& program)
{
    std::unordered_map<std::string_view, OpTraits> known;
    for (Function& function : program.functions) {
        for (Tensor& tensor : function.tensors)
            tensor.handle = tensor.handle || tensor.dtype == "resource" || tensor.dtype == "variant";
        for (Op& op : function.ops) {
            if (op.traits.effect != OpEffect::unstated) continue;
            const auto [at, added] = known.try_emplace(op.kind);
            if (added) at->second = traitsOfKind(op.kind);
            op.traits = at->second;
        }
    }
}

} // namespace stowage::io

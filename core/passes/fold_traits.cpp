#include "core/passes/fold_traits.h"
#include "core/lower/view_ops.h"

#include "core/lower/merge.h"

#include <algorithm>
#include <array>

namespace stowage {

namespace {

/// Lower case, without '_': "BROADCAST_TO" and "BroadcastTo" are one kind.
std::string plainKind(std::string_view kind)
{
    std::string plain;
    for (const char c : kind)
        if (c != '_') plain.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    return plain;
}

template <std::size_t n>
bool listed(const std::array<std::string_view, n>& sorted, std::string_view kind)
{
    return std::binary_search(sorted.begin(), sorted.end(), kind);
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

/// One operand decides, or all of them, element by element. A kind with operands of its own shape (PRelu's slope) is missing on
/// purpose: postponing needs all other operands to be scalars, which is checked apart.
constexpr std::array<std::string_view, 53> elementWise = {
    "abs",     "acos",    "acosh",     "add",       "and",      "asin", "asinh",      "atan", "atanh",   "cast",  "ceil",
    "celu",    "clip",    "cos",       "cosh",      "div",      "elu",  "equal",      "erf",  "exp",     "floor", "floordiv",
    "gelu",    "greater", "hardswish", "leakyrelu", "less",     "log",  "logistic",   "max",  "maximum", "min",   "minimum",
    "mod",     "mul",     "neg",       "not",       "or",       "pow",  "reciprocal", "relu", "relu6",   "round", "rsqrt",
    "sigmoid", "sign",    "sin",       "softplus",  "softsign", "sqrt", "sub",        "tanh", "xor",
};

constexpr std::array<std::string_view, 4> broadcasting = {"broadcast", "broadcastto", "expand", "tile"};

static_assert(std::is_sorted(stateful.begin(), stateful.end()) && std::is_sorted(elementWise.begin(), elementWise.end()) &&
              std::is_sorted(broadcasting.begin(), broadcasting.end()));

/// An operator of a domain that is neither ONNX's nor ONNX Runtime's may do anything.
bool foreignDomain(std::string_view kind)
{
    const auto colon = kind.rfind(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view domain = kind.substr(0, colon);
    return domain != "ai.onnx.ml" && domain != "com.microsoft";
}

FoldTraits traitsOfKind(const Op& op)
{
    const std::string kind = plainKind(op.kind);
    FoldTraits traits;
    traits.pure = !listed(stateful, kind) && !foreignDomain(op.kind) && !op.inPlaceRequired;
    traits.known = true;
    traits.elementWise = listed(elementWise, kind);
    traits.broadcast = listed(broadcasting, kind);
    traits.view = lowering::isView(op);
    return traits;
}

} // namespace

FoldTraits foldTraits(const Op& op)
{
    const std::string* text = attribute(op.attributes, foldAttribute);
    if (!text) return traitsOfKind(op);
    FoldTraits traits;
    std::string_view rest = *text;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(' '), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        traits.pure |= word == "pure";
        traits.known |= word == "known";
        traits.elementWise |= word == "element-wise";
        traits.broadcast |= word == "broadcast";
        traits.view |= word == "view";
        traits.evaluable |= word == "evaluable";
    }
    return traits;
}

std::string toText(const FoldTraits& traits)
{
    std::string text;
    const auto add = [&](bool has, std::string_view word) {
        if (!has) return;
        if (!text.empty()) text.push_back(' ');
        text.append(word);
    };
    add(traits.pure, "pure");
    add(traits.known, "known");
    add(traits.elementWise, "element-wise");
    add(traits.broadcast, "broadcast");
    add(traits.view, "view");
    add(traits.evaluable, "evaluable");
    return text;
}

} // namespace stowage

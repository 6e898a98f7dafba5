#include "core/lower/hivm/in_place.h"

#include "core/ir/dtype.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace stowage::lowering {

namespace {

using namespace std::string_view_literals;

constexpr std::array isaOps{"vadd"sv, "vsub"sv, "vmax"sv, "vmin"sv, "vor"sv, "vand"sv, "vmul"sv};
constexpr std::array scratchOps{"vadd"sv, "vmul"sv, "vmax"sv, "vmin"sv, "vsub"sv,  "vdiv"sv, "vand"sv,   "vor"sv,   "vshl"sv,
                                "vshr"sv, "vnot"sv, "vabs"sv, "vln"sv,  "vrelu"sv, "vexp"sv, "vrsqrt"sv, "vsqrt"sv, "vrec"sv};
constexpr std::array elementWiseOps{"vadd"sv, "vsub"sv,  "vmul"sv, "vdiv"sv, "vmax"sv,  "vmin"sv,   "vand"sv,   "vor"sv,
                                    "vxor"sv, "vnot"sv,  "vabs"sv, "vln"sv,  "vrelu"sv, "vexp"sv,   "vrsqrt"sv, "vsqrt"sv,
                                    "vrec"sv, "vtanh"sv, "vsin"sv, "vcos"sv, "verf"sv,  "vpow"sv,   "vmod"sv,   "vshl"sv,
                                    "vshr"sv, "vcast"sv, "vcmp"sv, "vsel"sv, "vneg"sv,  "vfloor"sv, "vceil"sv,  "vround"sv};

bool isOneOf(std::string_view name, std::span<const std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view shortName(const Op& op)
{
    constexpr std::string_view prefix = "hivm.hir.";
    const std::string_view kind = op.kind;
    return kind.starts_with(prefix) ? kind.substr(prefix.size()) : std::string_view();
}

const Tensor& tensorOf(const Function& function, TensorId id)
{
    return function.tensors[static_cast<std::size_t>(id)];
}

/// True for an inline broadcast or transpose that does something: "[]" does not.
bool has(const Op& op, std::string_view name)
{
    const std::string* value = attribute(op.attributes, name);
    return value && *value != "[]";
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// Calls visit(type) for the scalar operands' types.
template <typename Visit>
void eachScalar(const Op& op, Visit&& visit)
{
    const std::string* all = attribute(op.attributes, "scalars");
    if (!all) return;
    for (std::string_view rest = *all; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        visit(trimmed(rest.substr(0, comma)));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
}

bool oneElementType(const Function& function, const Op& op, std::string_view type)
{
    bool same = true;
    for (const auto* list : {&op.inputs, &op.outputs})
        for (const TensorId id : *list) same = same && tensorOf(function, id).dtype == type;
    eachScalar(op, [&](std::string_view scalar) { same = same && scalar == type; });
    return same;
}

bool isStatic(const Tensor& tensor)
{
    return std::all_of(tensor.shape.begin(), tensor.shape.end(), [](std::int64_t extent) { return extent >= 0; });
}

} // namespace

bool mayWriteOver(const Function& function, const Op& op, TensorId written, TensorId dead, bool asIsa)
{
    const std::string_view name = shortName(op);
    const Tensor& output = tensorOf(function, written);
    const Tensor& input = tensorOf(function, dead);
    const bool broadcast = has(op, "broadcast");
    const bool transpose = has(op, "transpose");
    if (isOneOf(name, isaOps) && !broadcast && !transpose) return true;
    if (asIsa || !isOneOf(name, elementWiseOps) || transpose) return false;
    if (!op.temps.empty()) {
        const bool wanted = broadcast || attribute(op.attributes, "scalars") != nullptr;
        if (op.temps.size() > 1 || !wanted || !isOneOf(name, scratchOps)) return false;
    }
    if (broadcast && !(isStatic(output) && output.shape == input.shape)) return false;
    if (oneElementType(function, op, output.dtype)) return true;
    const int outputBits = dtypeBits(output.dtype).value_or(0);
    const int inputBits = dtypeBits(input.dtype).value_or(0);
    if (name == "vsel") return !(outputBits == 64 && output.dtype.starts_with('i') && input.dtype == "i1");
    const int firstBits = op.inputs.empty() ? 0 : dtypeBits(tensorOf(function, op.inputs.front()).dtype).value_or(0);
    if (outputBits <= 0 || firstBits <= 0 || inputBits <= 0) return false;
    if (firstBits == outputBits) return true;
    if (firstBits % outputBits != 0) return false;
    if (name != "vcast") return true;
    const std::string* strided = attribute(output.attributes, "strided");
    return output.shape.size() <= 1 && input.shape.size() <= 1 && !strided && !attribute(input.attributes, "strided");
}

} // namespace stowage::lowering

#include "plugins/hivm/in_place.h"

#include <algorithm>
#include <array>
#include <span>

namespace stowage::hivm {

namespace {

using namespace std::string_view_literals;

constexpr std::array isaOps{"vadd"sv, "vsub"sv, "vmax"sv, "vmin"sv, "vor"sv, "vand"sv, "vmul"sv};
constexpr std::array scratchOps{"vadd"sv, "vmul"sv, "vmax"sv, "vmin"sv, "vsub"sv,  "vdiv"sv, "vand"sv,   "vor"sv,   "vshl"sv,
                                "vshr"sv, "vnot"sv, "vabs"sv, "vln"sv,  "vrelu"sv, "vexp"sv, "vrsqrt"sv, "vsqrt"sv, "vrec"sv};
constexpr std::array elementWiseOps{
    "vadd"sv,  "vsub"sv,   "vmul"sv,   "vdiv"sv,   "vmax"sv,    "vmin"sv,     "vand"sv,   "vor"sv,    "vxor"sv,   "vnot"sv,
    "vabs"sv,  "vln"sv,    "vrelu"sv,  "vexp"sv,   "vrsqrt"sv,  "vsqrt"sv,    "vrec"sv,   "vtanh"sv,  "vsin"sv,   "vcos"sv,
    "verf"sv,  "vpow"sv,   "vmod"sv,   "vshl"sv,   "vshr"sv,    "vcast"sv,    "vcmp"sv,   "vsel"sv,   "vneg"sv,   "vfloor"sv,
    "vceil"sv, "vround"sv, "vatan"sv,  "vtan"sv,   "vexp2"sv,   "vexpm1"sv,   "vilogb"sv, "vldexp"sv, "visinf"sv, "visnan"sv,
    "vlog2"sv, "vlog10"sv, "vlog1p"sv, "vmodui"sv, "vmulext"sv, "vmulextui"sv};

bool isOneOf(std::string_view name, std::span<const std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool oneLayoutOffset(const InPlaceOp& op)
{
    return std::all_of(op.inputs.begin(), op.inputs.end(),
                       [&](const Type& type) { return !type.shaped() || type.layoutOffset == op.outputs.front().layoutOffset; });
}

bool oneElementType(const InPlaceOp& op, std::string_view element)
{
    const auto same = [&](const Type& type) { return type.element == element; };
    return std::all_of(op.inputs.begin(), op.inputs.end(), same) && std::all_of(op.outputs.begin(), op.outputs.end(), same);
}

bool byWidth(const InPlaceOp& op, const Type& written, const Type& dead)
{
    const int bits = elementBits(written.element).value_or(0);
    if (bits <= 0) return false;
    for (const Type& input : op.inputs) {
        const int its = input.shaped() ? elementBits(input.element).value_or(0) : 0;
        if (its <= 0 || its % bits != 0) continue;
        if (its == bits || op.name != "vcast") return true;
        return written.shape.size() <= 1 && dead.shape.size() <= 1 && written.contiguous && dead.contiguous;
    }
    return false;
}

} // namespace

bool allowedByIsa(const InPlaceOp& op)
{
    return isOneOf(op.name, isaOps) && !op.broadcast && !op.transpose;
}

bool mayWriteOver(const InPlaceOp& op, std::size_t output, std::size_t input)
{
    const Type& written = op.outputs[output];
    const Type& dead = op.inputs[input];
    if (!oneLayoutOffset(op)) return false;
    if (allowedByIsa(op)) return true;
    if (!isOneOf(op.name, elementWiseOps) || op.transpose) return false;
    if (op.scratch > 0) {
        const bool scalars = std::any_of(op.inputs.begin(), op.inputs.end(), [](const Type& type) { return !type.shaped(); });
        if (op.scratch > 1 || !(op.broadcast || scalars) || !isOneOf(op.name, scratchOps)) return false;
    }
    if (op.broadcast && written.shape != dead.shape) return false;
    if (oneElementType(op, written.element)) return true;
    if (op.name == "vsel")
        return !(elementBits(written.element) == 64 && written.element.starts_with('i') && dead.element == "i1");
    return byWidth(op, written, dead);
}

} // namespace stowage::hivm

#include "plugins/hivm/ops.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stowage::hivm {

namespace {

using namespace std::string_view_literals;

constexpr auto roles = std::to_array<std::pair<std::string_view, OpRole>>({
    {"affine.apply", OpRole::plain},
    {"affine.dma_start", OpRole::unknown},
    {"affine.for", OpRole::loop},
    {"affine.if", OpRole::branch},
    {"affine.load", OpRole::load},
    {"affine.parallel", OpRole::loop},
    {"affine.store", OpRole::store},
    {"affine.vector_store", OpRole::write},
    {"affine.yield", OpRole::terminator},
    {"annotation.mark", OpRole::mark},
    {"arith.select", OpRole::select},
    {"bufferization.alloc_tensor", OpRole::plain},
    {"bufferization.materialize_in_destination", OpRole::copyTo},
    {"bufferization.to_buffer", OpRole::view},
    {"bufferization.to_memref", OpRole::view},
    {"bufferization.to_tensor", OpRole::view},
    {"call", OpRole::call},
    {"cf.br", OpRole::jump},
    {"cf.cond_br", OpRole::jump},
    {"cf.switch", OpRole::jump},
    {"func.call", OpRole::call},
    {"func.call_indirect", OpRole::call},
    {"func.return", OpRole::terminator},
    {"hivm.hir.bitcast", OpRole::view},
    {"hivm.hir.convert_layout", OpRole::view},
    {"hivm.hir.debug", OpRole::neutral},
    {"hivm.hir.pointer_cast", OpRole::pointerCast},
    {"memref.alloc", OpRole::alloc},
    {"memref.alloca", OpRole::alloc},
    {"memref.assume_alignment", OpRole::neutral},
    {"memref.cast", OpRole::view},
    {"memref.collapse_shape", OpRole::view},
    {"memref.copy", OpRole::copyTo},
    {"memref.dealloc", OpRole::neutral},
    {"memref.dim", OpRole::neutral},
    {"memref.expand_shape", OpRole::view},
    {"memref.extract_aligned_pointer_as_index", OpRole::neutral},
    {"memref.extract_strided_metadata", OpRole::view},
    {"memref.load", OpRole::load},
    {"memref.memory_space_cast", OpRole::view},
    {"memref.prefetch", OpRole::neutral},
    {"memref.rank", OpRole::neutral},
    {"memref.reinterpret_cast", OpRole::view},
    {"memref.reshape", OpRole::view},
    {"memref.store", OpRole::store},
    {"memref.subview", OpRole::view},
    {"memref.transpose", OpRole::view},
    {"memref.view", OpRole::view},
    {"memref_ext.alloc_workspace", OpRole::workspace},
    {"return", OpRole::terminator},
    {"scf.condition", OpRole::terminator},
    {"scf.execute_region", OpRole::once},
    {"scf.for", OpRole::loop},
    {"scf.forall", OpRole::loop},
    {"scf.if", OpRole::branch},
    {"scf.index_switch", OpRole::branch},
    {"scf.parallel", OpRole::loop},
    {"scf.reduce", OpRole::terminator},
    {"scf.while", OpRole::whileLoop},
    {"scf.yield", OpRole::terminator},
    {"scope.return", OpRole::terminator},
    {"scope.scope", OpRole::once},
    {"tensor.cast", OpRole::view},
    {"tensor.collapse_shape", OpRole::view},
    {"tensor.dim", OpRole::neutral},
    {"tensor.expand_shape", OpRole::view},
    {"tensor.extract_slice", OpRole::view},
    {"tensor.insert", OpRole::insert},
    {"tensor.insert_slice", OpRole::insert},
    {"tensor.reshape", OpRole::view},
    {"vector.compressstore", OpRole::writeFirst},
    {"vector.load", OpRole::plain},
    {"vector.maskedload", OpRole::plain},
    {"vector.maskedstore", OpRole::writeFirst},
    {"vector.scatter", OpRole::writeFirst},
    {"vector.store", OpRole::write},
    {"vector.transfer_read", OpRole::plain},
    {"vector.transfer_write", OpRole::write},
});

/// Dialects whose other ops read what they are given.
constexpr std::array plainDialects{"arith"sv,  "math"sv,   "affine"sv, "index"sv, "cf"sv,  "vector"sv,
                                   "tensor"sv, "linalg"sv, "llvm"sv,   "func"sv,  "scf"sv, "bufferization"sv};

constexpr std::array macros{"matmul"sv, "mix_matmul"sv, "mix_group_matmul"sv};
constexpr std::array integerArithmetic{"vadd"sv, "vsub"sv, "vmul"sv, "vdiv"sv, "vmax"sv, "vmin"sv, "vabs"sv,
                                       "vneg"sv, "vshl"sv, "vshr"sv, "vand"sv, "vor"sv,  "vxor"sv, "vnot"sv};

template <std::size_t Size>
bool isOneOf(std::string_view name, const std::array<std::string_view, Size>& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view spaceOf(std::span<const Type> types)
{
    for (const Type& type : types)
        if (type.shaped()) return type.space;
    return {};
}

std::string_view copyPipe(std::string_view from, std::string_view to)
{
    if (from == "cc") return "FIX";
    if (to == "cbuf") return from == "ub" ? "MTE3" : "MTE2";
    if (from == "cbuf") return "MTE1";
    if (from == "ub") return to == "gm" || to.empty() ? "MTE3" : "V";
    return to == "ub" ? "MTE2" : "";
}

/// Vector ops that are lowered to loops of scalar ones.
bool isScalarLoop(std::string_view name, std::span<const Type> inputs, std::string_view compare)
{
    if (name == "vmod") return true;
    const auto first = std::find_if(inputs.begin(), inputs.end(), [](const Type& type) { return type.shaped(); });
    if (first == inputs.end()) return false;
    const std::string_view element = first->element;
    const bool integer = element.starts_with('i') || element.starts_with("si") || element.starts_with("ui");
    if (name == "vcmp") {
        const bool equality = compare.empty() || compare == "<eq>" || compare == "<ne>";
        return integer && element != "i1" && !(element.ends_with("i32") && equality);
    }
    return integer && element.ends_with("64") && isOneOf(name, integerArithmetic);
}

} // namespace

OpRole roleOf(std::string_view kind, bool structured)
{
    const auto found = std::lower_bound(roles.begin(), roles.end(), kind,
                                        [](const auto& row, std::string_view name) { return row.first < name; });
    if (found != roles.end() && found->first == kind) return found->second;
    if (structured) return OpRole::destination;
    const std::string_view dialect = kind.substr(0, kind.find('.'));
    return isOneOf(dialect, plainDialects) ? OpRole::plain : OpRole::unknown;
}

std::string_view pipeOf(std::string_view kind, std::span<const Type> inputs, std::span<const Type> outputs,
                        std::string_view compare)
{
    if (kind == "memref.load" || kind == "memref.store" || kind == "affine.load" || kind == "affine.store") return "S";
    constexpr std::string_view prefix = "hivm.hir.";
    if (!kind.starts_with(prefix)) return "";
    const std::string_view name = kind.substr(prefix.size());
    const std::string_view from = spaceOf(inputs);
    const std::string_view to = spaceOf(outputs);
    if (name == "load" || name == "nd2nz" || name == "load_scale") return "MTE2";
    if (name == "store" || name == "nz2nd") return "MTE3";
    if (name == "copy") return copyPipe(from, to);
    if (name == "l12ub") return "MTE1";
    if (name == "fixpipe") return "FIX";
    if (name == "vbrc" && to == "cbuf") return "MTE2";
    if (isOneOf(name, macros)) return "MTE2+MTE3";
    if (name.starts_with("mmad") || name.starts_with("batchMmad") || name.starts_with("Conv")) return "M";
    if (name.starts_with('v') && name != "view") return isScalarLoop(name, inputs, compare) ? "S" : "V";
    const bool moves = name.find("gather") != std::string_view::npos || name.find("scatter") != std::string_view::npos ||
                       name.find("indirect") != std::string_view::npos || name.find("stride") != std::string_view::npos;
    return moves ? "V" : "";
}

} // namespace stowage::hivm

// Options of the lowering, their names and checks.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/program.h"
#include "core/ir/types.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace stowage {

enum class Order : std::uint8_t { linear, dag, hivm };
enum class LoopMode : std::uint8_t { conservative, precise };
enum class ViewMode : std::uint8_t { separate, merged };
enum class InPlaceMode : std::uint8_t { allowed, off };
/// What Ascend's pass plans: `memref.alloc` in memories on the chip, or `memref_ext.alloc_workspace` in global memory. The
/// compiler's pipeline runs it in either mode in turn; `both` does so in one planning.
enum class MemPlanMode : std::uint8_t { both, local, workspace };

/// `--lower KEY=VALUE`. Runs from different options carry different fingerprints and are not ranked together silently. `order`:
/// `linear`, the listed order; `dag`, any order that the data dependencies allow: explicit conflicts, and live ranges of the
/// listed order (core/lower/partial_order.h, conflicts.h). `loops`: `conservative`, carried values are copied and live over the
/// whole loop; `precise`, where possible they are not copied and are live only where they are needed (core/lower/carries.h), and
/// neither are results of branches and exits (core/lower/phi.h).
struct LowerOptions {
    Order order = Order::linear;
    LoopMode loops = LoopMode::conservative;
    ViewMode views = ViewMode::separate;
    InPlaceMode inPlace = InPlaceMode::off;
    bool isaInPlace = false; ///< `restrict-inplace-as-isa=on`: with `order=hivm` only ops that the instruction set lets write
                             ///< over an input do so
    MemPlanMode memPlan = MemPlanMode::both; ///< `mem-plan-mode`: with `order=hivm` the other mode's buffers are left out
    Bytes simtBytes = Bytes{216} * 1024; ///< `simt-vf-dynamic-size`, there in KB: with `order=hivm` what a function of SIMT or
                                         ///< MIX mode has of a larger `ub`; >= 1
    bool coupledApart = false; ///< `disable-tightly-coupled-buffer-reuse`: with `order=hivm` a tightly coupled buffer in a memory
                               ///< of the function's own core is unique
    Bytes alignment = 1;       ///< `--alignment N`: raises all alignments and rounds sizes up to it; 0: element_alignment.h
    std::vector<Pool> pools;   ///< the target; empty: the program's own, else one unbounded workspace pool named "arena"

    friend bool operator==(const LowerOptions&, const LowerOptions&) = default;
    /// Sets one option from its textual form; an error names the choices.
    std::optional<Error> set(std::string_view key, std::string_view value);
};

} // namespace stowage

namespace stowage::lowering {

/// The textual forms, in the order of the enumerators.
inline constexpr std::array<std::string_view, 3> orderNames{"linear", "dag", "hivm"};
inline constexpr std::array<std::string_view, 2> loopNames{"conservative", "precise"};
inline constexpr std::array<std::string_view, 2> viewNames{"separate", "merged"};
inline constexpr std::array<std::string_view, 2> inPlaceNames{"allowed", "off"};
inline constexpr std::array<std::string_view, 2> switchNames{"off", "on"};
inline constexpr std::array<std::string_view, 3> memPlanNames{"both", "local-mem-plan", "global-work-space-plan"};
inline constexpr Bytes maxSimtKilobytes = 65536;

/// The options of Ascend's compiler that the lowering obeys. A planner of kernels may list some in its schema, so that they are
/// offered with it; whoever plans hands them to the lowering.
inline constexpr std::array<std::string_view, 4> kernelOptions{"restrict-inplace-as-isa", "mem-plan-mode", "simt-vf-dynamic-size",
                                                               "disable-tightly-coupled-buffer-reuse"};
[[nodiscard]] constexpr bool isKernelOption(std::string_view name)
{
    for (const std::string_view each : kernelOptions)
        if (each == name) return true;
    return false;
}

/// Nothing when the values are in range.
std::optional<Error> check(const LowerOptions& options);

} // namespace stowage::lowering

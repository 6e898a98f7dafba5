// Names and checks of the lowering options.
#pragma once

#include "core/lower/lower.h"

#include <array>
#include <string_view>

namespace stowage::lowering {

/// The textual forms, in the order of the enumerators.
inline constexpr std::array<std::string_view, 3> orderNames{"linear", "dag", "hivm"};
inline constexpr std::array<std::string_view, 2> loopNames{"conservative", "precise"};
inline constexpr std::array<std::string_view, 2> viewNames{"separate", "merged"};
inline constexpr std::array<std::string_view, 2> inPlaceNames{"allowed", "off"};
inline constexpr std::array<std::string_view, 2> switchNames{"off", "on"};
inline constexpr std::array<std::string_view, 3> memPlanNames{"both", "local-mem-plan", "global-work-space-plan"};
inline constexpr Bytes mostSimtKilobytes = 65536;

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

/// "order=linear loops=conservative views=separate inplace=off alignment=1"
std::string fingerprint(const LowerOptions& options);

/// Nothing when the values are in range.
std::optional<Error> check(const LowerOptions& options);

} // namespace stowage::lowering

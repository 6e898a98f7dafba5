// Names in `stowage.problem/1` that both reader and writer use.
#pragma once

#include <array>
#include <string_view>

namespace stowage::io::problem {

inline constexpr std::string_view formatName = "stowage.problem/1";
inline constexpr std::array<std::string_view, 3> axisNames{"ops", "hivm", "dag"};
inline constexpr std::array<std::string_view, 5> kindNames{"intermediate", "input", "output", "constant", "variable"};

} // namespace stowage::io::problem

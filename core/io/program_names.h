// Names of a program's enumerators in files, and a hash for maps by name.
#pragma once

#include <array>
#include <functional>
#include <string_view>

namespace stowage::io {

/// By enumerator of `TensorKind`.
inline constexpr std::array<std::string_view, 5> tensorKindNames{"intermediate", "input", "output", "constant", "variable"};
/// By enumerator of `Availability`.
inline constexpr std::array<std::string_view, 3> availabilityNames{"unknown", "compile-time", "run-time"};

/// By enumerator of `OpEffect`.
inline constexpr std::array<std::string_view, 7> opEffectNames{"unstated", "computes", "element-wise", "repeats",
                                                               "view",     "constant", "stateful"};
/// By enumerator of `OpWork`.
inline constexpr std::array<std::string_view, 8> opWorkNames{
    "element-wise", "convolution", "depthwise-convolution", "dense", "product", "pooling", "softmax", "moving"};

/// Allows to look up a std::string_view in a map with keys of type std::string.
struct NameHash {
    using is_transparent = void;
    [[nodiscard]] std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
};

} // namespace stowage::io

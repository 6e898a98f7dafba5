// Op codes, and kinds of ops in words. No Qt.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// A kind as words: "DEPTHWISE_CONV_2D" -> "Depthwise conv 2d", "linalg.matmul" -> "Matmul", "MaxPool" -> "Max pool".
[[nodiscard]] std::string kindInWords(std::string_view kind);

/// An op code of at most `letters` (2 or 3) for each kind, all different: the usual one if there is one ("CV", "FC"), else from
/// its words; with digits if the letters do not suffice. Deterministic.
[[nodiscard]] std::vector<std::string> opCodes(std::span<const std::string> kinds, std::size_t letters = 3);

} // namespace stowage

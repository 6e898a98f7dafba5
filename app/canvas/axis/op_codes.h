// Two or three letters for an op, and its kind in words. No Qt.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// A kind as words: "DEPTHWISE_CONV_2D" -> "Depthwise conv 2d", "linalg.matmul" -> "Matmul", "MaxPool" -> "Max pool".
[[nodiscard]] std::string kindInWords(std::string_view kind);

/// A code of at most `letters` (2 or 3) for each kind, all different: the usual one where there is one ("CV", "FC"), else from
/// its words; numbers where letters run out. Deterministic.
[[nodiscard]] std::vector<std::string> opCodes(std::span<const std::string> kinds, std::size_t letters = 3);

} // namespace stowage

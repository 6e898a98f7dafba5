// Reads the text of a diagnostic's code: from a file, or from a program of others.
#pragma once

#include "core/ir/diagnostic.h"

#include <optional>
#include <string_view>

namespace stowage::io {

/// The code that has this text ("overflow"); nothing when Stowage defines none. O(log codes).
[[nodiscard]] std::optional<Code> codeOf(std::string_view text);

/// Sets the code of a diagnostic from its text: one of ours, or a foreign one. O(log codes).
void setCode(Diagnostic& diagnostic, std::string_view text);

} // namespace stowage::io

// Reads the text of a diagnostic's code, from a file or from another program.
#pragma once

#include "core/ir/diagnostic.h"

#include <optional>
#include <string_view>

namespace stowage::io {

/// The code with this text ("overflow"); no value if Stowage defines none. O(log codes).
[[nodiscard]] std::optional<Code> codeOf(std::string_view text);

/// Sets the code of a diagnostic from its text; a text that Stowage does not define becomes a foreign code. O(log codes).
void setCode(Diagnostic& diagnostic, std::string_view text);

} // namespace stowage::io

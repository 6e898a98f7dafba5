// The kind of a diagnostic, a value that the program acts on. Its text is made where it is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stowage {

enum class Code : std::uint16_t {
    /// A code that Stowage does not define: of a plug-in, or read from a file. `Diagnostic::foreignCode` has its text.
    foreign,
#define CODE(name, text) name,
#include "core/ir/code_list.h"
#undef CODE
    count ///< number of codes; not a code
};

/// The kebab-case text of a code: "unknown-field". Empty for `foreign`.
[[nodiscard]] std::string_view toText(Code code);

/// The code that has this text; nothing when Stowage defines none. O(log n).
[[nodiscard]] std::optional<Code> codeOf(std::string_view text);

} // namespace stowage

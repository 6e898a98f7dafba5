// The kind of a diagnostic, as a value that the program can compare. `toText` makes its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stowage {

enum class Code : std::uint16_t {
    /// A code that Stowage does not define, from a plug-in or a file. `Diagnostic::foreign` holds its name.
    foreign,
#define CODE(name, text) name,
#include "core/ir/code_list.h"
#undef CODE
    count ///< number of codes; not a code
};

/// The kebab-case text of a code: "unknown-field". Empty for `foreign`.
[[nodiscard]] std::string_view toText(Code code);

/// The name of a code that Stowage does not define, in kebab-case. Stowage only passes it on and shows it.
struct ForeignCode {
    std::string name;

    friend bool operator==(const ForeignCode&, const ForeignCode&) = default;
};

} // namespace stowage

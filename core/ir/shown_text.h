// Makes names and messages from files safe to show in terminals, pictures and the window. Files for programs (JSON, CSV, DOT)
// hold the exact name instead.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stowage {

/// Maximum number of characters (code points) of a name that are shown.
inline constexpr std::size_t maxShownName = 200;
/// Maximum number of characters of a message that are shown.
inline constexpr std::size_t maxShownMessage = 4'000;

/// `name` with control characters, line and paragraph separators, bidirectional overrides and bytes that are not UTF-8 written as
/// escapes ("\n", "\x1b", "\u202e"). A name of more than `maxLength` characters is shortened to its beginning and end with "…"
/// between them. O(maxLength), independent of the length of the name.
[[nodiscard]] std::string shownName(std::string_view name, std::size_t maxLength = maxShownName);

/// A message that may contain names. Escaped like a name, except for line feeds; each word of more than `maxShownName` characters
/// is shortened like a name, and the message to `maxShownMessage` characters. O(length).
[[nodiscard]] std::string shownMessage(std::string_view message);

/// The same without a limit for the length of the text.
[[nodiscard]] std::string shownText(std::string_view text);

} // namespace stowage

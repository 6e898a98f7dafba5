// How names and messages from files are shown to people: in terminals, pictures and the window. Files that programs read (JSON,
// CSV, DOT) hold the exact name instead.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stowage {

/// Characters (code points) of a name that are shown at most.
inline constexpr std::size_t maxShownName = 200;
/// Characters of a message that are shown at most.
inline constexpr std::size_t maxShownMessage = 4'000;

/// `name` with control characters, line and paragraph separators, bidirectional overrides and bytes that are not UTF-8 written as
/// escapes ("\n", "\x1b", "\u202e"). Of a name longer than `most` characters the beginning and the end are kept, with "…"
/// between them. O(most), whatever the length of the name.
[[nodiscard]] std::string shownName(std::string_view name, std::size_t most = maxShownName);

/// A message that may quote names: escaped like a name but for line feeds, each word of more than `maxShownName` characters
/// shortened like a name, and the whole shortened to `maxShownMessage` characters. O(length).
[[nodiscard]] std::string shownMessage(std::string_view message);

/// The same for text of any length.
[[nodiscard]] std::string shownText(std::string_view text);

} // namespace stowage

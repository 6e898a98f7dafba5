// Cells of comma-separated tables, as both programs write them.
#pragma once

#include <string>
#include <string_view>

namespace stowage {

/// `words` as one cell (RFC 4180): in quotes where it holds a comma, a quote or a line's end, else as it is.
[[nodiscard]] inline std::string csvCell(std::string_view words)
{
    if (words.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(words);
    std::string text = "\"";
    for (const char c : words) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

} // namespace stowage

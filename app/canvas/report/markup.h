// Pieces of HTML and SVG as text: escaped names, numbers that no locale changes, tables as `data:` links.
#pragma once

#include <QColor>

#include <string>
#include <string_view>
#include <vector>

namespace stowage::report {

/// A name or message for text and quoted attributes: shortened and escaped for people, then for markup.
[[nodiscard]] std::string escaped(std::string_view text);
/// A coordinate with at most one decimal: "12", "12.5".
[[nodiscard]] std::string pixels(double value);
/// "#1263d6".
[[nodiscard]] std::string hexColour(const QColor& colour);

/// A table that others can read: the first row is its head.
using Rows = std::vector<std::vector<std::string>>;
/// By RFC 4180, lines end with a line feed; names are exact.
[[nodiscard]] std::string toCsv(const Rows& rows);
/// `<a … download="name" href="data:…">` around `text`: the bytes are in the page.
[[nodiscard]] std::string dataLink(std::string_view file, std::string_view mediaType, std::string_view bytes,
                                   std::string_view text);

/// Estimated width of a text, at least what the usual fonts need: the report is the same on every machine, whatever fonts that
/// has.
[[nodiscard]] double textWidth(std::string_view text, double size, bool number);

/// An icon of 16 x 16 pixels in the colour of the text round it: "check", "cross", "warning".
[[nodiscard]] std::string_view icon(std::string_view name);

} // namespace stowage::report

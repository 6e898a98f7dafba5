// Helpers for HTML and SVG text: escaped names, numbers in every locale the same, tables as `data:` links.
#pragma once

#include <QColor>

#include <string>
#include <string_view>
#include <vector>

namespace stowage::report {

/// A name or message for text and quoted attributes: shortened and escaped for display, then for markup.
[[nodiscard]] std::string escaped(std::string_view text);
/// The same without shortening.
[[nodiscard]] std::string escapedWhole(std::string_view text);
/// A sentence with names: only long words are shortened (`shownMessage`).
[[nodiscard]] std::string escapedMessage(std::string_view text);
/// A coordinate with at most one decimal: "12", "12.5".
[[nodiscard]] std::string pixels(double value);
/// "#1263d6".
[[nodiscard]] std::string hexColour(const QColor& colour);

/// A table as plain values; the first row is its head.
using Rows = std::vector<std::vector<std::string>>;
/// The table as CSV (RFC 4180, lines end with a line feed); names are exact.
[[nodiscard]] std::string toCsv(const Rows& rows);
/// Part of the name of a downloaded file: letters, digits, `-`, `.` and `_` of `text`, at most 60 bytes, others as `_`.
[[nodiscard]] std::string fileNamePart(std::string_view text);
/// The same names; later ones that repeat an earlier one get a number: "a", "a-2".
[[nodiscard]] std::vector<std::string> distinct(std::vector<std::string> names);
/// `<a … download="name" href="data:…">` around `text`; the link contains the bytes.
[[nodiscard]] std::string dataLink(std::string_view file, std::string_view mediaType, std::string_view bytes,
                                   std::string_view text);

/// Estimated width of a text, at least that in the usual fonts, so that the report does not depend on the fonts of a machine.
[[nodiscard]] double textWidth(std::string_view text, double size, bool number);

/// An icon of 16 x 16 pixels in the colour of the surrounding text: "check", "cross", "warning".
[[nodiscard]] std::string_view icon(std::string_view name);

} // namespace stowage::report

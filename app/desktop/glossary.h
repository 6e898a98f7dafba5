// Meanings of terms from the glossary of the guide, for tool tips of the window.
#pragma once

#include <QString>
#include <QStringList>

namespace stowage {

/// Dynamic property of a widget: its page of the guide ("two-memories"). Children inherit it.
inline constexpr const char* guidePageProperty = "guidePage";

/// The meaning of a caption or of a column's title. A unit after a comma, a plural and a number are ignored ("pool size, B" is
/// "size"). Empty if the glossary has no such term. Reads the guide once. O(1).
[[nodiscard]] QString meaningOf(const QString& caption);

/// "padding: bytes below a buffer …", for a tool tip; empty without a meaning.
[[nodiscard]] QString explained(const QString& caption);

/// All terms of the glossary, in its order.
[[nodiscard]] QStringList glossaryTerms();

} // namespace stowage

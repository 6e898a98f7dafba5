// What a term means, from the glossary of the guide: for tool tips, so that window and guide never differ.
#pragma once

#include <QString>
#include <QStringList>

namespace stowage {

/// A widget says with this dynamic property which page of the guide is its own ("two-memories"); its children inherit it.
inline constexpr const char* guidePageProperty = "guidePage";

/// The meaning of a caption or a column's title: the unit after a comma, a plural and a number do not count ("pool size, B" is
/// "size"). Empty when the glossary has no such term. Reads the guide once. O(1).
[[nodiscard]] QString meaningOf(const QString& caption);

/// "padding: bytes below a buffer …", for a tool tip; empty without a meaning.
[[nodiscard]] QString explained(const QString& caption);

/// All terms of the glossary, in its order.
[[nodiscard]] QStringList glossaryTerms();

} // namespace stowage

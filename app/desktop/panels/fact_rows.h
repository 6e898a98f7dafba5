// Rows of the inspector: a key with its value, a line, a heading.
#pragma once

#include <QString>

#include <cstddef>

class QVBoxLayout;

namespace stowage {

inline constexpr int factKeyWidth = 74;
inline constexpr std::size_t maxFactLines = 12; ///< maximum count of lines of one list

/// "key   value caption      right"
void addFact(QVBoxLayout& column, const QString& key, const QString& value, const QString& caption = {}, bool number = true,
             const QString& right = {});
void addFactLine(QVBoxLayout& column);
void addFactHeading(QVBoxLayout& column, const QString& title, const QString& caption);

} // namespace stowage

// Rows of the inspector: a key with its value, a line, a heading.
#pragma once

#include <QString>

#include <cstddef>
#include <memory>
#include <utility>

class QVBoxLayout;

namespace stowage {

class NameFit;

inline constexpr int factKeyWidth = 74;
inline constexpr std::size_t maxFactLines = 12; ///< maximum count of lines of one list

/// The key or the title of a row, with its tool tip. A name from a file has none, and a word that stands for another thing than
/// the glossary's term has a sentence of its own.
struct FactKey {
    FactKey() = default;
    FactKey(const QString& word); ///< the tool tip is the glossary's meaning of the word; empty if it has none
    FactKey(QString word, QString sentence) : text(std::move(word)), tip(std::move(sentence)) {}

    QString text;
    QString tip; ///< empty: none
};

/// "key   value caption      right"
void addFact(QVBoxLayout& column, const FactKey& key, const QString& value, const QString& caption = {}, bool number = true,
             const QString& right = {});
/// A second line of a fact for a name that has no room beside the value; without room here either, it is shortened so that it
/// differs from `names`.
void addFactName(QVBoxLayout& column, const QString& name, const std::shared_ptr<const NameFit>& names);
void addFactLine(QVBoxLayout& column);
void addFactHeading(QVBoxLayout& column, const FactKey& title, const QString& caption);

} // namespace stowage

// Names of one list where there is no room for them: what tells them apart stays (app/canvas/axis/names_apart.h).
#pragma once

#include "app/canvas/axis/names_apart.h"

#include <QString>
#include <QStringList>

#include <string>

class QClipboard;
class QFontMetrics;
class QObject;

namespace stowage {

struct Problem;

/// `text`, or its beginning with an ellipsis; a number at the end of that goes as a whole: "6 runs in …", never "6 runs in
/// 1…".
[[nodiscard]] QString elidedWhole(const QString& text, const QFontMetrics& letters, int width);
/// `text` with a capital letter: "Drop the multi-buffer of s". Where it begins with no plain word, but with a name of a file or
/// a tensor, it stays as it is.
[[nodiscard]] QString asSentence(const std::string& text);
/// `text` with a break allowed after each separator and between the words of a name: names of tensors have no blanks.
[[nodiscard]] QString breakable(QString text);
/// Takes these breaks out of whatever this program copies to `clipboard`, as long as `owner` lives: a pasted name is the name.
void copyWithoutBreaks(QClipboard& clipboard, QObject& owner);
/// The words of `sentence` that are as long as names of tensors, without quotes and punctuation: for `fitSentence`.
[[nodiscard]] QStringList namesIn(const QString& sentence);

/// A caption of several parts: "6 runs, pool arena", else its first parts, else the number that it begins with; empty where
/// even that has no room. A caption of one word is a name, and keeps both ends.
[[nodiscard]] QString captionWhole(const QString& text, const QFontMetrics& letters, int width);

class NameFit {
public:
    NameFit() = default;
    /// For the names of a problem's buffers: looks at the first few thousand. O(characters).
    explicit NameFit(const Problem& problem);
    /// For the names of a list.
    explicit NameFit(const QStringList& names);
    /// `name`, or the form that tells it from the others, with one ellipsis.
    [[nodiscard]] QString fit(const QString& name, const QFontMetrics& letters, int width) const;
    /// A sentence, with the names that it quotes shortened so that it fits.
    [[nodiscard]] QString fitSentence(const QString& sentence, const QStringList& quoted, const QFontMetrics& letters,
                                      int width) const;

private:
    NamesApart names_;
};

} // namespace stowage

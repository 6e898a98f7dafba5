// Shortens the names of one list so that they stay different (app/canvas/axis/names_apart.h).
#pragma once

#include "app/canvas/axis/names_apart.h"

#include <QString>
#include <QStringList>

#include <string>

class QAbstractItemModel;
class QClipboard; // NOLINT(cppcoreguidelines-virtual-class-destructor): it is Qt's
class QFontMetrics;
class QLabel;
class QObject;

namespace stowage {

struct Problem;

/// `text`, or its beginning with an ellipsis. A number is never cut inside: "6 runs in …", not "6 runs in 1…".
[[nodiscard]] QString elidedWhole(const QString& text, const QFontMetrics& letters, int width);
/// `text` with a capital letter: "Drop the multi-buffer of s". Unchanged if it begins with the name of a file or a tensor.
[[nodiscard]] QString asSentence(const std::string& text);
/// `text` with a line break allowed after each separator and between the words of a name, because names of tensors have no
/// blanks.
[[nodiscard]] QString breakable(QString text);
/// Shows `text` on a label with these breaks, which a screen reader does not read.
void setBreakableText(QLabel& label, const QString& text);
/// Removes these breaks from texts that this program copies to `clipboard`, as long as `owner` lives, so that pasted names are
/// exact.
void copyWithoutBreaks(QClipboard& clipboard, QObject& owner);
/// The words of `sentence` that may be names of tensors, by their length, without quotes and punctuation; for `fitSentence`.
[[nodiscard]] QStringList namesIn(const QString& sentence);

/// A caption of several parts ("6 runs, pool arena"), shortened to its first parts, else to the number at its begin; empty if
/// nothing fits. A caption of one word is a name, and keeps both ends.
[[nodiscard]] QString captionWhole(const QString& text, const QFontMetrics& letters, int width);

/// The beginning of a sentence that fits: whole parts, which `parts` is between, else whole words, with an ellipsis; empty if
/// there is no room for its first word and that is a number.
[[nodiscard]] QString sentenceStart(const QString& sentence, const QFontMetrics& letters, int width, const char* parts = "; ");

class NameFit {
public:
    NameFit() = default;
    /// The names of the first few thousand buffers of a problem. O(characters).
    explicit NameFit(const Problem& problem);
    /// The names of a list.
    explicit NameFit(const QStringList& names, NameCuts cuts = NameCuts::parts);
    /// `name`, or a short form with one ellipsis that distinguishes it from the others.
    [[nodiscard]] QString fit(const QString& name, const QFontMetrics& letters, int width) const;
    /// `sentence` with its `quoted` names shortened so that it fits.
    [[nodiscard]] QString fitSentence(const QString& sentence, const QStringList& quoted, const QFontMetrics& letters,
                                      int width) const;

private:
    NamesApart names_;
};

/// The names of files in the first column of a list or table of few rows. O(characters).
[[nodiscard]] NameFit filesOf(const QAbstractItemModel& model);

} // namespace stowage

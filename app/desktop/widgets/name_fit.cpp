#include "app/desktop/widgets/name_fit.h"

#include "app/canvas/kit/number_text.h"
#include "core/ir/problem.h"
#include "core/ir/shown_text.h"

#include <QAbstractItemModel>
#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QLabel>
#include <QRegularExpression>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

namespace {

MeasureText measuredWith(const QFontMetrics& letters)
{
    return [&letters](std::string_view text, bool) {
        return double(letters.horizontalAdvance(QString::fromUtf8(text.data(), qsizetype(text.size()))));
    };
}

} // namespace

QString elidedWhole(const QString& text, const QFontMetrics& letters, int width)
{
    // No widget is as wide as that, and measuring a name of megabytes takes seconds.
    if (text.size() > qsizetype(maxLabelBytes)) return elidedWhole(text.left(maxLabelBytes - 1) + QChar(0x2026), letters, width);
    QString shown = letters.elidedText(text, Qt::ElideRight, width);
    const QChar cut(0x2026);
    if (shown == text || !shown.endsWith(cut)) return shown;
    shown.chop(1);
    return withoutCutNumber(shown) + cut;
}

QString captionWhole(const QString& text, const QFontMetrics& letters, int width)
{
    const auto fits = [&](const QString& form) { return letters.horizontalAdvance(form) <= width; };
    if (fits(text)) return text;
    if (!text.contains(u' ')) return letters.elidedText(text, Qt::ElideMiddle, width);
    QString shown = text;
    for (qsizetype comma = text.lastIndexOf(QStringLiteral(", ")); comma > 0; comma = shown.lastIndexOf(QStringLiteral(", "))) {
        shown.truncate(comma);
        if (fits(shown)) return shown;
    }
    const QString first = text.section(u' ', 0, 0);
    return first.front().isDigit() && fits(first) ? first : QString();
}

QString sentenceStart(const QString& sentence, const QFontMetrics& letters, int width, const char* parts)
{
    if (letters.horizontalAdvance(sentence) <= width) return sentence;
    for (const char* between : {parts, " "}) {
        const QLatin1String separator(between);
        for (qsizetype at = sentence.lastIndexOf(separator); at > 0; at = sentence.lastIndexOf(separator, at - 1)) {
            QString form = sentence.left(at) + separator + QChar(0x2026);
            if (letters.horizontalAdvance(form) <= width) return form;
        }
    }
    return sentence.isEmpty() || sentence.front().isDigit() ? QString() : letters.elidedText(sentence, Qt::ElideRight, width);
}

QString asSentence(const std::string& text)
{
    QString words = QString::fromStdString(text);
    // "bad.json: …" and "conv1/out …" begin with a name.
    static const QRegularExpression plainWord(QStringLiteral("^[a-z]+(?: |,|$)"));
    if (plainWord.match(words).hasMatch()) words[0] = words[0].toUpper();
    return words;
}

QString breakable(QString text)
{
    // Also between the words of "BatchNormalization", and within one that no panel has room for.
    static const QRegularExpression joint(
        QStringLiteral("([/_=]|(?<=\\S)\\(|[a-z]{3}(?=[A-Z][a-z]{2})|[a-z0-9]{24}(?=[a-z0-9]))"));
    return text.replace(joint, QStringLiteral("\\1\u200b"));
}

void setBreakableText(QLabel& label, const QString& text)
{
    label.setText(breakable(text));
    label.setAccessibleName(text);
}

void copyWithoutBreaks(QClipboard& clipboard, QObject& owner)
{
    QObject::connect(&clipboard, &QClipboard::changed, &owner, [&clipboard](QClipboard::Mode mode) {
        if (!QGuiApplication::focusWindow()) return; // another program copied it
        QString text = clipboard.text(mode);
        if (text.contains(u'\u200b')) clipboard.setText(text.remove(u'\u200b'), mode);
    });
}

QStringList namesIn(const QString& sentence)
{
    constexpr int least = 16; // letters
    static const QString edges = QStringLiteral("'\"`,.;:()");
    QStringList found;
    for (QString word : sentence.split(u' ', Qt::SkipEmptyParts)) {
        while (!word.isEmpty() && edges.contains(word.back())) word.chop(1);
        while (!word.isEmpty() && edges.contains(word.front())) word.remove(0, 1);
        if (word.size() >= least) found << word;
    }
    return found;
}

NameFit::NameFit(const Problem& problem)
{
    constexpr std::size_t enough = 4096; // to know
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(problem.buffers.size(), enough); ++i)
        shown.push_back(shownName(problem.buffers[i].name));
    names_ = NamesApart(std::vector<std::string_view>(shown.begin(), shown.end()));
}

NameFit::NameFit(const QStringList& names, NameCuts cuts)
{
    std::vector<std::string> shown;
    for (const QString& name : names) shown.push_back(name.toStdString());
    names_ = NamesApart(std::vector<std::string_view>(shown.begin(), shown.end()), cuts);
}

QString NameFit::fit(const QString& name, const QFontMetrics& letters, int width) const
{
    return QString::fromStdString(names_.fit(name.toStdString(), width, measuredWith(letters)));
}

QString NameFit::fitSentence(const QString& sentence, const QStringList& quoted, const QFontMetrics& letters, int width) const
{
    std::vector<std::string> names;
    for (const QString& name : quoted) names.push_back(name.toStdString());
    const auto text = QString::fromStdString(names_.fitSentence(sentence.toStdString(), names, width, measuredWith(letters)));
    return elidedWhole(text, letters, width);
}

NameFit filesOf(const QAbstractItemModel& model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row) names << model.index(row, 0).data().toString();
    return NameFit(names, NameCuts::letters);
}

} // namespace stowage

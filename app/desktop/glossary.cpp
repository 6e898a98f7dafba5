#include "app/desktop/glossary.h"

#include "app/session/resources.h"

#include <QFile>
#include <QHash>
#include <QRegularExpression>

#include <array>
#include <utility>

namespace stowage {

namespace {

struct Glossary {
    QHash<QString, QString> meanings;
    QStringList terms;
};

Glossary readGlossary()
{
    Glossary read;
    QFile file(resourcePath(QStringLiteral("guide/glossary.md")));
    if (!file.open(QIODevice::ReadOnly)) return read;
    static const QRegularExpression row(QStringLiteral("^\\| ([a-z][^|]*) \\| ([^|]+) \\|$"),
                                        QRegularExpression::MultilineOption);
    for (auto it = row.globalMatch(QString::fromUtf8(file.readAll())); it.hasNext();) {
        const auto match = it.next();
        if (match.captured(1) == u"term") continue;
        read.terms << match.captured(1);
        read.meanings.insert(match.captured(1), match.captured(2));
    }
    return read;
}

const Glossary& glossary()
{
    static const Glossary read = readGlossary();
    return read;
}

/// The term that a caption stands for; empty when the glossary has none.
QString termOf(const QString& caption)
{
    static const std::array<std::pair<const char*, const char*>, 13> others{{
        {"bound", "lower bound"},
        {"align", "alignment"},
        {"live in", "live range"},
        {"live at peak", "peak"},
        {"pool size", "size"},
        {"also holds", "alias"},
        {"placed at", "level"},
        {"fallback from", "fallback"},
        {"pushed out", "fallback"},
        {"bytes to return", "fallback"},
        {"bytes pushed out", "fallback"},
        {"bytes to return one", "fallback"},
        {"lost", "stall"},
    }};
    const auto& known = glossary().meanings;
    QString text = caption.trimmed().toLower();
    const auto found = [&](const QString& candidate) -> QString {
        if (known.contains(candidate)) return candidate;
        for (const auto& [name, term] : others)
            if (candidate == QLatin1String(name)) return QString::fromLatin1(term);
        if (candidate.endsWith(u's') && known.contains(candidate.chopped(1))) return candidate.chopped(1);
        if (candidate.endsWith(QStringLiteral("ies")) && known.contains(candidate.chopped(3) + u'y'))
            return candidate.chopped(3) + u'y';
        return {};
    };
    if (QString term = found(text); !term.isEmpty()) return term;
    if (const qsizetype comma = text.indexOf(u','); comma > 0)
        if (QString term = found(text.left(comma)); !term.isEmpty()) return term;
    static const QRegularExpression number(QStringLiteral("\\s[0-9.,]+$"));
    return found(text.remove(number));
}

} // namespace

QString meaningOf(const QString& caption)
{
    return glossary().meanings.value(termOf(caption));
}

QString explained(const QString& caption)
{
    const QString term = termOf(caption);
    return term.isEmpty() ? QString() : QStringLiteral("%1: %2").arg(term, glossary().meanings.value(term));
}

QStringList glossaryTerms()
{
    return glossary().terms;
}

} // namespace stowage

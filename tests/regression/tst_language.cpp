// Words: the glossary of the guide is a list that can be searched, and banned synonyms stand in no text for users.
#include "tests/support/paths.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QStringList>
#include <QTest>

namespace {

/// What the glossary has another word for, or what says nothing where it stands.
const QStringList banned{"at the least", "base address", "life ?span", "live interval", "memory pool", "scratch ?pad", "so many"};

QString contents(const QString& file)
{
    QFile opened(QDir(STOWAGE_SOURCE_DIR).filePath(file));
    return opened.open(QIODevice::ReadOnly) ? QString::fromUtf8(opened.readAll()) : QString();
}

QStringList files(const QString& folder, const QStringList& patterns)
{
    const QDir root(STOWAGE_SOURCE_DIR);
    QStringList found;
    for (QDirIterator it(root.filePath(folder), patterns, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
        found += root.relativeFilePath(it.next());
    found.sort();
    return found;
}

/// The banned words in `text`, each with its line.
QStringList bannedWords(const QString& file, const QString& text)
{
    static const QRegularExpression words("\\b(" + banned.join('|') + ")\\b", QRegularExpression::CaseInsensitiveOption);
    QStringList found;
    const QStringList lines = text.split('\n');
    for (qsizetype i = 0; i < lines.size(); ++i)
        if (const auto match = words.match(lines[i]); match.hasMatch())
            found += QString("%1:%2: '%3'").arg(file).arg(i + 1).arg(match.captured());
    return found;
}

/// The string literals of a source, each in the line where it stands; all else is left out.
QString literals(const QString& source)
{
    static const QRegularExpression literal("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
    QStringList lines;
    for (const QString& line : source.split('\n')) {
        QString kept;
        const qsizetype comment = line.trimmed().startsWith("//") ? 0 : -1;
        for (auto it = literal.globalMatch(comment == 0 ? QString() : line); it.hasNext();) kept += it.next().captured(1) + " | ";
        lines += kept;
    }
    return lines.join('\n');
}

} // namespace

class LanguageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theGlossaryHasEachTermOnceAndInOrder()
    {
        QStringList terms;
        static const QRegularExpression row("^\\| ([a-z][^|]*) \\| ([^|]+) \\|$");
        for (const QString& line : contents("resources/guide/glossary.md").split('\n'))
            if (const auto match = row.match(line); match.hasMatch() && match.captured(1) != "term") terms += match.captured(1);
        QVERIFY(terms.size() > 20);
        for (qsizetype i = 1; i < terms.size(); ++i)
            QVERIFY2(terms[i - 1] < terms[i], qPrintable(terms[i - 1] + " stands before " + terms[i]));
        for (const char* decided : {"arena", "branch", "buffer", "device", "pipe", "pool", "slot", "stage", "target", "tensor"})
            QVERIFY2(terms.contains(decided), decided);
    }

    void noBannedSynonymInTheGuide()
    {
        QStringList wrong = bannedWords("README.md", contents("README.md"));
        for (const QString& file : files("resources/guide", {"*.md"})) wrong += bannedWords(file, contents(file));
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    void noBannedSynonymInATextOfTheProgram()
    {
        QStringList wrong;
        int looked = 0;
        for (const char* folder : {"app", "core", "plugins"})
            for (const QString& file : files(folder, {"*.h", "*.cpp"})) {
                wrong += bannedWords(file, literals(contents(file)));
                ++looked;
            }
        QVERIFY(looked > 300);
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    void bannedWordsAreFound()
    {
        QCOMPARE(bannedWords("a", "the pool\nso many of them").size(), 1);
        QCOMPARE(bannedWords("a", literals("x = \"a memory pool\";")).size(), 1);
        QVERIFY(bannedWords("a", literals("int soMany; // so many\n")).isEmpty());
    }
};

QTEST_GUILESS_MAIN(LanguageTest)
#include "tst_language.moc"

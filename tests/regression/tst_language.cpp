// Words: the glossary of the guide is a list that can be searched, and banned synonyms stand in no text for users.
#include "tests/support/paths.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QStringList>
#include <QTest>

namespace {

/// Words of texts for users for which the glossary has another one, or that tell a reader nothing.
/// "memory" is the hardware: what plans are judged by, and what options name, are pools.
const QStringList banned{"anybody",
                         "as far as anybody",
                         "at the least",
                         "base address",
                         "choices? of memories",
                         "how many mixtures",
                         "life ?span",
                         "live interval",
                         "(each|every) memory (is )?at its bound",
                         "each memory equals",
                         "memories together",
                         "memory pool",
                         "no memory (called|has a capacity|named)",
                         "preferred memories",
                         "scratch ?pad",
                         "showing",
                         "so many",
                         "somebody"};
/// Parts of names in the sources, with what to write.
const QList<std::pair<QString, QString>> bannedNames{
    {"\\b(most|least)[A-Z]\\w*", "max… or min…"},
    {"\\b[bB]ehind\\w*|\\w+Behind\\w*", "after, next or past"},
    {"\\b(so|how)Many\\w*|\\w+(So|How)Many\\w*", "…Count"},
    {"\\bTurn\\b", "LoopIteration"},
    {"\\bPieces?\\b", "Stretch for bytes of a buffer that are occupied at some steps"},
    {"\\b(SingleChange|KernelChange|ChangeRequest)\\b|\\bstruct Remedy\\b", "Change"},
    {"\\bthereIs\\w*|\\w+ThereIs\\w*", "what the thing is"},
};

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

/// A source without its comments, line by line.
QString code(const QString& source)
{
    QStringList lines;
    for (const QString& line : source.split('\n')) {
        const qsizetype comment = line.indexOf("//");
        lines += comment < 0 || line.left(comment).count('"') % 2 == 1 ? line : line.left(comment); // "https://…" is no comment
    }
    return lines.join('\n');
}

/// The comments of a source, line by line.
QString comments(const QString& source)
{
    QStringList lines;
    const QStringList kept = code(source).split('\n'), all = source.split('\n');
    for (qsizetype i = 0; i < all.size(); ++i) lines += all[i].mid(kept[i].size());
    return lines.join('\n');
}

QStringList sourcesOf(const QStringList& folders)
{
    QStringList found;
    for (const QString& folder : folders) found += files(folder, {"*.h", "*.cpp"});
    return found;
}

/// The part of a line of code that compares a code, level, reason, obstacle, status or verdict as text, or takes one as text.
QString textAsValue(const QString& line)
{
    static const QRegularExpression pattern(
        "\\b\\w*([cC]ode|[lL]evel|[rR]eason|[oO]bstacle|[sS]tatus|[vV]erdict|provedBy)(Text)?(\\(\\))?"
        "\\s*[!=]=\\s*\"|"
        "\"\\s*[!=]=\\s*\\w*([cC]ode|[lL]evel|[rR]eason|[oO]bstacle|[sS]tatus|[vV]erdict)(Text)?\\b|"
        "std::(string(_view)?|optional<std::string>)&?\\s+(code|level|reason|why|obstacle|status|verdict)\\s*[,)]");
    return pattern.match(line).captured();
}

/// The part of a line of code that compares the name of an op, or has the name of one or of a memory of Ascend as a text.
QString nameOfADialect(const QString& line)
{
    static const QRegularExpression pattern(
        "\\.(kind|dtype)\\)?\\s*[!=]=\\s*\"|\\bplainKind\\(|\\.kind\\.(find|starts_with|ends_with|contains)\\(|"
        "\"(ub|cbuf|cc|ca|cb|reshape|squeeze|conv(_?2d)?|matmul|MTE1|SIMD|MIX)\"|[!=]=\\s*\"SIMT\"",
        QRegularExpression::CaseInsensitiveOption);
    return pattern.match(line).captured();
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

    /// A verdict and a reason to stop have one place each: whoever says one asks app/session/verdicts.h for its word.
    void verdictsAreWordedOnce()
    {
        static const QRegularExpression word(
            "\"(Optimal|Fits|Valid|Partial|Does not fit|Infeasible|Undecided|Not valid)(: [^\"]*|, )?\"|"
            "\"[^\"]*stopped by the (work|time) limit[^\"]*\"");
        QVERIFY(word.match(contents("app/session/verdicts.cpp")).hasMatch());
        QStringList wrong;
        for (const char* folder : {"app/canvas", "app/cli", "app/desktop"})
            for (const QString& file : files(folder, {"*.h", "*.cpp"}))
                for (auto it = word.globalMatch(code(contents(file))); it.hasNext();) wrong += file + ": " + it.next().captured();
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

    /// Comments and the texts of tests are read, too.
    void noBannedSynonymInACommentOrATest()
    {
        QStringList wrong;
        for (const QString& file : sourcesOf({"app", "core", "plugins", "tests"}))
            if (file != "tests/regression/tst_language.cpp") wrong += bannedWords(file, comments(contents(file)));
        for (const QString& file : sourcesOf({"tests"}))
            if (file != "tests/regression/tst_language.cpp") wrong += bannedWords(file, literals(contents(file)));
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    /// clang-format breaks the lines of code, but not every comment, and no literal. Tables with an entry in each line turn it
    /// off.
    void noLineIsLongerThan130Columns()
    {
        QStringList wrong;
        int off = 0;
        for (const QString& file : sourcesOf({"app", "core", "plugins", "tests"})) {
            const QStringList lines = contents(file).split('\n');
            bool formatted = true;
            for (qsizetype i = 0; i < lines.size(); ++i) {
                if (lines[i].trimmed() == "// clang-format off") formatted = false, ++off;
                if (lines[i].trimmed() == "// clang-format on") formatted = true;
                if (lines[i].size() > 130 && formatted)
                    wrong += QString("%1:%2: %3 columns").arg(file).arg(i + 1).arg(lines[i].size());
            }
        }
        QVERIFY2(off < 10, "turning the format off is for tables");
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    void noBannedNameInASource()
    {
        QStringList wrong;
        for (const auto& [pattern, better] : bannedNames) {
            const QRegularExpression name(pattern);
            for (const QString& file : sourcesOf({"core", "app", "plugins"})) {
                static const QRegularExpression literal("\"(?:[^\"\\\\]|\\\\.)*\"");
                const QStringList lines = code(contents(file)).split('\n');
                for (qsizetype i = 0; i < lines.size(); ++i)
                    if (const auto match = name.match(QString(lines[i]).remove(literal)); match.hasMatch())
                        wrong += QString("%1:%2: '%3': write %4").arg(file).arg(i + 1).arg(match.captured(), better);
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    /// Each word of a verdict is written in core/plan/verdict_words.h; everything else takes it from there.
    void eachVerdictWordStandsOnce()
    {
        const QString home = "core/plan/verdict_words.h";
        static const QRegularExpression literal("\"([a-z-]+)\"");
        QStringList words;
        for (auto it = literal.globalMatch(code(contents(home))); it.hasNext();) words += it.next().captured(1);
        QCOMPARE(words, (QStringList{"optimal", "feasible", "does-not-fit", "infeasible", "undecided", "invalid"}));
        words.removeAll("invalid"); // also a style of the window's fields
        QStringList wrong;
        for (const QString& file : sourcesOf({"core", "app", "plugins"})) {
            const QString text = code(contents(file));
            for (const QString& word : words)
                if (const qsizetype count = text.count('"' + word + '"'); count != (file == home ? 1 : 0))
                    wrong += QString("%1: \"%2\" %3 times").arg(file, word).arg(count);
        }
        for (const QString& file : files("resources/python", {"*.py"})) {
            if (file.contains("/tests/")) continue;
            const QString text = contents(file);
            for (const QString& word : words)
                if (text.contains('"' + word + '"')) wrong += QString("%1: \"%2\"").arg(file, word);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    /// Codes, levels, reasons and verdicts are values: core neither compares their texts nor takes them as texts.
    void coreActsOnValuesNotOnTexts()
    {
        QStringList wrong;
        for (const QString& file : sourcesOf({"core"})) {
            const QStringList lines = code(contents(file)).split('\n');
            for (qsizetype i = 0; i < lines.size(); ++i)
                if (const QString found = textAsValue(lines[i]); !found.isEmpty())
                    wrong += QString("%1:%2: %3").arg(file).arg(i + 1).arg(found);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    /// The text of a code is read where a file or a program of others is: only core/io has the functions for it. The reasons that
    /// planners record are values, too.
    void textsOfCodesAndReasonsAreReadAtTheBorder()
    {
        static const QRegularExpression reading("\\b(codeOf|setCode)\\(|\\breason\\(\\s*(\"|std::string|fmt::)");
        QStringList wrong;
        for (const QString& file : sourcesOf({"core"})) {
            if (file.startsWith("core/io/")) continue;
            const QStringList lines = code(contents(file)).split('\n');
            for (qsizetype i = 0; i < lines.size(); ++i)
                if (const auto match = reading.match(lines[i]); match.hasMatch())
                    wrong += QString("%1:%2: %3").arg(file).arg(i + 1).arg(match.captured());
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    /// What an op does and which tensors are handles is stated by readers (core/io/op_kinds.h), and no memory is known by its
    /// name: no other source of core compares the name of an op or of an element type, or has the name of an op or of a memory or
    /// mode of Ascend as a text.
    void coreAsksForNoNameOfADialect()
    {
        QStringList wrong;
        for (const QString& file : sourcesOf({"core"})) {
            if (file == "core/io/op_kinds.cpp") continue;
            const QStringList lines = code(contents(file)).split('\n');
            for (qsizetype i = 0; i < lines.size(); ++i)
                if (const QString found = nameOfADialect(lines[i]); !found.isEmpty())
                    wrong += QString("%1:%2: %3").arg(file).arg(i + 1).arg(found);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    void namesOfDialectsAreFound()
    {
        QVERIFY(!nameOfADialect("if (op.kind == \"IF\") return;").isEmpty());
        QVERIFY(!nameOfADialect("return tensor.dtype == \"resource\";").isEmpty());
        QVERIFY(!nameOfADialect("if (mode != \"SIMT\") continue;").isEmpty());
        QVERIFY(!nameOfADialect("if (lowered(op.kind) == \"constant\") return;").isEmpty());
        QVERIFY(!nameOfADialect("const std::string kind = plainKind(op.kind);").isEmpty());
        QVERIFY(!nameOfADialect("if (pool.name == \"ub\") cap();").isEmpty());
        QVERIFY(!nameOfADialect("{\"reshape\", Rule::moving},").isEmpty());
        QVERIFY(nameOfADialect("if (buffer.kind == BufferKind::input) return;").isEmpty());
        QVERIFY(nameOfADialect("made.comment = op.kind.empty() ? full : op.kind;").isEmpty());
    }

    /// Live ranges, windows, carried values and early ranges are put together in core/ir/occupied.h. Only readers and writers,
    /// the lowering (also of a problem: unrolled, in one iteration) and the judges look at the fields themselves.
    void theFieldsOfALifetimeAreReadInFewPlaces()
    {
        static const QRegularExpression field("(\\.|->)(windows|carried|early)\\b(?!\\()");
        static const QRegularExpression capability("\\b(takes|features|kind|kinds)\\w*(\\.|->)(windows|carried)");
        static const QRegularExpression allowed(
            "^core/(ir|lower|io|capi|plan/proof)/|^core/plan/(check|unroll|one_iteration)\\.cpp$|"
            "^core/exec/problem_run\\.cpp$|^plugins/host/conformance_problems\\.cpp$");
        QStringList wrong;
        for (const QString& file : sourcesOf({"core", "app", "plugins"})) {
            if (allowed.match(file).hasMatch()) continue;
            const QStringList lines = code(contents(file)).split('\n');
            for (qsizetype i = 0; i < lines.size(); ++i)
                if (field.match(lines[i]).hasMatch() && !capability.match(lines[i]).hasMatch() && !lines[i].contains(".takes") &&
                    !lines[i].trimmed().startsWith('.'))
                    wrong += QString("%1:%2: %3").arg(file).arg(i + 1).arg(lines[i].trimmed());
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
    }

    /// Random numbers of the program are those of core/ir/random.h. Generators of tests begin with a seed that STOWAGE_SEED
    /// moves, and that is fixed without it.
    void randomNumbersAreTheSameEachTime()
    {
        static const QRegularExpression foreign(
            "\\b(mt19937\\w*|minstd_rand0?|default_random_engine|random_device|QRandomGenerator|s?rand\\()");
        static const QRegularExpression drawn("\\brandom_device\\b|QRandomGenerator::(global|system)\\b");
        static const QRegularExpression unmoved("\\b(mt19937(_64)?|QRandomGenerator|Random|Dice) \\w+[({]\\d+[)}]");
        QStringList wrong;
        const auto look = [&](const QStringList& sources, const QRegularExpression& pattern) {
            for (const QString& file : sources) {
                const QStringList lines = code(contents(file)).split('\n');
                for (qsizetype i = 0; i < lines.size(); ++i)
                    if (const auto match = pattern.match(lines[i]); match.hasMatch())
                        wrong += QString("%1:%2: %3").arg(file).arg(i + 1).arg(match.captured());
            }
        };
        look(sourcesOf({"core", "app", "plugins"}), foreign);
        QStringList tests = sourcesOf({"tests"});
        erase_if(tests, [](const QString& file) {
            return file.startsWith("tests/bench/") || file == "tests/support/seed.h" || file == "tests/support/seed_shift.h" ||
                   file == "tests/regression/tst_language.cpp";
        });
        look(tests, drawn);
        look(tests, unmoved);
        QVERIFY2(wrong.isEmpty(), qPrintable("\n  " + wrong.join("\n  ")));
        QVERIFY(unmoved.match("QRandomGenerator random(7);").hasMatch());
        QVERIFY(!unmoved.match("std::mt19937 random(7 + test::seedShift());").hasMatch());
    }

    void textsThatServeAsValuesAreFound()
    {
        QVERIFY(!textAsValue("if (d.code == \"overflow\") return;").isEmpty());
        QVERIFY(!textAsValue("if (\"level 1\" != levelText) return;").isEmpty());
        QVERIFY(!textAsValue("void take(const std::string& reason, int n)").isEmpty());
        QVERIFY(textAsValue("if (key == \"level\") in.read(level);").isEmpty());
        QVERIFY(textAsValue("[[nodiscard]] std::string_view toText(Level level);").isEmpty());
        QCOMPARE(code("x; // \"optimal\""), QString("x; "));
    }

    void bannedWordsAreFound()
    {
        QCOMPARE(bannedWords("a", "the pool\nso many of them").size(), 1);
        QCOMPARE(bannedWords("a", literals("x = \"a memory pool\";")).size(), 1);
        QVERIFY(bannedWords("a", literals("int soMany; // so many\n")).isEmpty());
        QCOMPARE(bannedWords("a", comments("int soMany; // so many\n")).size(), 1);
        QVERIFY(bannedWords("a", comments("text(\"so many\");\n")).isEmpty());
    }
};

QTEST_GUILESS_MAIN(LanguageTest)
#include "tst_language.moc"

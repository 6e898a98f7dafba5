// Every command of the guide's chapters runs, and says what the chapter says that it says.
//
// In a chapter's indented blocks a line that begins with "stowage-cli" or "cc" is a command, run in a copy of the folder that the
// chapter names; it goes on after a backslash, and ends with status 0 unless "# status N" stands after it. One with --hosts
// needs machines that are not here, and is left out. Other lines of the same block are in what the command says. A block whose
// first line is
// "/* NAME.c */" is written into that file.
#include "tests/cli/cli_process.h"
#include "tests/support/paths.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace stowage::test;

namespace {

QStringList blocksOf(const QString& chapter)
{
    QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/guide/%1.md").arg(chapter));
    QStringList blocks;
    if (!file.open(QIODevice::ReadOnly)) return blocks;
    bool inside = false;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        const bool code = line.startsWith("    ");
        if (code && !inside) blocks.append(QString());
        if (code) blocks.last() += line.mid(4) + '\n';
        inside = code || (inside && line.trimmed().isEmpty() && blocks.last().startsWith("/* "));
        if (inside && !code) blocks.last() += '\n';
    }
    return blocks;
}

/// Runs of blanks count as one: tables are as wide as what is in them.
QString squeezed(QString text)
{
    return text.replace(QRegularExpression("[ \\t]+"), " ").trimmed();
}

} // namespace

class GuideTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCommandDoesWhatTheChapterSays_data()
    {
        QTest::addColumn<QStringList>("wanted");
        QTest::addRow("unified-static-memory-planning")
            << QStringList{"stowage-cli plan",    "stowage-cli compare", "stowage-cli export",
                           "stowage-cli rewrite", "stowage-cli verify",  "stowage-cli explain"};
        QTest::addRow("loops-without-copies") << QStringList{"stowage-cli plan",   "stowage-cli compare", "stowage-cli export",
                                                             "stowage-cli verify", "stowage-cli explain", "stowage-cli convert"};
        QTest::addRow("regression-suites") << QStringList{"stowage-cli regress", "stowage-cli sweep", "stowage-cli merge"};
        QTest::addRow("executorch-memory") << QStringList{"stowage-cli compare", "stowage-cli info", "stowage-cli export"};
        QTest::addRow("xla-memory") << QStringList{"stowage-cli compare", "stowage-cli explain", "stowage-cli info"};
        QTest::addRow("other-dumps") << QStringList{"stowage-cli plan", "stowage-cli export"};
        QTest::addRow("security") << QStringList{"stowage-cli info", "stowage-cli list"};
        QTest::addRow("pytorch-memory") << QStringList{"stowage-cli info", "stowage-cli compare", "stowage-cli plan"};
#ifdef STOWAGE_MLIR
        QTest::addRow("constant-folding") << QStringList{"stowage-cli fold", "stowage-cli rewrite", "stowage-cli plan"};
#endif
        QTest::addRow("ascend-hivm") << QStringList{"stowage-cli plan",    "stowage-cli check",   "stowage-cli compare",
                                                    "stowage-cli explain", "stowage-cli rewrite", "stowage-cli verify"};
        QTest::addRow("tflite-micro") << QStringList{"stowage-cli fit",  "stowage-cli rewrite", "stowage-cli compare",
                                                     "stowage-cli info", "stowage-cli render",  "stowage-cli export"};
        QTest::addRow("pipelines") << QStringList{"stowage-cli pipeline", "stowage-cli render", "stowage-cli info",
                                                  "stowage-cli plan"};
    }
    void everyCommandDoesWhatTheChapterSays()
    {
        QFETCH(QStringList, wanted);
        const QStringList blocks = blocksOf(QTest::currentDataTag());
        QVERIFY(blocks.size() > 2);
        QTemporaryDir folder;
        // The folder that the chapter names, and no other: a reader has no more.
        QFile page(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/guide/%1.md").arg(QTest::currentDataTag()));
        QVERIFY(page.open(QIODevice::ReadOnly));
        static const QRegularExpression sentence(R"(All\s+commands\s+run\s+in[^`]*`(resources/samples[\w/]*)`)");
        const auto found = sentence.match(QString::fromUtf8(page.readAll()));
        QVERIFY(found.hasMatch() || QByteArray(QTest::currentDataTag()) == "security"); // which needs no file
        const QDir samples(QStringLiteral(STOWAGE_SOURCE_DIR "/") + found.captured(1));
        for (QDirIterator it(samples.path(), QDir::Files, QDirIterator::Subdirectories); found.hasMatch() && it.hasNext();) {
            const QString file = it.next(), name = samples.relativeFilePath(file);
            QVERIFY(QDir(folder.path()).mkpath(QFileInfo(folder.filePath(name)).path()));
            QVERIFY(QFile::copy(file, folder.filePath(name)));
        }
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", QFileInfo(Cli::program()).absolutePath() + ':' + environment.value("PATH"));
        QSet<QString> commands;
        for (const QString& block : blocks) {
            static const QRegularExpression named(R"(^/\* ([\w.]+) \*/)");
            if (const auto file = named.match(block); file.hasMatch()) {
                QFile out(folder.filePath(file.captured(1)));
                QVERIFY(out.open(QIODevice::WriteOnly) && out.write(block.toUtf8()) > 0);
                continue;
            }
            QString said;
            for (const QString& line :
                 QString(block).replace(QRegularExpression("\\s*\\\\\\n\\s*"), " ").split('\n', Qt::SkipEmptyParts)) {
                if (!line.startsWith("stowage-cli ") && !line.startsWith("cc ")) {
                    if (!said.isEmpty())
                        QVERIFY2(squeezed(said).contains(squeezed(line)), qPrintable("not said: " + line + "\n" + said));
                    continue;
                }
                static const QRegularExpression status(R"(# status (\d+)$)");
                if (line.contains(" --hosts ")) continue;                    // machines that are not here
                const int expected = status.match(line).captured(1).toInt(); // 0 where nothing stands
                QProcess shell;
                shell.setWorkingDirectory(folder.path());
                shell.setProcessEnvironment(environment);
                shell.setProcessChannelMode(QProcess::MergedChannels);
                shell.start("sh", {"-c", line});
                QVERIFY2(shell.waitForFinished(60'000), qPrintable(line));
                said = QString::fromUtf8(shell.readAll());
                QVERIFY2(shell.exitCode() == expected,
                         qPrintable(QString("%1\nstatus %2\n%3").arg(line).arg(shell.exitCode()).arg(said)));
                if (said.isEmpty()) said = " ";
                commands.insert(line.section(' ', 0, 1));
            }
        }
        for (const QString& command : wanted) QVERIFY2(commands.contains(command), qPrintable(command));
    }
};

QTEST_GUILESS_MAIN(GuideTest)
#include "tst_guide_usmp.moc"

// The pages of the guide on questions about a model: their files are written, and their commands run, as a reader would.
//
// A block after a line that ends in "`NAME`:" is that file. In other blocks a line that begins with "stowage-cli" is a command,
// with status 0 unless "# status N" stands after it; the lines below it are in what it says, whatever the spaces.
#include "tests/cli/cli_process.h"

#include <QDir>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTest>

using namespace stowage::test;

namespace {

struct Block {
    QString file; ///< empty: commands
    QString text;
};

QList<Block> blocksOf(const QString& page)
{
    QFile source(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/guide/%1.md").arg(page));
    QList<Block> found;
    if (!source.open(QIODevice::ReadOnly)) return found;
    static const QRegularExpression named(QStringLiteral("`([\\w.]+)`[^`]*:$"));
    bool inside = false;
    QString last;
    for (const QString& line : QString::fromUtf8(source.readAll()).split(u'\n')) {
        if (line.startsWith(QStringLiteral("    "))) {
            if (!inside) found.append({named.match(last).captured(1), {}});
            last.clear(); // it names one block
            found.last().text += line.mid(4) + u'\n';
            inside = true;
        } else {
            inside = false;
            if (!line.trimmed().isEmpty()) last = line;
        }
    }
    return found;
}

QString squeezed(QString text)
{
    return text.replace(QRegularExpression(QStringLiteral("[ \\t]+")), QStringLiteral(" ")).trimmed();
}

} // namespace

class GuidePagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A page with commands is in the list of one of the tests that run them.
    void noPageIsLeftOut()
    {
        QString tests;
        for (const char* name : {"tst_guide_pages.cpp", "tst_guide_usmp.cpp", "tst_guide_planner.cpp"}) {
            QFile source(QStringLiteral(STOWAGE_SOURCE_DIR "/tests/cli/") + QLatin1String(name));
            QVERIFY(source.open(QIODevice::ReadOnly));
            tests += QString::fromUtf8(source.readAll());
        }
        static const QRegularExpression command(QStringLiteral("(^|\\n)    stowage-cli "));
        int pages = 0;
        for (const QString& name :
             QDir(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/guide")).entryList({QStringLiteral("*.md")})) {
            QFile page(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/guide/") + name);
            QVERIFY(page.open(QIODevice::ReadOnly));
            if (!QString::fromUtf8(page.readAll()).contains(command)) continue;
            ++pages;
            const QString listed = name.chopped(3); // ".md"
            QVERIFY2(tests.contains(u'"' + listed + u'"') || tests.contains(u'/' + name + u'"'), qPrintable(name));
        }
        QVERIFY(pages >= 18);
    }

    void everyCommandSaysWhatThePageSays_data()
    {
        QTest::addColumn<QString>("page");
        for (const char* page : {"will-my-model-fit", "why-is-the-peak-so-high", "compare-planners", "judge-my-own-planner",
                                 "two-memories", "file-formats", "proofs-reductions-reports"})
            QTest::newRow(page) << QString::fromLatin1(page);
    }
    void everyCommandSaysWhatThePageSays()
    {
        QFETCH(QString, page);
        QTemporaryDir folder;
        const QDir samples(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples"));
        for (const QString& name : samples.entryList({QStringLiteral("*.json")}, QDir::Files))
            QVERIFY(QFile::link(samples.filePath(name), folder.filePath(name)));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"),
                           QFileInfo(Cli::program()).absolutePath() + u':' + environment.value(QStringLiteral("PATH")));
        int commands = 0;
        for (const Block& block : blocksOf(page)) {
            if (!block.file.isEmpty()) {
                QFile out(folder.filePath(block.file));
                QVERIFY(out.open(QIODevice::WriteOnly) && out.write(block.text.toUtf8()) > 0);
                continue;
            }
            QString said;
            for (const QString& line : block.text.split(u'\n', Qt::SkipEmptyParts)) {
                if (!line.startsWith(QStringLiteral("stowage-cli "))) {
                    QVERIFY2(squeezed(said).contains(squeezed(line)),
                             qPrintable(QStringLiteral("not said: %1\n%2").arg(line, said)));
                    continue;
                }
                static const QRegularExpression status(QStringLiteral(R"(# status (\d+)$)"));
                QProcess shell;
                shell.setWorkingDirectory(folder.path());
                shell.setProcessEnvironment(environment);
                shell.setProcessChannelMode(QProcess::MergedChannels);
                shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), line});
                QVERIFY2(shell.waitForFinished(120'000), qPrintable(line));
                said = QString::fromUtf8(shell.readAll());
                QVERIFY2(shell.exitCode() == status.match(line).captured(1).toInt(), qPrintable(line + u'\n' + said));
                ++commands;
            }
        }
        QVERIFY(commands >= 2);
    }
};

QTEST_GUILESS_MAIN(GuidePagesTest)
#include "tst_guide_pages.moc"

// The guide's page for authors of planners: its files are written, and its commands run, as a reader would.
//
// A block after a line that ends in "`NAME`:" is that file. In other blocks a line that begins with "stowage-cli" is a command,
// with status 0 unless "# status N" stands behind it; the lines after it are in what it says.
#include "tests/cli/cli_process.h"

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

QList<Block> blocks()
{
    QFile page(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/guide/a-planner-in-ten-minutes.md"));
    QList<Block> found;
    if (!page.open(QIODevice::ReadOnly)) return found;
    static const QRegularExpression named("`([\\w.]+)`[^`]*:$");
    bool inside = false;
    QString last, blanks;
    for (const QString& line : QString::fromUtf8(page.readAll()).split('\n')) {
        if (line.startsWith("    ")) {
            if (!inside) found.append({named.match(last).captured(1), {}});
            found.last().text += blanks + line.mid(4) + '\n';
            inside = true;
            blanks.clear();
        } else if (line.trimmed().isEmpty()) {
            if (inside && !found.last().file.isEmpty()) blanks += '\n';
            if (inside && found.last().file.isEmpty()) inside = false;
        } else {
            inside = false;
            blanks.clear();
            last = line;
        }
    }
    return found;
}

QString squeezed(QString text)
{
    return text.replace(QRegularExpression("[ \\t]+"), " ").trimmed();
}

} // namespace

class GuidePlannerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFileAndCommandOfThePageWorks()
    {
        QTemporaryDir folder;
        const QDir samples(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples"));
        QVERIFY(QFile::copy(samples.filePath("mobilenet_v1_025.json"), folder.filePath("mobilenet_v1_025.json")));
        QDir().mkpath(folder.filePath("planners.d"));
        for (const QString& name : QDir(samples.filePath("planners.d")).entryList(QDir::Files))
            QVERIFY(QFile::copy(samples.filePath("planners.d/" + name), folder.filePath("planners.d/" + name)));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", QFileInfo(Cli::program()).absolutePath() + ':' + environment.value("PATH"));
        environment.insert("XDG_CONFIG_HOME", folder.filePath("config"));
        environment.insert("XDG_DATA_HOME", folder.filePath("data"));
        int files = 0, commands = 0;
        for (const Block& block : blocks()) {
            if (!block.file.isEmpty()) {
                QFile out(folder.filePath(block.file));
                QVERIFY(out.open(QIODevice::WriteOnly) && out.write(block.text.toUtf8()) > 0);
                ++files;
                continue;
            }
            QString said;
            for (const QString& line : block.text.split('\n', Qt::SkipEmptyParts)) {
                if (!line.startsWith("stowage-cli ")) {
                    QVERIFY2(squeezed(said).contains(squeezed(line)), qPrintable("not said: " + line + "\n" + said));
                    continue;
                }
                static const QRegularExpression status(R"(# status (\d+)$)");
                QProcess shell;
                shell.setWorkingDirectory(folder.path());
                shell.setProcessEnvironment(environment);
                shell.setProcessChannelMode(QProcess::MergedChannels);
                shell.start("sh", {"-c", line});
                QVERIFY2(shell.waitForFinished(120'000), qPrintable(line));
                said = QString::fromUtf8(shell.readAll());
                QVERIFY2(shell.exitCode() == status.match(line).captured(1).toInt(), qPrintable(line + "\n" + said));
                ++commands;
            }
        }
        QCOMPARE(files, 4);
        QVERIFY(commands >= 7);
    }
};

QTEST_GUILESS_MAIN(GuidePlannerTest)
#include "tst_guide_planner.moc"

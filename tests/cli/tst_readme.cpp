// What the README tells a reader to type does what the README says.
#include "tests/cli/cli_process.h"

#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

using namespace stowage;
using namespace stowage::test;

namespace {

QString readme()
{
    QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/README.md"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The indented blocks of a Markdown text, without their indentation.
QStringList codeBlocks(const QString& text)
{
    QStringList blocks;
    bool inside = false;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        const bool code = line.startsWith(QLatin1String("    "));
        if (code && !inside) blocks.append(QString());
        if (code) blocks.last() += line.mid(4) + QLatin1Char('\n');
        inside = code;
    }
    return blocks;
}

} // namespace

class ReadmeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fiveLinesOfCsvAndOneCommand()
    {
        const QStringList blocks = codeBlocks(readme());
        const auto csv = std::find_if(blocks.begin(), blocks.end(),
                                      [](const QString& block) { return block.startsWith(QLatin1String("id,")); });
        QVERIFY(csv != blocks.end());
        QCOMPARE(csv->count(QLatin1Char('\n')), 6); // the header and five buffers
        Cli cli;
        const QString input = cli.file(QStringLiteral("buffers.csv"), csv->toUtf8());
        QVERIFY(readme().contains(QLatin1String("stowage-cli plan buffers.csv")));
        const CliResult plan = cli({QStringLiteral("plan"), input, QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(plan.status, 0);
        QCOMPARE(plan.object()["status"].toString(), QStringLiteral("optimal"));
        QCOMPARE(plan.object()["pools"].toArray()[0].toObject()["size"].toInt(), 12); // as the README works it out
        QVERIFY(readme().contains(QLatin1String("The answer is 12 bytes")));
    }

    void everyCommandOfTheReadmeIsOne()
    {
        Cli cli;
        const QRegularExpression call(QStringLiteral(R"(stowage-cli ([a-z][a-z-]*))"));
        QRegularExpressionMatchIterator calls = call.globalMatch(readme());
        QVERIFY(calls.hasNext());
        while (calls.hasNext()) {
            const QString command = calls.next().captured(1);
            QCOMPARE(cli({command, QStringLiteral("--help")}).status, 0);
        }
        for (const char* planner : {"auto", "exact", "naive"}) QVERIFY(cli({"list", "planners"}).out.contains(planner));
    }

    /// What the table of measured figures says is what tests/bench/run.sh holds against the program.
    void everyMeasuredFigureHasAClaim()
    {
        QProcess claims;
        claims.start("python3", {STOWAGE_SOURCE_DIR "/tests/bench/claims.py", "--check"});
        QVERIFY(claims.waitForFinished(60'000));
        const QByteArray said = claims.readAllStandardOutput() + claims.readAllStandardError();
        QVERIFY2(claims.exitCode() == 0 && said.startsWith("Every figure of the README's table has one of"), said);
    }

    void everyPlannerAndFolderThatItNamesIsThere()
    {
        const QString text = readme();
        Cli cli;
        const CliResult list =
            cli({QStringLiteral("list"), QStringLiteral("planners"), QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(list.status, 0);
        const QJsonArray planners = list.array();
        QVERIFY(!planners.isEmpty());
        for (const QJsonValue& planner : planners) {
            const QString name = planner.toObject()["name"].toString();
            QVERIFY2(text.contains('`' + name + '`'), qPrintable(name + " is not in the README"));
        }
        const QRegularExpression folder(QStringLiteral(R"(^    ([a-z]+)/ )"), QRegularExpression::MultilineOption);
        QRegularExpressionMatchIterator folders = folder.globalMatch(text);
        QVERIFY(folders.hasNext());
        while (folders.hasNext()) {
            const QString name = folders.next().captured(1);
            QVERIFY2(QDir(QStringLiteral(STOWAGE_SOURCE_DIR) + '/' + name).exists(), qPrintable(name));
        }
        const QRegularExpression picture(QStringLiteral(R"(\!\[[^\]]*\]\(([^)]+)\))"));
        QRegularExpressionMatchIterator pictures = picture.globalMatch(text);
        QVERIFY(pictures.hasNext());
        while (pictures.hasNext()) {
            const QString name = pictures.next().captured(1);
            QVERIFY2(QFile::exists(QStringLiteral(STOWAGE_SOURCE_DIR) + '/' + name), qPrintable(name));
        }
    }
};

QTEST_GUILESS_MAIN(ReadmeTest)
#include "tst_readme.moc"

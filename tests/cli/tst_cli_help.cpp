// Help is short and true: the usual options, examples that run, the rare options on request; misspelt words get their neighbours.
#include "tests/cli/cli_process.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

using namespace stowage::test;

namespace {

const QStringList commands{"plan",   "compare", "check",   "check-proof", "fit",     "explain", "reorder", "reduce",
                           "verify", "info",    "convert", "export",      "rewrite", "render",  "list"};

/// The examples of a command's help, without the program's name.
QStringList examplesOf(const QByteArray& help)
{
    QStringList found;
    for (const QString& line : QString::fromUtf8(help).split('\n'))
        if (line.startsWith("  stowage-cli ")) found += line.mid(int(qstrlen("  stowage-cli ")));
    return found;
}

} // namespace

class CliHelpTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;

private Q_SLOTS:
    void helpIsShortAndHelpAllIsWhole()
    {
        for (const char* command : {"plan", "compare", "explain", "verify", "convert", "export", "render", "rewrite"}) {
            const auto usual = cli_({command, "--help"});
            QCOMPARE(usual.status, 0);
            QVERIFY2(usual.out.contains("--target") && usual.out.contains("Examples:"), usual.out);
            for (const char* rare : {"--workspace-pools", "--with-workspace-buffer", "--seed", "--lower"})
                QVERIFY2(!usual.out.contains(rare), qPrintable(QString(command) + " shows " + rare));
            const auto all = cli_({command, "--help-all"});
            QCOMPARE(all.status, 0);
            for (const char* each : {"--target", "--workspace-pools", "--with-workspace-buffer", "--seed", "--lower"})
                QVERIFY2(all.out.contains(each), qPrintable(QString(command) + " hides " + each));
            QVERIFY(usual.out.count('\n') < 60 && usual.out.count('\n') < all.out.count('\n'));
        }
    }

    /// The text of an option stands beside its name and type, or in the line below.
    void everyOptionIsDescribed()
    {
        static const QRegularExpression alone(R"(^  -\S+( \S+){0,3}$)");
        int options = 0;
        for (const QString& command : commands) {
            const QStringList lines = QString::fromUtf8(cli_({command, "--help-all"}).out).split('\n');
            for (qsizetype i = 0; i < lines.size(); ++i) {
                if (!lines[i].startsWith("  -")) continue;
                ++options;
                const bool below = i + 1 < lines.size() && lines[i + 1].startsWith(QString(10, ' '));
                QVERIFY2(below || !alone.match(lines[i]).hasMatch(), qPrintable(command + ": " + lines[i]));
            }
        }
        QVERIFY(options > 100);
    }

    /// A comparison stops the one planner that has no limit of its own.
    void theHelpOfCompareHasTheLimitOfExact()
    {
        const QByteArray help = cli_({"compare", "--help"}).out;
        for (const char* part : {"'exact' stops", "5,000,000 placements", "than 500 buffers", "(500 / buffers)³"})
            QVERIFY2(help.contains(part), help);
    }

    /// An option that is on or off has one form: what it takes, its type, and its default.
    void optionsThatAreOnOrOffHaveOneForm()
    {
        const QByteArray text = cli_({"list", "planners", "--safe-mode"}).out;
        QVERIFY2(text.contains("true | false") && !text.contains("on | off"), text);
        int options = 0;
        for (const QJsonValue& planner : cli_({"list", "planners", "--format", "json", "--safe-mode"}).array())
            for (const QJsonValue& option : planner["options"].toArray()) {
                const QString standard = option["default"].toString();
                const bool is = standard == "true" || standard == "false";
                QCOMPARE(option["type"].toString() == "true or false", is);
                options += is;
            }
        QVERIFY(options >= 3); // those of hivm
    }

    /// The table of exporters says which formats are written by 'export'.
    void theFormatsOfExportAreInItsHelp()
    {
        const QByteArray help = cli_({"export", "--help"}).out;
        int kinds = 0;
        for (const QJsonValue& each : cli_({"list", "exporters", "--format", "json", "--safe-mode"}).array()) {
            const QString name = each["name"].toString();
            if (each["command"].toString() != "export --as " + name) continue;
            ++kinds;
            QVERIFY2(help.contains(name.toUtf8()), qPrintable(name));
        }
        QVERIFY(kinds >= 9);
    }

    void everyCommandHasTwoExamplesThatRun_data()
    {
        QTest::addColumn<QString>("command");
        for (const QString& command : commands) QTest::newRow(qPrintable(command)) << command;
    }
    void everyCommandHasTwoExamplesThatRun()
    {
        QFETCH(QString, command);
        const QStringList examples = examplesOf(cli_({command, "--help"}).out);
        QVERIFY(examples.size() >= 2);
        QTemporaryDir folder;
        const auto put = [&](const QString& from, const char* name) { QVERIFY(QFile::copy(from, folder.filePath(name))); };
        put(Cli::sample("mobilenet_v1_025.json"), "model.tflite");
        put(Cli::sample("mobilenet_v1_025.json"), "model.program.json");
        put(Cli::sample("unified_planning.tir"), "model.tir");
        put(cli_.file("problem.csv", threeBuffers), "problem.csv");
        put(cli_.file("planned.csv", "id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,10\nc,2,4,10,0\n"), "planned.csv");
        put(Cli::sample("mlp_packed_weights.mlir"), "model.mlir");
        const auto run = [&](const QString& line) {
            QProcess shell;
            shell.setWorkingDirectory(folder.path());
            shell.setProcessChannelMode(QProcess::MergedChannels);
            shell.start("sh", {"-c", '\'' + Cli::program() + "' " + line});
            const bool ended = shell.waitForFinished(60'000);
            return std::pair(ended ? shell.exitCode() : -1, shell.readAll());
        };
        run("plan model.tflite --planner greedy-by-size --format json -o model.plan.json");
        run("plan model.tflite --planner naive --format json -o old.plan.json");
        run("plan model.tflite --planner greedy-by-size --format json -o new.plan.json");
        for (const QString& example : examples) {
            const auto [status, said] = run(example);
            QVERIFY2(status == 0 || (status == 1 && example.contains("--capacity 29")), qPrintable(example + '\n' + said));
        }
    }

    void misspeltWordsGetTheirNeighboursAndTheList_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("neighbour");
        QTest::addColumn<QByteArray>("list");
        const QString three = cli_.file("three.csv", threeBuffers);
        QTest::newRow("command") << QStringList{"plann"} << QByteArray("did you mean 'plan'?")
                                 << QByteArray("the commands are: plan, compare");
        QTest::newRow("option") << QStringList{"plan", three, "--planer", "naive"} << QByteArray("did you mean '--planner'?")
                                << QByteArray("--target");
        QTest::newRow("lowering option") << QStringList{"plan", three, "--lower", "lops=precise"}
                                         << QByteArray("error: there is no lowering option 'lops' (did you mean 'loops'?")
                                         << QByteArray("the lowering options are: order, ");
        QTest::newRow("rare option") << QStringList{"plan", three, "--thread", "2"} << QByteArray("did you mean '--threads'?")
                                     << QByteArray("--planner");
        QTest::newRow("planner") << QStringList{"plan", three, "--planner", "greedy-by-sise"}
                                 << QByteArray("did you mean 'greedy-by-size'") << QByteArray("the planners are: ");
        QTest::newRow("planner to compare") << QStringList{"compare", three, "--planners", "niave,exact"}
                                            << QByteArray("did you mean 'naive'") << QByteArray("the planners are: ");
        QTest::newRow("target") << QStringList{"plan", three, "--target", "esp32-s4"} << QByteArray("did you mean 'esp32-s3'")
                                << QByteArray("the targets are: ");
        QTest::newRow("choice") << QStringList{"plan", three, "--format", "jsn"} << QByteArray("did you mean 'json'?")
                                << QByteArray("markdown");
        QTest::newRow("view") << QStringList{"render", three, "--view", "memory", "-o", "x.png"}
                              << QByteArray("did you mean 'memory-map'?") << QByteArray("heatmap");
    }
    void misspeltWordsGetTheirNeighboursAndTheList()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, neighbour);
        QFETCH(QByteArray, list);
        const auto result = cli_(arguments);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.startsWith("error: "), result.err);
        QVERIFY2(result.err.contains(neighbour), result.err);
        QVERIFY2(result.err.contains(list), result.err);
    }

    void theVersionNamesTheBuildOfTheCore()
    {
        const auto version = cli_({"--version"});
        QCOMPARE(version.status, 0);
        const auto match = QRegularExpression(R"(^stowage [\d.]+ \(core ([0-9a-f]{16})\)\n$)").match(version.out);
        QVERIFY2(match.hasMatch(), version.out);
        // The hash of the library that lies beside the program.
        QFile library(QFileInfo(Cli::program()).absolutePath() + "/../lib/libstowage-core.so");
        QVERIFY(library.open(QIODevice::ReadOnly));
        QCryptographicHash hash(QCryptographicHash::Sha256);
        QVERIFY(hash.addData(&library));
        QVERIFY2(hash.result().toHex().startsWith(match.captured(1).toUtf8()), version.out);
    }
};

QTEST_GUILESS_MAIN(CliHelpTest)
#include "tst_cli_help.moc"

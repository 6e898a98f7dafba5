// Bad usage and bad input: status 2, and a message that names the place and helps. Reference models through the command line.
#include "tests/cli/cli_process.h"
#include "tests/support/shared.h"

#include <QDir>
#include <QTest>

using namespace stowage::test;

class CliInputTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;
    QString three_;

private Q_SLOTS:
    void initTestCase() { three_ = cli_.file("three.csv", threeBuffers); }

    void badUsageIsStatusTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("nothing") << QStringList{} << QByteArray("a command is missing");
        QTest::newRow("no such command") << QStringList{"plann"} << QByteArray("plann");
        QTest::newRow("no input") << QStringList{"plan"} << QByteArray("INPUT");
        QTest::newRow("no such option") << QStringList{"plan", "x", "--planer", "naive"} << QByteArray("--planer");
        QTest::newRow("no such format") << QStringList{"plan", "x", "--format", "yaml"} << QByteArray("yaml");
        QTest::newRow("no such file") << QStringList{"plan", "no-such-file.csv"} << QByteArray("no-such-file.csv");
        QTest::newRow("no such planner") << QStringList{"plan", "THREE", "--planner", "greedy-by-sise"}
                                         << QByteArray("greedy-by-size");
        QTest::newRow("no such planner to compare")
            << QStringList{"compare", "THREE", "--planners", "naive,best"} << QByteArray("best");
        QTest::newRow("no such planner option")
            << QStringList{"plan", "THREE", "--planner", "naive", "--option", "depth=3"} << QByteArray("depth");
        QTest::newRow("an option without a value") << QStringList{"plan", "THREE", "--option", "depth"} << QByteArray("depth");
        QTest::newRow("no such lowering") << QStringList{"plan", "THREE", "--lower", "loops=upward"}
                                          << QByteArray("conservative");
        QTest::newRow("no such importer") << QStringList{"plan", "THREE", "--importer", "tensorrt"} << QByteArray("csv");
        QTest::newRow("no size") << QStringList{"plan", "THREE", "--capacity", "many"} << QByteArray("many");
        QTest::newRow("no such pool") << QStringList{"plan", "THREE", "--target", "cortex-m7", "--pool", "dtmc=3"}
                                      << QByteArray("dtcm");
        QTest::newRow("which pool") << QStringList{"plan", "THREE", "--target", "cortex-m7", "--capacity", "3"}
                                    << QByteArray("--pool");
        QTest::newRow("alignment of nothing") << QStringList{"plan", "THREE", "--alignment", "0"} << QByteArray("alignment");
        QTest::newRow("a dimension that is no number")
            << QStringList{"plan", "THREE", "--bind", "batch=one"} << QByteArray("batch");
        QTest::newRow("a dimension of a file that has none")
            << QStringList{"plan", "THREE", "--bind", "batch=1"} << QByteArray("no free dimension is named 'batch'");
        QTest::newRow("an option that the reader has not")
            << QStringList{"plan", "THREE", "--import", "io=excluded"} << QByteArray("has no option \"io\"");
        QTest::newRow("negative time") << QStringList{"plan", "THREE", "--time-limit", "-1"} << QByteArray("-1");
        QTest::newRow("no such list") << QStringList{"list", "planets"} << QByteArray("planets");
        QTest::newRow("no folder to write to")
            << QStringList{"plan", "THREE", "-o", "/no-such-folder/x.csv"} << QByteArray("no-such-folder");
        QTest::newRow("no such plan") << QStringList{"check", "THREE", "no-such-plan.json"} << QByteArray("no-such-plan.json");
    }
    void badUsageIsStatusTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        arguments.replaceInStrings("THREE", three_);
        const auto result = cli_(arguments);
        QVERIFY2(result.status == 2, result.out + result.err);
        QVERIFY2(result.err.contains(said), result.err);
        QVERIFY2(result.out.isEmpty(), result.out);
    }

    void badInputNamesItsPlace_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::newRow("csv: a size") << QByteArray("bad.csv") << QByteArray("id,lower,upper,size\na,0,2,10\nb,1,3,x\n") << 3;
        QTest::newRow("csv: overflow") << QByteArray("bad.csv") << QByteArray("id,lower,upper,size\na,0,2,99999999999999999999\n")
                                       << 2;
        QTest::newRow("problem: typo") << QByteArray("bad.json")
                                       << QByteArray("{\"format\": \"stowage.problem/1\",\n\"pools\": [{\"name\": "
                                                     "\"p\"}],\n\"buffers\": [{\"name\": \"a\", \"sise\": 3}]}")
                                       << 3;
        QTest::newRow("program: unknown tensor")
            << QByteArray("bad.json")
            << QByteArray("{\"format\": \"stowage.program/1\", \"entry\": \"main\", \"functions\": [{\"name\": "
                          "\"main\",\n\"inputs\": [],\n"
                          "\"outputs\": [], \"tensors\": [], \"ops\": [{\"name\": \"f\",\n\"kind\": \"f\", \"inputs\": [\"x\"], "
                          "\"outputs\": []}]}]}")
            << 4;
    }
    void badInputNamesItsPlace()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        const QString path = cli_.file(name, text);
        const auto result = cli_({"plan", path});
        QVERIFY2(result.status == 2, result.out + result.err);
        QVERIFY2(result.err.contains(path.toUtf8() + ":" + QByteArray::number(line) + ":"), result.err);
        const auto piped = cli_({"plan", "-"}, text);
        QVERIFY2(piped.status == 2 && piped.err.contains("standard input:" + QByteArray::number(line)), piped.err);
    }

    void helpIsNoError()
    {
        for (const char* command : {"plan", "compare", "check", "info", "convert", "list"}) {
            const auto result = cli_({command, "--help"});
            QCOMPARE(result.status, 0);
            QVERIFY(result.out.contains(command));
        }
        QVERIFY(cli_({"--help"}).out.contains("Exit status"));
        QVERIFY(cli_({"--version"}).out.startsWith("stowage "));
    }

    void nothingIsSilentlyWithoutEffect()
    {
        const auto lowered = cli_({"plan", three_, "--planner", "naive", "--lower", "loops=precise"});
        QCOMPARE(lowered.status, 0);
        QVERIFY2(lowered.err.contains("warning: --lower loops changes nothing"), lowered.err);
        const auto replaced = cli_({"plan", three_, "--planner", "naive", "--pool", "sram=100"});
        QCOMPARE(replaced.status, 0);
        QVERIFY2(replaced.err.contains("warning: the pools of --pool replace 'arena'"), replaced.err);
        QVERIFY2(cli_({"plan", three_, "--planner", "naive", "--pool", "arena=100"}).err.isEmpty(), "the input's own memory");
        for (const QStringList& arguments : {QStringList{"plan", three_, "-o", ""}, QStringList{"convert", three_, "-o", ""},
                                             QStringList{"render", three_, "--view", "usage", "-o", ""}}) {
            const auto empty = cli_(arguments);
            QVERIFY2(empty.status == 2 && empty.err.contains("it must not be empty"), empty.err);
        }
        const auto plan = cli_({"convert", three_, "-o", cli_.path("x.plan.json")});
        QVERIFY2(plan.status == 2 && plan.err.contains("plan --format json"), plan.err);
        QVERIFY(!QFile::exists(cli_.path("x.plan.json")));
    }

    /// Of two values one would be without effect.
    void nothingIsGivenTwice_data()
    {
        QTest::addColumn<QStringList>("options");
        const auto row = [](const char* name, const QStringList& options) { QTest::newRow(name) << options; };
        row("a pool", {"--pool", "arena=50", "--pool", "arena=60"});
        row("a pool and the capacity", {"--pool", "arena=50", "--capacity", "60"});
        row("an option of a planner", {"--planner", "hill-climb", "--option", "attempts=3", "--option", "attempts=4"});
        row("a lowering", {"--lower", "order=dag", "--lower", "order=linear"});
        row("a dimension", {"--bind", "n=1", "--bind", "n=2"});
        row("a planner", {"--planner", "naive", "--planner", "exact"});
        row("a target", {"--target", "cortex-m7", "--target", "esp32-s3"});
    }
    void nothingIsGivenTwice()
    {
        QFETCH(QStringList, options);
        const auto result = cli_(QStringList{"plan", three_} + options);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("twice") || result.err.contains("2 times") || result.err.contains("two capacities"),
                 result.err);
    }

    /// A variable of a script that is not set, or a number that is none: no plan for other memories than those that were meant.
    void valuesThatSayNothingAreErrors()
    {
        for (const QStringList& options :
             {QStringList{"--target", ""}, QStringList{"--capacity", ""}, QStringList{"--function", ""},
              QStringList{"--importer", ""}, QStringList{"--time-limit", "nan"}, QStringList{"--time-limit", "inf"},
              QStringList{"--pool", "arena="}}) {
            const auto result = cli_(QStringList{"plan", three_} + options);
            QVERIFY2(result.status == 2 && result.err.contains(options.front().toUtf8()),
                     options.join(' ').toUtf8() + result.err);
            QVERIFY2(result.err.size() < 300, result.err);
        }
        const auto input = cli_({"plan", ""});
        QVERIFY2(input.status == 2 && input.err.contains("INPUT"), input.err);
    }

    /// What was read as another number was, in silence: nothing as 0, leading zeros as octal, 20 digits as the largest number.
    void numbersAreReadAsTheyAreWritten_data()
    {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArray>("says"); // empty: the value is taken
        const auto row = [](const char* option, const char* value, const QByteArray& says) {
            QTest::addRow("%s '%s'", option, value) << QString(option) << QString(value) << says;
        };
        row("--seed", "", "error: --seed: '' is not a whole number");
        row("--seed", "x", "error: --seed: 'x' is not a whole number");
        row("--seed", "1.5", "error: --seed: '1.5' is not a whole number");
        row("--seed", "-1", "error: --seed: '-1' is below 0");
        row("--seed", "18446744073709551616", "error: --seed: '18446744073709551616' is too large"); // 2^64
        row("--work-limit", "", "error: --work-limit: '' is not a whole number");
        row("--work-limit", "0x", "error: --work-limit: '0x' is not a whole number");
        row("--rows", "", "error: --rows: '' is not a whole number");
        row("--threads", "99999999999", "error: --threads: '99999999999' is too large");
        row("--time-limit", "", "error: --time-limit: '' is not a number");
        row("--time-limit", "1 s", "error: --time-limit: '1 s' is not a number");
        row("--time-limit", "-1", "error: --time-limit: '-1' is below 0");
        row("--time-limit", "nan", "error: --time-limit: 'nan' is not a finite number");
        row("--time-limit", "1e3", {});
    }
    void numbersAreReadAsTheyAreWritten()
    {
        QFETCH(const QString, option);
        QFETCH(const QString, value);
        QFETCH(const QByteArray, says);
        const CliResult read = cli_({"plan", three_, option, value});
        QCOMPARE(read.status, says.isEmpty() ? 0 : 2);
        QVERIFY2(read.err.startsWith(says), read.err);
        QVERIFY2(read.err.size() < 200, read.err); // no limit of a type is written out
    }

    void theSeedInTheFileIsTheOneThatWasGiven()
    {
        for (const auto& [text, number] : {std::pair("010", 10), std::pair("0x10", 16), std::pair("+7", 7)}) {
            const CliResult planned = cli_({"plan", three_, "--seed", text, "--format", "json"});
            QCOMPARE(planned.status, 0);
            QCOMPARE(planned.object()["seed"].toInt(), number);
        }
    }

    void aPortfolioTellsItsMemberOnRequest()
    {
        const QStringList arguments{"plan", three_, "--planner", "auto"};
        QVERIFY2(cli_(arguments).err.isEmpty(), cli_(arguments).err);
        QVERIFY2(cli_(arguments + QStringList{"-v"}).err.contains("gave this plan"), cli_(arguments + QStringList{"-v"}).err);
    }

    void everyMalformedModelIsStatusTwoWithAMessage()
    {
        STOWAGE_NEEDS_SHARED();
        const QDir bad(sharedFile("models/bad"));
        const QStringList files = bad.entryList(QDir::Files);
        QVERIFY(files.size() >= 5);
        for (const QString& file : files) {
            const auto result = cli_({"plan", bad.filePath(file)});
            QVERIFY2(result.status == 2, qPrintable(file + ": " + result.out + result.err));
            QVERIFY2(result.err.contains("error: "), qPrintable(file + ": " + result.err));
        }
    }

    void miniMallocsBenchmarksKeepTheirLowerBound()
    {
        STOWAGE_NEEDS_SHARED();
        // The peaks are those of the README beside the files, computed independently.
        const QMap<QString, qint64> peaks{{"A", 1048576}, {"C", 1039360}, {"D", 986112}, {"J", 989184}, {"K", 1048576}};
        for (auto it = peaks.begin(); it != peaks.end(); ++it) {
            const QString path = sharedFile("bench/minimalloc/") + it.key() + ".1048576.csv";
            const QJsonObject info = cli_({"info", path, "--format", "json"}).object();
            QCOMPARE(info["functions"].toArray()[0].toObject()["peak"].toObject()["bytes"].toInteger(), it.value());
        }
    }

    void realModelsAreReadThroughTheWorker()
    {
        STOWAGE_NEEDS_SHARED();
        // Figures of reference.json and of the table in models/README.md: main graph, alignment 1.
        const auto peak = [&](const char* file) {
            const auto result = cli_({"info", sharedFile(file), "--import", "subgraphs=main", "--format", "json"});
            return result.object()["functions"].toArray()[0].toObject()["peak"].toObject()["bytes"].toInteger(-1);
        };
        QCOMPARE(peak("models/tflite/mlperf_vww96_int8.tflite"), 55296);
        QCOMPARE(peak("models/tflite/deeplabv3_mnv2_dm05_pascal_quant.tflite"), 7631901);
        const auto plan = cli_(
            {"plan", sharedFile("models/tflite/mlperf_vww96_int8.tflite"), "--planner", "greedy-by-size", "--format", "json"});
        QCOMPARE(plan.object()["pools"].toArray()[0].toObject()["size"].toInt(), 64512);
    }
};

QTEST_GUILESS_MAIN(CliInputTest)
#include "tst_cli_input.moc"

// What the README tells a reader to type does what the README says.
#include "tests/cli/cli_process.h"

#include <QDirIterator>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTest>

#include <array>
#include <cmath>
#include <utility>

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
    /// A forge shows the committed picture. Blocks are compared by their means, as times in the picture differ from one planning
    /// to the next. Of its 1,000 blocks, the last two committed pictures differ in none, and the one before, of an older layout,
    /// in 266.
    void thePictureIsOfTheWindowAsItIs()
    {
        const QString made = qEnvironmentVariable("STOWAGE_BIN") + QStringLiteral("/../share/stowage-guide/window-dark.png");
        const QString committed = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/guide/window-dark.png");
        const QString remedy = QStringLiteral("the picture is of an older window: cp %1 %2").arg(made, committed);
        const QImage now(made), shown(committed);
        QVERIFY2(!now.isNull(), qPrintable(made));
        QVERIFY2(!shown.isNull(), qPrintable(committed));
        QVERIFY2(now.size() == shown.size(), qPrintable(remedy));
        constexpr int side = 40;        // pixels
        constexpr int maxOther = 20;    // blocks
        constexpr double maxAway = 4.0; // of 255
        const auto mean = [](const QImage& image, int left, int top) {
            double sum = 0;
            for (int y = top; y < top + side; ++y)
                for (int x = left; x < left + side; ++x) sum += qGreen(image.pixel(x, y));
            return sum / (side * side);
        };
        int other = 0;
        for (int top = 0; top + side <= now.height(); top += side)
            for (int left = 0; left + side <= now.width(); left += side)
                other += std::abs(mean(now, left, top) - mean(shown, left, top)) > maxAway ? 1 : 0;
        QVERIFY2(other <= maxOther, qPrintable(QStringLiteral("%1 blocks differ; ").arg(other) + remedy));
    }

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

    void withoutAFileTheSampleOfTheReadmeIsOpened()
    {
        QFile script(STOWAGE_SOURCE_DIR "/app/run.sh");
        QVERIFY(script.open(QIODevice::ReadOnly));
        static const QRegularExpression opened(R"re(set -- "\$root/resources/samples/([\w.]+)")re");
        const QString sample = opened.match(QString::fromUtf8(script.readAll())).captured(1);
        QVERIFY(QFile::exists(Cli::sample(qPrintable(sample))) && !sample.isEmpty());
        QVERIFY(readme().contains("Without a file `./app/run.sh` opens the sample `" + sample + '`'));
    }

    /// What the table of measured figures says is what tests/bench/run.sh holds against the program.
    void everyMeasuredFigureHasAClaim()
    {
        QProcess claims;
        claims.start("python3", {"-B", STOWAGE_SOURCE_DIR "/tests/bench/claims.py", "--check"});
        QVERIFY(claims.waitForFinished(60'000));
        const QByteArray said = claims.readAllStandardOutput() + claims.readAllStandardError();
        QVERIFY2(claims.exitCode() == 0 && said.startsWith("Every figure of the README's table has one of"), said);
    }

    /// A benchmark that crashed or was not built has shown nothing, and a choice without a claim is a mistake.
    void aClaimThatIsNotMeasuredDoesNotHold()
    {
        const Cli cli;
        QVERIFY(QDir().mkpath(cli.path("bin")) && QDir().mkpath(cli.path("shared")));
        const auto measure = [&](const QString& part, const QByteArray& benchmark) {
            const QString program = cli.file("bin/bench_fold", "#!/bin/sh\n" + benchmark + '\n');
            if (!QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner)) qFatal("no permission");
            if (benchmark.isEmpty() && !QFile::remove(program)) qFatal("cannot remove");
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("STOWAGE_SHARED_DIR", cli.path("shared"));
            QProcess claims;
            claims.setProcessEnvironment(environment);
            claims.setProcessChannelMode(QProcess::MergedChannels);
            claims.start("python3", {"-B", STOWAGE_SOURCE_DIR "/tests/bench/claims.py", "--build", cli.path({}), "--only", part});
            if (!claims.waitForFinished(60'000)) claims.kill();
            return std::pair(claims.exitCode(), claims.readAll());
        };
        static const QRegularExpression claimed("([0-9]+) MB in the worker");
        const int megabytes = claimed.match(readme()).captured(1).toInt();
        QVERIFY(megabytes > 0);
        const auto printed = [](int worker) -> QByteArray {
            return R"(echo '{"benchmarks": [{"name": "literal/64", "processor_ms": 1, "own_MB": 1, "worker_MB": )" +
                   QByteArray::number(worker) + "}]}'";
        };
        const QString literal = "a literal of 64 MiB";
        const auto good = measure(literal, printed(megabytes));
        QVERIFY2(good.first == 0 && good.second.count("\nholds ") == 3, good.second);
        const auto larger = measure(literal, printed(megabytes * 5 / 4)); // a ratio or a time may be that
        QVERIFY2(larger.first == 1 && larger.second.count("\nFAILS ") == 1, larger.second);
        const auto crashed = measure(literal, "kill -SEGV $$");
        QVERIFY2(crashed.first == 1 && crashed.second.contains("3 of 3 claims were not measured"), crashed.second);
        const auto absent = measure(literal, {});
        QVERIFY2(absent.first == 1 && absent.second.contains("bench_fold does not start"), absent.second);
        const auto mistyped = measure("a litteral", printed(megabytes));
        QVERIFY2(mistyped.first == 2 && mistyped.second.contains("no claim has the part 'a litteral'"), mistyped.second);
    }

    /// The script runs with a set-up that builds nothing, and with a command line that prints its arguments or fails.
    void withoutADisplayEveryFileHasAReportOfItsOwnAndAFailureAStatus()
    {
        const Cli cli;
        for (const char* folder : {"app", "build/bin", "a", "b", "dir.v1"}) QVERIFY(QDir().mkpath(cli.path(folder)));
        for (const char* model : {"a/m.tflite", "b/m.tflite", "m.onnx", "dir.v1/model"}) cli.file(model, "a model");
        QVERIFY(QFile::copy(STOWAGE_SOURCE_DIR "/app/run.sh", cli.path("app/run.sh")));
        cli.file("app/setup.sh", "say() { echo \"$*\" >&2; }\nneed_packages() { :; }\nbuild_preset() { :; }\n");
        const QString program =
            cli.file("build/bin/stowage-cli", "#!/bin/sh\necho \"$1 of $2\"\n[ \"$1\" != \"$BROKEN\" ] || exit 2\n");
        QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* display : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(display);
        for (const char* broken : {"", "compare", "info", "render"}) {
            environment.insert("BROKEN", broken);
            QProcess script;
            script.setProcessEnvironment(environment);
            script.setProcessChannelMode(QProcess::MergedChannels);
            script.setWorkingDirectory(cli.path({}));
            script.start("bash", {cli.path("app/run.sh"), "a/m.tflite", "b/m.tflite", "m.onnx", "dir.v1/model"});
            QVERIFY(script.waitForFinished(60'000));
            QVERIFY2(script.exitCode() == (*broken == '\0' ? 0 : 2), broken + script.readAll());
        }
        const std::array<std::pair<const char*, const char*>, 4> reports{
            {{"m.tflite", "a/m.tflite"}, {"m.tflite-2", "b/m.tflite"}, {"m.onnx", "m.onnx"}, {"model", "dir.v1/model"}}};
        for (const auto& [folder, model] : reports) {
            const QByteArray report = cli.contents(QString("build/report/%1/report.md").arg(QLatin1String(folder)));
            QVERIFY2(report.contains(QByteArray("    info of ") + model + '\n'), folder);
            QVERIFY2(report.contains(QByteArray("\ncompare of ") + model + '\n'), folder);
        }
        QCOMPARE(QDir(cli.path("build/report")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), qsizetype(reports.size()));
    }

    /// What tests/run.sh leaves out it names: a clone without history does not tell which sources changed.
    void aCloneWithoutHistorySaysThatClangTidyIsLeftOut()
    {
        const Cli cli;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"}) environment.remove(name);
        QProcess script;
        script.setProcessEnvironment(environment);
        script.setProcessChannelMode(QProcess::MergedChannels);
        const char* const lines = "say() { echo \"$*\" >&2; }\n"
                                  "eval \"$(sed -n '/^sources_for_tidy()/,/^}/p' \"$1\")\"\n"
                                  "cd \"$2\" && git init -q || exit 77\n"
                                  "git -c user.name=n -c user.email=n@localhost commit -q --allow-empty -m first || exit 77\n"
                                  "tidy=changed\n"
                                  "sources_for_tidy\n";
        script.start("bash", {"-c", lines, "bash", STOWAGE_SOURCE_DIR "/tests/run.sh", cli.path({})});
        QVERIFY(script.waitForFinished(60'000));
        if (script.exitCode() == 77) QSKIP("git is not installed, or makes no commit here");
        const QByteArray said = script.readAll();
        QVERIFY2(script.exitCode() == 0 && said.startsWith("Skipped: clang-tidy on changed sources"), said);
    }

    /// The script runs with a set-up for which packages take 100 s of bash's clock and building 130 s, and with a ctest that
    /// passes or fails.
    void aRunOfTheTestsSaysHowLongItTookWithoutThePackages()
    {
        const Cli cli;
        for (const char* folder : {"app", "bin", "tests/fuzz"}) QVERIFY(QDir().mkpath(cli.path(folder)));
        for (const char* script : {"tests/run.sh", "tests/fuzz/seeds.sh"})
            QVERIFY(QFile::copy(QStringLiteral(STOWAGE_SOURCE_DIR "/") + script, cli.path(script)));
        cli.file("app/setup.sh", "say() { :; }\nneed_packages() { SECONDS=$((SECONDS + 100)); }\n"
                                 "build_preset() { SECONDS=$((SECONDS + 130)); }\n");
        const QString ctest = cli.file("bin/ctest", "#!/bin/sh\nexit \"$CTEST_STATUS\"\n");
        QVERIFY(QFile::setPermissions(ctest, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", cli.path("bin") + ':' + environment.value("PATH"));
        environment.insert("GIT_CEILING_DIRECTORIES", QDir::tempPath());
        for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"}) environment.remove(name);
        const std::array<std::pair<const char*, const char*>, 2> ends{
            {{"0", "\nAll tests passed, in 2 min 1[0-9] s\\.\n$"}, {"1", "\nFAILED: release \\(in 2 min 1[0-9] s\\)\n$"}}};
        for (const auto& [status, last] : ends) {
            environment.insert("CTEST_STATUS", status);
            QProcess script;
            script.setProcessEnvironment(environment);
            script.start("bash", {cli.path("tests/run.sh")});
            QVERIFY(script.waitForFinished(60'000));
            const QString said = QString::fromUtf8(script.readAllStandardOutput());
            QCOMPARE(script.exitCode(), *status == '0' ? 0 : 1);
            QVERIFY2(QRegularExpression(last).match(said).hasMatch(), qPrintable(said));
        }
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

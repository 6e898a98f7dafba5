// `fold` on program JSON, TFLite and ONNX, with the figures counted a second time by a script that shares nothing with Stowage.
#include "tests/cli/cli_process.h"
#include "tests/support/shared.h"

#include <QStandardPaths>
#include <QTest>

using namespace stowage;

namespace {

struct Counted {
    qint64 folded = 0, ops = 0, bytes = 0, roots = 0;
    friend bool operator==(const Counted&, const Counted&) = default;
};

QStringList bindings(const QString& model)
{
    QFile file(test::sharedFile("models/bindings.json"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QJsonObject dims = QJsonDocument::fromJson(file.readAll())[model][QLatin1String("dims")].toObject();
    QStringList arguments;
    for (auto it = dims.begin(); it != dims.end(); ++it)
        arguments << "--bind" << QString("%1=%2").arg(it.key()).arg(it.value().toInt());
    return arguments;
}

} // namespace

class CliFoldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The figures of the specification's two-layer MLP.
    void packedWeightsAreFolded()
    {
        const auto result = cli_({"fold", test::Cli::sample("mlp_packed_weights.json"), "--format", "json"});
        QCOMPARE(result.status, 0);
        QCOMPARE(result.object()["format"].toString(), QString("stowage.fold/1"));
        const QJsonObject f = result.object()["functions"].toArray().at(0).toObject();
        QCOMPARE(f["peak"]["before"].toInteger(), 1'376'256);
        QCOMPARE(f["peak"]["after"].toInteger(), 524'288);
        QCOMPARE(f["arena"]["before"].toInteger(), 1'376'256);
        QCOMPARE(f["arena"]["after"].toInteger(), 524'288);
        QCOMPARE(f["persistent_bytes"].toInteger(), 1'577'984);
        QCOMPARE(f["held_twice_bytes"].toInteger(), 1'577'984);
        QCOMPARE(f["saved"]["ops"].toInteger(), 2);
        QCOMPARE(f["saved"]["bytes"].toInteger(), 3'145'728);
        // The first run copies two biases besides (2 * 4,096 + 2 * 1,024 bytes), so it takes a second run.
        QCOMPARE(f["moved"]["runtime_fold"].toInteger(), 3'145'728 + 10'240);
        QCOMPARE(f["break_even_runs"].toInteger(), 2);
        QCOMPARE(f["runtime_fold"].toArray(), (QJsonArray{"pack w1", "expand b1", "pack w2", "expand b2"}));
        const QJsonArray folded = f["folded"].toArray();
        QCOMPARE(folded.at(3)["offset"].toInteger(), 0x181000);
        QCOMPARE(folded.at(2)["strides"].toArray(), (QJsonArray{32768, 1024, 32, 1}));
    }

    void theFoldedProgramIsAProgram()
    {
        const QString out = cli_.path("folded.json");
        const auto folded = cli_({"fold", test::Cli::sample("mlp_packed_weights.json"), "-o", out});
        QCOMPARE(folded.status, 0);
        QVERIFY(folded.out.startsWith("Folded: each run saves 2 ops and 3,145,728 bytes moved; 1,577,984 bytes are kept"));
        const auto planned = cli_({"plan", out, "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        const QJsonArray functions = planned.object()["functions"].toArray();
        QCOMPARE(functions.size(), 2);
        for (const QJsonValue pool : functions.at(0)["pools"].toArray())
            QCOMPARE(pool["size"].toInteger(), pool["name"] == "persistent" ? 1'577'984 : 524'288);
        // Folding once more finds nothing: what is kept between runs is no constant of the program any more.
        QVERIFY(cli_({"fold", out}).out.startsWith("Nothing to fold"));
    }

    void aSmallCacheFoldsAgain()
    {
        const auto result = cli_({"fold", test::Cli::sample("mlp_packed_weights.json"), "--cache-capacity", "1MiB"});
        QCOMPARE(result.status, 0);
        QVERIFY(result.out.contains("run 1: 4 folded, 0 cached"));
        QVERIFY(result.out.contains("run 2: 1 folded, 3 cached, 0 evicted, 1 not kept (capacity)"));
    }

    void wrongOptionsAreRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("threshold") << QStringList{"--threshold", "0"};
        QTest::newRow("no such argument") << QStringList{"--runtime-args", "7"};
        QTest::newRow("no position") << QStringList{"--runtime-args", "x"};
        QTest::newRow("no size") << QStringList{"--cache-capacity", "much"};
        QTest::newRow("mode") << QStringList{"--mode", "later"};
    }
    void wrongOptionsAreRefused()
    {
        QFETCH(const QStringList, arguments);
        const auto result = cli_(QStringList{"fold", test::Cli::sample("mlp_packed_weights.json")} + arguments);
        QCOMPARE(result.status, 2);
        QVERIFY(!result.err.isEmpty());
    }

    void opsAndBytesAreThoseOfASecondCount_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("threshold");
        if (test::sharedFolder().isEmpty()) return;
        for (const char* folder : {"models/onnx", "models/tflite"}) {
            const QDir dir(test::sharedFile(folder));
            for (const QString& name : dir.entryList({"*.onnx", "*.tflite"}, QDir::Files, QDir::Name))
                for (const char* threshold : {"8", "1e12"}) // with the second one, weights that ops make from shapes fold, too
                    if (name.endsWith(".onnx") || threshold[0] == '8')
                        QTest::addRow("%s at %s", qPrintable(name), threshold) << dir.filePath(name) << threshold;
        }
    }
    void opsAndBytesAreThoseOfASecondCount()
    {
        STOWAGE_NEEDS_SHARED();
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty()) QSKIP("python3 is not installed");
        QFETCH(const QString, path);
        QFETCH(const QString, threshold);
        const QStringList bind = bindings(QFileInfo(path).fileName());
        const QString program = cli_.path("program.json");
        const auto converted = cli_(QStringList{"convert", path, "--to", "program", "-o", program} + bind);
        QVERIFY2(converted.status == 0, converted.err);
        const auto folded = cli_(QStringList{"fold", path, "--postpone", "off", "--planner", "greedy-by-size", "--threshold",
                                             threshold, "--format", "json"} +
                                 bind);
        QVERIFY2(folded.status == 0, folded.err);
        QProcess script;
        script.start(python, {QStringLiteral(STOWAGE_SOURCE_DIR "/tests/cli/count_folds.py"), program, threshold});
        QVERIFY(script.waitForFinished(60'000));
        QVERIFY2(script.exitCode() == 0, script.readAllStandardError());
        const QJsonObject expected = QJsonDocument::fromJson(script.readAllStandardOutput()).object();
        const QJsonArray functions = folded.object()["functions"].toArray();
        QCOMPARE(functions.size(), expected.size());
        for (const QJsonValue function : functions) {
            Counted ours{0, function["saved"]["ops"].toInteger(), function["saved"]["bytes"].toInteger(),
                         function["held_twice_bytes"].toInteger()};
            for (const QJsonValue op : function["ops"].toArray())
                ours.folded += op["folded"].toBool() && op["reason"] == "folded";
            const QJsonObject theirs = expected[function["name"].toString()].toObject();
            QCOMPARE(ours, (Counted{theirs["folded"].toArray().size(), theirs["ops"].toInteger(), theirs["bytes"].toInteger(),
                                    theirs["roots"].toInteger()}));
        }
    }

private:
    test::Cli cli_;
};

QTEST_GUILESS_MAIN(CliFoldTest)
#include "tst_cli_fold.moc"

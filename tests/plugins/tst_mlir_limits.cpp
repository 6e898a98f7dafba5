// MLIR's parser crashes on some texts and never ends on others. It runs in the worker: the caller gets one clear error within the
// limits, and the next module is read as if nothing had happened.
#include "plugins/host/worker_client.h"
#include "tests/support/instrumented.h"
#include "tests/support/paths.h"
#include "tests/support/seed.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <array>
#include <random>

using namespace stowage;
using namespace std::chrono_literals;

namespace {

constexpr auto sound =
    "func.func @entry(%a: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> attributes "
    "{runtime_const_args_index = [1 : i32]} {\n  %n = arith.negf %w : tensor<8xf32>\n  %s = arith.addf %a, %n : "
    "tensor<8xf32>\n  return %s : tensor<8xf32>\n}\n";

/// The parser of MLIR 19 calls itself for each sign, and its stack ends.
std::string manySigns()
{
    return "#m = affine_map<(d0) -> (" + std::string(200'000, '-') + "d0)>\n" + sound;
}

/// Each type has two of the type before: in a message of the parser the last one has 2^60 words.
std::string endlessMessage()
{
    std::string text = "!t0 = tuple<i1, i1>\n";
    for (int i = 1; i < 60; ++i) {
        const std::string before = "!t" + std::to_string(i - 1);
        text += "!t" + std::to_string(i) + " = tuple<" + before + ", " + before + ">\n";
    }
    return text + "func.func @f(%a: !t59) -> i1 {\n  return %a : i1\n}\n";
}

Expected<ImportedInput> importModule(const std::string& text, const WorkerLimits& limits)
{
    const PluginHost host(QStringList{});
    return WorkerClient(host, limits, WorkerClient::installedWorker()).import({QStringLiteral("m.mlir"), text, "mlir", {}, {}});
}

void soundModulesAreStillRead()
{
    const auto result = importModule(sound, {});
    QVERIFY2(bool(result), result ? "" : toText(result.error()).c_str());
    QCOMPARE(std::get<Program>(result->imported.content).functions.size(), std::size_t{1});
}

} // namespace

class MlirLimitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qunsetenv("STOWAGE_PLUGIN_PATH"); }

    void aParserThatCrashesIsAnError()
    {
        const auto result = importModule(manySigns(), {});
        QVERIFY(!result);
        QVERIFY2(result.error().code == Code::workerCrashed, toText(result.error()).c_str());
        QVERIFY2(result.error().message.find("while importer \"mlir\" was reading the input") != std::string::npos,
                 toText(result.error()).c_str());
        QCOMPARE(result.error().where.file, std::string("m.mlir"));
        QVERIFY(!result.error().remedy.empty());
        soundModulesAreStillRead();
    }

    void aParserThatNeverEndsIsEnded()
    {
        WorkerLimits limits;
        limits.time = 1s;
        QElapsedTimer clock;
        clock.start();
        const auto result = importModule(endlessMessage(), limits);
        const qint64 took = clock.elapsed();
        QVERIFY(!result);
        QVERIFY2(result.error().code == Code::workerTimeout, toText(result.error()).c_str());
        QVERIFY2(result.error().message.find("1 s") != std::string::npos, toText(result.error()).c_str());
        QVERIFY2(took < 10'000, qPrintable(QString::number(took))); // a busy machine may take a second more
        soundModulesAreStillRead();
    }

    /// As tests/fuzz/fuzz_mlir.cpp, through the worker: modules that were cut, doubled and spoiled at random are read or are one
    /// error, each within its limits.
    void spoiledModulesAreReadOrOneError()
    {
        QFile sample(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/fold_three_weights.mlir"));
        QVERIFY(sample.open(QIODevice::ReadOnly));
        const std::string whole = sample.readAll().toStdString();
        constexpr std::array words{"tensor<", "x", "-",    "9223372036854775807", "?",  "{",   "}", "(",
                                   ")",       "%", "#map", "affine_map<",         "\"", "\xff"};
        std::mt19937 random(testSeed());
        const auto below = [&](std::size_t count) { return std::size_t(random()) % std::max<std::size_t>(count, 1); };
        WorkerLimits limits;
        limits.time = 10s;
        limits.memory = Bytes{2} << 30;
        int read = 0;
        for (int i = 0; i < 150; ++i) {
            std::string text = whole;
            for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
                const std::size_t at = below(text.size()), length = below(std::min<std::size_t>(text.size() - at, 60));
                switch (below(4)) {
                case 0: text.erase(at, length); break;
                case 1: text.insert(at, text.substr(at, length)); break;
                case 2: text.insert(at, words[below(words.size())]); break;
                default: text[at] = char(random()); break;
                }
            }
            const auto result = importModule(text, limits);
            read += bool(result);
            if (result) continue;
            const Error& error = result.error();
            const bool ours =
                error.code != Code::workerGarbage && error.code != Code::workerFlood && error.code != Code::workerMissing;
            QVERIFY2(ours && !error.message.empty() && error.where.file == "m.mlir", (toText(error) + '\n' + text).c_str());
        }
        qInfo("%d of 150 are still modules", read);
        soundModulesAreStillRead();
    }

    /// The same text under a limit of memory that its message reaches first.
    void aParserThatTakesAllMemoryIsEnded()
    {
        if (test::instrumented) QSKIP("memory limits are off in a worker with a sanitizer");
        WorkerLimits limits;
        limits.memory = Bytes{512} << 20;
        const auto result = importModule(endlessMessage(), limits);
        QVERIFY(!result);
        QVERIFY2(result.error().code == Code::workerOutOfMemory, toText(result.error()).c_str());
        QVERIFY2(result.error().message.find("512 MiB") != std::string::npos, toText(result.error()).c_str());
    }
};

QTEST_GUILESS_MAIN(MlirLimitsTest)
#include "tst_mlir_limits.moc"

// A file that is not what it should be gives one clear error with its place, whatever is wrong with it, and never a crash or a
// hang.
#include "core/ir/verify.h"
#include "tests/plugins/tflite_support.h"
#include "tests/support/seed_shift.h"

#include <QDir>
#include <QTest>

#include <random>

using namespace stowage;
using namespace stowage::test;

namespace {

const std::vector<Options>& modes()
{
    static const std::vector<Options> all{{{"subgraphs", "nested"}}, {{"subgraphs", "main"}}, {{"subgraphs", "flat"}}};
    return all;
}

/// Small enough that thousands of changed copies are read in seconds; between them they have every feature of the format.
const char* const seeds[] = {
    "syn_if.tflite",       "syn_while.tflite",        "syn_corner_cases.tflite", "syn_offline_plan.tflite",
    "split_concat.tflite", "hello_world_int8.tflite", "mnist_lstm_float.tflite", "mww_v2_alexa.tflite",
};

} // namespace

class TestTfliteBad : public QObject {
    Q_OBJECT

private:
    /// Reads it in every mode. An error has to be whole; a success has to be a program that holds together.
    static void readSafely(const std::string& bytes, const QByteArray& what)
    {
        for (const Options& mode : modes()) {
            const auto imported = importBytes(bytes, mode);
            if (!imported) {
                const Error& error = imported.error();
                QVERIFY2(!codeText(error).empty() && !error.message.empty() && error.where.file == "model.tflite",
                         what.constData());
                QVERIFY2(error.where.byte <= static_cast<std::int64_t>(bytes.size()), what.constData());
            } else {
                const Diagnostics wrong = verify(std::get<Program>(imported->content));
                QVERIFY2(wrong.empty() || wrong.front().code == Code::tooLarge,
                         wrong.empty() ? "" : (what + ": " + toText(wrong.front()).c_str()).constData());
            }
        }
    }

private Q_SLOTS:
    void initTestCase() { STOWAGE_NEEDS_SHARED(); }

    void malformedFilesGiveTheRightError_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* file, const char* code, const char* says) {
            QTest::newRow(file) << QByteArray(code) << QByteArray(says);
        };
        row("buffer_index_out_of_range.tflite", "bad-index", "tensor 0 'x' of sub-graph 0 'main' names buffer 99");
        row("empty.tflite", "not-tflite", "empty");
        row("missing_subgraph.tflite", "bad-index", "operator 0 (IF) of sub-graph 0 'main' calls sub-graph 5");
        row("random.tflite", "damaged", "damaged");
        row("read_before_write_order.tflite", "read-before-write",
            "operator 0 (RELU) reads tensor 1 'y', which operator 1 (NEG) writes only later");
        row("root_past_end.tflite", "damaged", "its root lies at byte 2147483647");
        row("seven_bytes.tflite", "not-tflite", "only 7 bytes");
        row("size_overflows_64_bits.tflite", "size-overflow", "tensor 1 'y'");
        row("subgraph_calls_itself.tflite", "recursion", "operator 0 (WHILE)");
        row("tensor_index_out_of_range.tflite", "bad-index", "operator 0 (RELU) of sub-graph 0 'main' name tensor 77");
        row("truncated_half.tflite", "damaged", "list of tensors");
        row("two_producers.tflite", "two-producers",
            "tensor 1 'y' is written by operator 0 (RELU) and again by operator 1 (NEG)");
        row("valid_but_empty.tflite", "empty", "no operator");
        row("wrong_id.tflite", "not-tflite", "\"XXXX\"");
        const QStringList files = QDir(sharedFile("models/bad")).entryList({QStringLiteral("*.tflite")}, QDir::Files);
        QCOMPARE(files.size(), 14); // a new one needs a row
    }

    void malformedFilesGiveTheRightError()
    {
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, says);
        const QString name = QString::fromUtf8(QTest::currentDataTag());
        const std::string bytes = bytesOf(sharedFile("models/bad/") + name);
        for (const Options& mode : modes()) {
            const auto imported = importBytes(bytes, mode, {}, name.toStdString());
            QVERIFY(!imported);
            const Error& error = imported.error();
            QVERIFY2(codeText(error) == code.toStdString(), toText(error).c_str());
            QVERIFY2(error.message.find(says.toStdString()) != std::string::npos, toText(error).c_str());
            QCOMPARE(error.where.file, name.toStdString());
            QVERIFY2(error.where.byte >= 0, toText(error).c_str());
            QVERIFY2(!error.remedy.empty(), toText(error).c_str());
        }
    }

    void everyTruncationIsRead()
    {
        for (const char* seed : {"syn_if.tflite", "syn_while.tflite", "syn_corner_cases.tflite"}) {
            const std::string whole = bytesOf(sharedFile("models/tflite/") + QLatin1String(seed));
            QVERIFY(!whole.empty());
            for (std::size_t size = 0; size < whole.size(); ++size) readSafely(whole.substr(0, size), seed);
        }
    }

    void everyFlippedBitIsRead()
    {
        for (const char* seed : {"syn_if.tflite", "syn_while.tflite", "syn_offline_plan.tflite"}) {
            std::string changed = bytesOf(sharedFile("models/tflite/") + QLatin1String(seed));
            QVERIFY(!changed.empty());
            for (std::size_t bit = 0; bit < 8 * changed.size(); ++bit) {
                changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
                readSafely(changed, seed);
                changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
            }
        }
    }

    void randomChangesAreRead()
    {
        const unsigned seed = 20261119;
        std::mt19937 random(seed + stowage::test::seedShift());
        const QByteArray what = "seed " + QByteArray::number(seed);
        qInfo().noquote() << what;
        for (const char* name : seeds) {
            const std::string original = bytesOf(sharedFile("models/tflite/") + QLatin1String(name));
            QVERIFY(!original.empty());
            for (int round = 0; round < 1500; ++round) {
                std::string changed = original;
                const int changes = 1 + static_cast<int>(random() % 8);
                for (int change = 0; change < changes; ++change) {
                    // Structure sits in the first kilobytes and in words: whole words get small numbers as often as noise.
                    const std::size_t reach = random() % 2 == 0 ? std::min<std::size_t>(changed.size(), 4096) : changed.size();
                    const std::size_t at = random() % reach / 4 * 4;
                    const std::uint32_t word = random() % 2 == 0 ? random() % 64 : static_cast<std::uint32_t>(random());
                    for (std::size_t i = 0; i < 4 && at + i < changed.size(); ++i)
                        changed[at + i] = static_cast<char>(word >> (8 * i) & 0xff);
                }
                readSafely(changed, what);
            }
        }
    }

    void noiseIsRead()
    {
        const unsigned seed = 20261120;
        std::mt19937 random(seed + stowage::test::seedShift());
        const QByteArray what = "seed " + QByteArray::number(seed);
        qInfo().noquote() << what;
        for (int round = 0; round < 2000; ++round) {
            std::string noise(8 + random() % 2000, '\0');
            for (char& c : noise) c = static_cast<char>(random());
            noise.replace(0, 8, std::string("\x10\0\0\0TFL3", 8)); // past the first doors
            readSafely(noise, what);
        }
    }
};

QTEST_GUILESS_MAIN(TestTfliteBad)
#include "tst_tflite_bad.moc"
